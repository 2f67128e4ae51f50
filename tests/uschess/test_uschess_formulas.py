"""The US Chess formulas against the specification (Glickman and Doan, 26 July 2025), against results that US Chess
published, and against a literal walk of the published iteration."""

import datetime as dt

import numpy as np
import pytest

from ratingrun.uschess import books, formulas

BOOK = books.in_force(dt.date(2025, 6, 1))  # bonus multiplier 10


def one(r, n_eff, games, won_all=False, lost_all=False, book=BOOK):
    """The special formula for one player; `games` are (opponent, score)."""
    opponents, scores = np.array([g[0] for g in games], float), np.array([g[1] for g in games], float)
    player = np.zeros(len(games), "int64")
    arrays = (np.array([value]) for value in (float(r), float(n_eff), won_all, lost_all))
    return formulas.special(*arrays, player, opponents, scores, book.special)[0]


def by_standard(r, n, games, book=BOOK, opponents=None, **more):
    opponents = range(len(games)) if opponents is None else opponents
    player = np.zeros(len(games), "int64")
    start = np.array([float(r)])
    n_eff = formulas.effective_games(np.array([float(n)]), start, book.effective)
    meetings = formulas.most_meetings(player, np.array(opponents), 1)
    r_opp, score = np.array([g[0] for g in games], float), np.array([g[1] for g in games], float)
    found = formulas.standard(start, n_eff, player, r_opp, score, meetings, book, **more)
    return {name: value[0] for name, value in found.items()}


def games(*lists):
    return list(zip(*lists, strict=True))


# --- official specification ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("r", "wanted"), [(1700, 20.0118), (1500, 16.57), (550, 9.0), (2355, 49.99), (2356, 50.0), (2800, 50.0)]
)
def test_effective_games(r, wanted):
    most = formulas.effective_games(np.array([1000.0]), np.array([float(r)]), BOOK.effective)[0]
    assert most == pytest.approx(wanted, abs={1700: 5e-5, 1500: 5e-3, 550: 0.1}.get(r, 0.02))


def test_effective_games_are_no_more_than_the_games():
    assert formulas.effective_games(np.array([5.0]), np.array([1700.0]), BOOK.effective)[0] == 5


@pytest.mark.parametrize(
    ("n_eff", "m", "wanted"),
    [
        *[(6, 4, 80), (6, 6, 66.67), (6, 10, 50), (20, 4, 33.33), (20, 6, 30.77), (20, 10, 26.67)],
        *[(50, 4, 14.81), (50, 6, 14.29), (50, 10, 13.33)],
    ],
)
def test_k(n_eff, m, wanted):
    r = np.array([1500.0])
    player, r_opp, score = np.zeros(m, "int64"), np.full(m, 1500.0), np.full(m, 0.5)
    found = formulas.standard(r, np.array([float(n_eff)]), player, r_opp, score, np.array([1]), BOOK)
    assert found["k"][0] == pytest.approx(wanted, abs=5e-3)


@pytest.mark.parametrize(("wins", "draws", "events", "wanted"), [(3, 1, 10, 124), (0, 0, 1, 101), (20, 0, 0, 150)])
def test_personal_absolute_floor(wins, draws, events, wanted):
    found = formulas.personal_floor(np.array([wins]), np.array([draws]), np.array([events]), BOOK.floor)
    assert found[0] == wanted


@pytest.mark.parametrize(("peak", "wanted"), [(1941, 1700), (1999.51, 1800), (1388, 0), (2480, 2100), (1399.5, 1200)])
def test_peak_floor(peak, wanted):
    assert formulas.peak_floor(np.array([peak]), BOOK.floor)[0] == wanted


@pytest.mark.parametrize(("limit", "wanted"), [(1800, 1800), (2200, 2000)])
def test_prize_floor(limit, wanted):
    assert formulas.prize_floor(np.array([limit]), BOOK.floor)[0] == wanted


def days(*dates):
    return (dt.date.fromisoformat(dates[1]) - dt.date.fromisoformat(dates[0])).days


def test_blend_of_three_ratings():
    """The specification's example: born 2000-07-01, an online Blitz event that ended on 2020-09-01."""
    end = "2020-09-01"
    sources = [("2018-03-25", 1759, 10), ("2018-01-13", 1643, 5), ("2016-07-16", 1658, 10)]
    rating, factor = np.array([s[1] for s in sources], float), np.array([s[2] for s in sources], float)
    born = np.array([days("2000-07-01", s[0]) for s in sources])
    by_age = formulas.age_rating(born, np.zeros(3, bool), BOOK.start)
    weight = formulas.source_weight(factor, rating, by_age, np.array([days(s[0], end) for s in sources]), BOOK)
    assert weight.round(2).tolist() == [5.98, 2.74, 4.15]
    start, n = formulas.blend(np.zeros(3, "int64"), rating, weight, 1, BOOK.blend)
    assert (start[0], n[0]) == (1702, 10)


@pytest.mark.parametrize(
    ("years", "adult", "wanted"), [(8.1, False, 405), (15, False, 750), (30, False, 1300), (1, True, 1300)]
)
def test_start_by_age(years, adult, wanted):
    found = formulas.age_rating(np.array([years * 365.25]), np.array([adult]), BOOK.start)
    assert found[0] == pytest.approx(wanted)


def test_start_without_a_birth_date():
    found = formulas.age_rating(np.array([np.nan, np.nan]), np.array([True, False]), BOOK.start)
    assert found.tolist() == [1300, 750]


@pytest.mark.parametrize(
    ("day", "system", "rating", "wanted"),
    [
        ("2025-06-01", "fide", 1500, 1277.05),
        ("2025-06-01", "fide", 1800, 1747.06),
        ("2025-06-01", "fide", 2200, 2264),
        ("2024-02-29", "fide", 1420, 1514.8),  # a published case: started at 1515
        ("2025-06-01", "cfc", 1500, 1270),
        ("2025-06-01", "cfc", 1800, 1682),
    ],
)
def test_conversions(day, system, rating, wanted):
    book = books.in_force(dt.date.fromisoformat(day))
    assert formulas.converted(np.array([float(rating)]), getattr(book, system))[0] == pytest.approx(wanted)


def test_dual_k_above_2200():
    found = by_standard(2300, 20, games([2300] * 4, [0.5] * 4), dual=True)
    assert formulas.effective_games(np.array([20.0]), np.array([2300.0]), BOOK.effective)[0] == 20
    assert found["k"] == pytest.approx(25)
    share = formulas.dual_share(np.array([2200.0, 2499.99, 2500.0, 2700.0]), BOOK.dual)
    assert share == pytest.approx([1, 0.250025, 0.25, 0.25])


# --- Glickman's approximating document -------------------------------------------------------------------------------


def test_special_formula_1511():
    assert one(1500, 6, games([1400, 1550, 1650], [1, 0, 0.5])) == pytest.approx(1511.11, abs=5e-3)


@pytest.mark.parametrize(("day", "wanted"), [("2023-06-01", 1464.80), ("2025-06-01", 1468.80)])
def test_standard_formula_with_bonus(day, wanted):
    """Bonus multiplier 12, and 10 since 1 January 2025."""
    book = books.in_force(dt.date.fromisoformat(day))
    found = by_standard(1300, 45, games([1250, 1400, 1500, 1550], [1, 1, 1, 0.5]), book)
    assert found["rating"] == pytest.approx(wanted, abs=5e-3)


# --- published results -----------------------------------------------------------------------------------------------


def test_published_result_8():
    found = by_standard(554.22, 1000, games([499.22, 494.53, 142.69], [1, 1, 1]))
    assert found["k"] == pytest.approx(66.5013, abs=5e-5)
    assert found["expected"] == pytest.approx(2.0780, abs=1e-4)
    assert found["bonus"] == pytest.approx(41.3150, abs=5e-3)
    assert found["rating"] == pytest.approx(656.85, abs=0.01)


def test_published_result_9():
    opponents = [694.62, 813.33, 590.87, 805.57, 599.78, 508.06, 816.01, 797.91, 658.29, 599.78]
    found = by_standard(787.25, 1000, games(opponents, [1] * 6 + [0] * 4), opponents=[0, 1, 2, 3, 4, 5, 6, 7, 8, 4])
    assert found["k"] == pytest.approx(39.6427, abs=5e-5)
    assert found["expected"] == pytest.approx(6.2689, abs=1e-4)
    assert found["bonus"] == 0
    assert found["rating"] == pytest.approx(776.59, abs=0.01)


def test_published_result_10():
    assert one(335.27, 6, games([364.67, 525.69, 100], [0, 0, 1])) == pytest.approx(289.11, abs=0.01)


# --- corner cases (own computation: they pin the behaviour) ----------------------------------------------------------


@pytest.mark.parametrize(
    ("r", "n", "played", "wanted"),
    [
        (500, 0, [(1520, 1)], 1920),
        (500, 0, [(1520, 0.5)], 1520),
        (500, 0, [(1520, 0)], 500),  # every rating up to 1120 is a zero: the start stays
        (1300, 0, [(1520, 0)], 1120),
        (1300, 0, [(1400, 1), (1500, 1), (1600, 1)], 2000),
        (500, 0, [(400, 1)] * 4, 800),
        (1000, 0, [(400, 1)] * 4, 1000),
        (750, 0, [(400, 0)] * 4, 0),
        (2600, 3, [(2650, 1), (2680, 1), (2600, 1)], 2700),
        (1400, 4, [(1500, 1), (1700, 0), (1300, 0.5)], 1442.857142857),
        (1500, 0, [(200, 1), (600, 1), (1600, 0)], 1200),
        (1100, 0, [(200, 1), (600, 1), (1600, 0)], 1100),
        (700, 0, [(200, 1), (600, 1), (1600, 0)], 1000),
        (1234, 3, [], 1234),
    ],
)
def test_special_formula_at_its_edges(r, n, played, wanted):
    assert one(r, n, played) == pytest.approx(wanted)


def test_all_won_history():
    assert one(1200, 10, [(1500, 1)], won_all=True) == pytest.approx(1900)


def test_who_gets_the_special_formula():
    n = np.array([8, 9, 20, 20, 8.0])
    won, lost = np.array([0, 0, 1, 0, 0], bool), np.array([0, 0, 0, 1, 0], bool)
    assert formulas.is_special(n, won, lost, BOOK.special).tolist() == [True, False, True, True, True]


# --- bonus: mistakes seen in public programs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opponents", "allowed"),
    [
        ([0, 1, 2], True),
        ([0, 1, 0], False),  # three games: nobody twice
        ([0, 1], False),
        ([0], False),
        ([0, 0, 1, 1], True),
        ([0, 0, 0, 1], False),  # nobody more than twice
    ],
)
def test_who_may_have_a_bonus(opponents, allowed):
    m = len(opponents)
    found = by_standard(1500, 50, games([2000] * m, [1] * m), opponents=opponents)
    assert (found["bonus"] > 0) == allowed
    assert by_standard(1500, 50, games([2000] * m, [1] * m), opponents=opponents, match=True)["bonus"] == 0


def test_no_limit_to_the_difference():
    found = by_standard(1000, 50, games([1800] * 2, [0.5] * 2))
    assert found["expected"] == pytest.approx(2 / 101)


# --- the closed form against the published iteration -----------------------------------------------------------------


def walk(r, n_eff, won_all, lost_all, opponents, scores, begin=None):
    """The published procedure for many players at once, word for word: secant steps between knots, tolerance 1e-7.

    `opponents` and `scores` have a row a player, nan where there are fewer games. `begin`: where the walk starts, if
    not at R0' as published.
    """
    eps, there = 1e-7, ~np.isnan(opponents)
    shift = np.where(won_all, -400.0, np.where(lost_all, 400.0, 0.0))
    centre = r + shift
    prior = np.where(won_all, n_eff, np.where(lost_all, 0.0, n_eff / 2))
    target = np.nansum(scores, axis=1) + prior
    all_centres = np.column_stack([centre, np.where(there, opponents, np.nan)])
    knots = np.concatenate([all_centres - 400, all_centres + 400], axis=1)

    def pwe(a, b):
        return np.where(a <= b - 400, 0.0, np.where(a >= b + 400, 1.0, 0.5 + (a - b) / 800))

    def f(x):
        games = np.where(there, pwe(x[:, None], np.nan_to_num(opponents)), 0.0)
        return n_eff * pwe(x, centre) + games.sum(axis=1) - target

    def beside(x, sign):
        """The nearest knot below (-1) or above (+1)."""
        inside = np.where((knots - x[:, None]) * sign > 0, knots * sign, np.inf)
        return np.nanmin(np.where(np.isnan(inside), np.inf, inside), axis=1) * sign

    m = centre.copy() if begin is None else begin.copy()
    for _ in range(10_000):
        here = f(m)
        sign = np.where(here > eps, -1, np.where(here < -eps, 1, 0))
        if not sign.any():
            break
        knot = np.where(sign < 0, beside(m, -1), beside(m, 1))
        knot = np.where(sign == 0, m, knot)
        there_f = f(knot)
        flat = np.abs(here - there_f) < eps
        step = m - here * (m - knot) / np.where(flat, 1.0, here - there_f)
        bounded = np.where(sign < 0, np.maximum(step, knot), np.minimum(step, knot))
        m = np.where(sign == 0, m, np.where(flat, knot, bounded))
    near = (np.abs(m[:, None] - np.where(np.isnan(all_centres), np.inf, all_centres)) <= 400 + 1e-6).any(axis=1)
    free = np.minimum(np.maximum(r, beside(m, -1)), beside(m, 1))
    return np.minimum(np.where(near, m, free), 2700)


def random_cases(count, seed=7):
    """(r, N', won all, lost all, opponents, scores): all N, all-won and all-lost histories, perfect and zero scores."""
    rng = np.random.default_rng(seed)
    kind = rng.choice(["", "", "won", "lost"], count)
    n = np.where(kind == "", rng.integers(0, 9, count), rng.integers(1, 31, count)).astype(float)
    r = np.where(rng.random(count) < 0.5, rng.integers(100, 2701, count), rng.uniform(100, 2700, count).round(2))
    played = np.arange(7) < rng.integers(1, 8, count)[:, None]
    some = rng.choice([100.0, 400, 800, 1200, 1600], (count, 7))
    any_ = rng.uniform(100, 2700, (count, 7)).round(2)
    opponents = np.where(rng.random((count, 7)) < 0.6, some, any_)
    mode = rng.integers(0, 3, (count, 1))
    scores = np.where(mode == 0, 1.0, np.where(mode == 1, 0.0, rng.choice([0, 0.5, 1], (count, 7))))
    n_eff = formulas.effective_games(n, r, BOOK.effective)
    opponents, scores = (np.where(played, values, np.nan) for values in (opponents, scores))
    return r, n_eff, kind == "won", kind == "lost", opponents, scores


def closed_form(r, n_eff, won_all, lost_all, opponents, scores):
    player, game = np.nonzero(~np.isnan(opponents))
    given = opponents[player, game], scores[player, game]
    return formulas.special(r, n_eff, won_all, lost_all, player, *given, BOOK.special)


def test_the_closed_form_is_the_published_iteration():
    """60,000 random cases. The walk stops within 1e-7 of a point of score, up to 2e-4 of a rating point here."""
    cases = random_cases(60_000)
    assert np.abs(closed_form(*cases) - walk(*cases)).max() < 2e-4


def test_the_iteration_must_not_start_at_the_quick_guess():
    """The old provisional formula is a wrong start where N' is 0: another end of the flat stretch comes out."""
    r, opponents, scores = np.array([1500.0]), np.array([[200.0, 600, 1600]]), np.array([[1.0, 1, 0]])
    none, no = np.array([0.0]), np.array([False])
    guess = (none * r + opponents.sum() + 400 * (2 * scores.sum() - 3)) / (none + 3)
    assert closed_form(r, none, no, no, opponents, scores) == 1200 == walk(r, none, no, no, opponents, scores)
    # from the guess the walk reaches the stretch from below and stops at its lower end, 1000
    assert guess[0] < 1000 and walk(r, none, no, no, opponents, scores, begin=guess)[0] != 1200


def test_players_do_not_touch_each_other():
    """All players at once give the same bits as each by itself, in any order of the rows."""
    rng = np.random.default_rng(3)
    players, rows = 40, 300
    r, n = rng.uniform(100, 2700, players).round(2), rng.integers(0, 9, players).astype(float)
    player = np.sort(rng.integers(0, players, rows))
    r_opp, score = rng.uniform(100, 2700, rows).round(2), rng.choice([0, 0.5, 1], rows)
    no = np.zeros(players, bool)
    together = formulas.special(r, n, no, no, player, r_opp, score, BOOK.special)
    for who in range(players):
        mine = player == who
        alone = one(r[who], n[who], list(zip(r_opp[mine], score[mine], strict=True)))
        assert together[who] == alone
