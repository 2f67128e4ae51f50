"""The declarations of `frames.py` as text: for `ratingrun columns` and the README."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from ratingrun.contract import Column, Frame

HEAD = ("column", "type", "may be empty", "unit or values", "what it says")
KINDS = {"date32[day]": "day", "bool": "yes or no"}


def index(all_frames: Iterable[Frame]) -> str:
    """One line a frame: name, key, what a row is."""
    rows = [(frame.name, frame.text) for frame in all_frames]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {text}" for name, text in rows)


def table(frame: Frame, markdown: bool = False) -> str:
    """The columns of a frame: aligned text, or a Markdown table."""
    rows = [_row(column, column.name in frame.key) for column in frame.columns]
    if markdown:
        lines = ["| " + " | ".join(row) + " |" for row in (HEAD, ("---",) * len(HEAD), *rows)]
        return "\n".join(lines)
    widths = [max(len(row[place]) for row in (HEAD, *rows)) for place in range(len(HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (HEAD, *rows)]
    return "\n".join([f"{frame.name}: {frame.text} (key: {', '.join(frame.key)})", *(line.rstrip() for line in lines)])


def _row(column: Column, key: bool) -> tuple[str, ...]:
    text = pa.types.is_dictionary(column.type) or column.type == pa.string()
    kind = "text" if text else KINDS.get(str(column.type), str(column.type))
    limits = " ".join(column.vocabulary)
    if column.low is not None:
        limits = f"{column.low} to {column.high}" if column.high is not None else f"{column.low} or more"
    about = ", ".join(part for part in (column.unit, limits) if part)
    return (f"{column.name} (key)" if key else column.name, kind, "yes" if column.null else "", about, column.text)
