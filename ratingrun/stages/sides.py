"""sides: games + lists -> sides. Each played game seen from each player: rated, pooled or neither, and why."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import findings, formulas, time_control
from ratingrun.frames import SIDES
from ratingrun.rulebooks import RuleBook
from ratingrun.stages.lists import Lists
from ratingrun.stages.reports import KEY

POINTS_C = {"1": 100, "+": 100, "W": 100, "=": 50, "D": 50}  # what a cell adds to a match score (6.2)
FACTS = ["start", "end", "system", "time_control", "match_games", "approvals", "list_in_force", "book"]


def build(
    tournaments: pd.DataFrame,
    results: pd.DataFrame,
    games: pd.DataFrame,
    lists: Lists,
    prior: pd.DataFrame,
    left: pd.Index,
    books: Mapping[str, RuleBook],
    book: RuleBook,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`sides` of the played games, and findings (a note for each side that is not rated, or by a special rule).

    `lists` are the lists in force at the starts, `prior` the list just before (both corrected), `left` the ids that
    left the list before it. `books` (by id) decide by the tournament's start, `book` by the list date.
    """
    rows = _both_sides(games[games["played"]]).merge(tournaments[[*KEY, *FACTS]], on=KEY, validate="m:1")
    rows["r_start"], rows["r_opp"] = _ratings(rows, lists, "player_id"), _ratings(rows, lists, "opponent_id")
    rows["r_prior"] = _lookup(prior, rows["player_id"])
    rows["decided"] = _decided(rows, results)
    found = [_classify(rows, left, books, book)]
    _calculate(rows, books)
    found.append(_notes(rows))
    return SIDES.build(rows), findings.join(found)


def _both_sides(games: pd.DataFrame) -> pd.DataFrame:
    common = ["tournament_id", "part", "round", "file"]
    names = ["player_id", "opponent_id", "score_c", "line"]
    white = games[[*common, "white_id", "black_id", "white_c", "white_line"]].set_axis([*common, *names], axis=1)
    black = games[[*common, "black_id", "white_id", "white_c", "black_line"]].set_axis([*common, *names], axis=1)
    black["score_c"] = formulas.POINT - black["score_c"]
    return pd.concat([white.assign(colour="w"), black.assign(colour="b")], ignore_index=True)


def _lookup(rating_list: pd.DataFrame, ids: pd.Series) -> np.ndarray:
    """Ratings of `ids` on a list, 0 for the unrated and for who is not on it."""
    place = pd.Index(rating_list["player_id"]).get_indexer(ids)
    ratings = np.append(rating_list["rating"].fillna(0).to_numpy("int64"), 0)
    return ratings[place]


def _ratings(rows: pd.DataFrame, lists: Lists, column: str) -> np.ndarray:
    """Ratings on the list in force at the start of each row's event, 0 for the unrated."""
    ratings = np.zeros(len(rows), "int64")
    for day in rows["list_in_force"].drop_duplicates():
        here = (rows["list_in_force"] == day).to_numpy()
        ratings[here] = _lookup(lists[day.date()], rows.loc[here, column])
    return ratings


def _decided(rows: pd.DataFrame, results: pd.DataFrame) -> np.ndarray:
    """Whether one player of a match of fixed length had more than half of its points before the round (6.2).

    All rounds of the report count, forfeits too. approvals=play_on waives the rule.
    """
    fixed = (rows["system"] == "match") & rows["match_games"].notna()
    fixed &= ~rows["approvals"].fillna("").str.contains(r"\bplay_on\b")
    if not fixed.any():
        return np.zeros(len(rows), bool)
    cells = results.merge(rows.loc[fixed, KEY].drop_duplicates(), on=KEY).sort_values("round", kind="stable")
    cells["points"] = cells["result"].map(POINTS_C).fillna(0).astype("int64")
    player = cells.groupby([*KEY, "start_no"])["points"]
    cells["before"] = player.cumsum() - cells["points"]
    best = cells.groupby([*KEY, "round"])["before"].max().rename("before").reset_index()
    ahead = rows[[*KEY, "round", "match_games"]].merge(best, on=[*KEY, "round"], how="left")["before"].fillna(0)
    half = rows["match_games"].fillna(0).to_numpy("int64") * (formulas.POINT // 2)
    return fixed.to_numpy() & (ahead.to_numpy("int64") > half)


def _classify(rows: pd.DataFrame, left: pd.Index, books: Mapping[str, RuleBook], book: RuleBook) -> pd.DataFrame:
    """Sets outcome, reason and r (0: none) of each side, the first rule that applies; returns B301 notes."""
    start, opponent, prior = (rows[name].to_numpy() for name in ("r_start", "r_opp", "r_prior"))
    too_short, found = _time(rows, books)
    unrated_match, decided = _match_rules(rows, books)
    gone = rows["player_id"].isin(left).to_numpy() & (prior == 0)
    fell = (start > 0) & (prior == 0)
    pooled_when_fallen = book.period.rated_at_start_only.value == "pool"
    cases = [
        (too_short, "none", "time_control"),
        (unrated_match, "none", "match_unrated"),
        (decided, "none", "match_decided"),
        (opponent == 0, "none", "opponent_unrated"),
        (gone, "none", "left_list"),
        ((start > 0) & (prior > 0), "rated", None),
        ((start == 0) & (prior > 0), "rated", "one_sided"),
        (fell, "pool" if pooled_when_fallen else "none", "rated_at_start_only"),
    ]
    rows["outcome"] = np.select([case[0] for case in cases], [case[1] for case in cases], "pool")
    reason = np.select([case[0] for case in cases], [case[2] or "" for case in cases], "")
    rows["reason"] = pd.Series(reason, index=rows.index, dtype="str").replace("", None)
    rows["r"] = np.where(rows["reason"] == "one_sided", prior, start)
    rated = (rows["outcome"] == "rated").to_numpy()
    d_true = rows["r"].to_numpy() - rows["r_opp"].to_numpy()
    now = _limited(d_true, rows["r"].to_numpy(), rows["book"], books)
    counts = {
        "match.decided": decided.sum(),
        "game.effective_by": (rated & (now != _one_book(d_true, rows["r"].to_numpy(), book))).sum(),
        "game.own_rating": (rated & (now != _limited(d_true, prior, rows["book"], books))).sum(),
    }
    later = {
        "period.one_sided_rating": (rows["reason"] == "one_sided").sum(),
        "period.rated_at_start_only": (rows["reason"] == "rated_at_start_only").sum(),
    }
    found += [findings.rests_on(_start_book(rows, books, book), key, count) for key, count in counts.items()]
    found += [findings.rests_on(book, key, count) for key, count in later.items()]
    return findings.join(found)


def _start_book(rows: pd.DataFrame, books: Mapping[str, RuleBook], book: RuleBook) -> RuleBook:
    return books[rows["book"].min()] if len(rows) else book


def _one_book(d_true: np.ndarray, r: np.ndarray, book: RuleBook) -> np.ndarray:
    """The differences after the 400-point rule of one book."""
    rules = book.game
    return formulas.limited_difference(d_true, r, rules.max_difference.value, rules.max_difference_below.value)


def _limited(d_true: np.ndarray, r: np.ndarray, names: pd.Series, books: Mapping[str, RuleBook]) -> np.ndarray:
    """The differences after the 400-point rule, each by the book of its tournament's start."""
    d = np.zeros_like(d_true)
    for name in names.drop_duplicates():
        here = (names == name).to_numpy()
        d[here] = _one_book(d_true[here], r[here], books[name])
    return d


def _match_rules(rows: pd.DataFrame, books: Mapping[str, RuleBook]) -> tuple[np.ndarray, np.ndarray]:
    match = (rows["system"] == "match").to_numpy()
    refuse = rows["book"].map({name: book.match.with_unrated.value == "not_rated" for name, book in books.items()})
    stop = rows["book"].map({name: book.match.decided.value == "more_than_half" for name, book in books.items()})
    unrated = (rows["r_start"] == 0) | (rows["r_opp"] == 0)
    refuse, stop = refuse.to_numpy(bool), stop.to_numpy(bool)
    return match & unrated.to_numpy(bool) & refuse, match & rows["decided"].to_numpy(bool) & stop


def _time(rows: pd.DataFrame, books: Mapping[str, RuleBook]) -> tuple[np.ndarray, list[pd.DataFrame]]:
    """Which games have too little time for the higher of the two ratings (1.1), or too short a first control (1.2).

    Sets minutes, needed, moves, needed_moves for the notes. Without a time control nothing is checked.
    """
    seconds, needed = np.zeros(len(rows), "int64"), np.zeros(len(rows), "int64")
    moves, needed_moves = np.zeros(len(rows), "int64"), np.zeros(len(rows), "int64")
    higher = np.maximum(rows["r_start"].to_numpy(), rows["r_opp"].to_numpy())
    granted, found = np.zeros(len(rows), bool), []
    for name, text in rows[["book", "time_control"]].dropna().drop_duplicates().itertuples(index=False):
        here = ((rows["book"] == name) & (rows["time_control"] == text)).to_numpy()
        rules = books[name].time_control
        control = time_control.parse(text, rules.moves.value)
        seconds[here] = control.seconds
        bands = [higher[here] >= band.rated_from for band in rules.bands]
        needed[here] = np.select(bands, [60 * band.minutes for band in rules.bands])
        approval = rules.approval.value
        if text.replace(" ", "") in rules.approved:
            granted |= here & rows["approvals"].fillna("").str.contains(rf"\b{approval}\b").to_numpy(bool)
        if control.first_moves is not None:
            moves[here], needed_moves[here] = control.first_moves, rules.first_control_moves.value
    checked = rows["time_control"].notna().to_numpy()
    unrated = checked & ((rows["r_start"] == 0) | (rows["r_opp"] == 0)).to_numpy()
    # Where the longest time is given anyway, nothing rests on the band of the unrated.
    unrated &= seconds < 60 * max(band.minutes for book in books.values() for band in book.time_control.bands)
    short, short_control = (seconds < needed) & ~granted, moves < needed_moves
    rows["minutes"], rows["needed"], rows["moves"], rows["needed_moves"] = (
        seconds // 60,
        needed // 60,
        moves,
        needed_moves,
    )
    rows["short_control"] = short_control & ~short
    for name in rows["book"].drop_duplicates():
        here = (rows["book"] == name).to_numpy()
        found.append(findings.rests_on(books[name], "time_control.unrated_player", (here & unrated).sum()))
        found.append(
            findings.rests_on(books[name], "time_control.approval", (here & granted & (seconds < needed)).sum())
        )
    return short | short_control, found


def _calculate(rows: pd.DataFrame, books: Mapping[str, RuleBook]) -> None:
    """Sets d_true, d, pd_c and dr_c of the rated sides, and makes ratings of the unrated null."""
    rated = (rows["outcome"] == "rated").to_numpy()
    r, r_opp = rows["r"].to_numpy("int64"), rows["r_opp"].to_numpy("int64")
    d_true = r - r_opp
    d, pd_c = _limited(d_true, r, rows["book"], books), np.zeros_like(d_true)
    for name in rows["book"].drop_duplicates():
        here = rated & (rows["book"] == name).to_numpy()
        pd_c[here] = formulas.scoring_probability_c(d[here], *books[name].pd_table)
    dr_c = rows["score_c"].to_numpy("int64") - pd_c
    for column, value in {"d_true": d_true, "d": d, "pd_c": pd_c, "dr_c": dr_c}.items():
        rows[column] = pd.arrays.IntegerArray(value, ~rated)
    rows["r"] = pd.arrays.IntegerArray(r, r == 0)
    rows["r_opp"] = pd.arrays.IntegerArray(r_opp, r_opp == 0)


def _notes(rows: pd.DataFrame) -> pd.DataFrame:
    reason, short = rows["reason"].fillna(""), rows["short_control"].to_numpy()
    one_sided = rows[reason == "one_sided"]
    codes = {
        "S301": reason == "opponent_unrated",
        "S302": (reason == "time_control") & ~short,
        "S303": reason == "match_unrated",
        "S304": reason == "match_decided",
        "S306": reason == "rated_at_start_only",
        "S307": reason == "left_list",
    }
    found = [findings.of(code, rows[mask]) for code, mask in codes.items()]
    found.append(findings.of("S305", one_sided))
    control = rows[(reason == "time_control") & short]
    found.append(findings.of("S308", control.drop(columns="needed").rename(columns={"needed_moves": "needed"})))
    return findings.join(found)
