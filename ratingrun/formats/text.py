"""Bytes to text, text to lines, CSV text to a table of text columns with the true line of every row.

Nothing here raises on bad input: what cannot be read comes back as a reason in words, which the readers turn into
a finding of their own code (F101 for inputs, F150 for reports).
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded

LINE_END = re.compile("\r\n|\n|\r")  # not str.splitlines, which also splits at form feeds and U+2028
LINE = re.compile("[^\r\n]+")
LINE_END_BYTES = re.compile(b"\r\n|\n|\r")
DELIMITERS = ",;\t"
CHUNK = 1 << 20  # bytes read at once, where a file says nothing of its size
LONGEST = 60  # characters of a cell that a finding quotes
FORMULA = "^('*[=+\\-@\t\r])"  # what begins so is a formula to a spreadsheet
ONE_LINE = "text on one line (is a quote missing?)"
PARQUET_ERRORS = (pa.ArrowException, OSError, ValueError, KeyError, MemoryError)
WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Text:
    """A decoded file: its text, or why there is none; `encoding` and `line` are set if it was not UTF-8."""

    content: str = ""
    why: str = ""
    encoding: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Table:
    """A table of text: `cells` (str columns, stripped, "" = nothing) and `line`, the line of the file of each row.

    Columns of Parquet may be coded: a `category` with sorted words, so that work is done once for each word.
    `ragged` has a row (line, count, wanted) for each row with too many or too few cells; these are not in `cells`.
    `repeated` names the columns that the header has twice; `breaks` is False if no cell can hold a line break.
    `why` says why there is no table, `at` on which line.
    """

    cells: pd.DataFrame = field(default_factory=pd.DataFrame)
    line: np.ndarray = field(default_factory=lambda: np.zeros(0, "int64"))
    header_line: int = 1
    ragged: pd.DataFrame = field(default_factory=lambda: pd.DataFrame({"line": [], "count": [], "wanted": []}))
    repeated: tuple[str, ...] = ()
    breaks: bool = True
    why: str = ""
    at: int | None = None


@dataclass(frozen=True)
class Sheet:
    """The rows of a CSV file: `cells`, text as it is written under the names of the header (small letters; there may be
    none, or one twice), and `line`, on which each begins. `ragged`: line, count and wanted of rows of another width.

    The rest as in `Table`.
    """

    cells: pa.Table = field(default_factory=lambda: pa.table({}))
    line: np.ndarray = field(default_factory=lambda: np.zeros(0, "int64"))
    header_line: int = 1
    ragged: Sequence[tuple[int, int, int]] = ()
    breaks: bool = True
    why: str = ""
    at: int | None = None


def load(path: Path, largest: int | None = None) -> tuple[bytes, str]:
    """The bytes of a file and "", or nothing and why it cannot be read: more than `largest` bytes, for one."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return b"", "there is no such file"
    except IsADirectoryError:
        return b"", "it is a folder"
    except (OSError, ValueError) as error:
        return b"", f"it cannot be opened ({getattr(error, 'strerror', None) or error})"
    try:
        return _contents(handle, largest)
    except IsADirectoryError:
        return b"", "it is a folder"
    except OSError as error:
        return b"", f"it cannot be read ({error.strerror or error})"
    finally:
        os.close(handle)


def _contents(handle: int, largest: int | None) -> tuple[bytes, str]:
    """What is in an open file. A file that grows while it is read is read to its end."""
    size = os.fstat(handle).st_size
    if largest is not None and size > largest:
        return b"", f"it is larger than {largest >> 20} MiB"
    found = os.read(handle, size + 1)
    if len(found) == size:
        return found, ""
    parts = [found]
    while found := os.read(handle, CHUNK):
        parts.append(found)
        if largest is not None and sum(map(len, parts)) > largest:
            return b"", f"it is larger than {largest >> 20} MiB"
    return b"".join(parts), ""


def decode(raw: bytes) -> Text:
    """Bytes as text: a UTF-8 mark is dropped, then UTF-8, else Windows-1252 (said in `encoding`, for F201)."""
    if not raw.strip():
        return Text(why="it is empty")
    if raw.startswith(WIDE_MARKS):
        return Text(why="it is UTF-16 text")
    if (zero := raw.find(b"\0")) >= 0:
        return Text(why="it is not text", line=_line_at(raw, zero))
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if not raw.strip():
        return Text(why="it is empty")
    try:
        return Text(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = _line_at(raw, error.start)
    try:
        return Text(raw.decode("cp1252"), encoding="Windows-1252", line=line)
    except UnicodeDecodeError as error:
        return Text(why="it is neither UTF-8 nor Windows-1252 text", line=_line_at(raw, error.start))


def _line_at(raw: bytes, position: int) -> int:
    """The line, from 1, on which a byte stands."""
    before = raw[:position]
    return before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1


def lines(content: str) -> list[str]:
    """The lines of a text, split at CRLF, LF or CR."""
    return LINE_END.split(content)


def delimiter(header: str) -> str:
    """The delimiter of a CSV file, from its header line: the one that stands there most; comma if none does."""
    return max(DELIMITERS, key=header.count)


def table(content: str) -> Table:
    """CSV text as a table; see `sheet`, `joined`."""
    return joined([sheet(content)])[0]


def sheet(content: str) -> Sheet:
    """The rows of CSV text. The header is the first line that is not blank; blank lines are left out, the others keep
    their line numbers. Cells beyond the header are tolerated if they are empty."""
    rows, line, why, at = _rows(content)
    if why or not rows:
        return Sheet(why=why or "it is empty", at=at)
    header = [cell.strip().lower() for cell in rows[0]]
    while header and not header[-1]:
        header.pop()
    width = len(header)
    count = np.fromiter(map(len, rows), "int64", len(rows))
    for position in np.flatnonzero(count > width):  # only rows that are too long
        if not "".join(rows[position][width:]).strip():
            rows[position], count[position] = rows[position][:width], width
    full = count == width
    full[0] = False
    columns = list(zip(*(rows[position] for position in np.flatnonzero(full)), strict=True)) or [()] * width
    uneven = count != width
    uneven[0] = False
    ragged = [
        (int(line[position]), int(count[position]), width)
        for position in np.flatnonzero(uneven)
        if "".join(rows[position]).strip()
    ]
    cells = pa.Table.from_arrays([pa.array(column, coded.WIDE) for column in columns], names=header)
    return Sheet(cells, line[full], int(line[0]), ragged, breaks='"' in content)


def joined(sheets: Sequence[Sheet]) -> tuple[Table, np.ndarray]:
    """Sheets below each other as one table, and the sheet of each of its rows. A column that a sheet lacks is empty.

    One of several must not hold a column twice. Rows without any content are left out. Of the first are the header's
    line, and why there is no table.
    """
    one, many = sheets[0], len(sheets) > 1
    whole = pa.concat_tables([each.cells for each in sheets], promote_options="default") if many else one.cells
    line = np.concatenate([each.line for each in sheets])
    which = np.repeat(np.arange(len(sheets)), [len(each.line) for each in sheets])
    columns = [column.combine_chunks() for column in whole.columns]
    columns = [(pc.fill_null(column, "") if column.null_count else column).to_pandas() for column in columns]
    ragged = [row for each in sheets for row in each.ragged]
    found = from_columns(
        whole.column_names,
        columns,
        np.arange(len(line)),
        one.header_line,
        pd.DataFrame(ragged, columns=list(Table().ragged)) if ragged else None,
        any(each.breaks for each in sheets),
    )
    return replace(found, line=line[found.line], why=one.why, at=one.at), which[found.line]


def _rows(content: str) -> tuple[list[list[str]], np.ndarray, str, int | None]:
    """The CSV rows that are not blank lines and the line on which each begins; or why not, and where."""
    first = next((one[0] for one in LINE.finditer(content) if one[0].strip()), "")
    reader = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter(first), strict=True)
    rows: list[list[str]] = []
    ends = [0]
    try:
        for row in reader:
            rows.append(row)
            ends.append(reader.line_num)
    except csv.Error as error:
        return [], np.zeros(0, "int64"), f"it is not CSV ({error}); is a quote missing?", ends[-1] + 1
    begins = np.array(ends[:-1], "int64") + 1
    filled = [position for position, row in enumerate(rows) if row and (len(row) > 1 or row[0].strip())]
    return [rows[position] for position in filled], begins[filled], "", None


def from_columns(
    header: list[str],
    columns: Sequence,
    line: np.ndarray,
    header_line: int,
    ragged: pd.DataFrame | None = None,
    breaks: bool = True,
) -> Table:
    """The table of these columns: stripped, without columns that have neither name nor content, without empty rows."""
    cells, repeated = {}, []
    for position, (name, values) in enumerate(zip(header, columns, strict=True)):
        series = (
            values
            if isinstance(values, pd.Series) and coded.is_coded(values)
            else pd.Series(values, dtype="str").str.strip()
        )
        if not name and not (series != "").any():
            continue
        name = name or f"(column {position + 1}, without a name)"
        repeated += [name] if name in cells else []
        cells.setdefault(name, series)
    frame, filled = pd.DataFrame(cells, index=pd.RangeIndex(len(line))), np.zeros(len(line), bool)
    for series in cells.values():
        if filled.all():
            break
        filled = filled | (series != "").to_numpy(bool)
    if not filled.all():
        frame, line = frame[filled].reset_index(drop=True), line[filled]
    return Table(frame, line, header_line, Table().ragged if ragged is None else ragged, tuple(repeated), breaks)


def split_cells(found: Table, cells: pd.Series) -> np.ndarray:
    """The mask of the cells with a line break: mostly a quote that was never closed."""
    if not found.breaks:
        return np.zeros(len(cells), bool)
    if coded.is_coded(cells):
        return split_cells(found, coded.words(cells))[cells.array.codes]
    if not holds(coded.arrow(cells).cast(coded.WIDE), "\r\n"):
        return np.zeros(len(cells), bool)
    return (cells.str.contains("\n", regex=False) | cells.str.contains("\r", regex=False)).to_numpy(bool)


def holds(cells: pa.Array | pa.ChunkedArray, marks: str) -> list[str]:
    """Which of these ASCII characters stand anywhere in the cells (large_string): a look at their bytes."""
    parts = cells.chunks if isinstance(cells, pa.ChunkedArray) else [cells]
    found = [bytes(letters(part)) for part in parts]
    return [mark for mark in marks if any(mark.encode() in one for one in found)]


def letters(cells: pa.Array) -> memoryview:
    """The bytes of all cells (large_string), one after the other, where they stand."""
    offsets, texts = cells.buffers()[1:]
    if texts is None or not len(cells):
        return memoryview(b"")
    ends = np.frombuffer(offsets, "int64")[cells.offset : cells.offset + len(cells) + 1]
    return memoryview(texts)[int(ends[0]) : int(ends[-1])]


def guarded(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text cells; what a spreadsheet would take for a formula with an apostrophe in front (`unguarded` undoes it)."""
    return pc.replace_substring_regex(cells, FORMULA, r"'\0")


def unguarded(cells: pd.Series) -> pd.Series:
    """Cells without the apostrophe that `guarded` put before = + - @ and control characters."""
    if not holds(coded.arrow(cells).cast(coded.WIDE), "'") or not cells.str.startswith("'").any():
        return cells
    return cells.str.replace(r"^'(?='*[=+\-@\t\r])", "", regex=True)


def shown(cells: pd.Series) -> pd.Series:
    """Cells as a finding quotes them: on one line, not longer than a line of a terminal."""
    return cells.mask(cells == "", "(empty)").str.replace(r"[\r\n]+", " ", regex=True).str.slice(0, LONGEST)


def first_line(error: Exception) -> str:
    """What a library says, on one line."""
    return next(iter(str(error).splitlines()), type(error).__name__)[:200]
