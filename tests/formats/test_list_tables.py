"""Lists by somebody else, and our own frames out and in."""

import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingrun import contract, findings, frames
from ratingrun.formats import list_tables, text

LIST = """Player_ID,Name,Rating,Federation,Birth_Year,Flag,Active,Sex,K
0012,"Bó, Berta",1850,krs,1990,WI,,F,20
3,Al,0,KRS,0,,yes,,0
"""


def test_a_list_by_somebody_else(file_of, said):
    found, notes = list_tables.read(file_of("list.csv", LIST))
    assert said(notes) == []
    assert list(found) == [*frames.RATING_LIST.names, "flag", "line"]
    assert found.iloc[0].dropna().to_dict() == {
        "player_id": "0012", "name": "Bó, Berta", "federation": "KRS", "sex": "w", "birth_year": 1990, "rating": 1850,
        "k": 20, "flag": "wi", "line": 2,
    }  # fmt: skip
    assert found.iloc[1].dropna().to_dict() == {
        "player_id": "3", "name": "Al", "federation": "KRS", "active": True, "line": 3,
    }  # fmt: skip


def test_the_list_as_parquet(file_of, said):
    source = pd.read_csv(io.StringIO(LIST), dtype={"Player_ID": "str"}).assign(Active=[None, True])
    buffer = io.BytesIO()
    source.to_parquet(buffer)
    found, notes = list_tables.read(file_of("list.parquet", buffer.getvalue()))
    assert said(notes) == []
    expected, _ = list_tables.read(file_of("list.csv", LIST))
    pd.testing.assert_frame_equal(found, expected.assign(line=[1, 2]))


def test_the_quick_way_and_the_exact_way_say_the_same():
    plain = "\r\n".join(["player_id;name;rating", '007;"a; ""b""";1500', ";;", "8; c ;", ""])
    quick, exact = list_tables._fast_table(plain), text.table(plain)
    pd.testing.assert_frame_equal(quick.cells, exact.cells)
    assert quick.line.tolist() == exact.line.tolist() == [2, 4]


@pytest.mark.parametrize(
    "odd", ["a,b\n1,2\n\n3,4\n", "a,b\n1,2\n3\n", 'a,b\n1,"2\n3"\n', 'a,b\n1,"2\n3,4\n', "a\n", '"']
)
def test_the_quick_way_leaves_what_needs_exact_line_numbers(odd):
    assert list_tables._fast_table(odd) is None


ERRORS = [
    ("1,A,4000,", 'F105 error list.csv:3: rating: "4000" is not a whole number from 1 to 3999; correct the cell'),
    ("1,A,18x0,", 'F105 error list.csv:3: rating: "18x0" is not a whole number from 1 to 3999; correct the cell'),
    (
        "1,A,1800,1700",
        'F105 error list.csv:3: birth_year: "1700" is not a whole number from 1850 to 2100; correct the cell',
    ),
    (",A,1800,", "F106 error list.csv:3: player_id is empty; fill it in; it must not be empty"),
    ("1,,1800,", "F106 error list.csv:3: name is empty; fill it in; it must not be empty"),
    ("1,A", "F107 error list.csv:3: the row has 2 cells, the header 4; correct the commas of this line"),
    ("9,B,1800,", "F108 error list.csv:3: player_id 9 stands twice, first on line 2; keep one of the two lines"),
]


@pytest.mark.parametrize(("row", "expected"), ERRORS)
def test_a_list_with_an_error(file_of, said, row, expected):
    found, notes = list_tables.read(file_of("list.csv", f"player_id,name,rating,birth_year\n9,B,1800,\n{row}\n"))
    assert said(notes) == [expected]
    assert found["player_id"].tolist() == ["9"]


def test_lists_that_cannot_be_used(file_of, said, tmp_path):
    missing = "there is no file or folder of this name; name one that exists, or leave the option out"
    for name in ("no.csv", "no.parquet"):
        assert said(list_tables.read(tmp_path / name)[1]) == [f"F110 error {name}: {missing}"]
    found, notes = list_tables.read(file_of("list.csv", "player_id,name,elo\n1,A,1800\n"))
    known = ", ".join([*frames.RATING_LIST.names, "flag"])
    assert said(notes) == [
        f"F102 error list.csv:1: unknown column elo; known are {known}",
        "F103 error list.csv:1: column rating is missing; add it; needed are player_id, name, rating",
    ]
    assert (len(found), list(found)) == (0, [*frames.RATING_LIST.names, "flag", "line"])
    (line,) = said(list_tables.read(file_of("list.parquet", b"PAR1PAR1"))[1])
    assert line.startswith("F101 error list.parquet: cannot be read: it is not Parquet with plain columns (")


@pytest.fixture
def corrections():
    return frames.CORRECTIONS.build(
        {
            "player_id": ["007", "8", "9"],
            "rating_type": ["standard"] * 3,
            "list_date": pd.to_datetime(["2025-10-01"] * 3),
            "field": ["name", "rating", "rating"],
            "value": ['Bó, "B"', None, "1850"],
            "reason": ["claim", "a;b", "=1+1"],
            "source": ["board"] * 3,
            "line": [2, 3, 4],
        }
    )


def test_a_frame_as_csv(corrections, tmp_path):
    list_tables.write_csv(frames.CORRECTIONS, corrections, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes().decode() == (
        "player_id,rating_type,list_date,field,value,reason,source,line\n"
        '007,standard,2025-10-01,name,"Bó, ""B""",claim,board,2\n'
        '8,standard,2025-10-01,rating,,"a;b",board,3\n'
        "9,standard,2025-10-01,rating,1850,'=1+1,board,4\n"
    )
    list_tables.write_csv(frames.CORRECTIONS, frames.CORRECTIONS.empty(), tmp_path / "b.csv")
    assert (tmp_path / "b.csv").read_text() == "player_id,rating_type,list_date,field,value,reason,source,line\n"


def test_yes_and_no_in_csv(tmp_path):
    found, _ = list_tables.read(_rating_list(tmp_path))
    assert found["active"].tolist() == [True, False]
    assert found["last_played"].tolist() == [pd.Timestamp("2025-10-01"), pd.NaT]


def _rating_list(folder):
    """Our own published list, as `adopt` would read it."""
    players = {name: [None, None] for name in frames.RATING_LIST.names} | {
        "player_id": ["1", "2"], "name": ["A", "B"], "federation": ["KRS"] * 2, "games": [0, 0], "games_total": [5, 0],
        "active": [True, False], "last_played": pd.to_datetime(["2025-10-01", None]),
    }  # fmt: skip
    path = folder / "rating_list.csv"
    list_tables.write_csv(frames.RATING_LIST, frames.RATING_LIST.build(players), path)
    assert ",yes\n" in path.read_text()
    return path


def test_a_frame_as_parquet(corrections, tmp_path, said):
    first, second = tmp_path / "a.parquet", tmp_path / "b.parquet"
    list_tables.write_parquet(frames.CORRECTIONS, corrections, first)
    list_tables.write_parquet(frames.CORRECTIONS, corrections.copy(), second)
    assert first.read_bytes() == second.read_bytes()
    assert b"id of the player" in pq.read_schema(first).field("player_id").metadata[b"description"]
    found, notes = list_tables.read_parquet(frames.CORRECTIONS, first)
    assert said(notes) == []
    pd.testing.assert_frame_equal(found, corrections)


def test_a_table_whose_text_is_in_dictionaries_becomes_the_declared_file(corrections, tmp_path):
    table = frames.CORRECTIONS.to_arrow(corrections)
    held = pa.table([column.cast(pa.string()).dictionary_encode() if pa.types.is_string(column.type) else column
                     for column in table.columns], names=table.column_names)  # fmt: skip
    for number, source in enumerate((table, held)):
        list_tables.write_parquet(frames.CORRECTIONS, source, tmp_path / f"{number}.parquet")
        assert pq.read_schema(tmp_path / f"{number}.parquet").equals(frames.CORRECTIONS.schema, check_metadata=True)
        assert pq.read_table(tmp_path / f"{number}.parquet").equals(table)
    assert (tmp_path / "0.parquet").read_bytes() == (tmp_path / "1.parquet").read_bytes()


def test_how_a_column_is_written_follows_from_its_type(tmp_path):
    """A small vocabulary as a dictionary, numbers and days as differences, text plain; by frames.py alone."""
    _rating_list(tmp_path)
    found, _ = list_tables.read(tmp_path / "rating_list.csv")
    rows = frames.RATING_LIST.build(found.assign(active=found["active"].astype(bool)))
    list_tables.write_parquet(frames.RATING_LIST, rows, tmp_path / "a.parquet")
    group = pq.read_metadata(tmp_path / "a.parquet").row_group(0)
    for number, column in enumerate(frames.RATING_LIST.columns):
        written = group.column(number)
        ways = set(written.encodings) - {"RLE", "PLAIN"}
        number_or_day = pa.types.is_integer(column.type) or column.type == contract.DAY
        expected = "RLE_DICTIONARY" if column.type == contract.CODE else "DELTA_BINARY_PACKED" if number_or_day else ""
        assert ways == ({expected} if expected else set()), column.name
        assert written.compression == "ZSTD" and not written.is_stats_set
    plain = pd.read_parquet(tmp_path / "a.parquet")
    assert plain["player_id"].tolist() == ["1", "2"] and plain["games_total"].dtype == "int32"


def test_parquet_that_is_not_the_frame(corrections, tmp_path, said):
    path = tmp_path / "a.parquet"
    missing = "there is no file or folder of this name; name one that exists, or leave the option out"
    assert said(list_tables.read_parquet(frames.CORRECTIONS, path)[1]) == [f"F110 error a.parquet: {missing}"]
    path.write_bytes(b"x")
    (line,) = said(list_tables.read_parquet(frames.CORRECTIONS, path)[1])
    assert line.startswith("F101 error a.parquet: cannot be read: it is not Parquet (")
    corrections.drop(columns=["field", "value"]).to_parquet(path)
    known = ", ".join(frames.CORRECTIONS.names)
    assert said(list_tables.read_parquet(frames.CORRECTIONS, path)[1]) == [
        f"F103 error a.parquet: column {name} is missing; add it; needed are {known}" for name in ("field", "value")
    ]
    corrections.assign(rating_type="chess").to_parquet(path)
    found, notes = list_tables.read_parquet(frames.CORRECTIONS, path)
    assert found.empty
    assert said(notes)[0].startswith(
        "F101 error a.parquet: cannot be read: it is no such frame (corrections.rating_type: "
    )


def test_findings_come_back_from_their_csv_as_they_were(tmp_path):
    """Text that looks like a formula has an apostrophe in the CSV, and none when it is read again."""
    found = findings.numbered(findings.of("R104", file="=1.csv", line=2, start_no=3, value="-7", player_id="@x"))
    list_tables.write_csv(frames.FINDINGS, found, tmp_path / "findings.csv")
    assert "'=1.csv" in (tmp_path / "findings.csv").read_text()
    pd.testing.assert_frame_equal(list_tables.read_findings(tmp_path / "findings.csv"), found)
