"""What a report reader gives: players and cells, as declared in `frames.py` but for the tournament."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from ratingrun import findings, frames

ENTRY_COLUMNS = tuple(c for c in frames.ENTRIES.columns if c.name not in ("tournament_id", "part"))
RESULT_COLUMNS = tuple(c for c in frames.RESULTS.columns if c.name not in ("tournament_id", "part"))
RESULT_CODES = "1=0+-WDLHFUZ"  # TRF16; the games stage says what they mean


TOURNAMENT = frames.ENTRIES.columns[0]  # a column of collections only: which of its tournaments a row is of


def entries(data: Mapping[str, object], file: str) -> pd.DataFrame:
    """The players of a report, sorted by starting number (then line); of a collection by tournament first."""
    return _typed(ENTRY_COLUMNS, data, file, ["start_no", "line"])


def results(data: Mapping[str, object], file: str) -> pd.DataFrame:
    """The cells of a report, sorted by starting number, round (then line); of a collection by tournament first."""
    return _typed(RESULT_COLUMNS, data, file, ["start_no", "round", "line"])


def _typed(columns: tuple[frames.Column, ...], data: Mapping[str, object], file: str, order: list[str]) -> pd.DataFrame:
    index = pd.RangeIndex(len(data["line"]))
    data = {"declared": None, **data, "file": file}
    if TOURNAMENT.name in data:
        columns, order = (TOURNAMENT, *columns), [TOURNAMENT.name, *order]
    source = pd.DataFrame({c.name: data[c.name] for c in columns}, index=index)
    typed = source.astype({column.name: column.dtype for column in columns})
    if frames.repeats(typed, order) is None:
        return typed.sort_values(order, kind="stable", ignore_index=True)
    return typed


def no_entries() -> pd.DataFrame:
    return pd.DataFrame({column.name: pd.Series([], dtype=column.dtype) for column in ENTRY_COLUMNS})


def no_results() -> pd.DataFrame:
    return pd.DataFrame({column.name: pd.Series([], dtype=column.dtype) for column in RESULT_COLUMNS})


@dataclass(frozen=True)
class Content:
    """A report's name and federation (if it says them), its players, its cells, its findings.

    `start` and `end` are the days that its dates can mean, `time_control` (as in the register) and `system` what it
    says of them; empty and None where it says nothing.
    """

    name: str | None = None
    federation: str | None = None
    entries: pd.DataFrame = field(default_factory=no_entries)
    results: pd.DataFrame = field(default_factory=no_results)
    findings: pd.DataFrame = field(default_factory=findings.none)
    start: tuple[dt.date, ...] = ()
    end: tuple[dt.date, ...] = ()
    time_control: str | None = None
    system: str | None = None
