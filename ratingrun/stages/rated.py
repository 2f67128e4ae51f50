"""rated: what has ever been rated, round by round, so that nothing is rated twice."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded, findings, frames
from ratingrun.frames import RATED
from ratingrun.stages import codes, runs
from ratingrun.stages.reports import KEY, PLAYED, own_rounds

ROUND = [*KEY, "round"]
SEPARATOR = "|"
NONE = RATED.empty()[[*ROUND, "period"]]  # no round was rated before
ALIKE = 3  # games of a round that are no coincidence, if the same players had the same colours and results elsewhere
_SEPARATOR = pa.scalar(SEPARATOR, pa.large_string())


def build(
    tournaments: pd.DataFrame, prints: pd.DataFrame, before: pd.DataFrame, period: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The rounds to rate now (`rated` rows), the rounds rated already (tournament_id, part, round, period), findings.

    `prints` as `fingerprints` makes them, of the parts that are used or more.

    Findings: R109 a round differs from what was rated, R107 the same report under another tournament id (in this run
    or rated before): same games, same colours and results in all rounds, same first day; R205 rounds that are the same
    in part, or under another first day.
    """
    used = tournaments.loc[tournaments["status"] == "used", [*KEY, "start", "approvals"]]
    prints = prints[(tournaments["status"] == "used").to_numpy(bool)[prints["at"]]].reset_index(drop=True)
    known = before.loc[codes.isin(before["tournament_id"], used["tournament_id"])]
    known = known[["tournament_id", "round", "fingerprint", "period"]]
    seen = prints.merge(known, on=["tournament_id", "round"], how="inner", suffixes=("", "_before"))
    same = seen["fingerprint"] == seen["fingerprint_before"]
    past = before[before["start"].isin(used["start"])]
    twins = _twins(prints[prints["games"] > 0], used, past)
    found = [findings.of("R109", seen[~same]), twins, _alike(prints, used, before, twins)]
    already = seen.loc[same, [*ROUND, "period"]]
    fresh = prints[prints["games"] > 0].merge(seen[ROUND], on=ROUND, how="left", indicator=True)
    fresh = fresh[fresh["_merge"] == "left_only"].assign(period=period)
    return RATED.build(fresh), already, findings.join(found)


def fingerprints(tournaments: pd.DataFrame, entries: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """One row a round of the used parts: games (played cells) and the sha256 of its played cells, in any order; `at` is
    the part in `tournaments`. Entries and results as `reports.located`."""
    rows, _ = own_rounds(results, tournaments)
    part = rows["at"].to_numpy()
    round_, distinct = pd.factorize(codes.joint((part,), (rows["round"],))[0], sort=True)
    first = codes.firsts(round_, len(distinct))
    heads = rows[[*ROUND, "file"]].take(first).reset_index(drop=True)
    everything = pd.DataFrame({name: coded.plain(heads[name]) for name in heads})
    everything["start"], everything["at"] = codes.take(tournaments["start"], part[first]), part[first]
    at = np.flatnonzero((rows["result"].isin(PLAYED) & rows["opponent_no"].notna()).to_numpy(bool))
    round_, player = round_[at], rows["entry"].to_numpy()[at]
    names = entries["player_id"].fillna("#" + entries["start_no"].astype("str"))
    rank = codes.encode(names + SEPARATOR)[0][player]
    order = np.argsort(codes.joint((round_,), (rank,))[0], kind="stable")
    at, round_, rank = at[order], round_[order], rank[order]
    text = _texts(rows, at, names)
    if not codes.heads(round_, rank).all():  # somebody stands twice in a round: the whole texts decide
        rank, _ = codes.encode(text)
        text = text.take(np.argsort(codes.joint((round_,), (rank,))[0], kind="stable"))
    games = np.bincount(round_, minlength=len(first))
    hashes = runs.hashes(text, games)
    return everything.assign(games=games, fingerprint=pd.Series(hashes, dtype="str"))


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
    ordered = prints if frames.repeats(prints, order) is not None else prints.sort_values(order, kind="stable")
    again = ordered.duplicated([*KEY, "start"]).to_numpy()
    sizes = np.diff(np.append(np.flatnonzero(~again), len(again)))
    whole = runs.joined(ordered["fingerprint"], sizes, "")
    return ordered[[*KEY, "start"]][~again].assign(whole=whole.array)
