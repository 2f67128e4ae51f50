"""The two engines behind one command: what `run`, `adopt` and `verify` ask of each.

`of(rating_type)` gives the engine of a list: the periodic one (FIDE and who works like it) for standard, rapid and
blitz, the one of sections in sequence for uschess. All else of a month is common: lock, sweep, run folder, manifest,
journal, exit codes (`monthly`), recomputation and hashes (`verify`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pandas as pd

from ratingrun import run_folder


class Month(Protocol):
    """What a run makes, of either engine."""

    period: str
    frames: Mapping[str, pd.DataFrame]
    findings: pd.DataFrame
    books: tuple[str, ...]

    @property
    def stopped(self) -> bool: ...

    @property
    def rejected(self) -> pd.DataFrame: ...


@dataclass(frozen=True)
class Adopted:
    """An adopted list: its frames (None if the files stop it), findings, summary, id of the book of its date."""

    frames: Mapping[str, pd.DataFrame] | None
    findings: pd.DataFrame
    text: str
    book: str
    kept: Mapping[str, bytes]


@dataclass(frozen=True)
class Engine:
    """What differs between the engines.

    `load(at, period, rating_type, no_games, watch)` reads the working folder, `make(inputs, stage, ready)` is pure
    (`ready` is told of frames that are finished before the month is), `text(month, status, rating_type)` is the
    summary, `adopted(path, period, older, rating_type, own)` makes a first list, `after(period, rating_type, own)`
    names the next period, `facts(month)` adds to the manifest. `tournaments` is the frame of reports with their
    status; `order` has the frames in the order in which they are made; `files`
    says how the notes of the working folder are called.
    """

    load: Callable[..., Any]
    make: Callable[..., Month]
    text: Callable[[Any, str, str], str]
    adopted: Callable[[Path, str, Sequence[Path], str, Path | None], Adopted]
    after: Callable[[str, str, Path | None], str]
    facts: Callable[[Any], dict[str, object]]
    tournaments: str
    order: tuple[str, ...]
    files: Mapping[str, str]


def of(rating_type: str) -> Engine:
    """The engine that makes a list."""
    module = "ratingrun.uschess.engine" if rating_type == run_folder.US_CHESS else "ratingrun.periodic"
    return importlib.import_module(module).ENGINE


def file_names(rating_type: str) -> Mapping[str, str]:
    """How the notes of a working folder are called, by what the options call them."""
    return of(rating_type).files
