"""What a report reader gives: players and cells, as declared in `frames.py` but for the tournament."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
import pandas as pd

from ratingrun import coded, findings, frames

KEY = ("tournament_id", "part")
ENTRY_COLUMNS = tuple(c for c in frames.ENTRIES.columns if c.name not in KEY)
# Of single reports there may be thousands, which are put together later: text is coded and numbers are narrowed then.
RESULT_COLUMNS = tuple(replace(c, coded=False, narrow=False) for c in frames.RESULTS.columns if c.name not in KEY)
RESULT_CODES = "1=0+-WDLHFUZ"  # TRF16; the games stage says what they mean
SAME = ("file", "declared")  # the same in all rows of a report, unless it says otherwise

TOURNAMENT = frames.ENTRIES.columns[0]  # a column of collections only: which of its tournaments a row is of


def entries(data: Mapping[str, object], file: str, in_order: bool = False) -> pd.DataFrame:
    """The players of a report, sorted by starting number (then line); of a collection by tournament first.

    `in_order`: they stand so already.
    """
    return _typed(frames.ENTRIES, ENTRY_COLUMNS, data, file, [] if in_order else ["start_no", "line"])


def results(data: Mapping[str, object], file: str, in_order: bool = False) -> pd.DataFrame:
    """The cells of a report, sorted by starting number, round (then line); of a collection by tournament first."""
    return _typed(frames.RESULTS, RESULT_COLUMNS, data, file, [] if in_order else ["start_no", "round", "line"])


def _typed(
    frame: frames.Frame, columns: Sequence[frames.Column], data: Mapping[str, object], file: str, order: list[str]
) -> pd.DataFrame:
    index = pd.RangeIndex(len(data["line"]))
    whole = TOURNAMENT.name in data
    columns = [c for c in frame.columns if c.name not in KEY or c.name in data] if whole else columns
    order = [TOURNAMENT.name, *order] if order and whole else order
    same = {c.name: _same(file if c.name == "file" else None, len(index), c.dtype) for c in columns if c.name in SAME}
    values = {**same, **{name: values for name, values in data.items() if name != "file"}}
    typed = frames.typed(columns, pd.DataFrame({c.name: values[c.name] for c in columns}, index=index, copy=False))
    if order and frames.repeats(typed, order) is None:
        return typed.sort_values(order, kind="stable", ignore_index=True)
    return typed


def _same(text: str | None, count: int, kind: str) -> pd.Series:
    """One text, or none, so many times, as `str` or `category`."""
    if kind == coded.DTYPE:
        return coded.same(text, count)
    return pd.Series(pd.array([text], dtype="str").take(np.zeros(count, "int64")))


def no_entries() -> pd.DataFrame:
    return frames.no_rows(ENTRY_COLUMNS)


def no_results() -> pd.DataFrame:
    return frames.no_rows(RESULT_COLUMNS)


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
