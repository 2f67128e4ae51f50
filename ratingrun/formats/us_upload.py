"""The US Chess upload set (format 2C): THEXPORT, TSEXPORT and TDEXPORT.DBF, side by side in one folder.

    THEXPORT  a record an event: H_EVENT_ID H_NAME H_BEG_DATE H_END_DATE ...
    TSEXPORT  a record a section: S_EVENT_ID S_SEC_NUM S_SEC_NAME S_R_SYSTEM S_TIMECTL S_TRN_TYPE S_BEG_DATE S_END_DATE
    TDEXPORT  a record a player: D_EVENT_ID D_SEC_NUM D_PAIR_NUM D_MEM_ID D_NAME D_RATING D_RND01 D_RND02 ...

A round is seven characters: the result (W L D played, X F Z forfeits, H B byes, U unplayed), the opponent's number
in four, the colour W or B. The files of a folder belong together; of a set without an event id the folder's name
stands for it. Findings F160-F165 and F201 name the file and the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath, PurePosixPath

import numpy as np
import pandas as pd

from ratingrun import findings, frames
from ratingrun.formats import content, dbase, text

HEADER, SECTION, DETAIL = "THEXPORT", "TSEXPORT", "TDEXPORT"
SUFFIX = ".dbf"
NEEDED = {
    HEADER: ("H_NAME", "H_BEG_DATE", "H_END_DATE"),
    SECTION: ("S_SEC_NUM", "S_R_SYSTEM", "S_TIMECTL"),
    DETAIL: ("D_SEC_NUM", "D_PAIR_NUM", "D_MEM_ID", "D_NAME"),
}
RESULTS = {"W": "1", "L": "0", "D": "=", "X": "+", "F": "-", "Z": "-", "H": "H", "B": "F", "U": "Z"}
WITH_OPPONENT = ("W", "L", "D")
CELL = r"^(?:([WLDXFZHBU]) *([0-9]{1,4})? *([WB])?)?$"
ROUND = "D_RND([0-9]{2})"
RATED_AS = {"R": "regular", "D": "dual", "Q": "quick", "B": "blitz"}
MATCH = "M"
LARGEST = 9999  # number of a player or a section
CANDIDATE = ("tournament_id", "part", "file", "name", "start", "end", "time_control", "rated_as", "place", "kind")


@dataclass(frozen=True)
class Upload:
    """What the sets of a month hold: `sections` (columns CANDIDATE), `entries` and `results` with tournament_id and
    part, as declared in frames. A section that two sets hold stands twice, with another `file`."""

    sections: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(CANDIDATE)))
    entries: pd.DataFrame = field(default_factory=frames.ENTRIES.empty)
    results: pd.DataFrame = field(default_factory=frames.RESULTS.empty)
    findings: pd.DataFrame = field(default_factory=findings.none)


def is_of_a_set(path: PurePath) -> bool:
    """Whether a file is one of a set, by its name."""
    return path.suffix.lower() == SUFFIX and path.stem.upper() in NEEDED


def read(files: Mapping[str, bytes]) -> Upload:
    """All sets among these files (name -> bytes): those of one folder are one set."""
    folders: dict[str, dict[str, str]] = {}
    found, parts = [], []
    for name in sorted(files):
        path = PurePosixPath(name)
        kind = path.stem.upper()
        if kind not in NEEDED:
            found.append(findings.of("F161", file=name, why=f"its name is none of {', '.join(NEEDED)}"))
        elif kind in folders.setdefault(path.parent.as_posix(), {}):
            found.append(findings.of("F161", file=name, why=f"the folder has another {kind}"))
        else:
            folders[path.parent.as_posix()][kind] = name
    for folder, names in folders.items():
        parts.append(_set(folder, names, {kind: files[name] for kind, name in names.items()}))
    whole = [part for part in parts if len(part.sections)]
    return Upload(
        pd.concat([part.sections for part in whole], ignore_index=True) if whole else Upload().sections,
        pd.concat([part.entries for part in whole], ignore_index=True) if whole else frames.ENTRIES.empty(),
        pd.concat([part.results for part in whole], ignore_index=True) if whole else frames.RESULTS.empty(),
        findings.join([*found, *(part.findings for part in parts)]),
    )


def _set(folder: str, names: Mapping[str, str], raws: Mapping[str, bytes]) -> Upload:
    """One set. Without all of it nothing of it is used."""
    missing = [kind for kind in NEEDED if kind not in names]
    if missing:
        why = f"the set lacks {', '.join(f'{kind}.DBF' for kind in missing)}"
        return Upload(findings=findings.join(findings.of("F161", file=name, why=why) for name in names.values()))
    tables, found = {}, []
    for kind, name in names.items():
        tables[kind], news = _table(kind, name, raws[kind])
        found.append(news)
    if any(table is None for table in tables.values()):
        return Upload(findings=findings.join(found))
    events, news = _events(folder, names[HEADER], tables[HEADER])
    found.append(news)
    sections, news = _sections(events, names, tables[SECTION])
    found.append(news)
    entries, results, news = _details(events, names[DETAIL], tables[DETAIL])
    found += [news, _strays(sections, entries, names)]
    two = entries.groupby(list(KEY)).size() == 2
    pairs = pd.MultiIndex.from_frame(sections[list(KEY)]).isin(two.index[two])
    sections["kind"] = sections["kind"].mask(pairs, "match")
    return Upload(sections, entries, results, findings.join(found))


KEY = ("tournament_id", "part")


def _table(kind: str, name: str, raw: bytes) -> tuple[dbase.Table | None, pd.DataFrame]:
    """A file of the set; F160, F162 and F201."""
    table = dbase.read(raw)
    if table.why:
        return None, findings.of("F160", file=name, why=table.why)
    lacks = [column for column in NEEDED[kind] if column not in table.cells]
    if kind == DETAIL and not table.cells.columns.str.fullmatch(ROUND).any():
        lacks.append("D_RND01")
    if lacks or not len(table.line):
        why = f"it has no field {', '.join(lacks)}" if lacks else "it has no records"
        return None, findings.of("F160", file=name, why=why)
    found = []
    if table.encoding:
        found.append(findings.of("F201", file=name, encoding=table.encoding))
    if table.deleted:
        found.append(findings.of("F325", file=name, count=table.deleted))
    return table, findings.join(found)


def _column(table: dbase.Table, name: str) -> pd.Series:
    return table.cells[name] if name in table.cells else pd.Series("", index=table.cells.index, dtype="str")


def _days(cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    """Days written YYYYMMDD or MM/DD/YYYY, and the mask of those that are neither; nothing is no day."""
    plain = cells.str.replace(r"^([0-9]{2})/([0-9]{2})/([0-9]{4})$", r"\3\1\2", regex=True)
    days = pd.to_datetime(plain.where(plain.str.fullmatch("(19|20)[0-9]{6}")), format="%Y%m%d", errors="coerce")
    return days.astype("datetime64[ms]"), (days.isna() & (cells != "")).to_numpy(bool)


def _bad(column: str, cells: pd.Series, line: np.ndarray, bad: np.ndarray, wanted: str, file: str) -> pd.DataFrame:
    rows = pd.DataFrame({"line": line[bad], "value": text.shown(cells[bad]).to_numpy(object)})
    return findings.of("F162", rows, file=file, column=column, wanted=wanted)


def _events(folder: str, file: str, table: dbase.Table) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A row an event: given (its id in the files), tournament_id, name, start, end."""
    given = _column(table, "H_EVENT_ID")
    start, bad_start = _days(table.cells["H_BEG_DATE"])
    end, bad_end = _days(table.cells["H_END_DATE"])
    stand_in = PurePosixPath(folder).name
    blank = (given == "").to_numpy(bool)
    found = [
        _bad("H_BEG_DATE", table.cells["H_BEG_DATE"], table.line, bad_start, "a day, YYYYMMDD", file),
        _bad("H_END_DATE", table.cells["H_END_DATE"], table.line, bad_end, "a day, YYYYMMDD", file),
        findings.of("F163", pd.DataFrame({"line": table.line[given.duplicated()]}), file=file),
    ]
    if blank.any():
        code = "F326" if stand_in else "F164"
        found.append(findings.of(code, file=file, name=stand_in))
    named = given.mask(blank, stand_in if stand_in else "?")
    rows = pd.DataFrame({"given": given, "tournament_id": named, "name": table.cells["H_NAME"]})
    rows = rows.assign(start=start, end=end).drop_duplicates("given")
    return rows, findings.join(found)


def _keys(
    events: pd.DataFrame, table: dbase.Table, letter: str, file: str
) -> tuple[pd.Series, pd.Series, pd.DataFrame]:
    """tournament_id and section number of each record; F162, F165. A blank id is the one event's."""
    given = _column(table, f"{letter}_EVENT_ID")
    only = events["given"].iloc[0] if len(events) == 1 else None
    given = given.mask(given == "", only) if only is not None else given
    ids = given.map(events.set_index("given")["tournament_id"]).astype("str")
    name = f"{letter}_SEC_NUM"
    numbers = _numbers(table.cells[name])
    stray = ids.isna().to_numpy(bool)
    rows = pd.DataFrame({"line": table.line[stray], "value": text.shown(given[stray]).to_numpy(object)})
    found = [
        findings.of("F165", rows, file=file, what="event"),
        _bad(name, table.cells[name], table.line, numbers.isna().to_numpy(bool), "a section's number", file),
    ]
    return ids, numbers, findings.join(found)


def _numbers(cells: pd.Series) -> pd.Series:
    """Whole numbers from 1, as Int64; anything else is null."""
    values = pd.to_numeric(cells.where(cells.str.fullmatch("[0-9]{1,4}"))).astype("Int64")
    return values.mask(values < 1)


def _sections(events: pd.DataFrame, names: Mapping[str, str], table: dbase.Table) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The sections, with the event's days where they have none of their own."""
    file = names[SECTION]
    ids, numbers, news = _keys(events, table, "S", file)
    found, days = [news], {}
    for name, column in (("start", "S_BEG_DATE"), ("end", "S_END_DATE")):
        cells = _column(table, column)
        days[name], bad = _days(cells)
        found.append(_bad(column, cells, table.line, bad, "a day, YYYYMMDD", file))
        days[name] = days[name].fillna(
            ids.map(events.drop_duplicates("tournament_id").set_index("tournament_id")[name])
        )
    code = table.cells["S_R_SYSTEM"].str.upper()
    unknown = (~code.isin([*RATED_AS, ""])).to_numpy(bool)
    found.append(_bad("S_R_SYSTEM", code, table.line, unknown, f"one of {', '.join(RATED_AS)}", file))
    match = _column(table, "S_TRN_TYPE").str.upper() == MATCH
    event_name = ids.map(events.drop_duplicates("tournament_id").set_index("tournament_id")["name"])
    title = event_name.astype("str") + ": " + _column(table, "S_SEC_NAME")
    rows = pd.DataFrame({"tournament_id": ids, "part": numbers, "file": names[DETAIL], "name": title, **days})
    rows = rows.assign(
        time_control=_column(table, "S_TIMECTL").replace("", None).astype("str"),
        rated_as=code.map(RATED_AS).astype("str"),
        place="otb",
        kind=pd.Series("swiss", index=rows.index).mask(match, "match"),
        line=table.line,
    )
    undated = rows["start"].isna() | rows["end"].isna() | (rows["end"] < rows["start"])
    found.append(_bad("S_END_DATE", _column(table, "S_END_DATE"), table.line, undated.to_numpy(bool),
                      "a day that is not before the first", file))  # fmt: skip
    rows = rows[ids.notna() & numbers.notna() & ~undated]
    twice = rows.duplicated(list(KEY))
    found.append(findings.of("F163", rows.loc[twice, ["line"]], file=file))
    return rows[~twice].astype({"part": "int64"})[list(CANDIDATE)], findings.join(found)


def _details(events: pd.DataFrame, file: str, table: dbase.Table) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Entries and results; F162 and F166."""
    ids, numbers, news = _keys(events, table, "D", file)
    pair = _numbers(table.cells["D_PAIR_NUM"])
    found = [news, _bad("D_PAIR_NUM", table.cells["D_PAIR_NUM"], table.line, pair.isna().to_numpy(bool), "a number",
                        file)]  # fmt: skip
    good = (ids.notna() & numbers.notna() & pair.notna()).to_numpy(bool)
    rating = pd.to_numeric(_column(table, "D_RATING").str.extract(r"^([0-9]{1,4})")[0]).astype("Int64")
    low, high = frames.RATING_RANGE
    member = table.cells["D_MEM_ID"].replace("", None).astype("str")
    rows = pd.DataFrame({"tournament_id": ids, "part": numbers, "start_no": pair, "player_id": member})
    rows = rows.assign(name=table.cells["D_NAME"].replace("", None).astype("str"), line=table.line, file=file)
    rows = rows.assign(reported_rating=rating.where((rating >= low) & (rating <= high)))
    rows = rows.assign(**{c.name: None for c in content.ENTRY_COLUMNS if c.name not in rows})
    results, news = _cells(rows, good, file, table)
    found.append(news)
    whole = dict.fromkeys(("part", "start_no", "line"), "int64")
    return frames.ENTRIES.build(rows[good].astype(whole)), results, findings.join(found)


def _cells(rows: pd.DataFrame, good: np.ndarray, file: str, table: dbase.Table) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Every round of every player; F166 for those that are no result."""
    columns = [name for name in table.cells if pd.Series([name]).str.fullmatch(ROUND).iloc[0]]
    parts, found = [], []
    for name in columns:
        written = table.cells[name].str.upper()
        groups = written.str.extract(CELL).astype("str").fillna("")
        letter, colour = groups[0], groups[2].str.lower()
        opponent = pd.to_numeric(groups[1].mask(groups[1] == "", "0")).astype("Int64")
        opponent = opponent.mask(opponent == 0)
        bad = ((letter == "") & (written != "")) | (letter.isin(WITH_OPPONENT) & opponent.isna())
        number = int(name.removeprefix("D_RND"))
        wrong = pd.DataFrame({"line": table.line[bad], "value": text.shown(table.cells[name][bad]).to_numpy(object)})
        found.append(findings.of("F166", wrong.assign(round=str(number)), file=file))
        result = letter.map(RESULTS).astype("str").fillna("").mask(bad, table.cells[name])
        part = rows[["tournament_id", "part", "start_no", "line", "file"]].assign(
            round=number, opponent_no=opponent, colour=colour.mask(colour == "").astype("str"), result=result,
            declared=None,
        )  # fmt: skip
        parts.append(part[good & (number > 0)])
    whole = dict.fromkeys(("part", "start_no", "line"), "int64")
    return frames.RESULTS.build(pd.concat(parts).astype(whole)), findings.join(found)


def _strays(sections: pd.DataFrame, entries: pd.DataFrame, names: Mapping[str, str]) -> pd.DataFrame:
    """F165 for players of a section that TSEXPORT does not have, and for sections without players."""
    known, there = (pd.MultiIndex.from_frame(rows[list(KEY)]) for rows in (sections, entries))
    lost = entries[~there.isin(known)]
    empty = sections[~known.isin(there)]
    return findings.join(
        [
            findings.of("F165", lost.assign(value=lost["part"].astype("str")).drop(columns=["tournament_id", "part"]),
                        what="section"),
            findings.of("F167", empty.drop(columns="file"), file=names[SECTION]),
        ]
    )  # fmt: skip
