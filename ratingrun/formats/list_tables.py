"""Rating lists and frames as CSV and Parquet: lists by somebody else for `adopt`, and our own frames out and in."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ratingrun import findings, frames, parquet_files
from ratingrun.contract import CODE, FLAG, Column, ContractError, Frame
from ratingrun.formats import csv_lines, csv_sheets, inputs, parquet, text

NEEDED = ("player_id", "name", "rating")
LIST_COLUMNS = (
    *(replace(one, null=one.name not in ("player_id", "name"), coded=False) for one in frames.RATING_LIST.columns),
    Column("flag", CODE, "i inactive, w woman, as FIDE writes it", null=True, vocabulary=("i", "w", "wi", "iw")),
)
PARQUET = (".parquet", ".pq")

Found = tuple[pd.DataFrame, pd.DataFrame]


def read(path: Path) -> Found:
    """A list by somebody else, CSV or Parquet, and the findings F101-F108, F110, F201 with file and line.

    Columns: those of `frames.RATING_LIST` under the same names, and `flag` (i, w, wi). Needed are player_id, name and
    rating; the others may be missing and are null then. Out comes every one of them, integers as Int64, `active` as
    boolean, and `line` (of Parquet: the row, from 1), sorted by player_id. Ratings, K and years of 0 are none. Rows
    with an error are left out; the findings stop the run anyway.
    """
    path = Path(path)
    table, found = _load(path)
    if table is None:
        return nothing(), found
    shape = inputs.headings(table, [column.name for column in LIST_COLUMNS], NEEDED, path.name)
    if (shape["severity"] == "error").any():
        return nothing(), findings.join([found, shape])
    rows, wrong = inputs.convert(LIST_COLUMNS, table, path.name)
    rows, twice = inputs.once(frames.RATING_LIST, rows, path.name)
    rows = rows.sort_values("player_id", kind="stable", ignore_index=True)
    return rows[nothing().columns], findings.join([found, shape, wrong, twice])


def write_csv(frame: Frame, data: pd.DataFrame | pa.Table, path: Path) -> None:
    """A frame as CSV: UTF-8, header, LF; yes and no, days as YYYY-MM-DD, null as nothing; the same bytes every time.

    Text that a spreadsheet would take for a formula has an apostrophe in front (our readers take it away again;
    Parquet stays exact). Cells are quoted only where they must be. Raises ArrowInvalid if a value does not fit its
    declared type.
    """
    source = data if isinstance(data, pa.Table) else frame.to_arrow(data)
    with Path(path).open("wb") as out:
        out.writelines(csv_lines.blocks(source))


def write_parquet(frame: Frame, data: pd.DataFrame | pa.Table, path: Path) -> None:
    """A frame as Parquet with the declared schema. Raises ArrowInvalid if a value does not fit its type."""
    table = data if isinstance(data, pa.Table) else frame.to_arrow(data)
    parquet_files.write(table if table.schema.equals(frame.schema, True) else table.cast(frame.schema), Path(path))


def read_parquet(frame: Frame, path: Path, only: Mapping[str, Iterable[str]] | None = None) -> Found:
    """A frame of ours from Parquet, conforming, and the findings: F110 no file, F101 unreadable, F103 no column.

    `only`: by text column the words of the rows that are wanted; the others are not made into a frame.
    """
    path = Path(path)
    place = {"file": path.name}
    try:
        source = pq.ParquetFile(path).read()
        missing = [name for name in frame.names if name not in source.column_names]
        if missing:
            known = ", ".join(frame.names)
            return frame.empty(), findings.join(findings.of("F103", column=m, known=known, **place) for m in missing)
        for name, words in (only or {}).items():
            source = source.filter(pc.is_in(source[name], pa.array(list(words), pa.string())))
        return frame.from_arrow(source), findings.none()
    except FileNotFoundError:
        return frame.empty(), findings.of("F110", **place)
    except ContractError as error:
        return frame.empty(), findings.of("F101", why=f"it is no such frame ({text.first_line(error)})", **place)
    except text.PARQUET_ERRORS as error:
        return frame.empty(), findings.of("F101", why=f"it is not Parquet ({text.first_line(error)})", **place)


def read_findings(path: Path) -> pd.DataFrame:
    """The findings of a run folder from their CSV, as they were. Raises OSError, ValueError, ContractError."""
    types = {column.name: column.dtype for column in frames.FINDINGS.columns}
    rows = pd.read_csv(path, dtype=types)
    words = [name for name, kind in types.items() if kind == "str"]
    return frames.FINDINGS.build(rows.assign(**{name: text.unguarded(rows[name]) for name in words}))


def nothing() -> pd.DataFrame:
    """A list without players."""
    kinds = {c.name: "boolean" if c.type == FLAG else c.dtype for c in LIST_COLUMNS} | {"line": "int64"}
    return pd.DataFrame({name: pd.Series([], dtype=kind) for name, kind in kinds.items()})


def _load(path: Path) -> tuple[text.Table | None, pd.DataFrame]:
    """The table of text in a list file: CSV by pyarrow where every line is a row, else by the slower exact reader."""
    if path.suffix.lower() not in PARQUET:
        return inputs.load(path, fast=_fast_table)
    if not path.is_file():
        why = {"file": path.name, "why": "it is a folder"}
        return None, findings.of("F101", **why) if path.exists() else findings.of("F110", file=path.name)
    table = parquet.table(path)
    return (None, findings.of("F101", file=path.name, why=table.why)) if table.why else (table, findings.none())


def _fast_table(content: str) -> text.Table | None:
    """Big CSV text as a table, if every line is one row of the header's width; else None."""
    raw = content.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").encode() + b"\n"
    head, _, body = raw.partition(b"\n")
    if not body or not head.strip() or b"\n\n" in raw or head.count(b'"') % 2:
        return None
    delimiter = text.delimiter(head.decode())
    try:
        header = [cell.strip().lower() for cell in next(csv.reader([head.decode()], delimiter=delimiter))]
        source, uneven = csv_sheets.lines_of(body, len(header), delimiter)
    except (pa.ArrowInvalid, csv.Error):
        return None
    if uneven or source.num_rows != body.count(b"\n"):
        return None
    columns = [column.to_pandas() for column in source.columns]
    return text.from_columns(header, columns, np.arange(2, source.num_rows + 2), 1, breaks=False)
