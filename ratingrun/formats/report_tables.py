"""A tournament report as a table, CSV or Parquet: a crosstable with one row a player.

    start_no, player_id, name, federation, sex, title, birth_year, reported_rating, round_1, round_2, ...

Needed are start_no and at least one round column. A round cell is the opponent's starting number, the colour and the
result: 12w1, 5b=, 7w+, 7-; or a result alone: -, H, F, U, Z; blank: no pairing. Blanks inside and small letters are
tolerated; a draw may be written = or 1/2 or .5 in their usual forms.

With a column tournament_id the table is a collection: the crosstables of many tournaments below each other, in any
order. Rounds after the last one in which a tournament has a cell are none of its rounds.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from ratingrun import findings, frames
from ratingrun.formats import content, inputs, text, typed
from ratingrun.formats.content import Content

PLAYER_COLUMNS = tuple(c for c in content.ENTRY_COLUMNS if c.name not in ("file", "line"))
COLLECTION = content.TOURNAMENT.name
ROUND = "round_([1-9][0-9]{0,2})"
PARQUET = b"PAR1"
DASHES = r"[‐‑‒–—−]"  # what spreadsheets make of a minus
HALF = r"(^|[WB])(?:1/2|0?[.,]5)$"  # only where no digit of an opponent can stand before it
WITH_COLOUR = r"([0-9]{0,4})([WB])([10=+\-WDLHFUZ])"
WITHOUT_COLOUR = r"([0-9]{0,4})()([=+\-DLHFUZ])"  # 121 could be 12 and 1 or 121: refused
ALONE = "()()([10W])"
CELL = f"^(?:{WITH_COLOUR}|{WITHOUT_COLOUR}|{ALONE})$"


def read(raw: bytes, file: str) -> Content:
    """The report in these bytes, Parquet if they begin as Parquet does; F150-F155, F157 and F201.

    A player whose starting number cannot be read is left out; a cell that cannot be read stands in `results` as it
    is written, without opponent and colour. Lines of Parquet are row numbers, from 1.
    """
    if raw.startswith(PARQUET):
        return _report(text.parquet_table(raw), findings.none(), file)
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
    line = pd.Series(table.line, dtype="int64")
    players, bad = _players(table, line, file)
    numbered = players["start_no"].notna().to_numpy(bool)
    if COLLECTION in players:
        numbered = numbered & players[COLLECTION].notna().to_numpy(bool)
    cells, unread = _cells(table, players, numbered, file)
    parts = [found, findings.of("F154", table.ragged, file=file), bad, unread]
    if not len(line) and not len(table.ragged):
        parts.append(findings.of("F157", file=file))
    return Content(
        entries=content.entries(players[numbered].reset_index(drop=True), file),
        results=content.results(cells, file),
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
    of = {} if ids is None else {COLLECTION: ids.mask(ids == "")}  # without one, the finding is the whole file's
    for column in (content.TOURNAMENT, *PLAYER_COLUMNS) if of else PLAYER_COLUMNS:
        cells = table.cells.get(column.name, nothing)
        values[column.name], bad = typed.convert(column, cells)
        bad = bad | (cells == "").to_numpy(bool) & (column.name in ("start_no", COLLECTION))
        split = text.split_cells(table, cells)
        for mask, wanted in ((bad & ~split, typed.wanted(column)), (split, text.ONE_LINE)):
            if mask.any():
                rows = pd.DataFrame({"line": line, **of, "value": cells})[mask]
                rows["value"] = text.shown(rows["value"])
                parts.append(findings.of("F153", rows, file=file, column=column.name, wanted=wanted))
    return pd.DataFrame(values), findings.join(parts)


def _cells(
    table: text.Table, players: pd.DataFrame, numbered: np.ndarray, file: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Every cell of every round column, player by player, read; F155 for those that are no result."""
    number = {int(name.removeprefix("round_")): name for name in table.cells if name.startswith("round_")}
    rounds = np.array(sorted(number), "int64")
    codes, spellings = _spellings([table.cells[number[one]] for one in rounds])
    opponent_no, colour, result, bad = parse(spellings)
    own = ["line", *(name for name in ("start_no", COLLECTION) if name in players)]
    where = np.arange(codes.size) // max(len(rounds), 1)
    wrong = bad[codes.ravel()]
    unread = (
        players[own]
        .take(where[wrong])
        .assign(
            round=np.tile(rounds, len(players))[wrong].astype("str"),
            value=text.shown(spellings.take(codes.ravel()[wrong])).array,
        )
    )
    kept = np.repeat(numbered, len(rounds))
    if COLLECTION in players:
        kept &= _own_rounds(players[COLLECTION], (spellings != "").to_numpy(bool)[codes])
    rows, spelling = where[kept], codes.ravel()[kept]
    data = {name: players[name].take(rows).reset_index(drop=True) for name in own}
    data["round"] = np.tile(rounds, len(players))[kept]
    for name, values in (("opponent_no", opponent_no), ("colour", colour), ("result", result)):
        data[name] = values.take(spelling).reset_index(drop=True)
    return pd.DataFrame(data, copy=False), findings.of("F155", unread, file=file)


def _spellings(columns: list[pd.Series]) -> tuple[np.ndarray, pd.Series]:
    """The distinct texts of some columns, and which of them each cell is: rows x columns."""
    whole = pa.chunked_array([frames.arrow(column) for column in columns], pa.large_string()).dictionary_encode()
    whole = whole.unify_dictionaries()
    spellings = whole.chunk(0).dictionary.to_pandas().astype("str") if whole.num_chunks else pd.Series([], dtype="str")
    codes = [chunk.indices.to_numpy() for chunk in whole.chunks]
    return np.column_stack(codes) if codes else np.zeros((0, 0), "int64"), spellings


def _own_rounds(tournament: pd.Series, filled: np.ndarray) -> np.ndarray:
    """Of a collection: whether each cell (players x rounds, flat) stands in a round of its tournament."""
    codes, ids = pd.factorize(tournament, use_na_sentinel=False)
    last = np.zeros(len(ids), "int64")
    width = filled.shape[1]
    last_filled = np.where(filled.any(axis=1), width - np.argmax(filled[:, ::-1], axis=1), 0)
    np.maximum.at(last, codes, last_filled)
    return (np.arange(width) < last[codes][:, None]).ravel()


def parse(spelling: pd.Series) -> tuple[pd.Series, pd.Series, pd.Series, np.ndarray]:
    """Round cells as opponent_no (Int64), colour (w, b), result (upper case, "=" for every half), and the mask of
    those that cannot be read, which keep their text as result."""
    plain = spelling.str.upper().str.replace(r"[^\S\r\n]+", "", regex=True).str.replace(DASHES, "-", regex=True)
    plain = plain.str.replace("½", "=", regex=False).str.replace(HALF, r"\1=", regex=True)
    groups = plain.str.extract(CELL).astype("str").fillna("")
    opponent = groups[0] + groups[3] + groups[6]
    colour = groups[1] + groups[4] + groups[7]
    result = groups[2] + groups[5] + groups[8]
    bad = ((result == "") & (plain != "")).to_numpy(bool)
    number = pd.to_numeric(opponent.mask(opponent == "", "0")).astype("Int64")
    return number.mask(number == 0), colour.str.lower().mask(colour == ""), result.mask(bad, spelling), bad
