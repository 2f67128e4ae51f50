"""Which K a list can show, by the rows of the rule book and what two lists say of a player (8.3.3).

The highest rating and the count of games are not in a list. So each condition of a row is certainly true, certainly
false, or open; a K is possible if a row that is not certainly false gives it and no row before is certainly true.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun.rulebooks import RuleBook

Condition = tuple[np.ndarray, np.ndarray]  # certainly true, certainly false


def possible(
    rows: pd.DataFrame, book: RuleBook, year_a: int, year_b: int, likely: bool = False
) -> dict[int, np.ndarray]:
    """For each K of the book, whether it can stand on list B for each row.

    `rows`: rating_a, rating_b, k_a, games_b (integers, 0 for none), birth_a, birth_b (0 unknown), listed_a (on list A
    at all). Years are those of the lists. `likely`: a junior with the junior K never reached the junior limit, which
    only who reached it within the first games and fell back has.
    """
    facts = _Facts(rows, book, year_a, year_b, likely)
    open_ = np.ones(len(rows), bool)
    found = {row.k: np.zeros(len(rows), bool) for row in book.k}
    for row in book.k:
        conditions = [facts.condition(name, limit) for name, limit in row.conditions.items()]
        certain = np.logical_and.reduce([np.ones(len(rows), bool), *(true for true, _ in conditions)])
        never = np.logical_or.reduce([np.zeros(len(rows), bool), *(false for _, false in conditions)])
        found[row.k] |= open_ & ~never
        open_ &= ~certain
    return found


class _Facts:
    """What the two lists say for certain of the conditions of K."""

    def __init__(self, rows: pd.DataFrame, book: RuleBook, year_a: int, year_b: int, likely: bool):
        self.rows, self.book, self.likely = rows, book, likely
        self.years = year_a, year_b
        self.rated_a = rows["rating_a"].to_numpy() > 0
        self.highest = np.maximum(rows["rating_a"].to_numpy(), rows["rating_b"].to_numpy())
        self.k_a = rows["k_a"].to_numpy()

    def condition(self, name: str, limit: int) -> Condition:
        tests = {
            "peak_from": self._peak_from,
            "peak_below": lambda limit: self._peak_from(limit)[::-1],
            "age_until": self._age_until,
            "games_below": self._games_below,
            "games_from": lambda limit: self._games_below(limit)[::-1],
        }
        return tests[name](limit)

    def _only(self, condition: str) -> int | None:
        """The K that a row with this condition gives, if no row without it gives the same."""
        having = {row.k for row in self.book.k if condition in row.conditions}
        others = {row.k for row in self.book.k if condition not in row.conditions}
        alone = having - others
        return next(iter(alone)) if len(alone) == 1 else None

    def _young(self, limit: int, which: int) -> np.ndarray:
        born = self.rows["birth_a" if which == 0 else "birth_b"].to_numpy()
        return (born > 0) & (self.years[which] - born <= limit)

    def _peak_from(self, limit: int) -> Condition:
        reached = self.highest >= limit
        top = self._only("peak_from")
        if top is not None and any(row.peak_from == limit for row in self.book.k):
            reached |= self.rated_a & (self.k_a == top)
            # On list A another K than the top one: not reached until then, so only this list could do it.
            return reached, ~reached & ((self.rated_a & (self.k_a > 0)) | ~self.rows["listed_a"].to_numpy())
        junior = next((row for row in self.book.k if row.peak_below == limit and row.age_until is not None), None)
        if junior is not None:
            # Young on list A and yet not the junior K: the junior limit was reached before.
            other = self.rated_a & (self.k_a > 0) & (self.k_a != junior.k)
            reached |= other & self._young(junior.age_until, 0)
            if self.likely:
                kept = self.rated_a & (self.k_a == junior.k) & self._young(junior.age_until, 0)
                return reached, ~reached & (kept | ~self.rows["listed_a"].to_numpy())
        return reached, ~reached & ~self.rows["listed_a"].to_numpy()

    def _age_until(self, limit: int) -> Condition:
        young = self._young(limit, 1)
        return young, ~young

    def _games_below(self, limit: int) -> Condition:
        games = self.rows["games_b"].to_numpy()
        new = next((row for row in self.book.k if row.games_below is not None), None)
        nothing = np.zeros(len(games), bool)
        if new is None:
            return nothing, games >= limit
        settled = self.rated_a & (self.k_a > 0) & (self.k_a != new.k) & ~self._top_a()
        junior = next((row for row in self.book.k if row.age_until is not None and row.k == new.k), None)
        unsure = self._young(junior.age_until, 0) if junior is not None else nothing
        was_new = self.rated_a & (self.k_a == new.k) & ~unsure
        first = ~self.rows["listed_a"].to_numpy() & (games < limit)
        return (was_new & (games == 0)) | first, settled | (games >= limit)

    def _top_a(self) -> np.ndarray:
        top = self._only("peak_from")
        return (self.k_a == top) if top is not None else np.zeros(len(self.k_a), bool)
