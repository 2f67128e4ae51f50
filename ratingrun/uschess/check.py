"""The officer's linter for US Chess: what a run would say of section reports, before the deadline, by themselves.

Files are read and judged by what the run uses: `folder.read`, `intake`, `reported`. An upload set says everything of
its sections; what only sections.csv says of a CSV or TRF report (days, time control, pool) is not judged. Pools and
first days are those of the books that come with ratingrun. With a list at hand, who plays is compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import pandas as pd

from ratingrun import check as common
from ratingrun import findings, frames, rulebooks, run_folder
from ratingrun.check import Checked
from ratingrun.formats import REPORT_READERS, Report, list_tables, us_upload
from ratingrun.stages.reports import KEY
from ratingrun.uschess import adopt, books, chain, folder, formulas, intake, reported

SUFFIXES = (*REPORT_READERS, us_upload.SUFFIX)
LISTED = ["player_id", "pool", "name", "rating"]
BOOKS = rulebooks.HERE


def files_in(paths: Sequence[Path]) -> list[Path]:
    """The files named, and all that can be reports or lists below the folders named; of an upload set the whole set."""
    found = []
    for path in common.files_in(paths, SUFFIXES):
        found.append(path)
        if path.suffix.lower() == us_upload.SUFFIX:
            beside = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
            found += [one for one in beside if us_upload.is_of_a_set(one)]
    return list(dict.fromkeys(found))


def listed(path: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The list to compare with (columns LISTED, ratings as published), from a list to adopt or a run folder."""
    if not path.is_dir():
        rows, found = adopt.read(path, books.books(BOOKS)[-1])
        if rows is None:
            return frames.US_LIST.empty()[LISTED], found
        return rows.assign(rating=formulas.whole(rows["rating"]).astype("int64"))[LISTED], found
    file = path / f"{frames.US_LIST.name}.parquet"
    if not file.is_file() and (path / run_folder.MANIFEST).is_file():
        wrong = findings.of("F117", file=path.name, found="FIDE", wanted=run_folder.US_CHESS)
        return frames.US_LIST.empty()[LISTED], wrong
    rows, found = list_tables.read_parquet(frames.US_LIST, file)
    return rows[LISTED], found


def run(paths: Sequence[Path], prior: pd.DataFrame | None = None, order: str = "") -> Checked:
    """Checks files; `prior` is a list read by `listed`, with which players are compared (F240, F241, F243); `order`
    (dmy, mdy, ymd) settles dates with more than one reading."""
    lists = [path for path in paths if path.suffix.lower() != us_upload.SUFFIX and common.is_list(path)]
    found, files = [], []
    for path in lists:
        data, news = listed(path)
        found.append(news.assign(file=str(path)))
        counts = {"sections": 0, "players": data["player_id"].nunique(), "rounds": 0, "games": 0}
        files.append({"file": str(path), "kind": "list", **counts})
    others = [path for path in paths if path not in lists]
    reports, sets, news = folder.read(others, [path.as_posix() for path in others], order)
    uploaded = us_upload.read(sets)
    found += [news, uploaded.findings, *(report.findings for report in reports)]
    stand_ins = _stand_ins(reports)
    candidates, twice = _candidates(stand_ins, reports, uploaded, sets)
    entries, results = folder.received(candidates, reports, uploaded)
    rows, news = _rows(candidates, twice, pd.concat(entries), sets)
    found += [news, _judged(rows, entries, results, sets, findings.join(found))]
    if prior is not None:
        found.append(_against(pd.concat(entries), prior))
    dbase = [path.as_posix() for path in others if path.suffix.lower() == us_upload.SUFFIX]
    files += _counted(reports, dbase, uploaded, entries, results)
    said = findings.join(found)
    ours = said["tournament_id"].isin(stand_ins["tournament_id"])
    nameless = said.assign(tournament_id=said["tournament_id"].mask(ours), part=said["part"].mask(ours))
    return Checked(findings.numbered(nameless), sorted(files, key=lambda one: str(one["file"])))


def _stand_ins(reports: Sequence[Report]) -> pd.DataFrame:
    """What sections.csv would say of the CSV and TRF reports, as far as that is known: one section a file."""
    names = pd.Series([report.file for report in reports], dtype="str")
    rows = pd.DataFrame({"tournament_id": names, "file": names, "name": names})
    rows = rows.assign(part=1, place="otb", kind="swiss", line=0, start=pd.NaT, end=pd.NaT)
    rows[["time_control", "rated_as"]] = None
    return rows.astype({c.name: c.dtype for c in frames.SECTIONS.columns})[frames.SECTIONS.names]


def _candidates(
    stand_ins: pd.DataFrame, reports: Sequence[Report], uploaded: us_upload.Upload, sets: dict[str, bytes]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The sections of all files as the run's intake has them, and its findings (U105)."""
    digests = pd.DataFrame({"file": [one.file for one in reports], "sha256": [one.sha256 for one in reports]})
    return intake.candidates(stand_ins, digests.astype("str"), uploaded.sections, list(sets), pd.Timestamp.max)


def _rows(
    rows: pd.DataFrame, news: pd.DataFrame, entries: pd.DataFrame, sets: dict[str, bytes]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The candidates with matches, pools and books, and `news` with U102-U104, U106, U201, U311, R110.

    Clocks and days are asked of the sections of upload sets only. `status` is rejected for sections that stand twice.
    """
    rows, said = intake.matches(rows, entries)
    whole = rows[rows["file"].isin(list(sets))].reset_index(drop=True)
    whole, clocks = intake.classed(whole, BOOKS)
    days = intake.wrong_days(whole, pd.Series(True, index=whole.index), BOOKS)
    plain = rows[~rows["file"].isin(list(sets))].assign(pools=None, dual=False)
    rows = intake.reject(pd.concat([plain, whole], ignore_index=True).assign(status="used"), news)
    return rows, findings.join([news, said, clocks, days])


def _judged(
    rows: pd.DataFrame,
    entries: Sequence[pd.DataFrame],
    results: Sequence[pd.DataFrame],
    sets: dict[str, bytes],
    unread: pd.DataFrame,
) -> pd.DataFrame:
    """Who plays, games and twins, of the sections that could be read: R102-R104, G1xx, U107.

    A section that is refused for its days, its clock or an id is judged all the same: everything is said at once.
    """
    entries_of = folder.of_sections(entries, frames.ENTRIES, rows)
    results_of = folder.of_sections(results, frames.RESULTS, rows)
    rows = intake.reject(rows, unread)
    who = reported.who(rows, entries_of, results_of)
    rows = intake.reject(rows, who[who["code"] == "R102"])
    _, _, news = reported.games_of(rows, entries_of, results_of, frames.EXCLUSIONS.empty())
    dated = rows[rows["file"].isin(list(sets)) & (rows["status"] == "used")]
    content = chain.contents(dated, entries_of, results_of)
    twins = chain.twins(dated, content, frames.US_KNOWN.empty(), results_of)
    return findings.join([who, news, findings.of("U107", twins)])


def _counted(
    reports: Sequence[Report],
    dbase: Sequence[str],
    uploaded: us_upload.Upload,
    entries: Sequence[pd.DataFrame],
    results: Sequence[pd.DataFrame],
) -> list[dict[str, object]]:
    """Sections, players, rounds and games that both rows agree on, of each report and of each upload set."""
    cells = pd.concat(results)
    games = common.agreed(cells, ["file", *KEY], colours=False)
    players = pd.concat(entries).groupby("file").size().to_dict()
    rounds = cells.groupby("file")["round"].max().to_dict()
    sections = uploaded.sections.groupby("file").size().to_dict()
    found: list[dict[str, object]] = []
    for report in reports:
        file = report.file
        found.append({"file": file, "kind": "report", "sections": int(file in players), "holds": [file]})
    for place in dict.fromkeys(PurePosixPath(name).parent for name in dbase):
        holds = [name for name in dbase if PurePosixPath(name).parent == place]
        count = int(sum(sections.get(name, 0) for name in holds))
        found.append({"file": place.as_posix(), "kind": "upload set", "sections": count, "holds": holds})
    for one in found:
        for name, counts in (("players", players), ("rounds", rounds), ("games", games)):
            one[name] = int(sum(counts.get(file, 0) for file in one["holds"]))
    return found


def _against(entries: pd.DataFrame, prior: pd.DataFrame) -> pd.DataFrame:
    """F240, F241 as for FIDE; F243 for a reported rating that is none of the member's ratings on the list.

    A report has one rating a player and does not say of which pool it is.
    """
    rows = entries[entries["player_id"].notna()].reset_index(drop=True)
    named = prior.sort_values("name", na_position="last", kind="stable").drop_duplicates("player_id")
    told = rows[rows["reported_rating"].notna()].reset_index(names="row")
    ratings = prior.assign(place=pd.Index(frames.POOLS).get_indexer(prior["pool"])).sort_values("place", kind="stable")
    pairs = told.merge(ratings[["player_id", "pool", "rating"]], on="player_id")
    pairs["same"] = (pairs["rating"] == pairs["reported_rating"]).astype(bool)
    pairs["words"] = pairs["rating"].astype("str") + " " + pairs["pool"].astype("str").str.replace("_", " ")
    by_row = pairs.groupby("row").agg(same=("same", "any"), other=("words", ", ".join))
    differs = by_row[~by_row["same"].astype(bool)]
    other = rows.loc[differs.index].assign(other=differs["other"])
    return findings.join([common.people(rows, named), findings.of("F243", other)])
