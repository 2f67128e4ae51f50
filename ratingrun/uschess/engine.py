"""The second engine as `monthly` and `verify` drive it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ratingrun import periods
from ratingrun import summary as common
from ratingrun.engines import Engine
from ratingrun.uschess import adopt, folder, month, summary

# The frames in the order in which a month is made: the first that differs is where to look.
ORDER = (
    "us_sections", "entries", "results", "games", "us_steps", "us_sides", "us_state", "us_list", "us_rerated",
    "us_trail", "us_matches", "us_known", "cells",
)  # fmt: skip


def _make(
    inputs: month.Inputs, stage: Callable[[str], None], ready: Callable[[str, pd.DataFrame], None]
) -> month.Month:
    return month.run(inputs, stage)


def _after(period: str, rating_type: str, own: Path | None) -> str:
    return periods.shift(period, 1)


def _facts(made: month.Month) -> dict[str, object]:
    """For the manifest: the checkpoint that the run starts from, the adopted list at the beginning, doubtful values."""
    doubts = common.rests_on(made.findings)
    return {"checkpoint": made.checkpoint, "first_list": made.first, "rests_on": doubts}


ENGINE = Engine(
    load=folder.load,
    make=_make,
    text=summary.text,
    adopted=adopt.adopted,
    after=_after,
    facts=_facts,
    tournaments="us_sections",
    order=ORDER,
    files=folder.NAMES,
)
