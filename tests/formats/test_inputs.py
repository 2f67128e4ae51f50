"""register, players, corrections, exclusions: what is read, and every finding with its text, file and line."""

import pandas as pd
import pytest

from ratingrun import frames
from ratingrun.formats import inputs

REGISTER = "tournament_id,file,rating_type,system,start,end"


def test_a_register_with_the_needed_columns_only(file_of, said):
    found, notes = inputs.register(
        file_of("register.csv", f"{REGISTER}\nT1,a.csv,standard,swiss,2025-10-04,2025-10-12\n")
    )
    assert said(notes) == []
    frames.REGISTER.check(found)
    row = found.iloc[0]
    assert (row["part"], row["fide_official"], row["line"]) == (1, False, 2)
    assert row[["name", "received", "time_control", "rounds_from", "match_games", "approvals"]].isna().all()
    assert row["start"] == pd.Timestamp("2025-10-04")


def test_a_register_as_a_spreadsheet_writes_it(file_of, said):
    path = file_of(
        "register.csv",
        "\ufeff END ;Start;System;Rating_Type;File;Tournament_ID;part;Fide_Official;approvals;time_control;received;;"
        "\r\n"
        "2025-10-12;2025-10-04;Swiss;STANDARD;cups\\a.csv; 007 ;2;Yes;Play_On, distinct;40/90 + 30 : 30+30;2025-10-13;;"
        "\r\n"
        ";;;;;;;;;;;;\r\n",
    )
    found, notes = inputs.register(path)
    assert said(notes) == []
    row = found.iloc[0]
    assert (row["tournament_id"], row["part"], row["file"]) == ("007", 2, "cups/a.csv")
    assert (row["rating_type"], row["system"], row["fide_official"]) == ("standard", "swiss", True)
    assert (row["approvals"], row["time_control"]) == ("play_on distinct", "40/90+30:30+30")


@pytest.mark.parametrize(
    ("word", "yes"), [("yes", 1), ("1", 1), ("TRUE", 1), ("no", 0), ("0", 0), ("false", 0), ("", 0)]
)
def test_yes_and_no(file_of, word, yes):
    text = f"{REGISTER},fide_official\nT1,a.csv,standard,swiss,2025-10-04,2025-10-12,{word}\n"
    assert inputs.register(file_of("register.csv", text))[0]["fide_official"].tolist() == [bool(yes)]


PLACE = "error register.csv:3: "
BAD_ROWS = [
    ("T2,a,std,swiss,2025-10-04,2025-10-12,,,,",
     f'F105 {PLACE}rating_type: "std" is not one of standard, rapid, blitz; correct the cell'),
    ("T2,a,rapid,knockout,2025-10-04,2025-10-12,,,,",
     f'F105 {PLACE}system: "knockout" is not one of swiss, round_robin, team, match; correct the cell'),
    ("T2,a,rapid,swiss,04.10.2025,2025-10-12,,,,",
     f'F104 {PLACE}start: "04.10.2025" is not a date; write YYYY-MM-DD, for example 2025-10-31'),
    ("T2,a,rapid,swiss,2025-10-04,2025-02-30,,,,",
     f'F104 {PLACE}end: "2025-02-30" is not a date; write YYYY-MM-DD, for example 2025-10-31'),
    ("T2,a,rapid,swiss,0025-10-04,2025-10-12,,,,",
     f'F104 {PLACE}start: "0025-10-04" is not a date; write YYYY-MM-DD, for example 2025-10-31'),
    (",a,rapid,swiss,2025-10-04,2025-10-12,,,,",
     f"F106 {PLACE}tournament_id is empty; fill it in; it must not be empty"),
    ("T2,a,rapid,swiss,2025-10-04,,,,,",
     f"F106 {PLACE}end is empty; fill it in; it must not be empty"),
    ("T2,a,rapid,swiss,2025-10-04", f"F107 {PLACE}the row has 5 cells, the header 10; correct the commas of this line"),
    ("T1,a,rapid,swiss,2025-10-04,2025-10-12,1,,,",
     f"F108 {PLACE}tournament_id T1 part 1 stands twice, first on line 2; keep one of the two lines"),
    ("T2,a,rapid,swiss,2025-10-12,2025-10-04,,,,",
     f"F109 {PLACE}the end 2025-10-04 is before the start 2025-10-12; correct the dates"),
    ("T2,a,rapid,swiss,2025-10-04,2025-10-12,,5,3,",
     f"F115 {PLACE}rounds_from 5 is after rounds_to 3; correct the rounds"),
    ("T2,a,rapid,swiss,2025-10-04,2025-10-12,0,,,",
     f'F105 {PLACE}part: "0" is not a whole number from 1 to 32767; correct the cell'),
    ("T2,a,rapid,swiss,2025-10-04,2025-10-12,,1000,,",
     f'F105 {PLACE}rounds_from: "1000" is not a whole number from 1 to 999; correct the cell'),
    ("T2,a,rapid,swiss,2025-10-04,2025-10-12,,,,90 minutes",
     f'F105 {PLACE}time_control: "90minutes" is not minutes+seconds a move, for example 90+30 or 40/90+30:30+30; '
     "unequal clocks: 10+5|5+5; correct the cell"),
    ('T2,"a\nb",rapid,swiss,2025-10-04,2025-10-12,,,,',
     f'F105 {PLACE}file: "a b" is not text on one line (is a quote missing?); correct the cell'),
]  # fmt: skip


@pytest.mark.parametrize(("row", "expected"), BAD_ROWS)
def test_a_row_of_the_register_with_an_error(file_of, said, row, expected):
    good = "T1,a.csv,standard,swiss,2025-10-04,2025-10-12,,,,90+30"
    path = file_of("register.csv", f"{REGISTER},part,rounds_from,rounds_to,time_control\n{good}\n{row}\n")
    found, notes = inputs.register(path)
    assert [line.replace(" tournament T2", "") for line in said(notes)] == [expected]
    assert found["tournament_id"].tolist() == ["T1"]
    frames.REGISTER.check(found)


def test_the_columns_of_an_input(file_of, said):
    path = file_of("exclusions.csv", "tournament_id,why,round,Round\nT1,x,1,2\n")
    found, notes = inputs.exclusions(path)
    assert said(notes) == [
        "F102 error exclusions.csv:1: unknown column why; known are tournament_id, round, player_id, reason",
        "F103 error exclusions.csv:1: column reason is missing; add it; needed are tournament_id, reason",
        "F108 error exclusions.csv:1: column round stands twice, first on line 1; keep one of the two lines",
    ]
    assert found.empty
    frames.EXCLUSIONS.check(found)


def test_files_that_cannot_be_read(file_of, said, tmp_path):
    saving = "; save it again as UTF-8 text or Parquet"
    missing = (
        "F110 error no.csv: there is no file or folder of this name; name one that exists, or leave the option out"
    )
    assert said(inputs.players(tmp_path / "no.csv")[1]) == [missing]
    (tmp_path / "folder.csv").mkdir()
    assert said(inputs.players(tmp_path / "folder.csv")[1]) == [
        f"F101 error folder.csv: cannot be read: it is a folder{saving}"
    ]
    assert said(inputs.players(file_of("p.csv", b""))[1]) == [f"F101 error p.csv: cannot be read: it is empty{saving}"]
    assert said(inputs.players(file_of("p.csv", b"a\nb\0"))[1]) == [
        f"F101 error p.csv:2: cannot be read: it is not text{saving}"
    ]
    quote = file_of("p.csv", 'player_id,date\n1,"x\n')
    assert said(inputs.players(quote)[1]) == [
        f"F101 error p.csv:2: cannot be read: it is not CSV (unexpected end of data); is a quote missing?{saving}"
    ]


def test_players_without_a_row_and_players_as_facts(file_of, said):
    head = "player_id,date,name,federation,sex,title,birth_year,w_title,status"
    found, notes = inputs.players(file_of("players.csv", head))
    assert said(notes) == []
    frames.PLAYERS.check(found)
    rows = "00123,2025-10-01,Blé Zoé,krs,F,m,1990.0,wg,Deceased\n00123,2025-10-01,,,,,0,,\n"
    found, notes = inputs.players(file_of("players.csv", f"{head}\n{rows}", "cp1252"))
    reading = "F201 warning players.csv:2: read as Windows-1252: it is not UTF-8; check the names; save it as UTF-8"
    assert said(notes) == [reading]
    assert found.iloc[0].drop("date").dropna().to_dict() == {
        "player_id": "00123", "name": "Blé Zoé", "federation": "KRS", "sex": "w", "title": "IM", "birth_year": 1990,
        "w_title": "WGM", "status": "deceased", "line": 2,
    }  # fmt: skip
    assert found.iloc[1].drop("date").dropna().to_dict() == {"player_id": "00123", "line": 3}


CORRECTIONS = "player_id,rating_type,list_date,field,value,reason,source"


@pytest.mark.parametrize(
    ("field", "value", "written"),
    [
        ("rating", "1850", "1850"),
        ("Rating", "1850.0", "1850"),
        ("rating", "", None),
        ("rating", "0", None),
        ("last_played", "2025-10-01", "2025-10-01"),
        ("active", "TRUE", "yes"),
        ("active", "0", "no"),
        ("sex", "F", "w"),
        ("title", "g", "GM"),
        ("name", "Blé, Zoé", "Blé, Zoé"),
    ],
)
def test_the_value_of_a_correction_is_written_in_one_way(file_of, said, field, value, written):
    path = file_of("corrections.csv", f'{CORRECTIONS}\n1,standard,2025-10-01,{field},"{value}",claim,board\n')
    found, notes = inputs.corrections(path)
    assert said(notes) == []
    frames.CORRECTIONS.check(found)
    assert found["field"].item() == field.lower()
    assert found["value"].item() == written or (written is None and found["value"].isna().item())


def test_corrections_with_errors(file_of, said):
    rows = ["foo,1", "k_clause,x", "rating,4000", "birth_year,x", "last_played,x", "active,perhaps", "name,", "games,"]
    text = "\n".join(
        f"{no},standard,2025-10-01,{row},claim,board" for no, row in enumerate([*rows, "rating,1", "rating,2"])
    )
    text = text.replace("9,standard", "8,standard")
    found, notes = inputs.corrections(file_of("corrections.csv", f"{CORRECTIONS}\n{text}\n"))
    known = (
        "one of name, federation, sex, title, w_title, o_title, foa_title, birth_year, rating, k, games, games_total, "
        "peak, last_played, active"
    )
    assert said(notes) == [
        'F104 error corrections.csv:6: value: "x" is not a date; write YYYY-MM-DD, for example 2025-10-31',
        'F105 error corrections.csv:4: value: "4000" is not a whole number from 1 to 3999; correct the cell',
        'F105 error corrections.csv:5: value: "x" is not a whole number from 1850 to 2100; correct the cell',
        'F105 error corrections.csv:7: value: "perhaps" is not yes or no; correct the cell',
        "F106 error corrections.csv:8: value is empty; fill it in; it must not be empty",
        "F106 error corrections.csv:9: value is empty; fill it in; it must not be empty",
        "F108 error corrections.csv:11: player_id 8 rating_type standard list_date 2025-10-01 field rating stands "
        "twice, first on line 10; keep one of the two lines",
        f'F114 error corrections.csv:2: field "foo" cannot be corrected; {known}',
        f'F114 error corrections.csv:3: field "k_clause" cannot be corrected; {known}',
    ]
    assert found[["player_id", "value"]].to_numpy().tolist() == [["8", "1"]]
    frames.CORRECTIONS.check(found)


def test_corrections_need_the_column_value(file_of, said):
    path = file_of(
        "corrections.csv", "player_id,rating_type,list_date,field,reason,source\n1,standard,2025-10-01,rating,a,b\n"
    )
    assert said(inputs.corrections(path)[1]) == [
        "F103 error corrections.csv:1: column value is missing; add it; needed are player_id, rating_type, list_date, "
        "field, reason, source, value"
    ]


def test_exclusions(file_of, said):
    found, notes = inputs.exclusions(
        file_of("exclusions.csv", "reason,round,tournament_id,player_id\nx,,T1,\ny,3,T2,04\n")
    )
    assert said(notes) == []
    frames.EXCLUSIONS.check(found)
    assert found["round"].tolist() == [pd.NA, 3]
    assert found["player_id"].fillna("").tolist() == ["", "04"]
    assert found["line"].tolist() == [2, 3]
