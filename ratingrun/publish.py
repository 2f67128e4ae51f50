"""Publishing a run folder: lock, temporary folder, manifest, fsync, one rename, journal. Whole or not at all."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import filelock
import pandas as pd

from ratingrun import __version__, frames, run_folder
from ratingrun.formats import list_tables
from ratingrun.frames import SCHEMA_VERSION, content_hash

STATUSES = ("published", "provisional", "adopted")


class AlreadyPublishedError(Exception):
    """The period has a published run folder, which is never overwritten."""


class LockedError(Exception):
    """Another run holds the lock of this list."""


@contextmanager
def lock(lists: Path, rating_type: str) -> Iterator[None]:
    """Holds the lock of one list type; raises LockedError at once if another run has it."""
    lists.mkdir(parents=True, exist_ok=True)
    try:
        with filelock.FileLock(lists / f".{rating_type}.lock", timeout=0):
            yield
    except filelock.Timeout:
        raise LockedError(f"another run is making the {rating_type} list in {lists}") from None


def target(lists: Path, period: str, rating_type: str, provisional: bool) -> Path:
    """The folder to publish into; raises AlreadyPublishedError. Provisional folders are numbered."""
    if provisional:
        base = f"{run_folder.name(period, rating_type)}-provisional"
        return next(path for number in range(1, 10**6) if not (path := lists / f"{base}-{number}").exists())
    existing = run_folder.newest(lists, period, rating_type)
    if existing:
        raise AlreadyPublishedError(f"{period} is already published: {existing}")
    return lists / run_folder.name(period, rating_type)


def write(
    folder: Path,
    data: Mapping[str, pd.DataFrame],
    found: pd.DataFrame,
    facts: Mapping[str, object],
    summary: str,
    inputs: Mapping[str, bytes],
) -> None:
    """Writes the frames, findings, summary and inputs as `folder`, with one rename at the end, and the journal's line.

    `facts` (period, rating_type, status, rule_books, prior) go into the manifest; `inputs` are file names below inputs/
    with their bytes. If anything fails, nothing of the folder is there.
    """
    lists = folder.parent
    lists.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=lists))
    try:
        _fill(work, data, found, facts, summary, inputs)
        for path in sorted(work.rglob("*"), reverse=True):
            _fsync(path)
        _fsync(work)
        work.chmod(0o755)
        work.rename(folder)
        _fsync(lists)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    journal(lists, folder.name, str(facts["status"]))


def _fill(
    work: Path,
    data: Mapping[str, pd.DataFrame],
    found: pd.DataFrame,
    facts: Mapping[str, object],
    summary: str,
    inputs: Mapping[str, bytes],
) -> None:
    described = {}
    for frame in frames.get(name for name in run_folder.WRITTEN if name in data):
        list_tables.write_parquet(frame, data[frame.name], work / f"{frame.name}.parquet")
        table = frame.to_arrow(data[frame.name])
        described[frame.name] = {"rows": table.num_rows, "content_hash": content_hash(table)}
    list_tables.write_csv(frames.RATING_LIST, data["rating_list"], work / "rating_list.csv")
    list_tables.write_csv(frames.FINDINGS, found, work / "findings.csv")
    (work / run_folder.SUMMARY).write_text(summary, "utf-8", newline="\n")
    for name, content in inputs.items():
        path = work / "inputs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    files = {
        path.relative_to(work).as_posix(): {"bytes": path.stat().st_size, "sha256": run_folder.sha256(path)}
        for path in sorted(work.rglob("*"))
        if path.is_file()
    }
    manifest = {
        "schema_version": SCHEMA_VERSION,
        "ratingrun": __version__,
        **facts,
        "findings": {name: int((found["severity"] == name).sum()) for name in ("error", "warning", "note")},
        "frames": described,
        "files": files,
        "created": _now().isoformat(),
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (work / run_folder.MANIFEST).write_text(text, "utf-8", newline="\n")


def journal(lists: Path, name: str, event: str, reason: str = "") -> None:
    """Appends one line to the journal of the folder of lists: what happened to which run folder, and when."""
    path = lists / run_folder.JOURNAL
    line = io.StringIO()
    rows = csv.writer(line, lineterminator="\n")
    if not path.exists():
        rows.writerow(["time", "folder", "event", "reason"])
    rows.writerow([_now().isoformat(), name, event, reason])
    with path.open("ab") as stream:
        stream.write(line.getvalue().encode())
        stream.flush()
        os.fsync(stream.fileno())


def _now() -> dt.datetime:
    """Now in UTC, or the time that SOURCE_DATE_EPOCH fixes."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    stamp = dt.datetime.fromtimestamp(int(fixed), dt.UTC) if fixed else dt.datetime.now(dt.UTC)
    return stamp.replace(microsecond=0)


def _fsync(path: Path) -> None:
    """Makes a file, or the names in a folder, durable. Windows cannot open a folder: there the rename must do."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
