"""Floors and ceilings by decision (floors.csv): what holds for a player in a pool on a day."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun.frames import POOLS
from ratingrun.uschess import formulas, starts
from ratingrun.uschess.books import Book


class Overrides:
    """The decisions by the player's slot, oldest first: (day, kind, value, amount)."""

    def __init__(self, floors: pd.DataFrame, everybody: pd.Index):
        self.players = len(everybody)
        self.by_slot: dict[int, list[tuple[float, str, float, float]]] = {}
        rows = floors[floors["player_id"].isin(everybody)].sort_values(["date", "line"], kind="stable")
        slots = pd.Index(POOLS).get_indexer(rows["pool"]) * len(everybody) + everybody.get_indexer(rows["player_id"])
        columns = [rows[name].to_numpy("float64", na_value=np.nan).tolist() for name in ("value", "amount")]
        days = starts.day_numbers(rows["date"]).tolist()
        for slot, day, kind, value, amount in zip(slots.tolist(), days, rows["kind"], *columns, strict=True):
            self.by_slot.setdefault(slot, []).append((day, kind, value, amount))

    def at(self, slots: np.ndarray, days: np.ndarray, book: Book) -> dict[str, np.ndarray]:
        """floor (0: none), ceiling (inf: none) and points off the peak floor for each slot on its day.

        Of floors set by the office, and of ceilings, the newest counts; of prizes and titles the highest.
        """
        found = {"floor": np.zeros(len(slots)), "ceiling": np.full(len(slots), np.inf), "lowered": np.zeros(len(slots))}
        if not self.by_slot:
            return found
        for place, (slot, day) in enumerate(zip(slots.tolist(), days.tolist(), strict=True)):
            held = [row for row in self.by_slot.get(slot, ()) if row[0] <= day]
            if held:
                for name, value in _held(held, POOLS[slot // self.players], book).items():
                    found[name][place] = value
        return found


def _held(rows: list[tuple[float, str, float, float]], pool: str, book: Book) -> dict[str, float]:
    """What these decisions come to in a pool."""
    rules = book.floor
    office, others, ceiling, lowered = 0.0, 0.0, np.inf, 0.0
    for _, kind, value, amount in rows:
        if kind == "floor":
            office = value
        elif kind == "ceiling":
            ceiling = value
        elif kind == "lowered":
            lowered += value
        elif kind == "life_master":
            if pool in rules.life_master_pools.value:
                others = max(others, float(rules.life_master.value))
        elif not amount < rules.prize_least.value:
            others = max(others, float(formulas.prize_floor(np.array([value]), rules)[0]))
    return {"floor": max(office, others), "ceiling": ceiling, "lowered": lowered}
