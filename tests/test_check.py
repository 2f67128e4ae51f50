"""ratingrun check: what a run would say of files, before the deadline; and ratingrun convert."""

import json

import folders
import pandas as pd
import pytest

from ratingrun import check

TRF = """\
012 Spring Open
042 02/03/2024
052 04/03/2024
001    1      Arden, Ann                        2000 ZZZ        0101 1990        1.5    1     2 w 1     3 b =
001    2      Brook, Bob                        1905 ZZZ        0102 1990        0.0    2     1 b 0     4 w 0
001    3      Crane, Cat                        1800 ZZZ        0199 1990        1.5    3     4 w 1     1 w =
001    4      Dover, Dan                        1700 ZZZ        0104 1971        0.0    4     3 b 0     2 b 0
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = folders.Folder(tmp_path)
    found.write("in/open.csv", folders.OPEN)
    found.write("in/spring.trf", TRF)
    found.write("in/notes.md", "not a report")
    found.write("list.csv", folders.LIST)
    return found


def test_a_folder_file_by_file(folder):
    """Three of the four games of spring.trf are told alike by both rows; in the fourth both have lost."""
    done = folders.command("check", "in", "list.csv")
    assert done.code == 1
    lines = done.out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "list.csv: 5 players, a rating list; 0 errors, 0 warnings, 0 notes",
        "in/open.csv: 4 players, 2 rounds, 4 games; 0 errors, 0 warnings, 0 notes",
        "in/spring.trf: 4 players, 2 rounds, 3 games; 1 errors, 2 warnings, 0 notes",
    ]
    assert [line.split()[0] for line in lines if line.startswith("  ")] == ["G104", "F223", "F223"]
    assert "round 2, player 2: reported 0, opponent 4 reports 0 too" in done.out


def test_dates_by_an_option(folder):
    done = folders.command("check", "in/spring.trf", "--dates", "dmy")
    assert "F223" not in done.out


def test_against_a_list(folder):
    """Ids, names, years and ratings; a name is a hint and never an answer."""
    done = folders.command("check", "in/spring.trf", "--prior", "list.csv", "--json")
    found = {(row["code"], row["player_id"]) for row in json.loads(done.out)["findings"] if row["code"][:3] == "F24"}
    assert found == {("F240", "0199"), ("F242", "0104"), ("F243", "0102")}
    text = next(row["text"] for row in json.loads(done.out)["findings"] if row["code"] == "F240")
    assert "0199 (Crane, Cat) is not on the list" in text and "0103" in text


def test_a_name_is_the_same_in_any_order_of_its_parts_and_without_marks():
    """The hint of F240; a name without a Latin letter is nobody's."""
    prior = pd.DataFrame({"player_id": ["1", "2", "3", "4"], "name": ["Núñez, Ann", "Ann Nunez", "Ann", "Вольнянин"]})
    names = {"90": "ANN NUÑEZ", "91": "Nunez", "92": "Вольнянин", "93": None, "2": "Nunez-Ann", "3": "Bob"}
    rows = pd.DataFrame({"player_id": [*names], "name": pd.Series([*names.values()], dtype="str"), "file": "a.trf"})
    found = check.people(rows, prior)
    said = {row.player_id: row.text for row in found.itertuples() if row.code == "F240"}
    assert [player_id for player_id, text in said.items() if "a player of that name is 1, 2;" in text] == ["90"]
    assert [player_id for player_id, text in said.items() if "nobody of that name" in text] == ["91", "92", "93"]
    assert found.loc[found["code"] == "F241", "player_id"].tolist() == ["3"]


def test_a_report_with_a_misspelled_column_is_no_list(folder):
    folder.write("slip.csv", folders.OPEN.replace("start_no", "star_no"))
    done = folders.command("check", "slip.csv")
    assert done.code == 1
    assert [line.split()[0] for line in done.out.splitlines()[1:]] == ["F151", "F152"]


def test_hidden_files_are_none(folder):
    folder.write("in/._open.csv", b"\x00\x05\x16\x07")
    assert "._open" not in folders.command("check", "in").out


def test_as_json(folder):
    done = folders.command("check", "in/open.csv", "--json")
    assert (done.code, json.loads(done.out)) == (
        0,
        {
            "files": [{"file": "in/open.csv", "kind": "report", "players": 4, "rounds": 2, "games": 4}],
            "findings": [],
        },
    )


# --- convert ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["trf", "parquet"])
def test_a_report_there_and_back(folder, form):
    assert folders.command("convert", "in/open.csv", f"there.{form}").code == 0
    assert folders.command("convert", f"there.{form}", "back.csv").code == 0
    rows = [line.split(",") for line in (folder.path / "back.csv").read_text().splitlines()]
    head = {name: place for place, name in enumerate(rows[0])}
    assert [[row[head[name]] for name in ("start_no", "player_id", "round_1", "round_2")] for row in rows[1:]] == [
        ["1", "0101", "2w1", "3b="], ["2", "0102", "1b0", "4w1"],
        ["3", "0103", "4w1", "1w="], ["4", "0104", "3b0", "2b0"],
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "form"), [("list.txt", "fide"), ("all.txt", "fide-combined"), ("list.xml", None)])
def test_a_list_there_and_back(folder, name, form):
    there = folders.command("convert", "list.csv", name, *(["--form", form] if form else []))
    assert (there.code, there.out) == (0, f"{name}: list of 5 players as {form or 'fide-xml'}\n")
    assert folders.command("convert", name, "back.csv").code == 0
    rows = [line.split(",") for line in (folder.path / "back.csv").read_text().splitlines()]
    assert [row[0] for row in rows[1:]] == ["0101", "0102", "0103", "0104", "0105"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("in/open.csv", "list.csv"), 1, "exists; nothing is overwritten"),
        (("in/open.csv", "new.xml"), 2, "a report cannot be written so"),
        (("list.csv", "new.csv", "--with", "rapid", "list.csv"), 2, "go only into a list as fide-combined or fide-xml"),
        (("bad.csv", "new.trf"), 1, "Nothing written: correct the errors."),
    ],
)
def test_what_is_not_written(folder, arguments, code, said):
    folder.write("bad.csv", "start_no,round_1\n1,x\n")
    done = folders.command("convert", *arguments)
    assert (done.code, said in done.err) == (code, True), done.err
    assert not any((folder.path / name).exists() for name in ("new.xml", "new.csv", "new.trf"))
