"""A run folder: its name, its manifest, reading it back. What cron writes, auditors open and the next month reads."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ratingrun import contract, findings, frames, journal
from ratingrun.formats import list_tables

MANIFEST, SUMMARY = "manifest.json", "summary.txt"
REPORTS = "inputs/reports"
# The frames of a run folder, as Parquet; findings are a CSV, the list is both.
WRITTEN = (
    "rating_list", "tournaments", "entries", "results", "games", "sides", "cells",
    "event_changes", "changes", "initials", "pool", "rated", "trail",
    "us_list", "us_sections", "us_sides", "us_steps", "us_state", "us_trail", "us_matches", "us_known", "us_rerated",
)  # fmt: skip
US_CHESS = "uschess"  # one list for all pools of US Chess
TYPES = (*frames.RATING_TYPES, US_CHESS)
_NAME = re.compile(rf"(\d{{4}}-\d{{2}})-({'|'.join(TYPES)})(?:-r(\d+))?")


def name(period: str, rating_type: str) -> str:
    """The folder's name: 2025-11-standard."""
    return f"{period}-{rating_type}"


def split(folder: str) -> tuple[str, str]:
    """Period and rating type of a folder's name."""
    match = _NAME.fullmatch(folder)
    return (match[1], match[2]) if match else ("", "")


@dataclass(frozen=True, order=True)
class Place:
    """A run folder by its name: what it is the list of, and its revision. Provisional folders are none."""

    period: str
    rating_type: str
    revision: int
    path: Path


def everything(lists: Path) -> list[Place]:
    """All run folders in the folder of lists, withdrawn ones too, oldest period first."""
    names = ((_NAME.fullmatch(path.name), path) for path in lists.iterdir()) if lists.is_dir() else ()
    return sorted(Place(match[1], match[2], int(match[3] or 1), path) for match, path in names if match)


def newest(lists: Path, period: str | None, rating_type: str) -> Path | None:
    """The run folder of a period (of the newest period, if None) that is not withdrawn; None if there is none."""
    gone = journal.withdrawn(lists)
    found = [
        place
        for place in everything(lists)
        if place.rating_type == rating_type and place.path.name not in gone and period in (None, place.period)
    ]
    return found[-1].path if found else None


def ancestors(lists: Path, name: str) -> list[str]:
    """The names of the run folders that a run folder rests on, nearest first, as far as the manifests can be read."""
    chain: list[str] = []
    while True:
        try:
            prior = json.loads((lists / name / MANIFEST).read_text("utf-8"))["prior"]
        except (OSError, ValueError, KeyError, TypeError):
            break
        if not prior or prior["folder"] in chain:
            break
        name = prior["folder"]
        chain.append(name)
    return chain


def sha256(path: Path) -> str:
    """The sha256 of a file, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class RunFolder:
    """A run folder whose manifest was read."""

    path: Path
    manifest: dict

    @property
    def period(self) -> str:
        return self.manifest["period"]

    @property
    def rating_type(self) -> str:
        return self.manifest["rating_type"]

    def reference(self) -> dict[str, str]:
        """Which folder it is, for the manifest of what rests on it: name and hash of its manifest."""
        return {"folder": self.path.name, "manifest_sha256": sha256(self.path / MANIFEST)}

    def frame(
        self, frame: contract.Frame, only: Mapping[str, Iterable[str]] | None = None
    ) -> tuple[pd.DataFrame, pd.DataFrame]:
        """One frame of the folder, or `only` the rows with these words in these columns; F112 if the file is not the
        one that the manifest records, F101 if unreadable, F117 if lists of its type have no such frame."""
        file = f"{frame.name}.parquet"
        if self.rating_type == US_CHESS and frame.name == frames.RATING_LIST.name:
            return frame.empty(), findings.of(
                "F117", file=self.path.name, found=US_CHESS, wanted="of one rating a player"
            )
        bad = self.check(file)
        if len(bad):
            return frame.empty(), bad
        return list_tables.read_parquet(frame, self.path / file, only)

    def check(self, file: str) -> pd.DataFrame:
        """F112 if a file is missing or its hash is not the recorded one."""
        path, recorded = self.path / file, self.manifest["files"].get(file)
        if recorded is None or not path.is_file() or sha256(path) != recorded["sha256"]:
            return findings.of("F112", file=f"{self.path.name}/{file}", what=file)
        return findings.none()


def open_prior(path: Path, period: str, rating_type: str) -> tuple[RunFolder | None, pd.DataFrame]:
    """The run folder of the list of `period`, to be read by the next month, and findings if it can't be.

    Findings: F110 no such folder, F101 no manifest that can be read, F111 another month, F117 another rating type,
    F113 provisional. All of them stop the run.
    """
    where = path.name
    if not path.is_dir():
        return None, findings.of("F110", file=str(where))
    try:
        manifest = json.loads((path / MANIFEST).read_text("utf-8"))
        facts = [manifest[key] for key in ("period", "rating_type", "status", "files")]
        if not isinstance(facts[3], dict):
            raise TypeError("files")
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        why = f"it is not a run folder ({type(error).__name__} in {MANIFEST})"
        return None, findings.of("F101", file=where, why=why)
    if facts[0] != period:
        return None, findings.of("F111", file=where, found=facts[0], wanted=period)
    if facts[1] != rating_type:
        return None, findings.of("F117", file=where, found=facts[1], wanted=rating_type)
    if facts[2] == "provisional":
        return None, findings.of("F113", file=where)
    return RunFolder(path, manifest), findings.none()
