"""ratingrun makes a chess federation's monthly rating list, exactly and with proof.

The public API, besides the command: a period in memory, from DataFrames to DataFrames.

    from ratingrun import Inputs, frames, read_report, run_period

    month = run_period(Inputs(period="2025-11", register=..., reports=[...], lists={...}))
    month.frames["rating_list"], month.findings

The names are loaded when they are used: `import ratingrun` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ratingrun import frames as frames
    from ratingrun.formats import Report as Report
    from ratingrun.formats import read_report as read_report
    from ratingrun.pipeline import Inputs as Inputs
    from ratingrun.pipeline import Month as Month
    from ratingrun.pipeline import run as run_period
    from ratingrun.rulebooks import in_force as rule_book_in_force

__version__ = "0.1.0"
__all__ = ["Inputs", "Month", "Report", "frames", "read_report", "rule_book_in_force", "run_period"]

_HOME = {
    "Inputs": ("ratingrun.pipeline", "Inputs"),
    "Month": ("ratingrun.pipeline", "Month"),
    "Report": ("ratingrun.formats", "Report"),
    "read_report": ("ratingrun.formats", "read_report"),
    "rule_book_in_force": ("ratingrun.rulebooks", "in_force"),
    "run_period": ("ratingrun.pipeline", "run"),
}


def __getattr__(name: str) -> object:
    """The public names, imported from their homes on first use (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module 'ratingrun' has no attribute {name!r}")
    module, attribute = _HOME[name]
    return getattr(importlib.import_module(module), attribute)
