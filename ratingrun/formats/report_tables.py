"""A tournament report as a table, CSV or Parquet: a crosstable with one row a player.

    start_no, player_id, name, federation, sex, title, birth_year, reported_rating, round_1, round_2, ...

Needed are start_no and at least one round column; see `report_cells` for what stands in them.

With a column tournament_id the table is a collection: the crosstables of many tournaments below each other, in any
order. Rounds after the last one in which a tournament has a cell are none of its rounds.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from ratingrun import coded, findings
from ratingrun.formats import content, csv_sheets, inputs, parquet, report_cells, text, typed
from ratingrun.formats.content import Content

PLAYER_COLUMNS = tuple(c for c in content.ENTRY_COLUMNS if c.name not in ("file", "line"))
COLLECTION = content.TOURNAMENT.name
OF_PLAYERS = frozenset(column.name for column in PLAYER_COLUMNS)
OF_CELLS = ("line", "file", "start_no", COLLECTION)
MOST = next(c.high for c in PLAYER_COLUMNS if c.name == "start_no")
EACH_ITS_OWN = ("player_id", "name")  # all else is said often
ROUND = "round_([1-9][0-9]{0,2})"
PARQUET = b"PAR1"


@dataclass(frozen=True)
class Crosstables:
    """The crosstables of files, one below the other: of each row of `table` the place of its file in `names`; the round
    columns by number, in order; which of these rounds each file has (files x rounds); and each file's ragged rows."""

    table: text.Table
    names: list[str]
    file: np.ndarray
    rounds: dict[int, str]
    own: np.ndarray
    ragged: list[Sequence[tuple[int, int, int]]]

    def place(self) -> dict[str, pd.Series]:
        """Line and file of each row, of a collection the tournament: without one (null) it is of the whole file."""
        file = pd.Categorical.from_codes(self.file, categories=pd.Index(self.names, dtype="str"))
        found = {"line": pd.Series(self.table.line, dtype="int64"), "file": pd.Series(file)}
        if COLLECTION in self.table.cells:
            ids = self.table.cells[COLLECTION]
            found[COLLECTION] = coded.coded(ids).mask(ids == "")
        return found


def contents(raws: Sequence[bytes], files: Sequence[str], workers: int = 1, order: str = "") -> dict[str, Content]:
    """Many reports at once, each by itself in the end; F150-F155, F157 and F201. More `workers` share large amounts;
    `order` is for formats with dates.

    A player whose starting number cannot be read is left out; a cell that cannot be read stands in `results` as it
    is written, without opponent and colour. Lines of Parquet (what begins as Parquet does) are row numbers, from 1.
    Parquet, collections and what has other columns than a crosstable is read by itself.
    """
    found, texts = {}, []
    for raw, file in zip(raws, files, strict=True):
        if raw.startswith(PARQUET):
            found[file] = _alone(parquet.table(raw, lambda name: name not in EACH_ITS_OWN), (), findings.none(), file)
        else:
            texts.append((raw, file))
    for some in content.in_batches(_csv, [texts], workers):
        found |= some
    return found


def _csv(texts: list[tuple[bytes, str]]) -> dict[str, Content]:
    """CSV reports; crosstables of about as many rounds are read together, so that no table is mostly blank."""
    found, known, kinds = {}, {}, {}
    for raw, file in texts:
        decoded = text.decode(raw)
        if decoded.why:
            found[file] = Content(findings=findings.of("F150", file=file, line=decoded.line, why=decoded.why))
        else:
            known[file] = decoded
    sheets = csv_sheets.read([decoded.content for decoded in known.values()])
    for sheet, (file, decoded) in zip(sheets, known.items(), strict=True):
        last = _last_round(tuple(sheet.cells.column_names))
        if last:
            kinds.setdefault(last.bit_length(), {})[file] = sheet
        else:
            news = inputs.encoding(decoded, file)
            found[file] = _alone(text.joined([sheet])[0], sheet.ragged, news, file)
    for some in kinds.values():
        news = [inputs.encoding(known[file], file) for file in some if known[file].encoding]
        found |= _together(some, findings.join(news))
    return found


@functools.lru_cache(maxsize=256)
def _last_round(names: tuple[str, ...]) -> int:
    """The last round, if these are columns of a crosstable and no other, each once; else 0."""
    rounds = [name for name in names if re.fullmatch(ROUND, name)]
    others = set(names).difference(rounds)
    whole = rounds and "start_no" in others and others <= OF_PLAYERS and len(set(names)) == len(names)
    return max(map(_number, rounds)) if whole else 0


def _number(name: str) -> int:
    return int(name.removeprefix("round_"))


def _together(sheets: dict[str, text.Sheet], found: pd.DataFrame) -> dict[str, Content]:
    """Crosstables by file, and what was found in them already; read as one."""
    table, file = text.joined(list(sheets.values()))
    rounds = _rounds(table)
    names = [set(sheet.cells.column_names) for sheet in sheets.values()]
    own = np.array([[name in mine for name in rounds.values()] for mine in names])
    ragged = [sheet.ragged for sheet in sheets.values()]
    parts = _read(Crosstables(table, list(sheets), file, rounds, own, ragged), found)
    whole = content.Together.build(*parts, list(sheets))
    return {name: whole.alone(name) for name in sheets}


def _alone(table: text.Table, ragged: Sequence[tuple[int, int, int]], found: pd.DataFrame, file: str) -> Content:
    """A report, or a collection, by itself."""
    if table.why:
        return Content(findings=findings.of("F150", file=file, line=table.at, why=table.why))
    shape = _headings(table, file)
    if len(shape):
        return Content(findings=findings.join([found, shape]))
    rounds = _rounds(table)
    own, first = np.ones((1, len(rounds)), bool), np.zeros(len(table.line), "int8")
    entries, results, found = _read(Crosstables(table, [file], first, rounds, own, [ragged]), found)
    return Content(entries=entries, results=results, findings=found)


def _read(reports: Crosstables, found: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Entries and results, file by file, and the findings: those `found` already first."""
    players, bad = _players(reports)
    codes, spellings = _spellings(reports)
    meaning = report_cells.read(spellings)
    unread = _unread(reports, players, codes, spellings, meaning.bad)
    kept = _own_cells(reports, players, codes, (spellings != "").to_numpy(bool))
    which, key = _in_order(reports, players)
    if which is not None:
        players, codes, kept = players.take(which).reset_index(drop=True), codes[which], kept[which]
    players = players.astype({"start_no": "int64"})
    cells = _cells(players, codes, kept, np.array(list(reports.rounds), "int64"), meaning)
    if (np.diff(key) == 0).any():  # a starting number that stands twice: round by round
        order = np.lexsort((cells["line"], cells["round"], np.repeat(key, kept.sum(axis=1))))
        cells = {name: pd.Series(values.array.take(order), copy=False) for name, values in cells.items()}
    found = findings.join([found, _ragged(reports), bad, unread, _nobody(reports)])
    return content.entries(players), content.results(cells), found


def _ragged(reports: Crosstables) -> pd.DataFrame:
    """F154 for the rows of another width than their header."""
    rows = [(name, *row) for name, ragged in zip(reports.names, reports.ragged, strict=True) for row in ragged]
    return findings.of("F154", pd.DataFrame(rows, columns=["file", "line", "count", "wanted"]))


def _nobody(reports: Crosstables) -> pd.DataFrame:
    """F157 for the files without a row."""
    count = np.bincount(reports.file, minlength=len(reports.names)) + np.array([len(rows) for rows in reports.ragged])
    return findings.join(findings.of("F157", file=reports.names[at]) for at in np.flatnonzero(count == 0))


def _headings(table: text.Table, file: str) -> pd.DataFrame:
    """F151 for unknown and repeated columns, F152 for missing ones."""
    names = pd.Series(table.cells.columns, dtype="str")
    known = [*(column.name for column in PLAYER_COLUMNS), COLLECTION]
    rounds = names.str.fullmatch(ROUND).to_numpy(bool)
    place = {"file": file, "line": table.header_line, "known": ", ".join([*known, "round_1", "round_2 ..."])}
    unknown = [name for name in names[~rounds] if name not in known]
    parts = [findings.of("F151", column=name, **place) for name in unknown]
    parts += [findings.of("F151", column=f"{name} (a second time)", **place) for name in table.repeated]
    if "start_no" not in table.cells:
        parts.append(findings.of("F152", column="start_no", **place))
    if not rounds.any():
        parts.append(findings.of("F152", column="round_1", **place))
    return findings.join(parts)


def _players(reports: Crosstables) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The players, typed, with their place; F153 for cells that do not fit."""
    table, place = reports.table, reports.place()
    values, parts = dict(place), []
    nothing = pd.Series("", index=pd.RangeIndex(len(table.line)), dtype="str")
    for column in (content.TOURNAMENT, *PLAYER_COLUMNS) if COLLECTION in place else PLAYER_COLUMNS:
        cells = table.cells.get(column.name, nothing)
        if column.name in place:
            bad = np.zeros(len(cells), bool)
        else:
            values[column.name], bad = typed.convert(column, cells)
        bad = bad | (cells == "").to_numpy(bool) & (column.name in ("start_no", COLLECTION))
        split = text.split_cells(table, cells)
        for mask, wanted in ((bad & ~split, typed.wanted(column)), (split, text.ONE_LINE)):
            if mask.any():
                rows = pd.DataFrame(place)[mask].assign(value=text.shown(cells[mask].astype("str")))
                parts.append(findings.of("F153", rows, column=column.name, wanted=wanted))
    return pd.DataFrame(values), findings.join(parts)


def _rounds(table: text.Table) -> dict[int, str]:
    """The round columns by number, in order."""
    number = {_number(name): name for name in table.cells if name.startswith("round_")}
    return {one: number[one] for one in sorted(number)}


def _spellings(reports: Crosstables) -> tuple[np.ndarray, pd.Series]:
    """The distinct texts of all round cells, and which of them each cell is: players x rounds."""
    found = [_dictionary(reports.table.cells[name]) for name in reports.rounds.values()]
    whole = pa.chunked_array(found, pa.dictionary(pa.int32(), pa.large_string())).unify_dictionaries()
    spellings = whole.chunk(0).dictionary.to_pandas().astype("str")
    return np.column_stack([chunk.indices.to_numpy() for chunk in whole.chunks]), spellings


def _dictionary(cells: pd.Series) -> pa.DictionaryArray:
    """A column as numbers of its distinct texts."""
    found = coded.arrow(cells)
    return found if coded.is_coded(cells) else found.cast(coded.WIDE).dictionary_encode()


def _unread(
    reports: Crosstables, players: pd.DataFrame, codes: np.ndarray, spellings: pd.Series, bad: np.ndarray
) -> pd.DataFrame:
    """F155 for the cells that are no result."""
    if not bad.any():
        return findings.none()
    row, column = np.nonzero(bad[codes])
    rows = players[[name for name in OF_CELLS if name in players]].take(row)
    value = text.shown(spellings.take(codes[row, column])).array
    number = np.array(list(reports.rounds))[column].astype("str")
    return findings.of("F155", rows.assign(round=number, value=value))


def _in_order(reports: Crosstables, players: pd.DataFrame) -> tuple[np.ndarray | None, np.ndarray]:
    """The players with a starting number (of a collection with a tournament) in the order of these, file by file, None
    for all as they stand; and a number for each of them: the same for the same starting number."""
    numbered = players["start_no"].notna().to_numpy(bool)
    of = reports.file.astype("int64")
    if COLLECTION in players:
        of = players[COLLECTION].array.codes.astype("int64")
        numbered = numbered & (of >= 0)
    key = of * (MOST + 1) + players["start_no"].to_numpy("int64", na_value=0)
    which = np.flatnonzero(numbered)
    if (np.diff(key[which]) < 0).any():
        which = which[np.argsort(key[which], kind="stable")]
    elif len(which) == len(players):
        return None, key
    return which, key[which]


def _own_cells(reports: Crosstables, players: pd.DataFrame, codes: np.ndarray, filled: np.ndarray) -> np.ndarray:
    """The mask of the cells (players x rounds) that are of the rounds of their file; in a collection of those up to the
    last one in which their tournament has a cell. `filled` says which spellings say something."""
    kept = reports.own[reports.file]
    if COLLECTION not in players:
        return kept
    mine = np.zeros(len(codes), "int64")
    for place, column in enumerate(codes.T):
        mine[filled[column]] = place + 1
    tournament = players[COLLECTION].array
    last = np.zeros(len(tournament.categories) + 1, "int64")  # the last: no tournament
    np.maximum.at(last, tournament.codes, mine)
    return kept & (np.arange(codes.shape[1]) < last[tournament.codes][:, None])


def _cells(
    players: pd.DataFrame, codes: np.ndarray, kept: np.ndarray, rounds: np.ndarray, meaning: report_cells.Meaning
) -> dict[str, pd.Series]:
    """Every cell that is kept, player by player, read."""
    spelling, count = codes[kept], kept.sum(axis=1)
    data = {name: pd.Series(players[name].array.repeat(count), copy=False) for name in players if name in OF_CELLS}
    data["round"] = pd.Series(np.broadcast_to(rounds, codes.shape)[kept], copy=False)
    for name in ("opponent_no", "colour", "result"):
        values = getattr(meaning, name)
        values = coded.coded(values) if name != "opponent_no" and COLLECTION in players else values
        data[name] = pd.Series(values.array.take(spelling), copy=False)
    return data
