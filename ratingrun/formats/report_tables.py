"""A tournament report as a table, CSV or Parquet: a crosstable with one row a player.

    start_no, player_id, name, federation, sex, title, birth_year, reported_rating, round_1, round_2, ...

Needed are start_no and at least one round column. A round cell is the opponent's starting number, the colour and the
result: 12w1, 5b=, 7w+, 7-; or a result alone: -, H, F, U, Z; blank: no pairing. Blanks inside and small letters are
tolerated; a draw may be written = or 1/2 or .5 in their usual forms.

With a column tournament_id the table is a collection: the crosstables of many tournaments below each other, in any
order. Rounds after the last one in which a tournament has a cell are none of its rounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded, findings
from ratingrun.formats import content, inputs, parquet, text, typed
from ratingrun.formats.content import Content

PLAYER_COLUMNS = tuple(c for c in content.ENTRY_COLUMNS if c.name not in ("file", "line"))
COLLECTION = content.TOURNAMENT.name
OF_CELLS = ("line", "start_no", COLLECTION)
MOST = next(c.high for c in PLAYER_COLUMNS if c.name == "start_no")
EACH_ITS_OWN = ("player_id", "name")  # all else is said often
ROUND = "round_([1-9][0-9]{0,2})"
PARQUET = b"PAR1"
DASHES = r"[‐‑‒–—−]"  # what spreadsheets make of a minus
HALF = r"(^|[WB])(?:1/2|0?[.,]5)$"  # only where no digit of an opponent can stand before it
PLAIN = r"[0-9A-Z=+\-]*"
WITH_COLOUR = r"(?P<a>[0-9]{0,4})(?P<b>[WB])(?P<c>[10=+\-WDLHFUZ])"
WITHOUT_COLOUR = r"(?P<d>[0-9]{0,4})(?P<e>)(?P<f>[=+\-DLHFUZ])"  # 121 could be 12 and 1 or 121: refused
ALONE = "(?P<g>)(?P<h>)(?P<i>[10W])"
CELL = f"^(?:{WITH_COLOUR}|{WITHOUT_COLOUR}|{ALONE})$"


def read(raw: bytes, file: str) -> Content:
    """The report in these bytes, Parquet if they begin as Parquet does; F150-F155, F157 and F201.

    A player whose starting number cannot be read is left out; a cell that cannot be read stands in `results` as it
    is written, without opponent and colour. Lines of Parquet are row numbers, from 1.
    """
    if raw.startswith(PARQUET):
        return _report(parquet.table(raw, lambda name: name not in EACH_ITS_OWN), findings.none(), file)
    decoded = text.decode(raw)
    if decoded.why:
        return Content(findings=findings.of("F150", file=file, line=decoded.line, why=decoded.why))
    return _report(text.table(decoded.content), inputs.encoding(decoded, file), file)


def _report(table: text.Table, found: pd.DataFrame, file: str) -> Content:
    if table.why:
        return Content(findings=findings.of("F150", file=file, line=table.at, why=table.why))
    shape = _headings(table, file)
    if len(shape):
        return Content(findings=findings.join([found, shape]))
    players, bad = _players(table, pd.Series(table.line, dtype="int64"), file)
    codes, spellings = _spellings(table)
    meaning = parse(spellings)
    unread = _unread(table, players, codes, spellings, meaning.bad, file)
    count = _own_rounds(players, codes, (spellings != "").to_numpy(bool))
    which, once = _in_order(players)
    if which is not None:
        players, codes, count = players.take(which).reset_index(drop=True), codes[which], count[which]
    players = players.astype({"start_no": "int64"})
    cells = _cells(players, codes, count, np.array(list(_rounds(table)), "int64"), meaning)
    of = {COLLECTION: coded.plain(players[COLLECTION])} if COLLECTION in players else {}
    parts = [found, findings.of("F154", table.ragged, file=file), bad, unread]
    if not len(table.line) and not len(table.ragged):
        parts.append(findings.of("F157", file=file))
    return Content(
        entries=content.entries(players.assign(**of), file, in_order=True),
        results=content.results(cells, file, in_order=once),
        findings=findings.join(parts),
    )


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


def _players(table: text.Table, line: pd.Series, file: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The players, typed, with their line (of a collection with their tournament); F153 for cells that do not fit."""
    values, parts = {"line": line}, []
    nothing = pd.Series("", index=line.index, dtype="str")
    ids = table.cells.get(COLLECTION)
    of = {} if ids is None else {COLLECTION: coded.coded(ids).mask(ids == "")}  # without: a finding of the whole file
    for column in (content.TOURNAMENT, *PLAYER_COLUMNS) if of else PLAYER_COLUMNS:
        cells = table.cells.get(column.name, nothing)
        values[column.name], bad = typed.convert(column, cells) if column.name not in of else (of[column.name], False)
        bad = bad | (cells == "").to_numpy(bool) & (column.name in ("start_no", COLLECTION))
        split = text.split_cells(table, cells)
        for mask, wanted in ((bad & ~split, typed.wanted(column)), (split, text.ONE_LINE)):
            if mask.any():
                rows = pd.DataFrame({"line": line, **of})[mask].assign(value=text.shown(cells[mask].astype("str")))
                parts.append(findings.of("F153", rows, file=file, column=column.name, wanted=wanted))
    return pd.DataFrame(values), findings.join(parts)


def _rounds(table: text.Table) -> dict[int, str]:
    """The round columns by number, in order."""
    number = {int(name.removeprefix("round_")): name for name in table.cells if name.startswith("round_")}
    return {one: number[one] for one in sorted(number)}


def _spellings(table: text.Table) -> tuple[np.ndarray, pd.Series]:
    """The distinct texts of all round cells, and which of them each cell is: players x rounds."""
    found = [_dictionary(table.cells[name]) for name in _rounds(table).values()]
    whole = pa.chunked_array(found, pa.dictionary(pa.int32(), pa.large_string())).unify_dictionaries()
    spellings = whole.chunk(0).dictionary.to_pandas().astype("str")
    return np.column_stack([chunk.indices.to_numpy() for chunk in whole.chunks]), spellings


def _dictionary(cells: pd.Series) -> pa.DictionaryArray:
    """A column as numbers of its distinct texts."""
    found = coded.arrow(cells)
    return found if coded.is_coded(cells) else found.cast(coded.WIDE).dictionary_encode()


def _unread(
    table: text.Table, players: pd.DataFrame, codes: np.ndarray, spellings: pd.Series, bad: np.ndarray, file: str
) -> pd.DataFrame:
    """F155 for the cells that are no result."""
    if not bad.any():
        return findings.none()
    row, column = np.nonzero(bad[codes])
    rows = players[[name for name in OF_CELLS if name in players]].take(row)
    value = text.shown(spellings.take(codes[row, column])).array
    number = np.array(list(_rounds(table)))[column].astype("str")
    return findings.of("F155", rows.assign(round=number, value=value), file=file)


def _in_order(players: pd.DataFrame) -> tuple[np.ndarray | None, bool]:
    """The players with a starting number (of a collection with a tournament) in the order of these, None for all as
    they stand; and whether each number stands once."""
    numbered = players["start_no"].notna().to_numpy(bool)
    key = players["start_no"].to_numpy("int64", na_value=0)
    if COLLECTION in players:
        tournament = players[COLLECTION].array.codes.astype("int64")
        numbered, key = numbered & (tournament >= 0), tournament * (MOST + 1) + key
    which = np.flatnonzero(numbered)
    step = np.diff(key[which])
    if (step < 0).any():
        which = which[np.argsort(key[which], kind="stable")]
        step = np.diff(key[which])
    elif len(which) == len(players):
        which = None
    return which, bool((step != 0).all())


def _own_rounds(players: pd.DataFrame, codes: np.ndarray, filled: np.ndarray) -> np.ndarray:
    """How many of the rounds are each player's: in a collection those up to the last one in which his tournament has a
    cell. `filled` says which spellings say something."""
    if COLLECTION not in players:
        return np.full(len(players), codes.shape[1])
    mine = np.zeros(len(codes), "int64")
    for place, column in enumerate(codes.T):
        mine[filled[column]] = place + 1
    tournament = players[COLLECTION].array
    last = np.zeros(len(tournament.categories) + 1, "int64")  # the last: no tournament
    np.maximum.at(last, tournament.codes, mine)
    return last[tournament.codes]


def _cells(
    players: pd.DataFrame, codes: np.ndarray, count: np.ndarray, rounds: np.ndarray, meaning: Meaning
) -> dict[str, pd.Series]:
    """Every cell of the players' own rounds, player by player, read."""
    kept = np.arange(len(rounds)) < count[:, None]
    spelling = codes[kept]
    data = {name: pd.Series(players[name].array.repeat(count), copy=False) for name in players if name in OF_CELLS}
    data["round"] = pd.Series(np.broadcast_to(rounds, codes.shape)[kept], copy=False)
    for name in ("opponent_no", "colour", "result"):
        values = getattr(meaning, name)
        values = coded.coded(values) if name != "opponent_no" and COLLECTION in players else values
        data[name] = pd.Series(values.array.take(spelling), copy=False)
    return data


class Meaning(NamedTuple):
    """What round cells say: opponent_no (Int64), colour (w, b), result (upper case, "=" for every half); `bad` is the
    mask of those that cannot be read, which keep their text as result."""

    opponent_no: pd.Series
    colour: pd.Series
    result: pd.Series
    bad: np.ndarray


def parse(spelling: pd.Series) -> Meaning:
    """Round cells read. Only what is written in an unusual way is looked at letter by letter."""
    plain = spelling.str.upper()
    odd = ~plain.str.fullmatch(PLAIN).to_numpy(bool)
    if odd.any():
        plain = plain.mask(odd, _plain(plain[odd]).reindex(plain.index))
    groups = pc.extract_regex(coded.arrow(plain), CELL)
    found = [pc.fill_null(pc.struct_field(groups, place), "").to_pandas().astype("str") for place in range(9)]
    opponent, colour, result = (found[place] + found[place + 3] + found[place + 6] for place in range(3))
    bad = ((result == "") & (plain != "")).to_numpy(bool)
    number = pd.to_numeric(opponent.mask(opponent == "", "0")).astype("Int64")
    return Meaning(number.mask(number == 0), colour.str.lower().mask(colour == ""), result.mask(bad, spelling), bad)


def _plain(cells: pd.Series) -> pd.Series:
    """Cells without blanks, every dash a minus, every half a =."""
    cells = cells.str.replace(r"[^\S\r\n]+", "", regex=True).str.replace(DASHES, "-", regex=True)
    return cells.str.replace("½", "=", regex=False).str.replace(HALF, r"\1=", regex=True)
