"""Data for the browser as scripts: columns packed small, cut into files that a page loads by a <script> tag.

A page that was opened from a file may not fetch; a script tag works there too. A chunk is one call,
`ratingrun.take("players-003", {...})`, and everything in it is data: text from the input is never code or markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

BYTES = 700_000  # a chunk is cut when it has grown to this
# What would end the script, the line or the string in some reader of HTML or JavaScript, as an escape.
UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}

Cells = list[object]


def plain(values: pd.Series) -> Cells:
    """The cells of a column as JSON has them: int, text, true and false, null; days as YYYY-MM-DD."""
    if pd.api.types.is_datetime64_dtype(values):
        values = values.dt.strftime("%Y-%m-%d")
    if pd.api.types.is_float_dtype(values):  # a merge made one of an integer
        values = values.astype("Int64")
    gone = values.isna().to_numpy()
    cells = values.astype(object).to_numpy().copy()
    cells[gone] = None
    return cells.tolist()


class Columns:
    """A frame as lists of plain cells, in the order of `by` (a column of whole numbers), to be cut by its values."""

    def __init__(self, frame: pd.DataFrame, by: str):
        ordered = frame.sort_values(by, kind="stable")
        self.by = ordered[by].to_numpy()
        self.cells = {name: plain(ordered[name]) for name in ordered}

    def part(self, low: int, high: int, *without: str) -> dict[str, object]:
        """The packed columns of the rows with low <= by < high."""
        first, last = (int(place) for place in self.by.searchsorted([low, high]))
        return {name: packed(cells[first:last]) for name, cells in self.cells.items() if name not in without}


def packed(cells: Sequence[object]) -> object:
    """A column as the browser's `at(column, row)` reads it: a list; {all: value, rows: n} if every cell is the same;
    or {of: vocabulary, at: places} for text that repeats itself."""
    if not cells or cells.count(cells[0]) == len(cells):
        return {"all": cells[0] if cells else None, "rows": len(cells)}
    if any(isinstance(cell, str) for cell in cells):
        words = {word: place for place, word in enumerate(dict.fromkeys(cells))}
        if 2 * len(words) <= len(cells):
            return {"of": list(words), "at": [words[cell] for cell in cells]}
    return list(cells)


def dumped(data: object) -> str:
    """JSON that stays data wherever it stands: in a script file, in a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(UNSAFE)


def script(name: str, data: object) -> str:
    """One chunk from data."""
    return _call(name, dumped(data))


def scripts(
    prefix: str, pieces: Iterable[Mapping[str, object]], limit: int = BYTES
) -> tuple[dict[str, str], list[int]]:
    """Chunks `prefix-000`, `prefix-001` ... with lists of pieces, each near `limit` bytes (a piece is never cut), and
    for each piece the number of its chunk."""
    groups: list[list[str]] = []
    where, size = [], limit
    for piece in pieces:
        text = dumped(piece)
        if size + len(text) > limit:
            groups.append([])
            size = 0
        groups[-1].append(text)
        where.append(len(groups) - 1)
        size += len(text.encode())
    named = {f"{prefix}-{number:03d}": texts for number, texts in enumerate(groups)}
    return {name: _call(name, f"[{','.join(texts)}]") for name, texts in named.items()}, where


def _call(name: str, text: str) -> str:
    return f"ratingrun.take({json.dumps(name)},{text});\n"
