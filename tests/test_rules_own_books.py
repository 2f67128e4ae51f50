"""A federation's own rule books: found, used, kept; two-monthly lists, a curve, the average opponent (issue 4, 4)."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import months
from click.testing import CliRunner

from ratingrun import cli, formulas, pipeline, rulebooks
from ratingrun.cli import exits
from ratingrun.stages import basis

PERIOD_KEYS = {
    f"period.{name}"
    for name in ("months", "first_month", "closing_days", "official_closing_days", "late_lists", "max_kn")
} | {"period.rounding", "period.floor"}
SAMPLE = Path(__file__).parent.parent / "sample_data" / "state_league"


def command(*arguments):
    """Exit code, stdout, stderr of a command."""
    runner = CliRunner()
    result = runner.invoke(cli.group, [str(one) for one in arguments])
    return result.exit_code, result.stdout, result.stderr + str(result.exception or "")


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    """The working folder of the league with its two lists made."""
    root = tmp_path_factory.mktemp("corvania") / "league"
    shutil.copytree(SAMPLE, root)
    for line in ("adopt lists_source/2025-05.csv --period 2025-05", "run 2025-07", "run 2025-09"):
        code, _, err = command(*line.split(), "-C", root)
        assert code == exits.DONE, err
    return root


def frame(root, period, name):
    return pd.read_parquet(root / "lists" / f"{period}-standard" / f"{name}.parquet")


def test_the_lists_of_the_readme(league):
    july = frame(league, "2025-07", "rating_list").set_index("player_id")
    assert july.loc[["C001", "C003"], "rating"].tolist() == [2188, 1629]
    assert july.loc[["C001", "C003"], "k"].tolist() == [20, 40]
    september = frame(league, "2025-09", "rating_list").set_index("player_id")
    assert september.loc["C007", ["rating", "k", "games"]].tolist() == [1550, 40, 5]


def test_the_curve_counts_in_ten_thousandths_against_the_average(league):
    """1 / (1 + 10 ^ (-400/400)) = .9091; 2190 against an average of 1650, at most 400."""
    sides = frame(league, "2025-07", "sides").query("player_id == 'C001'")
    assert sides["d"].tolist() == [400, 400, 400]
    assert sides["pd_c"].tolist() == [9091, 9091, 9091]
    assert set(sides["scale"]) == {10000}
    change = frame(league, "2025-07", "changes").set_index("player_id").loc["C001"]
    assert (change["dr_c"], change["change_c"], change["scale"], change["change"]) == (25000 - 27273, -22730, 10000, -2)
    later = frame(league, "2025-09", "sides")
    assert set(later["scale"].dropna()) == {100}  # table 8.1.2 again


def test_the_books_used_are_kept_and_named(league):
    folder = league / "lists/2025-09-standard"
    kept = folder / "inputs/rulebooks/corvania/2025-07-01.toml"
    assert kept.read_bytes() == (SAMPLE / "rulebooks/corvania/2025-07-01.toml").read_bytes()
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["rule_books"] == ["corvania-2025-07"]
    july = json.loads((league / "lists/2025-07-standard/manifest.json").read_text("utf-8"))
    assert july["rule_books"] == ["corvania-2023-01", "corvania-2025-07"]


def test_a_recorded_run_is_verified_with_its_own_books(league, tmp_path):
    """The kept books are used, not those that lie in the working folder by then."""
    moved = tmp_path / "elsewhere"
    shutil.copytree(league / "lists", moved)
    code, out, err = command("verify", moved / "2025-09-standard")
    assert code == exits.DONE, out + err
    code, out, err = command("verify", moved / "2025-05-standard")
    assert code == exits.DONE, out + err


def test_what_a_run_rests_on_stands_in_the_manifest_as_in_the_summary(league):
    folder = league / "lists/2025-07-standard"
    rests_on = json.loads((folder / "manifest.json").read_text("utf-8"))["rests_on"]
    summary = " ".join((folder / "summary.txt").read_text("utf-8").split())
    assert [one["key"] for one in rests_on] == ["game.effective_by"]
    for one in rests_on:
        assert f"{one['book']}: {one['key']} = {one['value']}" in summary
        assert one["confidence"] == "C"
        assert one["figures"] > 0


def test_no_list_in_an_even_month(league):
    code, _, err = command("run", "2025-10", "-C", league)
    assert code == exits.STOPPED
    assert "corvania: there is no list of 2025-10: lists come every 2 months" in err


def test_the_folder_may_be_given(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "league")
    shutil.move(tmp_path / "league/rulebooks", tmp_path / "statutes")
    arguments = ("adopt", "lists_source/2025-05.csv", "--period", "2025-05", "-C", tmp_path / "league")
    code, out, err = command(*arguments, "--rulebooks", tmp_path / "statutes")
    assert code == exits.DONE, out + err
    manifest = json.loads((tmp_path / "league/lists/2025-05-standard/manifest.json").read_text("utf-8"))
    assert manifest["rule_books"] == ["corvania-2023-01"]
    again = ("adopt", "lists_source/2025-05.csv", "--period", "2025-07", "-C", tmp_path / "league")
    code, _, err = command(*again, "--rulebooks", tmp_path / "league")
    assert code != exits.DONE
    assert "no rule books" in err


def test_other_lists_keep_the_rules_of_fide():
    assert rulebooks.chapter("standard", SAMPLE / "rulebooks") == ("corvania", SAMPLE / "rulebooks")
    assert rulebooks.chapter("rapid", SAMPLE / "rulebooks") == ("fide_rapid_blitz", rulebooks.HERE)


def test_two_systems_for_one_list_are_refused(tmp_path):
    for name in ("one", "two"):
        shutil.copytree(SAMPLE / "rulebooks/corvania", tmp_path / name)
    with pytest.raises(rulebooks.RuleBookError, match="two systems make the standard list: one, two"):
        rulebooks.chapter("standard", tmp_path)


# --- the curve -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("d", "expected"),
    [(0, 5000), (100, 6401), (200, 7597), (400, 9091), (-100, 3599), (-400, 909), (4000, 10000), (-4000, 0)],
)
def test_the_logistic_curve(d, expected):
    """1 / (1 + 10 ^ (-D/400)): .6401 at 100, .7597 at 200, .9091 at 400, as in every table of the Elo formula."""
    assert formulas.curve_probability(np.array([d]), 10000, 10, 400).tolist() == [expected]


def test_no_difference_lies_so_near_to_a_half_that_machines_could_differ():
    d = np.arange(1, 4000)
    exact = 10000 / (1 + np.power(10.0, -d / 400))
    assert (np.abs(exact % 1 - 0.5) > 1e-9).all()


def test_the_two_sides_of_a_game_add_up():
    d = np.arange(-4000, 4001)
    assert (
        formulas.curve_probability(d, 10000, 10, 400) + formulas.curve_probability(-d, 10000, 10, 400) == 10000
    ).all()


# --- what a run rests on ---------------------------------------------------------------------------------------------


def test_every_doubtful_value_of_every_book_can_be_named():
    """Either where it decides (SPECIAL), or by what its section is asked about; nothing doubtful is passed over."""
    counted = {*basis.AT_START, "initial", "k", "game.too_far_apart"}
    for system in rulebooks.systems(rulebooks.HERE):
        for book in rulebooks.books(system):
            for key, value in book.stated():
                if value.is_doubtful and key.split(".")[0] not in basis.NOT_IN_A_RUN:
                    known = key in basis.SPECIAL or key.split(".")[0] in counted or key in PERIOD_KEYS
                    assert known, f"{book.id}: {key}"


def test_a_month_of_2015_names_what_it_rests_on():
    lists = {"2015-01": {"A": 2000, "B": 2000}}
    event = {"id": "E", "start": "2015-01-10", "end": "2015-01-11", "games": "A 1-0 B"}
    month = pipeline.run(months.inputs("2015-02", lists, [event]))
    named = {text.split(": ")[1].split(" = ")[0] for text in month.findings.query("code == 'B301'")["text"]}
    assert {"game.max_difference", "period.closing_days", "period.floor", "period.max_kn", "k.established"} <= named
    assert not {"match.decided", "initial.min_games", "k.junior", "round_robin.with_unrated"} & named  # not used
