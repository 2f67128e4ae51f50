"""sides: games + lists -> sides. Each played game seen from each player: rated, pooled or neither, and why."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import findings, formulas
from ratingrun.frames import SIDES
from ratingrun.rulebooks import RuleBook
from ratingrun.stages import clocks, differences
from ratingrun.stages.lists import Lists
from ratingrun.stages.reports import KEY

POINTS_C = {"1": 100, "+": 100, "W": 100, "=": 50, "D": 50}  # what a cell adds to a match score (6.2)
FACTS = ["rating_type", "start", "end", "system", "time_control", "match_games", "approvals", "list_in_force", "book"]


def build(
    tournaments: pd.DataFrame,
    results: pd.DataFrame,
    games: pd.DataFrame,
    lists: Lists,
    prior: pd.DataFrame,
    left: pd.Index,
    books: Mapping[str, RuleBook],
    book: RuleBook,
    seeds: Lists | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`sides` of the played games, and findings (a note for each side that is not rated, or by a special rule).

    `lists` are the lists in force at the starts, `prior` the list just before (both corrected), `left` the ids that
    left the list before it. `books` (by id) decide by the tournament's start, `book` by the list date. `seeds`, where
    the book takes ratings from another list, are the ratings (of all players who have one) by tournament start.
    """
    rows = _both_sides(games[games["played"]]).merge(tournaments[[*KEY, *FACTS]], on=KEY, validate="m:1")
    who, ids = pd.factorize(rows["player_id"])  # each id is looked up once; an opponent is a player of the other side
    opponent = ids.get_indexer(rows["opponent_id"])
    rows["r_start"], rows["seeded"] = _ratings(rows, lists, seeds, who, ids)
    rows["r_opp"], _ = _ratings(rows, lists, seeds, opponent, ids)
    rows["r_prior"] = _lookup(prior, ids)[who]
    rows["decided"] = _decided(rows, results)
    found = [_classify(rows, left, books, book)]
    _calculate(rows, books, book)
    found.append(_notes(rows))
    return SIDES.build(rows), findings.join(found)


def _both_sides(games: pd.DataFrame) -> pd.DataFrame:
    common = ["tournament_id", "part", "round", "file"]
    names = ["player_id", "opponent_id", "score_c", "line"]
    white = games[[*common, "white_id", "black_id", "white_c", "white_line"]].set_axis([*common, *names], axis=1)
    black = games[[*common, "black_id", "white_id", "white_c", "black_line"]].set_axis([*common, *names], axis=1)
    black["score_c"] = formulas.POINT - black["score_c"]
    return pd.concat([white.assign(colour="w"), black.assign(colour="b")], ignore_index=True)


def _lookup(rating_list: pd.DataFrame, ids: pd.Index) -> np.ndarray:
    """Ratings of `ids` on a list, 0 for the unrated and for who is not on it."""
    place = pd.Index(rating_list["player_id"]).get_indexer(ids)
    ratings = np.append(rating_list["rating"].fillna(0).to_numpy("int64"), 0)
    return ratings[place]


def _ratings(
    rows: pd.DataFrame, lists: Lists, seeds: Lists | None, who: np.ndarray, ids: pd.Index
) -> tuple[np.ndarray, np.ndarray]:
    """Ratings on the list in force at the start of each row's event, 0 for the unrated; and which come from `seeds`.

    `who` says whose: positions in `ids`.
    """
    ratings = np.zeros(len(rows), "int64")
    for day in rows["list_in_force"].drop_duplicates():
        here = (rows["list_in_force"] == day).to_numpy()
        ratings[here] = _lookup(lists[day.date()], ids)[who[here]]
    other = np.zeros(len(rows), "int64")
    for day in rows["start"].drop_duplicates() if seeds else ():
        if day.date() not in seeds:
            continue
        here = (rows["start"] == day).to_numpy()
        other[here] = _lookup(seeds[day.date()], ids)[who[here]]
    seeded = (ratings == 0) & (other > 0)
    return np.where(seeded, other, ratings), seeded


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
    bad_clock, found = clocks.check(rows, books)
    unrated_match, decided = _match_rules(rows, books)
    far = differences.too_far_apart(rows, books)
    gone = rows["player_id"].isin(left).to_numpy() & (prior == 0)
    pooled_when_fallen = book.period.rated_at_start_only.value == "pool"
    cases = [
        (bad_clock, "none", "time_control"),
        (unrated_match, "none", "match_unrated"),
        (decided, "none", "match_decided"),
        (opponent == 0, "none", "opponent_unrated"),
        (far, "none", "too_far_apart"),
        (gone, "none", "left_list"),
        ((start > 0) & (prior > 0), "rated", None),
        ((start == 0) & (prior > 0), "rated", "one_sided"),
        (rows["seeded"].to_numpy(), "rated", "seeded"),
        (start > 0, "pool" if pooled_when_fallen else "none", "rated_at_start_only"),
    ]
    rows["outcome"] = np.select([case[0] for case in cases], [case[1] for case in cases], "pool")
    reason = np.select([case[0] for case in cases], [case[2] or "" for case in cases], "")
    rows["reason"] = pd.Series(reason, index=rows.index, dtype="str").replace("", None)
    rows["r"] = np.where(rows["reason"] == "one_sided", prior, start)
    later = {
        "period.one_sided_rating": (rows["reason"] == "one_sided").sum(),
        "period.rated_at_start_only": (rows["reason"] == "rated_at_start_only").sum(),
    }
    found.append(_rests_on(rows, books, "match.decided", decided))
    found += [findings.rests_on(book, key, count) for key, count in later.items()]
    return findings.join([*found, _limits(rows, books, book)])


def _limits(rows: pd.DataFrame, books: Mapping[str, RuleBook], book: RuleBook) -> pd.DataFrame:
    """Sets d; returns B301 notes on whose rating and which day's book decided it."""
    rated = (rows["outcome"] == "rated").to_numpy()
    r, prior = rows["r"].to_numpy("int64"), rows["r_prior"].to_numpy("int64")
    rows["d"] = differences.limited(rows, rated, books, r)
    today = np.zeros_like(r)
    today[rated] = differences.by_book(rows[rated], book, r[rated])
    counts = {
        "game.effective_by": rated & (rows["d"].to_numpy() != today),
        "game.own_rating": rated & (rows["d"].to_numpy() != differences.limited(rows, rated, books, prior)),
    }
    return findings.join(_rests_on(rows, books, key, mask) for key, mask in counts.items())


def _rests_on(rows: pd.DataFrame, books: Mapping[str, RuleBook], key: str, mask: np.ndarray) -> pd.DataFrame:
    """B301 for each book of a tournament's start by which one of these sides was decided."""
    counts = rows.loc[mask, "book"].value_counts().sort_index()
    return findings.join(findings.rests_on(books[name], key, count) for name, count in counts.items())


def _match_rules(rows: pd.DataFrame, books: Mapping[str, RuleBook]) -> tuple[np.ndarray, np.ndarray]:
    match = (rows["system"] == "match").to_numpy()
    refuse = {name: book.match.with_unrated.value == "not_rated" for name, book in books.items()}
    stop = {name: book.match.decided.value == "more_than_half" for name, book in books.items()}
    refuse, stop = (rows["book"].map(said).astype(bool) for said in (refuse, stop))
    unrated = (rows["r_start"] == 0) | (rows["r_opp"] == 0)
    return match & (unrated & refuse).to_numpy(bool), match & (rows["decided"] & stop).to_numpy(bool)


def _calculate(rows: pd.DataFrame, books: Mapping[str, RuleBook], book: RuleBook) -> None:
    """Sets d_true, d, pd_c, dr_c and scale of the rated sides, and makes ratings of the unrated null.

    One scale for the whole month, so that sums are exact: the finest of its books.
    """
    rated = (rows["outcome"] == "rated").to_numpy()
    r, r_opp = rows["r"].to_numpy("int64"), rows["r_opp"].to_numpy("int64")
    scale = max(book.scale, *(books[name].scale for name in rows["book"].drop_duplicates()), formulas.POINT)
    pd_c = differences.expected(rows, rated, books, scale)
    dr_c = rows["score_c"].to_numpy("int64") * (scale // formulas.POINT) - pd_c
    columns = {"d_true": r - r_opp, "d": rows["d"].to_numpy(), "pd_c": pd_c, "dr_c": dr_c, "scale": scale + 0 * r}
    for column, value in columns.items():
        rows[column] = pd.arrays.IntegerArray(value, ~rated)
    rows["r"] = pd.arrays.IntegerArray(r, r == 0)
    rows["r_opp"] = pd.arrays.IntegerArray(r_opp, r_opp == 0)


def _notes(rows: pd.DataFrame) -> pd.DataFrame:
    reason, clock = rows["reason"].fillna(""), rows["clock"].where(rows["reason"] == "time_control", "")
    codes = {
        "S301": reason == "opponent_unrated",
        "S302": clock == "short",
        "S303": reason == "match_unrated",
        "S304": reason == "match_decided",
        "S305": reason == "one_sided",
        "S306": reason == "rated_at_start_only",
        "S307": reason == "left_list",
        "S310": clock == "unequal",
        "S311": clock == "outside",
        "S312": reason == "too_far_apart",
    }
    found = [findings.of(code, rows[mask]) for code, mask in codes.items()]
    control = rows[clock == "control"].drop(columns="needed").rename(columns={"needed_moves": "needed"})
    seeded = rows[reason == "seeded"].drop_duplicates(["player_id", *KEY])
    return findings.join([*found, findings.of("S308", control), findings.of("S309", seeded)])


def seeds(rows: pd.DataFrame) -> pd.DataFrame:
    """The players who enter the list with a rating of another list: player_id, rating, start of their first event.

    Of several events of the period the first by first day and id gives the base (A12).
    """
    seeded = rows[rows["reason"] == "seeded"].sort_values(["start", "tournament_id", "part"], kind="stable")
    first = seeded.drop_duplicates("player_id")[["player_id", "r", "start", "tournament_id"]]
    return first.rename(columns={"r": "rating"}).sort_values("player_id", ignore_index=True)
