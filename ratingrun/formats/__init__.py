"""The files that come in and go out. A report file becomes a `Report`, whatever its format.

`REPORT_READERS` maps the suffix to the module; each has `contents(raws, files, workers, order)`, which reads many files
at once and gives the `Content` of each.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ratingrun import findings
from ratingrun.formats import report_tables, text, trf
from ratingrun.formats.content import Content, Part, Together

REPORT_READERS = {".csv": report_tables, ".parquet": report_tables, ".trf": trf, ".txt": trf}


@dataclass(frozen=True)
class Report:
    """A tournament report as it came.

    `entries`: start_no, player_id, name, federation, sex, title, birth_year, reported_rating, file, line; a row a
    player, sorted by start_no. `results`: start_no, round, opponent_no, colour, result, file, line; a row a player
    and round, sorted so. Types as in `frames.ENTRIES` and `frames.RESULTS`, but text is coded in collections only;
    starting numbers may stand twice.
    `findings`: F150-F158 (the report is not used) and F201, with file and line, without tournament_id. `sha256` is
    the hash of `raw`; both are empty if the file could not be opened. `together`: what was read with it, in one frame.

    A collection holds many tournaments in one table: its entries, results and findings say the tournament_id.
    """

    file: str
    sha256: str
    name: str | None
    federation: str | None
    entries: Part = Part()  # noqa: RUF009 - a descriptor
    results: Part = Part()  # noqa: RUF009 - a descriptor
    findings: Part = Part()  # noqa: RUF009 - a descriptor
    raw: bytes = b""
    start: tuple[dt.date, ...] = ()
    end: tuple[dt.date, ...] = ()
    time_control: str | None = None
    system: str | None = None
    together: Together | None = None

    @property
    def collection(self) -> bool:
        """Whether the file holds many tournaments, by a column tournament_id."""
        return self.together is None and "tournament_id" in self.entries


LARGEST = 64 << 20  # bytes of a report


def read_report(path: Path, file: str) -> Report:
    """The report in the file at `path`; `file` is its name for findings. Never raises for what the file holds."""
    return read_reports([path], [file])[0]


def read_reports(paths: Sequence[Path], files: Sequence[str], workers: int = 1, order: str = "") -> list[Report]:
    """The reports at these paths, in their order; those of one format are read together. More `workers` share large
    amounts.

    A file larger than 64 MiB is refused (F150) before it is read. `order` (dmy, mdy or ymd) settles dates of TRF files
    with more than one reading.
    """
    raws: list[tuple[str, str, bytes, str]] = []
    contents: dict[str, Content] = {}
    for path, file in zip(map(Path, paths), files, strict=True):
        raw, why = text.load(path, LARGEST)
        suffix = path.suffix.lower()
        if not why and suffix not in REPORT_READERS:
            known = ", ".join(REPORT_READERS)
            contents[file] = Content(findings=findings.of("F150", file=file, why=f'"{suffix}" is none of {known}'))
        elif why:
            contents[file] = Content(findings=findings.of("F150", file=file, why=why))
        raws.append((file, suffix, raw, "" if why else hashlib.sha256(raw).hexdigest()))
    for reader in dict.fromkeys(REPORT_READERS.values()):
        own = {file: raw for file, suffix, raw, _ in raws if REPORT_READERS.get(suffix) is reader}
        own = {file: raw for file, raw in own.items() if file not in contents}
        contents |= reader.contents(list(own.values()), list(own), workers, order)
    return [_report(contents[file], file, sha256, raw) for file, _, raw, sha256 in raws]


def _report(content: Content, file: str, sha256: str, raw: bytes) -> Report:
    """The report of these contents; frames that nobody asked for yet stay so."""
    said = {name.removeprefix("_"): value for name, value in vars(content).items()}
    return Report(file=file, sha256=sha256, raw=raw, **said)
