"""coded: text columns as whole numbers, in memory a pandas `category` with sorted words.

In a frame of a million rows a text is one of few words, or one of the players' ids: the rows hold numbers, the words
stand once. Sorting by the codes is sorting by the texts; -1 is no text. Words that no row has are allowed.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

DTYPE = "category"
NONE = -1
WIDE = pa.large_string()


def is_coded(values: pd.Series) -> bool:
    return isinstance(values.dtype, pd.CategoricalDtype)


def arrow(column: pd.Series) -> pa.Array:
    """A column as one Arrow array; of text without a copy. A coded column is a dictionary array."""
    if is_coded(column):
        return pa.DictionaryArray.from_arrays(_indices(column), arrow(words(column)), safe=False)
    values = pa.array(column, from_pandas=True)
    return values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values


def _indices(column: pd.Series) -> pa.Array:
    code = column.array.codes
    there = pa.py_buffer(np.packbits(code >= 0, bitorder="little")) if (code < 0).any() else None
    return pa.Array.from_buffers(pa.int32(), len(code), [there, pa.py_buffer(np.ascontiguousarray(code, "int32"))])


def used(values: pd.Series) -> pd.Series:
    """A coded column with those words only that some row has."""
    code, known = values.array.codes, words(values)
    there = np.bincount(code + code.dtype.type(1), minlength=len(known) + 1)[1:] > 0  # the first one: no text
    if there.all():
        return values
    number = np.append(np.cumsum(there) - 1, NONE)
    return column(number[code], known[there]).set_axis(values.index)


def words(column: pd.Series) -> pd.Series:
    """The words of a coded column, those that no row has among them."""
    return pd.Series(column.cat.categories)


def column(code: np.ndarray, words: pd.Series | pd.CategoricalDtype) -> pd.Series:
    """The coded column of these numbers: positions in the sorted, distinct `words`, -1 for no text."""
    dtype = words if isinstance(words, pd.CategoricalDtype) else dtype_of(words)
    return pd.Series(pd.Categorical.from_codes(code, dtype=dtype))


def dtype_of(words: pd.Series) -> pd.CategoricalDtype:
    """The dtype of columns with these words; they stand in memory once for all of them."""
    return pd.CategoricalDtype(pd.Index(words, dtype="str"))


def same(text: str | None, count: int) -> pd.Series:
    """A coded column: one text, or none, so many times."""
    known = pd.Series([] if text is None else [text], dtype="str")
    return column(np.full(count, NONE if text is None else 0, "int8"), known)


def encoded(values: pa.Array | pa.ChunkedArray) -> tuple[np.ndarray, pd.Series]:
    """The number of each text of an Arrow array (text or dictionary), and the distinct words, sorted."""
    if isinstance(values, pa.ChunkedArray):
        values = values.unify_dictionaries().combine_chunks() if values.num_chunks != 1 else values.chunk(0)
    if not pa.types.is_dictionary(values.type):
        values = values.cast(WIDE).dictionary_encode()
    found = values.dictionary.cast(WIDE)
    code = pc.fill_null(values.indices, NONE).to_numpy(zero_copy_only=False)
    order = pc.array_sort_indices(found)
    sorted_ = found.take(order)
    rank = np.empty(len(order) + 1, "int32")
    rank[order.to_numpy()] = np.arange(len(order))
    rank[-1] = NONE
    return rank[code], pd.Series(sorted_.to_pandas(), dtype="str")


def coded(values: pd.Series) -> pd.Series:
    """A text column, or a `category` whatever the order of its words, as coded column."""
    if is_coded(values):
        known = values.cat.categories
        if known.dtype == "str" and known.is_monotonic_increasing:
            return values
    code, known = encoded(arrow(values))
    return column(code, known).set_axis(values.index)


def plain(values: pd.Series) -> pd.Series:
    """A coded column as text; any other as it is."""
    if not is_coded(values):
        return values
    return pd.Series(values.cat.categories.array.take(values.array.codes, allow_fill=True), index=values.index)


def plain_frame(rows: pd.DataFrame) -> pd.DataFrame:
    """A frame with its coded columns as text."""
    texts = {name: plain(rows[name]) for name in rows if is_coded(rows[name])}
    return rows.assign(**texts) if texts else rows


def joined(parts: Sequence[pd.Series]) -> pd.Series:
    """Columns one below the other; of coded ones with the words of all of them."""
    if not all(is_coded(part) for part in parts) or len({id(part.dtype) for part in parts}) == 1:
        return pd.concat(parts, ignore_index=True)
    code, known = encoded(pa.chunked_array([arrow(words(part)).cast(WIDE) for part in parts]))
    begins = np.cumsum([0, *(len(part.cat.categories) for part in parts)])
    tables = [np.append(code[a:b], NONE) for a, b in itertools.pairwise(begins)]
    found = [table[part.array.codes] for table, part in zip(tables, parts, strict=True)]
    return column(np.concatenate(found), known)


def put(values: pd.Series, at: np.ndarray, texts: pd.Series) -> pd.Series:
    """A column with other texts at these positions; a coded column stays one."""
    if not is_coded(values):
        changed = values.copy()
        changed.iloc[at] = texts.astype(values.dtype).array
        return changed
    both = joined([values.reset_index(drop=True), coded(texts.astype("str").reset_index(drop=True))])
    code = both.array.codes[: len(values)].copy()
    code[at] = both.array.codes[len(values) :]
    return column(code, both.dtype).set_axis(values.index)
