"""What a report reader gives: players and cells, as declared in `frames.py` but for the tournament."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
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
    data = {"declared": _same(None, len(index)), **data, "file": _same(file, len(index))}
    if TOURNAMENT.name in data:
        columns, order = (TOURNAMENT, *columns), [TOURNAMENT.name, *order]
    source = pd.DataFrame({c.name: data[c.name] for c in columns}, index=index, copy=False)
    typed = frames.typed(columns, source)
    if frames.repeats(typed, order) is None:
        return typed.sort_values(order, kind="stable", ignore_index=True)
    return typed


def _same(text: str | None, count: int) -> pd.Series:
    """One text, or none, so many times."""
    return pd.Series(pd.array([text], dtype="str").take(np.zeros(count, "int64")))


def no_entries() -> pd.DataFrame:
    return pd.DataFrame({column.name: pd.Series([], dtype=column.dtype) for column in ENTRY_COLUMNS})


def no_results() -> pd.DataFrame:
    return pd.DataFrame({column.name: pd.Series([], dtype=column.dtype) for column in RESULT_COLUMNS})


NOTHING = {"entries": no_entries, "results": no_results, "findings": findings.none}


class Part:
    """A field that holds a frame, or a function that gives it when it is first asked for.

    Reports that are read together lie in one frame a kind; few are ever looked at one by one.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.nothing = name, NOTHING.get(name)

    @overload
    def __get__(self, instance: None, owner: type) -> Callable[[], pd.DataFrame]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> pd.DataFrame: ...

    def __get__(self, instance, owner):
        if instance is None:
            return self.nothing
        value = instance.__dict__[f"_{self.name}"]
        if callable(value):
            value = instance.__dict__[f"_{self.name}"] = value()
        return value

    def __set__(self, instance: object, value: pd.DataFrame | Callable[[], pd.DataFrame]) -> None:
        instance.__dict__[f"_{self.name}"] = value


@dataclass(frozen=True)
class Together:
    """Reports that were read together: entries, results and findings of all (column `file`), and of which files."""

    entries: pd.DataFrame
    results: pd.DataFrame
    findings: pd.DataFrame
    files: frozenset[str]

    def of(self, name: str, file: str) -> pd.DataFrame:
        """The rows of one file in one of the frames."""
        first, last = self._limits[name].get(file, (0, 0))
        return getattr(self, name).iloc[first:last].reset_index(drop=True)

    @cached_property
    def _limits(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Where the rows of each file begin and end; they stand together."""
        found = {}
        for name in NOTHING:
            codes, files = pd.factorize(getattr(self, name)["file"])
            begins = np.flatnonzero(np.diff(codes, prepend=-1))
            ends = [*begins[1:].tolist(), len(codes)]
            found[name] = {files[codes[a]]: (a, b) for a, b in zip(begins.tolist(), ends, strict=False)}
        return found


def joined(reports: Iterable[Any], name: str) -> list[pd.DataFrame]:
    """The `entries`, `results` or `findings` of reports, those that were read together in one frame."""
    alone, groups = [], {}
    for report in reports:
        if report.together is None:
            alone.append(getattr(report, name))
        else:
            groups.setdefault(id(report.together), (report.together, set()))[1].add(report.file)
    for together, files in groups.values():
        rows = getattr(together, name)
        alone.append(rows if len(files) == len(together.files) else rows[rows["file"].isin(files)])
    return alone


@dataclass(frozen=True)
class Content:
    """A report's name and federation (if it says them), its players, its cells, its findings.

    `start` and `end` are the days that its dates can mean, `time_control` (as in the register) and `system` what it
    says of them; empty and None where it says nothing. `together`: what it was read with.
    """

    name: str | None = None
    federation: str | None = None
    entries: Part = Part()
    results: Part = Part()
    findings: Part = Part()
    start: tuple[dt.date, ...] = ()
    end: tuple[dt.date, ...] = ()
    time_control: str | None = None
    system: str | None = None
    together: Together | None = None
