"""The files that come in and go out. A report file becomes a `Report`, whatever its format.

`REPORT_READERS` maps the suffix to the module; each has `read(raw, file) -> Content`.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ratingrun import findings
from ratingrun.formats import report_tables, text, trf
from ratingrun.formats.content import Content

REPORT_READERS = {".csv": report_tables, ".parquet": report_tables, ".trf": trf, ".txt": trf}


@dataclass(frozen=True)
class Report:
    """A tournament report as it came.

    `entries`: start_no, player_id, name, federation, sex, title, birth_year, reported_rating, file, line; a row a
    player, sorted by start_no. `results`: start_no, round, opponent_no, colour, result, file, line; a row a player
    and round, sorted so. Types as in `frames.ENTRIES` and `frames.RESULTS`; starting numbers may stand twice.
    `findings`: F150-F158 (the report is not used) and F201, with file and line, without tournament_id. `sha256` is
    the hash of `raw`; both are empty if the file could not be opened.
    """

    file: str
    sha256: str
    name: str | None
    federation: str | None
    entries: pd.DataFrame
    results: pd.DataFrame
    findings: pd.DataFrame
    raw: bytes
    start: tuple[dt.date, ...] = ()
    end: tuple[dt.date, ...] = ()
    time_control: str | None = None
    system: str | None = None


def read_report(path: Path, file: str) -> Report:
    """The report in the file at `path`; `file` is its name for findings. Never raises for what the file holds."""
    path = Path(path)
    raw, why = text.load(path)
    suffix = path.suffix.lower()
    reader = REPORT_READERS.get(suffix)
    if why:
        content = Content(findings=findings.of("F150", file=file, why=why))
    elif reader is None:
        known = ", ".join(REPORT_READERS)
        content = Content(findings=findings.of("F150", file=file, why=f'"{suffix}" is none of {known}'))
    else:
        content = reader.read(raw, file)
    return Report(
        file=file,
        sha256="" if why else hashlib.sha256(raw).hexdigest(),
        raw=raw,
        **vars(content),
    )
