"""rated: what has ever been rated, round by round, so that nothing is rated twice."""

from __future__ import annotations

import hashlib

import pandas as pd

from ratingrun import findings
from ratingrun.frames import RATED
from ratingrun.stages import runs
from ratingrun.stages.reports import KEY, PLAYED, own_rounds

ROUND = [*KEY, "round"]


def build(
    tournaments: pd.DataFrame, entries: pd.DataFrame, results: pd.DataFrame, before: pd.DataFrame, period: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The rounds to rate now (`rated` rows), the rounds rated already (tournament_id, part, round, period), findings.

    Findings: R109 a round differs from what was rated, R107 the same report under another tournament id (in this run
    or rated before): same games, same colours and results in all rounds, same first day.
    """
    used = tournaments.loc[tournaments["status"] == "used", [*KEY, "start", "approvals", "rounds_from", "rounds_to"]]
    prints = _fingerprints(used, entries, results)
    known = before[["tournament_id", "round", "fingerprint", "period"]]
    seen = prints.merge(known, on=["tournament_id", "round"], how="inner", suffixes=("", "_before"))
    same = seen["fingerprint"] == seen["fingerprint_before"]
    found = [findings.of("R109", seen[~same]), _twins(prints[prints["games"] > 0], used, before)]
    already = seen.loc[same, [*ROUND, "period"]]
    fresh = prints[prints["games"] > 0].merge(seen[ROUND], on=ROUND, how="left", indicator=True)
    fresh = fresh[fresh["_merge"] == "left_only"].assign(period=period)
    return RATED.build(fresh), already, findings.join(found)


def _fingerprints(used: pd.DataFrame, entries: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """One row a round of the used parts: games (played cells) and the sha256 of its played cells, in any order."""
    who = entries[[*KEY, "start_no", "player_id"]].copy()
    who["player_id"] = who["player_id"].fillna("#" + who["start_no"].astype("str"))
    rows = own_rounds(results, used)
    everything = rows.drop_duplicates(ROUND)[[*ROUND, "start", "file"]]
    cells = rows[rows["result"].isin(PLAYED) & rows["opponent_no"].notna()]
    cells = cells.merge(who, on=[*KEY, "start_no"], how="left")
    against = who.rename(columns={"start_no": "opponent_no", "player_id": "opponent_id"})
    cells = cells.merge(against.astype({"opponent_no": "Int64"}), on=[*KEY, "opponent_no"], how="left")
    words = ["player_id", "opponent_id", "colour", "result"]
    cells["text"] = _joined(cells, words)
    cells = cells.sort_values([*ROUND, "text"], kind="stable")
    rounds = runs.joined(cells, ROUND, "text", "\n").reset_index()
    rounds["games"] = cells.groupby(ROUND).size().to_numpy()
    prints = everything.merge(rounds, on=ROUND, how="left")
    prints["games"] = prints["games"].fillna(0).astype("int64")
    prints["fingerprint"] = [hashlib.sha256(text.encode()).hexdigest() for text in prints["text"].fillna("")]
    return prints[[*ROUND, "start", "file", "games", "fingerprint"]]


def _joined(cells: pd.DataFrame, words: list[str]) -> pd.Series:
    parts = [cells[word].astype("str").fillna("-") for word in words]
    return parts[0].str.cat(parts[1:], sep="|")


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


def _whole(prints: pd.DataFrame) -> pd.DataFrame:
    """One row a part: its first day and the fingerprints of its rounds, joined."""
    key = [*KEY, "start"]
    ordered = prints.sort_values([*key, "round"], kind="stable")
    return runs.joined(ordered, key, "fingerprint", "").rename("whole").reset_index()
