"""Plain Elo and performance ratings: arrays in, numbers out.

The curve is floating point; what a performance needs of averages is in integers: ratings `r_c` and scores `w_c` in
hundredths of a point.
"""

from __future__ import annotations

import numpy as np

from ratingrun import formulas

SCALE = 400  # rating points for odds of ten to one
STEPS = 100  # halvings of the search for the true performance: beyond the precision of a float
REACH = 20 * SCALE  # where the search begins and ends: no score that games can give lies outside


def expected(r: np.ndarray | float, r_opp: np.ndarray | float, limit: float | None = None) -> np.ndarray:
    """1 / (1 + 10 ^ ((opponent - own) / 400)); `limit`: differences beyond it count as so much."""
    d = np.asarray(r_opp, float) - r
    if limit is not None:
        d = np.clip(d, -limit, limit)
    return 1.0 / (1.0 + 10.0 ** (d / SCALE))


def in_order(values: np.ndarray) -> float:
    """The sum, added one after the other: the same bits wherever the same numbers are added."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def average_c(r_c: np.ndarray) -> int:
    """The average rating of the opponents, hundredths, half up."""
    return int(formulas.divide_half_up(int(r_c.sum()), len(r_c)))


def share_c(w_c: int, n: int, p_ties: str) -> int:
    """p = score / games in hundredths; `p_ties` as in the rule book."""
    divide = {"half_up": formulas.divide_half_up, "half_down": formulas.divide_half_down}[p_ties]
    return int(divide(w_c, n))


def by_table(r_c: np.ndarray, p_c: int, dp_by_p: np.ndarray) -> int:
    """Average + dp(p), rounded once, half up."""
    return int(formulas.divide_half_up(int(r_c.sum()), formulas.POINT * len(r_c)) + dp_by_p[p_c])


def linear_c(r_c: np.ndarray, w_c: int) -> int:
    """Average + 400 x (wins - losses) / games, hundredths, half up."""
    n = len(r_c)
    return int(formulas.divide_half_up(int(r_c.sum()) + SCALE * (2 * w_c - formulas.POINT * n), n))


def true(r: np.ndarray, score: float) -> float | None:
    """The rating whose expected score against these opponents is the score; none at 0 or 100 %."""
    if not 0 < score < len(r):
        return None
    low, high = float(r.min()) - REACH, float(r.max()) + REACH
    for _ in range(STEPS):
        middle = (low + high) / 2
        if in_order(expected(middle, r)) < score:
            low = middle
        else:
            high = middle
    return (low + high) / 2
