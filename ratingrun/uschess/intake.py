"""Intake: what came in -> us_sections: each section with its pools, its book, and whether it is rated now.

A section of a CSV or TRF report stands in sections.csv; one of an upload set is known by its files, and a row in
sections.csv says what these do not (online, a foreign FIDE event) or corrects them.
"""

from __future__ import annotations

import calendar
import datetime as dt
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import pandas as pd

from ratingrun import findings, frames, periods
from ratingrun.formats import us_upload
from ratingrun.stages.reports import KEY
from ratingrun.uschess import books, clocks
from ratingrun.uschess.books import Book

SAID = ("name", "start", "end", "time_control", "rated_as", "place", "kind")


def closing(period: str, book: Book) -> dt.date:
    """The last day on which a section may end for a list: a weekday of the month before."""
    before = periods.list_date(periods.shift(period, -1))
    rules = book.period
    days = calendar.Calendar().itermonthdates(before.year, before.month)
    held = [day for day in days if day.month == before.month and day.weekday() == rules.closing_weekday.value]
    return held[rules.closing_week.value - 1]


def candidates(
    register: pd.DataFrame, files: pd.DataFrame, uploaded: pd.DataFrame, set_files: Sequence[str], last: dt.date
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The sections whose report is at hand: CANDIDATE and sha256; U101, U105, U203.

    `files` (file, sha256) are the reports read; `uploaded` the sections of the upload sets, `set_files` their files.
    `last`: the last day of a section for this list.
    """
    ours = register.assign(said=True)
    extra = uploaded[["tournament_id", "part"]].merge(ours, on=KEY, how="left")
    rows = uploaded.reset_index(drop=True)
    for name in SAID:
        told = extra["said"].notna() & extra[name].notna()
        rows[name] = rows[name].mask(told, extra[name])
    own = register[~pd.MultiIndex.from_frame(register[KEY]).isin(pd.MultiIndex.from_frame(uploaded[KEY]))]
    there = own["file"].isin(files["file"])
    both = pd.concat([own[there][list(us_upload.CANDIDATE)], rows[list(us_upload.CANDIDATE)]], ignore_index=True)
    both = both.merge(files, on="file", how="left")
    unknown = files[~files["file"].isin(register["file"]) & ~files["file"].isin(list(set_files))]
    twice = both.duplicated(KEY)
    other = both.groupby(KEY)["file"].transform("first")
    reports = files.loc[~files["file"].isin(list(set_files)), "file"]
    of_set = rows[[*KEY, "file"]].rename(columns={"file": "other"})
    beside = register[register["file"].isin(reports)].merge(of_set, on=KEY)  # a report of what a set holds, too
    found = [
        findings.of("U101", unknown[["file"]]),
        findings.of("U105", both[twice].assign(other=other[twice])),
        findings.of("U105", beside.drop(columns="line")),
        findings.of("U203", own[~there & (own["end"] <= pd.Timestamp(last))].drop(columns="line")),
    ]
    return both[~twice].reset_index(drop=True), findings.join(found)


def missing(found: pd.DataFrame, known: pd.DataFrame) -> pd.DataFrame:
    """The findings without U203 for sections that were rated before."""
    rated = pd.MultiIndex.from_frame(known[KEY])
    named = found[KEY].fillna({"part": 0, "tournament_id": ""}).astype({"part": "int64"})
    gone = (found["code"] == "U203").to_numpy() & pd.MultiIndex.from_frame(named).isin(rated)
    return found[~gone]


def matches(rows: pd.DataFrame, entries: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The candidates, those of two players as matches; U311 for each that is said to be something else."""
    two = entries.groupby(KEY).size() == 2
    hit = pd.MultiIndex.from_frame(rows[KEY]).isin(two.index[two]) & rows["kind"].isin(["swiss", "round_robin"])
    return rows.assign(kind=rows["kind"].mask(hit, "match")), findings.of("U311", rows[hit.to_numpy(bool)])


def build(rows: pd.DataFrame, period: str, first: str, folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`us_sections` of the candidates (all `why` new), and U102-U106, U201, U202, R110, R301.

    `first` is the period of the adopted list from which the chain starts.
    """
    known = books.books(folder)
    rows, news = classed(rows, folder)
    last = pd.Timestamp(closing(period, books.in_force(periods.list_date(period), folder)))
    begun = pd.Timestamp(closing(first, books.in_force(max(periods.list_date(first), known[0].from_), folder)))
    late, wait = rows["end"] <= begun, rows["end"] > last
    status = pd.Series("used", index=rows.index).mask(wait, "waiting").mask(late, "too_late")
    found = [
        news,
        wrong_days(rows, status == "used", folder),
        findings.of("U202", rows[late], first=first),
        findings.of("R301", rows[wait].assign(closing=last)),
    ]
    rows = rows.assign(status=status, why="new")
    return frames.US_SECTIONS.build(rows), findings.join(found)


def classed(rows: pd.DataFrame, folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The sections with book, pools and dual, by first day and time control; U102-U104, U201."""
    known = books.books(folder)
    by_day = {day: _book(day.date(), known) for day in pd.to_datetime(rows["start"]).unique()}
    rows = rows.reset_index(drop=True)
    judged = [_classed(row, by_day[row.start]) for row in rows.itertuples(index=False)]
    return rows.assign(
        book=[(by_day[day] or known[0]).id for day in rows["start"]],
        pools=pd.Series([" ".join(one[0].pools) if one[0] else None for one in judged], dtype="str"),
        dual=[bool(one[0] and len(one[0].pools) > 1) for one in judged],
    ), findings.join(one[1] for one in judged if one[1] is not None)


def wrong_days(rows: pd.DataFrame, now: pd.Series, folder: Path) -> pd.DataFrame:
    """U106 for sections that end before they start; R110 for those rated `now` that start before the first book."""
    first = books.books(folder)[0].from_
    crossed, early = rows["end"] < rows["start"], rows["start"] < pd.Timestamp(first)
    return findings.join(
        [findings.of("U106", rows[crossed]), findings.of("R110", rows[now & early & ~crossed], first=str(first))]
    )


def _book(day: dt.date, known: Sequence[Book]) -> Book | None:
    valid = [book for book in known if book.from_ <= day]
    return valid[-1] if valid else None


def _classed(row: object, book: Book | None) -> tuple[clocks.Class | None, pd.DataFrame | None]:
    """The class of a section: by its time control, else as it says itself."""
    place = {"file": row.file, "tournament_id": row.tournament_id, "part": row.part}
    if book is None:
        return None, None
    said = None if pd.isna(row.rated_as) else row.rated_as
    by_name = clocks.of_name(said, row.place, book.classes) if said else None
    if pd.isna(row.time_control):
        return by_name, None if by_name else findings.of("U103", **place)
    clock = clocks.parse(row.time_control)
    if clock is None:
        return by_name, None if by_name else findings.of("U102", value=row.time_control, **place)
    found = clocks.of_clock(clock, row.place, book.classes)
    if found is None:
        facts = {"value": row.time_control, "minutes": clock.minutes, "seconds": clock.seconds}
        where = "online" if row.place == "online" else "over the board"
        return None, findings.of("U104", **facts, **place | {"place": where})
    if by_name and by_name is not found:
        return found, findings.of("U201", rated_as=found.name, value=row.time_control, said=said, **place)
    return found, None


def reject(sections: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The sections, with status rejected wherever a finding says that the report is not used.

    An error in one file of an upload set is one of all its sections.
    """
    errors = findings.rejections(found)
    named = errors.loc[errors["tournament_id"].notna(), KEY].dropna().astype({"part": "int64"})
    hit = pd.MultiIndex.from_frame(sections[KEY]).isin(pd.MultiIndex.from_frame(named))
    whole = set(errors.loc[errors["tournament_id"].isna(), "file"].dropna())
    sets = {PurePosixPath(name).parent for name in whole if name.lower().endswith(us_upload.SUFFIX)}
    of_set = [
        name in whole or (name.lower().endswith(us_upload.SUFFIX) and PurePosixPath(name).parent in sets)
        for name in sections["file"]
    ]
    hit = (hit | pd.Series(of_set, index=sections.index, dtype=bool)) & (sections["status"] == "used")
    return sections.assign(status=sections["status"].mask(hit, "rejected"))
