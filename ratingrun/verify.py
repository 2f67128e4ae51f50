"""verify: a run folder recomputed from its recorded inputs; every hash compared, what differs first said first."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

from ratingrun import (
    __version__,
    contract,
    engines,
    findings,
    frames,
    journal,
    monthly,
    publish,
    recorded,
    run_folder,
    signature,
    summary,
)
from ratingrun.formats import list_tables

TEXTS = ("findings.csv", "rating_list.csv", run_folder.SUMMARY)
NOT_RECOMPUTED = "not recomputed"
JOURNAL_CODES = ("F203",)  # what the journal said on that day is not recomputed


@dataclass
class Verification:
    """What was compared: `differences`, the first first, and why nothing was recomputed; `notes` on what could not be
    compared; how many hashes."""

    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: int = 0
    frames: int = 0

    @property
    def verdict(self) -> str:
        """The outcome in a word or two."""
        places = sum(not line.startswith(NOT_RECOMPUTED) for line in self.differences)
        if not places:
            return "not verified" if self.differences else "verified"
        return f"differs in {places} place{'s' if places > 1 else ''}"


def verify(
    folder: run_folder.RunFolder,
    prior: Path | None = None,
    lists: Path | None = None,
    earlier: Path | None = None,
    progress: Callable[[str], None] = lambda stage: None,
) -> Verification:
    """Compares the files with the manifest, then everything with what the recorded inputs give now."""
    result = Verification()
    progress("files")
    _files(folder, result)
    made = folder.manifest.get("ratingrun")
    if made != __version__:
        result.notes.append(f"made by ratingrun {made}, recomputed by {__version__}")
    reason = journal.withdrawn(folder.path.parent).get(folder.path.name)
    if reason is not None:
        result.notes.append(f"withdrawn: {reason}")
    if folder.manifest.get("supersedes"):
        result.notes.append(f"stands in for {folder.manifest['supersedes']}, which was withdrawn")
    if any("inputs/" in text for text in result.differences):
        result.notes.append("not recomputed: its recorded inputs were changed")
        return result
    version = folder.manifest.get("schema_version")
    if version != frames.SCHEMA_VERSION:
        result.differences.append(_other_version(version, made))
        return result
    progress("recompute")
    if folder.manifest["status"] == "adopted":
        _adopted(folder, earlier, result)
    else:
        _computed(folder, prior, lists, result, progress)
    return result


def _other_version(version: object, made: object) -> str:
    """Content hashes of another definition cannot be compared."""
    return (
        f"{NOT_RECOMPUTED}: its manifest has schema_version {version}, this ratingrun reads {frames.SCHEMA_VERSION}; "
        f"verify it with the ratingrun that made it ({made})"
    )


def _files(folder: run_folder.RunFolder, result: Verification) -> None:
    """Every file against its recorded hash; files that the manifest does not know."""
    recorded_files = folder.manifest["files"]
    for name, facts in recorded_files.items():
        path = folder.path / name
        result.files += 1
        if not path.is_file():
            result.differences.append(f"{name}: the file is missing")
        elif run_folder.sha256(path) != facts["sha256"]:
            result.differences.append(f"{name}: the file was changed after it was written")
    there = {path.relative_to(folder.path).as_posix() for path in folder.path.rglob("*") if path.is_file()}
    extra = sorted(there - set(recorded_files) - {run_folder.MANIFEST, signature.FILE})
    result.differences += [f"{name}: the file was added after the run" for name in extra]


def _computed(
    folder: run_folder.RunFolder,
    prior: Path | None,
    lists: Path | None,
    result: Verification,
    progress: Callable[[str], None],
) -> None:
    with recorded.loaded(folder, prior, lists) as loaded:
        changed = loaded.findings[loaded.findings["code"] == "F112"]
        result.differences += list(dict.fromkeys(f"{row.file}: {row.text}" for row in changed.itertuples()))
        if loaded.inputs is None:
            said = summary.lines_for_terminal(findings.numbered(loaded.findings))
            result.differences += [f"{NOT_RECOMPUTED}: {line}" for line in said if " F112 " not in f" {line}"]
            return
        clean = replace(loaded, findings=loaded.findings.drop(changed.index))
        month = monthly.make(clean, folder.rating_type, progress)
    if month.stopped:
        result.differences.append(f"{NOT_RECOMPUTED}: the recorded inputs stop the run now")
        return
    found = _with_recorded(month.findings, folder, JOURNAL_CODES)
    engine = engines.of(folder.rating_type)
    text = engine.text(replace(month, findings=found), folder.manifest["status"], folder.rating_type)
    _compare(folder, month.frames, found, text, result)


def _with_recorded(found: pd.DataFrame, folder: run_folder.RunFolder, codes: Iterable[str]) -> pd.DataFrame:
    """The findings with those of these codes as the folder has them."""
    try:
        was = list_tables.read_findings(folder.path / "findings.csv")
    except (OSError, ValueError, contract.ContractError):
        return found  # it was changed, and `_files` says so
    kept = was[was["code"].isin(list(codes))]
    ours = found[~found["code"].isin(list(codes))]
    return findings.numbered(findings.join([ours.drop(columns="seq"), kept.drop(columns="seq")]))


def _adopted(folder: run_folder.RunFolder, earlier: Path | None, result: Verification) -> None:
    """An adopted list is made again from the list in inputs/, and the earlier lists if they are at hand."""
    sources = folder.manifest.get("sources", {})
    names = sorted(path.name for path in (folder.path / "inputs").iterdir() if path.is_file())
    name = sources.get("list", names[0] if names else "")
    older = []
    for other in sources.get("earlier", ()):
        path = earlier / other["file"] if earlier else None
        if path is None or not path.is_file():
            result.notes.append(f"not recomputed: it counted the games of {other['file']}; give --earlier DIR")
            return
        if run_folder.sha256(path) != other["sha256"]:
            result.differences.append(f"{other['file']}: not the earlier list that was used")
        older.append(path)
    path = folder.path / "inputs" / name
    adopted = engines.of(folder.rating_type).adopted
    again = adopted(path, folder.period, older, folder.rating_type, recorded.own_books(folder))
    if again.frames is None:
        result.differences.append(f"{NOT_RECOMPUTED}: inputs/{name} cannot be read")
        return
    _compare(folder, again.frames, again.findings, again.text, result)


def _compare(
    folder: run_folder.RunFolder,
    data: Mapping[str, pd.DataFrame],
    found: pd.DataFrame,
    text: str,
    result: Verification,
) -> None:
    """Content hashes of the frames in the order of the pipeline, then the text files byte by byte."""
    known, files = folder.manifest["frames"], folder.manifest["files"]
    with tempfile.TemporaryDirectory(prefix="ratingrun-") as work:
        again = publish.fill(Path(work), data, found, {}, text, {})
        for name in engines.of(folder.rating_type).order:
            if name not in known:
                continue
            result.frames += 1
            if again["frames"][name]["content_hash"] != known[name]["content_hash"]:
                result.differences.append(_first_row(frames.ALL[name], folder, data[name]))
        for name in TEXTS:
            if name in files and again["files"][name]["sha256"] != files[name]["sha256"]:
                result.differences.append(_first_line(name, folder.path / name, Path(work) / name))
    for name in known:
        file = f"{name}.parquet"
        if again["files"][file]["sha256"] != files[file]["sha256"]:
            result.notes.append(f"{file}: other bytes (written by other library versions?)")


def _first_row(frame: contract.Frame, folder: run_folder.RunFolder, now: pd.DataFrame) -> str:
    """Which row of a frame differs first, and in what."""
    was, bad = list_tables.read_parquet(frame, folder.path / f"{frame.name}.parquet")
    if len(bad):
        return f"{frame.name}: cannot be read"
    key = list(frame.key)
    both = was.merge(now, on=key, how="outer", suffixes=("_was", "_now"), indicator="side", sort=True)
    others = [name for name in frame.names if name not in key]
    unequal = both["side"] != "both"
    for name in others:
        left, right = both[f"{name}_was"].astype("object"), both[f"{name}_now"].astype("object")
        unequal |= (left != right) & ~(left.isna() & right.isna())
    if not unequal.any():
        return f"{frame.name}: the recorded content hash is not that of the file"
    row = both[unequal].iloc[0]
    place = ", ".join(f"{name} {row[name]}" for name in key)
    if row["side"] != "both":
        where = "recorded only" if row["side"] == "left_only" else "recomputed only"
        return f"{frame.name}: {int(unequal.sum())} rows differ, first {place}: {where}"
    parts = [
        f"{name} {row[f'{name}_was']} recorded, {row[f'{name}_now']} recomputed"
        for name in others
        if str(row[f"{name}_was"]) != str(row[f"{name}_now"])
    ]
    return f"{frame.name}: {int(unequal.sum())} rows differ, first {place}: {'; '.join(parts)}"


def _first_line(name: str, was: Path, now: Path) -> str:
    lines = [path.read_text("utf-8", errors="replace").splitlines() if path.is_file() else [] for path in (was, now)]
    for number, (left, right) in enumerate(zip(*lines, strict=False), 1):
        if left != right:
            return f"{name}:{number}: recorded {left!r}, recomputed {right!r}"
    return f"{name}: {len(lines[0])} lines recorded, {len(lines[1])} recomputed"
