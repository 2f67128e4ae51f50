"""The periodic engine as `monthly` and `verify` drive it: FIDE, and federations that work like FIDE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from ratingrun import adopt as adoption
from ratingrun import findings, frames, periods, pipeline, rulebooks, summary, working_folder
from ratingrun.engines import Adopted, Engine
from ratingrun.formats import rating_lists

# The frames in the order in which the pipeline makes them: the first that differs is where to look.
ORDER = (
    "tournaments", "entries", "results", "games", "sides", "event_changes", "changes", "initials", "pool", "rated",
    "rating_list", "trail", "cells",
)  # fmt: skip


def _make(
    inputs: pipeline.Inputs, stage: Callable[[str], None], ready: Callable[[str, pd.DataFrame], None]
) -> pipeline.Month:
    return pipeline.run(inputs, stage, ready)


def _after(period: str, rating_type: str, own: Path | None) -> str:
    book = rulebooks.book_of_list(rulebooks.chapter(rating_type, own), period)
    return periods.shift(period, book.period.months.value)


def _facts(month: pipeline.Month) -> dict[str, object]:
    return {"rests_on": summary.rests_on(month.findings)}


def adopted(path: Path, period: str, older: Sequence[Path], rating_type: str, own: Path | None) -> Adopted:
    """The list in the file as `adopt` publishes it; `older` are the files of lists whose games and ratings count.

    The list just before the first book is read by that book. `own`: the federation's rule books.
    """
    chapter = rulebooks.chapter(rating_type, own)
    first, day = rulebooks.books(*chapter)[0].from_, periods.list_date(period)
    just_before = rulebooks.list_before(chapter, periods.of_date(first))
    book = rulebooks.in_force(chapter.system, first if just_before <= day < first else day, chapter.folder)
    listed, news = rating_lists.read(path, rating_type)
    found, past = [news], {}
    for other in older:
        past[other.name], news = rating_lists.read(other, rating_type)
        found.append(news)
    if len(findings.stops(findings.join(found))):
        return Adopted(None, findings.numbered(findings.join(found)), "", book.id, {})
    rating_list, news = adoption.build(listed, period, book, past)
    numbered = findings.numbered(findings.join([*found, news]))
    data = {"rating_list": rating_list}
    data |= {frame.name: frame.empty() for frame in frames.get(["pool", "rated", "trail"])}
    kept = rulebooks.files(chapter, own)
    return Adopted(data, numbered, _adopted(rating_list, numbered, path.name, period), book.id, kept)


def _adopted(rating_list: pd.DataFrame, found: pd.DataFrame, name: str, period: str) -> str:
    rated = int(rating_list["rating"].notna().sum())
    lines = [f"Adopted {name} as the list of {period}: {len(rating_list)} players, {rated} rated"]
    lines += ["  " + findings.line_of(row) for row in found.itertuples()]
    return "\n".join(lines) + "\n"


ENGINE = Engine(
    load=working_folder.load,
    make=_make,
    text=summary.text,
    adopted=adopted,
    after=_after,
    facts=_facts,
    tournaments="tournaments",
    order=ORDER,
    files={name: name for name in working_folder.NOTES},
)
