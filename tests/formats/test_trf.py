"""TRF16 by columns: what is read, and every refusal with its text, line and column."""

import pytest

from ratingrun import frames
from ratingrun.formats import read_report


def player(start_no, *cells, sex="", title="", name="", rating="", federation="", player_id="", birth=""):
    """A 001 record by the columns of TRF16."""
    head = f"001 {start_no:>4} {sex:1}{title:>3} {name:33} {rating:>4} {federation:3} {player_id:>11} {birth:10}"
    return f"{head}  1.5    3  {'  '.join(f'{cell:8}' for cell in cells)}".rstrip()


OPEN = [
    "012 Spring Open",
    "022 Velmora",
    "032 KRS",
    "122 90+30",
    "",
    "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII",
    "### a comment",
    player(2, "   1 b 0", "   3 w =", sex="f", title="wg", name="Bó, Berta", rating="1850", federation="krs",
           player_id="12345", birth="1990/00/00"),
    player(1, "   2 w 1", "0000 - H", sex="M", title="GM", name="Al, Ann", rating="0000", player_id="0"),
    player(3, "        ", "   2 b ="),
    "XXR 2",
    "013 Team 1",
]  # fmt: skip


def rows(frame, *columns):
    return frame[list(columns)].astype(object).where(frame[list(columns)].notna(), None).to_numpy().tolist()


@pytest.fixture
def read(file_of):
    return lambda lines, end="\n", encoding="utf-8": read_report(file_of("a.trf", end.join(lines), encoding), "a.trf")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_report(read, said, end):
    report = read(OPEN, end)
    assert said(report.findings) == []
    assert (report.name, report.federation) == ("Spring Open", "KRS")
    names = ("start_no", "player_id", "name", "federation", "sex", "title", "birth_year", "reported_rating", "line")
    assert rows(report.entries, *names) == [
        [1, None, "Al, Ann", None, "m", "GM", None, None, 9],
        [2, "12345", "Bó, Berta", "KRS", "w", "WGM", 1990, 1850, 8],
        [3, None, None, None, None, None, None, None, 10],
    ]
    assert rows(report.results, "start_no", "round", "opponent_no", "colour", "result", "line") == [
        [1, 1, 2, "w", "1", 9],
        [1, 2, None, None, "H", 9],
        [2, 1, 1, "b", "0", 8],
        [2, 2, 3, "w", "=", 8],
        [3, 1, None, None, "", 10],
        [3, 2, 2, "b", "=", 10],
    ]
    for frame, found in ((frames.ENTRIES, report.entries), (frames.RESULTS, report.results)):
        columns = [column for column in frame.columns if column.name not in ("tournament_id", "part")]
        assert found.dtypes.astype(str).to_dict() == {column.name: column.dtype for column in columns}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252"])
def test_columns_count_characters_in_every_encoding(read, said, encoding):
    report = read(OPEN, encoding=encoding)
    warning = "F201 warning a.trf:8: read as Windows-1252: it is not UTF-8; check the names; save it as UTF-8"
    assert said(report.findings) == ([warning] if encoding == "cp1252" else [])
    assert report.name == "Spring Open"
    assert report.entries["name"].tolist()[1] == "Bó, Berta"


@pytest.mark.parametrize(
    ("written", "title"),
    [("g", "GM"), ("m", "IM"), ("f", "FM"), ("c", "CM"), ("wg", "WGM"), ("wm", "WIM"), ("wf", "WFM"), ("wc", "WCM"),
     ("GM", "GM"), ("WIM", "WIM"), ("Fm", "FM"), ("1N", "1N"), ("", None)],
)  # fmt: skip
def test_titles_of_both_schools(read, written, title):
    assert rows(read([player(1, "0000 - U", title=written)]).entries, "title") == [[title]]


@pytest.mark.parametrize(("written", "sex"), [("m", "m"), ("w", "w"), ("f", "w"), ("F", "w"), ("u", None), ("", None)])
def test_sex(read, written, sex):
    assert rows(read([player(1, "0000 - U", sex=written)]).entries, "sex") == [[sex]]


@pytest.mark.parametrize(
    ("written", "year"),
    [("1969.12.06", 1969), ("1979.  .", 1979), ("1975-03-31", 1975), ("1981", 1981), ("  .  .1981", 1981),
     ("0000/00/00", None), (".  .", None), ("", None), ("1790/01/01", None), ("19810101", None)],
)  # fmt: skip
def test_the_year_of_birth(read, said, written, year):
    report = read([player(1, "0000 - U", birth=written)])
    assert said(report.findings) == []
    assert rows(report.entries, "birth_year") == [[year]]


@pytest.mark.parametrize(
    ("written", "player_id"), [("007", "007"), ("0", None), ("000", None), ("-----------", None), ("A12", "A12")]
)
def test_the_player_id(read, written, player_id):
    assert rows(read([player(1, "0000 - U", player_id=written)]).entries, "player_id") == [[player_id]]


@pytest.mark.parametrize(
    ("cell", "opponent_no", "colour", "result"),
    [
        ("   2 w 1", 2, "w", "1"),
        ("0002 B =", 2, "b", "="),
        ("2    b ½", 2, "b", "="),
        ("   2 - -", 2, None, "-"),
        ("   2 w +", 2, "w", "+"),
        ("   2 w w", 2, "w", "W"),
        ("0000 - Z", None, None, "Z"),
        ("     - u", None, None, "U"),
        ("0000", None, None, ""),
        ("   2 w", 2, "w", ""),
        ("", None, None, ""),
    ],
)
def test_a_cell_also_where_its_trailing_blanks_are_trimmed(read, said, cell, opponent_no, colour, result):
    report = read([player(1, "   2 w 1", cell), player(2, "   1 b 0", "0000 - F")])
    assert said(report.findings) == []
    assert rows(report.results, "opponent_no", "colour", "result")[1] == [opponent_no, colour, result]


def test_as_many_rounds_as_the_widest_line(read):
    report = read([player(1), player(2, "0000 - U", "", "   1 w")])
    assert rows(report.results, "start_no", "round") == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3]]
    assert len(read([player(1), player(2)]).results) == 0
    assert len(read([player(1), player(2)]).entries) == 2


def test_a_starting_number_that_stands_twice_is_left_for_the_reports_stage(read, said):
    report = read([player(2, "0000 - U"), player(2, "0000 - H")])
    assert said(report.findings) == []
    assert rows(report.results, "start_no", "result", "line") == [[2, "U", 1], [2, "H", 2]]


RESTORE = "; restore the fixed columns of the line"
CODES = "; one of 1 = 0 + - W D L H F U Z or a blank"
GOOD = player(1, "   2 w 1", "   3 b 0")
REFUSALS = [
    ("001x" + GOOD[4:], f'F156 error a.trf:2: column 4: "x" where a blank must stand{RESTORE}'),
    (GOOD[:13] + "," + GOOD[14:], f'F156 error a.trf:2: column 14: "," where a blank must stand{RESTORE}'),
    (GOOD[:90] + "2" + GOOD[91:], f'F156 error a.trf:2: column 91: "2" where a blank must stand{RESTORE}'),
    (GOOD[:95] + "w" + GOOD[96:], f'F156 error a.trf:2: column 96: "w" where a blank must stand{RESTORE}'),
    (GOOD[:99] + "4" + GOOD[100:], f'F156 error a.trf:2: column 100: "4" where a blank must stand{RESTORE}'),
    (GOOD[:101] + "3x  " + GOOD[105:], f'F156 error a.trf:2: column 102: round 2: "3x" is no starting number{RESTORE}'),
    (GOOD[:101] + "3  3" + GOOD[105:],
     f'F156 error a.trf:2: column 102: round 2: "3  3" is no starting number{RESTORE}'),
    (GOOD[:106] + "s" + GOOD[107:], f'F156 error a.trf:2: column 107: round 2: "s" is no colour (w, b or -){RESTORE}'),
    (GOOD[:108] + "*", f'F158 error a.trf:2: column 109, round 2: "*" is not a result{CODES}'),
    ("001   A1" + GOOD[8:],
     'F153 error a.trf:2: columns 5-8, start_no: "A1" is not a whole number from 1 to 9999; correct the cell'),
    ("001     " + GOOD[8:],
     'F153 error a.trf:2: columns 5-8, start_no: "(empty)" is not a whole number from 1 to 9999; correct the cell'),
    ("001 0000" + GOOD[8:],
     'F153 error a.trf:2: columns 5-8, start_no: "0000" is not a whole number from 1 to 9999; correct the cell'),
    (GOOD[:48] + "18.5" + GOOD[52:],
     'F153 error a.trf:2: columns 49-52, rating: "18.5" is not a rating, 0 or blank; correct the cell'),
    (" " + GOOD, f"F156 error a.trf:2: column 1: a blank before the record 001{RESTORE}"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), REFUSALS)
def test_what_does_not_fit_the_columns_is_refused(read, said, line, expected):
    report = read([player(9, "   2 w 1", "   3 b 0"), line])
    assert said(report.findings) == [expected]
    assert report.findings["tournament_id"].isna().all()


def test_a_cell_that_cannot_be_read_is_kept_as_written(read):
    assert rows(read([player(1, "   2 w *")]).results, "opponent_no", "colour", "result") == [[None, None, "2 w *"]]


def test_files_without_players_or_with_too_many(read, said, file_of):
    none = "F157 error a.trf: no players: no line of the report holds a starting number; send the whole report"
    assert said(read(["012 Spring Open", "0123456789"]).findings) == [none]
    saving = "; save it again as UTF-8 text or Parquet"
    many = read([player(1)] * 10_000)
    assert said(many.findings) == [
        f"F150 error a.trf: the report cannot be read: it holds 10000 players, more than 9999{saving}"
    ]
    wide = read([player(1, *["0000 - U"] * 1000)])
    assert said(wide.findings) == [
        f"F150 error a.trf: the report cannot be read: a player's line holds more than 999 rounds{saving}"
    ]
    assert said(read_report(file_of("a.txt", "\x00"), "a.txt").findings) == [
        f"F150 error a.txt:1: the report cannot be read: it is not text{saving}"
    ]
