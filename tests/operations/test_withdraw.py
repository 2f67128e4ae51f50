"""Taking a published list back: nothing is deleted, the journal says so, the re-run is a revision (DESIGN 8)."""

import json

import folders
import pytest

from ratingrun import journal, run_folder


@pytest.fixture
def months(month) -> folders.Folder:
    """October adopted; November with a report; December without games."""
    folder = month
    assert folder.run("2025-11").code == 0
    assert folder.run("2025-12", "--no-games").code == 0
    return folder


def withdraw(folder: folders.Folder, period: str, reason: str) -> folders.Done:
    return folders.command("withdraw", period, "--reason", reason, "-C", folder.path)


def status(folder: folders.Folder) -> str:
    return folders.command("status", "-C", folder.path).out


def test_withdrawn_list_stays_as_it_is_and_the_re_run_is_a_revision(months):
    old = months.path / "lists" / "2025-11-standard"
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}
    done = withdraw(months, "2025-11", "Open: round 2,\nentered twice")
    assert done.code == 0
    assert "Rests on it: 2025-12-standard" in done.out
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == before
    # Ann's draw was a win: round 2 is corrected, the month is run again.
    months.report("open.csv", folders.OPEN.replace("2w1,3b=", "2w1,3b1").replace("4w1,1w=", "4w1,1w0"))
    assert months.run("2025-11").code == 0
    manifest = json.loads((months.path / "lists" / "2025-11-standard-r2" / "manifest.json").read_text("utf-8"))
    assert manifest["supersedes"] == "2025-11-standard"
    # Ann: .36 + (1 - PD(200) .76) = .60 x 20 = +12
    assert months.ratings("2025-11-standard-r2")["0101"] == 2012
    assert months.ratings("2025-11-standard")["0101"] == 2002
    events = [(entry.folder, entry.event, entry.reason) for entry in journal.read(months.path / "lists")][2:]
    assert events == [
        ("2025-12-standard", "published", ""),
        ("2025-11-standard", "withdrawn", "Open: round 2, entered twice"),
        ("2025-11-standard", "superseded", "by 2025-11-standard-r2"),
        ("2025-11-standard-r2", "published", ""),
    ]


def test_later_months_are_withdrawn_and_run_again_on_the_revision(months):
    withdraw(months, "2025-11", "wrong")
    assert "2025-12-standard rests on 2025-11-standard, which was withdrawn" in status(months)
    january = months.run("2026-01", "--no-games", "--provisional")
    assert january.found == [
        "F203 warning 2025-12-standard: rests on 2025-11-standard, which was withdrawn (wrong); "
        "withdraw it too and run it again"
    ]
    assert months.run("2025-11").code == 0
    assert "Rests on it" not in withdraw(months, "2025-12", "rests on a withdrawn list").out
    assert months.run("2025-12", "--no-games").code == 0
    lists = months.path / "lists"
    assert run_folder.ancestors(lists, "2025-12-standard-r2") == ["2025-11-standard-r2", "2025-10-standard"]
    assert "rests on" not in status(months).split("Notes")[-1]
    assert months.run("2026-01", "--no-games").found == []


def test_a_second_withdrawal_and_a_third_revision(months):
    for _ in range(2):
        assert withdraw(months, "2025-11", "once more").code == 0
        assert months.run("2025-11").code == 0
    assert run_folder.newest(months.path / "lists", "2025-11", "standard").name == "2025-11-standard-r3"
    assert months.run("2025-11").code == 3


def test_nothing_to_withdraw_is_one_line(months):
    done = withdraw(months, "2026-03", "none")
    assert done.code == 1 and done.out == ""
    assert done.err.startswith("Error: no published standard list of 2026-03 in ")


def test_a_journal_cut_off_by_a_crash_is_mended(months):
    path = months.path / "lists" / "journal.csv"
    path.write_text(path.read_text("utf-8") + "2026-01-01T00:00:00+00:00,2025-12-sta", "utf-8")
    assert withdraw(months, "2025-12", "mended").code == 0
    assert journal.withdrawn(months.path / "lists") == {"2025-12-standard": "mended"}


def test_a_re_run_month_replays_through_the_following_ones_and_every_folder_verifies(months):
    """Status and verify tell the story: what was withdrawn, what stands in for it, and that all of it is right."""
    withdraw(months, "2025-11", "round 2 entered twice")
    withdraw(months, "2025-12", "rests on it")
    months.report("open.csv", folders.OPEN.replace("2w1,3b=", "2w1,3b1").replace("4w1,1w=", "4w1,1w0"))
    assert months.run("2025-11").code == 0
    assert months.run("2025-12", "--no-games").code == 0
    assert months.ratings("2025-12-standard-r2")["0101"] == 2012
    told = {
        "2025-11-standard": "withdrawn: round 2 entered twice",
        "2025-12-standard": "withdrawn: rests on it",
        "2025-11-standard-r2": "stands in for 2025-11-standard, which was withdrawn",
        "2025-12-standard-r2": "stands in for 2025-12-standard, which was withdrawn",
    }
    for name, note in told.items():
        done = folders.command("verify", months.path / "lists" / name)
        assert done.code == 0, done.out + done.err
        assert f"{name}: verified" in done.out and note in done.err
    shown = status(months)
    assert "2025-11-standard        withdrawn: round 2 entered twice" in shown
    assert "2025-12-standard-r2     stands" in shown


@pytest.mark.parametrize("file", ["open.csv", "other-name.csv"])
def test_a_report_re_saved_with_other_line_ends_is_recognised_as_rated(months, file):
    """Same games in other bytes (line ends, byte order mark), also under another file name: skipped, and said."""
    months.report(file, b"\xef\xbb\xbf" + folders.OPEN.replace("\n", "\r\n").encode(), "2026-01")
    register = (months.path / "register.csv").read_text("utf-8")
    months.write("register.csv", register.replace("open.csv", file))
    done = months.run("2026-01")
    assert done.code == 0
    assert [line.split(":")[0] for line in months.findings("2026-01-standard")] == [f"G306 note {file}"] * 2
    assert months.ratings("2026-01-standard") == folders.AFTER_OPEN


def test_a_journal_that_cannot_be_written_is_said_and_completed_by_the_next_run(months, monkeypatch):
    assert withdraw(months, "2025-12", "to be made again").code == 0

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ratingrun.publish._record", fail)
        done = months.run("2025-12", "--no-games")
    assert done.code == 74 and "is written, but not the journal (No space left on device)" in done.err
    again = months.run("2026-01", "--no-games")
    assert again.code == 0 and "completed the journal: 2025-12-standard-r2" in again.err
