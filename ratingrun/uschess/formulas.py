"""The arithmetic of the US Chess ratings: arrays in, arrays out, float64; numbers come from the book.

Functions over games take `player`, the place (0, 1, ...) of the player whom each game belongs to; `r`, `n` and the
like have a value for each player. Sums run in the order of the games, so that the same games give the same bits
wherever they are rated.
"""

from __future__ import annotations

import numpy as np

from ratingrun.uschess.books import Book
from ratingrun.uschess.shapes import Blend, Bonus, Conversion, Dual, Effective, Floor, Special, Start


def sums(player: np.ndarray, values: np.ndarray, players: int) -> np.ndarray:
    """The sum of the games' values for each player, added in the order of the games."""
    return np.bincount(player, weights=values, minlength=players)


def whole(rating: np.ndarray) -> np.ndarray:
    """Ratings as published: the nearest whole number, .5 up."""
    return np.floor(rating + 0.5)


def effective_games(n: np.ndarray, r: np.ndarray, rules: Effective) -> np.ndarray:
    """N' = min(N, N*): the games that a rating counts for (effective games)."""
    root = np.sqrt(rules.constant.value + rules.factor.value * (rules.zero_at.value - r) ** 2)
    most = np.where(r <= rules.up_to.value, rules.numerator.value / root, rules.most.value)
    return np.minimum(n, most)


def is_special(n: np.ndarray, won_all: np.ndarray, lost_all: np.ndarray, rules: Special) -> np.ndarray:
    """Who gets the special formula: by the true N, not N'; or all earlier games won, or all lost."""
    return (n <= rules.games.value) | won_all | lost_all


# --- special formula -------------------------------------------------------------------------------------------------


def line_expected(r: np.ndarray, r_opp: np.ndarray, width: float) -> np.ndarray:
    """PWe: 0 up to `width` below the opponent, 1 from `width` above, a straight line between."""
    return np.clip(0.5 + (r - r_opp) / (2 * width), 0.0, 1.0)


def prior(
    r: np.ndarray, n_eff: np.ndarray, won_all: np.ndarray, lost_all: np.ndarray, rules: Special
) -> tuple[np.ndarray, np.ndarray]:
    """(R0', score of the prior): the earlier games as N' games against one opponent."""
    shift = rules.history_shift.value
    centre = np.where(won_all, r - shift, np.where(lost_all, r + shift, r))
    return centre, np.where(won_all, n_eff, np.where(lost_all, 0.0, n_eff / 2))


def special(
    r: np.ndarray,
    n_eff: np.ndarray,
    won_all: np.ndarray,
    lost_all: np.ndarray,
    player: np.ndarray,
    r_opp: np.ndarray,
    score: np.ndarray,
    rules: Special,
) -> np.ndarray:
    """The special formula in closed form: the zero of f(R) = N' PWe(R, R0') + sum PWe(R, Ri) - S' nearest to R0.

    f never falls and is made of straight pieces, so its zeros are one stretch [za, zb] between knots: R0 moved into it,
    at most `rules.most`. Players without games keep R0. The floor is the calling step's matter.
    """
    result = np.minimum(r, rules.most.value)
    centre, prior_score = prior(r, n_eff, won_all, lost_all, rules)
    games = np.bincount(player, minlength=len(r))
    target = prior_score + sums(player, score, len(r))
    order = np.argsort(player, kind="stable")
    first = np.cumsum(games) - games
    for m in np.unique(games[games > 0]):  # players with the same number of games at once
        who = np.flatnonzero(games == m)
        rows = order[first[who][:, None] + np.arange(m)]
        centres = np.column_stack([centre[who], r_opp[rows]])
        weights = np.column_stack([n_eff[who], np.ones((len(who), m))])
        low, high = _zeros(centres, weights, target[who], rules)
        result[who] = np.minimum(np.clip(r[who], low, high), rules.most.value)
    return result


def _zeros(
    centres: np.ndarray, weights: np.ndarray, target: np.ndarray, rules: Special
) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last zero of each row's f; infinite where f is zero up to there."""
    width = rules.width.value
    knots = np.sort(np.concatenate([centres - width, centres + width], axis=1), axis=1)
    f = np.zeros_like(knots)
    for term in range(centres.shape[1]):
        f += weights[:, [term]] * line_expected(knots, centres[:, [term]], width)
    f -= target[:, None]
    zero = np.abs(f) <= rules.tolerance.value
    rows = np.arange(len(knots))
    last = knots.shape[1] - 1
    start, stop = zero.argmax(axis=1), last - zero[:, ::-1].argmax(axis=1)
    low = np.where(zero[:, 0], -np.inf, knots[rows, start])
    high = np.where(zero[:, -1], np.inf, knots[rows, stop])
    right = np.minimum(np.maximum((f <= 0).sum(axis=1), 1), last)  # the knot after the change of sign
    left = right - 1
    rise = f[rows, right] - f[rows, left]
    step = (knots[rows, right] - knots[rows, left]) / np.where(rise > 0, rise, 1.0)
    between = knots[rows, left] - f[rows, left] * step
    none = ~zero.any(axis=1)
    return np.where(none, between, low), np.where(none, between, high)


# --- standard formula ------------------------------------------------------------------------------------------------


def curve_expected(r: np.ndarray, r_opp: np.ndarray, scale: float) -> np.ndarray:
    """The logistic curve, without a limit to the difference."""
    return 1.0 / (1.0 + 10.0 ** ((r_opp - r) / scale))


def dual_share(r: np.ndarray, rules: Dual) -> np.ndarray:
    """The share of K that counts in the Regular rating of a dual-rated event."""
    line = np.where(r < rules.until.value, rules.intercept.value - rules.slope.value * r, rules.least.value)
    return np.where(r > rules.above.value, line, 1.0)


def most_meetings(player: np.ndarray, opponent: np.ndarray, players: int) -> np.ndarray:
    """How often each player met the opponent met most often; `opponent` numbers them."""
    most = np.zeros(players, "int64")
    if len(player):
        pairs, meetings = np.unique(np.column_stack([player, opponent]), axis=0, return_counts=True)
        np.maximum.at(most, pairs[:, 0], meetings)
    return most


def may_have_bonus(m: np.ndarray, meetings: np.ndarray, match: np.ndarray | bool, rules: Bonus) -> np.ndarray:
    """Who may have a bonus: more than three games and nobody met more than twice, or three games and nobody twice."""
    many = (m > rules.many_games.value) & (meetings <= rules.many_meetings.value)
    few = (m == rules.few_games.value) & (meetings <= rules.few_meetings.value)
    return (many | few) & np.logical_not(match)


def standard(
    r: np.ndarray,
    n_eff: np.ndarray,
    player: np.ndarray,
    r_opp: np.ndarray,
    score: np.ndarray,
    meetings: np.ndarray,
    book: Book,
    dual: np.ndarray | bool = False,
    match: np.ndarray | bool = False,
) -> dict[str, np.ndarray]:
    """The standard formula for each player with games: m, expected, k, gain (K (S - E)), bonus, rating."""
    players = len(r)
    m = np.bincount(player, minlength=players)
    expected = sums(player, curve_expected(r[player], r_opp, book.standard.scale.value), players)
    total = n_eff + m
    k = book.standard.k.value / np.where(total > 0, total, 1.0) * np.where(dual, dual_share(r, book.dual), 1.0)
    gain = k * (sums(player, score, players) - expected)
    threshold = book.bonus.multiplier.value * np.sqrt(np.maximum(m, book.bonus.least_root.value))
    allowed = may_have_bonus(m, meetings, match, book.bonus)
    bonus = np.where(allowed, np.maximum(0.0, gain - threshold), 0.0)
    return {"m": m, "expected": expected, "k": k, "gain": gain, "bonus": bonus, "rating": r + gain + bonus}


# --- floors ----------------------------------------------------------------------------------------------------------


def personal_floor(wins: np.ndarray, draws: np.ndarray, events: np.ndarray, rules: Floor) -> np.ndarray:
    """The personal absolute floor; the event being rated counts in all three."""
    earned = rules.base.value + rules.win.value * wins + rules.draw.value * draws + rules.event.value * events
    return np.minimum(earned, rules.personal_most.value)


def peak_floor(peak: np.ndarray, rules: Floor) -> np.ndarray:
    """The floor of a highest established rating (0: none): rounded, less the drop, down to a multiple."""
    level = (whole(peak) - rules.peak_drop.value) // rules.step.value * rules.step.value
    return np.where(level >= rules.peak_least.value, np.minimum(level, rules.peak_most.value), 0.0)


def prize_floor(limit: np.ndarray, rules: Floor) -> np.ndarray:
    """The floor after a cash prize in a section for players under `limit` (0: none)."""
    level = np.ceil(limit / rules.step.value) * rules.step.value
    return np.minimum(level, rules.prize_most.value)


# --- start ratings ---------------------------------------------------------------------------------------------------


def age_rating(days: np.ndarray, adult: np.ndarray, rules: Start) -> np.ndarray:
    """The start rating by age: `days` from birth to the event's last day (nan: unknown), `adult` by membership."""
    age = days / rules.year_days.value
    by_age = np.where(age > rules.adult.value, rules.adult_rating.value, rules.a_year.value * age)
    by_age = np.where(age < rules.young.value, rules.young_rating.value, by_age)
    unknown = ~(age >= rules.credible.value)
    return np.where(unknown, np.where(adult, rules.adult_rating.value, rules.minor_rating.value), by_age)


def converted(rating: np.ndarray, conversion: Conversion) -> np.ndarray:
    """A FIDE or CFC rating on the US Chess scale; nan where the book has no conversion."""
    held, values = [], []
    for line in conversion.lines:
        inside = np.ones(np.shape(rating), bool)
        if line.up_to is not None:
            inside = rating <= line.up_to
        if line.below is not None:
            inside = rating < line.below
        held.append(inside)
        values.append(line.plus + line.times * rating)
    return np.select(held, values, np.nan) if held else np.full(np.shape(rating), np.nan)


def fide_factor(rating: np.ndarray, rules: Blend) -> np.ndarray:
    """The game factor of a FIDE rating."""
    return np.where(rating > rules.fide_high_above.value, rules.fide_high_factor.value, rules.fide_factor.value)


def source_weight(
    factor: np.ndarray, rating: np.ndarray, by_age: np.ndarray, days: np.ndarray, book: Book
) -> np.ndarray:
    """The weight of a source: `rating` converted, `by_age` the start rating by age on its date, `days` its age."""
    rules = book.blend
    z = np.minimum(rules.z_most.value, (rating - by_age) / rules.z_scale.value)
    return factor * np.exp(rules.decay.value * (z - rules.z_most.value) * days / book.start.year_days.value)


def blend(
    player: np.ndarray, rating: np.ndarray, weight: np.ndarray, players: int, rules: Blend
) -> tuple[np.ndarray, np.ndarray]:
    """(start rating, N) of each player from its sources: the weighted mean, rounded, and the weights, rounded up."""
    total = sums(player, weight, players)
    mean = sums(player, weight * rating, players) / np.where(total > 0, total, 1.0)
    return whole(mean), np.minimum(np.ceil(total), rules.games_most.value)
