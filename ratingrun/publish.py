"""Publishing a run folder: lock, temporary folder, manifest, fsync, one rename, journal. Whole or not at all."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import filelock
import pandas as pd

from ratingrun import __version__, frame_files, frames, journal, run_folder, signature
from ratingrun.frame_files import FrameFiles

STATUSES = ("published", "provisional", "adopted", "replay")
_LEFTOVER = re.compile(
    rf"\.\d{{4}}-\d{{2}}-({'|'.join(run_folder.TYPES)})(-r\d+|-provisional-\d+)?\.[A-Za-z0-9_]+\.part"
)


class AlreadyPublishedError(Exception):
    """The period has a published run folder, which is never overwritten."""

    exit_code = 3


class JournalError(Exception):
    """The run folder is there, whole; the journal could not be written. The next run completes it."""

    exit_code = 74


class LockedError(Exception):
    """Another run holds the lock of this list."""

    exit_code = 75


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
    """The folder to publish into; raises AlreadyPublishedError.

    Provisional folders are numbered. After a withdrawal the next one is a revision: 2025-11-standard-r2.
    """
    name = run_folder.name(period, rating_type)
    if provisional:
        return next(path for number in range(1, 10**6) if not (path := lists / f"{name}-provisional-{number}").exists())
    existing = run_folder.newest(lists, period, rating_type)
    if existing:
        raise AlreadyPublishedError(f"{period} is already published: {existing}; a published list is never overwritten")
    past = [
        place for place in run_folder.everything(lists) if (place.period, place.rating_type) == (period, rating_type)
    ]
    return lists / (f"{name}-r{past[-1].revision + 1}" if past else name)


def supersedes(folder: Path) -> str | None:
    """The name of the withdrawn run folder that a revision stands in for."""
    past = [
        place.path.name
        for place in run_folder.everything(folder.parent)
        if folder.name.startswith(run_folder.name(place.period, place.rating_type) + "-r") and place.path != folder
    ]
    return past[-1] if past else None


def sweep(lists: Path, rating_type: str) -> list[str]:
    """Under the lock: removes what a killed run left (never a run folder), completes the journal; says what it did."""
    said = []
    for path in sorted(lists.glob(f".*-{rating_type}*.part")):
        if path.is_dir() and _LEFTOVER.fullmatch(path.name):
            shutil.rmtree(path)
            said.append(f"removed {path.name}, left by a run that was killed")
    known = {entry.folder for entry in journal.read(lists)}
    for place in run_folder.everything(lists):
        if place.rating_type == rating_type and place.path.name not in known:
            manifest = json.loads((place.path / run_folder.MANIFEST).read_text("utf-8"))
            _record(place.path, manifest)
            said.append(f"completed the journal: {place.path.name} was published by a run that was killed afterwards")
    return said


def _record(folder: Path, facts: Mapping[str, object]) -> None:
    """The journal's lines for a new run folder."""
    lines = [(folder.name, str(facts["status"]), "")]
    if facts.get("supersedes"):
        lines.insert(0, (str(facts["supersedes"]), "superseded", f"by {folder.name}"))
    journal.append(folder.parent, lines)


class Draft:
    """A run folder in the making, in a temporary folder beside its place; `publish` makes it one, else it is gone."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._work: Path | None = None
        self._files: FrameFiles | None = None

    def begin(self, name: str, data: pd.DataFrame) -> None:
        """Begins to write a frame that nothing changes any more, if it is large: the run goes on meanwhile."""
        if name in run_folder.WRITTEN and len(data) >= frame_files.LARGE:
            self._opened().begin(name, data)

    def begin_inputs(self, inputs: Mapping[str, bytes]) -> None:
        """Begins to write the inputs, if they are many."""
        if len(inputs) > frame_files.MANY:
            self._opened().begin_inputs(inputs)

    def publish(
        self,
        data: Mapping[str, pd.DataFrame],
        found: pd.DataFrame,
        facts: Mapping[str, object],
        summary: str,
        inputs: Mapping[str, bytes],
        sign_with: Path | None = None,
    ) -> None:
        """Writes the frames, findings, summary and inputs as the folder, with one rename at the end, and the journal's
        line.

        `facts` (period, rating_type, status, rule_books, prior) go into the manifest; `inputs` are file names below
        inputs/ with their bytes; `sign_with` is a key that signs the manifest. If anything fails, nothing of the folder
        is there.
        """
        files = self._opened()
        _fill(files, data, found, facts, summary, inputs)
        if sign_with:
            signature.sign(files.work, sign_with)
        _fsync_all(files.work, any(len(frame) >= frame_files.LARGE for frame in data.values()))
        files.work.chmod(0o755)
        files.work.rename(self.folder)
        self._work = None
        try:
            frame_files.fsync(self.folder.parent)
            _record(self.folder, facts)
        except OSError as error:
            raise JournalError(
                f"{self.folder} is written, but not the journal ({error.strerror or error}); the next run completes it"
            ) from error

    def drop(self) -> None:
        """Takes away what is not published."""
        if self._files:
            self._files.stop()
        if self._work:
            shutil.rmtree(self._work, ignore_errors=True)

    def _opened(self) -> FrameFiles:
        """The temporary folder, made when it is first needed."""
        if self._files is None:
            lists = self.folder.parent
            lists.mkdir(parents=True, exist_ok=True)
            self._work = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}.", suffix=".part", dir=lists))
            self._files = FrameFiles(self._work)
        return self._files


@contextmanager
def draft(folder: Path) -> Iterator[Draft]:
    """A draft of a run folder; what it did not publish in the end is taken away."""
    made = Draft(folder)
    try:
        yield made
    finally:
        made.drop()


def fill(
    work: Path,
    data: Mapping[str, pd.DataFrame],
    found: pd.DataFrame,
    facts: Mapping[str, object],
    summary: str,
    inputs: Mapping[str, bytes],
) -> dict[str, Any]:
    """Writes what a draft publishes into the folder `work`, the manifest last; gives the manifest."""
    return _fill(FrameFiles(work), data, found, facts, summary, inputs)


def _fill(
    files: FrameFiles,
    data: Mapping[str, pd.DataFrame],
    found: pd.DataFrame,
    facts: Mapping[str, object],
    summary: str,
    inputs: Mapping[str, bytes],
) -> dict[str, Any]:
    files.finish(data, found, inputs)
    files.file(run_folder.SUMMARY, summary.encode())
    work, hashes = files.work, files.hashes
    manifest = {
        "schema_version": frames.SCHEMA_VERSION,
        "ratingrun": __version__,
        **facts,
        "findings": {name: int((found["severity"] == name).sum()) for name in ("error", "warning", "note")},
        "frames": {name: files.described[name] for name in run_folder.WRITTEN if name in files.described},
        "files": {name: {"bytes": (work / name).stat().st_size, "sha256": hashes[name]} for name in sorted(hashes)},
        "created": journal.now().isoformat(),
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (work / run_folder.MANIFEST).write_text(text, "utf-8", newline="\n")
    return manifest


def _fsync_all(work: Path, beside: bool) -> None:
    """Makes the files durable, then the names in the folders, from the inside out."""
    paths = sorted(work.rglob("*"), reverse=True)
    frame_files.flush([path for path in paths if path.is_file()], beside)
    for folder in [path for path in paths if path.is_dir()]:
        frame_files.fsync(folder)
    frame_files.fsync(work)
