"""Does the list drift, and does the table fit? The ledger in sums, and expected against actual score by rating gap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ratingrun.site.month import Source

STEP = 50  # rating points of a band of gaps
LAST = 500  # gaps from here on are one band
ENOUGH = 30  # games from which a band is judged
SURE = 1.96  # standard errors: 95 of 100 by chance alone
PAIR = ["tournament_id", "part", "round"]


@dataclass(frozen=True)
class Ledger:
    """The sum of all ratings before and after, and what lies between: (entry, players, points)."""

    before: int
    after: int
    entries: list[tuple[str, int, int]]


@dataclass(frozen=True)
class Gap:
    """A band of rating gaps: games, what the higher-rated scored and what the book expected, a game; in how many
    standard errors they differ (None if there are not enough games)."""

    low: int
    high: int | None
    games: int
    expected: float
    actual: float
    error: float
    away: float | None

    @property
    def outside(self) -> bool:
        """More than chance, at 95 of 100."""
        return self.away is not None and abs(self.away) > SURE


def ledger(source: Source) -> Ledger:
    """Points that came and went. An entry that makes unrated takes the whole rating away; a first one brings it."""
    trail = source.rows("trail")
    sums = trail.groupby("entry")["amount"].agg(["size", "sum"])
    entries = [(str(entry), int(row["size"]), int(row["sum"])) for entry, row in sums.iterrows()]
    after = int(source.rows("rating_list")["rating"].sum())
    return Ledger(after - sum(points for _, _, points in entries), after, entries)


def means(source: Source) -> dict[str, float | None]:
    """The mean rating of this list and of the one before, all rated and the active ones; None if not at hand."""
    found: dict[str, float | None] = {}
    for name, rows in (("before", source.prior), ("after", source.rows("rating_list"))):
        for who in ("all", "active"):
            chosen = None if rows is None else rows.loc[rows["active"] | (who == "all"), "rating"].dropna()
            found[f"{name}_{who}"] = None if chosen is None or chosen.empty else float(chosen.mean())
    return found


def games(source: Source) -> pd.DataFrame:
    """Each rated game once, seen by the higher-rated (equal ratings: White): gap, score, expected, in points."""
    sides = source.rows("sides")
    sides = sides[sides["outcome"].eq("rated") & sides["d_true"].notna()]
    d = sides["d_true"].astype("int64")
    pair = sides["player_id"].where(sides["player_id"] < sides["opponent_id"], sides["opponent_id"])
    lower = d < 0
    score, expected = sides["score_c"] / 100, sides["pd_c"].astype("float64") / sides["scale"].astype("float64")
    rows = sides[PAIR].assign(
        pair=pair,
        rank=np.where(lower, 2, np.where((d > 0) | (sides["colour"] == "w"), 0, 1)),
        gap=d.abs(),
        score=score.where(~lower, 1 - score),
        expected=expected.where(~lower, 1 - expected),
    )
    rows = rows.sort_values([*PAIR, "pair", "rank"], kind="stable")
    return rows.drop_duplicates([*PAIR, "pair"])[["gap", "score", "expected"]].reset_index(drop=True)


def gaps(rows: pd.DataFrame) -> list[Gap]:
    """The games by band of gaps."""
    band = (rows["gap"] // STEP * STEP).clip(upper=LAST)
    return [_gap(int(low), part) for low, part in rows.groupby(band)]


def whole(rows: pd.DataFrame) -> Gap | None:
    """All games as one band."""
    return _gap(0, rows) if len(rows) else None


def _gap(low: int, part: pd.DataFrame) -> Gap:
    over = part["score"] - part["expected"]
    count = len(part)
    error = float(over.std(ddof=1) / np.sqrt(count)) if count > 1 else 0.0
    away = float(over.mean()) / error if count >= ENOUGH and error else None
    high = None if low >= LAST else low + STEP - 1
    return Gap(low, high, count, float(part["expected"].mean()), float(part["score"].mean()), error, away)
