"""Ids that stand for another: aliases of reports, and players merged on the list (rules in stages.identity)."""

from pathlib import Path

import pandas as pd
import pytest

from ratingrun import frames, monthly
from ratingrun.formats import list_tables
from ratingrun.stages import identity

HEAD = "start_no,player_id,name,federation,birth_year,round_1,round_2\n"


@pytest.fixture
def folder(tmp_path):
    """A working folder with a list of four and one report in which two players stand under other ids."""
    (tmp_path / "reports" / "2025-11").mkdir(parents=True)
    (tmp_path / "reports" / "2025-11" / "open.csv").write_text(
        HEAD + "1,77,Ann,VLM,1990,2w1,3b1\n2,002,Ben,VLM,1991,1b0,\n3,009,Cyd,VLM,1992,,1w0\n"
    )
    (tmp_path / "register.csv").write_text(
        "tournament_id,file,rating_type,system,start,end,time_control\n"
        "T1,open.csv,standard,swiss,2025-10-04,2025-10-12,90+30\n"
    )
    (tmp_path / "list.csv").write_text(
        "player_id,name,federation,birth_year,rating,k,games,games_total,peak,last_played\n"
        "001,Ann,VLM,1990,1800,20,0,100,1850,2025-09-01\n002,Ben,VLM,1991,1700,20,0,50,1700,2025-08-01\n"
        "003,Cyd,VLM,,1600,20,0,40,1650,2025-08-01\n009,Cyd O,VLM,1992,1500,40,0,10,1660,2025-10-01\n"
    )
    monthly.adopt(tmp_path, Path("list.csv"), "2025-10", "standard")
    return tmp_path


def frame(done, name):
    return list_tables.read_parquet(frames.ALL[name], done.folder / f"{name}.parquet")[0]


def test_an_alias_and_a_merge(folder):
    (folder / "aliases.csv").write_text("alias,player_id,reason,source\n77,001,national number,the office\n")
    (folder / "players.csv").write_text("player_id,date,merged_into,source\n009,2025-10-15,003,two ids\n")
    done = monthly.run(folder, "2025-11")
    assert done.exit_code == 0, done.messages
    listed = frame(done, "rating_list").set_index("player_id")
    assert list(listed.index) == ["001", "002", "003"]
    assert listed.loc["003", ["peak", "games_total", "birth_year", "name"]].tolist() == [1660, 51, 1992, "Cyd"]
    trail = frame(done, "trail")
    merges = trail[trail["entry"] == "merge"].set_index("player_id")
    assert merges.loc["009", ["amount", "before"]].tolist() == [-1500, 1500] and pd.isna(merges.loc["009", "after"])
    assert merges.loc["003", ["amount", "before", "after"]].tolist() == [0, 1600, 1600]
    assert set(frame(done, "sides")["player_id"]) == {"001", "002", "003"}
    codes = done.findings["code"].value_counts()
    assert (codes["R307"], codes["L305"]) == (2, 1)


def test_a_survivor_without_a_rating_has_the_others():
    columns = {name: [None, None] for name in frames.RATING_LIST.names}
    rows = pd.DataFrame(columns | {"player_id": ["1", "2"], "name": ["A", "B"], "federation": "VLM", "games": 1,
                                   "games_total": [3, 40], "rating": [None, 1500], "k": [None, 20],
                                   "peak": [None, 1510], "active": [False, True]})  # fmt: skip
    one = identity.merge(frames.RATING_LIST.build(rows), pd.Series({"2": "1"}, dtype="str"))
    assert one[["player_id", "name", "rating", "k", "games_total", "peak", "active"]].to_numpy().tolist() == [
        ["1", "A", 1500, 20, 43, 1510, True]
    ]


def test_an_id_that_stays_unknown_is_named_once_with_its_places(folder):
    report = folder / "reports" / "2025-11" / "open.csv"
    report.write_text(report.read_text().replace(",VLM,1990,", ",,,"))
    done = monthly.run(folder, "2025-11")
    assert done.exit_code == 1
    said = done.findings.loc[done.findings["code"] == "R308", "text"].tolist()
    assert said == ["id 77 is on no list; it stands in open.csv:2; add it to players.csv, or to aliases.csv"]


@pytest.mark.parametrize("into", ["009", "555"])
def test_a_merge_that_leads_nowhere_stops_the_run(folder, into):
    (folder / "players.csv").write_text(f"player_id,date,merged_into,source\n009,2025-10-15,{into},x\n")
    done = monthly.run(folder, "2025-11")
    assert done.exit_code == 1
    assert done.findings["code"].tolist()[0] == "F118"


def test_chains_are_followed():
    stands = identity.follow(pd.Series({"a": "b", "b": "c"}, dtype="str"))
    assert stands.to_dict() == {"a": "c", "b": "c"}
    assert set(identity.follow(pd.Series({"a": "b", "b": "a"}, dtype="str"))) <= {"a", "b"}
