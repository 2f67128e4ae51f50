"""Matches of two players: who may play one, and how much it may give (net in 180 days and in three years)."""

from __future__ import annotations

import numpy as np

from ratingrun.uschess.books import Book

MATCH = "match"
PLAYERS, ESTABLISHED, APART = "match_players", "match_not_established", "match_too_far_apart"


class Ledger:
    """What matches gave so far, by the player's slot: (day, change)."""

    def __init__(self, slots: np.ndarray, days: np.ndarray, changes: np.ndarray):
        self.given: dict[int, list[tuple[float, float]]] = {}
        for slot, day, change in zip(slots.tolist(), days.tolist(), changes.tolist(), strict=True):
            self.add(slot, day, change)

    def add(self, slot: int, day: float, change: float) -> None:
        self.given.setdefault(slot, []).append((day, change))

    def room(self, slot: int, day: float, book: Book) -> tuple[float, float]:
        """The least and the greatest change that a match which ends on `day` may give."""
        rules = book.match
        low, high = -rules.most.value, rules.most.value
        spans = (
            (rules.short_days.value, rules.short_most.value),
            (rules.long_years.value * book.start.year_days.value, rules.long_most.value),
        )
        for days, most in spans:
            net = sum(change for when, change in self.given.get(slot, ()) if day - days < when <= day)
            low, high = max(low, -most - net), min(high, most - net)
        return min(low, 0.0), max(high, 0.0)


def refused(job: np.ndarray, rating: np.ndarray, n: np.ndarray, published: np.ndarray, book: Book) -> dict[int, str]:
    """Job -> why its games are not rated, for the entries of matches: two players, both established and published, at
    most 400 apart."""
    reasons = {}
    for one in np.unique(job).tolist():
        who = np.flatnonzero(job == one)
        established = published[who] & (n[who] > book.standard.established_after.value)
        if len(who) != 2:
            reasons[one] = PLAYERS
        elif not established.all():
            reasons[one] = ESTABLISHED
        elif abs(rating[who[0]] - rating[who[1]]) > book.match.most_apart.value:
            reasons[one] = APART
    return reasons
