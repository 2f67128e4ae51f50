"""journal.csv in the folder of lists: append-only, what happened to which run folder, when and why.

It is the only state beside the run folders. Events: adopted, published, provisional, superseded, withdrawn.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FILE = "journal.csv"
HEAD = ["time", "folder", "event", "reason"]


@dataclass(frozen=True)
class Entry:
    """One line of the journal."""

    time: str
    folder: str
    event: str
    reason: str = ""


def now() -> dt.datetime:
    """Now in UTC, to the second, or the time that SOURCE_DATE_EPOCH fixes."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    stamp = dt.datetime.fromtimestamp(int(fixed), dt.UTC) if fixed else dt.datetime.now(dt.UTC)
    return stamp.replace(microsecond=0)


def read(lists: Path) -> list[Entry]:
    """The entries, oldest first. A last line that a crash cut off is no entry; `append` mends it."""
    path = lists / FILE
    if not path.is_file():
        return []
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    rows = [row for row in csv.reader(io.StringIO(whole)) if len(row) == len(HEAD)]
    return [Entry(*row) for row in rows if row != HEAD]


def withdrawn(lists: Path) -> dict[str, str]:
    """The names of the run folders that were taken back, with the reason."""
    return {entry.folder: entry.reason for entry in read(lists) if entry.event == "withdrawn"}


def append(lists: Path, entries: Iterable[tuple[str, str, str]]) -> None:
    """Appends (folder, event, reason) lines, durably: after it returns they survive a power cut."""
    path = lists / FILE
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    if not path.exists():
        rows.writerow(HEAD)
    elif not path.read_bytes().endswith(b"\n"):
        text.write("\n")
    for folder, event, reason in entries:
        rows.writerow([now().isoformat(), folder, event, " ".join(reason.split())])
    with path.open("ab") as stream:
        stream.write(text.getvalue().encode())
        stream.flush()
        os.fsync(stream.fileno())
