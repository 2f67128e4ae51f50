"""dBase III files: a table of text fields out of the bytes, and back.

Our own reader, because the packages for it read from a path, row by row, and raise on broken files (dbfread has had no
release since 2016, dbf writes more than it reads); the format is a header and records of fixed width, which numpy
reads at once. Nothing here raises on bad input: `read` says why there is no table.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

HEAD, FIELD, END_OF_FIELDS, END_OF_FILE = 32, 32, b"\r", b"\x1a"
VERSIONS = (0x03, 0x83, 0x8B, 0x30, 0xF5)  # dBase III with and without memo, IV, Visual FoxPro, FoxPro
DELETED = b"*"
KINDS = "CDNFL"  # text, day, numbers, yes or no: all of them are text in the file


@dataclass(frozen=True)
class Table:
    """`cells`: a str column a field, stripped, "" = nothing; `line`: the number of each record, from 1.

    Records that are marked as deleted are left out; `deleted` counts them. `encoding` is set if the text is not UTF-8.
    `why` says why there is no table.
    """

    cells: pd.DataFrame = field(default_factory=pd.DataFrame)
    line: np.ndarray = field(default_factory=lambda: np.zeros(0, "int64"))
    deleted: int = 0
    encoding: str = ""
    why: str = ""


def read(raw: bytes) -> Table:
    """The table in the bytes of a dBase file."""
    if len(raw) < HEAD + 1 or raw[0] not in VERSIONS:
        return Table(why="it is not a dBase III file")
    count, begin, width = struct.unpack_from("<IHH", raw, 4)
    fields, why = _fields(raw, begin)
    if not why and width != 1 + sum(length for _, length in fields):
        why = f"its records have {width} bytes, its fields {1 + sum(length for _, length in fields)}"
    if not why and begin + count * width > len(raw):
        why = f"it is cut off: the header says {count} records, the file holds {max(len(raw) - begin, 0) // width}"
    if not why and raw[begin + count * width :][:1] not in (b"", END_OF_FILE, b"\x00"):
        why = f"the header says {count} records, and more follow"
    if why:
        return Table(why=why)
    dtype = np.dtype([("flag", "S1"), *((name, f"S{length}") for name, length in fields)])
    records = np.frombuffer(raw, dtype, count, begin)
    alive = records["flag"] != DELETED
    cells, encoding = {}, ""
    for name, _ in fields:
        cells[name], other = _text(records[name][alive])
        encoding = encoding or other
    line = np.flatnonzero(alive) + 1
    return Table(pd.DataFrame(cells, dtype="str"), line.astype("int64"), int((~alive).sum()), encoding)


def _fields(raw: bytes, begin: int) -> tuple[list[tuple[str, int]], str]:
    """(name, bytes) of each field, or why they cannot be read."""
    end = raw.find(END_OF_FIELDS, HEAD)
    while end >= 0 and (end - HEAD) % FIELD:
        end = raw.find(END_OF_FIELDS, end + 1)
    if end < 0 or not HEAD < end < begin <= len(raw):
        return [], "its header has no end"
    found = []
    for at in range(HEAD, end, FIELD):
        name = raw[at : at + 11].partition(b"\x00")[0].decode("ascii", "replace").strip().upper()
        kind, length = chr(raw[at + 11]), raw[at + 16]
        if not name or not name.isascii() or not length or name == "FLAG":
            return [], f"field {(at - HEAD) // FIELD + 1} has no name or no length"
        if kind not in KINDS:
            return [], f"field {name} is of kind {kind!r}, which is none of {', '.join(KINDS)}"
        found.append((name, length))
    if len({name for name, _ in found}) < len(found):
        return [], "a field stands twice"
    return found, ""


def _text(column: np.ndarray) -> tuple[np.ndarray, str]:
    """A column of bytes as stripped text, and its encoding if it is not UTF-8."""
    try:
        return np.char.strip(np.char.decode(column, "utf-8")).astype(object), ""
    except UnicodeDecodeError:
        return np.char.strip(np.char.decode(column, "cp1252", "replace")).astype(object), "Windows-1252"


def write(fields: Sequence[tuple[str, str, int]], rows: Sequence[Mapping[str, str]]) -> bytes:
    """A dBase III file of (name, kind, bytes) fields. Text stands left; raises ValueError if it is too long."""
    width = 1 + sum(length for _, _, length in fields)
    head = struct.pack("<B3BIHH20x", 0x03, 100, 1, 1, len(rows), HEAD + FIELD * len(fields) + 1, width)
    parts = [head]
    for name, kind, length in fields:
        parts.append(struct.pack("<11sc4xBB14x", name.encode("ascii"), kind.encode("ascii"), length, 0))
    parts.append(END_OF_FIELDS)
    for row in rows:
        parts.append(b" ")
        for name, _, length in fields:
            cell = row.get(name, "").encode("utf-8")
            if len(cell) > length:
                raise ValueError(f"{name}: {row[name]!r} is longer than {length} bytes")
            parts.append(cell.ljust(length))
    return b"".join(parts) + END_OF_FILE
