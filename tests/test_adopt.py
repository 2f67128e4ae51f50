"""adopt: what somebody else's list does not say is stood in for, by the rules of DESIGN section 5, each a finding."""

import folders
import pandas as pd
import pytest

from ratingrun import adopt, findings, periods, rulebooks
from ratingrun.formats import list_tables

HEAD = "player_id,name,federation,birth_year,rating,k,games"
BOOK = rulebooks.in_force(rulebooks.FIDE_STANDARD, periods.list_date("2025-10"))


@pytest.fixture
def adopted(tmp_path):
    """A function: the list from CSV text, by player id, and the findings as lines."""

    def make(text, **earlier):
        (tmp_path / "list.csv").write_text(text)
        listed, found = list_tables.read(tmp_path / "list.csv")
        assert found.empty
        older = {}
        for name, content in earlier.items():
            (tmp_path / f"{name}.csv").write_text(content)
            older[name], found = list_tables.read(tmp_path / f"{name}.csv")
            assert found.empty
        rows, found = adopt.build(listed, "2025-10", BOOK, older)
        return rows.set_index("player_id"), [findings.line_of(row) for row in findings.numbered(found).itertuples()]

    return make


def of(lines, code):
    return [line for line in lines if line.startswith(code)]


def test_k_10_has_been_2400(adopted):
    rows, found = adopted(f"{HEAD}\n1,A,ZZZ,1980,2350,10,0\n2,B,ZZZ,1980,2500,10,0\n")
    assert rows["peak"].tolist() == [2400, 2500]
    assert rows["k"].tolist() == [10, 10]
    assert rows["k_clause"].tolist() == ["8.3.3 reached 2400"] * 2
    assert of(found, "L310") == [
        "L310 note 1 players: peak 2400 assumed: K 10; nothing to do; correct by corrections.csv"
    ]


def test_a_peak_that_the_list_says_is_kept(adopted):
    rows, _ = adopted(f"{HEAD},peak\n1,A,ZZZ,1980,2350,10,0,2433\n2,B,ZZZ,1980,1900,20,0,1950\n")
    assert rows["peak"].tolist() == [2433, 1950]


def test_an_adult_with_k_20_has_played_30_games(adopted):
    rows, found = adopted(f"{HEAD}\n1,A,ZZZ,1980,1900,20,4\n")
    assert rows["games_total"].tolist() == [30]
    assert of(found, "L311") == [
        "L311 note 1 players: 30 games assumed: K 20; nothing to do; correct by corrections.csv"
    ]


def test_a_junior_with_k_20_below_2300_has_been_2300(adopted):
    """Born 2007: 18 in 2025, a junior; 2006: 19, an adult."""
    rows, found = adopted(f"{HEAD}\n1,A,ZZZ,2007,2250,20,0\n2,B,ZZZ,2006,2250,20,0\n3,C,ZZZ,2007,2310,20,0\n")
    assert rows["peak"].tolist() == [2300, 2250, 2310]
    assert rows["games_total"].tolist() == [30, 30, 30]
    assert of(found, "L310") == [
        "L310 note 1 players: peak 2300 assumed: K 20 although a junior; nothing to do; correct by corrections.csv"
    ]


def test_k_40_of_an_adult_counts_games_over_the_earlier_lists(adopted):
    this = f"{HEAD}\n1,A,ZZZ,1980,1700,40,4\n"
    earlier = {
        "2025-09": f"{HEAD}\n1,A,ZZZ,1980,1720,40,7\n",
        "2025-08": f"{HEAD}\n1,A,ZZZ,1980,1650,40,5\n",
    }
    rows, found = adopted(this, **earlier)
    assert rows.loc["1", "games_total"] == 4 + 7 + 5
    assert rows.loc["1", "peak"] == 1720
    assert rows.loc["1", "k"] == 40
    assert of(found, "L210") == []


def test_k_40_of_an_adult_without_earlier_lists_is_a_warning(adopted):
    rows, found = adopted(f"{HEAD}\n1,A,ZZZ,1980,1700,40,4\n")
    assert rows.loc["1", "games_total"] == 4
    assert of(found, "L210") == [
        "L210 warning 1 players have K 40 and no count of games: those of this list games assumed; "
        "give --earlier DIR with older lists, or correct games_total by corrections.csv"
    ]


def test_a_known_junior_with_k_40_needs_no_count_of_games(adopted):
    """His K does not rest on games; they are unknown all the same once he is 19."""
    rows, _ = adopted(f"{HEAD}\n1,A,ZZZ,2010,1700,40,4\n")
    assert rows.loc["1", ["k", "k_clause"]].tolist() == [40, "8.3.3 junior"]


def test_flag_i_is_inactive_and_who_has_none_played_on_this_list(adopted):
    rows, found = adopted(
        f"{HEAD},flag\n1,A,ZZZ,1980,1900,20,0,i\n2,B,ZZZ,1980,1900,20,0,\n3,C,ZZZ,1980,1900,20,0,wi\n"
    )
    assert rows["active"].tolist() == [False, True, False]
    assert rows["last_played"].tolist() == [pd.NaT, pd.Timestamp("2025-10-01"), pd.NaT]
    assert of(found, "L312") == ["L312 note 1 players: last game assumed on this list; nothing to do"]
    assert of(found, "L313") == ["L313 note 2 players are inactive by the flag of the list; nothing to do"]


def test_a_last_game_that_the_list_says_is_kept(adopted):
    rows, _ = adopted(f"{HEAD},last_played\n1,A,ZZZ,1980,1900,20,0,2025-06-01\n")
    assert rows["last_played"].tolist() == [pd.Timestamp("2025-06-01")]


def test_the_pool_is_empty_and_says_so(adopted):
    _, found = adopted(f"{HEAD}\n1,A,ZZZ,1980,,,\n")
    assert of(found, "L314") == [
        "L314 note the pool starts empty: first-rating games before this list are not known; nothing to do"
    ]


def test_a_missing_k_follows_the_rule_book(adopted):
    rows, found = adopted(
        f"{HEAD},games_total,peak\n"
        "1,A,ZZZ,1980,2390,,0,200,2405\n2,B,ZZZ,1980,1900,,0,200,1900\n3,C,ZZZ,2010,1900,,0,200,1900\n"
        "4,D,ZZZ,1980,1900,,0,29,1900\n5,E,ZZZ,1980,,,0,,\n"
    )
    assert rows["k"].tolist() == [10, 20, 40, 40, pd.NA]
    assert of(found, "L315") == ["L315 note 4 players: K is not in the list and follows the rule book; nothing to do"]


def test_k_that_no_row_gives_is_kept_as_published(adopted):
    rows, _ = adopted(f"{HEAD},games_total\n1,A,ZZZ,1980,1900,15,0,200\n")
    assert rows.loc["1", ["k", "k_clause"]].tolist() == [15, "as adopted"]


def test_below_the_floor_is_unrated(adopted):
    rows, found = adopted(f"{HEAD}\n1,A,ZZZ,1980,1399,20,0\n2,B,ZZZ,1980,1400,20,0\n")
    assert rows["rating"].tolist() == [pd.NA, 1400]
    assert rows["k"].tolist() == [pd.NA, 20]
    assert of(found, "L316") == [
        "L316 note 1 players are below the floor 1400 and unrated from here on; nothing to do (7.2.1)"
    ]


def test_only_id_name_and_rating_are_needed(adopted):
    rows, found = adopted("player_id,name,rating\n007,A,1900\n8,B,\n")
    assert rows.index.tolist() == ["007", "8"]
    assert rows.loc["007", "federation"] == "?"
    assert rows["rating"].tolist() == [1900, pd.NA]
    assert [line[:4] for line in found] == ["L312", "L314", "L315", "L317"]


def test_an_earlier_peak_of_2400_gives_k_10_where_k_is_missing(adopted):
    rows, _ = adopted("player_id,name,rating\n1,A,2380\n", older="player_id,name,rating\n1,A,2410\n")
    assert rows.loc["1", ["peak", "k"]].tolist() == [2410, 10]


# --- the command -----------------------------------------------------------------------------------------------------


def command(folder, *arguments):
    return folders.command("adopt", *arguments, "-C", folder.path)


@pytest.fixture
def fresh(tmp_path):
    folder = folders.Folder(tmp_path)
    folder.write("list.csv", folders.LIST)
    return folder


def test_the_run_folder_is_a_prior(fresh):
    done = command(fresh, "list.csv", "--period", "2025-10")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Adopted list.csv as the list of 2025-10: 5 players, 4 rated\n")
    assert done.out.endswith("Written: " + str(fresh.path / "lists/2025-10-standard") + "\n")
    assert fresh.ratings("2025-10-standard") == folders.BEFORE
    assert fresh.frame("pool", "2025-10-standard").empty
    fresh.register(id="T1", file="open.csv", start="2025-10-04", end="2025-10-05")
    fresh.report("open.csv", folders.OPEN)
    assert fresh.run().code == 0
    assert fresh.ratings() == folders.AFTER_OPEN


def test_parquet_gives_the_same_list_as_csv(fresh):
    pd.read_csv(fresh.path / "list.csv", dtype={"player_id": "str"}).to_parquet(fresh.path / "list.parquet")
    assert command(fresh, "list.csv", "--period", "2025-10").code == 0
    assert command(fresh, "list.parquet", "--period", "2025-10", "--out", "other").code == 0
    one, other = (fresh.path / place / "2025-10-standard/rating_list.parquet" for place in ("lists", "other"))
    assert one.read_bytes() == other.read_bytes()


STOPS = {
    "rating out of range": ("player_id,name,rating\n1,A,4000\n", 'F105 error list.csv:2: rating: "4000" is not a whole '
                            "number from 1 to 3999; correct the cell"),
    "unknown column": ("player_id,name,rating,elo\n1,A,1900,1\n", "F102 error list.csv:1: unknown column elo; known"),
    "no rating column": ("player_id,name\n1,A\n", "F103 error list.csv:1: column rating is missing; add it"),
    "player twice": ("player_id,name,rating\n1,A,1900\n1,B,1800\n",
                     "F108 error list.csv:3: player_id 1 stands twice, first on line 2; keep one of the two lines"),
    "no name": ("player_id,name,rating\n1,,1900\n", "F106 error list.csv:2: name is empty"),
    "nothing": ("", "F101 error list.csv: cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("case", STOPS)
def test_a_list_that_cannot_be_adopted(fresh, case):
    content, expected = STOPS[case]
    fresh.write("list.csv", content)
    done = command(fresh, "list.csv", "--period", "2025-10")
    assert (done.code, done.out) == (1, "")
    assert len(done.found) == 1
    assert done.found[0].startswith(expected)
    assert fresh.lists() == []


def test_a_list_that_is_not_there(fresh):
    done = command(fresh, "nowhere.csv", "--period", "2025-10")
    assert done.code == 1
    assert done.found[0].startswith("F110 error nowhere.csv: there is no file or folder of this name")


def test_earlier_lists_that_are_not_there(fresh):
    done = command(fresh, "list.csv", "--period", "2025-10", "--earlier", "nowhere")
    assert done.code == 1
    assert done.found[0].startswith("F110 error nowhere: there is no file or folder of this name")
    assert fresh.lists() == []


def test_earlier_lists_from_a_folder(fresh):
    fresh.write("old/2025-08.csv", "player_id,name,rating,games\n0101,Ann,2100,9\n")
    fresh.write("old/2025-09.csv", "player_id,name,rating,games\n0101,Ann,2050,3\n")
    fresh.write("old/.DS_Store", b"\x00\x01")
    fresh.write("old/letters/to the player.txt", "nothing to read here")
    fresh.write("list.csv", "player_id,name,rating,k,games,birth_year\n0101,Ann,2000,40,2,1990\n")
    assert command(fresh, "list.csv", "--period", "2025-10", "--earlier", "old").code == 0
    row = fresh.frame("rating_list", "2025-10-standard").iloc[0]
    assert (row["games_total"], row["peak"]) == (14, 2100)


def test_a_published_list_is_never_overwritten(fresh):
    assert command(fresh, "list.csv", "--period", "2025-10").code == 0
    assert command(fresh, "list.csv", "--period", "2025-10").code == 3


def test_before_the_first_book(fresh):
    done = command(fresh, "list.csv", "--period", "1999-10")
    assert done.code == 1
    assert "no rule book for 1999-10-01" in done.err
