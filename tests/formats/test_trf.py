"""TRF16 by columns: what is read, and every refusal with its text, line and column."""

from dataclasses import replace

import pandas as pd
import pytest

from ratingrun import frames
from ratingrun.formats import content, read_report, read_reports, trf


def player(start_no, *cells, sex="", title="", name="", rating="", federation="", player_id="", birth="", points=""):
    """A 001 record by the columns of TRF16."""
    head = f"001 {start_no:>4} {sex:1}{title:>3} {name:33} {rating:>4} {federation:3} {player_id:>11} {birth:10}"
    return f"{head} {points:>4}    3  {'  '.join(f'{cell:8}' for cell in cells)}".rstrip()


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

SKIPPED = "F321 note a.trf:6: 1 lines are no records of a tournament report and are skipped: DDD; nothing to do"


def rows(frame, *columns):
    return frame[list(columns)].astype(object).where(frame[list(columns)].notna(), None).to_numpy().tolist()


@pytest.fixture
def read(file_of):
    return lambda lines, end="\n", encoding="utf-8": read_report(file_of("a.trf", end.join(lines), encoding), "a.trf")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_report(read, said, end):
    report = read(OPEN, end)
    assert said(report.findings) == [SKIPPED]
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
        plain = [replace(one, coded=False, narrow=False) for one in frame.columns]
        columns = [one for one in plain if one.name not in ("tournament_id", "part")]
        assert found.dtypes.astype(str).to_dict() == {column.name: column.dtype for column in columns}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252"])
def test_columns_count_characters_in_every_encoding(read, said, encoding):
    report = read(OPEN, encoding=encoding)
    warning = "F201 warning a.trf:8: read as Windows-1252: it is not UTF-8; check the names; save it as UTF-8"
    assert said(report.findings) == ([warning, SKIPPED] if encoding == "cp1252" else [SKIPPED])
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
    (GOOD[:90] + "2" + GOOD[91:], f'F156 error a.trf:2: column 91: "2" where a blank must stand{RESTORE}'),
    (GOOD[:95] + "w" + GOOD[96:], f'F156 error a.trf:2: column 96: "w" where a blank must stand{RESTORE}'),
    (GOOD[:99] + "4" + GOOD[100:], f'F156 error a.trf:2: column 100: "4" where a blank must stand{RESTORE}'),
    (GOOD[:101] + "3x  " + GOOD[105:], f'F156 error a.trf:2: column 102: round 2: "3x" is no starting number{RESTORE}'),
    (GOOD[:101] + "3  3" + GOOD[105:],
     f'F156 error a.trf:2: column 102: round 2: "3  3" is no starting number{RESTORE}'),
    (GOOD[:106] + "s" + GOOD[107:], f'F156 error a.trf:2: column 107: round 2: "s" is no colour (w, b or -){RESTORE}'),
    (GOOD[:108] + "?", f'F158 error a.trf:2: column 109, round 2: "?" is not a result{CODES}'),
    ("001   A1" + GOOD[8:],
     'F153 error a.trf:2: columns 5-8, start_no: "A1" is not a whole number from 1 to 9999; correct the cell'),
    ("001     " + GOOD[8:],
     'F153 error a.trf:2: columns 5-8, start_no: "(empty)" is not a whole number from 1 to 9999; correct the cell'),
    ("001 0000" + GOOD[8:],
     'F153 error a.trf:2: columns 5-8, start_no: "0000" is not a whole number from 1 to 9999; correct the cell'),
    (" " + GOOD, f"F156 error a.trf:2: column 1: a blank before the record 001{RESTORE}"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), REFUSALS)
def test_what_does_not_fit_the_columns_is_refused(read, said, line, expected):
    report = read([player(9, "   2 w 1", "   3 b 0"), line])
    assert said(report.findings) == [expected]
    assert report.findings["tournament_id"].isna().all()


def test_a_cell_that_cannot_be_read_is_kept_as_written(read):
    assert rows(read([player(1, "   2 w ?")]).results, "opponent_no", "colour", "result") == [[None, None, "2 w ?"]]


def test_files_without_players_or_with_too_many(read, said, file_of):
    none = "F157 error a.trf: no players: no line of the report holds a starting number; send the whole report"
    note = "F321 note a.trf:2: 1 lines are no records of a tournament report and are skipped: 012; nothing to do"
    assert said(read(["012 Spring Open", "0123456789"]).findings) == [none, note]
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


# --- what no rating rests on is a warning ----------------------------------------------------------------------------

WARNINGS = [
    (GOOD[:13] + "," + GOOD[14:],
     'F225 warning a.trf:2: column 14: "," where a blank must stand; the line stands in its columns and is read; '
     "restore the blank"),
    (GOOD[:48] + "18.5" + GOOD[52:],
     'F226 warning a.trf:2: columns 49-52: "18.5" is no rating and is left out; nothing to do: it does not count'),
    (GOOD[:80] + " 7.5" + GOOD[84:],
     "F221 warning a.trf:2: no. 1: 7.5 points, but the results give 1.0; 1 such lines; "
     "check the results: points do not count for rating"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), WARNINGS)
def test_a_slip_outside_the_cells_loses_no_game(read, said, line, expected):
    report = read([player(9, "   2 w 1", "   3 b 0"), line])
    assert said(report.findings) == [expected]
    assert rows(report.results, "start_no", "opponent_no", "result")[:2] == [[1, 2, "1"], [1, 3, "0"]]


def test_points_may_be_counted_otherwise(read, said):
    """XXS, BB?, 162, 250, 299: points that no sum of 1 and 1/2 gives are right there (formats 1.6)."""
    assert said(read([player(1, "   2 w 1", points="3.0"), "BBW  3.0"]).findings) == []


# --- columns that stand in the wrong place ---------------------------------------------------------------------------

WIDE = [player(1, "   2 w 1", "   3 b 0"), player(2, "   1 b 0", "0000 - U"), player(3, "0000 - H", "   1 w 1")]
GAMES = [[1, 2, "w", "1"], [1, 3, "b", "0"], [2, 1, "b", "0"], [2, None, None, "U"], [3, None, None, "H"],
         [3, 1, "w", "1"]]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "column", "shift"),
    [
        ([line[:89] + line[91:] for line in WIDE], 92, -2),  # rounds two columns early
        ([line[:89] + "  " + line[89:] for line in WIDE], 92, 2),
        ([line[:57] + " " + line[57:] for line in WIDE], 86, 1),
        (["   " + line for line in WIDE], 1, 3),
    ],
)
def test_lines_that_all_stand_wrong_by_the_same_are_put_right(read, said, lines, column, shift):
    report = read(lines)
    assert rows(report.results, "start_no", "opponent_no", "colour", "result") == GAMES
    assert said(report.findings) == [
        f"F220 warning a.trf:1: 3 player lines stand {shift} columns off from column {column} on and are read so; "
        "check a few of them; ask for a file with the fixed columns"
    ]


def test_a_single_line_that_stands_wrong_is_refused(read, said):
    found = said(read([*WIDE[:2], WIDE[2][:89] + WIDE[2][91:]]).findings)
    assert [line[:25] for line in found] == ["F156 error a.trf:3: colum"] * len(found) and found


def test_columns_that_count_bytes(read, said):
    """A name of two-byte letters filled up to 33 bytes, not characters."""
    line = player(1, "   2 w 1", name="Ñúñez, Ólafía")
    narrow = line.replace("Ñúñez, Ólafía" + " " * 5, "Ñúñez, Ólafía")
    assert len(narrow) == len(line) - 5
    report = read([narrow, player(2, "   1 b 0")])
    assert rows(report.results, "start_no", "opponent_no", "result") == [[1, 2, "1"], [2, 1, "0"]]
    assert report.entries["name"][0] == "Ñúñez, Ólafía"
    assert said(report.findings)[0].startswith("F229 warning a.trf:1: 1 lines count their columns in bytes")


# --- header ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "first", "last"),
    [
        ("2025/10/04", "2025/10/12", ["2025-10-04"], ["2025-10-12"]),
        ("24/09/2010", "02/10/2010", ["2010-09-24"], ["2010-10-02"]),
        ("25.02.2011", "27.02.2011", ["2011-02-25"], ["2011-02-27"]),
        ("10.09.13", "11.03.13", ["2010-09-13"], ["2011-03-13"]),
        ("28. 07. 2005", "31. 07. 2005", ["2005-07-28"], ["2005-07-31"]),
        ("Jun 26, 2020", "28 June 2020", ["2020-06-26"], ["2020-06-28"]),
        ("20251004", "2025-10-12", ["2025-10-04"], ["2025-10-12"]),
        ("02/03/2024", "04/03/2024", ["2024-02-03", "2024-03-02"], ["2024-03-04", "2024-04-03"]),
        ("26/09/22", "26/09/22", ["2022-09-26", "2026-09-22"], ["2022-09-26", "2026-09-22"]),
        ("soon", "", [], []),
    ],
)
def test_dates_in_every_shape(read, said, start, end, first, last):
    report = read([f"042 {start}", f"052 {end}", player(1, "0000 - U")])
    assert ([str(day) for day in report.start], [str(day) for day in report.end]) == (first, last)
    found = said(report.findings)
    assert [line[:4] for line in found] == ["F222"] * (start == "soon") + ["F223"] * (len(first) == 2) * 2
    if len(first) == 2:
        assert f"can be {first[0]} or {first[1]}" in found[0]


@pytest.mark.parametrize(
    ("order", "first", "last"), [("dmy", "2024-03-02", "2024-03-04"), ("mdy", "2024-02-03", "2024-04-03")]
)
def test_an_option_settles_a_date_with_two_readings(file_of, said, order, first, last):
    path = file_of("a.trf", "\n".join(["042 02/03/2024", "052 04/03/2024", player(1, "0000 - U")]))
    (report,) = read_reports([path], ["a.trf"], order=order)
    assert ([str(day) for day in report.start], [str(day) for day in report.end]) == ([first], [last])
    assert said(report.findings) == []


@pytest.mark.parametrize(
    ("coded", "control"),
    [("5400+30", "90+30"), ("40/6000+30:20/3000+30:1500+30", "40/100+30:20/50+30:25+30"), ("900", "15"),
     ("W300-B240", "5|4"), ("5430+30", None), ("90 min", None)],
)  # fmt: skip
def test_a_coded_time_control(read, said, coded, control):
    report = read([f"222 {coded}", "192 FIDE_DUTCH_2025", player(1, "0000 - U")])
    assert (report.time_control, report.system) == (control, "swiss")
    assert [line[:4] for line in said(report.findings)] == ["F228"] * (control is None)


def test_a_report_from_lichess_is_read_and_refused(read, said):
    report = read(["032 Lichess", player(1, "   2 w 1"), player(2, "   1 b 0")])
    assert len(report.results) == 2
    assert said(report.findings)[0].startswith("F159 error a.trf:1: a report from Lichess")


def test_byes_and_forfeits_outside_the_lines(read, said):
    """TRF26: 240 byes, 300 line-ups, 310 teams, 320 team byes, 330 forfeited matches; what a line says stands."""
    alone = [player(1, "", "   2 b 0"), player(2, "", "   1 w 1"), player(3, "", "")]
    report = read([*alone, "240 H   1    1", "240 Z   2    3", "240 F   2    1"])
    assert rows(report.results, "start_no", "round", "result", "declared") == [
        [1, 1, "", "H"], [1, 2, "0", None], [2, 1, "", None], [2, 2, "1", None], [3, 1, "", None], [3, 2, "", "Z"],
    ]  # fmt: skip
    teams = [f"310 {number:>3} {'Team':68}{first:>4} {first + 1:>4}" for number, first in ((1, 1), (2, 3), (3, 5))]
    players = [player(number, "", "   9 w 1") for number in range(1, 7)]
    report = read([*players, *teams, "300   1   1   2    1    2", "300   1   2   1    3    0", "330 +-   1   1   2",
                   "320  1    1.0   3"])  # fmt: skip
    first = report.results[report.results["round"] == 1]
    assert rows(first, "start_no", "declared") == [[1, "+"], [2, "+"], [3, "-"], [4, None], [5, "U"], [6, "U"]]
    assert said(report.findings)[-1].startswith("F322 note a.trf:12: 5 blank cells are explained")


def test_national_numbers_of_a_federations_records(read, said):
    """TRF26: a record of the federation has the national number in columns 58-68. It stands for nobody's FIDE id."""
    own = [player(number, player_id=said_id).replace("001", "FRA", 1) for number, said_id in ((1, "12057"), (2, "777"))]
    report = read([player(1, "0000 - U"), player(2, "0000 - U", player_id="12345"), player(3, "0000 - U"), *own])
    assert rows(report.entries, "start_no", "player_id") == [[1, "FRA/12057"], [2, "12345"], [3, None]]
    assert said(report.findings) == [
        "F323 note a.trf:4: 1 players without an id have the number of their federation's record, as FRA/12057; "
        "say in aliases.csv whose it is"
    ]


def test_a_title_without_a_blank_and_a_title_one_column_early(read):
    lines = [player(number, "0000 - U") for number in (1, 2, 3)]
    fours = ("wWFM", "WGM ", "mGM ")
    report = read([line[:9] + four + line[13:] for line, four in zip(lines, fours, strict=True)])
    assert rows(report.entries, "sex", "title") == [["w", "WFM"], [None, "WGM"], ["m", "GM"]]


def test_mixed_encodings_and_damaged_bytes(read, said, file_of):
    raw = "\n".join([player(1, "   2 w 1", name="Zoë, A"), player(2, "   1 b 0", name="Abc, B")]).encode()
    report = read_report(file_of("a.trf", raw.replace(b"Abc", b"\xe9\x00c")), "a.trf")
    assert report.entries["name"].tolist()[0] == "Zoë, A"
    assert rows(report.results, "start_no", "opponent_no", "result") == [[1, 2, "1"], [2, 1, "0"]]
    assert said(report.findings)[0].startswith("F201 warning a.trf:2: read as Windows-1252 where it is not UTF-8")


def test_many_files_at_once_are_read_as_each_alone(file_of):
    files = {f"r{number}.trf": "\n".join([f"012 Open {number}", *lines]) for number, lines in
             enumerate([OPEN, WIDE, [player(1)], ["nothing"], ["001   é"], WIDE * 2])}  # fmt: skip
    raws = [content.encode() for content in files.values()]
    batch = trf.read_many(raws, list(files), workers=2)
    for (name, _), raw in zip(files.items(), raws, strict=True):
        alone = trf.read(raw, name)
        for frame, whole in ((alone.entries, batch.entries), (alone.results, batch.results)):
            own = whole[whole["file"] == name].reset_index(drop=True)
            pd.testing.assert_frame_equal(own, frame.reset_index(drop=True), check_dtype=False)
        assert batch.heads[name].name == alone.name


def test_reports_read_together_are_the_same_one_by_one(file_of):
    """What many reports have in one frame is what each has alone, and `joined` is all of it."""
    files = {f"{name}.trf": [player(1, "   2 w 1"), player(2, "   1 b 0"), *more] for name, more in
             (("a", []), ("b", [player(3, "0000 - H")]), ("c", ["xyz"]))}  # fmt: skip
    paths = [file_of(name, "\n".join(lines)) for name, lines in files.items()]
    many = read_reports(paths, list(files))
    for path, report in zip(paths, many, strict=True):
        alone = read_report(path, report.file)
        for name in content.NOTHING:
            pd.testing.assert_frame_equal(getattr(report, name), getattr(alone, name))
    for name, count in (("entries", [2, 3, 2]), ("results", [2, 3, 2]), ("findings", [0, 0, 1])):
        for some in (many, many[1:]):
            rows = pd.concat(content.joined(some, name))
            assert (
                rows.groupby("file").size().reindex([one.file for one in some]).fillna(0).tolist()
                == (count[len(count) - len(some) :])
            )
