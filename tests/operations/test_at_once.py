"""Several runs on the same folder: exactly one publishes, the others say 75 or 3 (DESIGN 7)."""

import os
import subprocess
import sys

import folders
import pytest


@pytest.mark.parametrize("runs", [2, 5])
def test_exactly_one_of_several_runs_publishes(month, runs):
    words = [sys.executable, "-m", "ratingrun", "run", "2025-11", "--quiet", "-C", str(month.path)]
    started = [
        subprocess.Popen(words, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(runs)
    ]
    outcomes = [(process.communicate(), process.returncode) for process in started]
    codes = sorted(code for _, code in outcomes)
    assert codes[0] == 0 and set(codes[1:]) <= {3, 75}, outcomes
    assert month.lists() == ["2025-11-standard"]
    assert month.ratings() == folders.AFTER_OPEN


def test_a_stale_lock_heals_by_itself(tmp_path):
    """The lock is the operating system's: a file left by a killed run locks nothing."""
    folder = folders.Folder(tmp_path)
    folder.write("source.csv", folders.LIST)
    folder.write("lists/.standard.lock", "")
    assert folders.command("adopt", "source.csv", "--period", "2025-10", "-C", tmp_path).code == 0
