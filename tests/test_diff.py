"""diff: two lists or two runs. Figures of the runs: tests/folders.py (worked out by hand)."""

import csv
import json
import shutil

import folders
import pytest

from ratingrun import diff

A = """\
player_id,name,rating,k,games
1,Ann,2000,20,0
2,Bob,1900,20,0
3,Cat,1800,20,0
4,Dan,,,0
5,Eva,1500,20,0
6,Fay,1450,20,0
"""
B = """\
player_id,name,rating,k,games
1,Ann,2000,20,0
2,Bob,1912,20,5
3,Cat,1700,20,9
4,Dan,1600,40,6
5,Eva,,,3
7,Gil,1900,40,7
"""


@pytest.fixture
def lists(tmp_path):
    for name, text in (("a.csv", A), ("b.csv", B)):
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_two_lists_who_how_much_new_and_gone(lists):
    sources = [diff.read(lists / name)[0] for name in ("a.csv", "b.csv")]
    rows = diff.build(*sources).set_index("player_id")
    assert list(rows.index) == ["2", "3", "4", "5", "6", "7"]
    assert rows["presence"].to_dict() == dict.fromkeys("2345", "both") | {"6": "gone", "7": "new"}
    assert rows.loc["2", "change"] == 12 and rows.loc["3", "change"] == -100
    assert rows.loc[["4", "5"], "change"].isna().all()
    assert set(rows["causes"]) == {""}
    counts = diff.counts(rows.reset_index(), *sources)
    assert counts == {"both": 5, "new": 1, "gone": 1, "changed": 2, "same": 1, "first": 1, "lost": 1}
    assert [band for band in diff.by_size(rows) if band[1] or band[2]] == [("10-19", 1, 0), ("100+", 0, 1)]


def test_the_command_on_lists(lists):
    done = folders.command("diff", lists / "a.csv", lists / "b.csv", "--csv", lists / "out.csv")
    assert done.code == 0 and "Biggest differences" in done.out
    with (lists / "out.csv").open(encoding="utf-8", newline="") as text:
        rows = {row["player_id"]: row for row in csv.DictReader(text)}
    assert rows["3"]["change"] == "-100" and rows["7"]["presence"] == "new" and rows["4"]["rating_a"] == ""
    done = folders.command("diff", lists / "a.csv", lists / "b.csv", "--json", "--lang", "es")
    assert json.loads(done.out)["counts"]["changed"] == 2
    assert folders.command("diff", lists / "a.csv", lists / "nothing.csv").code == 1


def test_a_list_with_itself_differs_in_nothing(lists):
    source = diff.read(lists / "a.csv")[0]
    assert diff.build(source, source).empty


def test_two_runs_through_which_games(month):
    """The second run has Bob's win over Dan as a draw: both differ through that game, Ann and Cat in nothing."""
    assert month.run().code == 0
    first, second = month.path / "first", month.path / "lists/2025-11-standard"
    shutil.move(second, first)
    (month.path / "lists/journal.csv").unlink()
    month.report("open.csv", folders.OPEN.replace("1b0,4w1", "1b0,4w=").replace("3b0,2b0", "3b0,2b="))
    assert month.run().code == 0
    sources = [diff.read(path)[0] for path in (first, second)]
    rows = diff.build(*sources).set_index("player_id")
    assert list(rows.index) == ["0102", "0104"]
    assert rows["change"].to_dict() == {"0102": -10, "0104": 10}  # half a point x 20
    assert set(rows["causes"]) == {"games"} and set(rows["where"]) == {"T1 (2)"}
    done = folders.command("diff", first, second, "--lang", "pt")
    assert "outras partidas" in done.out


def test_two_runs_through_another_rating(month):
    """A correction of Ann before the second run: Ann through base and own rating, who met her through hers."""
    assert month.run().code == 0
    first, second = month.path / "first", month.path / "lists/2025-11-standard"
    shutil.move(second, first)
    (month.path / "lists/journal.csv").unlink()
    head = "player_id,rating_type,list_date,field,value,reason,source\n"
    month.write("corrections.csv", head + "0101,standard,2025-10-01,rating,2100,claim,officer\n")
    assert month.run().code == 0
    rows = diff.build(*(diff.read(path)[0] for path in (first, second))).set_index("player_id")
    assert rows.loc["0101", "causes"].split() == ["own", "ledger"]
    for player in ("0102", "0103"):
        assert rows.loc[player, "causes"].split() == ["opponent"]
    assert "0104" not in rows.index
