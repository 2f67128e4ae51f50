"""Parquet files by somebody else as tables of text, as CSV is one; columns that say the same often are coded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ratingrun import coded
from ratingrun.formats import text

# Numbers, of which there are few: each is spelled once.
OFTEN = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64())


def table(raw: bytes | Path, often: Callable[[str], bool] = lambda name: False) -> text.Table:
    """Parquet (bytes, or a path) as a table of text; the line of a row is its number, from 1.

    `often` says by its name whether a column says the same often enough to be coded.
    """
    try:
        source = _source(raw, often)
        header = [name.strip().lower() for name in source.column_names]
        columns = [
            _as_words(column) if often(name) else _as_text(column)
            for name, column in zip(header, source.columns, strict=True)
        ]
    except text.PARQUET_ERRORS as error:
        return text.Table(why=f"it is not Parquet with plain columns ({text.first_line(error)})")
    line = np.arange(1, source.num_rows + 1)
    return text.from_columns(header, columns, line, 0)


def _source(raw: bytes | Path, often: Callable[[str], bool]) -> pa.Table:
    """The Parquet table, its text columns that say the same `often` as dictionaries."""
    source = raw if isinstance(raw, Path) else pa.BufferReader(raw)
    known = pq.ParquetFile(source)
    texts = [
        field.name
        for field in known.schema_arrow
        if often(field.name.strip().lower())
        and (pa.types.is_string(field.type) or pa.types.is_large_string(field.type))
    ]
    return (pq.ParquetFile(source, metadata=known.metadata, read_dictionary=texts) if texts else known).read()


def _as_words(column: pa.ChunkedArray) -> pd.Series:
    """An Arrow column as `_as_text` gives it, stripped and coded: each of its values is spelled once."""
    if not pa.types.is_dictionary(column.type):
        column = (column if column.type in OFTEN else _spelled(column)).dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    spelled = pc.utf8_trim_whitespace(_spelled(pa.chunked_array([whole.dictionary]))).combine_chunks()
    if whole.null_count:
        spelled = pa.concat_arrays([spelled, pa.array([""], spelled.type)])
    place, known = coded.encoded(spelled)
    which = pc.fill_null(whole.indices.cast(pa.int32()), len(spelled) - 1).to_numpy()
    return coded.column(place[which], known)


def _as_text(column: pa.ChunkedArray) -> pd.Series:
    """An Arrow column as text."""
    return _spelled(column).to_pandas().astype("str").reset_index(drop=True)


def _spelled(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """An Arrow column spelled: null is "", 12.0 is 12, a midnight is its day."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_timestamp(kind):
        column = column.cast(pa.timestamp("us"))
    spelled = pc.fill_null(column.cast(pa.large_string()), "")
    if pa.types.is_floating(kind):
        spelled = pc.replace_substring_regex(pc.if_else(pc.equal(spelled, "nan"), "", spelled), r"\.0+$", "")
    if pa.types.is_timestamp(kind):
        spelled = pc.replace_substring_regex(spelled, r" 00:00:00(\.0+)?$", "")
    return spelled
