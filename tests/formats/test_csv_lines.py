"""Tables as CSV: beside the same file written a cell at a time in plain Python, for every kind of column and cell."""

import datetime as dt
import random

import pyarrow as pa
import pytest

from ratingrun.formats import csv_lines

HARD = [
    "", None, "a", "=1", "-7", "+x", "@y", "\tq", "a,b", "a;b", '"', 'x"y"z', "line\nbreak", "cr\r", "Åsa", "-", "'=1",
    "  s ", "0", "null", '1,2"3', "''@", "日本",
]  # fmt: skip
DAYS = [None, dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2025, 11, 1)]
MANY = [
    None,
    "",
    *(f'n{number}, "q' if number % 7 == 0 else f"{'=+-@ab'[number % 6]}{number}" for number in range(999)),
]


def cell(value):
    """A cell as the README says: yes and no, nothing for null, an apostrophe before a formula, quotes where needed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    word = str(value)
    if isinstance(value, str) and word.lstrip("'")[:1] in ("=", "+", "-", "@", "\t", "\r"):
        word = f"'{word}"
    return '"' + word.replace('"', '""') + '"' if set(word) & set('",;\t\r\n') else word


def by_cells(table):
    rows = [table.column_names, *zip(*(column.to_pylist() for column in table.columns), strict=True)]
    return "".join(",".join(map(cell, row)) + "\n" for row in rows)


def columns(rows, dice):
    """A column of every kind."""
    return {
        "hard": pa.array(dice.choices(HARD, k=rows), pa.string()),
        "many": pa.array(dice.choices(MANY, k=rows), pa.string()),
        "rare": pa.array([dice.choice(HARD) if dice.random() < 0.1 else None for _ in range(rows)], pa.string()),
        "none": pa.array([None] * rows, pa.string()),
        "words": pa.array(dice.choices(HARD, k=rows), pa.string()).dictionary_encode(),
        "bytes": pa.array(dice.choices(HARD[2:9], k=rows)).cast(pa.dictionary(pa.int8(), pa.string())),
        "no_words": pa.array([None] * rows, pa.string()).dictionary_encode(),
        "i16": pa.array(dice.choices([None, -(2**15), 2**15 - 1, 5], k=rows), pa.int16()),
        "i32": pa.array([dice.randint(-50, 3000) for _ in range(rows)], pa.int32()),
        "wide": pa.array([dice.randint(-(2**31), 2**31 - 1) for _ in range(rows)], pa.int32()),
        "i64": pa.array(dice.choices([None, -(2**63), 2**63 - 1, 7], k=rows), pa.int64()),
        "largest": pa.array([2**63 - 1] * rows, pa.int64()),
        "no_number": pa.array([None] * rows, pa.int16()),
        "any_day": pa.array(dice.choices(DAYS, k=rows), pa.date32()),
        "day": pa.array([dt.date(2025, 1, dice.randint(1, 31)) for _ in range(rows)], pa.date32()),
        "flag": pa.array(dice.choices([True, False], k=rows)).cast(pa.bool_()),
        "doubt": pa.array(dice.choices([True, False, None], k=rows), pa.bool_()),
        "real": pa.array(dice.choices([None, 1.5, -0.25, 1812.75], k=rows), pa.float64()),
    }


@pytest.mark.parametrize("rows", [0, 1, 3, 60, 2000])
@pytest.mark.parametrize("seed", range(4))
def test_the_file_is_that_of_plain_python(rows, seed, monkeypatch):
    dice = random.Random(seed)
    made = list(columns(rows, dice).items())
    dice.shuffle(made)
    table = pa.table(dict(made))
    if rows > 50:
        table = pa.concat_tables([table.slice(0, 7), table.slice(7, 20), table.slice(27)])
        monkeypatch.setattr(csv_lines, "BLOCK", 700)
    assert b"".join(csv_lines.blocks(table)).decode() == by_cells(table)


@pytest.mark.parametrize("name", columns(1, random.Random(0)))
def test_every_kind_of_column_alone(name):
    table = pa.table({name: columns(500, random.Random(7))[name]})
    assert b"".join(csv_lines.blocks(table)).decode() == by_cells(table)
    assert b"".join(csv_lines.blocks(table.slice(3, 400))).decode() == by_cells(table.slice(3, 400))
