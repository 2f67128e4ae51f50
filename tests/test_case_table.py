"""Each row of DESIGN section 7's case table, through files and the command: the finding's whole line (code, severity,
file, line, text), what is published, the exit code.
"""

import datetime as dt
import subprocess
import sys

import filelock
import folders
import pandas as pd
import pytest
from folders import AFTER_OPEN, BEFORE, OPEN

from ratingrun import publish
from ratingrun.contract import ContractError
from ratingrun.stages import changes

HEAD = "start_no,player_id,name,round_1,round_2"
ANN, BOB, CAT, DAN = "1,0101,Ann,", "2,0102,Bob,", "3,0103,Cat,", "4,0104,Dan,"


def rows(ann, bob, cat, dan):
    """The report of the four with these cells."""
    return "\n".join([HEAD, ANN + ann, BOB + bob, CAT + cat, DAN + dan]) + "\n"


def add(month, content, **part):
    """A second report, in another week so that it is not a copy of the first."""
    month.register(**{"id": "T2", "file": "second.csv", "start": "2025-10-11", "end": "2025-10-12"} | part)
    return month.report(part.get("file", "second.csv"), content)


def of_code(lines, code):
    return [line for line in lines if line.startswith(code)]


# --- not rated, reason; note -----------------------------------------------------------------------------------------

NOT_RATED = {
    "forfeit": (
        rows("2w1,3b-", "1b0,4w1", "4w1,1w+", "3b0,2b0"),
        {},
        ["G301 note open.csv:4: round 2: 0103 - 0101 not rated: forfeit; nothing to do (5.1)"],
        # without Cat - Ann: Ann +.36 x 20 = 7.2, Cat +.36 x 20 = 7.2
        {"0101": 2007, "0103": 1807},
    ),
    "bye": (
        rows("2w1,H", "1b0,4w1", "4w1,U", "3b0,2b0"),
        {},
        [
            "G302 note open.csv:2: round 2: 0101 not rated: bye; nothing to do (5.1)",
            "G302 note open.csv:4: round 2: 0103 not rated: bye; nothing to do (5.1)",
        ],
        {"0101": 2007, "0103": 1807},
    ),
    "no pairing": (
        rows("2w1,", "1b0,4w1", "4w1,", "3b0,2b0"),
        {},
        [
            "G303 note open.csv:2: round 2: 0101 not rated: no pairing; nothing to do (5.1)",
            "G303 note open.csv:4: round 2: 0103 not rated: no pairing; nothing to do (5.1)",
        ],
        {"0101": 2007, "0103": 1807},
    ),
    "less than one move": (
        rows("2w1,3bL", "1b0,4w1", "4w1,1wW", "3b0,2b0"),
        {},
        ["G304 note open.csv:4: round 2: 0103 - 0101 not rated: less than one move; nothing to do (5.1)"],
        {"0101": 2007, "0103": 1807},
    ),
    "time control too short": (  # 60 + 25 = 85 minutes: enough below 1800 only, and in every game somebody has 1800
        OPEN,
        {"time_control": "60+25"},
        [
            f"S302 note open.csv:{line}: round {number}: {white} - {black} not rated: 85 minutes, 90 needed; "
            "nothing to do (1.1)"
            for line, number, white, black in [
                (2, 1, "0101", "0102"),
                (2, 2, "0101", "0103"),
                (3, 1, "0102", "0101"),
                (3, 2, "0102", "0104"),
                (4, 1, "0103", "0104"),
                (4, 2, "0103", "0101"),
                (5, 1, "0104", "0103"),
                (5, 2, "0104", "0102"),
            ]
        ],
        BEFORE,
    ),
    "missing time control": (
        OPEN,
        {"time_control": ""},
        ["R203 warning open.csv: no time control, so it was not checked; fill in time_control in register.csv"],
        AFTER_OPEN,
    ),
}


@pytest.mark.parametrize("case", NOT_RATED)
def test_not_rated_with_a_reason(folder, case):
    content, part, expected, after = NOT_RATED[case]
    folder.register(id="T1", file="open.csv", start="2025-10-04", end="2025-10-05", **part)
    folder.report("open.csv", content)
    done = folder.run()
    assert done.code == 0
    assert folder.findings() == expected
    assert done.found == [line for line in expected if " note " not in line]
    assert folder.ratings() == AFTER_OPEN | after


def test_opponent_unrated(folder):
    folder.register(id="T1", file="open.csv", start="2025-10-04", end="2025-10-05")
    folder.report("open.csv", "start_no,player_id,name,round_1\n1,0101,Ann,2w0\n2,0105,Eva,1b1\n")
    assert folder.run().code == 0
    assert folder.findings() == [
        "I302 note player 0105: 1 games, 5 are needed; carried on; nothing to do (7.1.4)",
        "S301 note open.csv:2: round 1: 0101 - 0105 not rated: the opponent is unrated; nothing to do (8.3.1)",
    ]
    assert folder.ratings() == BEFORE


def test_match_rules(folder):
    """After 3 of 3 in a match over four games it is decided: the fourth game does not count."""
    folder.register(id="M", file="match.csv", start="2025-10-04", end="2025-10-07", system="match", match_games=4)
    head = "start_no,player_id,name,round_1,round_2,round_3,round_4\n"
    folder.report("match.csv", head + "1,0101,Ann,2w1,2b1,2w1,2b0\n2,0102,Bob,1b0,1w0,1b0,1w1\n")
    assert folder.run().code == 0
    assert folder.findings() == [
        "S304 note match.csv:2: round 4: 0101 - 0102 not rated: the match was decided; nothing to do (6.2)",
        "S304 note match.csv:3: round 4: 0102 - 0101 not rated: the match was decided; nothing to do (6.2)",
    ]
    # 3 x .36 x 20 = 21.6
    assert folder.ratings() == BEFORE | {"0101": 2022, "0102": 1878}


def test_match_with_an_unrated_player(folder):
    folder.register(id="M", file="match.csv", start="2025-10-04", end="2025-10-07", system="match")
    folder.report("match.csv", "start_no,player_id,name,round_1\n1,0101,Ann,2w1\n2,0105,Eva,1b0\n")
    assert folder.run().code == 0
    why = "not rated: a match with an unrated player; nothing to do (6.1)"
    assert folder.findings() == [
        f"S303 note match.csv:2: round 1: 0101 - 0105 {why}",
        f"S303 note match.csv:3: round 1: 0105 - 0101 {why}",
    ]
    assert folder.ratings() == BEFORE
    assert folder.frame("pool").empty


def test_excluded_by_decision(month):
    month.write("exclusions.csv", "tournament_id,round,player_id,reason\nT1,2,0101,fair play\n")
    assert month.run().code == 0
    assert month.findings() == [
        "G305 note open.csv:4: round 2: 0103 - 0101 not rated: excluded by decision (fair play); see exclusions.csv"
    ]
    assert month.ratings() == AFTER_OPEN | {"0101": 2007, "0103": 1807}


# --- rejected --------------------------------------------------------------------------------------------------------

# code -> the report, its findings, and the exclusions that turn the contradiction into a reason
CONTRADICTIONS = {
    "G101": (
        rows("2w1,1b=", "1b0,4w1", "4w1,H", "3b0,2b0"),
        ["G101 error second.csv:2: round 2: player 1 has himself as opponent; correct the opponent's number"],
        "T2,2,0101",
    ),
    "G102": (
        rows("2w1,9b=", "1b0,4w1", "4w1,H", "3b0,2b0"),
        ["G102 error second.csv:2: round 2, player 1: opponent 9 is not in the file; correct the opponent's number"],
        "T2,2,0101",
    ),
    "G103": (
        rows("2w1,3b=", "1b0,4w1", "4w1,", "3b0,2b0"),
        [
            "G103 error second.csv:2: round 2: player 1 reports a game with 3, who does not report it; "
            "correct one line, or exclude the game in exclusions.csv"
        ],
        "T2,2,0101",
    ),
    "G103 by the other player": (
        rows("2w1,3b=", "1b0,4w1", "4w1,", "3b0,2b0"),
        [
            "G103 error second.csv:2: round 2: player 1 reports a game with 3, who does not report it; "
            "correct one line, or exclude the game in exclusions.csv"
        ],
        "T2,2,0103",
    ),
    "G104": (
        rows("2w1,3b1", "1b0,4w1", "4w1,1w1", "3b0,2b0"),
        [
            "G104 error second.csv:2: round 2, player 1: reported 1, opponent 3 reports 1 too; "
            "correct one line or mark a forfeit (+/-)"
        ],
        "T2,2,0103",
    ),
    "G105": (
        rows("2w1,3b=", "1b0,4w1", "4w1,1w0", "3b0,2b0"),
        [
            "G105 error second.csv:2: round 2, player 1: reported =, opponent 3 reports 0; "
            "correct one line or mark a forfeit (+/-)"
        ],
        "T2,2,0101",
    ),
    "G105 with a forfeit": (
        rows("2w1,3b+", "1b0,4w1", "4w1,1w0", "3b0,2b0"),
        [
            "G105 error second.csv:4: round 2, player 3: reported 0, opponent 1 reports +; "
            "correct one line or mark a forfeit (+/-)"
        ],
        "T2,2,0101",
    ),
    "G106": (
        rows("2w1,3b=", "1b0,4w1", "4w1,1b=", "3b0,2b0"),
        ["G106 error second.csv:2: round 2: players 1 and 3 both have b; correct one colour"],
        "T2,2,0101",
    ),
    "G107": (
        rows("2w1,3=", "1b0,4w1", "4w1,1b=", "3b0,2b0"),
        ["G107 error second.csv:2: round 2, player 1: a result without a colour; write w or b"],
        "T2,2,0101",
    ),
    "G108": (
        rows("2w1,w1", "1b0,4w1", "4w1,H", "3b0,2b0"),
        [
            "G108 error second.csv:2: round 2, player 1: a result without an opponent; "
            "write the opponent's number, or a bye (H F U Z)"
        ],
        "T2,2,0101",
    ),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_contradiction_rejects_the_report_and_an_exclusion_makes_it_a_reason(month, case):
    content, expected, excluded = CONTRADICTIONS[case]
    add(month, content)
    done = month.run()
    assert (done.code, done.found) == (1, expected)
    assert done.err.endswith("Nothing published: 1 report(s) rejected. Correct them, or use --allow-rejected.\n")
    assert month.lists() == []

    month.write("exclusions.csv", f"tournament_id,round,player_id,reason\n{excluded},the arbiter cannot say\n")
    done = month.run()
    assert (done.code, done.found) == (0, [])
    used = month.frame("tournaments").set_index("tournament_id")["status"]
    assert used.to_dict() == {"T1": "used", "T2": "used"}
    # T1 as always; of T2 the games Ann - Bob, Cat - Dan and Bob - Dan:
    # Ann .10 + .36 = .46 x 20 = 9.2; Bob -.12 - .12 = -.24 x 20 = -4.8; Cat .62 + .36 = .98 x 20 = 19.6; Dan -24
    assert month.ratings() == BEFORE | {"0101": 2009, "0102": 1895, "0103": 1820, "0104": 1676}
    games = month.frame("games").query("tournament_id == 'T2' and round == 2 and white_no != 2")
    assert "exclusion" in set(games["reason"])
    assert not games["played"].any()


def test_allow_rejected_publishes_without_the_report_and_lists_it(month):
    content, expected, _ = CONTRADICTIONS["G104"]
    add(month, content)
    done = month.run("2025-11", "--allow-rejected")
    assert (done.code, done.found) == (0, expected)
    assert month.ratings() == AFTER_OPEN
    assert month.findings() == expected
    assert "Reports: 1 rejected, 1 used\n  rejected  T2  second.csv\n" in done.out
    assert expected[0] in done.out
    cells = month.frame("cells").query("tournament_id == 'T2'")
    assert set(cells["reason"]) == {"report_rejected"}


REJECTED = {
    "unknown result": (
        rows("2w1,3b#", "1b0,4w1", "4w1,1w=", "3b0,2b0"),
        ['F155 error second.csv:2: round 2: "3b#" is not a result; write for example 12w1, 5b=, 7w+, -, H, F, U, Z'],
    ),
    "rating out of range": (
        "start_no,player_id,reported_rating,round_1\n1,0101,99999,2w1\n2,0102,1900,1b0\n",
        [
            'F153 error second.csv:2: reported_rating: "99999" is not a whole number from 0 to 32767; '
            "correct the cell"
        ],
    ),
    "unknown column": (
        "start_no,player_id,elo,round_1\n1,0101,2000,2w1\n2,0102,1900,1b0\n",
        [
            "F151 error second.csv:1: the report has an unknown column elo; known are start_no, player_id, name, "
            "federation, sex, title, birth_year, reported_rating, tournament_id, round_1, round_2 ..."
        ],
    ),
    "duplicate starting number": (
        "start_no,player_id,round_1\n1,0101,2w1\n2,0102,1b0\n2,0103,\n",
        [
            "R102 error second.csv:4: starting number 2 stands twice, first on line 3; correct the starting numbers",
        ],
    ),
    "player twice": (
        "start_no,player_id,round_1\n1,0101,2w1\n2,0102,1b0\n3,0102,\n",
        ["R103 error second.csv:4: player 0102 stands twice, first on line 3; correct the ids"],
    ),
    "no id": (
        "start_no,player_id,round_1\n1,0101,2w1\n2,,1b0\n",
        ['R104 error second.csv:3: no. 2 has no plausible player id ("-") but played; fill in the id'],
    ),
    "player id of zeros": (
        "start_no,player_id,round_1\n1,0101,2w1\n2,0000,1b0\n",
        ['R104 error second.csv:3: no. 2 has no plausible player id ("0000") but played; fill in the id'],
    ),
    "newcomer without birth year": (
        "start_no,player_id,name,federation,round_1\n1,0101,Ann,,2w1\n2,7777,New,ZZZ,1b0\n",
        [
            "R105 error second.csv:3: player 7777 is not on the prior list, and birth_year is not known; "
            "add a line to players.csv, or fill it in in the report"
        ],
    ),
    "no players": (
        "start_no,round_1\n",
        ["F157 error second.csv: no players: no line of the report holds a starting number; send the whole report"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REJECTED)
def test_a_report_that_is_rejected(month, case):
    content, expected = REJECTED[case]
    add(month, content)
    done = month.run()
    assert (done.code, done.found) == (1, expected)
    assert month.lists() == []
    done = month.run("2025-11", "--allow-rejected")
    assert (done.code, done.found) == (0, expected)
    assert month.ratings() == AFTER_OPEN
    assert "second.csv" in done.out


def test_unreadable_parquet(month):
    add(month, b"PAR1 and then nothing of the kind", file="second.parquet")
    done = month.run()
    assert done.code == 1
    assert len(done.found) == 1
    assert done.found[0].startswith("F150 error second.parquet: the report cannot be read: ")
    assert done.found[0].endswith("; save it again as UTF-8 text or Parquet")
    assert month.lists() == []
    assert month.run("2025-11", "--allow-rejected").code == 0
    assert month.ratings() == AFTER_OPEN


def test_a_report_that_nobody_registered(month):
    month.report("stray.csv", rows("2w=,", "1b=,", ",", ","))
    expected = [
        "R101 error stray.csv: the file is not in register.csv, so nothing of it is used; "
        "register it, or take it out of the folder"
    ]
    done = month.run()
    assert (done.code, done.found, month.lists()) == (1, expected, [])


def test_a_copy_of_a_report_is_ignored(month):
    month.report("open (1).csv", OPEN)
    done = month.run()
    assert (done.code, done.found) == (0, [])
    assert month.findings() == ["R303 note open (1).csv: the file is a copy of open.csv and is ignored; nothing to do"]
    assert month.ratings() == AFTER_OPEN


def test_the_same_report_under_another_tournament_id_never_counts_twice(month):
    month.register(id="T9", file="again.csv", start="2025-10-04", end="2025-10-05")
    month.report("again.csv", OPEN.replace("name,", "name,").replace("Ann", "ARDEN A."))
    done = month.run()
    remedy = "take one of them out; approvals=distinct if both were played"
    assert done.code == 1
    assert done.found == [
        f"R107 error again.csv: the same report as tournament T1; {remedy}",
        f"R107 error open.csv: the same report as tournament T9; {remedy}",
    ]
    assert month.lists() == []


def test_an_event_over_30_days_in_one_report(month):
    add(month, rows("2w1,", "1b0,", ",", ","), start="2025-09-10", end="2025-10-12")
    done = month.run()
    assert done.code == 1
    assert done.found == [
        "R106 error second.csv: the event lasts 32 days, reported as one; more than 30 must be reported in parts; "
        "register its parts with their start dates and rounds"
    ]
    month.run("2025-11", "--allow-rejected")
    assert month.ratings() == AFTER_OPEN


def test_the_list_of_the_start_is_not_at_hand(month):
    add(month, rows("2w1,", "1b0,", ",", ","), start="2025-07-30", end="2025-08-10")
    done = month.run()
    assert done.code == 1
    assert of_code(done.found, "R108") == [
        "R108 error second.csv: the list of 2025-07, in force at the start, is not at hand; "
        "give --lists DIR with that run folder"
    ]


def test_before_the_first_rule_book(month):
    add(month, rows("2w1,", "1b0,", ",", ","), start="2009-06-30", end="2025-10-12", time_control="90+30")
    done = month.run()
    assert done.code == 1
    assert of_code(done.found, "R110") == [
        "R110 error second.csv: started on 2009-06-30, before the first rule book (2009-07-01); take it out"
    ]


# --- newcomers -------------------------------------------------------------------------------------------------------


def test_a_newcomer_told_by_the_report(month):
    add(month, "start_no,player_id,name,federation,sex,birth_year,round_1\n1,0101,,,,,2w1\n2,7777,New,ZZZ,m,2001,1b0\n")
    done = month.run()
    assert (done.code, done.found) == (0, [])
    assert of_code(month.findings(), "R305") == [
        "R305 note second.csv:3: player 7777 (New) is new: taken from the report; nothing to do, or add to players.csv"
    ]
    assert month.ratings() == AFTER_OPEN | {"7777": None}
    new = month.frame("rating_list").set_index("player_id").loc["7777"]
    assert (new["name"], new["federation"], new["sex"], new["birth_year"]) == ("New", "ZZZ", "m", 2001)


def test_a_newcomer_told_by_players(month):
    month.write("players.csv", "player_id,date,name,federation,sex,birth_year\n7777,2025-10-01,New,ZZZ,w,2001\n")
    add(month, "start_no,player_id,round_1\n1,0101,2w1\n2,7777,1b0\n")
    done = month.run()
    assert (done.code, done.found, of_code(month.findings(), "R305")) == (0, [], [])
    assert month.ratings() == AFTER_OPEN | {"7777": None}


def test_a_newcomer_told_by_both(month):
    """players.csv knows the federation, the report the rest."""
    month.write("players.csv", "player_id,date,federation,title\n7777,2025-10-01,ZZZ,CM\n")
    add(month, "start_no,player_id,name,birth_year,round_1\n1,0101,,,2w1\n2,7777,New,2001,1b0\n")
    done = month.run()
    assert (done.code, done.found) == (0, [])
    assert month.ratings() == AFTER_OPEN | {"7777": None}
    new = month.frame("rating_list").set_index("player_id").loc["7777"]
    assert (new["name"], new["federation"], new["title"], new["birth_year"]) == ("New", "ZZZ", "CM", 2001)


def test_a_birth_year_that_only_the_report_knows_is_taken(month):
    month.write("players.csv", "player_id,date,name,federation\n7777,2025-10-01,New,ZZZ\n")
    add(month, "start_no,player_id,birth_year,round_1\n1,0101,,2w1\n2,7777,2001,1b0\n")
    assert month.run().code == 0
    assert month.frame("rating_list").set_index("player_id").loc["7777", "birth_year"] == 2001


# --- the calendar ----------------------------------------------------------------------------------------------------


def test_waiting_for_the_next_list_and_then_rated_without_hand_work(month):
    """Ends on 30 October, closing date 29 October: it waits; December's run finds it in November's folder."""
    add(month, OPEN, start="2025-10-25", end="2025-10-30")
    done = month.run()
    assert (done.code, done.found) == (0, [])
    assert month.findings() == [
        "R301 note second.csv: waits for the next list: ends on 2025-10-30, after the closing date 2025-10-29; "
        "nothing to do"
    ]
    assert month.ratings() == AFTER_OPEN
    done = month.run("2025-12")
    assert (done.code, done.found) == (0, [])
    assert month.findings("2025-12-standard") == [
        "R306 note 2025-11/second.csv: the report waited since 2025-11 and is read from that run's folder; "
        "nothing to do"
    ]
    # the games still use the list of October, the changes are added to that of November
    assert month.ratings("2025-12-standard") == BEFORE | {"0101": 2004, "0102": 1896, "0103": 1824, "0104": 1676}


def test_an_error_in_a_report_that_waits_anyway_does_not_hold_up_the_list(month):
    add(month, rows("2w1,3b#", "1b0,", ",", ","), start="2025-10-25", end="2025-10-30")
    done = month.run()
    assert done.code == 0
    assert month.ratings() == AFTER_OPEN
    assert month.frame("tournaments").set_index("tournament_id")["status"]["T2"] == "waiting"
    assert month.run("2025-12").code == 1


def test_an_error_in_a_report_for_another_list_does_not_hold_up_this_one(month):
    add(month, rows("2w1,3b#", "1b0,", ",", ","), rating_type="rapid")
    assert month.run().code == 0
    assert month.ratings() == AFTER_OPEN


@pytest.mark.parametrize(("official", "end", "status"), [
    ("no", "2025-10-29", "used"), ("no", "2025-10-30", "waiting"),
    ("yes", "2025-10-31", "used"), ("yes", "2025-11-01", "waiting"),
])  # fmt: skip
def test_closing_dates(folder, official, end, status):
    folder.register(id="T1", file="open.csv", start="2025-10-25", end=end, fide_official=official)
    folder.report("open.csv", OPEN)
    assert folder.run().code == 0
    assert folder.frame("tournaments")["status"].tolist() == [status]
    assert folder.ratings() == (AFTER_OPEN if status == "used" else BEFORE)


def test_rated_late_on_the_third_list(month):
    add(month, rows("2w1,", "1b0,", ",", ","), start="2025-08-02", end="2025-08-03")
    done = month.run()
    assert (done.code, done.found) == (0, [])
    assert month.findings() == [
        "G303 note second.csv:2: round 2: 0101 not rated: no pairing; nothing to do (5.1)",
        "G303 note second.csv:3: round 2: 0102 not rated: no pairing; nothing to do (5.1)",
        "G303 note second.csv:4: round 1: 0103 not rated: no pairing; nothing to do (5.1)",
        "G303 note second.csv:4: round 2: 0103 not rated: no pairing; nothing to do (5.1)",
        "G303 note second.csv:5: round 1: 0104 not rated: no pairing; nothing to do (5.1)",
        "G303 note second.csv:5: round 2: 0104 not rated: no pairing; nothing to do (5.1)",
        "R302 note second.csv: rated late: it ended on 2025-08-03, in time for the list of 2025-09; nothing to do",
    ]
    assert month.ratings() == AFTER_OPEN | {"0101": 2009, "0102": 1890}  # .46 x 20 = 9.2, -.48 x 20 = -9.6


@pytest.mark.parametrize("part", [
    {"start": "2025-07-30", "end": "2025-07-31"},  # lists of August, September, October: past
    {"start": "2025-10-04", "end": "2025-10-05", "received": "2026-02-01"},
])  # fmt: skip
def test_past_the_third_list(month, part):
    add(month, rows("2w1,", "1b0,", ",", ","), **part)
    done = month.run()
    last = "2025-10" if "received" not in part else "2026-01"
    assert (done.code, done.found) == (
        0,
        [
            f"R201 warning second.csv: never rated: ended on {part['end']}, its third and last list was {last}; "
            "no remedy (9.1)"
        ],
    )
    assert month.ratings() == AFTER_OPEN
    assert set(month.frame("cells").query("tournament_id == 'T2'")["reason"]) == {"report_too_late"}


# --- rated before ----------------------------------------------------------------------------------------------------


def test_a_round_that_was_rated_already_is_skipped(month):
    assert month.run().code == 0
    month.report("open.csv", OPEN.replace("Ann", "Ann again"), "2025-12")
    done = month.run("2025-12")
    assert (done.code, done.found) == (0, [])
    assert of_code(month.findings("2025-12-standard"), "G306") == [
        "G306 note open.csv: round 1 was rated for 2025-11 already: 2 games skipped; nothing to do",
        "G306 note open.csv: round 2 was rated for 2025-11 already: 2 games skipped; nothing to do",
    ]
    assert month.ratings("2025-12-standard") == AFTER_OPEN


def test_a_round_that_differs_from_what_was_rated_rejects_the_report(month):
    assert month.run().code == 0
    month.report("open.csv", rows("2w1,3b1", "1b0,4w1", "4w1,1w0", "3b0,2b0"), "2025-12")
    done = month.run("2025-12")
    assert (done.code, month.lists()) == (1, ["2025-11-standard"])
    assert done.found == [
        "R109 error open.csv: round 2 differs from what was rated for 2025-11; "
        "a changed report is never rated twice: take it out and make the correction by corrections.csv"
    ]


# --- the run stops ---------------------------------------------------------------------------------------------------


def stopped(done):
    return done.code == 1 and done.out == "" and done.err.endswith("Nothing published: the input stops the run.\n")


def test_no_reports_at_all(folder):
    folder.register(id="T1", file="open.csv", start="2025-10-04", end="2025-10-05")
    done = folder.run()
    assert stopped(done)
    assert len(done.found) == 1
    assert done.found[0].startswith("R112 error no reports: not one file for standard in ")
    assert done.found[0].endswith("reports/2025-11; add the reports, or use --no-games for a list without games")
    assert folder.lists() == []


def test_no_games_makes_a_list_with_everything_brought_forward(folder):
    folder.register(id="T1", file="open.csv", start="2025-10-04", end="2025-10-05")
    done = folder.run("2025-11", "--no-games")
    assert done.code == 0
    assert done.found == [
        "R202 warning open.csv: registered and ended on 2025-10-05, but there is no report; "
        "ask for it; its last list is 2026-01"
    ]
    assert folder.ratings() == BEFORE
    before, after = folder.frame("rating_list", "2025-10-standard"), folder.frame("rating_list")
    rated = before["rating"].notna()
    pd.testing.assert_frame_equal(after[rated], before[rated])


STOPS = {
    "unknown column": (
        "players.csv",
        "player_id,date,elo\n0101,2025-10-01,2000\n",
        "F102 error players.csv:1: unknown column elo; known are player_id, date, name, federation, sex, title, "
        "birth_year, w_title, o_title, foa_title, status, merged_into, source",
    ),
    "missing column": (
        "exclusions.csv",
        "tournament_id,round\nT1,2\n",
        "F103 error exclusions.csv:1: column reason is missing; add it; needed are tournament_id, reason",
    ),
    "bad date": (
        "players.csv",
        "player_id,date,title\n0101,31.10.2025,FM\n",
        'F104 error players.csv:2: date: "31.10.2025" is not a date; write YYYY-MM-DD, for example 2025-10-31',
    ),
    "bad date in corrections": (
        "corrections.csv",
        "player_id,rating_type,list_date,field,value,reason,source\n0101,standard,2025-10,rating,1990,why,who\n",
        'F104 error corrections.csv:2: list_date: "2025-10" is not a date; write YYYY-MM-DD, for example 2025-10-31',
    ),
    "correction on no list's day": (
        "corrections.csv",
        "player_id,rating_type,list_date,field,value,reason,source\n0101,standard,2025-10-15,rating,1990,why,who\n",
        'F105 error corrections.csv:2: list_date: "2025-10-15" is not the day of a list, the first of a month; '
        "correct the cell",
    ),
    "rating out of range": (
        "corrections.csv",
        "player_id,rating_type,list_date,field,value,reason,source\n0101,standard,2025-10-01,rating,4000,why,who\n",
        'F105 error corrections.csv:2: value: "4000" is not a whole number from 1 to 3999; correct the cell',
    ),
    "correction of nobody": (
        "corrections.csv",
        "player_id,rating_type,list_date,field,value,reason,source\n9999,standard,2025-10-01,rating,1900,why,who\n",
        "F116 error corrections.csv:2: player 9999 is not on the list of 2025-10; correct the id or the list date",
    ),
    "correction of no field": (
        "corrections.csv",
        "player_id,rating_type,list_date,field,value,reason,source\n0101,standard,2025-10-01,elo,1900,why,who\n",
        'F114 error corrections.csv:2: field "elo" cannot be corrected; one of name, federation, sex, title, w_title, '
        "o_title, foa_title, birth_year, rating, k, games, games_total, peak, last_played, active",
    ),
    "empty cell": (
        "exclusions.csv",
        "tournament_id,round,reason\nT1,2,\n",
        "F106 error exclusions.csv:2: reason is empty; fill it in; it must not be empty",
    ),
    "uneven row": (
        "exclusions.csv",
        "tournament_id,round,reason\nT1,2,fair play, really\n",
        "F107 error exclusions.csv:2: the row has 4 cells, the header 3; correct the commas of this line",
    ),
    "end before start": (
        "register.csv",
        "tournament_id,file,rating_type,system,start,end\nT1,open.csv,standard,swiss,2025-10-05,2025-10-04\n",
        "F109 error register.csv:2: the end 2025-10-04 is before the start 2025-10-05; correct the dates",
    ),
    "part twice": (
        "register.csv",
        "tournament_id,file,rating_type,system,start,end\nT1,open.csv,standard,swiss,2025-10-04,2025-10-05\n"
        "T1,open.csv,standard,swiss,2025-10-04,2025-10-05\n",
        "F108 error register.csv:3: tournament_id T1 part 1 stands twice, first on line 2; keep one of the two lines",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", STOPS)
def test_input_that_stops_the_run(month, case):
    name, content, expected = STOPS[case]
    month.write(name, content)
    done = month.run()
    assert stopped(done)
    assert done.found == [expected]
    assert month.lists() == []
    assert month.run("2025-11", "--allow-rejected").code == 1


def test_no_register(month):
    (month.path / "register.csv").unlink()
    done = month.run()
    assert stopped(done)
    assert done.found == [
        "F110 error register.csv: there is no file or folder of this name; name one that exists, "
        "or leave the option out"
    ]


def test_a_register_that_cannot_be_read(month):
    month.write("register.csv", b"\x00\x01\x02\x03")
    done = month.run()
    assert stopped(done)
    assert done.found[0].startswith("F101 error register.csv")


def test_no_prior_list(month):
    done = month.run("2026-01")
    assert stopped(done)
    assert done.found == [
        "F110 error 2025-12-standard: there is no file or folder of this name; "
        "name one that exists, or leave the option out"
    ]


def test_the_prior_list_of_another_month(month):
    done = month.run("2025-11", "--prior", "lists/2025-09-standard")
    assert stopped(done)
    assert done.found == [
        "F111 error 2025-09-standard: the prior list is the list of 2025-09, not of 2025-10; "
        "give the run folder of 2025-10"
    ]


def test_a_prior_that_is_no_run_folder(month):
    done = month.run("2025-11", "--prior", "reports")
    assert stopped(done)
    assert done.found == [
        "F101 error reports: cannot be read: it is not a run folder (FileNotFoundError in manifest.json); "
        "save it again as UTF-8 text or Parquet"
    ]


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"period": "2025-10"}', "null", "7",
                                      '{"period": "2025-10", "rating_type": "standard", "status": "adopted", '
                                      '"files": []}'])  # fmt: skip
def test_a_prior_with_a_manifest_that_is_none(month, manifest):
    month.write("lists/2025-10-standard/manifest.json", manifest)
    done = month.run()
    assert done.code in (1, 4), done.err
    assert month.lists() == []


def test_a_provisional_list_is_never_a_prior(month):
    done = month.run("2025-11", "--provisional")
    assert done.code == 0
    assert month.lists() == ["2025-11-standard-provisional-1"]
    assert "PROVISIONAL, not published" in done.out
    assert month.ratings("2025-11-standard-provisional-1") == AFTER_OPEN
    done = month.run("2025-12", "--prior", "lists/2025-11-standard-provisional-1", "--no-games")
    assert stopped(done)
    assert done.found == [
        "F113 error 2025-11-standard-provisional-1: is a provisional folder, which is never a prior; "
        "give the published run folder"
    ]
    assert of_code(month.run("2025-12", "--no-games").found, "F110") != []
    assert month.run().code == 0


# --- exit codes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rating_list", "pool", "rated"])
def test_a_prior_that_was_changed_is_exit_4(month, name):
    path = month.path / f"lists/2025-10-standard/{name}.parquet"
    path.write_bytes(path.read_bytes() + b" ")
    done = month.run()
    assert done.code == 4
    assert done.found == [
        f"F112 error 2025-10-standard/{name}.parquet: the recorded hash does not match: {name}.parquet was changed "
        "after it was written; restore the folder as it was published"
    ]
    assert month.lists() == []


def test_an_earlier_list_that_was_changed_is_exit_4(month):
    add(month, rows("2w1,", "1b0,", ",", ","), start="2025-09-20", end="2025-09-21")
    path = month.path / "lists/2025-09-standard/rating_list.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    done = month.run()
    assert (done.code, month.lists()) == (4, [])


def test_already_published_is_exit_3(month):
    assert month.run().code == 0
    before = {path: path.stat().st_mtime_ns for path in month.path.rglob("*") if path.is_file()}
    done = month.run()
    assert done.code == 3
    folder = month.path / "lists/2025-11-standard"
    assert done.err == f"Error: 2025-11 is already published: {folder}; a published list is never overwritten\n"
    assert before == {path: path.stat().st_mtime_ns for path in month.path.rglob("*") if path.is_file()}


def test_locked_is_exit_75(month):
    with filelock.FileLock(month.path / "lists/.standard.lock"):
        done = month.run()
    assert done.code == 75
    assert done.err == f"Error: another run is making the standard list in {month.path / 'lists'}\n"
    assert month.lists() == []
    assert month.run().code == 0


@pytest.mark.parametrize("arguments", [(), ("run",), ("run", "2025-13"), ("run", "2025-11", "--what"), ("walk",),
                                       ("run", "2025-11", "-C", "nowhere"), ("adopt", "list.csv"),
                                       ("run", "2025-11", "--type", "bullet")])  # fmt: skip
def test_usage_is_exit_2(arguments):
    done = folders.command(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert "Usage: " in done.err


def test_a_period_before_the_first_book_is_exit_1(folder):
    done = folder.run("2009-06")
    assert done.code == 1
    assert done.err == ("Error: fide_standard: no rule book for 2009-06-01; the first is in force from 2009-07-01\n")


def test_a_bug_is_exit_70_and_nothing_is_written(month, monkeypatch):
    def broken(*arguments):
        raise ContractError("changes.rn: 1 rows out of contract")

    monkeypatch.setattr(changes, "build", broken)
    done = month.run()
    assert done.code == 70
    assert "ContractError: changes.rn: 1 rows out of contract" in done.err
    assert "This is a bug in ratingrun, not in your files: nothing was published." in done.err
    assert month.lists() == []


@pytest.mark.parametrize("after", ["_fill", "_fsync_all"])
def test_a_disk_that_fails_is_exit_74_and_nothing_is_half_written(month, monkeypatch, after):
    whole = getattr(publish, after)

    def full(*arguments):
        whole(*arguments)
        raise OSError(28, "No space left on device", "rating_list.parquet")

    monkeypatch.setattr(publish, after, full)
    done = month.run()
    assert done.code == 74
    assert done.err.endswith("No space left on device: rating_list.parquet - nothing was published\n")
    assert month.lists() == []
    assert not (month.path / "lists/journal.csv").read_text().count("2025-11")
    monkeypatch.undo()
    assert month.run().code == 0


def test_every_rejected_report_is_counted(month):
    """One that a tournament stands for, one that is in no register: two."""
    month.report("open.csv", folders.OPEN.replace("2w1", "2w="))
    month.report("stranger.csv", folders.OPEN)
    done = month.run()
    assert done.err.endswith("Nothing published: 2 report(s) rejected. Correct them, or use --allow-rejected.\n")


def test_the_same_in_a_process_of_its_own(month):
    """What cron sees: 0, then 3; results on stdout, findings on stderr."""
    call = [sys.executable, "-m", "ratingrun", "run", "2025-11", "-C", str(month.path)]
    first = subprocess.run(call, capture_output=True, text=True, check=False)
    second = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (first.returncode, second.returncode) == (0, 3)
    assert first.stdout.startswith("Standard rating list of 1 November 2025\n")
    assert second.stdout == ""
    journal = pd.read_csv(month.path / "lists/journal.csv")
    last = journal.iloc[-1]
    assert (last["folder"], last["event"]) == ("2025-11-standard", "published")
    assert dt.datetime.fromisoformat(last["time"]).tzinfo is not None
