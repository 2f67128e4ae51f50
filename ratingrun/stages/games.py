"""games: results -> games. Two half-records become one game: played, or the reason why not.

A game is played only if both rows name each other in the same round, with opposite colours and results that add up to
one point. Every other cell is unplayed, with a reason, or a contradiction, for which the report is rejected.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import coded, findings
from ratingrun.frames import GAMES
from ratingrun.stages import codes
from ratingrun.stages.reports import KEY, PLAYED, located, own_rounds

FORFEIT, SHORT, BYE, NOTHING = ("+", "-"), ("W", "D", "L"), ("H", "F", "U", "Z"), ("",)
UNFINISHED = ("*",)
CODES = (*PLAYED, *FORFEIT, *SHORT, *BYE, *UNFINISHED, *NOTHING)
SCORE_C = {"1": 100, "=": 50, "0": 0}
COLOURS = ("w", "b")
OF_COLOURS = ("G106", "G107")
BESIDE = ("white_who", "black_who", "white_cell", "black_cell")


def build(
    tournaments: pd.DataFrame,
    entries: pd.DataFrame,
    results: pd.DataFrame,
    exclusions: pd.DataFrame,
    already: pd.DataFrame,
    ids: pd.Series | None = None,
    colours: bool = True,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`games` of the used tournaments, and findings: G1xx contradictions, G201 exclusions that match nothing.

    Entries, results and `ids` as `reports.located`, or as reported. Beside the games stand `at`, white_who, black_who,
    and the rows of `results`, white_cell and black_cell (-1: none). `already` (tournament_id, part, round) are rounds
    that were rated before. Parts with a G1xx finding are rejected: the caller drops their games. Where `colours` do not
    count, G106 and G107 are not asked.
    """
    if "entry" not in results:
        entries, results, ids = located(entries, results, tournaments)
    cells = _Cells(*own_rounds(results, tournaments), entries, ids)
    excluded, found = _excluded(cells, exclusions, tournaments)
    faults, faulty = _contradictions(cells, excluded, len(tournaments), colours)
    games = _pair(cells, excluded, ~faulty[cells.part])
    if len(already):
        seen, rounds = codes.joint((games["at"], codes.part(already, tournaments)), (games["round"], already["round"]))
        done = codes.find(seen, np.unique(rounds)) >= 0
        again = done & games["reason"].isna().to_numpy()
        games["reason"] = games["reason"].astype("str").mask(again, "already_rated")
    played = games["reason"].isna().to_numpy()
    games["white_c"] = _or_none(games["white_c"].to_numpy("int64", na_value=0), played)
    games["played"] = played
    return GAMES.build(games, keep=("at", *BESIDE)), findings.join([faults, found])


class _Cells:
    """The cells of the used parts as whole numbers, each with the cell of its opponent in the same round.

    `rows`: the cells as reported; `of`: which rows of all results they are; `part`: the position of the part; `entry`:
    that of the player's entry; `result` and `colour`: positions in CODES and COLOURS, -1 for any other; `mirror`: the
    row of the opponent's cell, -1 if the opponent is not in the file; `mutual`: the opponent's cell points back. Of
    that cell are `other`, the result, and `theirs`, the colour, -1 without one; `first`: one's number is the lower.
    """

    def __init__(self, rows: pd.DataFrame, of: np.ndarray, entries: pd.DataFrame, ids: pd.Series):
        self.rows, self.of, self.ids = rows, of, coded.dtype_of(ids)
        self._who = np.append(entries["who"].to_numpy(), codes.NONE)
        self.part, self.entry = rows["at"].to_numpy(), rows["entry"].to_numpy()
        self.number = rows["start_no"].to_numpy()
        self.opponent = rows["opponent_no"].to_numpy("int64", na_value=0)
        self.result, self.colour = _place(rows["result"], CODES), _place(rows["colour"], COLOURS)
        number, rival = rows["round"].to_numpy(), rows["rival"].to_numpy()
        mine, his = codes.joint((self.entry, rival), (number, number))
        self.mirror = np.where(rival >= 0, codes.match(his, mine), codes.NONE)
        self.named, self.there = self.opponent > 0, self.mirror >= 0
        self.itself = self.named & (self.opponent == self.number)
        self.mutual = self.there & (self.opponent[self.mirror] == self.number)
        self.other, self.theirs = (codes.at(values, self.mirror) for values in (self.result, self.colour))
        self.first = self.there & (self.number < self.number[self.mirror])

    def who(self, cells: np.ndarray) -> np.ndarray:
        """The players of these cells (positions; -1: none)."""
        return self._who[np.where(cells >= 0, self.entry[cells], codes.NONE)]

    def player(self, who: np.ndarray) -> pd.Series:
        """The ids of players."""
        return coded.column(who, self.ids)


def _place(values: pd.Series, known: tuple[str, ...]) -> np.ndarray:
    """The position of each word among those few, -1 of any other."""
    return codes.place(values, pd.Series(known, dtype="str")).astype("int8")


def _among(result: np.ndarray, some: tuple[str, ...]) -> np.ndarray:
    """Whether each result code is one of some results."""
    table = np.array([*(code in some for code in CODES), False])
    return table[result]


def _excluded(cells: _Cells, exclusions: pd.DataFrame, tournaments: pd.DataFrame) -> tuple[np.ndarray, pd.DataFrame]:
    """Which cells are taken out by decision, those that name an excluded player as opponent among them; G201."""
    ours = exclusions[exclusions["tournament_id"].isin(tournaments["tournament_id"])]
    if not len(ours):
        return np.zeros(len(cells.rows), bool), findings.none()
    at = np.flatnonzero(codes.isin(cells.rows["tournament_id"], ours["tournament_id"]))
    touched = cells.rows.take(at).assign(cell=at)
    touched["player_id"] = cells.player(cells.who(at)).astype("str").array
    touched["m_player_id"] = cells.player(cells.who(cells.mirror[at])).astype("str").array
    pairs = touched.merge(exclusions, on="tournament_id", suffixes=("", "_x"))
    hit = pairs["round_x"].isna() | (pairs["round_x"] == pairs["round"])
    for_player = pairs["player_id_x"].isna() | (pairs["player_id_x"] == pairs["player_id"])
    for_player |= pairs["player_id_x"] == pairs["m_player_id"]
    hits = pairs[(hit.fillna(False) & for_player).to_numpy(bool)]
    judged = ours["tournament_id"].isin(touched["tournament_id"])
    idle = ours[judged & ~ours["line"].isin(hits["line_x"])]
    excluded = np.zeros(len(cells.rows), bool)
    excluded[hits["cell"].to_numpy("int64")] = True
    return excluded, findings.of("G201", idle, file="exclusions.csv")


def _contradictions(cells: _Cells, excluded: np.ndarray, parts: int, colours: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Findings G101 to G109, one for each contradiction, a pair that contradicts itself named once; and which parts
    have one."""
    result, other = cells.result, cells.other
    played, also = _among(result, PLAYED), _among(other, PLAYED)
    named, me, mutual, first = cells.named, cells.itself, cells.mutual & ~cells.itself, cells.first
    game = played & named & mutual
    score = np.array([*(SCORE_C.get(code, 0) for code in CODES), 0])
    clash = game & also & (score[result] + score[other] != 100)
    colour, theirs = cells.colour, cells.theirs
    select = {
        "G109": result < 0,
        "G101": named & me,
        "G102": named & ~cells.there & (result >= 0) & ~me,
        "G103": played & named & cells.there & ~cells.mutual,
        "G104": clash & (result == other) & first,
        "G105": (clash & (result != other) & first) | (game & ~also),
        "G106": game & also & (colour >= 0) & (colour == theirs) & first,
        "G107": game & also & (colour < 0),
        "G108": played & ~named & (colour >= 0),
    }
    found, faulty = [], np.zeros(parts, bool)
    for code, mask in select.items():
        at = np.flatnonzero(mask & ~excluded)
        if len(at) and (colours or code not in OF_COLOURS):
            faulty[cells.part[at]] = True
            written = codes.take(cells.rows["result"], cells.mirror[at]).astype("str")
            rows = cells.rows.take(at).assign(player_id=cells.player(cells.who(at)).array)
            rows["other"] = written.where(written != "", "no result").array
            found.append(findings.of(code, rows))
    return findings.join(found), faulty


def _pair(cells: _Cells, excluded: np.ndarray, kept: np.ndarray) -> pd.DataFrame:
    """One row a game (from White's cell, or the lower number's if colours are not opposite) or one-sided cell."""
    pair = cells.mutual & ~cells.itself
    colour, theirs = cells.colour, cells.theirs
    lead = np.where((colour >= 0) & (theirs >= 0) & (colour != theirs), colour == 0, cells.first)
    at = np.flatnonzero(kept & (~pair | lead))
    black = np.where(pair[at], cells.opponent[at], cells.opponent.max(initial=0) + 1)  # nobody comes last
    number = cells.rows["round"].to_numpy()[at]
    order = codes.joint((cells.part[at],), (number,), (cells.number[at],), (black,))[0]
    at = at[np.argsort(order, kind="stable")]
    pair, mirror = pair[at], np.where(pair[at], cells.mirror[at], codes.NONE)
    result, other = cells.result[at], codes.at(cells.result, mirror)
    played = pair & _among(result, PLAYED) & _among(other, PLAYED)
    either = {name: _among(result, some) | _among(other, some) for name, some in _CLASSES.items()}
    declared = cells.rows["declared"].take(at)  # what the report says of an empty cell in another record
    said = declared.notna().to_numpy()
    cases = {
        "exclusion": excluded[at],
        "": played,
        "forfeit": either["forfeit"] | declared.isin(FORFEIT).to_numpy(bool),
        "less_than_one_move": either["less_than_one_move"],
        "unfinished": either["unfinished"],
        "absent": _among(result, NOTHING) & ~said,
    }
    reason = np.select(list(cases.values()), range(len(cases)), len(cases))
    score = np.array([*(SCORE_C.get(code, codes.NONE) for code in CODES), codes.NONE])[result]
    rows = cells.rows.take(at).reset_index(drop=True)
    white, black = cells.who(at), cells.who(mirror)
    return rows[[*KEY, "round", "file"]].assign(
        white_no=cells.number[at],
        black_no=_or_none(cells.number[mirror], pair),
        white_id=cells.player(white),
        black_id=cells.player(black),
        at=codes.carried(cells.part[at]),
        white_who=codes.carried(white),
        black_who=codes.carried(black),
        white_cell=codes.carried(cells.of[at]),
        black_cell=codes.carried(codes.at(cells.of, mirror)),
        white_c=_or_none(score, score >= 0),
        reason=codes.words([*cases, "bye"], reason),
        white_line=rows["line"],
        black_line=_or_none(cells.rows["line"].to_numpy()[mirror], pair),
    )


def _or_none(values: np.ndarray, there: np.ndarray) -> pd.arrays.IntegerArray:
    return codes.narrow(values, ~there)


_CLASSES = {"forfeit": FORFEIT, "less_than_one_move": SHORT, "unfinished": UNFINISHED}


def unknown_exclusions(exclusions: pd.DataFrame, known: pd.Series) -> pd.DataFrame:
    """G201 for exclusions of a tournament that is not among the `known`: a slip must not leave a game in unsaid."""
    rows = exclusions[~codes.isin(exclusions["tournament_id"], known)]
    return findings.of("G201", rows, file="exclusions.csv")


def notes(games: pd.DataFrame, already: pd.DataFrame, exclusions: pd.DataFrame) -> pd.DataFrame:
    """G301 to G307: a note for each game, bye or empty cell that is not rated, and for each round rated already."""
    skipped = games[(games["reason"] == "already_rated").to_numpy(bool)]
    games = games[~games["played"].to_numpy()]
    no = games["white_no"].astype("str"), games["black_no"].astype("str").fillna("-")
    rows = games.assign(
        white=games["white_id"].astype("str").fillna("no. " + no[0]),
        black=games["black_id"].astype("str").fillna("no. " + no[1]).where(games["black_no"].notna(), "-"),
        line=games["white_line"],
        player_id=games["white_id"],
    )
    why = exclusions.groupby("tournament_id")["reason"].agg(lambda reasons: " / ".join(dict.fromkeys(reasons)))
    rows["why"] = rows["tournament_id"].map(why)
    codes = {"forfeit": "G301", "bye": "G302", "absent": "G303", "less_than_one_move": "G304", "exclusion": "G305"}
    codes["unfinished"] = "G307"
    found = [findings.of(code, rows[(rows["reason"] == reason).to_numpy(bool)]) for reason, code in codes.items()]
    skipped = skipped.groupby([*KEY, "round", "file"], observed=True).size().rename("games")
    seen = already.merge(skipped.reset_index(), on=[*KEY, "round"])
    return findings.join([*found, findings.of("G306", seen)])
