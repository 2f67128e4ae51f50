"""Reports as crosstables, CSV and Parquet: what is read, and every finding with its text, file and line."""

import io
from dataclasses import replace

import pandas as pd
import pytest

from ratingrun import frames
from ratingrun.formats import Report, read_report, report_cells

OPEN = """start_no,player_id,name,federation,sex,title,birth_year,reported_rating,round_1,round_2
2,0012,"Bó, B",krs,F,g,1990,1850,1b0,3 W ½
1,11,"Al, A",KRS,m,1N,,0,2w1,h
3,,,,,,0,,-,2b1/2
"""


def rows(frame, *columns):
    return frame[list(columns)].astype(object).where(frame[list(columns)].notna(), None).to_numpy().tolist()


def test_a_report(file_of, said):
    report = read_report(file_of("open.csv", OPEN), "reports/open.csv")
    assert isinstance(report, Report)
    assert said(report.findings) == []
    assert (report.file, report.name, report.federation, len(report.sha256)) == ("reports/open.csv", None, None, 64)
    names = ("start_no", "player_id", "name", "federation", "sex", "title", "birth_year", "reported_rating", "line")
    assert rows(report.entries, *names) == [
        [1, "11", "Al, A", "KRS", "m", "1N", None, None, 3],
        [2, "0012", "Bó, B", "KRS", "w", "GM", 1990, 1850, 2],
        [3, None, None, None, None, None, None, None, 4],
    ]
    assert rows(report.results, "start_no", "round", "opponent_no", "colour", "result", "line") == [
        [1, 1, 2, "w", "1", 3],
        [1, 2, None, None, "H", 3],
        [2, 1, 1, "b", "0", 2],
        [2, 2, 3, "w", "=", 2],
        [3, 1, None, None, "-", 4],
        [3, 2, 2, "b", "=", 4],
    ]
    assert set(report.entries["file"]) == set(report.results["file"]) == {"reports/open.csv"}
    conforms(report)


def conforms(report):
    """The frames have the declared columns and types, whatever is in them; of a single report text is not coded."""
    for frame, found in ((frames.ENTRIES, report.entries), (frames.RESULTS, report.results)):
        columns = [
            replace(one, coded=False, narrow=False)
            for one in frame.columns
            if one.name not in ("tournament_id", "part")
        ]
        assert list(found) == [column.name for column in columns]
        assert found.dtypes.astype(str).tolist() == [column.dtype for column in columns]


CELLS = [
    ("12w1", 12, "w", "1"),
    ("12B0", 12, "b", "0"),
    (" 12 w = ", 12, "w", "="),
    ("12\xa0w\xa01", 12, "w", "1"),
    ("12w½", 12, "w", "="),
    ("12w1/2", 12, "w", "="),
    ("12w.5", 12, "w", "="),
    ("12b0,5", 12, "b", "="),
    ("12½", 12, None, "="),
    ("½", None, None, "="),
    ("0.5", None, None, "="),
    ("7w+", 7, "w", "+"),
    ("7-", 7, None, "-"),
    ("7–", 7, None, "-"),
    ("0-", None, None, "-"),
    ("-", None, None, "-"),
    ("+", None, None, "+"),
    ("h", None, None, "H"),
    ("F", None, None, "F"),
    ("U", None, None, "U"),
    ("7z", 7, None, "Z"),
    ("7ww", 7, "w", "W"),
    ("7bD", 7, "b", "D"),
    ("W", None, None, "W"),
    ("7L", 7, None, "L"),
    ("w1", None, "w", "1"),
    ("1", None, None, "1"),
    ("", None, None, ""),
    ("   ", None, None, ""),
]


@pytest.mark.parametrize(("cell", "opponent_no", "colour", "result"), CELLS)
def test_a_cell(cell, opponent_no, colour, result):
    found = report_cells.read(pd.Series([cell], dtype="str"))
    assert [None if pd.isna(value.iloc[0]) else value.iloc[0] for value in found[:3]] == [opponent_no, colour, result]
    assert not found[3].any()


# 121 may be 12 and 1; 12w may lack its result or be won without a move; 12.5 may be 12 and .5 or 1 and 2.5
@pytest.mark.parametrize(
    "cell", ["121", "10", "12w", "12W", "12b", "b", "12.5", "12x1", "12w2", "12345w1", "bye", "1\n2w1", "٣w1", "*"]
)
def test_a_cell_that_may_mean_two_things_or_none_is_refused_and_kept_as_written(file_of, said, cell):
    report = read_report(file_of("a.csv", f'start_no,round_7\n1,2w1\n2,"{cell}"\n'), "a.csv")
    shown = cell.replace("\n", " ")
    assert said(report.findings) == [
        f'F155 error a.csv:3: round 7: "{shown}" is not a result; write for example 12w1, 5b=, 7w+, -, H, F, U, Z'
    ]
    assert rows(report.results, "start_no", "round", "opponent_no", "colour", "result")[1] == [2, 7, None, None, cell]


FINDINGS = [
    ("start_no,round_1,elo\n1,-,5\n",
     "F151 error a.csv:1: the report has an unknown column elo; known are start_no, player_id, name, federation, sex, "
     "title, birth_year, reported_rating, tournament_id, round_1, round_2 ..."),
    ("start_no,round_1,Round_1\n1,-,-\n",
     "F151 error a.csv:1: the report has an unknown column round_1 (a second time); known are start_no, player_id, "
     "name, federation, sex, title, birth_year, reported_rating, tournament_id, round_1, round_2 ..."),
    ("\nname;round_1\n", "F152 error a.csv:2: the report has no column start_no; add it"),
    ("start_no,name\n1,x\n", "F152 error a.csv:1: the report has no column round_1; add it"),
    ("start_no,round_1\n1,-\nx,-\n",
     'F153 error a.csv:3: start_no: "x" is not a whole number from 1 to 9999; correct the cell'),
    ("start_no,round_1\n1,-\n,2w1\n",
     'F153 error a.csv:3: start_no: "(empty)" is not a whole number from 1 to 9999; correct the cell'),
    ("start_no,round_1,sex\n1,-,u\n", 'F153 error a.csv:2: sex: "u" is not one of m, w, f; correct the cell'),
    ("start_no,round_1,birth_year\n1,-,90\n",
     'F153 error a.csv:2: birth_year: "90" is not a whole number from 1850 to 2100; correct the cell'),
    ("start_no,round_1,reported_rating\n1,-,-5\n",
     'F153 error a.csv:2: reported_rating: "-5" is not a whole number from 0 to 32767; correct the cell'),
    ('start_no,round_1,name\n1,-,"a\nb"\n',
     'F153 error a.csv:2: name: "a b" is not text on one line (is a quote missing?); correct the cell'),
    ("start_no,round_1\n\n1,-,2\n2\n",
     "F154 error a.csv:3: the row has 3 cells, the header 2; correct the commas of this line"),
    ("start_no,round_1\n",
     "F157 error a.csv: no players: no line of the report holds a starting number; send the whole report"),
    ("", "F150 error a.csv: the report cannot be read: it is empty; save it again as UTF-8 text or Parquet"),
    ("a\n\0",
     "F150 error a.csv:2: the report cannot be read: it is not text; save it again as UTF-8 text or Parquet"),
    ("start_no,round_1\n1,\"x\n",
     "F150 error a.csv:2: the report cannot be read: it is not CSV (unexpected end of data); is a quote missing?; "
     "save it again as UTF-8 text or Parquet"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FINDINGS)
def test_a_report_with_an_error(file_of, said, text, expected):
    report = read_report(file_of("a.csv", text), "a.csv")
    assert said(report.findings)[0] == expected
    assert report.findings["tournament_id"].isna().all()
    conforms(report)


def test_windows_1252_is_a_warning(file_of, said):
    report = read_report(file_of("a.csv", OPEN, "cp1252"), "a.csv")
    assert said(report.findings) == [
        "F201 warning a.csv:2: read as Windows-1252: it is not UTF-8; check the names; save it as UTF-8"
    ]
    assert len(report.results) == 6


def test_a_starting_number_that_stands_twice_is_left_for_the_reports_stage(file_of, said):
    report = read_report(file_of("a.csv", "start_no,round_1\n2,-\n1,-\n2,H\n"), "a.csv")
    assert said(report.findings) == []
    assert rows(report.results, "start_no", "result", "line") == [[1, "-", 3], [2, "-", 2], [2, "H", 4]]


def test_rounds_need_not_begin_at_one_and_every_round_column_counts(file_of, said):
    report = read_report(file_of("a.csv", "round_12,start_no,round_5\n,1,2w1\n,2,1b0\n"), "a.csv")
    assert said(report.findings) == []
    assert rows(report.results, "start_no", "round", "result") == [[1, 5, "1"], [1, 12, ""], [2, 5, "0"], [2, 12, ""]]


def test_parquet_says_the_same_as_csv_with_row_numbers_for_lines(file_of, said):
    source = pd.read_csv(io.StringIO(OPEN), dtype={"player_id": "str"})  # integers with gaps become floats here
    source["federation"] = source["federation"].astype("category")
    buffer = io.BytesIO()
    source.to_parquet(buffer)
    found = read_report(file_of("open.parquet", buffer.getvalue()), "open")
    expected = read_report(file_of("open.csv", OPEN), "open")
    assert said(found.findings) == []
    for name in ("entries", "results"):
        pd.testing.assert_frame_equal(
            getattr(found, name), getattr(expected, name).assign(line=lambda x: x["line"] - 1)
        )


def test_parquet_that_cannot_be_read(file_of, said):
    report = read_report(file_of("a.parquet", b"PAR1 no table PAR1"), "a.parquet")
    (line,) = said(report.findings)
    assert line.startswith("F150 error a.parquet: the report cannot be read: it is not Parquet with plain columns (")
    assert line.endswith("); save it again as UTF-8 text or Parquet")
    buffer = io.BytesIO()
    pd.DataFrame({"start_no": [1], "round_1": [[1, 2]]}).to_parquet(buffer)
    (line,) = said(read_report(file_of("a.parquet", buffer.getvalue()), "a.parquet").findings)
    assert line.startswith("F150 error a.parquet: the report cannot be read: it is not Parquet with plain columns (")


def test_files_that_cannot_be_opened(file_of, said, tmp_path):
    report = read_report(tmp_path / "no.csv", "no.csv")
    assert said(report.findings) == [
        "F150 error no.csv: the report cannot be read: there is no such file; save it again as UTF-8 text or Parquet"
    ]
    assert (report.raw, report.sha256) == (b"", "")
    conforms(report)
    (tmp_path / "folder.trf").mkdir()
    assert said(read_report(tmp_path / "folder.trf", "folder.trf").findings) == [
        "F150 error folder.trf: the report cannot be read: it is a folder; save it again as UTF-8 text or Parquet"
    ]
    assert said(read_report(file_of("a.pdf", "x"), "a.pdf").findings) == [
        'F150 error a.pdf: the report cannot be read: ".pdf" is none of .csv, .parquet, .trf, .txt; '
        "save it again as UTF-8 text or Parquet"
    ]
