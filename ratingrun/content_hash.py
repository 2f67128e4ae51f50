"""The content hash of a table: a sha256 of what it says, whatever library wrote it and however it lies in memory.

The definition, version 2 (`frames.SCHEMA_VERSION`). The hash of a table is the sha256 of the digests (32 bytes each) of
its columns, from left to right. The digest of a column is the sha256 of, one after the other:

1. one line of UTF-8: kind, number of rows, number of nulls, name, with a space between, and a line feed. Kinds: flag,
   int8 to int64, day, real, text. The width of a whole number is part of what the column says;
2. nothing more if all are nulls. Else, of numbers: if there are nulls, a byte a row, 1 a value, 0 a null; then the
   numbers, little-endian, 0 under a null: flags in a byte, int8 to int64 in their width, days since 1970-01-01 in four
   bytes, reals (IEEE 754) in eight;
3. of text with more than 255 distinct values (null is none): the number of bytes of each text as int32, -1 of a null,
   then all texts in UTF-8. Of text with fewer: the distinct texts, sorted by their bytes, in the same way, then a byte
   a row: the number of its text from 1, 0 of a null.

Nothing depends on chunks, on dictionaries and what stands unused in them, or on the width of offsets.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

FEW = 255  # distinct texts that a byte can number
GLANCE = 1000  # rows, evenly spread, that tell most columns of many texts from those of few
DAY, FLAG, REAL = pa.date32(), pa.bool_(), pa.float64()


def content_hash(table: pa.Table) -> str:
    """The hash of a table, in hex. Columns: whole numbers, date32, bool, float64, text (plain or dictionary)."""
    digest = hashlib.sha256()
    for name, column in zip(table.column_names, table.columns, strict=True):
        digest.update(_column(name, column.combine_chunks()))
    return digest.hexdigest()


def _column(name: str, values: pa.Array) -> bytes:
    """The digest of one column."""
    coded = pa.types.is_dictionary(values.type)
    if coded and values.dictionary.null_count:
        values, coded = _plain(values), False
    text = coded or pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
    kind = "text" if text else {DAY: "day", FLAG: "flag", REAL: "real"}.get(values.type, str(values.type))
    digest = hashlib.sha256(f"{kind} {len(values)} {values.null_count} {name}\n".encode())
    if values.null_count == len(values):
        return digest.digest()
    if not text:
        if values.null_count:
            digest.update(pc.is_valid(values).cast(pa.uint8()).to_numpy())
        digest.update(_numbers(values))
    elif (few := _few(values)) is not None:
        _write(digest, few[0])
        digest.update(few[1])
    else:
        _write(digest, _plain(values))
    return digest.digest()


def _numbers(values: pa.Array) -> np.ndarray:
    """Whole numbers, reals, days or flags, little-endian, 0 under a null."""
    narrow = {DAY: pa.int32(), FLAG: pa.uint8()}.get(values.type, values.type)
    numbers = pc.fill_null(values.cast(narrow), 0).to_numpy()
    return np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<"))


def _few(values: pa.Array) -> tuple[pa.Array, np.ndarray] | None:
    """Of a column with few distinct texts: those, sorted, and the number of each row's from 1; None if many."""
    coded = pa.types.is_dictionary(values.type)
    if (not coded or len(values.dictionary) > FEW) and _many(values):
        return None
    values = values if coded else values.dictionary_encode()
    words, places = values.dictionary, values.indices
    places = (pc.fill_null(places.cast(pa.int32()), len(words)) if places.null_count else places).to_numpy()
    counts = np.bincount(places[:: max(1, len(places) // GLANCE)], minlength=len(words) + 1)
    if not counts[: len(words)].all():  # most columns use all their words, and early
        counts = np.bincount(places, minlength=len(words) + 1)
    used = np.flatnonzero(counts[: len(words)])
    if len(used) > FEW and _many(words.take(used)):
        return None
    said = words.take(used).to_pylist()
    distinct = sorted(set(said), key=str.encode)
    if len(distinct) > FEW:
        return None
    numbers = np.zeros(len(words) + 1, "u1")
    numbers[used] = [distinct.index(word) + 1 for word in said]
    return pa.array(distinct, pa.large_string()), numbers.take(places)


def _many(texts: pa.Array) -> bool:
    """Whether a glance shows more than a few distinct texts; if it does not, there may still be more."""
    step = max(1, len(texts) // GLANCE)
    return pc.count_distinct(_plain(texts.take(np.arange(0, len(texts), step)))).as_py() > FEW


def _plain(values: pa.Array) -> pa.Array:
    return values.dictionary.take(values.indices) if pa.types.is_dictionary(values.type) else values


def _write(digest: Any, texts: pa.Array) -> None:
    """The lengths of the texts, then the texts, from the buffers in which they stand."""
    if not len(texts):
        return
    nulls = pc.is_null(texts).to_numpy(zero_copy_only=False) if texts.null_count else None
    texts = pc.fill_null(texts, "") if texts.null_count else texts
    width = "i8" if pa.types.is_large_string(texts.type) else "i4"
    offsets, letters = texts.buffers()[1:]
    ends = np.frombuffer(offsets, width)[texts.offset : texts.offset + len(texts) + 1]
    lengths = np.diff(ends).astype("<i4")
    if nulls is not None:
        lengths[nulls] = -1
    digest.update(lengths)
    if letters is not None:
        digest.update(memoryview(letters)[int(ends[0]) : int(ends[-1])])
