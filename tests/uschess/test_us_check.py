"""ratingrun check --system uschess: what a run would say of section reports, before the deadline, by themselves.

Counts are counted by hand from the written files. The sample's set harbor-open: Open 1-4 1-2 1-3 1-5 2-5 2-3 3-6 3-5
4-6 5-6 (2-4 is a forfeit), Reserve 1-3 1-4 1-5 2-4 2-3 2-6 2-5 3-4 3-6 5-6: ten games each, twelve players, four
rounds.
"""

import json
import shutil
import tempfile
from pathlib import Path

import folders
import pytest
import us_folders
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingrun import findings
from ratingrun.formats import us_upload_writer
from ratingrun.formats.us_upload_writer import cell
from ratingrun.uschess import check

SET = us_folders.SAMPLE / "reports/2025-11/harbor-open"
LIST = us_folders.SAMPLE / "list.csv"
NAMES = ("THEXPORT.DBF", "TSEXPORT.DBF", "TDEXPORT.DBF")
EVENT = {"H_EVENT_ID": "E1", "H_NAME": "CLUB", "H_BEG_DATE": "20251001", "H_END_DATE": "20251004"}
SECTION = {"S_EVENT_ID": "E1", "S_SEC_NUM": " 1", "S_SEC_NAME": "OPEN", "S_R_SYSTEM": "R", "S_TIMECTL": "G/90;d5"}
MEMBERS = ["90000011", "90000012", "90000013", "90000014"]
ROUNDS = [  # three rounds of four players: 1-2 3-4, 1-3 2-4, 1-4 2-3
    [cell("W", 2, "W"), cell("D", 3, "B"), cell("L", 4, "W")],
    [cell("L", 1, "B"), cell("W", 4, "W"), cell("D", 3, "B")],
    [cell("D", 4, "W"), cell("D", 1, "W"), cell("D", 2, "W")],
    [cell("D", 3, "B"), cell("L", 2, "B"), cell("W", 1, "B")],
]


def upload(rounds=ROUNDS, event=None, section=None, members=MEMBERS):
    """The files of a set of one section: by name, bytes."""
    event, section = EVENT | (event or {}), SECTION | (section or {})
    section["S_EVENT_ID"] = event["H_EVENT_ID"]
    players = [
        {"D_EVENT_ID": event["H_EVENT_ID"], "D_SEC_NUM": section["S_SEC_NUM"], "D_PAIR_NUM": f"{number:>4}"}
        | {"D_MEM_ID": member, "D_NAME": f"NAME {number}"}
        | {f"D_RND{place:02d}": written for place, written in enumerate(row, 1)}
        for number, (member, row) in enumerate(zip(members, rounds, strict=True), 1)
    ]
    return us_upload_writer.write(event, [section], players)


def changed(number, place, written):
    """The rounds with another cell."""
    rows = [list(row) for row in ROUNDS]
    rows[number - 1][place - 1] = written
    return rows


def checked(*arguments):
    return folders.command("check", *arguments, *us_folders.SYSTEM)


def heads(done):
    return [line for line in done.out.splitlines() if not line.startswith(" ")]


def errors(lines):
    return sorted(line for line in lines if " error " in line)


# --- counts, forms, the list -----------------------------------------------------------------------------------------


def test_the_sample_file_by_file(monkeypatch):
    """CSV, TRF and an upload set; the quads are round robins of four (6 games), the duel has eight games."""
    monkeypatch.chdir(us_folders.SAMPLE)
    done = checked("reports")
    assert (done.code, done.err) == (0, "")
    assert heads(done) == [
        "reports/2025-11/duel.csv: 1 section, 2 players, 8 rounds, 8 games; 0 errors, 0 warnings, 1 notes",
        "reports/2025-11/harbor-open: 2 sections, 12 players, 4 rounds, 20 games; 0 errors, 0 warnings, 0 notes",
        "reports/2025-11/hill-quads.csv: 1 section, 4 players, 3 rounds, 6 games; 0 errors, 0 warnings, 0 notes",
        "reports/2025-11/lantern-blitz.csv: 1 section, 4 players, 4 rounds, 6 games; 0 errors, 0 warnings, 0 notes",
        "reports/2025-12/leaf-fall.trf: 1 section, 5 players, 4 rounds, 8 games; 0 errors, 0 warnings, 0 notes",
        "reports/2025-12/scholastic.csv: 1 section, 4 players, 3 rounds, 6 games; 0 errors, 0 warnings, 0 notes",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_one_file_of_a_set_stands_for_the_three(name):
    done = checked(SET / name, "--json")
    (one,) = json.loads(done.out)["files"]
    assert sorted(one.pop("holds")) == sorted((SET / name).as_posix() for name in NAMES)
    counts = {"sections": 2, "players": 12, "rounds": 4, "games": 20}
    assert one == {"file": SET.as_posix(), "kind": "upload set", **counts}


def test_a_list_and_files_the_run_does_not_see(tmp_path):
    """13 members on the sample's list; a hidden file (as macOS leaves them) is no report."""
    shutil.copy(LIST, tmp_path)
    (tmp_path / "._TDEXPORT.DBF").write_bytes(b"x")
    assert heads(checked(tmp_path)) == [
        f"{tmp_path}/list.csv: 13 players, a rating list; 0 errors, 0 warnings, 0 notes"
    ]


def test_nothing_to_check(tmp_path):
    for system in ("fide", "uschess"):
        done = folders.command("check", tmp_path, "--system", system)
        assert (done.code, done.out) == (2, "")
        assert done.err == "Nothing to check: no report or list among these files.\n"


def test_without_the_system_a_set_is_pointed_to_in_one_line(tmp_path):
    done = folders.command("check", SET / "TDEXPORT.DBF")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[0] == (
        f"{SET / 'TDEXPORT.DBF'}: not checked; a US Chess upload set is read with --system uschess"
    )
    shutil.copytree(SET, tmp_path / "set")
    (tmp_path / "open.csv").write_text(folders.OPEN, "utf-8")
    done = folders.command("check", tmp_path)
    assert (done.code, len(done.out.splitlines()), len(done.err.splitlines())) == (0, 1, 1)


# --- who plays -------------------------------------------------------------------------------------------------------

WHO = """\
start_no,player_id,name,reported_rating,round_1
1,90000011,"Ashgrove, Ilsa",2290,2w1
2,90000013,"CORVANE, PETRA",2087,1b0
3,90000014,Nobody,,4w1
4,99999999,Petra Corvane,1500,3b0
"""


@pytest.fixture(scope="module")
def adopted(tmp_path_factory):
    return us_folders.Folder.sample(tmp_path_factory.mktemp("adopted") / "us").path / "lists/2025-10-uschess"


@pytest.mark.parametrize("form", ["list", "run folder"])
def test_who_plays_beside_the_list(form, adopted, tmp_path):
    """Ashgrove has 2341.18 and 2290.4 (quick): 2290 is hers. Corvane has 2087.5, published 2088, and 2032.6
    in quick. A name is a hint."""
    (tmp_path / "who.csv").write_text(WHO, "utf-8")
    done = checked(tmp_path / "who.csv", "--prior", LIST if form == "list" else adopted)
    assert done.code == 0
    said = [line.strip().partition(f"{tmp_path}/who.csv")[2] for line in done.out.splitlines()[1:]]
    assert said == [
        ":5: player 99999999 (Petra Corvane) is not on the list; a player of that name is 90000013; "
        "check the id: a name proves nothing",
        ":4: player 90000014 is Nobody here and Dunmarrow, Sten on the list; check the id",
        ":3: player 90000013: rating 2087 here and 2088 regular, 2033 quick on the list; "
        "nothing to do: the list counts",
    ]


def test_a_list_without_names_gives_no_hint(tmp_path):
    (tmp_path / "who.csv").write_text(WHO, "utf-8")
    rows = "player_id,pool,rating\n90000011,regular,2341.18\n90000011,online_quick,2300\n"
    (tmp_path / "list.csv").write_text(rows, "utf-8")
    done = checked(tmp_path / "who.csv", "--prior", tmp_path / "list.csv", "--json")
    found = {(row["code"], row["player_id"]): row["text"] for row in json.loads(done.out)["findings"]}
    assert set(found) == {("F240", one) for one in ("90000013", "90000014", "99999999")} | {("F243", "90000011")}
    assert all("nobody of that name" in text for (code, _), text in found.items() if code == "F240")
    assert "2341 regular, 2300 online quick on the list" in found["F243", "90000011"]


def test_a_prior_of_the_other_system_is_one_line(adopted, tmp_path):
    done = folders.command("check", us_folders.SAMPLE / "reports/2025-11/duel.csv", "--prior", adopted)
    assert (done.code, len(done.err.splitlines())) == (1, 1) and "F117" in done.err
    fide = folders.Folder(tmp_path)
    fide.write("list.csv", folders.LIST)
    assert folders.command("adopt", "list.csv", "--period", "2025-10", "-C", tmp_path).code == 0
    done = checked(SET, "--prior", tmp_path / "lists/2025-10-standard")
    assert (done.code, len(done.err.splitlines())) == (1, 1) and "F117" in done.err
    done = checked(SET, "--prior", tmp_path / "none.csv")
    assert (done.code, len(done.err.splitlines())) == (1, 1) and "F110" in done.err


# --- what is wrong: the run says the same ----------------------------------------------------------------------------

BROKEN = {
    "a file of the set is missing": {"a": upload() | {"THEXPORT.DBF": None}},
    "a file is cut off": {"a": upload() | {"TDEXPORT.DBF": upload()["TDEXPORT.DBF"][:-70]}},
    "an opponent who is not there": {"a": upload(changed(1, 1, cell("W", 7, "W")))},
    "another opponent than the other row says": {"a": upload(changed(1, 1, cell("W", 3, "W")))},
    "results that do not fit": {"a": upload(changed(1, 1, cell("L", 2, "W")))},
    "a cell that is no result": {"a": upload(changed(1, 1, "?   2W"))},
    "no member id": {"a": upload(members=["", *MEMBERS[1:]])},
    "a member twice": {"a": upload(members=[*MEMBERS[:3], MEMBERS[0]])},
    "a clock that no pool rates": {"a": upload(section={"S_TIMECTL": "G/2;d0"})},
    "no clock and no class": {"a": upload(section={"S_TIMECTL": "", "S_R_SYSTEM": ""})},
    "before the first book": {"a": upload(event={"H_BEG_DATE": "20160101"})},
    "the same section in two folders": {"a": upload(), "b": upload()},
    "the same games under another event": {"a": upload(), "b": upload(event={"H_EVENT_ID": "E2"})},
}
CODES = {
    "a file of the set is missing": {"F161"},
    "a file is cut off": {"F160"},
    "an opponent who is not there": {"G102", "G103"},
    "another opponent than the other row says": {"G103"},
    "results that do not fit": {"G104"},
    "a cell that is no result": {"F166"},
    "no member id": {"R104"},
    "a member twice": {"R103"},
    "a clock that no pool rates": {"U104"},
    "no clock and no class": {"U103"},
    "before the first book": {"R110"},
    "the same section in two folders": {"U105"},
    "the same games under another event": {"U107"},
}

GOOD = upload(event={"H_EVENT_ID": "Z", "H_BEG_DATE": "20250920", "H_END_DATE": "20250921"})


def written(us, sets):
    for folder, files in sets.items():
        for name, raw in files.items():
            if raw is not None:
                us.report(f"{folder}/{name}", raw)


@pytest.mark.parametrize("case", BROKEN)
def test_check_says_what_the_run_says(case, tmp_path, monkeypatch):
    """The same errors, word for word: file, record, remedy; a finding, never a traceback."""
    us = us_folders.Folder.sample(tmp_path)
    shutil.rmtree(tmp_path / "reports")
    (tmp_path / "sections.csv").unlink()
    written(us, BROKEN[case] | {"z": GOOD})
    run = us.run()
    monkeypatch.chdir(tmp_path / "reports/2025-11")
    done = checked(".")
    assert (run.code, done.code, done.err) == (1, 1, "")
    lines = errors(line.strip() for line in done.out.splitlines())
    assert lines == errors(run.err.splitlines())
    assert {line.split()[0] for line in lines} == CODES[case]


def test_everything_is_said_at_once(tmp_path):
    """A clock that no pool rates, a missing id and a wrong result, in one section. The run shows them in turn."""
    us = us_folders.Folder(tmp_path)
    rounds = changed(1, 1, cell("L", 2, "W"))
    written(us, {"a": upload(rounds, section={"S_TIMECTL": "G/2;d0"}, members=["", *MEMBERS[1:]])})
    done = checked(tmp_path / "reports")
    assert {line.split()[0] for line in done.out.splitlines()[1:]} == {"G104", "R104", "U104"}
    assert "1 section, 4 players, 3 rounds, 5 games; 3 errors" in done.out


def test_the_run_refuses_a_table_of_many_events(tmp_path, monkeypatch):
    """A column tournament_id: before, such a section came out without a player and without a word."""
    us = us_folders.Folder.sample(tmp_path)
    shutil.rmtree(tmp_path / "reports")
    rows = f"A,1,{MEMBERS[0]},2w1\nA,2,{MEMBERS[1]},1b0\nB,1,{MEMBERS[2]},2w1\nB,2,{MEMBERS[3]},1b0\n"
    us.report("many.csv", "tournament_id,start_no,player_id,round_1\n" + rows)
    us.section("A", file="many.csv", start="2025-10-04", end="2025-10-04")
    run = us.run()
    monkeypatch.chdir(tmp_path / "reports/2025-11")
    assert run.code == 1 and [line.split()[0] for line in errors(run.err.splitlines())] == ["U108"]
    assert errors(run.err.splitlines()) == errors(line.strip() for line in checked(".").out.splitlines())


def test_the_run_names_a_report_of_a_section_that_a_set_holds(tmp_path):
    us = us_folders.Folder.sample(tmp_path)
    shutil.rmtree(tmp_path / "reports")
    written(us, {"a": upload()})
    us.report("e1.csv", us_folders.crosstable([(MEMBERS[0], "2w1"), (MEMBERS[1], "1b0")]))
    us.section("E1", file="e1.csv", start="2025-10-04", end="2025-10-04")
    run = us.run()
    assert run.code == 1
    assert errors(run.err.splitlines()) == [
        "U105 error e1.csv: the same section of event E1 stands in a/TDEXPORT.DBF too; keep one of the two"
    ]


# --- any bytes -------------------------------------------------------------------------------------------------------

WHOLE = {name: (SET / name).read_bytes() for name in NAMES}
QUADS = "quads.csv"
BYTE = st.one_of(st.integers(0, 255), st.sampled_from(b"0123456789 WLDXFZHBU*wb=,\n"))


@st.composite
def broken_files(draw):
    """The sample's set, or its quads, with up to four bytes of a file replaced, or the file cut, or taken away."""
    files = WHOLE | {QUADS: (SET.parent / "hill-quads.csv").read_bytes()}
    name = draw(st.sampled_from(sorted(files)))
    how = draw(st.sampled_from(["bytes", "bytes", "bytes", "cut", "gone"]))
    if how == "bytes":
        raw = bytearray(files[name])
        for at in draw(st.lists(st.integers(0, len(raw) - 1), min_size=1, max_size=4)):
            raw[at] = draw(BYTE)
        files[name] = bytes(raw)
    elif how == "cut":
        files[name] = files[name][: draw(st.integers(0, len(files[name]) - 2))]  # the last byte is the end mark
    else:
        del files[name]
    return name, how, files


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(broken_files())
def test_broken_files_give_findings_and_never_a_traceback(drawn):
    """A cut or missing file of a set is an error; and without an error no section and no player of the set is lost
    (marked as deleted is said by F325). By hand: --hypothesis-profile=campaign."""
    name, how, files = drawn
    with tempfile.TemporaryDirectory() as place:
        for file, raw in files.items():
            (Path(place) / file).write_bytes(raw)
        listed, _ = check.listed(LIST)
        done = check.run(check.files_in([Path(place)]), listed)
    assert set(done.findings["file"]) <= {file for one in done.files for file in one.get("holds", [one["file"]])}
    assert not done.findings["text"].eq("").any() and all(map(findings.line_of, done.findings.itertuples()))
    assert sum(one["kind"] == "upload set" for one in done.files) == 1
    if name != QUADS:
        wrong = done.findings[done.findings["severity"] == "error"]
        (one,) = (one for one in done.files if one["kind"] == "upload set")
        assert len(wrong) or how == "bytes"
        if wrong.empty and "F325" not in set(done.findings["code"]):
            assert (one["sections"], one["players"]) == (2, 12)
