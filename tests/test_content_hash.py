"""The content hash: the same for the same content, whatever holds it; another for any other content.

The definition in the docstring of ratingrun/content_hash.py is written here a second time, in plain Python.
"""

import datetime as dt
import hashlib
import struct

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingrun import frames
from ratingrun.content_hash import content_hash

LISTED = {
    "player_id": "007", "name": "Åsa", "federation": "ZZZ", "sex": "w", "title": "WFM", "w_title": "WFM",
    "o_title": "IA,FST", "foa_title": "AFM", "birth_year": 1990, "rating": 1850, "k": 20,
    "k_clause": "8.3.3 established", "games": 0, "games_total": 100, "peak": 1900,
    "last_played": pd.Timestamp("2025-10-01"), "active": True,
}  # fmt: skip
UNRATED = LISTED | dict.fromkeys(["sex", "o_title", "rating", "k", "k_clause", "peak"], None) | {"player_id": "100"}
FORMATS = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "day": "i", "flag": "B", "real": "d"}
KINDS = {"date32[day]": "day", "bool": "flag", "double": "real", "string": "text", "large_string": "text"}


def rating_list(*rows):
    return frames.RATING_LIST.to_arrow(frames.RATING_LIST.build(pd.DataFrame(rows or [LISTED, UNRATED])))


def said(texts):
    """Lengths, -1 of a null, and then the texts."""
    raw = [None if text is None else text.encode() for text in texts]
    lengths = [-1 if one is None else len(one) for one in raw]
    return struct.pack(f"<{len(raw)}i", *lengths) + b"".join(one or b"" for one in raw)


def further(indices, number, every=1):
    """Indices that point so much further; each second one only if `every` is 2."""
    moved = [None if i is None else i + number * (row % every == 0) for row, i in enumerate(indices.to_pylist())]
    return pa.array(moved, pa.int32())


def by_definition(table):
    digests = b""
    for field, column in zip(table.schema, table.columns, strict=True):
        values = column.to_pylist()
        kind = "text" if pa.types.is_dictionary(field.type) else KINDS.get(str(field.type), str(field.type))
        there = [value is not None for value in values]
        raw = f"{kind} {len(values)} {there.count(False)} {field.name}\n".encode()
        distinct = sorted({value for value in values if value is not None}, key=lambda word: str(word).encode())
        if not any(there):
            pass
        elif kind == "text" and len(distinct) > 255:
            raw += said(values)
        elif kind == "text":
            raw += said(distinct) + bytes(0 if value is None else distinct.index(value) + 1 for value in values)
        else:
            raw += b"" if all(there) else bytes(there)
            values = [(value - dt.date(1970, 1, 1)).days if isinstance(value, dt.date) else value for value in values]
            raw += struct.pack(f"<{len(values)}{FORMATS[kind]}", *(value or 0 for value in values))
        digests += hashlib.sha256(raw).digest()
    return hashlib.sha256(digests).hexdigest()


def test_the_hash_is_the_same_everywhere_and_always():
    """Written out byte by byte, so that a new version of pandas or pyarrow must give the same hash."""
    table = pa.table({"a": pa.array([-2, None], pa.int16()), "b": ["xy", None], "c": [True, False]})
    a = b"int16 2 1 a\n" + b"\x01\x00" + struct.pack("<hh", -2, 0)
    b = b"text 2 1 b\n" + struct.pack("<i", 2) + b"xy" + b"\x01\x00"
    c = b"flag 2 0 c\n" + b"\x01\x00"
    digests = b"".join(hashlib.sha256(raw).digest() for raw in (a, b, c))
    assert content_hash(table) == hashlib.sha256(digests).hexdigest() == by_definition(table)


@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize(("distinct", "rows"), [(1, 5), (5, 400), (255, 3000), (256, 3000), (3000, 3000), (999, 20000)])
def test_text_is_hashed_as_defined_however_it_is_held(distinct, rows, nulls):
    table = pa.table({"t": pa.array([f"å{row % distinct}" for row in range(rows)], pa.string())})
    if nulls:
        values = [None if row % 7 == 3 else text for row, text in enumerate(table["t"].to_pylist())]
        table = pa.table({"t": pa.array(values, pa.string())})
    plain = table["t"].combine_chunks()
    words = plain.dictionary_encode()
    backwards = pa.array(np.arange(len(words.dictionary))[::-1].astype("i4"))
    held = {
        "large": plain.cast(pa.large_string()),
        "chunks": pa.chunked_array([plain[:2], plain[2:2], plain[2:]]),
        "slice": pa.concat_arrays([pa.array(["before"]), plain])[1:],
        "dictionary": words,
        "other order": pa.DictionaryArray.from_arrays(backwards.take(words.indices), words.dictionary[::-1]),
        "unused": pa.DictionaryArray.from_arrays(
            further(words.indices, 300), pa.concat_arrays([pa.array([f"no{i}" for i in range(300)]), words.dictionary])
        ),
        "twice": pa.DictionaryArray.from_arrays(
            further(words.indices, len(words.dictionary), every=2),
            pa.concat_arrays([words.dictionary, words.dictionary]),
        ),
        "null in the dictionary": pa.DictionaryArray.from_arrays(
            words.indices.fill_null(len(words.dictionary)),
            pa.concat_arrays([words.dictionary, pa.array([None], pa.string())]),
        ),
        "narrow": words.cast(pa.dictionary(pa.int16(), pa.large_string())),
        "two dictionaries": pa.chunked_array([plain[:2].dictionary_encode(), plain[2:].dictionary_encode()]),
        "pandas": pa.Array.from_pandas(pd.Series(plain.to_pylist(), dtype="category")),
    }
    expected = by_definition(table)
    assert content_hash(table) == expected
    assert {name: content_hash(pa.table({"t": array})) for name, array in held.items()} == dict.fromkeys(held, expected)


def test_numbers_days_and_flags_are_hashed_as_defined():
    table = pa.table(
        {
            "i": pa.array([1, None, -(2**15)], pa.int16()),
            "j": pa.array([2**31 - 1, 0, 7], pa.int32()),
            "k": pa.array([None, 2**63 - 1, 5], pa.int64()),
            "day": pa.array([dt.date(2025, 11, 1), None, dt.date(1969, 1, 1)], pa.date32()),
            "flag": pa.array([True, None, False]),
            "real": pa.array([0.1, None, -1e300]),
            "none": pa.array([None] * 3, pa.int16()),
        }
    )
    assert content_hash(table) == by_definition(table)
    assert content_hash(table.slice(1)) == by_definition(table.slice(1))
    assert content_hash(table.slice(0, 0)) == by_definition(table.slice(0, 0))


@pytest.mark.parametrize("frame", frames.ALL.values(), ids=frames.ALL)
def test_a_frame_without_rows_has_a_hash(frame):
    empty = frame.to_arrow(frame.empty())
    assert content_hash(empty) == by_definition(empty)


def test_the_hash_of_a_list_does_not_depend_on_chunks_or_encoding(tmp_path):
    table = rating_list()
    expected = by_definition(table)
    assert content_hash(table) == expected
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1, 1)])
    assert chunked.column("name").num_chunks == 2
    pq.write_table(table, tmp_path / "list.parquet", compression="zstd", row_group_size=1, use_dictionary=False)
    assert content_hash(chunked) == expected
    assert content_hash(pq.read_table(tmp_path / "list.parquet")) == expected
    assert content_hash(table.replace_schema_metadata(None)) == expected


@pytest.mark.parametrize("column", [name for name in LISTED if name != "player_id"])
def test_the_hash_sees_every_column_change(column):
    other = {"active": False, "last_played": pd.Timestamp("2025-10-02"), "sex": "m"}
    value = LISTED[column]
    changed = other.get(column, value + 1 if isinstance(value, int) else f"{value}x")
    assert content_hash(rating_list(LISTED | {column: changed})) != content_hash(rating_list(LISTED))


@pytest.mark.parametrize("column", [column.name for column in frames.RATING_LIST.columns if column.null])
def test_the_hash_tells_a_null_from_a_value(column):
    dtype = {declared.name: declared.dtype for declared in frames.RATING_LIST.columns}[column]
    smallest = {"str": "", "Int64": 1, "datetime64[ms]": pd.Timestamp(0)}.get(dtype, "")
    smallest = {"sex": "m", "birth_year": 1850}.get(column, smallest)
    one, other = rating_list(LISTED | {column: smallest}), rating_list(LISTED | {column: None})
    assert content_hash(one) != content_hash(other)


@pytest.mark.parametrize("more", [[], [f"w{number}" for number in range(300)]], ids=["few", "many"])
def test_the_hash_sees_where_one_text_ends_and_the_next_begins(more):
    def of(first, second):
        return content_hash(pa.table({"t": [first, second, *more]}))

    assert len({of("ab", "c"), of("a", "bc"), of("abc", ""), of("", "abc"), of("abc", None), of(None, "abc")}) == 6


def test_the_hash_sees_row_order_names_widths_and_no_rows():
    table = pa.table({"a": pa.array([1, 2], pa.int16())})
    others = [
        {"a": pa.array([2, 1], "int16")},
        {"b": table["a"]},
        {"a": table["a"].cast("int32")},
        {"a": table["a"][:0]},
    ]
    assert len({content_hash(table), *(content_hash(pa.table(other)) for other in others)}) == 5
