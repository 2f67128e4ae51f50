"""differences: D before and after the limits, and the expected score, by the book of the tournament's start (8.3.1)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import formulas
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import Apart, Curve
from ratingrun.stages.reports import KEY


def limited(rows: pd.DataFrame, rated: np.ndarray, books: Mapping[str, RuleBook], r: np.ndarray) -> np.ndarray:
    """D of each rated side after the book's limit; `r` is the rating that decides whether the limit holds."""
    d = np.zeros(len(rows), "int64")
    for name in rows["book"].drop_duplicates():
        here = rated & (rows["book"] == name).to_numpy()
        d[here] = by_book(rows[here], books[name], r[here])
    return d


def by_book(rows: pd.DataFrame, book: RuleBook, r: np.ndarray) -> np.ndarray:
    """D of rated sides after the limit of one book: of each game, or of the one with the greatest difference."""
    rules = book.game
    player = rows.groupby(["player_id", *KEY], sort=False).ngroup().to_numpy()
    d = rows["r"].to_numpy("int64") - _opponents(rows, player, book)
    capped = formulas.limited_difference(d, r, rules.max_difference.value, rules.max_difference_below.value)
    if rules.difference_kind.value == "greatest_of_event":
        return np.where(formulas.greatest(d, player, rows["round"].to_numpy()), capped, d)
    return capped


def _opponents(rows: pd.DataFrame, player: np.ndarray, book: RuleBook) -> np.ndarray:
    """The rating against which a game is expected: the opponent's, or the average of the event's opponents."""
    r_opp = rows["r_opp"].to_numpy("int64")
    if book.expected.opponent.value == "each_game":
        return r_opp
    sums = pd.Series(r_opp).groupby(player)
    return formulas.divide_half_up(sums.transform("sum").to_numpy("int64"), sums.transform("size").to_numpy("int64"))


def expected(rows: pd.DataFrame, rated: np.ndarray, books: Mapping[str, RuleBook], scale: int) -> np.ndarray:
    """Expected score of each rated side for its `d`, in parts of a point: `scale`, a multiple of each book's own."""
    found = np.zeros(len(rows), "int64")
    d = rows["d"].to_numpy("int64")
    for name in rows["book"].drop_duplicates():
        here, book = rated & (rows["book"] == name).to_numpy(), books[name]
        rules = book.expected
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
    for name in rows["book"].drop_duplicates():
        rules = books[name].game.too_far_apart
        if isinstance(rules, Apart):
            wide = np.abs(r - r_opp) >= rules.difference_from.value
            high = np.maximum(r, r_opp) > rules.rated_above.value
            far |= (rows["book"] == name).to_numpy() & wide & high & (np.minimum(r, r_opp) > 0)
    return far
