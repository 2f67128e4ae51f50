"""differences: D before and after the limits, and the expected score, by the book of the tournament's start (8.3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from ratingrun import formulas
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import Apart, Curve
from ratingrun.stages.reports import KEY


def limited(rows: pd.DataFrame, rated: np.ndarray, books: Mapping[str, RuleBook], r: np.ndarray) -> np.ndarray:
    """D of each rated side after the book's limit; `r` is the rating that decides whether the limit holds.

    `rows` have `book_at`, the position of their book in `books`.
    """
    d = np.zeros(len(rows), "int64")
    for book, here in _by_book(rows, books):
        here = rated & here
        d[here] = by_book(rows, here, book, r[here])
    return d


def _by_book(rows: pd.DataFrame, books: Mapping[str, RuleBook]) -> Iterator[tuple[RuleBook, np.ndarray]]:
    """The books that have rows, and where these stand."""
    at = rows["book_at"].to_numpy()
    counts = np.bincount(at, minlength=len(books))
    for number, book in enumerate(books.values()):
        if counts[number]:
            yield book, np.ones(len(at), bool) if counts[number] == len(at) else at == number


def by_book(rows: pd.DataFrame, here: np.ndarray, book: RuleBook, r: np.ndarray) -> np.ndarray:
    """D of rated sides, those `here`, after the limit of one book: of each game, or of the one with the greatest
    difference. `r` are their ratings that decide whether the limit holds."""
    rules = book.game
    each_game = book.expected.opponent.value == "each_game"
    greatest = rules.difference_kind.value == "greatest_of_event"
    r_opp = rows["r_opp"].to_numpy("int64")[here]
    if greatest or not each_game:
        player = rows[here].groupby(["player_id", *KEY], sort=False).ngroup().to_numpy()
        r_opp = r_opp if each_game else _average(r_opp, player)
    d = rows["r"].to_numpy("int64")[here] - r_opp
    capped = formulas.limited_difference(d, r, rules.max_difference.value, rules.max_difference_below.value)
    if greatest:
        return np.where(formulas.greatest(d, player, rows["round"].to_numpy()[here]), capped, d)
    return capped


def _average(r_opp: np.ndarray, player: np.ndarray) -> np.ndarray:
    """The average rating of the event's opponents, against which each game of a player is expected."""
    sums = pd.Series(r_opp).groupby(player)
    return formulas.divide_half_up(sums.transform("sum").to_numpy("int64"), sums.transform("size").to_numpy("int64"))


def expected(rows: pd.DataFrame, rated: np.ndarray, books: Mapping[str, RuleBook], scale: int) -> np.ndarray:
    """Expected score of each rated side for its `d`, in parts of a point: `scale`, a multiple of each book's own."""
    found = np.zeros(len(rows), "int64")
    d = rows["d"].to_numpy("int64")
    for book, here in _by_book(rows, books):
        here, rules = rated & here, book.expected
        if isinstance(rules, Curve):
            share = formulas.curve_probability(d[here], rules.parts.value, rules.odds.value, rules.spread.value)
        else:
            share = formulas.scoring_probability_c(d[here], *book.pd_table)
        found[here] = share * (scale // book.scale)
    return found


def too_far_apart(rows: pd.DataFrame, books: Mapping[str, RuleBook]) -> np.ndarray:
    """Games that are not rated for the distance of the two ratings of the start, the true difference."""
    far = np.zeros(len(rows), bool)
    r, r_opp = rows["r_start"].to_numpy("int64"), rows["r_opp"].to_numpy("int64")
    for book, here in _by_book(rows, books):
        rules = book.game.too_far_apart
        if isinstance(rules, Apart):
            wide = np.abs(r - r_opp) >= rules.difference_from.value
            high = np.maximum(r, r_opp) > rules.rated_above.value
            far |= here & wide & high & (np.minimum(r, r_opp) > 0)
    return far
