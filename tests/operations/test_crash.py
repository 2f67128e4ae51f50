"""A run that dies leaves the whole month or nothing, and the next run succeeds with the same bytes (DESIGN 2.9, 7, 8).

RATINGRUN_KILLS says how many random moments are tried (CI: 200). CI dies at every step, make test at some of them
and at the last ones.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import us_folders

pytestmark = pytest.mark.skipif(not hasattr(os, "fork") or not Path("/proc/self/fd").exists(), reason="needs Linux")
KILLS = int(os.environ.get("RATINGRUN_KILLS", "15"))
EVERY, EVERY_FIDE = (1, 1) if KILLS >= 200 else (25, 6)
SCRIPT = Path(__file__).parent / "crashing.py"


def crash(root: Path, *arguments: object):
    done = subprocess.run(
        [sys.executable, SCRIPT, root, *map(str, arguments)],
        capture_output=True, text=True, check=False, env={**os.environ, "SOURCE_DATE_EPOCH": "1762000000"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture
def month(month) -> Path:
    """The working folder as a path."""
    return month.path


def _same(outcomes: list[dict]) -> None:
    assert {outcome["stood"] for outcome in outcomes} <= {"nothing", "whole"}
    for outcome in outcomes:
        # A month that stands is refused (3) and stays; otherwise the next run makes it.
        assert outcome["next"] in ((0,) if outcome["stood"] == "nothing" else (3,)), outcome
        assert outcome["judged"] == "whole" and outcome["left"] == []
        assert outcome["hashes"] == outcomes[0]["hashes"]
        assert outcome["journal"] == 1, "published once in the journal, also when the run died before it said so"


def test_every_file_is_durable_before_the_rename_and_the_folder_after_it(month):
    """All files and folders are fsynced, then one rename, then the folder of lists, then the journal."""
    steps = crash(month, "steps")
    names = [step[0] for step in steps]
    work = next(step[1] for step in steps if step[0] == "os.mkdir" and step[1].endswith(".part"))
    rename = next(at for at, step in enumerate(steps) if step[0] == "os.rename")
    assert steps[rename][1:] == [work, str(month / "lists" / "2025-11-standard")]
    assert names.count("os.rename") == 1
    opened = {step[1] for step in steps if step[0] in ("open", "parquet") and step[1].startswith(work)}
    synced = [step[1] for step in steps[:rename] if step[0] == "fsync"]
    assert opened | {work} <= set(synced) and synced[-1] == work
    after = [step[1] for step in steps[rename:] if step[0] == "fsync"]
    assert after == [str(month / "lists"), str(month / "lists" / "journal.csv")]


def test_dying_at_every_step_leaves_the_whole_month_or_nothing(month):
    steps = len(crash(month, "steps"))
    shutil.rmtree(month / "lists" / "2025-11-standard")
    journal = month / "lists" / "journal.csv"
    journal.write_text("".join(line for line in journal.read_text().splitlines(True) if "2025-11" not in line))
    outcomes = crash(month, "all-steps", steps, EVERY_FIDE)
    assert len(outcomes) >= steps // EVERY_FIDE > 5
    assert {outcome["stood"] for outcome in outcomes} == {"nothing", "whole"}
    _same(outcomes)


def test_killed_at_random_moments_leaves_the_whole_month_or_nothing(month):
    outcomes = crash(month, "moments", KILLS, 20251101)
    _same(outcomes)


def test_the_second_engine_dies_as_safely(tmp_path, monkeypatch):
    """US Chess, its sample month: every step in CI, a few of them in make test."""
    monkeypatch.setenv("RATINGRUN_CRASH_TYPE", "uschess")
    us_folders.Folder.sample(tmp_path)
    steps = len(crash(tmp_path, "steps"))
    shutil.rmtree(tmp_path / "lists" / "2025-11-uschess")
    journal = tmp_path / "lists" / "journal.csv"
    journal.write_text("".join(line for line in journal.read_text().splitlines(True) if "2025-11" not in line))
    outcomes = crash(tmp_path, "all-steps", steps, EVERY)
    assert len(outcomes) >= 3
    assert "nothing" in {outcome["stood"] for outcome in outcomes}
    _same(outcomes)
