"""registered: register and reports -> what the two say together; TRF26 reports that say everything need no row.

A register row decides. It settles dates that a report leaves open, and what the report says otherwise is a warning.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd

from ratingrun import findings, rulebooks, time_control
from ratingrun.formats import Report, content
from ratingrun.frames import RATING_TYPES, REGISTER
from ratingrun.rulebooks.shapes import Between, Minimum
from ratingrun.stages.clocks import MINUTE

OPEN_DATES = ("F222", "F223")


def complete(
    register: pd.DataFrame, reports: Sequence[Report], own: Path | None = None
) -> tuple[pd.DataFrame, list[Report], pd.DataFrame]:
    """The register with a row for each report that is in none and says of itself what a row says; the reports, without
    the findings that the register settles; findings.

    Such a report names its first and last day (042, 052), its system (192) and its clock (222), which gives the rating
    type by the rule books (`own`: the federation's) of its first day. Its id is the file's name and the first day. A
    time control that the register leaves empty is the report's. Findings: R309 a row made so, R206 what another that
    speaks of these things leaves out, R204 a difference.
    """
    known = set(register["file"])
    copies = {report.sha256 for report in reports if report.file in known}
    rows, found, settled = [], [], []
    open_ = _open(reports)
    for report in reports:
        if report.file in known:
            settled.append(_settled(report) if report.file in open_ else report)
            continue
        settled.append(report)
        row, lacks = _row(report, own)
        if row is not None:
            rows.append(row)
            found.append(findings.of("R309", file=report.file, **_said(row)))
        elif lacks and report.sha256 not in copies:
            found.append(findings.of("R206", file=report.file, lacks=lacks))
    register, news = _together(register, reports)
    found.append(news)
    if rows:
        register = REGISTER.build(pd.concat([register, pd.DataFrame(rows).reindex(columns=REGISTER.names)]))
    return register, settled, findings.join(found)


def _open(reports: Sequence[Report]) -> set[str]:
    """The files of reports with findings on their dates: few of thousands, which lie in one frame."""
    rows = findings.join(content.joined(reports, "findings"))
    return set(rows.loc[rows["code"].isin(OPEN_DATES), "file"])


def _settled(report: Report) -> Report:
    """The report without findings on its dates, which its register row decides."""
    open_dates = report.findings["code"].isin(OPEN_DATES)
    return replace(report, findings=report.findings[~open_dates], together=None)


def _row(report: Report, own: Path | None) -> tuple[dict[str, object] | None, str]:
    """The register row of a report that says everything; else None, and what it lacks. A report that says nothing of
    the kind, as a table cannot, lacks nothing."""
    lacks = [
        _day("first day (042)", report.start),
        _day("last day (052)", report.end),
        "" if report.system else "its system (192)",
        "" if report.time_control else "its clock (222)",
    ]
    if any(lacks):
        silent = not (report.start or report.end or report.system or report.time_control)
        return None, "" if silent else ", ".join(filter(None, lacks))
    start, end = report.start[0], report.end[0]
    if end < start:
        return None, f"a last day (052) after the first: {end}, {start}"
    rating_type = _rating_type(report.time_control, start, own)
    if rating_type is None:
        return None, f"a clock (222) that the rules of {start} give to one list alone: {report.time_control}"
    return {
        "tournament_id": f"{PurePosixPath(report.file).stem}-{start}",
        "part": 1,
        "file": report.file,
        "rating_type": rating_type,
        "system": report.system,
        "start": pd.Timestamp(start),
        "end": pd.Timestamp(end),
        "time_control": report.time_control,
        "fide_official": False,
        "line": 0,
    }, ""


def _day(name: str, readings: Sequence[dt.date]) -> str:
    """What a day lacks to be known: all of it, or which of its readings is meant."""
    if len(readings) == 1:
        return ""
    return f"which {name} it is: {' or '.join(map(str, readings))}" if readings else f"its {name}"


def _rating_type(clock: str, start: dt.date, own: Path | None) -> str | None:
    """The list on which games with this clock are rated by the books of their first day; None if it is not one alone.

    Within the limits of a rapid or blitz book; for standard at least the least time that any player needs.
    """
    found = []
    for rating_type in RATING_TYPES:
        chapter = rulebooks.chapter(rating_type, own)
        if start < rulebooks.books(*chapter)[0].from_:
            continue
        control = rulebooks.in_force(chapter.system, start, chapter.folder).time_control
        if isinstance(control, Minimum):
            least = min(band.minutes for band in control.bands) * MINUTE
            fits = time_control.parse(clock, control.moves.value).seconds >= least
        elif isinstance(control, Between):
            limits = next(row for row in control.limits if row.rating_type == rating_type)
            fits = limits.more_than < time_control.parse(clock, control.moves.value).seconds < limits.less_than
        else:
            return None
        found += [rating_type] if fits else []
    return found[0] if len(found) == 1 else None


def _said(row: dict[str, object]) -> dict[str, object]:
    days = {name: f"{row[name]:%Y-%m-%d}" for name in ("start", "end")}
    return {**{name: row[name] for name in ("tournament_id", "rating_type", "system", "time_control")}, **days}


def _together(register: pd.DataFrame, reports: Sequence[Report]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The register with the reports' clocks where it has none, and R204 where a report says otherwise.

    The days of a file that holds several parts, or more rounds than its part, are not compared.
    """
    said = pd.DataFrame(
        [(report.file, report.start, report.end, report.time_control) for report in reports],
        columns=["file", "start_said", "end_said", "clock_said"],
    )
    rows = register.merge(said.astype({"file": "str", "clock_said": "str"}), on="file", how="left", validate="m:1")
    rows.index = register.index
    register = register.assign(time_control=register["time_control"].fillna(rows["clock_said"]))
    alone = ~rows["file"].duplicated(keep=False) & rows[["rounds_from", "rounds_to"]].isna().all(axis=1)
    found = [_differ(rows[alone & (rows["part"] == 1)], name) for name in ("start", "end")]
    clocks = rows[rows["clock_said"].notna() & rows["time_control"].notna()]
    clocks = clocks[clocks["clock_said"] != clocks["time_control"].str.replace(" ", "")]
    found.append(_r204(clocks, "time_control", clocks["clock_said"], clocks["time_control"]))
    return register, findings.join(found)


def _differ(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """R204 for each register row whose day is no reading of what its report says."""
    rows = rows[rows[f"{name}_said"].str.len() > 0]
    other = [day.date() not in said for day, said in zip(rows[name], rows[f"{name}_said"], strict=True)]
    rows = rows[np.array(other, bool)]
    said = [" or ".join(map(str, days)) for days in rows[f"{name}_said"]]
    return _r204(rows, name, said, rows[name].dt.strftime("%Y-%m-%d"))


def _r204(rows: pd.DataFrame, column: str, said: object, registered: object) -> pd.DataFrame:
    places = rows[["file", "tournament_id", "part"]]
    return findings.of("R204", places.assign(said=said, registered=registered), column=column)
