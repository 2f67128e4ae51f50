"""The rows of many CSV texts at once, each as `text.sheet` gives them.

Of nearly every report each line is a row, and thousands of reports have one of a few headers: those that have the same
are one CSV file to pyarrow, a tenth of the work. Any other text is left to Python's csv, by itself.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from ratingrun import coded
from ratingrun.formats import text
from ratingrun.formats.text import Sheet

LONGEST = csv.field_size_limit()  # characters of a cell that csv reads
BLOCK = 1 << 24  # bytes that pyarrow reads at once; no line may be longer


def read(contents: Sequence[str]) -> list[Sheet]:
    """The sheet of each text."""
    found: list[Sheet | None] = [None] * len(contents)
    alike: dict[str, list[int]] = {}
    plain = [_plain(content) for content in contents]
    for number, lines in enumerate(plain):
        if lines:
            alike.setdefault(lines.partition("\n")[0], []).append(number)
    for head, which in alike.items():
        for number, sheet in zip(which, _alike(head, [plain[number] for number in which]), strict=True):
            found[number] = sheet
    return [sheet or text.sheet(content) for sheet, content in zip(found, contents, strict=True)]


def _plain(content: str) -> str:
    """The text with LF at the end of every line, if no row can be of more or less than one line; else nothing."""
    lines = content.replace("\r\n", "\n") if "\r" in content else content
    lines = lines.rstrip("\n") + "\n"
    if "\r" in lines or "\n\n" in lines or (len(lines) > LONGEST and max(map(len, lines.split("\n"))) > LONGEST):
        return ""
    return lines if '"' not in lines or _quoted(lines) else ""


def _quoted(lines: str) -> bool:
    """Whether all quotes stand around whole cells, none of which goes on on the next line; doubled inside of them."""
    parts = f"\n{lines}\n".split('"')
    edges = "\n", text.delimiter(lines.partition("\n")[0])
    around = all(part == "" or (part[0] in edges and part[-1] in edges) for part in parts[::2])
    return around and len(parts) % 2 == 1 and "\n" not in "".join(parts[1::2])


def _alike(head: str, texts: Sequence[str]) -> list[Sheet | None]:
    """The sheets of texts with the same first line; None for those with a row of another width."""
    mark = text.delimiter(head)
    header = [cell.strip().lower() for cell in next(csv.reader([head], delimiter=mark, strict=True))]
    count = [one.count("\n") - 1 for one in texts]
    ends = np.cumsum(count)
    if not header or not all(header) or not ends[-1]:
        return [None] * len(texts)
    try:
        raw = "".join([f"{head}\n", *(one[len(head) + 1 :] for one in texts)]).encode()
        source, uneven = lines_of(raw, len(header), mark, skip=1, threads=False)
    except pa.ArrowInvalid:
        return [None] * len(texts)
    if source.num_rows + len(uneven) != ends[-1]:
        return [None] * len(texts)
    left_out = np.bincount(np.searchsorted(ends, np.array(uneven, "int64") - 2, "right"), minlength=len(texts))
    begins = np.cumsum(count - left_out) - count + left_out
    source = source.rename_columns(header)
    return [
        None if out else Sheet(source.slice(begin, rows), np.arange(2, rows + 2), breaks=False)
        for out, begin, rows in zip(left_out.tolist(), begins.tolist(), count, strict=True)
    ]


def lines_of(
    raw: bytes, width: int, mark: str, skip: int = 0, threads: bool = True
) -> tuple[pa.Table, list[int | None]]:
    """The lines of UTF-8 text behind the first `skip` as rows, read by pyarrow, and the numbers (with threads None) of
    the lines of another width, which are left out. Raises ArrowInvalid."""
    uneven: list[int | None] = []
    names = [str(position) for position in range(width)]
    source = pa_csv.read_csv(
        pa.BufferReader(raw),
        pa_csv.ReadOptions(column_names=names, skip_rows=skip, block_size=BLOCK, use_threads=threads),
        pa_csv.ParseOptions(delimiter=mark, invalid_row_handler=lambda row: uneven.append(row.number) or "skip"),
        pa_csv.ConvertOptions(column_types=dict.fromkeys(names, coded.WIDE), strings_can_be_null=False),
    )
    return source, uneven
