"""Figures that the field's explanations and calculators print, asked of the command. Sources stand at the tests."""

import pytest

ELO = "--system elo"


# --- plain Elo: public explanations ----------------------------------------------------------------------------------


def test_1600_beats_1400(outcome):
    found = outcome(f"{ELO} --own 1600 --opponent 1400 --k 20 --score 1")
    assert (found["expected"], found["change"], found["new"]) == (0.7597, 4.81, 1604.81)


def test_1400_beats_1600(outcome):
    found = outcome(f"{ELO} --own 1400 --opponent 1600 --k 20 --score 1")
    assert (found["change"], found["new"]) == (15.19, 1415.19)


def test_equals_draw(outcome):
    assert outcome(f"{ELO} --own 1500 --opponent 1500 --k 20 --score 0.5")["change"] == 0


def test_1500_against_1650_all_three_results(ask):
    found = ask(f"game {ELO} --own 1500 --opponent 1650 --k 20 --decimals 1")
    assert round(found["expected"], 3) == 0.297
    assert [row["change"] for row in found["outcomes"]] == [14.1, 4.1, -5.9]


def test_1613_beats_1609(outcome):
    found = outcome(f"{ELO} --own 1613 --opponent 1609 --k 32 --score 1 --decimals 0")
    assert (found["change"], found["new"], found["opponent_change"], found["opponent_new"]) == (16, 1629, -16, 1593)


def test_300_above(ask):
    found = ask(f"game {ELO} --own 1800 --opponent 1500 --k 20")
    assert round(found["expected"], 3) == 0.849
    assert [found["outcomes"][i]["change"] for i in (0, 2)] == [3.02, -16.98]


def test_a_draw_1200_below_at_k_40(outcome):
    """The same game by the curve with the 400-point limit, without it, and by FIDE's table."""
    game = "--own 1400 --opponent 2600 --k 40 --score 0.5"
    assert outcome(f"{ELO} {game} --limit 400")["change"] == 16.36
    assert outcome(f"{ELO} {game}")["change"] == 19.96
    found = outcome(game)
    assert (found["change"], found["rounded"]) == (16.8, 17)


@pytest.mark.parametrize(
    ("gap", "percent"), [(0, 50), (50, 57), (100, 64), (200, 76), (300, 85), (400, 91), (600, 97), (800, 99)]
)
def test_gap_table_of_the_curve(ask, gap, percent):
    row = next(row for row in ask("table")["table"] if row["gap"] == gap)
    assert round(100 * row["curve_higher"]) == percent
    assert row["curve_lower"] == pytest.approx(1 - row["curve_higher"])
    assert row["upset_curve"] == pytest.approx(20 * row["curve_higher"], abs=0.006)


@pytest.mark.parametrize(
    ("gap", "higher"),
    [(0, 0.50), (50, 0.57), (100, 0.64), (150, 0.70), (200, 0.76), (300, 0.85), (400, 0.92), (750, 1.0)],
)
def test_gap_table_of_fide(ask, gap, higher):
    """Table 8.1.2. At 400 the curve says .91."""
    row = next(row for row in ask("table --k 40")["table"] if row["gap"] == gap)
    assert (row["fide_higher"], row["upset_fide"]) == (higher, pytest.approx(40 * higher))


@pytest.mark.parametrize(("opponent", "change"), [(1700, 15.19), (1500, 10.0), (1300, 4.81)])
def test_what_a_win_is_worth_at_k_20(outcome, opponent, change):
    assert outcome(f"{ELO} --own 1500 --opponent {opponent} --k 20 --score 1")["change"] == change


# --- FIDE: single games (FIDE's calculator, and the regulation where that is out of date) ----------------------------


@pytest.mark.parametrize(
    ("own", "opponent", "score", "k", "change"),
    [
        (2003, 2000, 1, 10, 5),
        (2004, 2000, 1, 10, 4.9),
        (2011, 2000, 1, 10, 4.8),
        (2206, 2000, 1, 10, 2.4),
        (2207, 2000, 1, 10, 2.3),
        (2391, 2000, 1, 10, 0.9),
        (2392, 2000, 1, 10, 0.8),
        (1656, 2000, 0, 10, -1.2),
        (1655, 2000, 0, 10, -1.1),
        (2649, 2149, 1, 10, 0.8),  # limited
        (2650, 2150, 1, 10, 0.4),  # the regulation since October 2025
        (2700, 1964, 1, 10, 0),
        (2700, 1900, 0, 10, -10),
        (2200, 2700, 0, 20, -1.6),  # an opponent from 2650 up does not lift the own limit
        (1500, 2000, 0.5, 20, 8.4),
        (2000, 2092, 0.5, 30, 3.9),
        (1500, 1900, 1, 40, 36.8),
        (1500, 2900, 1, 40, 36.8),
        (2600, 2500, 1, 10, 3.6),
        (2600, 2500, 0.5, 10, -1.4),
        (2600, 2500, 0, 10, -6.4),
        (1650, 1720, 1, 20, 12.0),
    ],
)
def test_fide_games(outcome, own, opponent, score, k, change):
    found = outcome(f"--own {own} --opponent {opponent} --score {score} --k {k}")
    assert found["change"] == change


def test_1650_beats_1720(outcome):
    found = outcome("--own 1650 --opponent 1720 --score 1 --k 20")
    assert (found["expected"], found["rounded"], found["new"]) == (0.40, 12, 1662)


@pytest.mark.parametrize(("day", "change"), [("2025-09-30", 0.8), ("2025-10-01", 0.4)])
def test_the_start_of_the_event_picks_the_rule(outcome, day, change):
    """8.3.1 as amended: the limit fell for players from 2650 up in events that start on 1 October 2025 or later."""
    assert outcome(f"--own 2650 --opponent 2150 --score 1 --k 10 --date {day}")["change"] == change


@pytest.mark.parametrize(
    ("own", "opponent", "change"), [(2700, 2100, None), (2600, 2000, 0.8), (2700, 2200, 0.8), (2700, 2101, 0.8)]
)
def test_rapid_games_600_apart(ask, own, opponent, change):
    """Rapid and blitz 7.3.1 since December 2024: not rated if one is above 2600 and they are 600 or more apart."""
    found = ask(f"game --type rapid --own {own} --opponent {opponent} --score 1 --k 10")
    assert found.get("status") == (None if change else "too_far")
    assert not change or found["outcomes"][0]["change"] == change


# --- FIDE: events ----------------------------------------------------------------------------------------------------


def test_the_event_of_the_1850_player(ask):
    """A public explanation: 2.88 expected, +.62, +12.4, 1862; two games against unrated opponents are left out."""
    found = ask("event --own 1850 --k 20 1720:1 2015:0 1905:= 1420:1 1790:1 unrated:1 unrated:0")
    assert (found["n"], found["expected"], found["dr"], found["change"]) == (5, 2.88, 0.62, 12.4)
    assert (found["rounded"], found["new"]) == (12, 1862)
    assert [game["change"] for game in found["games"]] == [6.4, -5.6, 1.6, 1.6, 8.4, None, None]
    assert any("2 games against unrated" in note for note in found["notes"])


def test_the_opponents_of_1650(ask):
    """1650, K 20: .56/-1.2, .32/-6.4, .65/+7.0 and 1720 beaten."""
    found = ask("event --own 1650 --k 20 1720:1 1607:0.5 1783:0 1540:1")
    assert [game["change"] for game in found["games"]] == [12.0, -1.2, -6.4, 7.0]
    assert found["change"] == 11.4


@pytest.mark.parametrize(
    ("k", "n", "reduced"),
    [(40, 17, 40), (40, 18, 38), (40, 20, 35), (20, 35, 20), (20, 36, 19), (10, 70, 10), (10, 71, 9)],
)
def test_k_times_n(ask, k, n, reduced):
    """8.3.3: K x n is at most 700."""
    found = ask(f"event --own 1800 --k {k} " + "1800:= " * n)
    assert (found["k_base"], found["k"]) == (k, reduced)


def test_eleven_wins_800_and_more_below(ask):
    assert ask("event --own 2800 --k 10 " + "1800:1 " * 11)["change"] == 0


def test_own_rating_before_differs(ask):
    """A published period: games at 2418, base 2436, -17.50 becomes -18 (8.3.4: away from zero)."""
    games = "2418:0 2418:0 2418:0 2411:0.5 2418:0.5 2421:= 2418:= 2500:= 2418:0"
    found = ask(f"event --own 2418 --base 2436 --k 10 {games}")
    assert found["new"] == 2436 + found["rounded"]
    assert found["rounded"] == -int(abs(found["change"]) + 0.5)


def test_what_the_floor_does(ask):
    """1401, K 40, loses to 1800: -3.2 -> 1398, unrated on the next list (7.2.1)."""
    found = ask("event --own 1401 --k 40 1800:0")
    assert (found["change"], found["new"]) == (-3.2, 1398)
    assert any("unrated on the list" in note for note in found["notes"])


@pytest.mark.parametrize("calculator", ["event --own 1850 --k 20 1300:1 1720:1", "initial 1300:1 1720:1"])
def test_an_opponent_below_the_floor_counts_as_unrated(ask, calculator):
    found = ask(calculator)
    assert found["n"] == 1
    assert any("below the floor of 1400" in note for note in found["notes"])


# --- K by the rule (8.3.3) -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "k"),
    [
        ("--own 1850", 20),
        ("--own 1850 --games 29", 40),
        ("--own 1850 --games 30", 20),
        ("--own 1850 --birth-year 2007", 40),  # 18 in 2025
        ("--own 1850 --birth-year 2006", 20),
        ("--own 2299 --birth-year 2010 --peak 2300", 20),
        ("--own 2350 --peak 2400", 10),
        ("--own 2400", 10),
        ("--own 2400 --games 5", 10),
    ],
)
def test_k_by_the_rule(ask, facts, k):
    found = ask(f"game {facts} --opponent 2000")
    assert found["k"] == k
    assert found["k_clause"].startswith("8.3.3")


def test_a_junior_of_2008_keeps_40_through_december(ask):
    game = "game --own 1850 --opponent 1850 --birth-year 2008"
    assert ask(f"{game} --date 2026-12-20")["k"] == 40  # the list of December 2026 said so
    assert ask(f"{game} --date 2027-01-05")["k"] == 20


# --- FIDE: first ratings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "average", "p", "dp", "rating"),
    [
        ("1850:1 1650:1 1720:= 1580:1 1500:0 1600:0", 1687.5, 0.56, 43, 1731),  # a public explanation
        ("1902:= 1877:= 1884:1 2012:0 1832:1", 1872.43, 0.57, 50, 1922),  # published by FIDE
        ("1800:1 " * 5, 1800, 0.86, 309, 2109),
        ("2400:1 2400:1 2400:1 2400:0 2400:0", 2228.57, 0.57, 50, 2200),
        ("2000:1 2000:1 2000:1 2000:0 2000:0", 1942.86, 0.57, 50, 1993),
        ("1600:1 1600:0 1600:0 1600:0 1600:0", 1657.14, 0.29, -158, 1499),
        ("1700:1 1700:1 1700:1 1700:1 1700:0 1700:0", 1725, 0.63, 95, 1820),  # p .625 goes up
        ("1700:1 1700:1 1700:0 1700:0 1700:0 1700:0", 1725, 0.38, -87, 1638),
    ],
)
def test_first_ratings(ask, games, average, p, dp, rating):
    """8.2.3: two draws against 1800 are added."""
    found = ask(f"initial {games}")
    assert (found["average"], found["p"], found["dp"], found["initial"]) == (average, p, dp, rating)
    assert found["outcome"] == "published"


def test_what_is_missing(ask):
    found = ask("initial 1800:1 1800:= 1800:1 1800:1")
    assert (found["outcome"], found["games_missing"]) == ("too_few_games", 1)
    found = ask("initial 1400:= 1400:0 1400:0 1400:0 1400:0")
    assert (found["initial"], found["outcome"]) == (1284, "below_floor")
    assert ask("initial 1800:0 1800:0")["outcome"] == "no_score"


def test_a_first_rating_of_2023(ask):
    """Until February 2024: the mean, 20 more for each half point above 50 %."""
    found = ask("initial 1902:= 1877:= 1884:1 2012:0 1832:1 --date 2023-05-10")
    assert (found["average"], found["dp"], found["initial"]) == (1901.4, 20, 1921)  # FIDE's calculator says so


# --- performance -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "linear", "fide", "true"),
    [("1 1 1 0", 2050, 2043, 2058.50), ("1 1 0 0", 1850, 1850, 1850), ("1 1 1 1", 2250, 2650, None)],
)
def test_performances(ask, scores, linear, fide, true):
    """Against 1700, 1800, 1900, 2000. At 100 % linear with FIDE's extremes is FIDE's."""
    pairs = zip((1700, 1800, 1900, 2000), scores.split(), strict=True)
    found = ask("performance " + " ".join(f"{r}:{s}" for r, s in pairs))
    assert found["average"] == 1850
    values = [found[f"performance_{name}"] for name in ("linear", "fide", "true")]
    assert values == [linear, fide, true]
    assert found["performance_linear_fide"] == (fide if scores == "1 1 1 1" else linear)
    assert found["linear_rule"] == ("fide_extremes" if scores == "1 1 1 1" else "linear")


def test_one_win_over_1600(ask):
    found = ask("performance 1600:1")
    assert (found["performance_linear"], found["performance_fide"]) == (2000, 2400)


def test_four_and_a_half_of_eight(ask):
    """p = .5625 goes to .56, dp 43; five of eight to .63, dp 95."""
    assert ask("performance " + "1500:1 " * 4 + "1500:= " + "1500:0 " * 3)["performance_fide"] == 1543
    assert ask("performance " + "1500:1 " * 5 + "1500:0 " * 3)["performance_fide"] == 1595


# --- US Chess (Glickman and Doan 2025; Glickman's approximating formulas; published results) --------------------------

USCF = "--system uschess"


def test_effective_games(ask):
    assert ask(f"game {USCF} --own 1700 --games 30 --opponent 1700")["effective_games"] == 20.0118


@pytest.mark.parametrize(("day", "new"), [("2023-06-01", 1464.80), ("2025-11-15", 1468.80)])
def test_standard_formula_with_bonus(ask, day, new):
    found = ask(f"event {USCF} --own 1300 --games 45 1250:1 1400:1 1500:1 1550:= --date {day}")
    assert (found["formula"], found["new"]) == ("standard_formula", new)
    assert any("estimate" in note for note in found["notes"])


def test_special_formula(ask):
    found = ask(f"event {USCF} --own 1500 --games 6 1400:1 1550:0 1650:=")
    assert (found["formula"], found["new"], found["published"]) == ("special", 1511.11, 1511)


def test_published_result(ask):
    found = ask(f"event {USCF} --own 554.22 499.22:1 494.53:1 142.69:1")
    assert (found["k"], found["new"]) == (pytest.approx(66.5013), pytest.approx(656.85, abs=0.011))
    assert (found["expected"], found["bonus"]) == (2.0780, pytest.approx(41.315, abs=0.006))


def test_published_result_without_bonus(ask):
    games = "694.62:1 813.33:1 590.87:1 805.57:1 599.78:1:E 508.06:1 816.01:0 797.91:0 658.29:0 599.78:0:E"
    found = ask(f"event {USCF} --own 787.25 {games}")
    assert (found["k"], found["expected"], found["bonus"]) == (39.6427, 6.2689, 0)
    assert found["new"] == pytest.approx(776.59, abs=0.011)


def test_no_bonus_for_three_games_with_one_opponent_twice(ask):
    games = "2000:1:Ann 2000:1:Bob 2000:1:{}"
    assert ask(f"event {USCF} --own 1500 {games.format('Ann')}")["bonus"] == 0
    assert ask(f"event {USCF} --own 1500 {games.format('Cyd')}")["bonus"] > 0


def test_dual_rated(ask):
    assert ask(f"event {USCF} --own 2300 --games 20 --dual 2300:= 2300:= 2300:= 2300:=")["k"] == 25


def test_floors(ask):
    found = ask(f"event {USCF} --own 1710 --peak 1941 1700:0 1700:0 1700:0 1700:0")
    assert (found["floor"], found["new"]) == (1700, 1700)
    found = ask(f"event {USCF} --own 100 --games 3 --wins 0 --draws 0 --events 0 1700:0 1700:0 1700:0")
    assert (found["floor"], found["new"]) == (101, 101)  # published: a newcomer with three losses ends at 101


@pytest.mark.parametrize(
    ("facts", "start"),
    [
        ("--fide 1500", 1277),
        ("--fide 1800", 1747),
        ("--fide 2200", 2264),
        ("--cfc 1500", 1270),
        ("--cfc 1800", 1682),
        ("--adult", 1300),
        ("", 750),
    ],
)
def test_start_ratings(ask, facts, start):
    assert ask(f"initial {USCF} {facts} 1500:1")["start"] == start


def test_start_by_age(ask):
    found = ask(f"initial {USCF} --birth-date 2010-11-15 1500:= --date 2025-11-15")
    assert found["start_by_age"] == pytest.approx(750, abs=0.2)
    assert found["new"] == 1500  # no earlier games: one draw ends at the opponent's rating
