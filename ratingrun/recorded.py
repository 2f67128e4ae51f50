"""A run folder as a record: opening any of them (published, adopted, provisional), reading its inputs again."""

from __future__ import annotations

import datetime as dt
import json
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pandas as pd

from ratingrun import engines, findings, rulebooks, run_folder, working_folder
from ratingrun.rulebooks import compare

NEEDED = ("period", "rating_type", "list_date", "status", "rule_books", "frames", "files")


def open_folder(path: Path) -> tuple[run_folder.RunFolder | None, pd.DataFrame]:
    """The run folder at a path, whatever its period and status; F110 no such folder, F101 no manifest to read."""
    if not path.is_dir():
        return None, findings.of("F110", file=path.name)
    try:
        manifest = json.loads((path / run_folder.MANIFEST).read_text("utf-8"))
        missing = [key for key in NEEDED if key not in manifest]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, TypeError) as error:
        missing = [type(error).__name__]
    if missing:
        why = f"it is not a run folder ({', '.join(missing)} in {run_folder.MANIFEST})"
        return None, findings.of("F101", file=path.name, why=why)
    return run_folder.RunFolder(path, manifest), findings.none()


@contextmanager
def loaded(
    folder: run_folder.RunFolder, prior: Path | None = None, lists: Path | None = None
) -> Iterator[working_folder.Loaded]:
    """The inputs of a recorded run, read again from its inputs/ and from the lists that it names beside it.

    `prior` and `lists` say where these are, if not beside the folder. Findings of reading: F112 if a list beside it is
    not the one that was used; those that stop the run leave `inputs` None.
    """
    lists = lists or folder.path.parent
    used = folder.manifest.get("prior") or {}
    sources = folder.manifest.get("sources", {})
    others = [*sources.get("lists", ()), *sources.get("seeds", ())]
    kept = folder.path / "inputs"
    with tempfile.TemporaryDirectory(prefix="ratingrun-") as work:
        reports = _unpacked(folder, sources, Path(work))
        engine = engines.of(folder.rating_type)
        notes = {name: kept / f"{engine.files[name]}.csv" for name in working_folder.NOTES}
        at = working_folder.Places(
            reports=reports,
            out=lists,
            lists=lists,
            prior=prior or beside(lists, sources, used.get("folder", "no prior recorded")),
            rulebooks=own_books(folder),
            earlier={run_folder.split(one["folder"]): beside(lists, sources, one["folder"]) for one in others},
            **{name: path if path.is_file() else None for name, path in notes.items()},
        )
        found = engine.load(at, folder.period, folder.rating_type, bool(sources.get("no_games")))
        news = [_same(at.prior, used), *(_same(beside(lists, sources, one["folder"]), one) for one in others)]
        yield replace(found, findings=findings.join([found.findings, *news]))


def own_books(folder: run_folder.RunFolder) -> Path | None:
    """The federation's own rule books that the run used, as it kept them; None if it used none."""
    path = folder.path / "inputs" / rulebooks.FOLDER
    return path if path.is_dir() else None


def beside(lists: Path, sources: dict, name: str) -> Path:
    """The run folder of that name: in the folder of lists, or, of a replay, among the published ones."""
    published = lists / sources["published"] / name if "published" in sources else lists / name
    return published if published.is_dir() and not (lists / name).is_dir() else lists / name


def _same(path: Path, recorded: dict[str, str]) -> pd.DataFrame:
    """F112 if the run folder at a path is not the one that the manifest names."""
    manifest = path / run_folder.MANIFEST
    if manifest.is_file() and run_folder.sha256(manifest) != recorded.get("manifest_sha256"):
        return findings.of("F112", file=path.name, what=f"{path.name}/{run_folder.MANIFEST}")
    return findings.none()


def _unpacked(folder: run_folder.RunFolder, sources: dict, work: Path) -> Path:
    """The reports under their own names again, and an empty file for each that was no report."""
    reports = work / "reports"
    reports.mkdir()
    for report in sources.get("reports", ()):
        name = _inside(report["file"])
        raw = folder.path / run_folder.REPORTS / f"{report['sha256']}{name.suffix}"
        if raw.is_file():
            _put(reports / name, raw.read_bytes())
    for name in sources.get("ignored", ()):
        _put(reports / _inside(name), b"")
    return reports


def _inside(name: str) -> Path:
    """A name of the manifest as a path below the reports' folder; never one that leads out of it."""
    path = PurePosixPath(name)
    return Path(*(part for part in path.parts if part not in ("..", "/") and ":" not in part))


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def book_of(folder: run_folder.RunFolder) -> rulebooks.RuleBook | None:
    """The rule book of the list date, by its id; from the folder's own books if it has some. None if it is unknown."""
    day = dt.date.fromisoformat(folder.manifest["list_date"])
    wanted = folder.manifest["rule_books"]
    for place in (folder.path / "inputs" / "rulebooks", rulebooks.HERE):
        found = {}
        for path in place.glob("*/*.toml"):
            said = tomllib.loads(path.read_text("utf-8"))
            if said.get("id") in wanted and said.get("from", dt.date.max) <= day:
                found[said["from"]] = path
        if found:
            return rulebooks.load(found[max(found)])
    return None


def other_rules(a: run_folder.RunFolder, b: run_folder.RunFolder) -> list[tuple[str, object, object]]:
    """In what the rule books of the list dates of two runs differ: key, value of the first, value of the second."""
    before, after = book_of(a), book_of(b)
    if before is None or after is None:
        return []
    sides = ((change.key, change.before, change.after) for change in compare.diff(before, after))
    return [(key, *(one.value if one else None for one in pair)) for key, *pair in sides]
