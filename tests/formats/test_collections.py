"""Collections: the crosstables of many tournaments in one table, CSV or Parquet (README, Formats)."""

import folders
import pandas as pd
import pyarrow.parquet as pq
import pytest

from ratingrun import frames, run_folder, sample
from ratingrun.formats import list_tables, read_report

TWO = """tournament_id,start_no,player_id,round_1,round_2,round_3
B,2,0104,1b0,,
B,1,0103,2w1,,
A,1,0101,2w1,2b=,
A,2,0102,1b0,1w=,
"""


def test_each_tournament_has_its_own_numbers_and_its_own_rounds(file_of):
    """Sorted by tournament and number; B ends with round 1, A with round 2: later columns are none of their rounds."""
    report = read_report(file_of("two.csv", TWO), "two.csv")
    assert report.collection and report.findings.empty
    assert report.entries[["tournament_id", "start_no", "player_id", "line"]].to_numpy().tolist() == [
        ["A", 1, "0101", 4], ["A", 2, "0102", 5], ["B", 1, "0103", 3], ["B", 2, "0104", 2],
    ]  # fmt: skip
    cells = report.results[["tournament_id", "start_no", "round", "opponent_no", "colour", "result"]]
    assert cells.to_numpy().tolist() == [
        ["A", 1, 1, 2, "w", "1"], ["A", 1, 2, 2, "b", "="], ["A", 2, 1, 1, "b", "0"], ["A", 2, 2, 1, "w", "="],
        ["B", 1, 1, 2, "w", "1"], ["B", 2, 1, 1, "b", "0"],
    ]  # fmt: skip


def test_a_round_without_a_pairing_in_the_middle_is_a_round(file_of):
    report = read_report(file_of("a.csv", "tournament_id,start_no,round_1,round_2\nA,1,,H\n"), "a.csv")
    assert report.results[["round", "result"]].to_numpy().tolist() == [[1, ""], [2, "H"]]


def test_findings_say_the_tournament(file_of, said):
    text = TWO.replace("2w1,2b=", "2w1,2x9").replace("B,2,0104", "B,x,0104").replace("A,2,0102", ",2,0102")
    report = read_report(file_of("two.csv", text), "two.csv")
    assert said(report.findings) == [
        'F153 error two.csv:2: start_no: "x" is not a whole number from 1 to 9999; correct the cell',
        'F153 error two.csv:5: tournament_id: "(empty)" is not text; correct the cell',
        'F155 error two.csv:4: round 2: "2x9" is not a result; write for example 12w1, 5b=, 7w+, -, H, F, U, Z',
    ]
    assert report.findings.sort_values("line")["tournament_id"].fillna("the file").tolist() == ["B", "A", "the file"]


def month(folder, text=TWO, more=""):
    for name in ("A", "B"):
        folder.register(id=name, file="two.csv", start="2025-10-04", end="2025-10-05")
    folder.report("two.csv", text)
    return folder.run("2025-11", *more.split())


def test_a_month_of_one_collection(folder):
    """A: Ann beats 1900 and draws, d 100: +.36 -.14, +4.4 and so +4; Bob the same down. B: Cat beats 1700, +.36: +7."""
    done = month(folder)
    assert done.code == 0 and "Reports: 2 used" in done.out and "Games reported: 3, played 3" in done.out
    assert folder.ratings() == {"0101": 2004, "0102": 1896, "0103": 1807, "0104": 1693, "0105": None}


def test_an_error_rejects_its_tournament_and_no_other(folder):
    done = month(folder, TWO.replace("2w1,2b=", "2w1,2x9"), "--allow-rejected")
    assert done.code == 0 and "Reports: 1 rejected, 1 used" in done.out


def test_a_tournament_that_is_not_registered_is_said(folder):
    done = month(folder, TWO + "C,1,0101,H,,\n", "--allow-rejected")
    assert [line for line in done.found if line.startswith("R117")] == [
        "R117 error two.csv:6: tournament C is not in register.csv, so nothing of it is used; "
        "register it with this file, or take it out of the collection"
    ]
    assert "Reports: 2 used" in done.out


def test_a_registered_tournament_that_is_not_in_it_is_asked_for(folder):
    done = month(folder, "".join(TWO.splitlines(keepends=True)[:1] + TWO.splitlines(keepends=True)[3:]))
    assert done.code == 0 and [line[:26] for line in done.found if line.startswith("R202")] == [
        "R202 warning two.csv: regi"
    ]


@pytest.mark.parametrize("name", ["changes", "event_changes", "initials", "rating_list", "trail", "pool"])
def test_a_collection_rates_as_single_files_do(both, name):
    """The same months of the same invented federation, as files and as a collection each."""
    one, other = (list_tables.read_parquet(frames.ALL[name], path / f"{name}.parquet")[0] for path in both)
    pd.testing.assert_frame_equal(one, other)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The run folders of the second month."""
    made = sample.build(players=600, games=700, months=2, seed=5)
    found = []
    for shape in ("csv", "parquet"):
        root = tmp_path_factory.mktemp(shape) / "f"
        source = sample.write(made, root, shape)
        assert folders.command("adopt", source.relative_to(root), "--period", "2025-10", "-C", root).code == 0
        for period in ("2025-11", "2025-12"):
            done = folders.command("run", period, "-C", root)
            assert done.code == 0 and done.found == []
        found.append(run_folder.newest(root / "lists", "2025-12", "standard"))
    assert pq.read_metadata(found[1] / "results.parquet").num_rows > 1000
    return found


def test_columns_of_parquet_that_say_the_same_often_are_read_as_csv(tmp_path, said):
    """README, Formats: CSV or Parquet holds the same crosstable, whatever types its columns have and in whatever order
    its rows stand: whole numbers, numbers with decimals, dictionaries, several row groups, nulls for nothing."""
    cells = pd.DataFrame(
        {
            "tournament_id": ["B", " A ", "A", "B", None, "A", "B"],
            "start_no": [2, 1, 2, 1, 1, None, 1],
            "player_id": ["0104", "0101", None, "0103", "0105", "0106", "0107"],
            "name": [" Dover, Dan", "Arden,  Ann ", "?", None, "E", "F", "=G"],
            "federation": ["zzz", "ZZZ ", "Zzz", None, "ZZZ", "ZZZ", "ZZZ"],
            "sex": ["m", "F", "x", "", "w", "w", "w"],
            "birth_year": [1990, None, 0, 1850, 2100, 1990, 1700],
            "round_1": ["1b0", "2 W 1", "1 b ½", "2w1", "-", "9w1", "1w+"],
            "round_2": ["", None, "2x9", "H", "z", "z", "u"],
            "round_3": ["", "", "", None, "", "z", " "],
        }
    )
    numbers = ["start_no", "birth_year"]
    cells.astype(dict.fromkeys(numbers, "Int64")).to_csv(tmp_path / "same.csv", index=False)
    wanted = read_report(tmp_path / "same.csv", "same.x")
    # A: two players with a number, three rounds (the third by the player without one); B: three players, two rounds.
    assert wanted.results["tournament_id"].tolist() == ["A"] * 6 + ["B"] * 6
    coded = {name: "category" for name in cells if name not in numbers}
    for number, kinds in enumerate(({}, dict.fromkeys(numbers, "Int64"), coded)):
        path = tmp_path / f"{number}.parquet"
        cells.astype(kinds).to_parquet(path, index=False, row_group_size=2)
        found = read_report(path, "same.x")
        for one, other in ((found.entries, wanted.entries), (found.results, wanted.results)):
            pd.testing.assert_frame_equal(one.drop(columns="line"), other.drop(columns="line"))
            assert (one["line"] + 1 == other["line"]).all()  # a header line has Parquet none
        lines = said(found.findings.assign(line=found.findings["line"] + 1))
        assert lines == said(wanted.findings) and [line[:4] for line in lines] == ["F153"] * 4 + ["F155"]
