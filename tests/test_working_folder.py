"""The working folder: conventional places, options that override them, reports in subfolders, what waited."""

import shutil

from folders import AFTER_OPEN, OPEN


def test_conventional_places_are_enough(month):
    assert month.run().code == 0
    assert month.ratings() == AFTER_OPEN


def test_every_place_has_an_option(month):
    path = month.path
    (path / "elsewhere").mkdir()
    shutil.move(path / "reports/2025-11", path / "elsewhere/in")
    shutil.move(path / "register.csv", path / "elsewhere/parts.csv")
    shutil.move(path / "lists", path / "elsewhere/old")
    month.write("elsewhere/facts.csv", "player_id,date,title\n0101,2025-10-20,FM\n")
    month.write(
        "elsewhere/patches.csv",
        "player_id,rating_type,list_date,field,value,reason,source\n0103,standard,2025-10-01,rating,1790,why,who\n",
    )
    month.write("elsewhere/decisions.csv", "tournament_id,round,player_id,reason\nT1,2,0101,fair play\n")
    done = month.run(
        "2025-11",
        *("--reports", "elsewhere/in", "--register", "elsewhere/parts.csv"),
        *("--prior", "elsewhere/old/2025-10-standard", "--lists", "elsewhere/old", "--out", "new"),
        *("--players", "elsewhere/facts.csv", "--corrections", "elsewhere/patches.csv"),
        *("--exclusions", "elsewhere/decisions.csv"),
    )
    assert done.code == 0, done.err
    (path / "lists").symlink_to(path / "new")
    assert month.ratings()["0101"] == 2007
    # Cat from 1790 v 1700, D 90: PD .62; .38 x 20 = 7.6
    assert month.ratings()["0103"] == 1798
    assert month.frame("rating_list").set_index("player_id").loc["0101", "title"] == "FM"


def test_an_optional_file_that_is_named_must_be_there(month):
    done = month.run("2025-11", "--players", "nowhere.csv")
    assert done.code == 1
    assert done.found[0].startswith("F110 error nowhere.csv: there is no file or folder of this name")


def test_reports_in_subfolders_and_files_that_are_none(month):
    (month.path / "reports/2025-11/open.csv").rename(month.path / "reports/2025-11/moved.csv")
    month.report("north/open.csv", OPEN)
    (month.path / "reports/2025-11/moved.csv").unlink()
    month.write("register.csv", (month.path / "register.csv").read_text().replace(",open.csv", ",north/open.csv"))
    month.report("letter.pdf", b"%PDF")
    month.report(".hidden.csv", "not a report")
    done = month.run()
    assert (done.code, done.found) == (0, [])
    assert month.findings() == [
        "R304 note letter.pdf: not a report by its name, ignored; known are .csv, .parquet, .trf, .txt"
    ]
    assert month.ratings() == AFTER_OPEN


def test_several_months_without_hand_work(month):
    """Three lists in a row, the middle one without games; pool, counters and K are brought forward."""
    assert month.run().code == 0
    assert month.run("2025-12", "--no-games").code == 0
    month.register(id="T3", file="winter.csv", start="2025-12-06", end="2025-12-07")
    month.report("winter.csv", OPEN, "2026-01")
    assert month.run("2026-01").code == 0
    rows = month.frame("rating_list", "2026-01-standard").set_index("player_id")
    # Ann 2002 v 1898, D 104: PD .64; v 1812, D 190: PD .75; +.36 -.25 = .11 x 20 = 2.2
    assert rows.loc["0101", ["rating", "games", "games_total"]].tolist() == [2004, 2, 104]


def test_a_report_that_waited_and_was_changed_in_the_run_folder_is_exit_4(month):
    month.register(id="W", file="late.csv", start="2025-10-25", end="2025-10-30")
    month.report("late.csv", OPEN.replace("name", "name"))
    assert month.run().code == 0
    for path in (month.path / "lists/2025-11-standard/inputs/reports").iterdir():
        path.write_bytes(path.read_bytes() + b"\n")
    done = month.run("2025-12")
    assert (done.code, month.lists()) == (4, ["2025-11-standard"])


def test_a_corrected_copy_of_a_report_that_waits_may_come_in_again(month):
    """The December folder holds the file again: it is read from there."""
    month.register(id="W", file="late.csv", start="2025-10-25", end="2025-10-30")
    month.report("late.csv", OPEN)
    assert month.run().code == 0
    month.report("late.csv", OPEN.replace("3b=", "3b+").replace("1w=", "1w-"), "2025-12")
    done = month.run("2025-12")
    assert done.code == 0, done.err
    games = month.frame("games", "2025-12-standard")
    assert games["reason"].dropna().tolist() == ["forfeit"]
