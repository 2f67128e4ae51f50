"""The bench runs: its parts in the small form, which writes nothing. All of them with RATINGRUN_BENCH=1."""

import os
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent / "bench" / "whole.py"
ALL = "a,b,d,e,f,g,h"


def test_the_small_form_measures_and_writes_nothing():
    parts = ALL if os.environ.get("RATINGRUN_BENCH") else "f,h"
    file = BENCH.parents[2] / "BENCHMARKS.md"
    before = file.read_text("utf-8") if file.exists() else None
    command = [sys.executable, BENCH, "--small", "--only", parts]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-800:]
    for part in parts.split(","):
        assert f"\n({part})" in done.stdout
    assert "| FrameFiles.finish |" in done.stdout and "more than bare Python" in done.stdout
    assert (file.read_text("utf-8") if file.exists() else None) == before
