"""dBase files: read as another program writes them, written so that another program reads them, never a traceback.

The judge is the package `dbf`, which shares no line with ours.
"""

import random
import subprocess
import sys

import numpy as np
import pytest

from ratingrun.formats import dbase

FIELDS = [("D_MEM_ID", "C", 8), ("D_NAME", "C", 30), ("D_DAY", "D", 8)]
ROWS = [
    {"D_MEM_ID": "90000011", "D_NAME": "ASHGROVE, ILSA", "D_DAY": "20251010"},
    {"D_MEM_ID": "90000012", "D_NAME": "BELLMERE, OTHO", "D_DAY": ""},
    {"D_MEM_ID": "", "D_NAME": "X", "D_DAY": "20251011"},
]


def raw():
    return dbase.write(FIELDS, ROWS)


def test_what_we_write_we_read():
    table = dbase.read(raw())
    assert table.cells.to_dict("records") == ROWS
    assert table.line.tolist() == [1, 2, 3]
    assert (table.why, table.encoding, table.deleted) == ("", "", 0)


def in_dbf(code, path):
    """Runs code with the package `dbf` in a Python of its own: it leaves files open, which would be a warning here."""
    done = subprocess.run([sys.executable, "-c", "import sys, dbf\n" + code, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_another_program_reads_what_we_write(tmp_path):
    path = tmp_path / "ours.dbf"
    path.write_bytes(raw())
    show = "for row in dbf.Table(sys.argv[1]).open(): print(row[0].strip(), '|', row[1].strip(), '|', row[2])"
    read = in_dbf(show, path)
    assert read.splitlines() == [
        "90000011 | ASHGROVE, ILSA | 2025-10-10",
        "90000012 | BELLMERE, OTHO | None",
        " | X | 2025-10-11",
    ]


WRITE = """
table = dbf.Table(sys.argv[1], "d_mem_id C(8); d_name C(30); d_rnd01 C(7)", codepage="cp1252").open(dbf.READ_WRITE)
for row in ("90000011", "ASHGROVE, ILSA", "W   4W"), ("90000012", "BELLM\u00c8RE, OTHO", "D  12B"), ("3", "X", "H"):
    table.append(row)
dbf.delete(table[2])
table.close()
"""


def test_we_read_what_another_program_writes(tmp_path):
    path = tmp_path / "theirs.dbf"
    in_dbf(WRITE, path)
    found = dbase.read(path.read_bytes())
    assert found.cells["D_NAME"].tolist() == ["ASHGROVE, ILSA", "BELLM\u00c8RE, OTHO"]
    assert found.cells["D_RND01"].tolist() == ["W   4W", "D  12B"]
    assert (found.deleted, found.line.tolist(), found.encoding) == (1, [1, 2], "Windows-1252")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: b"", "not a dBase"),
        (lambda data: b"\x00" * 200, "not a dBase"),
        (lambda data: data[:40], "no end"),
        (lambda data: data[:-20], "cut off: the header says 3 records, the file holds 2"),
        (lambda data: data[:4] + b"\x02" + data[5:], "the header says 2 records, and more follow"),
        (lambda data: data[:10] + b"\x09\x00" + data[12:], "its records have 9 bytes, its fields 47"),
        (lambda data: data[:32] + b"\x00" * 11 + data[43:], "field 1 has no name"),
        (lambda data: data[:43] + b"M" + data[44:], "of kind 'M'"),
        (lambda data: data[:64] + data[32:43] + data[75:], "a field stands twice"),
    ],
)
def test_broken_files_say_why(change, why):
    assert why in dbase.read(change(raw())).why


def test_any_bytes_are_read_or_refused():
    dice, good = random.Random(5), raw()
    for _ in range(3_000):
        data = bytearray(good)
        for _ in range(dice.randint(1, 6)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        table = dbase.read(bytes(data[: dice.randint(0, len(data))] if dice.random() < 0.3 else data))
        assert table.why or len(table.cells) == len(table.line)


def test_too_long_is_refused():
    with pytest.raises(ValueError, match="longer than 8 bytes"):
        dbase.write(FIELDS, [{"D_MEM_ID": "123456789"}])


def test_many_records_at_once():
    rows = [{"D_MEM_ID": str(number), "D_NAME": "N"} for number in range(20_000)]
    assert np.array_equal(dbase.read(dbase.write(FIELDS, rows)).cells["D_MEM_ID"].astype("int64"), np.arange(20_000))
