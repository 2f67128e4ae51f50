"""What a report reader gives: players and cells, as declared in `frames.py` but for the tournament."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar, overload

import numpy as np
import pandas as pd

from ratingrun import coded, contract, findings, frames

T = TypeVar("T")
KEY = ("tournament_id", "part")
ENTRY_COLUMNS = tuple(c for c in frames.ENTRIES.columns if c.name not in KEY)
# Of single reports there may be thousands, which are put together later: text is coded and numbers are narrowed then.
RESULT_COLUMNS = tuple(replace(c, coded=False, narrow=False) for c in frames.RESULTS.columns if c.name not in KEY)
RESULT_CODES = "1=0+-WDLHFUZ"  # TRF16; the games stage says what they mean
BATCH = 1 << 25  # characters or bytes of files that are read at once

TOURNAMENT = frames.ENTRIES.columns[0]  # a column of collections only: which of its tournaments a row is of


def entries(data: Mapping[str, object]) -> pd.DataFrame:
    """The players of reports, in the order in which they stand; of a collection with the tournament."""
    return _typed(frames.ENTRIES, ENTRY_COLUMNS, data)


def results(data: Mapping[str, object]) -> pd.DataFrame:
    """The cells of reports, in the order in which they stand; of a collection with the tournament."""
    return _typed(frames.RESULTS, RESULT_COLUMNS, data)


def _typed(frame: contract.Frame, columns: Sequence[contract.Column], data: Mapping[str, object]) -> pd.DataFrame:
    """Coded text is text where the column is not declared as coded; a column that is not given is null."""
    index = pd.RangeIndex(len(data["line"]))
    whole = TOURNAMENT.name in data
    columns = [c for c in frame.columns if c.name not in KEY or c.name in data] if whole else columns
    values = {c.name: data[c.name] if c.name in data else coded.same(None, len(index)) for c in columns}
    values |= {c.name: coded.plain(values[c.name]) for c in columns if c.dtype == "str"}
    return contract.typed(columns, pd.DataFrame(values, index=index, copy=False))


def no_entries() -> pd.DataFrame:
    return contract.no_rows(ENTRY_COLUMNS)


def no_results() -> pd.DataFrame:
    return contract.no_rows(RESULT_COLUMNS)


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

    @classmethod
    def build(cls, entries: pd.DataFrame, results: pd.DataFrame, found: pd.DataFrame, files: Sequence[str]) -> Together:
        """Of these files, whose names differ; the findings need not stand together."""
        order = np.argsort(found["file"].to_numpy(object), kind="stable")
        return cls(entries, results, found.iloc[order], frozenset(files))

    def alone(self, file: str, **said: Any) -> Content:
        """One of the reports by itself; `said` is what its head says."""
        return Content(**said, **{name: partial(self.of, name, file) for name in NOTHING}, together=self)

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


def in_batches(read: Callable[[list], T], kinds: Iterable[Iterable[tuple[Sized, str]]], workers: int) -> list[T]:
    """What `read` makes of files (what they hold, name) of several kinds: those of a kind together, as long as they are
    not longer than BATCH; more `workers` share the batches."""
    batches = [batch for kind in kinds for batch in _batches(kind)]
    if workers > 1 and len(batches) > 1:
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(read, batches))
    return [read(batch) for batch in batches]


def _batches(texts: Iterable[tuple[Sized, str]]) -> Iterator[list[tuple[Sized, str]]]:
    some, size = [], 0
    for one, file in texts:
        if some and size + len(one) > BATCH:
            yield some
            some, size = [], 0
        some.append((one, file))
        size += len(one)
    if some:
        yield some


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
