"""Late, corrected and excluded sections: the chain is rated again from the checkpoint before the earliest change.

The judge: the same sections, had they come in time and right, give the same state to the bit.
"""

import shutil

import folders
import pandas as pd
import pytest
import us_folders


def begun(path):
    return us_folders.Folder.sample(path)


def move(us, name, to="2025-11"):
    for folder in ("2025-11", "2025-12"):
        path = us.path / "reports" / folder / name
        if path.exists() and folder != to:
            path.rename(us.path / "reports" / to / name)


@pytest.fixture(scope="module")
def in_time(tmp_path_factory):
    """What the two months give if everything comes in time."""
    us = begun(tmp_path_factory.mktemp("in-time"))
    move(us, "scholastic.csv")
    for period in ("2025-11", "2025-12"):
        done = us.run(period)
        assert done.code == 0, done.err
    return us


@pytest.fixture(scope="module")
def late(tmp_path_factory):
    """The sample: the Saturday Scholastic of 5 October comes in for December."""
    return us_folders.Folder.published(tmp_path_factory.mktemp("late"))


def test_a_late_section_gives_what_it_would_have_given_in_time(in_time, late):
    assert late.ratings("2025-12-uschess") == in_time.ratings("2025-12-uschess")
    assert late.ratings("2025-11-uschess") != in_time.ratings("2025-11-uschess")


def test_it_is_said_with_its_checkpoint_and_every_difference(in_time, late):
    rows = late.frame("us_sections", "2025-12-uschess").set_index("tournament_id")["why"]
    assert (rows["202510050"], rows["202510190"]) == ("late", "new")
    assert set(rows.drop(["202510050", "202510190"])) == {"again"}
    assert any(line.startswith("U301 note") and "2025-10-uschess" in line for line in late.codes("2025-12-uschess"))
    differ = late.frame("us_rerated", "2025-12-uschess").set_index(["player_id", "pool"])
    was, now = late.ratings("2025-11-uschess"), in_time.ratings("2025-11-uschess")
    wanted = {slot for slot in was.keys() | now.keys() if was.get(slot) != now.get(slot)}
    moved = differ[differ["was"] != differ["now"]]
    assert set(moved.index) == wanted and len(wanted) >= 10
    for slot, row in moved.iterrows():
        assert (row["was"], row["now"]) == (was.get(slot), now.get(slot))


def test_the_ledger_leads_from_the_list_before_over_the_rerating_to_the_new_one(late):
    trail = late.frame("us_trail", "2025-12-uschess")
    mine = trail[(trail["player_id"] == "90000012") & (trail["pool"] == "regular")]
    assert mine["entry"].tolist() == ["section"]  # not touched by the late section
    mine = trail[(trail["player_id"] == "90000031") & (trail["pool"] == "quick")]
    assert mine["entry"].tolist() == ["rerate"]
    assert mine["after"].iloc[-1] == late.ratings("2025-12-uschess")["90000031", "quick"]


def test_the_published_list_stays(late):
    """Once published, never changed: November still verifies."""
    assert folders.command("verify", late.path / "lists/2025-11-uschess").code == 0
    done = folders.command("verify", late.path / "lists/2025-12-uschess")
    assert (done.code, done.err) == (0, "")


def test_the_month_after_goes_on_from_the_rerated_state(late):
    us = us_folders.Folder(late.path)
    us.report("hill-quads.csv", (us.path / "reports/2025-11/hill-quads.csv").read_text(), "2026-01")
    done = us.run("2026-01")
    assert done.code == 0, done.err
    rows = us.frame("us_sections", "2026-01-uschess")
    assert rows["status"].tolist() == ["already_rated"]
    assert us.ratings("2026-01-uschess") == us.ratings("2025-12-uschess")
    assert any(line.startswith("U304") for line in us.codes("2026-01-uschess"))


def test_a_corrected_section_takes_the_place_of_the_one_that_was_rated(in_time, tmp_path):
    """Hill Quads came in with a wrong result; the right one comes for December."""
    us = begun(tmp_path)
    move(us, "scholastic.csv")
    path = us.path / "reports/2025-11/hill-quads.csv"
    right = path.read_text()
    path.write_text(right.replace("4w1,3w1,2b1", "4w1,3w1,2b0").replace("3w=,4b=,1w0", "3w=,4b=,1w1"))
    assert us.run("2025-11").code == 0
    us.report("hill-quads.csv", right, "2025-12")
    done = us.run("2025-12")
    assert done.code == 0, done.err
    rows = us.frame("us_sections", "2025-12-uschess").set_index("tournament_id")
    assert rows.loc["202510040", "why"] == "corrected"
    assert us.ratings("2025-12-uschess") == in_time.ratings("2025-12-uschess")
    known = us.frame("us_known", "2025-12-uschess").set_index("tournament_id")["period"]
    assert (known["202510040"], known["202510080"]) == ("2025-12", "2025-11")
    # and once more from there: the checkpoint between is never used again
    shutil.copytree(us.path / "reports/2025-12", us.path / "reports/2026-01")
    for name in ("scholastic.csv", "leaf-fall.trf"):
        (us.path / "reports/2026-01" / name).unlink(missing_ok=True)
    assert us.run("2026-01").code == 0
    assert us.ratings("2026-01-uschess") == us.ratings("2025-12-uschess")


def test_an_exclusion_after_the_rating_is_a_change(in_time, tmp_path):
    """The same decision in time, and after the list."""
    line = "tournament_id,round,player_id,reason\n202510040,1,90000018,phone\n"
    early, us = begun(tmp_path / "early"), begun(tmp_path / "after")
    for one in (early, us):
        move(one, "scholastic.csv")
    early.write("exclusions.csv", line)
    for period in ("2025-11", "2025-12"):
        assert early.run(period).code == 0
    assert us.run("2025-11").code == 0
    us.write("exclusions.csv", line)
    assert us.run("2025-12").code == 0
    assert any(said.startswith("U305") for said in us.codes("2025-12-uschess"))
    assert us.ratings("2025-12-uschess") == early.ratings("2025-12-uschess")


def test_a_section_before_the_adopted_list_is_never_rated(tmp_path):
    us = begun(tmp_path)
    rows = pd.read_csv(us.path / "sections.csv", dtype="str").fillna("")
    rows.loc[rows["file"] == "hill-quads.csv", ["start", "end"]] = "2025-09-06"
    rows.to_csv(us.path / "sections.csv", index=False)
    assert us.run("2025-11").code == 0
    assert us.frame("us_sections").set_index("tournament_id").loc["202510040", "status"] == "too_late"
    assert any(line.startswith("U202 warning") for line in us.codes())
    cells = us.frame("cells")
    assert set(cells.loc[cells["tournament_id"] == "202510040", "reason"]) == {"report_too_late"}
