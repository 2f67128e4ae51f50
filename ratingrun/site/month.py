"""What the site is made from: a run folder, the list before it and the lists of earlier months, all read once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ratingrun import coded, explain, findings, frames, journal, recorded, rulebooks, run_folder
from ratingrun.formats import list_tables

LIST = frames.RATING_LIST
FOUND = "findings.csv"


@dataclass(frozen=True)
class Source:
    """A run folder with its frames (empty where an adopted folder has none) and the lists around it.

    `prior` is the list before it, None if it is not at hand. `earlier` holds the lists of earlier months by day,
    oldest first. `withdrawn`: the journal beside the folder says that it was taken back.
    """

    folder: run_folder.RunFolder
    data: Mapping[str, pd.DataFrame]
    findings: pd.DataFrame
    book: rulebooks.RuleBook | None
    prior: pd.DataFrame | None
    earlier: Mapping[str, pd.DataFrame]
    withdrawn: bool

    @property
    def day(self) -> dt.date:
        """The day of the list."""
        return dt.date.fromisoformat(self.folder.manifest["list_date"])

    def rows(self, name: str, *columns: str) -> pd.DataFrame:
        """A frame, or these of its columns."""
        return self.data[name][list(columns)] if columns else self.data[name]


def read(path: Path, earlier: Sequence[Path] | None) -> tuple[Source | None, pd.DataFrame]:
    """The source of a site, and findings if it cannot be read.

    `earlier` are run folders for the rating curves; None: those that the run rests on, as far as they stand beside it.
    Findings: F110, F101, F112 as for any run folder, F117 a list of US Chess, or an earlier list of
    another type; all of them stop.
    """
    folder, found = recorded.open_folder(path)
    if folder is None:
        return None, found
    if folder.rating_type not in frames.RATING_TYPES:
        wanted = " or ".join(frames.RATING_TYPES)
        return None, findings.of("F117", file=path.name, found=folder.rating_type, wanted=wanted)
    data, news = explain.read(folder)
    games, bad = _games(folder)
    before, priors = _prior(folder)
    given = _chain(folder) if earlier is None else list(earlier)
    lists, others = _lists(folder, given)
    found = findings.join([found, news, bad, priors, others, folder.check(FOUND)])
    if len(found):
        return None, found
    said = list_tables.read_findings(folder.path / FOUND)
    gone = folder.path.name in journal.withdrawn(folder.path.parent)
    book = recorded.book_of(folder)
    rows = {name: coded.plain_frame(frame) for name, frame in {**data, "games": games}.items()}
    before = None if before is None else coded.plain_frame(before)
    return Source(folder, rows, said, book, before, lists, gone), found


def _games(folder: run_folder.RunFolder) -> tuple[pd.DataFrame, pd.DataFrame]:
    if f"{frames.GAMES.name}.parquet" in folder.manifest["files"]:
        return folder.frame(frames.GAMES)
    return frames.GAMES.empty(), findings.none()


def _prior(folder: run_folder.RunFolder) -> tuple[pd.DataFrame | None, pd.DataFrame]:
    """The list that the run rests on, if its folder stands beside it; F112 if that is not the one recorded."""
    used = folder.manifest.get("prior")
    if not used:
        return None, findings.none()
    path = recorded.beside(folder.path.parent, folder.manifest.get("sources", {}), used["folder"])
    if not path.is_dir():
        return None, findings.none()
    opened, found = recorded.open_folder(path)
    if opened is None:
        return None, found
    if opened.reference() != used:
        return None, findings.of("F112", file=path.name, what=f"{path.name}/{run_folder.MANIFEST}")
    return opened.frame(LIST)


def _chain(folder: run_folder.RunFolder) -> list[Path]:
    lists = folder.path.parent
    names = run_folder.ancestors(lists, folder.path.name)
    return [lists / name for name in names if (lists / name).is_dir()]


def _lists(folder: run_folder.RunFolder, paths: Sequence[Path]) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """The ratings of earlier lists by day, oldest first; of two lists of one day the one that is named later."""
    lists, bad = {}, []
    for path in paths:
        one, found = recorded.open_folder(path)
        bad.append(found)
        if one is None:
            continue
        if one.rating_type != folder.rating_type:
            bad.append(findings.of("F117", file=path.name, found=one.rating_type, wanted=folder.rating_type))
            continue
        rows, found = one.frame(LIST)
        bad.append(found)
        if one.manifest["list_date"] < folder.manifest["list_date"]:
            lists[one.manifest["list_date"]] = rows[["player_id", "rating"]]
    return dict(sorted(lists.items())), findings.join(bad)
