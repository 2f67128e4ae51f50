"""The arithmetic of ratings: arrays in, arrays out, integers throughout.

Scores, probabilities and changes are integers in hundredths of a point. Division happens in `divide_half_up` and the
rounding of a change in `round_half_away`, nowhere else. No number of the regulations stands here: limits and tables
come from the rule book.
"""

from __future__ import annotations

import numpy as np

POINT = 100  # hundredths in a point


def divide_half_up(numerator: np.ndarray, denominator: np.ndarray | int) -> np.ndarray:
    """numerator / denominator to the nearest integer, a half goes up; denominator positive."""
    return (2 * numerator + denominator) // (2 * denominator)


def divide_half_down(numerator: np.ndarray, denominator: np.ndarray | int) -> np.ndarray:
    """numerator / denominator to the nearest integer, a half goes down; denominator positive."""
    return -((denominator - 2 * numerator) // (2 * denominator))


DIVIDE = {"half_up": divide_half_up, "half_down": divide_half_down}


def round_half_away(change_c: np.ndarray, scale: int = POINT) -> np.ndarray:
    """Hundredths of a point (or other parts) to whole points, .5 away from zero (8.3.4)."""
    return np.sign(change_c) * divide_half_up(np.abs(change_c), scale)


def limited_difference(d_true: np.ndarray, r: np.ndarray, limit: np.ndarray, below: np.ndarray) -> np.ndarray:
    """The difference after the 400-point rule (8.3.1): within +-limit for a player rated `r` below `below`.

    From `below` up the true difference counts: the player's own rating decides, for each side of a game by itself.
    """
    return np.where(r < below, np.clip(d_true, -limit, limit), d_true)


def greatest(d: np.ndarray, group: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Whether each difference is the greatest of its group (a player in a tournament); of equals the first by order."""
    ranked = np.lexsort((order, -np.abs(d), group))
    first = np.ones(len(d), bool)
    first[1:] = group[ranked][1:] != group[ranked][:-1]
    result = np.zeros(len(d), bool)
    result[ranked] = first
    return result


def scoring_probability_c(d: np.ndarray, d_from: np.ndarray, high_c: np.ndarray) -> np.ndarray:
    """PD in hundredths for differences `d`: table 8.1.2, given by the first difference and the H value of each row.

    H where d >= 0; L = 100 - H where d < 0.
    """
    size = np.abs(d)
    by_size = high_c[np.searchsorted(d_from, np.arange(size.max(initial=0) + 1), side="right") - 1]
    high = by_size[size]
    return np.where(d >= 0, high, POINT - high)


def curve_probability(d: np.ndarray, parts: int, odds: int, spread: int) -> np.ndarray:
    """1 / (1 + odds ^ (-d / spread)) in whole `parts` of a point; the two sides of a game add up to one point."""
    higher = parts / (1 + np.power(float(odds), -np.abs(d) / spread))
    rounded = np.rint(higher).astype("int64")
    return np.where(d >= 0, rounded, parts - rounded)


def reduced_k(k: np.ndarray, n: np.ndarray, max_kn: int | None) -> np.ndarray:
    """K, or the largest whole number with K x n within `max_kn` (8.3.3), if there is such a limit; n >= 1."""
    if max_kn is None:
        return k
    return np.where(k * n > max_kn, max_kn // n, k)


def moved_towards(rating: np.ndarray, target: int, share_c: int) -> np.ndarray:
    """Ratings moved towards `target` by `share_c` hundredths of the way, to the nearest integer, a half goes up."""
    return rating + divide_half_up((target - rating) * share_c, POINT)


def initial_rating(
    n: np.ndarray,
    w_c: np.ndarray,
    r_sum: np.ndarray,
    draws: int,
    draws_against: int,
    dp_by_p: np.ndarray,
    p_ties: str = "half_up",
) -> dict[str, np.ndarray]:
    """First rating from n games with score w_c against opponents rated r_sum in all, `draws` drawn games added (8.2.3).

    Returns ra_c (hundredths, for people), p_c, dp and ru: Ra + dp, rounded once, half up; before cap and floor.
    `dp_by_p` is table 8.1.1 by hundredths of p. `p_ties` says where a p between two hundredths goes.
    """
    games = n + draws
    total = r_sum + draws * draws_against
    p_c = DIVIDE[p_ties](w_c + draws * POINT // 2, games)
    dp = dp_by_p[p_c]
    return {"ra_c": divide_half_up(total * POINT, games), "p_c": p_c, "dp": dp, "ru": divide_half_up(total, games) + dp}


def initial_rating_by_half_points(
    n: np.ndarray, w_c: np.ndarray, r_sum: np.ndarray, per_half_point_c: int, dp_by_p: np.ndarray, p_ties: str
) -> dict[str, np.ndarray]:
    """First rating until 2024: Ra, rounded first, at 50 %; so much more for each half point above; Ra + dp below.

    `per_half_point_c` is in hundredths of a rating point (12.5, 15, 20 points). Returns what `initial_rating` does; dp
    is what is added to Ra, rounded with it, half up.
    """
    ra = divide_half_up(r_sum, n)
    p_c = DIVIDE[p_ties](w_c, n)
    above = 2 * w_c // POINT - n  # half points above 50 %
    more = divide_half_up(ra * POINT + above * per_half_point_c, POINT) - ra
    dp = np.where(above > 0, more, np.where(above == 0, 0, dp_by_p[p_c]))
    return {"ra_c": divide_half_up(r_sum * POINT, n), "p_c": p_c, "dp": dp, "ru": ra + dp}
