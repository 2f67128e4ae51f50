"""Where a site is written: whole or not at all, and never over what is not a site that we made."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ratingrun import run_folder

MARK = "site.json"  # says that a folder is a site of ours, and which files are


class NoPlaceError(ValueError):
    """The folder may not be written to; the message says why and what to do."""


def check(out: Path, run: Path) -> None:
    """Raises NoPlaceError if `out` is a file, lies in a run folder or around the one that is read, or holds
    anything but a site that we made."""
    place, source = out.resolve(), run.resolve()
    if out.exists() and not out.is_dir():
        raise NoPlaceError(f"{out} is a file; name a folder")
    for above in (place, *place.parents):
        if (above / run_folder.MANIFEST).is_file():
            raise NoPlaceError(
                f"{out} lies in the run folder {above.name}, which is never changed; name another folder"
            )
    if place in source.parents:
        raise NoPlaceError(f"{out} holds the run folder itself; name another folder")
    if not out.is_dir() or not any(out.iterdir()):
        return
    ours = _ours(out)
    if ours is None:
        raise NoPlaceError(f"{out} is not empty and no site of ratingrun; name another folder")
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()}
    if others := sorted(there - ours - {MARK}):
        raise NoPlaceError(f"{out} holds {others[0]}, which is not of the site; move it away or name another folder")


def _ours(out: Path) -> set[str] | None:
    """The files of a site that we made; None if it is none."""
    try:
        said = json.loads((out / MARK).read_text("utf-8"))
        return set(said["files"]) if said["generator"] == "ratingrun site" else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(out: Path, files: Mapping[str, str], run: str) -> int:
    """Writes the files as the folder `out` by a rename at the end, in the place of the site that was there.

    If anything fails, the old site stands as it was. Gives the size in bytes.
    """
    parent = out.resolve().parent
    parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{out.name}.", suffix=".part", dir=parent))
    try:
        size = _fill(work / "new", files, run)
        if out.is_dir():
            out.resolve().rename(work / "old")
        try:
            (work / "new").rename(parent / out.resolve().name)
        except OSError:
            if (work / "old").is_dir():
                (work / "old").rename(parent / out.resolve().name)
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return size


def _fill(new: Path, files: Mapping[str, str], run: str) -> int:
    said = {"generator": "ratingrun site", "run": run, "files": sorted(files)}
    size = 0
    for name, text in {**files, MARK: json.dumps(said, indent=1) + "\n"}.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = text.encode()
        path.write_bytes(content)
        size += len(content)
    return size
