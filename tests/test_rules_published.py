"""Published figures under the book of their time: a book is the only thing that differs (issue 4, acceptance 1 and 3).

The events of 2008 to 2010 and FIDE's online calculators, which still compute by older rules (published/README.md).
"""

import csv
import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest
from cases import months

from ratingrun import periods, pipeline, rulebooks

HERE = Path(__file__).parent / "published"
RESULT = {"1": "1-0", "=": "=", "0": "0-1"}


def read(name):
    with (HERE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def hundredths(text):
    value = Decimal(text) * 100
    assert value == int(value), text
    return int(value)


def only(frame, **where):
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1, where
    return frame.iloc[0]


def run(period, lists, events, **more):
    month = pipeline.run(months.inputs(period, lists, events, **more))
    assert not month.stopped
    assert month.rejected.empty, month.rejected["text"].tolist()
    return month.frames


# --- events of 2009 and 2010, as rated then --------------------------------------------------------------------------

# The earlier three are of lists before the first book and prove its arithmetic only. Not all months are printed: each
# event is run as one of March 2010.
OLDER = {"G101", "G102", "G103"}
EVENTS = read("events_2008_2010.csv")


@pytest.mark.parametrize("row", EVENTS, ids=lambda row: row["case"])
def test_events_under_the_book_of_2009(row):
    """Through the whole pipeline under fide-standard-2009-07: expected score and change as printed."""
    opponents, results = row["opponents"].split(), row["results"].split()
    games = "\n".join(f"P {RESULT[result]} {rating}" for rating, result in zip(opponents, results, strict=True))
    event = {"id": "E", "start": "2010-03-06", "end": "2010-03-14", "games": games}
    listed = {"P": {"rating": int(row["r"]), "k": int(row["k"]), "peak": max(int(row["r"]), 2400 * (row["k"] == "10"))}}
    lists = {"2010-03": listed}
    frames = run("2010-05", lists, [event])
    assert set(frames["sides"]["book"]) == {"fide-standard-2009-07"}
    change = only(frames["event_changes"], player_id="P")
    assert change["we_c"] == hundredths(row["we"])
    assert change["change_c"] == hundredths(row["change"])
    if row["case"] in OLDER:  # arithmetic only: played before the book
        with pytest.raises(rulebooks.RuleBookError, match="the first is in force from 2009-07-01"):
            rulebooks.in_force("fide_standard", dt.date(2008, 10, 1))


# --- the online calculator of changes: the plain 400-point rule ------------------------------------------------------


@pytest.mark.parametrize("row", read("calculator_changes.csv"), ids=lambda row: row["id"])
@pytest.mark.parametrize(("period", "column"), [("2025-10", "before_october_2025"), ("2025-11", "change")])
def test_the_stale_calculator_of_changes(row, period, column):
    """One game, once under the book with which the calculator is stale and once under the next: the same input."""
    start = periods.list_date(periods.shift(period, -1))
    event = {"id": "E", "start": f"{start:%Y-%m}-04", "end": f"{start:%Y-%m}-05", "time_control": "120+30"}
    event["games"] = f"P {RESULT[row['result']]} O"
    listed = {"P": {"rating": int(row["r"]), "k": int(row["k"]), "peak": 2900}, "O": int(row["r_opp"])}
    frames = run(period, {periods.shift(period, -1): listed}, [event])
    assert only(frames["changes"], player_id="P")["change_c"] == hundredths(row[column])


# --- the online calculator of first ratings: half points of 20 -------------------------------------------------------


@pytest.mark.parametrize("row", read("online_calculator_initial.csv"), ids=lambda row: row["id"])
@pytest.mark.parametrize(("period", "column"), [("2024-02", "fide"), ("2024-03", "rule_2024")])
def test_the_stale_calculator_of_first_ratings(row, period, column):
    wins, draws = int(float(row["w"])), int(float(row["w"]) % 1 * 2)
    losses = int(row["n"]) - wins - draws
    games = [(result, count) for result, count in (("1-0", wins), ("=", draws), ("0-1", losses)) if count]
    before = periods.shift(period, -1)
    event = {"id": "E", "start": f"{before}-10", "end": f"{before}-14"}
    event["games"] = "\n".join(f"New {result} {row['rc']} x{count}" for result, count in games)
    frames = run(period, {before: {}}, [event])
    assert only(frames["initials"], player_id="New")["ru"] == int(row[column])


# --- 1 March 2024 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rating_type", "system"),
    [("standard", "fide_standard"), ("rapid", "fide_rapid_blitz"), ("blitz", "fide_rapid_blitz")],
)
def test_ratings_below_2000_are_raised_on_all_three_lists(rating_type, system):
    """1000 -> 1400, 1500 -> 1700, 1601 -> 1761, 1999 -> 1999, 2000 unchanged."""
    listed = {"A": 1000, "B": 1500, "C": 1601, "D": 1999, "E": 2000, "F": 1700, "G": 1998, "U": {"rating": None}}
    frames = run("2024-03", {"2024-02": listed}, [], no_games=True, rating_type=rating_type, system=system)
    ratings = frames["rating_list"].set_index("player_id")["rating"]
    assert ratings[list("ABCDEFG")].tolist() == [1400, 1700, 1761, 1999, 2000, 1820, 1999]
    assert ratings.isna()["U"]
    trail = only(frames["trail"], player_id="B")
    assert (trail["entry"], trail["amount"], trail["book"]) == ("one_off", 200, "fide-one-off-2024-03")
    assert "E" not in set(frames["trail"]["player_id"])
    next_month = run("2024-04", {"2024-03": listed}, [], no_games=True, rating_type=rating_type, system=system)
    assert next_month["trail"].empty or "one_off" not in set(next_month["trail"]["entry"])


def test_games_come_before_the_one_off_and_the_floor_after_it():
    """1500 wins against 1500: +.50 x 20 = 10, 1510 + .4 x 490 = 1706. 1001 loses to 1001: 991, raised to 1395 (403.6),
    below 1400: unrated from the new floor on."""
    lists = {"2024-02": {"A": 1500, "B": 1500, "C": 1001, "D": 1001}}
    event = {"id": "E", "start": "2024-02-10", "end": "2024-02-11", "games": "A 1-0 B\nC 0-1 D"}
    frames = run("2024-03", lists, [event])
    rows = frames["trail"]
    entries = [(one.entry, one.amount) for one in rows[rows["player_id"] == "A"].itertuples()]
    assert entries == [("change", 10), ("one_off", 196)]
    entries = [(one.entry, one.amount) for one in rows[rows["player_id"] == "C"].itertuples()]
    assert entries == [("change", -10), ("one_off", 404), ("floor", -1395)]


# --- what 2009 to 2022 had of its own --------------------------------------------------------------------------------


def test_greatest_difference_of_a_tournament():
    """2022: of +500, +450 and -420 only +500 counts as 400 (8.3.1); PD(450) = .93, PD(-420) = .08 by the table."""
    event = {"id": "E", "start": "2023-10-07", "end": "2023-10-08", "games": "P 1-0 1500\nP 1-0 1550\nP = 2420"}
    frames = run("2023-11", {"2023-10": {"P": 2000}}, [event])
    sides = frames["sides"][frames["sides"]["player_id"] == "P"].sort_values("round")
    assert sides["d"].tolist() == [400, 450, -420]
    others = frames["sides"][frames["sides"]["player_id"] != "P"]
    assert others["d"].abs().tolist() == [400, 400, 400]  # the only game of each opponent


def test_equal_differences_the_earliest_round_is_the_greatest():
    event = {"id": "E", "start": "2023-10-07", "end": "2023-10-08", "games": "P 1-0 1500 x2"}
    frames = run("2023-11", {"2023-10": {"P": 2000}}, [event])
    sides = frames["sides"][frames["sides"]["player_id"] == "P"].sort_values("round")
    assert sides["d"].tolist() == [400, 500]


def test_k_of_the_start_until_2021():
    """2009: K is the one of the list at the tournament's start. K 25 in March, 15 in May; a game in each, +.50."""
    lists = {
        "2010-03": {"P": {"rating": 2000, "k": 25}, "O": 2000},
        "2010-05": {"P": {"rating": 2000, "k": 15}, "O": 2000},
    }
    events = [
        {"id": "E1", "start": "2010-04-28", "end": "2010-05-05", "games": "P 1-0 O"},
        {"id": "E2", "start": "2010-06-05", "end": "2010-06-06", "games": "P 1-0 O"},
    ]
    frames = run("2010-07", lists, events)
    assert frames["event_changes"].query("player_id == 'P'")["k"].tolist() == [25, 15]
    change = only(frames["changes"], player_id="P")
    assert (change["change_c"], change["change"]) == (25 * 50 + 15 * 50, 20)


def test_a_two_monthly_list_closes_a_week_before():
    lists = {"2010-03": {"A": 2000, "B": 2000}}
    events = [
        {"id": "in", "start": "2010-04-20", "end": "2010-04-24", "games": "A = B"},
        {"id": "out", "start": "2010-04-20", "end": "2010-04-25", "games": "A 1-0 B"},
    ]
    frames = run("2010-05", lists, events)
    status = frames["tournaments"].set_index("tournament_id")["status"]
    assert (status["in"], status["out"]) == ("used", "waiting")


@pytest.mark.parametrize(
    ("start", "end", "period", "unit"),
    [("2010-03-06", "2010-03-14", "2010-05", 12.5), ("2013-01-05", "2013-01-13", "2013-02", 15)],
)
def test_half_points_of_12_5_and_15(start, end, period, unit):
    """9 games against 2000, 5 points: half a point above 50 % (one half point): 2000 + 12.5 -> 2013; 2000 + 15."""
    event = {"id": "E", "start": start, "end": end, "games": "New 1-0 2000 x5\nNew 0-1 2000 x4"}
    before = str(rulebooks.list_before(rulebooks.Chapter("fide_standard"), period))[:7]
    frames = run(period, {before: {}}, [event])
    assert only(frames["initials"], player_id="New")["ru"] == {12.5: 2013, 15: 2015}[unit]


def test_nine_games_and_blocks_of_three_until_2014():
    """An event with two games against rated opponents does not count; eight games are too few."""
    events = [
        {"id": "E1", "start": "2013-01-05", "end": "2013-01-06", "games": "New 1-0 2000 x2"},
        {"id": "E2", "start": "2013-01-12", "end": "2013-01-20", "games": "New = 2000 x8"},
    ]
    frames = run("2013-02", {"2013-01": {}}, events)
    first = only(frames["initials"], player_id="New")
    assert (first["n"], first["outcome"]) == (8, "too_few_games")


@pytest.mark.parametrize(
    ("start", "end", "period", "games"),
    [
        ("2013-01-05", "2013-01-06", "2013-02", 0),  # below one point: void until 2014
        ("2015-01-05", "2015-01-06", "2015-02", 3),  # half a point is enough since
    ],
)
def test_points_that_an_event_needs(start, end, period, games):
    event = {"id": "E", "start": start, "end": end, "games": "New = 2000\nNew 0-1 2000 x2"}
    frames = run(period, {periods.shift(period, -1): {}}, [event])
    assert only(frames["initials"], player_id="New")["n"] == games


@pytest.mark.parametrize(("period", "refused"), [("2021-12", True), ("2022-02", False)])
def test_a_round_robin_with_newcomers_is_refused_before_2022(period, refused):
    """Two passes whose formula is not sourced: never invented (R115)."""
    before = periods.shift(period, -1)
    event = {"id": "E", "system": "round_robin", "start": f"{before}-06", "end": f"{before}-14"}
    event["games"] = "New 1-0 A\nNew = B\nA = B"
    month = pipeline.run(months.inputs(period, {before: {"A": 2000, "B": 2000}}, [event]))
    assert month.rejected["code"].tolist() == ["R115"] * refused
    if refused:
        assert "(New)" in month.rejected["text"].iloc[0]
        assert "not sourced" in month.rejected["text"].iloc[0]


def test_a_round_robin_of_rated_players_is_rated_at_all_times():
    event = {"id": "E", "system": "round_robin", "start": "2015-01-06", "end": "2015-01-14", "games": "A 1-0 B"}
    frames = run("2015-02", {"2015-01": {"A": 2000, "B": 2000}}, [event])
    assert only(frames["changes"], player_id="A")["change"] == 10


@pytest.mark.parametrize(
    ("day", "born", "games", "peak", "k"),
    [
        ("2013-02-01", 1998, 100, 2000, 15),  # no junior rule
        ("2015-02-01", 1998, 100, 2000, 40),  # 17 in that year
        ("2015-02-01", 1997, 100, 2000, 20),  # 18 in that year: only the year is known
        ("2018-02-01", 2000, 100, 2000, 40),  # to the end of the year
        ("2013-02-01", 1980, 29, 2450, 30),  # 30 games are asked of K 10
        ("2013-02-01", 1980, 30, 2450, 10),
        ("2013-08-01", 1980, 29, 2450, 10),  # no longer, since 1 July 2013
        ("2010-05-01", 1980, 10, 2000, 25),
    ],
)
def test_k_through_time(day, born, games, peak, k):
    listed = {"P": {"rating": peak, "peak": peak, "birth_year": born, "games_total": games, "k": 15}}
    before = str(rulebooks.list_before(rulebooks.Chapter("fide_standard"), day[:7]))[:7]
    frames = run(day[:7], {before: listed}, [], no_games=True)
    assert only(frames["rating_list"], player_id="P")["k"] == k
