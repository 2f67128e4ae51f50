"""Frames as plain values, for JSON and for words: numbers as int, days as YYYY-MM-DD, nothing as None."""

from __future__ import annotations

import pandas as pd


def rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    """The rows of a frame, each as a dictionary by column."""
    columns = {name: [value(cell) for cell in frame[name].array] for name in frame}
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def value(cell: object) -> object:
    """One cell. No frame has a float: a merge may have made one of an integer."""
    if cell is None or pd.isna(cell):
        return None
    if isinstance(cell, pd.Timestamp):
        return cell.date().isoformat()
    cell = cell.item() if hasattr(cell, "item") else cell
    return int(cell) if isinstance(cell, float) else cell
