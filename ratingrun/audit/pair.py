"""Two consecutive lists joined: a row a player, the rule books of their dates, how far a rating can move."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import formulas, periods, rulebooks
from ratingrun.rulebooks import RuleBook

FIGURES = ("rating", "k", "games", "birth_year")


@dataclass(frozen=True)
class Pair:
    """Two lists joined: a row a player (see `join`), the rule books, and what the lists have at all."""

    rows: pd.DataFrame
    book: RuleBook
    earlier_books: tuple[RuleBook, ...]
    day_a: dt.date
    day_b: dt.date
    rating_type: str
    unrated_a: bool  # list A has players without a rating: who is not on it is new
    unrated_b: bool
    games_used: bool  # the games columns can be believed
    k_used: tuple[bool, bool]
    lift: Callable[[np.ndarray], np.ndarray] = lambda ratings: ratings


def join(
    a: pd.DataFrame, b: pd.DataFrame, period_a: str, period_b: str, rating_type: str, own: Path | None = None
) -> Pair:
    """Both lists by player: rating, k, games, birth_year (suffix _a, _b; integers, 0 for none), active_a, active_b,
    listed_a, listed_b, rated_a, rated_b, change, bound_c (hundredths), name."""
    day_a, day_b = periods.list_date(period_a), periods.list_date(period_b)
    parts = [
        _figures(one).add_suffix(f"_{side}").rename(columns={f"player_id_{side}": "player_id"})
        for one, side in ((a, "a"), (b, "b"))
    ]
    rows = parts[0].merge(parts[1], on="player_id", how="outer", validate="1:1", sort=True)
    for side in "ab":
        rows[f"listed_{side}"] = rows[f"name_{side}"].notna()
        for name in FIGURES:
            rows[f"{name}_{side}"] = rows[f"{name}_{side}"].fillna(0).astype("int64")
        rows[f"rated_{side}"] = rows[f"rating_{side}"] > 0
        rows[f"active_{side}"] = rows[f"active_{side}"].fillna(True).astype("bool")
    rows["name"] = rows["name_b"].fillna(rows["name_a"])
    rows["birth_year"] = rows["birth_year_b"].mask(rows["birth_year_b"] == 0, rows["birth_year_a"])
    both = rows["rated_a"] & rows["rated_b"]
    rows["change"] = (rows["rating_b"] - rows["rating_a"]).where(both, 0)
    chapter = rulebooks.chapter(rating_type, own)
    book = rulebooks.in_force(chapter.system, day_b, chapter.folder)
    moved = both & (rows["change"] != 0)
    idle = moved & (rows["games_b"] == 0)
    used = bool((rows["games_b"] > 0).any()) or not idle.any()
    pair = Pair(
        rows=rows,
        book=book,
        earlier_books=_start_books(chapter, book, day_b),
        day_a=day_a,
        day_b=day_b,
        rating_type=rating_type,
        unrated_a=bool((rows["listed_a"] & ~rows["rated_a"]).any()),
        unrated_b=bool((rows["listed_b"] & ~rows["rated_b"]).any()),
        games_used=used and bool(b["games"].notna().any()),
        k_used=(bool(a["k"].notna().any()), bool(b["k"].notna().any())),
        lift=_one_off(chapter, day_b),
    )
    rows["bound_c"] = bound_c(pair)
    return pair


def _figures(one: pd.DataFrame) -> pd.DataFrame:
    """The columns that are compared; `active` from the flag where the list has one."""
    active = one["active"].astype("boolean") if "active" in one else pd.Series(pd.NA, one.index, "boolean")
    if "flag" in one:
        flags = one["flag"].fillna("")
        flagged = flags.str.contains("i").astype("boolean")
        active = active.fillna(~flagged if flagged.any() else flagged.where(flagged))
    return one[["player_id", "name", *FIGURES]].assign(active=active)


def _start_books(chapter: rulebooks.Chapter, book: RuleBook, day: dt.date) -> tuple[RuleBook, ...]:
    """The books under which the tournaments of a list can have started: until its last late list."""
    back = ((book.period.late_lists.number or 0) + 1) * book.period.months.value
    first = periods.list_date(periods.shift(periods.of_date(day), -back))
    known = [one for one in rulebooks.books(*chapter) if one.from_ <= day]
    return tuple(
        one for one, after in zip(known, [*known[1:], None], strict=True) if after is None or after.from_ > first
    )


def _one_off(chapter: rulebooks.Chapter, day: dt.date) -> Callable[[np.ndarray], np.ndarray]:
    """What the one-off of the list's date makes of ratings, if there is one."""
    one = rulebooks.one_off(chapter, day)
    if one is None:
        return lambda ratings: ratings
    rules = one.transform
    below, share = rules.below.value, rules.share.value

    def lift(ratings: np.ndarray) -> np.ndarray:
        towards = ratings + formulas.divide_half_up(share * (below - ratings), formulas.POINT)
        return np.where(ratings < below, towards, ratings)

    return lift


def bound_c(pair: Pair) -> np.ndarray:
    """The most that a rating can move, in hundredths of a point: K used x n x the highest score - PD (8.3.1 to 8.3.3).

    That is 1 - PD at the limit of the difference, or a whole point where the limit does not hold for the player. K is
    the one of list A; where it is not known, the highest of the book.
    """
    rows = pair.rows
    most = max(row.k for row in pair.book.k)
    k = rows["k_a"].to_numpy().copy()
    if not pair.k_used[0] or pair.book.period.k_list.value != "prior":
        k = np.full(len(rows), most)
    k = np.where(k > 0, k, most)
    n = rows["games_b"].to_numpy()
    limit = pair.book.period.max_kn.number
    if limit is not None:
        k = formulas.reduced_k(k, np.maximum(n, 1), limit)
    highest = np.zeros(len(rows), "int64")
    for book in pair.earlier_books:
        highest = np.maximum(highest, share(book, rows["rating_a"].to_numpy()))
    return k * n * highest


def share(book: RuleBook, ratings: np.ndarray) -> np.ndarray:
    """The highest score - PD of one game, in hundredths, by the player's rating."""
    rules = book.game
    limit = rules.max_difference.value
    if book.scale != formulas.POINT or rules.difference_kind.value != "every_game":
        return np.full(len(ratings), formulas.POINT)
    capped = int(formulas.scoring_probability_c(np.array([limit]), *book.pd_table)[0])
    return np.where(ratings < rules.max_difference_below.value, capped, formulas.POINT)
