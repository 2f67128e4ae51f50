"""The command line: help, exit codes, stdout and stderr; every example of every help text works on sample_data."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import folders
import pytest

from ratingrun import cli
from ratingrun.cli import exits

SAMPLE = Path(__file__).parent.parent / "sample_data"
HEAVY = ("pandas", "numpy", "pyarrow", "msgspec", "filelock", "ratingrun.pipeline", "ratingrun.frames")
EXAMPLE = re.compile(r"^ +ratingrun (\S.*)$", re.M)
# What an example needs beyond lists that are there, and what it may say: everything else ends with 0.
BEGINS = {"ratingrun", "adopt", "run"}  # makes what the others look at
OTHERWISE = {
    "run --next --type all --quiet": {0, 1},  # by the clock: there may be no reports for the month that is due
    "run 2025-11 --type rapid": {0, 1},  # sample_data has no rapid list to begin with
    "audit lists_source/2025-09.csv lists_source/2025-10.csv": {0, 4},  # 4: it found differences
    "convert standard_rating_list.zip list.csv": {1, 2},  # a download of FIDE's, which nobody may pass on
    # sample_data has no rapid list
    "convert lists/2025-11-standard/rating_list.csv all.txt --form fide-combined --with rapid rapid.csv": {1},
    "rules check rulebooks": {0, 1, 2},  # a federation's own books, if it has some
}


def examples(help_text):
    return EXAMPLE.findall(help_text)


HELP = {name: folders.command(name, "--help") for name in cli.COMMANDS}
GROUP = folders.command("--help")


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """sample_data with its lists adopted."""
    path = tmp_path_factory.mktemp("begun") / "sample_data"
    shutil.copytree(SAMPLE, path, ignore=shutil.ignore_patterns("lists", "demo"))
    for period in ("2025-08", "2025-09", "2025-10"):
        done = folders.command("adopt", f"lists_source/{period}.csv", "--period", period, "-C", path)
        assert done.code == 0, done.err
    us = folders.command("adopt", "list.csv", "--period", "2025-10", "--system", "uschess", "-C", path / "us_chess")
    assert us.code == 0, us.err
    return path


@pytest.fixture(scope="module")
def published(begun, tmp_path_factory):
    """The same after three months."""
    path = tmp_path_factory.mktemp("published") / "sample_data"
    shutil.copytree(begun, path)
    for period in ("2025-11", "2025-12", "2026-01"):
        assert folders.command("run", period, "-C", path).code == 0
    for period in ("2025-11", "2025-12"):
        assert folders.command("run", period, "--system", "uschess", "-C", path / "us_chess").code == 0
    return path


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_of_every_command_holds_an_example(name):
    assert HELP[name].code == 0
    assert HELP[name].err == ""
    assert HELP[name].out.startswith(f"Usage: ratingrun {name}")
    assert examples(HELP[name].out), f"ratingrun {name} --help has no example"


def test_the_group_lists_every_command_and_exit_code():
    assert GROUP.code == 0
    for name, line in cli.COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line[:30])}", GROUP.out, re.M)
    told = dict(re.findall(r"^ +(\d+)  (\S.*)$", GROUP.out, re.M))
    assert {int(code): text for code, text in told.items()} == exits.MEANING


@pytest.mark.parametrize("name", ["ratingrun", *cli.COMMANDS])
def test_every_example_works_on_sample_data(name, begun, published, tmp_path, monkeypatch):
    """One after the other, as they stand in the help; each run of a month on lists that do not have it yet."""
    path = tmp_path / "sample_data"
    shutil.copytree(begun if name in BEGINS else published, path)
    monkeypatch.chdir(path)
    for line in examples((HELP | {"ratingrun": GROUP})[name].out):
        if line.startswith("adopt"):
            shutil.rmtree(path / "lists")
            shutil.rmtree(path / "us_chess" / "lists", ignore_errors=True)
        if line.startswith("run"):
            shutil.rmtree(path / "lists")
            shutil.copytree(begun / "lists", path / "lists")
        done = folders.command(*shlex.split(line.partition(" > ")[0]))
        assert done.code in OTHERWISE.get(line, {0}), (line, done.err)
        assert "Traceback" not in done.err
        assert done.out or "--out" in line or "--csv" in line or "--quiet" in line or done.code


def test_results_on_stdout_findings_and_progress_on_stderr(month):
    month.register(id="T2", file="late.csv", start="2025-10-11", end="2025-10-12", time_control="")
    month.report("late.csv", folders.OPEN)
    done = month.run()
    assert done.out.startswith("Standard rating list of 1 November 2025\n")
    assert done.out.endswith(f"\nWritten: {month.path}/lists/2025-11-standard\n")
    assert done.out.rpartition("\nWritten")[0] == (month.path / "lists/2025-11-standard/summary.txt").read_text("utf-8")
    assert done.found == [
        "R203 warning late.csv: no time control, so it was not checked; fill in time_control in register.csv"
    ]
    assert "Reading reports" in done.err
    assert "Reading reports" not in done.out


def test_nothing_on_stdout_where_there_is_no_result(folder):
    done = folder.run("2025-11")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1] == "Nothing published: the input stops the run."


def in_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["run", "--help"], ["adopt", "--help"], ["run", "what"]]
)
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys\nfrom ratingrun.cli import group\n"
        f"try: group({arguments!r}, prog_name='ratingrun')\nexcept SystemExit: pass\n"
        f"print('loaded:', *[name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert in_python(code).splitlines()[-1].strip() == "loaded:"


def test_the_program_and_the_module_are_the_same_command():
    module = subprocess.run([sys.executable, "-m", "ratingrun", "--help"], capture_output=True, text=True, check=True)
    script = Path(sys.executable).parent / "ratingrun"
    if not script.exists():
        pytest.skip("ratingrun is not installed beside this Python")
    program = subprocess.run([script, "--help"], capture_output=True, text=True, check=True)
    assert program.stdout.replace("ratingrun", "") == module.stdout.replace("python -m ratingrun", "").replace(
        "ratingrun", ""
    )


def test_a_reader_that_goes_away_is_no_error(month):
    """ratingrun run ... | head -1"""
    call = f"{sys.executable} -m ratingrun run 2025-11 -C {shlex.quote(str(month.path))} | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {call}"], capture_output=True, text=True, check=False)
    assert done.stdout == "Standard rating list of 1 November 2025\n"
    assert "Traceback" not in done.stderr
    assert month.lists() == ["2025-11-standard"]
