"""What `ratingrun audit` does: reads the lists, checks them, sums the findings up by class, writes the rows."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ratingrun import findings, frames, periods, plain, recorded, rulebooks, summary
from ratingrun.audit import lists, published
from ratingrun.explain import show
from ratingrun.formats import list_tables

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NAMED = re.compile(rf"({'|'.join(MONTHS)})(\d{{2}})")  # standard_nov25frl.txt
WRITTEN = re.compile(r"(?<!\d)(\d{4}-\d{2})(?!\d)")
SHOWN = 3


class NotReadError(Exception):
    """A list cannot be read: `lines` say why."""

    def __init__(self, lines: list[str]):
        super().__init__("\n".join(lines))
        self.lines = lines


class PeriodError(ValueError):
    """The periods of the lists are not known, or not consecutive."""


@dataclass(frozen=True)
class Done:
    """The rows, the summary, and whether anything was found (notes do not count)."""

    rows: pd.DataFrame
    text: str
    found: bool


@dataclass(frozen=True)
class Listed:
    """A list as it was read, its period if it says so, and its findings."""

    rows: pd.DataFrame
    period: str | None
    found: pd.DataFrame


def read(path: Path) -> Listed:
    """A list file or a run folder; raises NotReadError. An id that stands twice is a finding of the audit, no fault."""
    if path.is_dir():
        folder, found = recorded.open_folder(path)
        rows, news = folder.frame(frames.RATING_LIST) if folder else (None, findings.none())
        period = folder.period if folder else None
        found = findings.join([found, news])
    else:
        rows, found = list_tables.read(path)
        period = period_of(path.name)
    stops = findings.stops(found[found["code"] != "F108"])
    if len(stops):
        raise NotReadError(summary.lines_for_terminal(findings.numbered(stops)))
    return Listed(rows, period, found)


def period_of(name: str) -> str | None:
    """The period that a file name says: 2025-11.csv, standard_nov25frl.txt."""
    written = WRITTEN.search(name)
    if written:
        try:
            periods.month_number(written[1])
        except ValueError:
            return None
        return written[1]
    named = NAMED.search(name.lower())
    return f"20{named[2]}-{MONTHS.index(named[1]) + 1:02d}" if named else None


def two_lists(path_a: Path, path_b: Path, rating_type: str, period: str | None = None, own: Path | None = None) -> Done:
    """The audit of two consecutive lists; raises NotReadError, PeriodError, RuleBookError."""
    a, b = read(path_a), read(path_b)
    period_b = period or b.period
    if period_b is None:
        raise PeriodError(f"{path_b.name} does not say its period; give it with --period YYYY-MM")
    period_a = before(period_b, rating_type, own)
    if a.period and a.period != period_a:
        raise PeriodError(f"{path_a.name} is the list of {a.period}; the one before {period_b} is {period_a}")
    rows = lists.check(a.rows, b.rows, period_a, period_b, rating_type, own)
    doubled = [lists.doubles(one.found, path.name) for one, path in ((a, path_a), (b, path_b))]
    rows = lists.together([*doubled, rows])
    found = bool((rows["severity"] != "note").any()) or any(len(part) for part in doubled)
    title = f"{path_a.name} -> {path_b.name}: {rating_type} list of {period_b} after {period_a}"
    sizes = [f"{len(a.rows)} and {len(b.rows)} players"]
    return Done(rows, "\n".join([title, *sizes, *by_code(rows)]) + "\n", found)


def run_and_published(
    run: Path,
    path: Path,
    path_prior: Path | None = None,
    path_calculations: Path | None = None,
    prior: Path | None = None,
) -> Done:
    """A run recomputed and compared with the published list; raises NotReadError, RuleBookError."""
    folder, found = recorded.open_folder(run)
    if folder is None:
        raise NotReadError(summary.lines_for_terminal(findings.numbered(found)))
    if folder.manifest["status"] == "adopted":
        raise NotReadError([f"{run.name} is an adopted list: there is no calculation to compare"])
    theirs = read(path)
    before_ = read(path_prior).rows if path_prior else None
    printed = None
    if path_calculations:
        printed, news = published.calculations(path_calculations)
        if len(findings.stops(news)):
            raise NotReadError(summary.lines_for_terminal(findings.numbered(news)))
    with recorded.loaded(folder, prior) as loaded:
        stops = findings.stops(loaded.findings)
        if loaded.inputs is None or len(stops):
            raise NotReadError(summary.lines_for_terminal(findings.numbered(stops)))
        rows, _ = published.classify(loaded.inputs, theirs.rows, published.evidence(before_, printed, theirs.rows))
    title = f"{run.name} and {path.name}: our recomputation and the published list"
    return Done(rows, published.text(rows, title, len(theirs.rows)), bool(len(rows)))


def before(period: str, rating_type: str, own: Path | None = None) -> str:
    """The period of the list before, by the book of the list."""
    return periods.of_date(rulebooks.list_before(rulebooks.chapter(rating_type, own), period))


def by_code(rows: pd.DataFrame) -> list[str]:
    """A line a class with its count, and the first rows of each."""
    if not len(rows):
        return ["Nothing found."]
    lines = []
    for code, part in rows.groupby("code", sort=True):
        severity = findings.CATALOGUE[code].severity
        lines.append(f"{code} {severity:<7} {len(part):>8}  {findings.CATALOGUE[code].remedy}")
        for row in part.head(SHOWN).itertuples():
            who = "" if pd.isna(row.player_id) else f"{row.player_id} {row.name}: "
            lines.append(findings.printable(f"{'':>24}{who}{row.text.partition(';')[0]}"))
        if len(part) > SHOWN:
            lines.append(f"{'':>24}...")
    return lines


def write(rows: pd.DataFrame, path: Path) -> None:
    """The rows as CSV, Parquet or JSON, by the suffix; raises ValueError for another one."""
    suffix = path.suffix.lower()
    if suffix == ".csv":
        path.write_text(show.rows_csv(rows), "utf-8", newline="\n")
    elif suffix == ".json":
        path.write_text(json.dumps(plain.rows(rows), ensure_ascii=False, indent=1) + "\n", "utf-8")
    elif suffix in list_tables.PARQUET:
        rows.to_parquet(path, index=False)
    else:
        raise ValueError(f'"{path.suffix}" is none of .csv, .parquet, .json')
