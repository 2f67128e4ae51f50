"""games: results -> games. Two half-records become one game: played, or the reason why not.

A game is played only if both rows name each other in the same round, with opposite colours and results that add up to
one point. Every other cell is unplayed, with a reason, or a contradiction, for which the report is rejected.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import findings
from ratingrun.frames import GAMES
from ratingrun.stages.reports import KEY, PLAYED, own_rounds

FORFEIT, SHORT, BYE, NOTHING = ("+", "-"), ("W", "D", "L"), ("H", "F", "U", "Z"), ("",)
UNFINISHED = ("*",)
CODES = (*PLAYED, *FORFEIT, *SHORT, *BYE, *UNFINISHED, *NOTHING)
SCORE_C = {"1": 100, "=": 50, "0": 0}
OF_COLOURS = ("G106", "G107")
MIRROR = ["start_no", "opponent_no", "colour", "result", "line", "player_id"]


def build(
    tournaments: pd.DataFrame,
    entries: pd.DataFrame,
    results: pd.DataFrame,
    exclusions: pd.DataFrame,
    already: pd.DataFrame,
    colours: bool = True,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`games` of the used tournaments, and findings: G1xx contradictions, G201 exclusions that match nothing.

    `already` (tournament_id, part, round) are rounds that were rated before. Parts with a G1xx finding are rejected:
    the caller drops their games. Where `colours` do not count, G106 and G107 are not asked.
    """
    used = tournaments.loc[tournaments["status"] == "used", [*KEY, "rounds_from", "rounds_to"]]
    cells = _with_mirror(own_rounds(results, used), entries.merge(used[KEY], on=KEY))
    cells["excluded"], found = _excluded(cells, exclusions, tournaments)
    faults = findings.join(_contradictions(cells[~cells["excluded"]], colours))
    faulty = pd.MultiIndex.from_frame(cells[KEY]).isin(pd.MultiIndex.from_frame(faults[KEY]))
    games = _pair(cells[~faulty])
    rounds = already.assign(already=True)[[*KEY, "round", "already"]]
    games = games.merge(rounds, on=[*KEY, "round"], how="left", validate="m:1")
    seen = games["already"].notna()
    games["reason"] = games["reason"].mask(seen & games["reason"].isna(), "already_rated")
    games["played"] = games["reason"].isna()
    games["white_c"] = games["white_c"].where(games["played"])
    return GAMES.build(games), findings.join([faults, found])


def _with_mirror(cells: pd.DataFrame, entries: pd.DataFrame) -> pd.DataFrame:
    """Each cell with the cell of its opponent in the same round beside it (columns m_...), and what it is.

    `there`: the opponent is in the file; `mutual`: the opponent's cell points back.
    """
    cells = cells.merge(entries[[*KEY, "start_no", "player_id"]], on=[*KEY, "start_no"], how="left", validate="m:1")
    mirror = cells[[*KEY, "round", *MIRROR]].rename(columns={name: f"m_{name}" for name in MIRROR})
    mirror["m_start_no"] = mirror["m_start_no"].astype("Int64")
    left, right = [*KEY, "round", "opponent_no"], [*KEY, "round", "m_start_no"]
    cells = cells.merge(mirror, left_on=left, right_on=right, how="left", validate="m:1")
    cells["named"] = (cells["opponent_no"].fillna(0) > 0).to_numpy(bool)
    cells["there"] = cells["m_start_no"].notna().to_numpy(bool)
    cells["mutual"] = (cells["m_opponent_no"] == cells["start_no"]).fillna(False).to_numpy(bool)
    cells["self"] = (cells["opponent_no"] == cells["start_no"]).fillna(False).to_numpy(bool)
    return cells


def _excluded(
    cells: pd.DataFrame, exclusions: pd.DataFrame, tournaments: pd.DataFrame
) -> tuple[pd.Series, pd.DataFrame]:
    """Which cells are taken out by decision, those that name an excluded player as opponent among them; G201."""
    touched = cells[cells["tournament_id"].isin(exclusions["tournament_id"])]
    pairs = touched.reset_index(names="cell").merge(exclusions, on="tournament_id", suffixes=("", "_x"))
    hit = pairs["round_x"].isna() | (pairs["round_x"] == pairs["round"])
    for_player = pairs["player_id_x"].isna() | (pairs["player_id_x"] == pairs["player_id"])
    for_player |= pairs["there"] & (pairs["player_id_x"] == pairs["m_player_id"])
    hits = pairs[(hit.fillna(False) & for_player).to_numpy(bool)]
    ours = exclusions[exclusions["tournament_id"].isin(tournaments["tournament_id"])]
    judged = ours["tournament_id"].isin(touched["tournament_id"])
    idle = ours[judged & ~ours["line"].isin(hits["line_x"])]
    return cells.index.isin(hits["cell"]), findings.of("G201", idle, file="exclusions.csv")


def _contradictions(cells: pd.DataFrame, colours: bool) -> list[pd.DataFrame]:
    """Findings G101 to G109, one for each contradiction; a pair that contradicts itself is named once."""
    result = cells["result"]
    played, mirror_played = result.isin(PLAYED), cells["m_result"].isin(PLAYED)
    named, me, mutual = cells["named"], cells["self"], cells["mutual"] & ~cells["self"]
    colour = cells["colour"].notna()
    game = played & named & mutual
    first = cells["start_no"] < cells["m_start_no"].fillna(0)
    score, other = result.map(SCORE_C), cells["m_result"].map(SCORE_C)
    clash = game & mirror_played & (score + other != 100)
    rows = cells.assign(other=cells["m_result"].where(cells["m_result"] != "", "no result"))
    select = {
        "G109": ~result.isin(CODES),
        "G101": named & me,
        "G102": named & ~cells["there"] & result.isin(CODES) & ~me,
        "G103": played & named & cells["there"] & ~cells["mutual"],
        "G104": clash & (result == cells["m_result"]) & first,
        "G105": (clash & (result != cells["m_result"]) & first) | (game & ~mirror_played),
        "G106": game & mirror_played & colour & (cells["colour"] == cells["m_colour"]) & first,
        "G107": game & mirror_played & ~colour,
        "G108": played & ~named & colour,
    }
    asked = {code: mask for code, mask in select.items() if colours or code not in OF_COLOURS}
    return [findings.of(code, rows[mask.to_numpy(bool)]) for code, mask in asked.items()]


def _pair(cells: pd.DataFrame) -> pd.DataFrame:
    """One row a game (from White's cell, or the lower number's if colours are not opposite) or one-sided cell."""
    pair = cells["mutual"] & ~cells["self"]
    opposite = cells["colour"].notna() & cells["m_colour"].notna() & (cells["colour"] != cells["m_colour"])
    lower = (cells["start_no"] < cells["m_start_no"].fillna(0)).to_numpy(bool)
    lead = np.where(opposite, cells["colour"] == "w", lower)
    rows = cells[~pair | lead]
    pair, result, other = pair[rows.index], rows["result"], rows["m_result"]
    either = {code: result.isin(codes) | (pair & other.isin(codes)) for code, codes in _CLASSES.items()}
    played = pair & result.isin(PLAYED) & other.isin(PLAYED)
    elsewhere = rows["declared"]  # what the report says of an empty cell in another record
    reason = np.select(
        [
            *(rows["excluded"], played, either["forfeit"] | elsewhere.isin(FORFEIT)),
            *(either["less_than_one_move"], either["unfinished"], result.isin(NOTHING) & elsewhere.isna()),
        ],
        ["exclusion", "", "forfeit", "less_than_one_move", "unfinished", "absent"],
        "bye",
    )
    return rows.assign(
        white_no=rows["start_no"],
        black_no=rows["m_start_no"].where(pair),
        white_id=rows["player_id"],
        black_id=rows["m_player_id"].where(pair),
        white_c=result.map(SCORE_C),
        reason=pd.Series(reason, index=rows.index, dtype="str").replace("", None),
        played=played,
        white_line=rows["line"],
        black_line=rows["m_line"].where(pair),
    )


_CLASSES = {"forfeit": FORFEIT, "less_than_one_move": SHORT, "unfinished": UNFINISHED}


def unknown_exclusions(exclusions: pd.DataFrame, known: pd.Index) -> pd.DataFrame:
    """G201 for exclusions of a tournament that is not among the `known`: a slip must not leave a game in unsaid."""
    return findings.of("G201", exclusions[~exclusions["tournament_id"].isin(known)], file="exclusions.csv")


def notes(games: pd.DataFrame, already: pd.DataFrame, exclusions: pd.DataFrame) -> pd.DataFrame:
    """G301 to G307: a note for each game, bye or empty cell that is not rated, and for each round rated already."""
    no = games["white_no"].astype("str"), games["black_no"].astype("str").fillna("-")
    rows = games.assign(
        white=games["white_id"].fillna("no. " + no[0]),
        black=games["black_id"].fillna("no. " + no[1]).where(games["black_no"].notna(), "-"),
        line=games["white_line"],
        player_id=games["white_id"],
    )
    why = exclusions.groupby("tournament_id")["reason"].agg(lambda reasons: " / ".join(dict.fromkeys(reasons)))
    rows["why"] = rows["tournament_id"].map(why)
    codes = {"forfeit": "G301", "bye": "G302", "absent": "G303", "less_than_one_move": "G304", "exclusion": "G305"}
    codes["unfinished"] = "G307"
    found = [findings.of(code, rows[rows["reason"] == reason]) for reason, code in codes.items()]
    skipped = games[games["reason"] == "already_rated"].groupby([*KEY, "round", "file"]).size().rename("games")
    seen = already.merge(skipped.reset_index(), on=[*KEY, "round"])
    return findings.join([*found, findings.of("G306", seen)])
