"""The officer's linter: what a run would say of report files and lists, before the deadline, without a register.

Reports are read and their cells matched as in a run; with a list at hand, who plays is compared with it. Names are
never matched, only offered as a hint. This one is of FIDE's engine; `uschess/check.py` is the other, for which
`files_in`, `agreed` and `people` are, too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ratingrun import findings, frames, run_folder
from ratingrun.formats import REPORT_READERS, Report, list_writers, rating_lists, read_reports
from ratingrun.stages import codes, games, reports

LIST_SUFFIXES = (".xml", ".zip")


@dataclass(frozen=True)
class Checked:
    """What was found (`findings`, with file), and of each file: kind, players, rounds and games both sides agree on.

    Of US Chess also the sections, and `holds`: the files of an upload set.
    """

    findings: pd.DataFrame
    files: list[dict[str, object]]


def files_in(paths: Sequence[Path], suffixes: Sequence[str] = (*REPORT_READERS, *LIST_SUFFIXES)) -> list[Path]:
    """The files named, and all that can be reports or lists, by their suffix, below the folders named."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = (p for p in path.rglob("*") if p.suffix.lower() in suffixes and not p.name.startswith("."))
            found += sorted(p for p in inside if p.is_file())
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def listed(path: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The list to compare with (any form, or a run folder), and findings; F117 for a run folder of US Chess."""
    if (path / f"{frames.US_LIST.name}.parquet").is_file():
        wrong = findings.of("F117", file=path.name, found=run_folder.US_CHESS, wanted="of one rating a player")
        return frames.RATING_LIST.empty(), wrong
    return rating_lists.read(path / f"{frames.RATING_LIST.name}.parquet" if path.is_dir() else path)


def run(paths: Sequence[Path], prior: pd.DataFrame | None = None, order: str = "") -> Checked:
    """Checks files; `prior` is a list read by `rating_lists.read`, with which players are compared (F240-F243);
    `order` (dmy, mdy, ymd) settles dates with more than one reading."""
    lists = [path for path in paths if is_list(path)]
    found, files = [], []
    for path in lists:
        data, news = rating_lists.read(path)
        found.append(news.assign(file=str(path)))
        files.append({"file": str(path), "kind": "list", "players": len(data), "rounds": 0, "games": 0})
    others = [path for path in paths if path not in lists]
    read = read_reports(others, [str(path) for path in others], workers=os.cpu_count() or 1, order=order)
    found += [report.findings for report in read]
    played, news = _games(read)
    found.append(news)
    if prior is not None and read:
        found.append(_against(pd.concat([report.entries for report in read], ignore_index=True), prior))
    for report in read:
        last = report.results["round"].max() if len(report.results) else 0
        counts = {"players": len(report.entries), "rounds": int(last), "games": int(played.get(report.file, 0))}
        files.append({"file": report.file, "kind": "report", **counts})
    return Checked(findings.numbered(findings.join(found)), files)


def is_list(path: Path) -> bool:
    """Whether a file is a rating list and no report: FIDE's forms by their bytes, tables by their header."""
    if path.suffix.lower() in LIST_SUFFIXES:
        return True
    if path.suffix.lower() == ".parquet":
        return _parquet_is_list(path)
    try:
        with path.open("rb") as stream:
            head = stream.read(1 << 16)
    except OSError:
        return False
    if path.suffix.lower() == ".csv":
        first = head.split(b"\n", 1)[0].lower()
        return b"player_id" in first and not any(name in first for name in (b"start_no", b"round_1"))
    return path.suffix.lower() == ".txt" and rating_lists.is_fide(head)


def _parquet_is_list(path: Path) -> bool:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        names = pq.read_schema(path).names
    except (pa.ArrowException, OSError, ValueError):
        return False
    return "player_id" in names and "start_no" not in names


def _games(read: Sequence[Report]) -> tuple[dict[str, int], pd.DataFrame]:
    """The games of each report that its rows agree on, and R102, R103 and G1xx as a run finds them."""
    keyed = [report for report in read if len(report.entries)]
    if not keyed:
        return {}, findings.none()
    entries, results = (
        pd.concat([getattr(report, name).assign(tournament_id=report.file, part=1) for report in keyed])
        for name in ("entries", "results")
    )
    tournaments = pd.DataFrame({"tournament_id": [report.file for report in keyed], "part": 1, "status": "used"})
    tournaments = tournaments.assign(file=tournaments["tournament_id"])
    tournaments[["rounds_from", "rounds_to"]] = pd.NA
    tournaments = tournaments.astype({"tournament_id": "str", "status": "str", "file": "str"})
    tournaments = tournaments.astype({"rounds_from": "Int64", "rounds_to": "Int64"})
    twice = findings.join(
        [
            reports.twice("R102", entries, [*reports.KEY, "start_no"]),
            reports.twice("R103", entries[entries["player_id"].notna()], [*reports.KEY, "player_id"]),
        ]
    )
    bad = entries.loc[entries.duplicated([*reports.KEY, "start_no"]), "file"]
    tournaments.loc[tournaments["file"].isin(bad), "status"] = "rejected"
    already = frames.RATED.empty()
    _, found = games.build(tournaments, entries, results, frames.EXCLUSIONS.empty(), already)
    return agreed(results), findings.join([twice, found]).assign(tournament_id=None)


def agreed(results: pd.DataFrame, of: Sequence[str] = ("file",), colours: bool = True) -> dict[str, int]:
    """How many games of each file both rows agree on, in a report that would be refused, too: each names the other,
    where `colours` count one has white and the other black, and their points add up to one.

    `of` are the columns that say which crosstable a cell is of.
    """
    halves = results["result"].astype("str").map({"1": 2, "=": 1, "0": 0})
    told = halves.notna() & results["opponent_no"].notna() & (results["colour"].notna() | (not colours))
    cells = results.assign(halves=halves, colour=results["colour"].astype("str"))[told]
    cells = cells.drop_duplicates([*of, "round", "start_no"]).astype({"opponent_no": "int64"})
    key = [*of, "round", "start_no", "opponent_no"]
    first = cells[cells["start_no"] < cells["opponent_no"]]
    mirror = cells.rename(columns={"start_no": "opponent_no", "opponent_no": "start_no"})[[*key, "halves", "colour"]]
    pairs = first.merge(mirror, on=key, suffixes=("", "_other"))
    whole = pairs["halves"] + pairs["halves_other"] == 2
    if colours:
        whole &= pairs["colour"] != pairs["colour_other"]
    return pairs[whole].groupby("file").size().to_dict()


def people(rows: pd.DataFrame, prior: pd.DataFrame) -> pd.DataFrame:
    """Who plays, beside a list with a row a player: F240 not on it (with a hint by name), F241 another name."""
    at = codes.place(rows["player_id"], prior["player_id"])
    known, new = rows[at >= 0], rows[at < 0]
    known = known.assign(other=codes.take(prior["name"], at[at >= 0]).array)
    known = known[((known["name"] != known["other"]) & known["name"].notna() & known["other"].notna()).to_numpy(bool)]
    known = known[(_folded(known["name"]) != _folded(known["other"])).to_numpy(bool)]
    hint = "a player of that name is " + _namesakes(new["name"], prior)
    new = new.assign(hint=hint.fillna("nobody of that name is on the list"))
    return findings.join([findings.of("F240", new), findings.of("F241", known)])


def _namesakes(names: pd.Series, prior: pd.DataFrame) -> pd.Series:
    """The ids of the players of a list who have each of these names, its parts in any order; null for none."""
    wanted = _folded(names)
    parts = pd.Series(wanted.str.split(" ").explode().unique(), dtype="str")
    # Of a long list most can't be one of them by the first part alone.
    some = prior[codes.isin(_lower(prior["name"]).str.extract("([a-z]+)", expand=False), parts)]
    folded = _folded(some["name"])
    same = codes.isin(folded, wanted)
    return wanted.map(some["player_id"][same].groupby(folded[same]).agg(", ".join)).astype("str")


def _against(entries: pd.DataFrame, prior: pd.DataFrame) -> pd.DataFrame:
    """F240, F241 as `people`; F242 another birth year, F243 another rating than on the list."""
    rows = entries[entries["player_id"].notna()]
    at = codes.place(rows["player_id"], prior["player_id"])
    known = rows[at >= 0]
    found = [people(rows, prior)]
    for code, mine, theirs in (("F242", "birth_year", "birth_year"), ("F243", "reported_rating", "rating")):
        other = known.assign(other=codes.take(prior[theirs], at[at >= 0]).array)
        found.append(findings.of(code, other[_differ(other[mine], other["other"])]))
    return findings.join(found)


def _differ(one: pd.Series, other: pd.Series) -> pd.Series:
    return ((one != other) & one.notna() & other.notna()).fillna(False).astype(bool)


def _folded(names: pd.Series) -> pd.Series:
    """Names to compare as a hint: ASCII, lower case, letters only, the parts in alphabetical order."""
    return _lower(names).str.findall("[a-z]+").map(lambda parts: " ".join(sorted(parts))).astype("str")


def _lower(names: pd.Series) -> pd.Series:
    return list_writers.ascii_names(names).str.lower()
