"""A small campaign of `make fuzz` and a corpus of what it met: nothing raises, the cells close (issue 3)."""

import importlib.util
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "fuzz" / "reports.py"
SPEC = importlib.util.spec_from_file_location("fuzz_reports", SOURCE)
FUZZ = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(FUZZ)


def test_mutated_reports():
    outside, intact, wrong = FUZZ.campaign(1000, seed=20_260_1)
    assert wrong == []
    assert intact >= FUZZ.SHARE * outside > 100
