"""audit LIST_A LIST_B: planted faults of every class are found and nothing else; a clean pair gives nothing.

The lists are invented. Figures: FIDE Rating Regulations from 1 October 2025 (bound: K x n <= 700, .92 a game below
2650, 1.00 from there; floor 1400; first ratings from 5 games, 2200 at most; K by 8.3.3).
"""

import json

import folders
import numpy as np
import pandas as pd
import pytest

from ratingrun.audit import lists, report

A, B = "2025-10", "2025-11"
COLUMNS = ("player_id", "name", "rating", "k", "games", "birth_year", "flag")
Nothing = None


def table(rows):
    """A list as `list_tables.read` gives it."""
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    for name in ("rating", "k", "games", "birth_year"):
        frame[name] = frame[name].astype("Int64")
    return frame.assign(active=pd.array([pd.NA] * len(frame), "boolean"))


def clean(count=300, seed=5):
    """Two lists that follow the rules: adults with K 20 and 10, juniors and others with K 40, unrated, newcomers."""
    random = np.random.default_rng(seed)
    first, second = {}, {}
    for number in range(count):
        player = f"{number:05d}"
        kind = number % 10
        born = 2010 if kind in (7, 8) else 1985
        top = kind == 6
        rating = int(random.integers(2420, 2640) if top else random.integers(1500, 2250))
        k = 10 if top else 40 if kind in (7, 8, 9) else 20
        games = int(random.choice([0, 0, 3, 7, 9, 17]))
        most = k * games * 92 // 100
        change = int(random.integers(-most, most + 1)) if games else 0
        change = max(min(change, 2390 - rating), 1410 - rating) if not top else max(change, 2401 - rating)
        flag = "i" if games == 0 and kind == 1 else Nothing
        first[player] = [player, f"P {player}", rating, k, 0, born, flag]
        second[player] = [player, f"P {player}", rating + change, k, games, born, flag]
    for number in range(20):
        player = f"n{number:03d}"
        games = 5 + number % 6
        if number % 2:
            first[player] = [player, f"N {player}", Nothing, Nothing, 0, 1990, Nothing]
        second[player] = [player, f"N {player}", 1500 + 30 * number, 40, games, 1990, Nothing]
    return first, second


# What is planted: player -> (what stands in list A, what stands in list B, the code that must be found).
# rating, k, games, birth year, flag
FAULTS = {
    "f01": ((1800, 20, 4, 1980, None), (1801, 20, 0, 1980, None), "A101"),  # no game, +1
    "f02": ((1900, 10, 0, 1980, None), (1700, 10, 0, 1980, None), "A101"),  # no game, -200
    "f03": ((1800, 20, 0, 1980, None), (1893, 20, 5, 1980, None), "A102"),  # 5 x 20 x .92 = 92
    "f04": ((1800, 40, 0, 1990, None), (1616, 40, 4, 1990, None), "A102"),  # 4 x 40 x .92 = 147.2
    "f05": ((2660, 10, 0, 1980, None), (2700, 10, 3, 1980, None), "A102"),  # 3 x 10 x 1.00 = 30
    "f06": ((1800, 20, 0, 1980, None), (2450, 10, 40, 1980, None), "A102"),  # K 17 at 40 games: 625.6
    "f07": ((1800, 20, 0, 1980, None), (1810, 40, 5, 1980, None), "A103"),  # K up
    "f08": ((2380, 10, 0, 1980, None), (2380, 20, 0, 1980, None), "A103"),  # 10 is for good
    "f09": ((2390, 20, 0, 1980, None), (2390, 10, 0, 1980, None), "A104"),  # never reached 2400
    "f10": ((1700, 40, 0, 2010, None), (1710, 20, 5, 2010, None), "A201"),  # a junior below 2300
    "f11": ((1700, 40, 0, 1990, None), (1700, 20, 0, 1990, None), "A104"),  # 30 games without a game
    "f12": ((2395, 20, 0, 1980, None), (2405, 20, 5, 1980, None), "A105"),  # reached 2400, K stays
    "f13": ((1410, 20, 0, 1980, None), (1395, 20, 5, 1980, None), "A110"),  # below the floor
    "f14": (None, (1390, 40, 6, 1990, None), "A110"),  # a newcomer below it
    "f15": (None, (1600, 40, 4, 1990, None), "A111"),  # four games
    "f16": ((None, None, 0, 1990, None), (1600, 40, 0, 1990, None), "A111"),  # none
    "f17": (None, (2201, 40, 9, 1990, None), "A112"),  # above the cap
    "f18": (None, (1600, 10, 6, 1990, None), "A113"),  # a new id never had 2400
    "f19": (None, (1600, 20, 6, 2010, None), "A113"),  # a new junior with K 20
    "f20": ((1800, 20, 0, 1980, "i"), (1805, 20, 4, 1980, "i"), "A114"),  # inactive with games
    "f21": ((1800, 20, 0, 1980, "i"), (1800, 20, 0, 1980, None), "A115"),  # active again without
    "f22": ((1800, 20, 6, 1980, None), (1800, 20, 0, 1980, "i"), "A116"),  # played last month
    "f23": ((1800, 20, 0, 1980, None), None, "A120"),  # vanished
    "f24": ((1900, 20, 0, 1980, None), (None, None, 2, 1980, None), "A121"),  # cannot fall below 1400
    "f25": ((1800, 20, 0, 1980, None), (1800, None, 0, 1980, None), "A123"),  # no K
    "f26": ((1800, 20, 0, 1980, None), (1800, 15, 0, 1980, None), "A124"),  # no such K
}


def planted():
    first, second = clean()
    for player, (a, b, _) in FAULTS.items():
        for rows, said in ((first, a), (second, b)):
            if said:
                rows[player] = [player, f"F {player}", *said]
    return first, second


def check(first, second, **more):
    return lists.check(table(first.values()), table(second.values()), A, B, **more)


def test_a_clean_pair_gives_nothing():
    assert check(*clean()).empty


def test_every_planted_fault_is_found_and_nothing_else():
    found = check(*planted())
    assert set(zip(found["player_id"], found["code"], strict=True)) == {
        (player, code) for player, (_, _, code) in FAULTS.items()
    }
    assert len(found) == len(FAULTS) >= 25
    assert set(found["severity"]) == {"error", "warning"}


def test_a_row_shows_the_figures_that_were_broken():
    found = check(*planted()).set_index("player_id")
    assert found.loc["f03", ["rating_a", "rating_b", "change", "limit", "games", "k_a"]].tolist() == [
        1800, 1893, 93, 92, 5, 20,
    ]  # fmt: skip
    assert found.loc["f06", "limit"] == 626
    assert found.loc["f05", "limit"] == 30
    assert "possible: 20" in found.loc["f07", "text"]
    assert found.loc["f17", "limit"] == 2200


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((1800, 20, 0, 1980, None), (1892, 20, 5, 1980, None)),  # the bound itself
        ((2660, 10, 0, 1980, None), (2630, 10, 3, 1980, None)),  # from 2650 a whole point a game
        ((2390, 20, 0, 1980, None), (2402, 10, 5, 1980, None)),  # 20 -> 10 by reaching 2400
        ((2200, 40, 0, 1990, None), (2405, 10, 9, 1990, None)),  # 40 -> 10
        ((2290, 40, 0, 2010, None), (2310, 20, 5, 2010, None)),  # a junior reaches 2300
        ((2290, 40, 0, 2010, None), (2310, 40, 5, 2010, None)),  # and has less than 30 games
        ((1700, 40, 0, 1990, None), (1710, 20, 5, 1990, None)),  # 30 games are full
        ((1800, 20, 0, 1990, None), (1800, 40, 0, 2010, None)),  # another birth year: a junior
        ((1800, 20, 0, None, None), (1800, 20, 0, 1980, None)),  # the birth year was not known
        ((1410, 20, 0, 1980, None), (None, None, 5, 1980, None)),  # fell below the floor
        ((None, None, 0, 1980, None), (1500, 20, 6, 1980, None)),  # re-entry with the games of before
        ((None, None, 0, 1980, None), (1500, 10, 6, 1980, None)),  # and a peak of before
        ((1800, 20, 0, 1980, "i"), (1804, 20, 2, 1980, None)),  # active again by games
        ((1800, 20, 0, 1980, None), (1800, 20, 0, 1980, "i")),  # a year without
        (None, (2200, 40, 5, 1990, None)),  # the cap itself
    ],
)
def test_what_is_possible_is_no_finding(a, b):
    first, second = clean(50)
    for rows, said in ((first, a), (second, b)):
        if said:
            rows["x"] = ["x", "X", *said]
    assert check(first, second).empty


def test_the_year_end_of_a_junior():
    """Born 2007: K 40 through the list of December 2025 and 20 from January 2026, without a game (fide-rules 1.6)."""
    first = table([["1", "A", 1800, 40, 0, 2007, None], ["2", "B", None, None, 0, 2007, None]])
    second = table([["1", "A", 1800, 20, 0, 2007, None], ["2", "B", None, None, 0, 2007, None]])
    assert lists.check(first, second, "2025-12", "2026-01").empty
    assert lists.check(first, second, "2025-11", "2025-12")["code"].tolist() == ["A201"]


def test_a_list_of_the_rated_only_does_not_show_who_fell():
    """K x n 700 x .92 = 644: who has 2044 or more cannot have fallen below 1400."""
    first = table(
        [["1", "A", 2043, 20, 0, 1980, None], ["2", "B", 2044, 20, 0, 1980, None], ["3", "C", 1500, 20, 0, 1980, None]]
    )
    second = table([["3", "C", 1500, 20, 0, 1980, None]])
    found = lists.check(first, second, A, B).set_index("player_id")["code"]
    assert found.dropna().loc[["1", "2"]].to_dict() == {"1": "A301", "2": "A120"}


def test_a_games_column_that_cannot_be_believed_is_one_finding():
    """fide-history 12: April 2004, all zeros."""
    first, second = clean(100)
    for row in second.values():
        row[4] = 0
    for row in list(second.values())[:30]:
        row[2] += 3
    assert check(first, second)["code"].tolist() == ["A130"]


def test_a_list_that_is_not_whole_is_said():
    """fide-history 12: the file of January 2002."""
    first, second = clean(100)
    second = dict(list(second.items())[:20])
    found = check(first, second)
    assert "A131" in set(found["code"]) and found["code"].isin(["A120", "A301"]).sum() == 80


def test_rapid_and_blitz_players_may_come_in_by_their_standard_rating():
    first, second = clean(50)
    second["x"] = ["x", "X", 2310, 40, 1, 1990, None]
    assert check(first, second, rating_type="rapid").empty


# --- the big one -----------------------------------------------------------------------------------------------------


def big(players=254_784, idle=26_641, beyond=65):
    """A list pair of the size of a real one that was replaced later, invented: some changed without games, some beyond
    the bound; and the pair as it must have been."""
    random = np.random.default_rng(11)
    rating = random.integers(1450, 2350, players)
    games = random.choice([0, 0, 4, 6, 9], players)
    k = np.where(np.arange(players) % 5 == 0, 40, 20)
    most = (k * games * 92 + 50) // 100
    change = np.round(random.uniform(-0.5, 0.5, players) * most).astype(int)
    change = np.maximum(change, 1401 - rating)
    change = np.minimum(change, 2390 - rating) * (games > 0)
    ids = np.char.zfill(np.arange(players).astype(str), 8)
    base = {"player_id": ids, "name": ids, "birth_year": pd.array([1990] * players, "Int64"), "flag": None}
    active = {"active": pd.array([pd.NA] * players, "boolean")}

    def one(ratings, played):
        figures = {"rating": ratings, "k": k, "games": played}
        return pd.DataFrame({**base, **{n: pd.array(v, "Int64") for n, v in figures.items()}, **active})

    right = one(rating + change, games)
    wrong = rating + change
    wrong[np.flatnonzero(games == 0)[:idle]] += 7
    few = np.flatnonzero((games == 4) & (rating < 2000))[:beyond]
    wrong[few] = rating[few] + most[few] + 1
    return one(rating, np.zeros(players, int)), one(wrong, games), right


def test_a_replaced_list_and_its_corrected_version_at_full_size():
    """Invented: 26,641 changed without games, 65 beyond the bound; none in the corrected list."""
    first, replaced, corrected = big()
    counts = lists.check(first, replaced, A, B)["code"].value_counts().to_dict()
    assert counts == {"A101": 26_641, "A102": 65}
    assert lists.check(first, corrected, A, B).empty


# --- the command -----------------------------------------------------------------------------------------------------


def written(path, rows):
    table(rows.values()).drop(columns="active").to_csv(path, index=False)
    return path


def test_the_command_and_its_files(tmp_path):
    first, second = planted()
    a = written(tmp_path / "2025-10.csv", first)
    b = written(tmp_path / "standard_nov25frl.csv", second)
    for suffix in ("csv", "json", "parquet"):
        done = folders.command("audit", a, b, "--out", tmp_path / f"found.{suffix}")
        assert done.code == 4, done.err
    assert "A102 error" in done.out and "f23" in done.out
    rows = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert len(rows) == len(FAULTS) == len(pd.read_parquet(tmp_path / "found.parquet"))
    assert len(pd.read_csv(tmp_path / "found.csv")) == len(FAULTS)
    assert folders.command("audit", a, b, "--out", tmp_path / "found.xls").code == 2


def test_a_clean_pair_is_exit_0(tmp_path):
    first, second = clean()
    a, b = written(tmp_path / "2025-10.csv", first), written(tmp_path / "2025-11.csv", second)
    done = folders.command("audit", a, b)
    assert (done.code, done.out.splitlines()[-1]) == (0, "Nothing found.")


def test_an_id_that_stands_twice_is_a_finding(tmp_path):
    first, second = clean()
    a, b = written(tmp_path / "2025-10.csv", first), written(tmp_path / "2025-11.csv", second)
    text = b.read_text("utf-8")
    b.write_text(text + text.splitlines()[1] + "\n", "utf-8")
    done = folders.command("audit", a, b)
    assert done.code == 4 and "A122" in done.out and "00000" in done.out


def test_periods_must_be_known_and_follow_each_other(tmp_path):
    first, second = clean(20)
    a, b = written(tmp_path / "2025-09.csv", first), written(tmp_path / "2025-11.csv", second)
    done = folders.command("audit", a, b)
    assert done.code == 1 and "2025-10" in done.err
    nameless = written(tmp_path / "list.csv", second)
    assert "--period" in folders.command("audit", a, nameless).err
    assert folders.command("audit", a, tmp_path / "none.csv", "--period", "2025-10").code == 1
    assert folders.command("audit", a).code == 2


def test_run_folders_can_be_audited(month):
    assert month.run().code == 0
    done = folders.command("audit", month.path / "lists/2025-10-standard", month.path / "lists/2025-11-standard")
    assert (done.code, done.out.splitlines()[-1]) == (0, "Nothing found."), done.out


@pytest.mark.parametrize(
    ("name", "period"),
    [
        ("2025-11.csv", "2025-11"),
        ("standard_nov25frl.txt", "2025-11"),
        ("rapid_apr14frl.xml", "2014-04"),
        ("list_20251101.csv", None),
        ("2025-13.csv", None),
    ],
)
def test_the_period_that_a_file_name_says(name, period):
    assert report.period_of(name) == period
