"""A federation's working folder: where the inputs of a month lie, and reading them all into `pipeline.Inputs`."""

from __future__ import annotations

import datetime as dt
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pandas as pd

from ratingrun import findings, frames, journal, periods, rulebooks, run_folder
from ratingrun.formats import REPORT_READERS, Report, inputs, read_report, read_reports
from ratingrun.pipeline import Inputs
from ratingrun.rulebooks.shapes import OtherList
from ratingrun.stages import registered

NOTES = ("register", "players", "corrections", "exclusions", "aliases")
OPTIONAL = NOTES[1:]
PART = ["tournament_id", "part"]
NO_FILE = "F110"


@dataclass(frozen=True)
class Places:
    """The paths of a run: what an option gives, or the conventional place in the working folder.

    `earlier` names the run folders of other lists by period and rating type, where they are known (a recorded run);
    else they are the newest in `lists`, then in `published` (a replay reads from there what it does not make itself).
    """

    reports: Path
    out: Path
    lists: Path
    register: Path | None
    players: Path | None
    corrections: Path | None
    exclusions: Path | None
    aliases: Path | None = None
    prior: Path | None = None
    rulebooks: Path | None = None
    earlier: Mapping[tuple[str, str], Path] | None = None
    published: Path | None = None

    def newest(self, period: str, rating_type: str) -> Path | None:
        """The run folder of an earlier list."""
        if self.earlier is not None:
            return self.earlier.get((period, rating_type))
        folder = run_folder.newest(self.lists, period, rating_type)
        return folder or (run_folder.newest(self.published, period, rating_type) if self.published else None)


def places(
    root: Path, period: str, given: dict[str, Path | None], names: Mapping[str, str] = MappingProxyType({})
) -> Places:
    """The paths of a run, seen from the working folder. An optional file that is neither given nor there is None.

    `names` says how a note is called, if not as its option.
    """
    given = {name: root / path for name, path in given.items() if path}
    usual = {
        "reports": root / "reports" / period,
        "out": root / "lists",
        **{name: root / f"{names.get(name, name)}.csv" for name in NOTES},
    }
    paths = {name: given.get(name) or path for name, path in usual.items()}
    for name in OPTIONAL:
        if not given.get(name) and not paths[name].exists():
            paths[name] = None
    own = own_books(root, given.get("rulebooks"))
    return Places(
        **paths,
        lists=given.get("lists") or paths["out"],
        prior=given.get("prior"),
        rulebooks=own,
        published=given.get("published"),
    )


own_books = rulebooks.own_books


@dataclass(frozen=True)
class Loaded:
    """The inputs of a run, the findings of reading them, and the raw bytes that the run folder keeps."""

    inputs: Inputs | None
    findings: pd.DataFrame
    kept: dict[str, bytes]
    prior: run_folder.RunFolder | None = None
    sources: dict[str, object] = field(default_factory=dict)


def load(
    at: Places,
    period: str,
    rating_type: str,
    no_games: bool = False,
    progress: Callable[[Sequence[Path]], Sequence[Path]] = lambda paths: paths,
) -> Loaded:
    """Reads everything that a run needs. If a finding stops the run, `inputs` is None.

    Raises RuleBookError if no book is in force on the list date. `progress` wraps the report files while they are read.
    """
    chapter = rulebooks.chapter(rating_type, at.rulebooks)
    book = rulebooks.book_of_list(chapter, period)
    prior_period = periods.of_date(rulebooks.list_before(chapter, period))
    folder = at.prior or at.newest(prior_period, rating_type)
    folder = folder or at.lists / run_folder.name(prior_period, rating_type)
    prior, news = run_folder.open_prior(folder, prior_period, rating_type)
    found, notes, kept = [news, withdrawn(folder)], {}, {}
    with ThreadPoolExecutor(1) as beside:
        reading = beside.submit(_state, prior) if prior else None
        for name in NOTES:
            path = getattr(at, name)
            notes[name], news = getattr(inputs, name)(path) if path else (frames.ALL[name].empty(), findings.none())
            found += [news[news["code"] != NO_FILE] if name == "register" else news]
            if path and path.is_file():
                kept[f"{name}.csv"] = path.read_bytes()
        reports, ignored, news = _reports(at.reports, progress)
    found.append(news)
    notes["register"], reports, news = registered.complete(notes["register"], reports, at.rulebooks)
    found += [news, _needs_a_register(at.register, notes["register"], reports)]
    sources = {
        "reports": [{"file": report.file, "sha256": report.sha256} for report in reports],
        "ignored": ignored,
        "no_games": no_games,
    }
    if at.published:
        sources["published"] = Path(os.path.relpath(at.published, at.out)).as_posix()
    if reading is None or len(findings.stops(findings.join(found))):
        return Loaded(None, findings.join(found), kept, prior)
    state, news = reading.result()
    found.append(news)
    notes["register"], more, news = _waiting(prior, notes["register"], reports)
    found.append(news)
    reports += more
    wanted = notes["register"].loc[notes["register"]["rating_type"] == rating_type, "start"].drop_duplicates()
    prior_day = periods.list_date(prior_period)
    days = {day for day in _list_days(chapter, wanted) if day < prior_day}
    earlier, sources["lists"], news = _lists(at, days, rating_type)
    found.append(news)
    seeds, sources["seeds"], seed_chapter, news = _seeds(at, book, wanted)
    found.append(news)
    kept |= rulebooks.files(chapter, at.rulebooks) | rulebooks.files(seed_chapter, at.rulebooks)
    kept |= {f"reports/{report.sha256}{Path(report.file).suffix}": report.raw for report in reports if report.sha256}
    loaded = Inputs(
        period=period,
        rating_type=rating_type,
        reports=reports,
        lists={**earlier, prior_day: state.pop("rating_list")},
        no_games=no_games,
        where=at.reports.as_posix(),
        system=chapter.system,
        books=chapter.folder,
        seeds=seeds,
        seed_chapter=seed_chapter,
        **notes,
        **state,
    )
    stopped = len(findings.stops(findings.join(found))) > 0
    return Loaded(None if stopped else loaded, findings.join(found), kept, prior, sources)


def _reports(
    folder: Path, progress: Callable[[Sequence[Path]], Sequence[Path]]
) -> tuple[list[Report], list[str], pd.DataFrame]:
    """All reports below a folder, by name; the names of the other files, and R304 for each of them."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    is_known = [path.suffix.lower() in REPORT_READERS for path in paths]
    known = list(itertools.compress(paths, is_known))
    names = ", ".join(REPORT_READERS)
    others = [path.relative_to(folder).as_posix() for path, yes in zip(paths, is_known, strict=True) if not yes]
    found = [findings.of("R304", file=name, known=names) for name in others]
    paths = list(progress(known))
    reports = read_reports(paths, [path.relative_to(folder).as_posix() for path in paths], os.cpu_count() or 1)
    return reports, others, findings.join(found)


def _needs_a_register(path: Path | None, register: pd.DataFrame, reports: Sequence[Report]) -> pd.DataFrame:
    """F110 if there is no register and not every report says of itself what a row of it says."""
    if (path and path.exists()) or (reports and {report.file for report in reports} <= set(register["file"])):
        return findings.none()
    return findings.of(NO_FILE, file=path.name if path else "register.csv")


def _state(prior: run_folder.RunFolder) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """The list just before, its pool and what was ever rated."""
    state, found = {}, []
    for frame in (frames.RATING_LIST, frames.POOL, frames.RATED):
        state[frame.name], news = prior.frame(frame)
        found.append(news)
    return state, findings.join(found)


def withdrawn(folder: Path) -> pd.DataFrame:
    """F203 if the prior, or a list that it rests on, was taken back."""
    gone = journal.withdrawn(folder.parent)
    bad = [name for name in (folder.name, *run_folder.ancestors(folder.parent, folder.name)) if name in gone]
    return findings.join(findings.of("F203", file=folder.name, other=name, why=gone[name]) for name in bad)


def _waiting(
    prior: run_folder.RunFolder, register: pd.DataFrame, reports: Sequence[Report]
) -> tuple[pd.DataFrame, list[Report], pd.DataFrame]:
    """The reports that waited on the list just before and did not come in again: they need no hand-work.

    Their rows of the register are those of then, unless the register has the tournament still.
    """
    if "tournaments.parquet" not in prior.manifest["files"]:
        return register, [], findings.none()
    tournaments, bad = prior.frame(frames.TOURNAMENTS)
    waiting = tournaments[tournaments["status"] == "waiting"].assign(line=0)
    keys = pd.MultiIndex.from_frame(register[PART])
    new = waiting[~pd.MultiIndex.from_frame(waiting[PART]).isin(keys)]
    register = pd.concat([register, new[frames.REGISTER.names]]) if len(new) else register
    register = frames.REGISTER.build(register)
    waits = pd.MultiIndex.from_frame(register[PART]).isin(pd.MultiIndex.from_frame(waiting[PART]))
    # A file of the same name is the report once more, unless the register gives that name to another tournament.
    taken = register.loc[~waits, "file"]
    again = {report.file for report in reports} - set(taken)
    more, found = [], [bad]
    for row in waiting[~waiting["file"].isin(again)].drop_duplicates("file").itertuples():
        kept = f"{run_folder.REPORTS}/{row.sha256}{Path(row.file).suffix}"
        name = row.file if "/" in row.file else f"{prior.period}/{row.file}"
        found += [prior.check(kept), findings.of("R306", file=name, period=prior.period)]
        more.append(read_report(prior.path / kept, name))
        register["file"] = register["file"].mask(waits & (register["file"] == row.file), name)
    return register, more, findings.join(found)


def _list_days(chapter: rulebooks.Chapter, starts: pd.Series) -> set[dt.date]:
    """The days of the lists in force at these starts; a start before the first book has none."""
    first = rulebooks.books(*chapter)[0].from_
    return {rulebooks.list_in_force(chapter, day.date()) for day in starts if day.date() >= first}


def _seeds(
    at: Places, book: rulebooks.RuleBook, starts: pd.Series
) -> tuple[dict[dt.date, pd.DataFrame], list[dict[str, str]], rulebooks.Chapter, pd.DataFrame]:
    """The lists from which players without a rating start, where the book says so, and the chapter that makes them."""
    chapter = rulebooks.chapter("standard", at.rulebooks)
    if not isinstance(book.seed, OtherList):
        return {}, [], chapter, findings.none()
    rating_type = book.seed.rating_type.value
    chapter = rulebooks.chapter(rating_type, at.rulebooks)
    lists, known, found = _lists(at, _list_days(chapter, starts), rating_type)
    return lists, known, chapter, found


def _lists(
    at: Places, days: set[dt.date], rating_type: str
) -> tuple[dict[dt.date, pd.DataFrame], list[dict[str, str]], pd.DataFrame]:
    """The lists of these days whose run folders are at hand, and which these are (for the manifest).

    A report whose list is missing is rejected later.
    """
    earlier, known, found = {}, [], []
    for day in sorted(days):
        period = periods.of_date(day)
        folder = at.newest(period, rating_type)
        if folder is None:
            continue
        opened, news = run_folder.open_prior(folder, period, rating_type)
        found.append(news)
        if opened:
            earlier[day], news = opened.frame(frames.RATING_LIST)
            known.append(opened.reference())
            found.append(news)
    return earlier, known, findings.join(found)
