"""rated: what has ever been rated, round by round, so that nothing is rated twice."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded, contract, findings
from ratingrun.frames import RATED
from ratingrun.stages import codes, runs
from ratingrun.stages.reports import KEY, PLAYED, own_rounds

ROUND = [*KEY, "round"]
SEPARATOR = "|"
NONE = RATED.empty()[[*ROUND, "period"]]  # no round was rated before
ALIKE = 3  # games of a round that are no coincidence, if the same players had the same colours and results elsewhere
PRINTS = {"fingerprint": "player_id", "as_reported": "reported", "as_before": "before"}  # column of the entries
_SEPARATOR = pa.scalar(SEPARATOR, pa.large_string())


def build(
    tournaments: pd.DataFrame, prints: pd.DataFrame, before: pd.DataFrame, period: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The rounds to rate now (`rated` rows), the rounds rated already (tournament_id, part, round, period), findings.

    `prints` as `fingerprints` makes them, of the parts that are used or more. Kept is the fingerprint by the ids that
    the report has; a round is known again by these, by the players or by their other ids, so that an alias or a merge
    that comes later makes no other round of it. `resolved`, beside the rows, is the fingerprint by players.

    Findings: R109 a round differs from what was rated, R107 the same report under another tournament id (in this run
    or rated before): same games, same colours and results in all rounds, same first day; R205 rounds that are the same
    in part, or under another first day.
    """
    used = tournaments.loc[tournaments["status"] == "used", [*KEY, "start", "approvals"]]
    prints = prints[(tournaments["status"] == "used").to_numpy(bool)[prints["at"]]].reset_index(drop=True)
    known = before.loc[codes.isin(before["tournament_id"], used["tournament_id"])]
    known = known[["tournament_id", "round", "fingerprint", "period"]]
    seen = prints.merge(known, on=["tournament_id", "round"], how="inner", suffixes=("", "_before"))
    ways = [name for name in PRINTS if name in prints]
    same = seen[ways].eq(seen["fingerprint_before"], axis=0).any(axis=1)
    past = before[before["start"].isin(used["start"])]
    ways = [prints.assign(fingerprint=prints[way]) for way in ways]
    twins = findings.join(_twins(way[way["games"] > 0], used, past) for way in ways).drop_duplicates()
    found = [findings.of("R109", seen[~same]), twins, *(_alike(way, used, before, twins) for way in ways)]
    already = seen.loc[same, [*ROUND, "period"]]
    fresh = prints[prints["games"] > 0].merge(seen[ROUND], on=ROUND, how="left", indicator=True)
    fresh = fresh[fresh["_merge"] == "left_only"].assign(period=period)
    kept = fresh["as_reported"] if "as_reported" in fresh else fresh["fingerprint"]
    rounds = fresh.assign(resolved=fresh["fingerprint"], fingerprint=kept)
    return RATED.build(rounds, keep=("resolved",)), already, findings.join(found)


def once(
    tournaments: pd.DataFrame, rounds: pd.DataFrame, already: pd.DataFrame, period: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`rounds` and `already` of `build` when parts of one tournament hold the same round in this run; and R109.

    The first part that is used has the round; in a later one it is rated already, or R109 if its games differ, and then
    that part has no round at all.
    """
    used = (tournaments["status"] == "used").to_numpy(bool)
    rows = rounds[np.append(used, False)[codes.part(rounds, tournaments)]]
    shared = rows.loc[rows.duplicated(["tournament_id", "round"], keep=False), "tournament_id"]
    if shared.empty:
        return rounds, already, findings.none()
    rows = rows[rows["tournament_id"].isin(shared)]
    known, again, clash = rows[:0], [], []
    for _, part in rows.groupby(KEY):
        before = part[ROUND].merge(known.drop(columns="part"), on=["tournament_id", "round"], how="left")["resolved"]
        there = before.notna().to_numpy()
        differ = there & (before != part["resolved"].array).to_numpy()
        if differ.any():
            clash.append(part[differ])
        else:
            again.append(part[there])
            known = pd.concat([known, part[~there]])
    again = pd.concat([*again, rows[:0]])
    clash = pd.concat([*clash, rows[:0]]).merge(tournaments[[*KEY, "file"]], on=KEY)
    already = pd.concat([already, again[[*ROUND, "period"]]], ignore_index=True)
    return rounds.drop(again.index), already, findings.of("R109", clash.assign(period=period))


def fingerprints(tournaments: pd.DataFrame, entries: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """One row a round of the used parts: games (played cells) and the sha256 of its played cells, in any order; `at` is
    the part in `tournaments`. Entries and results as `reports.located`.

    `as_reported` is the same by the ids that the report has, `as_before` by an alias or old id of each player
    (`reported` and `before` of the entries, where aliases or merges make a difference).
    """
    rows, _ = own_rounds(results, tournaments)
    part = rows["at"].to_numpy()
    round_, distinct = pd.factorize(codes.joint((part,), (rows["round"],))[0], sort=True)
    first = codes.firsts(round_, len(distinct))
    heads = rows[[*ROUND, "file"]].take(first).reset_index(drop=True)
    everything = pd.DataFrame({name: coded.plain(heads[name]) for name in heads})
    everything["start"], everything["at"] = codes.take(tournaments["start"], part[first]), part[first]
    at = np.flatnonzero((rows["result"].isin(PLAYED) & rows["opponent_no"].notna()).to_numpy(bool))
    round_, player = round_[at], rows["entry"].to_numpy()[at]
    everything["games"] = games = np.bincount(round_, minlength=len(first))
    for name, column in PRINTS.items():
        if column in entries:
            names = entries[column].fillna("#" + entries["start_no"].astype("str"))
            text = _sorted_texts(rows, names, at, round_, player)
            everything[name] = pd.Series(runs.hashes(text, games), dtype="str")
    return everything


def _sorted_texts(
    rows: pd.DataFrame, names: pd.Series, at: np.ndarray, round_: np.ndarray, player: np.ndarray
) -> pd.Series:
    """The played cells `at` as texts, by round and player."""
    rank = codes.encode(names + SEPARATOR)[0][player]
    order = np.argsort(codes.joint((round_,), (rank,))[0], kind="stable")
    at, round_, rank = at[order], round_[order], rank[order]
    text = _texts(rows, at, names)
    if not codes.heads(round_, rank).all():  # somebody stands twice in a round: the whole texts decide
        rank, _ = codes.encode(text)
        text = text.take(np.argsort(codes.joint((round_,), (rank,))[0], kind="stable"))
    return text


def _texts(rows: pd.DataFrame, at: np.ndarray, names: pd.Series) -> pd.Series:
    """The played cells `at` as texts: player, opponent, colour, result."""
    player, opponent = rows["entry"].to_numpy()[at], rows["rival"].to_numpy()[at]
    (colour, colours), (result, results) = (codes.encode(rows[name]) for name in ("colour", "result"))
    ends = [f"{one}{SEPARATOR}{other}" for one in (*colours, "-") for other in (*results, "-")]
    ends = pa.array(ends, coded.WIDE)
    end = _or_last(colour[at], len(colours)) * (len(results) + 1) + _or_last(result[at], len(results))
    texts = pa.concat_arrays([coded.arrow(names).cast(coded.WIDE), pa.array(["-"], coded.WIDE)])
    opponent = _or_last(opponent, len(names))
    words = (
        texts.take(pa.array(player)),
        texts.take(pa.array(opponent)),
        pa.array(ends, coded.WIDE).take(pa.array(end)),
    )
    return pd.Series(pc.binary_join_element_wise(*words, _SEPARATOR).to_pandas(), dtype="str")


def _or_last(code: np.ndarray, count: int) -> np.ndarray:
    """Codes of `count` words, of none the number behind the last."""
    return np.where(code < 0, count, code)


def _twins(prints: pd.DataFrame, used: pd.DataFrame, before: pd.DataFrame) -> pd.DataFrame:
    """R107 for each part whose rounds are all those of another tournament with the same first day.

    approvals=distinct on one of the two says that both were played.
    """
    now = (
        _whole(prints)
        .merge(used[[*KEY, "approvals"]], on=KEY)
        .merge(prints[[*KEY, "file"]].drop_duplicates(KEY), on=KEY)
    )
    past = _whole(before.sort_values(ROUND))
    both = pd.concat([now.assign(now=True), past.assign(now=False)], ignore_index=True)
    pairs = now.merge(both, on=["start", "whole"], suffixes=("", "_other"))
    pairs = pairs[pairs["tournament_id"] != pairs["tournament_id_other"]]
    said = pairs["approvals"].fillna("") + " " + pairs["approvals_other"].fillna("")
    pairs = pairs[~said.str.contains(r"\bdistinct\b").to_numpy(bool)]
    pairs = pairs.assign(other="tournament " + pairs["tournament_id_other"])
    return findings.of("R107", pairs[[*KEY, "file", "other"]].drop_duplicates(KEY))


def _alike(prints: pd.DataFrame, used: pd.DataFrame, before: pd.DataFrame, twins: pd.DataFrame) -> pd.DataFrame:
    """R205 for each part, and each other tournament with which it shares whole rounds of at least `ALIKE` games.

    A report that came in again with one more round or another date is rated twice, unless somebody looks.
    """
    rows = prints[prints["games"] >= 2 * ALIKE].merge(used[[*KEY, "approvals"]], on=KEY)
    past = before.loc[codes.isin(before["fingerprint"], rows["fingerprint"]), ["tournament_id", "fingerprint"]]
    known = pd.concat([rows[["tournament_id", "fingerprint", "approvals"]], past]).drop_duplicates()
    known = known[known["fingerprint"].duplicated(keep=False)]
    rows = rows[codes.isin(rows["fingerprint"], known["fingerprint"])]
    pairs = rows.merge(known, on="fingerprint", suffixes=("", "_other"))
    said = pairs["approvals"].fillna("") + " " + pairs["approvals_other"].fillna("")
    other = (pairs["tournament_id"] != pairs["tournament_id_other"]) & ~said.str.contains(r"\bdistinct\b")
    pairs = pairs[other.to_numpy(bool) & ~pairs["tournament_id"].isin(twins["tournament_id"]).to_numpy()]
    key = [*KEY, "file", "tournament_id_other"]
    counts = pairs.groupby(key, sort=False).agg(rounds=("round", "nunique"), games=("games", "sum")).reset_index()
    counts = counts.assign(other="tournament " + counts["tournament_id_other"], games=counts["games"] // 2)
    return findings.of("R205", counts)


def _whole(prints: pd.DataFrame) -> pd.DataFrame:
    """One row a part: its first day and the fingerprints of its rounds, joined."""
    order = [*KEY, "start", "round"]
    ordered = prints if contract.repeats(prints, order) is not None else prints.sort_values(order, kind="stable")
    again = ordered.duplicated([*KEY, "start"]).to_numpy()
    sizes = np.diff(np.append(np.flatnonzero(~again), len(again)))
    whole = runs.joined(ordered["fingerprint"], sizes, "")
    return ordered[[*KEY, "start"]][~again].assign(whole=whole.array)
