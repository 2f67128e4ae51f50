"""Rapid and blitz: seeds from the standard list, 600 points, times and clocks (fide-rules 3; issue 4, acceptance 6)."""

import datetime as dt
import json
from dataclasses import replace

import pandas as pd
import pytest
from cases import months
from click.testing import CliRunner

from ratingrun import cli, periods, pipeline, rulebooks

DAY = {"start": "2025-10-11", "end": "2025-10-12", "time_control": "15+10"}


def month(period, rapid, standard, events, rating_type="rapid", **more):
    """A month of a rapid (blitz) list. `rapid`, `standard`: {period: {player: rating or columns}}."""
    inputs = months.inputs(period, rapid, events, system="fide_rapid_blitz", rating_type=rating_type, **more)
    seeds = {
        periods.list_date(of): months.rating_list(listed, periods.list_date(of)) for of, listed in standard.items()
    }
    register = inputs.register.assign(rating_type=rating_type)
    done = pipeline.run(replace(inputs, register=register, seeds=seeds))
    assert not done.stopped, done.findings["text"].tolist()
    return done


def row(done, frame, **where):
    rows = done.frames[frame]
    for name, value in where.items():
        rows = rows[rows[name] == value]
    assert len(rows) == 1, (frame, where, len(rows))
    return rows.iloc[0]


def trail(done, player):
    rows = done.frames["trail"]
    return [(one.entry, one.amount, one.after) for one in rows[rows["player_id"] == player].itertuples()]


# --- seeds -----------------------------------------------------------------------------------------------------------

LISTS = {"2025-09": {"Old": 1800}, "2025-10": {"Old": 1800}}


def test_seed_from_the_standard_list_in_force_at_the_start_never_a_newer_one():
    """New has no rapid rating. September list 1700, October list 1900: an event of 27 September uses 1700 (A12)."""
    event = {"id": "E", "start": "2025-09-27", "end": "2025-10-05", "time_control": "15+10", "games": "New 1-0 Old"}
    standard = {"2025-09": {"New": 1700}, "2025-10": {"New": 1900}}
    done = month("2025-11", LISTS, standard, [event])
    side = row(done, "sides", player_id="New")
    # D -100: PD .36, +.64 x 40 = 25.6 = +26
    assert (side["r"], side["d"], side["dr_c"], side["outcome"], side["reason"]) == (1700, -100, 64, "rated", "seeded")
    assert trail(done, "New") == [("seed", 1700, 1700), ("change", 26, 1726)]
    listed = row(done, "rating_list", player_id="New")
    assert (listed["rating"], listed["games"], listed["games_total"], listed["k"]) == (1726, 1, 1, 40)
    # The opponent's game counts: D +100, PD .64, -.64 x 20 = -12.8 = -13.
    assert row(done, "changes", player_id="Old")["change"] == -13


def test_a_seeded_player_is_published_at_once_with_k_as_new():
    """One game is enough (A12); K 40 although the standard rating is 2450: nothing was published on this list."""
    done = month(
        "2025-11", {"2025-10": {"Old": 2400}}, {"2025-10": {"New": 2450}}, [{"id": "E", **DAY, "games": "New = Old"}]
    )
    change = row(done, "changes", player_id="New")
    assert (change["ro"], change["k"], change["k_clause"]) == (2450, 40, "7.3.3 new")
    assert change["dr_c"] == -7  # D 50: PD .57
    assert row(done, "rating_list", player_id="New")["rating"] == 2447  # 40 x -.07 = -2.8
    assert row(done, "rating_list", player_id="New")["k"] == 10  # 2447 is published now


def test_the_first_event_of_the_period_gives_the_base():
    """1700 in the event of September, 1900 in that of October: each game with its own, the sum added to 1700 (A12)."""
    events = [
        {"id": "E1", "start": "2025-09-27", "end": "2025-10-05", "time_control": "15+10", "games": "New = Old"},
        {"id": "E2", **DAY, "games": "New = Old"},
    ]
    done = month("2025-11", LISTS, {"2025-09": {"New": 1700}, "2025-10": {"New": 1900}}, events)
    # +.14 (D -100) and -.14 (D +100)
    assert [row(done, "sides", player_id="New", tournament_id=name)["dr_c"] for name in ("E1", "E2")] == [14, -14]
    assert trail(done, "New") == [("seed", 1700, 1700), ("change", 0, 1700)]


def test_a_seeded_player_who_leaves_before_the_list():
    """New enters with 1700, wins against 1800 (D -100: +.64 x 40 = +26) and is withdrawn before the list: the ledger
    says all three, the opponent's game counts, nobody else moves."""
    event = DAY | {"id": "E", "games": "New 1-0 Old"}
    lists = {"2025-10": {"Old": 1800, "Zoe": 1500}}
    gone = {"player_id": "New", "date": "2025-10-20", "status": "withdrawn"}
    done = month("2025-11", lists, {"2025-10": {"New": 1700}}, [event], players=[gone])
    steps = [(entry, amount) for entry, amount, _ in trail(done, "New")]
    assert steps == [("seed", 1700), ("change", 26), ("removed", -1726)]
    assert row(done, "changes", player_id="Old")["change"] == -13
    assert done.frames["rating_list"]["player_id"].tolist() == ["Old", "Zoe"]
    assert done.findings.loc[done.findings["code"] == "L302", "player_id"].tolist() == ["New"]
    assert trail(done, "Zoe") == []


def test_what_the_standard_list_says_of_a_new_player_is_all_carried_over():
    """The list shows the titles (6.1.2): the women's, the arbiter's and the arena title too."""
    titles = {"title": "WFM", "w_title": "WFM", "o_title": "IA", "foa_title": "AGM"}
    done = month("2025-11", LISTS, {"2025-10": {"New": {"rating": 1800} | titles}},
                 [{"id": "E", **DAY, "games": "New = Old"}])  # fmt: skip
    assert row(done, "rating_list", player_id="New")[list(titles)].to_dict() == titles


def test_the_year_of_birth_on_the_own_list_gives_the_k_of_a_seeded_player():
    """Ann stands on the rapid list, unrated, with 100 games, born in 1990: K 20 (7.3.3), whatever the standard list
    says of her birth. +.36 (D 100) x 20 = 7.2; with the junior's K 40 it would be 14."""
    rapid = {"2025-10": {"Old": 1800, "Ann": {"rating": None, "games_total": 100, "birth_year": 1990}}}
    standard = {"2025-10": {"Ann": {"rating": 1900, "birth_year": 2009}}}
    done = month("2025-11", rapid, standard, [{"id": "E", **DAY, "games": "Ann 1-0 Old"}])
    assert row(done, "changes", player_id="Ann")[["k_base", "change"]].tolist() == [20, 7]


def test_without_a_standard_rating_the_first_rating_is_as_in_the_standard_list():
    """7.2.3: 5 games, 3 points against 1800, two draws against 1800: p 4/7 = .57, dp 50: 1850."""
    games = "New 1-0 1800 x2\nNew = 1800 x2\nNew 0-1 1800"
    done = month("2025-11", {"2025-10": {}}, {"2025-10": {"Other": 1500}}, [{"id": "E", **DAY, "games": games}])
    assert row(done, "initials", player_id="New")["ru"] == 1850
    assert trail(done, "New") == [("initial", 1850, 1850)]


def test_a_rapid_rating_is_its_own_whatever_the_standard_list_says():
    done = month("2025-11", {"2025-10": {"Ann": 1500, "Old": 1500}}, {"2025-10": {"Ann": 2400}},
                 [{"id": "E", **DAY, "games": "Ann 1-0 Old"}])  # fmt: skip
    assert row(done, "sides", player_id="Ann")["r"] == 1500
    assert trail(done, "Ann") == [("change", 10, 1510)]  # K of the rapid list, 20 x .50


def test_a_missing_standard_list_rejects_the_report():
    done = month("2025-11", {"2025-10": {"Old": 1800}}, {}, [{"id": "E", **DAY, "games": "New = Old"}])
    assert done.rejected["code"].tolist() == ["R116"]
    assert "the standard list of 2025-10" in done.rejected["text"].iloc[0]


def test_the_silent_values_of_a_seed_are_named():
    done = month("2025-11", LISTS, {"2025-10": {"New": 1900}}, [{"id": "E", **DAY, "games": "New = Old"}])
    notes = " ".join(done.findings.loc[done.findings["code"] == "B301", "text"])
    for key in ("seed.base", "seed.k", "seed.publish"):
        assert f"fide-rapid-blitz-2024-12: {key} = " in notes


def test_a_newcomer_of_march_2024_gets_no_one_off():
    """The text is silent: a named value of the one-off (transform.first_ratings)."""
    event = {"id": "E", "start": "2024-02-10", "end": "2024-02-11", "games": "New = Old"}
    done = month("2024-03", {"2024-02": {"Old": 1500}}, {"2024-02": {"New": 1500}}, [event])
    assert trail(done, "New") == [("seed", 1500, 1500), ("change", 0, 1500)]
    assert trail(done, "Old") == [("change", 0, 1500), ("one_off", 200, 1700)]
    assert "transform.first_ratings = not_applied" in " ".join(done.findings["text"])


# --- 400 and 600 points ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "ratings", "d"),
    [
        ("2024-12-01", (2700, 2100), None),  # 600 itself, one above 2600: not rated, for either
        ("2024-11-30", (2700, 2100), 400),  # before
        ("2024-12-01", (2600, 2000), 400),  # 2600 is not above 2600
        ("2024-12-01", (2601, 2001), None),
        ("2024-12-01", (2601, 2002), 400),  # 599
        ("2024-12-01", (2700, 2200), 400),  # capped for both: no exemption from 2650 up in this chapter
        ("2025-11-30", (2700, 2200), 400),
    ],
)
def test_600_points(start, ratings, d):
    day = dt.date.fromisoformat(start)
    of, period = periods.of_date(day), periods.shift(periods.of_date(day), 1)
    listed = {"High": {"rating": ratings[0], "k": 10}, "Low": ratings[1]}
    prior = periods.shift(period, -1)
    event = {
        "id": "E",
        "start": start,
        "end": str(day),
        "time_control": "15+10",
        "fide_official": True,
        "games": "High 1-0 Low",
    }
    if day.day == 30:  # the last day is after the closing day
        event["fide_official"] = True
    lists = {of: listed, prior: listed}
    done = month(period, lists, {of: {"Somebody": 2000}}, [event])
    for player, sign in (("High", 1), ("Low", -1)):
        side = row(done, "sides", player_id=player)
        if d is None:
            assert (side["outcome"], side["reason"]) == ("none", "too_far_apart")
        else:
            assert (side["outcome"], side["d"]) == ("rated", sign * d)
    if d is None:
        assert not len(done.frames["changes"])
        assert done.findings["code"].tolist().count("S312") == 2


# --- times and clocks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rating_type", "time_control", "rated"),
    [
        ("rapid", "10", False),  # more than ten minutes
        ("rapid", "10+1", True),
        ("rapid", "59", True),
        ("rapid", "60", False),  # less than sixty
        ("rapid", "45+15", False),
        ("blitz", "3", False),  # more than three
        ("blitz", "3+1", True),
        ("blitz", "3+2", True),
        ("blitz", "10", True),  # at most ten
        ("blitz", "10+1", False),
        ("rapid", "15+10|15+10", True),
        ("rapid", "15+10|20+10", False),  # both players have the same time
        ("blitz", "5|4", False),
    ],
)
def test_times_and_clocks(rating_type, time_control, rated):
    event = {"id": "E", **DAY, "time_control": time_control, "games": "Ann = Bob"}
    done = month("2025-11", {"2025-10": {"Ann": 1800, "Bob": 1700}}, {"2025-10": {}}, [event], rating_type)
    side = row(done, "sides", player_id="Ann")
    assert (side["outcome"], side["reason"] if not rated else None) == (
        ("rated", None) if rated else ("none", "time_control")
    )
    if not rated:
        assert set(done.findings["code"]) & {"S310", "S311"} == {"S310" if "|" in time_control else "S311"}


def test_a_long_event_needs_no_parts():
    """The 30 days of the standard list are not in this chapter."""
    event = {"id": "E", "start": "2025-09-05", "end": "2025-10-25", "time_control": "15+10", "games": "Ann = Bob"}
    lists = {of: {"Ann": 1800, "Bob": 1800} for of in ("2025-09", "2025-10")}
    done = month("2025-11", lists, {"2025-09": {}}, [event])
    assert row(done, "sides", player_id="Ann")["outcome"] == "rated"


def test_no_rule_of_2650_in_this_chapter():
    for book in rulebooks.books("fide_rapid_blitz"):
        assert book.game.max_difference_below.value > 4000


# --- through files and commands --------------------------------------------------------------------------------------


def test_a_rapid_list_from_files(tmp_path):
    """adopt, run and verify: the standard list of October is read beside the rapid one and named in the manifest."""
    (tmp_path / "standard.csv").write_text(
        "player_id,name,federation,rating,k,birth_year,games_total\n01,Ann,ZZZ,2000,20,1990,90\n02,Bob,ZZZ,1900,20,1990,90\n"
    )
    (tmp_path / "rapid.csv").write_text(
        "player_id,name,federation,rating,k,birth_year,games_total\n01,Ann,ZZZ,1800,20,1990,90\n"
    )
    (tmp_path / "register.csv").write_text(
        "tournament_id,file,rating_type,system,start,end,time_control\nR1,quick.csv,rapid,swiss,2025-10-04,2025-10-04,15+10\n"
    )
    (tmp_path / "reports/2025-11").mkdir(parents=True)
    (tmp_path / "reports/2025-11/quick.csv").write_text("start_no,player_id,round_1\n1,01,2w1\n2,02,1b0\n")
    lines = [
        "adopt standard.csv --period 2025-10",
        "adopt rapid.csv --period 2025-10 --type rapid",
        "run 2025-11 --type rapid",
    ]
    for line in lines:
        result = CliRunner().invoke(cli.group, [*line.split(), "-C", str(tmp_path)])
        assert result.exit_code == 0, result.output
    folder = tmp_path / "lists/2025-11-rapid"
    listed = pd.read_parquet(folder / "rating_list.parquet").set_index("player_id")
    # Ann 1800 beats Bob, who comes with 1900: +.64 x 20 = 12.8; Bob -.64 x 40 = -25.6
    assert listed["rating"].tolist() == [1813, 1874]
    assert listed.loc["02", ["name", "k", "games_total"]].tolist() == ["Bob", 40, 1]  # known from the standard list
    sources = json.loads((folder / "manifest.json").read_text("utf-8"))["sources"]
    assert [one["folder"] for one in sources["seeds"]] == ["2025-10-standard"]
    result = CliRunner().invoke(cli.group, ["verify", str(folder)])
    assert result.exit_code == 0, result.output
