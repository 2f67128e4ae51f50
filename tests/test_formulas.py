"""The arithmetic of FIDE's Rating Regulations B.02. Expected values: the printed tables, FIDE's published figures and
long-hand arithmetic, never our code. Section numbers F-..., 5.x: the figures under tests/published."""

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest

from ratingrun import formulas, rulebooks

BOOK = rulebooks.books(rulebooks.FIDE_STANDARD)[-1]  # as amended from 1 October 2025
BEFORE = rulebooks.books(rulebooks.FIDE_STANDARD)[-2]
TABLES = Path(rulebooks.__file__).parent


def printed(name):
    """The rows of a table as printed."""
    with (TABLES / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def pd_c(d, book=BOOK):
    """PD in hundredths of one difference."""
    return int(formulas.scoring_probability_c(np.array([d]), *book.pd_table)[0])


# --- table 8.1.2: PD from the difference -----------------------------------------------------------------------------


def test_table_812_has_51_rows_without_a_gap_rising_by_one_hundredth():
    rows = printed("pd.csv")
    assert len(rows) == 51
    assert rows[0]["d_min"] == "0"
    assert rows[-1]["d_max"] == ""  # over 735
    for row, following in itertools.pairwise(rows):
        assert int(row["d_min"]) <= int(row["d_max"])
        assert int(following["d_min"]) == int(row["d_max"]) + 1
    high = [round(float(row["pd_high"]) * 100) for row in rows]
    assert high == list(range(50, 101))
    assert [round(float(row["pd_low"]) * 100) for row in rows] == [100 - h for h in high]


def test_every_row_of_table_812_at_both_its_edges_and_for_both_signs():
    """H where the difference is positive, L = 1 - H where it is negative (8.1.2)."""
    for row in printed("pd.csv"):
        high, low = round(float(row["pd_high"]) * 100), round(float(row["pd_low"]) * 100)
        for d in (int(row["d_min"]), int(row["d_max"] or 3000)):
            assert pd_c(d) == high
            assert pd_c(-d) == (low if d else high)


def test_table_812_is_symmetric_and_never_falls():
    d = np.arange(-1500, 1501)
    values = formulas.scoring_probability_c(d, *BOOK.pd_table)
    assert (values + values[::-1] == 100).all()
    assert (np.diff(values) >= 0).all()
    assert values.min() == 0
    assert values.max() == 100


@pytest.mark.parametrize(
    ("d", "expected"),
    # Edges that public copies get wrong (fide-rules 2): .98 still at 610, rows 122-129 and 236-245; and 400 is .92,
    # where the logistic curve says .91.
    [(610, 98), (619, 98), (620, 99), (735, 99), (736, 100), (121, 66), (122, 67), (129, 67), (130, 68), (235, 79),
     (236, 80), (400, 92), (-400, 8), (344, 88), (345, 89), (0, 50), (3, 50), (4, 51), (-3, 50), (-4, 49)],
)  # fmt: skip
def test_pd_of_a_difference(d, expected):
    assert pd_c(d) == expected


# --- table 8.1.1: dp from the share of the points --------------------------------------------------------------------


def test_table_811_has_101_rows_symmetric_and_rising():
    rows = printed("dp.csv")
    assert [row["p"] for row in rows] == [f"{p / 100:.2f}" for p in range(100, -1, -1)]
    dp = [int(row["dp"]) for row in rows]
    assert dp == sorted(dp, reverse=True)
    assert len(set(dp)) == 101
    assert [-value for value in reversed(dp)] == dp
    assert (dp[0], dp[50], dp[100]) == (800, 0, -800)


def test_the_book_reads_every_row_of_table_811():
    expected = {round(float(row["p"]) * 100): int(row["dp"]) for row in printed("dp.csv")}
    assert dict(enumerate(BOOK.dp_by_p.tolist())) == expected


def test_the_two_tables_agree():
    """dp(p) for p >= .5 lies inside the row of table 8.1.2 with H = p (fide-rules 2)."""
    for p_c in range(50, 100):
        assert pd_c(int(BOOK.dp_by_p[p_c])) == p_c


# --- rounding: one place, .5 away from zero (8.3.4) ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change_c", "expected"),
    # -2.50, -17.50 and -22.50 are FIDE's own (F-P01, F-M20, F-M47); the sums of F-M05, F-M45, F-M51 stand below.
    [(-250, -3), (-1750, -18), (-2250, -23), (-540, -5), (3860, 39), (4320, 43),
     (50, 1), (-50, -1), (49, 0), (-49, 0), (51, 1), (150, 2), (250, 3), (350, 4), (-150, -2), (-350, -4),
     (0, 0), (149, 1), (-149, -1), (100, 1), (-100, -1), (1240, 12)],
)  # fmt: skip
def test_a_change_is_rounded_half_away_from_zero(change_c, expected):
    assert formulas.round_half_away(np.array([change_c])).tolist() == [expected]


def test_rounding_is_symmetric_and_exact_on_every_half():
    whole = np.arange(0, 40_000)
    halves = whole * 100 + 50
    assert (formulas.round_half_away(halves) == whole + 1).all()
    assert (formulas.round_half_away(-halves) == -whole - 1).all()
    assert (formulas.round_half_away(halves - 1) == whole).all()
    assert formulas.round_half_away(halves).dtype == "int64"


def test_division_with_the_half_up_and_the_half_down():
    numerator = np.array([5, 6, 7, 14, 15])  # over 4: 1.25 1.5 1.75 3.5 3.75
    assert formulas.divide_half_up(numerator, 4).tolist() == [1, 2, 2, 4, 4]
    assert formulas.divide_half_down(numerator, 4).tolist() == [1, 1, 2, 3, 4]


# --- the 400-point rule and its exception from 2650 up (8.3.1) -------------------------------------------------------


def difference(own, opponent, book=BOOK):
    game = book.game
    d = formulas.limited_difference(
        np.array([own - opponent]), np.array([own]), game.max_difference.value, game.max_difference_below.value
    )
    return int(d[0])


@pytest.mark.parametrize(
    ("own", "opponent", "expected"),
    [
        (2000, 1600, 400),
        (2000, 1599, 400),
        (2000, 1601, 399),
        (1600, 2001, -400),
        (2649, 2149, 400),
        (2650, 2150, 500),  # exactly 2650: the true difference
        (2813, 1787, 1026),  # F-P01: the true difference
        (2813, 2400, 413),
        (2400, 2813, -400),  # F-P02: the same game from the other side, by his own rating
        (2200, 2700, -400),  # the opponent's 2650 lifts nothing
        (2813, 2505, 308),
        (2505, 2813, -308),
    ],
)
def test_the_own_rating_decides_whether_400_points_are_the_limit(own, opponent, expected):
    assert difference(own, opponent) == expected


@pytest.mark.parametrize(("own", "opponent", "expected"), [(2813, 1787, 400), (2650, 2150, 400), (2000, 1500, 400)])
def test_until_30_september_2025_the_limit_held_for_everybody(own, opponent, expected):
    assert difference(own, opponent, BEFORE) == expected


def test_under_the_limit_the_extremes_are_92_and_8():
    assert pd_c(difference(1900, 1400)) == 92
    assert pd_c(difference(1400, 1900)) == 8


# --- K x n (8.3.3) ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "n", "expected"),
    [(40, 17, 40), (40, 18, 38), (40, 20, 35), (20, 35, 20), (20, 36, 19), (20, 39, 17), (10, 70, 10), (10, 71, 9),
     (40, 1, 40), (40, 35, 20), (20, 70, 10)],
)  # fmt: skip
def test_k_is_the_largest_whole_number_with_k_n_within_700(k, n, expected):
    assert formulas.reduced_k(np.array([k]), np.array([n]), BOOK.period.max_kn.value).tolist() == [expected]


# --- first rating (8.2.3) --------------------------------------------------------------------------------------------


def first_rating(opponents, score_c, ties="half_up"):
    initial = BOOK.initial
    result = formulas.initial_rating(
        np.array([len(opponents)]),
        np.array([score_c]),
        np.array([sum(opponents)]),
        initial.draws.value,
        initial.draws_against.value,
        BOOK.dp_by_p,
        ties,
    )
    return {name: int(values[0]) for name, values in result.items()}


def test_first_rating_as_published_by_fide():
    """F-N01: (9507 + 3600) / 7 = 1872.43; 4 of 7 = .571 -> .57 -> +50; 1922."""
    result = first_rating([1902, 1877, 1884, 2012, 1832], 300)
    assert result == {"ra_c": 187243, "p_c": 57, "dp": 50, "ru": 1922}


def test_first_rating_that_falls_on_a_half():
    """3.5 of 6 with two draws: Ra 13500 / 8 = 1687.5; 4.5 of 8 = .5625 -> .56 -> +43; 1730.5 -> 1731 (A5)."""
    result = first_rating([1850, 1650, 1720, 1580, 1500, 1600], 350)
    assert result == {"ra_c": 168750, "p_c": 56, "dp": 43, "ru": 1731}


@pytest.mark.parametrize(
    ("opponents", "score_c", "ru"),
    # fide-rules 5.5, before the cap of 2200 and the minimum of 1400
    [
        ([1800] * 5, 500, 2109),
        ([2500] * 5, 500, 2609),
        ([2400] * 5, 300, 2279),
        ([2100] * 5, 500, 2323),
        ([2000] * 5, 300, 1993),
        ([2000] * 5, 200, 1893),
        ([2000] * 5, 250, 1943),
        ([1600] * 5, 100, 1499),
        ([1657] * 5, 300, 1748),
        ([1800] * 7, 400, 1843),
        ([1400] * 5, 50, 1284),
        ([2000] * 4 + [2002] * 2, 300, 1951),
        ([1800] * 5, 250, 1800),
        ([1800] * 7, 250, 1720),
    ],
)
def test_first_rating(opponents, score_c, ru):
    assert first_rating(opponents, score_c)["ru"] == ru


@pytest.mark.parametrize(
    ("score_c", "half_up", "half_down"),
    [(400, (63, 1820), (62, 1812)), (200, (38, 1638), (37, 1630))],  # 5 of 8 = .625, 3 of 8 = .375 (A4)
)
def test_a_share_between_two_hundredths_goes_where_the_book_says(score_c, half_up, half_down):
    for ties, expected in (("half_up", half_up), ("half_down", half_down)):
        result = first_rating([1700] * 6, score_c, ties)
        assert (result["p_c"], result["ru"]) == expected


def test_the_added_draws_keep_the_share_away_from_its_ends():
    """With two draws p is never 0 or 1, so that dp = +-800 cannot be reached (fide-rules 1.8)."""
    for n in range(1, 60):
        assert 0 < first_rating([1800] * n, 0)["p_c"] < first_rating([1800] * n, 100 * n)["p_c"] < 100


# --- no float anywhere -----------------------------------------------------------------------------------------------


def test_every_result_is_an_integer():
    d, k, n = np.array([12, -500]), np.array([20, 40]), np.array([9, 40])
    assert formulas.limited_difference(d, d, 400, 2650).dtype.kind == "i"
    assert formulas.scoring_probability_c(d, *BOOK.pd_table).dtype.kind == "i"
    assert formulas.reduced_k(k, n, 700).dtype.kind == "i"
    result = formulas.initial_rating(n, n * 50, n * 1800, 2, 1800, BOOK.dp_by_p)
    assert {name: values.dtype.kind for name, values in result.items()} == dict.fromkeys(result, "i")
