"""Reports come from strangers: each trick is tried, bounded in time and memory, and does nothing (issue 5.6)."""

import csv
import resource
import time

import folders
import pytest

ESCAPES = "\x1b[31mred\x1b[0m \x07\u202eevil"
HTML = "<script>alert(1)</script>"


def named(name: str) -> str:
    """The open report with a newcomer of this name, who loses to Ann in round 3."""
    head, *rows = folders.OPEN.splitlines()
    lines = [head + ",federation,birth_year,round_3", rows[0] + ",,,5w1", *(row + ",,," for row in rows[1:])]
    quoted = '"' + name.replace('"', '""') + '"'
    return "\n".join([*lines, f"5,0999,{quoted},,,ZZZ,2001,1b0"]) + "\n"


def test_terminal_escapes_in_names_are_not_printed(month):
    month.report("open.csv", named(ESCAPES))
    done = month.run()
    assert done.code == 0
    for text in (done.out, done.err):
        assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text
    summary = (month.path / "lists/2025-11-standard/summary.txt").read_text("utf-8")
    assert "\x1b" not in summary


def test_html_in_names_is_text_in_the_explanation(month):
    month.report("open.csv", named(HTML))
    assert month.run().code == 0
    page = month.path / "page.html"
    folders.command("explain", "2025-11", "0101", "-C", month.path, "--html", page)
    if page.exists():
        assert "<script>alert" not in page.read_text("utf-8")


@pytest.mark.parametrize("name", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1:A9)", "\t=1"])
def test_formulas_in_names_are_text_in_a_spreadsheet(month, name):
    """In the published CSV no text cell begins with = + - @; the Parquet file keeps the name as it is."""
    month.report("open.csv", named(name))
    assert month.run().code == 0
    path = month.path / "lists" / "2025-11-standard" / "rating_list.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        cells = [cell for row in csv.reader(lines) for cell in row]
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
    names = month.frame("rating_list").set_index("player_id")["name"]
    assert names["0999"].strip() == name.strip()


@pytest.mark.parametrize("file", ["../../source.csv", "/etc/passwd", "..\\..\\source.csv"])
def test_a_register_cannot_name_a_file_outside_the_reports(month, file):
    """A report is read because it lies in the folder; a path in the register only names it."""
    month.report("open.csv", folders.OPEN)
    month.register(id="T2", file=file, start="2025-10-04", end="2025-10-05")
    done = month.run()
    assert done.code == 0
    assert [line[:13] for line in done.found] == ["R202 warning "], "there is no such report"
    assert not list((month.path / "lists" / "2025-11-standard" / "inputs" / "reports").rglob("*source*"))


def test_a_single_line_of_a_gigabyte_is_refused_unread(month):
    month.report("open.csv", folders.OPEN)
    path = month.report("long.csv", "start_no,round_1\n")
    with path.open("r+b") as stream:
        stream.truncate(1 << 30)
    month.register(id="T2", file="long.csv", start="2025-10-04", end="2025-10-05")
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = month.run()
    assert done.code == 1
    assert done.found[0].startswith("F150 error long.csv: the report cannot be read: it is larger than 64 MiB")
    assert time.monotonic() - began < 60
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000, "kilobytes more than before"


def test_a_report_of_one_long_line_is_a_finding(month):
    month.report("open.csv", "start_no,player_id,round_1," + "x" * 20_000_000)
    done = month.run()
    assert done.code == 1 and done.found[0].startswith("F15")
    assert max(map(len, done.err.splitlines())) < 5000, "a finding is a line that one can read"
