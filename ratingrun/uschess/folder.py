"""Reading a US Chess month: the working folder, the upload sets, the chain of run folders -> `month.Inputs`."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd

from ratingrun import contract, findings, frames, periods, rulebooks, run_folder
from ratingrun.formats import LARGEST, REPORT_READERS, Report, inputs, read_reports, us_upload
from ratingrun.formats import text as texts
from ratingrun.stages.reports import KEY
from ratingrun.uschess import books, intake
from ratingrun.uschess.month import Checkpoint, Inputs
from ratingrun.working_folder import NOTES, Loaded, Places, withdrawn

FILES = {"register": "sections", "players": "members", "corrections": "floors"}
NAMES = {name: FILES.get(name, name) for name in NOTES}  # what the options call register is sections.csv, and so on
STATE = (frames.US_STATE, frames.US_MATCHES, frames.US_KNOWN, frames.US_LIST)
ROWS = (frames.US_SECTIONS, frames.ENTRIES, frames.RESULTS)


def load(
    at: Places,
    period: str,
    rating_type: str,
    no_games: bool = False,
    progress: Callable[[Sequence[Path]], Sequence[Path]] = lambda paths: paths,
) -> Loaded:
    """Reads everything that a run needs. If a finding stops the run, `inputs` is None.

    Raises RuleBookError if no book is in force on the list date.
    """
    where = books.place(at.rulebooks)
    book = books.in_force(periods.list_date(period), where)
    before = periods.shift(period, -1)
    folder = at.prior or at.newest(before, rating_type) or at.lists / run_folder.name(before, rating_type)
    prior, news = run_folder.open_prior(folder, before, rating_type)
    found, notes, kept = [news, withdrawn(folder)], {}, {}
    for name in NOTES:
        notes[name], news, raw = _note(NAMES[name], getattr(at, name))
        found.append(news)
        if raw is not None:
            kept[f"{NAMES[name]}.csv"] = raw
    reports, sets, ignored, news = _reports(at.reports, progress)
    found.append(news)
    files = {report.file: report.sha256 for report in reports}
    files |= {name: hashlib.sha256(raw).hexdigest() for name, raw in sets.items()}
    sources = {
        "reports": [{"file": name, "sha256": digest} for name, digest in sorted(files.items())],
        "ignored": ignored,
        "no_games": no_games,
        "lists": [],
    }
    if at.published:
        sources["published"] = Path(os.path.relpath(at.published, at.out)).as_posix()
    if prior is None or len(findings.stops(findings.join(found))):
        return Loaded(None, findings.join(found), kept, prior, sources)
    kept |= {f"reports/{report.sha256}{Path(report.file).suffix}": report.raw for report in reports if report.sha256}
    kept |= {f"reports/{files[name]}{Path(name).suffix}": raw for name, raw in sets.items()}
    kept |= rulebooks.files(rulebooks.Chapter(books.SYSTEM, where), at.rulebooks)
    last = intake.closing(period, book)
    candidates, entries, results, news = _candidates(notes["register"], reports, sets, files, prior, last)
    loaded = Inputs(
        period=period,
        candidates=candidates,
        entries=entries,
        results=results,
        checkpoints=_Chain(prior, at, sources["lists"]),
        first=prior.manifest.get("first_list", prior.period),
        members=notes["players"],
        floors=notes["corrections"],
        exclusions=notes["exclusions"],
        aliases=notes["aliases"],
        read=news,
        no_games=no_games,
        where=at.reports.as_posix(),
        books=where,
    )
    return Loaded(loaded, findings.join(found), kept, prior, sources)


def _note(name: str, path: Path | None) -> tuple[pd.DataFrame, pd.DataFrame, bytes | None]:
    """An input that people write; sections.csv need not be there, if there are only upload sets."""
    frame = frames.ALL[name]
    if path is None or (name == FILES["register"] and not path.exists()):
        return frame.empty(), findings.none(), None
    rows, found = inputs.read(frame, path, CHECKS.get(name))
    return rows, found, path.read_bytes() if path.is_file() else None


def _unslashed(rows: pd.DataFrame, file: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """File names with /, whatever system wrote them."""
    return rows.assign(file=rows["file"].str.replace("\\", "/", regex=False)), findings.none()


def _valued(rows: pd.DataFrame, file: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """F106 for a floor or ceiling without its value; a title needs none."""
    lacks = (rows["value"].isna() & (rows["kind"] != "life_master")).to_numpy(bool)
    return rows[~lacks], findings.of("F106", rows.loc[lacks, ["line"]], file=file, column="value")


CHECKS = {"sections": _unslashed, "floors": _valued}


def _reports(
    folder: Path, progress: Callable[[Sequence[Path]], Sequence[Path]]
) -> tuple[list[Report], dict[str, bytes], list[str], pd.DataFrame]:
    """The reports below a folder, the files of upload sets, the names of other files, and R304, F160, U108."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    known = [path for path in paths if path.suffix.lower() in REPORT_READERS]
    dbase = [path for path in paths if path.suffix.lower() == us_upload.SUFFIX]
    others = [names[path] for path in paths if path not in known and path not in dbase]
    listed = ", ".join([*REPORT_READERS, us_upload.SUFFIX])
    found = [findings.of("R304", file=name, known=listed) for name in others]
    watched = [*dbase, *progress(known)]
    reports, sets, news = read(watched, [names[path] for path in watched])
    return reports, sets, others, findings.join([*found, news])


def read(
    paths: Sequence[Path], files: Sequence[str], order: str = ""
) -> tuple[list[Report], dict[str, bytes], pd.DataFrame]:
    """The reports in these files, the bytes of those of upload sets (by name), and F160, U108.

    `files` are their names for findings; `order` as in `read_reports`. A section report with a column tournament_id is
    refused (U108), so that no game of it is lost unsaid.
    """
    found, sets, plain = [], {}, []
    for path, file in zip(paths, files, strict=True):
        if path.suffix.lower() != us_upload.SUFFIX:
            plain.append((path, file))
            continue
        raw, why = texts.load(path, LARGEST)
        if why:
            found.append(findings.of("F160", file=file, why=why))
        else:
            sets[file] = raw
    reports = read_reports([one for one, _ in plain], [file for _, file in plain], os.cpu_count() or 1, order)
    found += [findings.of("U108", file=report.file) for report in reports if report.collection]
    whole = [Report(one.file, one.sha256, None, None, raw=one.raw) if one.collection else one for one in reports]
    return whole, sets, findings.join(found)


def received(
    rows: pd.DataFrame, reports: Sequence[Report], uploaded: us_upload.Upload
) -> tuple[list[pd.DataFrame], list[pd.DataFrame]]:
    """Entries and results of the candidates (`rows`), a frame a report, and those of the upload sets."""
    of_file = rows[[*KEY, "file"]]
    entries = [report.entries.merge(of_file, on="file") for report in reports]
    results = [report.results.merge(of_file, on="file") for report in reports]
    return [*entries, uploaded.entries], [*results, uploaded.results]


def of_sections(parts: Sequence[pd.DataFrame], frame: contract.Frame, sections: pd.DataFrame) -> pd.DataFrame:
    """The entries or results of these sections out of several frames, as declared: those of the section's own file."""
    key = [*KEY, "file"]
    whole = pd.concat([part for part in parts if len(part)] or [frame.empty()])
    there = pd.MultiIndex.from_frame(sections[key])
    return frame.build(whole[pd.MultiIndex.from_frame(whole[key]).isin(there)])


def _candidates(
    register: pd.DataFrame,
    reports: Sequence[Report],
    sets: Mapping[str, bytes],
    files: Mapping[str, str],
    prior: run_folder.RunFolder,
    last: dt.date,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The sections whose report is at hand, those that waited among them, with entries and results.

    `last`: the last day on which a section may end for this list.
    """
    uploaded = us_upload.read(sets)
    digests = pd.DataFrame({"file": list(files), "sha256": list(files.values())}, dtype="str")
    known, news = prior.frame(frames.US_KNOWN) if "us_known.parquet" in prior.manifest["files"] else (
        frames.US_KNOWN.empty(), findings.none())  # fmt: skip
    rows, said = intake.candidates(register, digests, uploaded.sections, list(sets), last)
    found = [uploaded.findings, intake.missing(said, known), news, *(report.findings for report in reports)]
    entries, results = received(rows, reports, uploaded)
    waiting, more, news = _waiting(prior, rows)
    found.append(news)
    for name, parts in (("entries", entries), ("results", results)):
        parts.append(more[name])
    columns = [name for name in frames.US_SECTIONS.names if name in rows or name in waiting]
    both = pd.concat([rows, waiting[[name for name in columns if name in waiting]]], ignore_index=True)
    entries_of, results_of = of_sections(entries, frames.ENTRIES, both), of_sections(results, frames.RESULTS, both)
    return both, entries_of, results_of, findings.join(found)


def _waiting(
    prior: run_folder.RunFolder, rows: pd.DataFrame
) -> tuple[pd.DataFrame, dict[str, pd.DataFrame], pd.DataFrame]:
    """The sections that waited on the list before and did not come in again, as that run read them."""
    data, found = {}, []
    for frame in ROWS:
        if f"{frame.name}.parquet" not in prior.manifest["files"]:
            data[frame.name] = frame.empty()
            continue
        data[frame.name], news = prior.frame(frame)
        found.append(news)
    waiting = data["us_sections"][data["us_sections"]["status"] == "waiting"]
    new = waiting[~pd.MultiIndex.from_frame(waiting[KEY]).isin(pd.MultiIndex.from_frame(rows[KEY]))]
    index = pd.MultiIndex.from_frame(new[KEY])
    more = {name: data[name][pd.MultiIndex.from_frame(data[name][KEY]).isin(index)] for name in ("entries", "results")}
    found.append(findings.of("R306", new, period=prior.period))
    kept = [name for name in frames.US_SECTIONS.names if name not in ("pools", "dual", "book", "status", "why")]
    return new[kept], more, findings.join(found)


class _Chain:
    """The checkpoints, newest first, read when they are asked for; `taken` names the older ones, for the manifest."""

    def __init__(self, prior: run_folder.RunFolder, at: Places, taken: list[dict[str, str]]):
        self.prior, self.at, self.taken = prior, at, taken

    def __iter__(self) -> Iterator[Checkpoint]:
        folder, self.taken[:] = self.prior, []
        yield _checkpoint(folder)
        while name := folder.manifest.get("checkpoint"):
            path = self._place(name)
            opened, news = run_folder.open_prior(path, name[: len("2025-11")], folder.rating_type)
            if opened is None:
                yield _lost(name, news)
                return
            self.taken.append(opened.reference())
            folder = opened
            yield _checkpoint(folder)

    def _place(self, name: str) -> Path:
        """Where a run folder lies: among the lists, or, of a replay, among the published ones."""
        for lists in (self.at.lists, self.prior.path.parent, self.at.published):
            if lists is not None and (lists / name).is_dir():
                return lists / name
        return self.at.lists / name


def _checkpoint(folder: run_folder.RunFolder) -> Checkpoint:
    data, found = {}, []
    for frame in (*STATE, *ROWS):
        if f"{frame.name}.parquet" in folder.manifest["files"]:
            data[frame.name], news = folder.frame(frame)
            found.append(news)
        else:
            data[frame.name] = frame.empty()
    return _made(folder.path.name, folder.period, data, findings.join(found))


def _lost(name: str, news: pd.DataFrame) -> Checkpoint:
    """A checkpoint that cannot be read: its findings stop the run."""
    return _made(name, "", {frame.name: frame.empty() for frame in (*STATE, *ROWS)}, news)


def _made(name: str, period: str, data: Mapping[str, pd.DataFrame], found: pd.DataFrame) -> Checkpoint:
    parts = {short: data[f"us_{short}"] for short in ("state", "matches", "known", "sections")}
    return Checkpoint(
        name, period, **parts, listed=data["us_list"], entries=data["entries"], results=data["results"], findings=found
    )
