"""run --next, --type all, --quiet, --json-log: what cron needs (DESIGN 7, 9)."""

import json

import folders
import pytest


def on(monkeypatch, seconds: int) -> None:
    """Fixes today: seconds since 1970."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(seconds))


OCTOBER_31, NOVEMBER_1 = 1761868800, 1761955200  # midnight UTC


def test_next_is_the_period_after_the_newest_list_once_its_day_has_come(month, monkeypatch):
    on(monkeypatch, OCTOBER_31)
    done = folders.command("run", "--next", "-C", month.path)
    assert (done.code, done.out) == (0, "standard: nothing to do, the next list's day has not come\n")
    assert month.lists() == []
    on(monkeypatch, NOVEMBER_1)
    assert folders.command("run", "--next", "-C", month.path).code == 0
    assert month.ratings() == folders.AFTER_OPEN
    assert folders.command("run", "--next", "-C", month.path).out.startswith("standard: nothing to do")


def test_quiet_is_one_line(month, monkeypatch):
    on(monkeypatch, NOVEMBER_1)
    done = folders.command("run", "--next", "--quiet", "-C", month.path)
    line = done.out.splitlines()
    assert len(line) == 1 and line[0].startswith("2025-11 standard: ") and "(0 errors, 0 warnings, " in line[0]
    assert done.err == ""


def test_quiet_shows_errors(month, monkeypatch):
    on(monkeypatch, NOVEMBER_1)
    month.report("open.csv", folders.OPEN.replace("2w1", "2w="))
    done = folders.command("run", "--next", "--quiet", "-C", month.path)
    assert done.code == 1 and done.out == ""
    assert "G105 error open.csv:2" in done.err and "1 report(s) rejected" in done.err


def test_json_log_is_one_object_a_line_and_nothing_else(month, monkeypatch):
    on(monkeypatch, NOVEMBER_1)
    month.report("open.csv", folders.OPEN.replace("2w1", "2w="))
    done = folders.command("run", "2025-11", "--json-log", "-C", month.path)
    assert (done.code, done.out) == (1, "")
    lines = [json.loads(line) for line in done.err.splitlines()]
    finding = lines[0]
    assert (finding["event"], finding["code"], finding["file"], finding["line"]) == ("finding", "G105", "open.csv", 2)
    assert lines[-1]["event"] == "done" and lines[-1]["exit"] == 1 and lines[-1]["folder"] is None
    assert all(line["time"] == "2025-11-01T00:00:00+00:00" for line in lines)


def test_all_types_are_transactions_of_their_own_and_the_worst_code_counts(month, monkeypatch):
    on(monkeypatch, NOVEMBER_1)
    assert month.run("2025-11").code == 0
    assert folders.command("run", "2025-11", "--type", "all", "-C", month.path).code == 3


def test_without_a_list_the_way_to_begin_is_said(tmp_path):
    for options in (["--type", "all"], []):
        done = folders.command("run", "--next", *options, "-C", tmp_path)
        assert done.code == 1 and "begin with ratingrun adopt" in done.err


@pytest.mark.parametrize("words", [["run"], ["run", "2025-11", "--next"]])
def test_a_period_or_next(words, tmp_path):
    done = folders.command(*words, "-C", tmp_path)
    assert done.code == 2 and "give a PERIOD, for example 2025-11, or --next" in done.err
