"""audit --run --published: every difference is classified, with its evidence.

The published figures are FIDE's (published/README.md): 37 player-periods, of which five start from a corrected base,
one (P02) follows rounding by event, and one (M09) does not follow from FIDE's own figures.
"""

import dataclasses
import functools
import json

import folders
import pandas as pd
import pytest
import test_published_figures as figures
from cases import months

from ratingrun import frames, pipeline
from ratingrun.audit import published

PERIODS = sorted({row["period"] for row in figures.PERIODS})
CORRECTED = {case for case, row in figures.CASES.items() if row["status"] == "corrected_base"}


def as_list(month):
    """Our own list as somebody else's would be read."""
    return month.frames["rating_list"][["player_id", "name", "rating", "k", "games"]].copy()


def printed(rows):
    """FIDE's calculation pages as the calculations file."""
    data = [
        {
            "player_id": row["player_id"],
            "base": int(row["base"]),
            "k": int(row["list_k"]),
            "games": int(row["games"]),
            "sum": row["period_sum"],
            "line": 0,
        }
        for row in rows
    ]
    return published.CALCULATIONS.build(pd.DataFrame(data))


@functools.cache
def audited(period):
    """The month without the corrected bases, as the reports and lists alone give it, against what FIDE published."""
    inputs = dataclasses.replace(figures.inputs_of(period), corrections=frames.CORRECTIONS.empty())
    rows = figures.of_period(period)
    listed = as_list(pipeline.run(inputs)).set_index("player_id")
    for row in rows:
        listed.loc[row["player_id"], "rating"] = int(row["published"])
    listed = listed.reset_index()
    known = published.evidence(None, printed(rows), listed)
    return published.classify(inputs, listed, known)


def case_of(player):
    return next(case for case, row in figures.CASES.items() if row["player_id"] == player)


@pytest.mark.parametrize("period", PERIODS)
def test_corrected_bases_are_classified_as_such_and_nothing_else_differs(period):
    rows, _ = audited(period)
    found = {case_of(row.player_id): row._3 for row in rows.itertuples()}
    here = {case for case, row in figures.CASES.items() if row["period"] == period}
    expected = dict.fromkeys(here & CORRECTED, "base_differs")
    expected |= {"P02": "rounding"} if "P02" in here else {}
    expected |= {"M09": "arithmetic"} if "M09" in here else {}
    assert found == expected


def test_the_evidence_names_both_bases():
    rows, _ = audited(figures.CASES["P04"]["period"])
    row = rows[rows["player_id"] == figures.CASES["P04"]["player_id"]].iloc[0]
    assert row["evidence"] == "base 2052 here, 2053 at the publisher"
    assert (row["base"], row["published_base"], row["ours"], row["published"]) == (2052, 2053, 2052, 2053)


def test_the_exception_by_event_is_rounding():
    rows, tried = audited(figures.CASES["P02"]["period"])
    row = rows[rows["player_id"] == figures.CASES["P02"]["player_id"]].iloc[0]
    assert (row["class"], row["explanation"]) == ("rounding", "period.rounding = tournament")
    assert (row["ours"], row["published"]) == (2405, 2406)
    assert tried.loc[tried["closes"], "trial"].tolist().count("period.rounding = tournament") == 1


def test_figures_that_do_not_add_up_are_said_with_the_figures():
    rows, _ = audited(figures.CASES["M09"]["period"])
    row = rows[rows["player_id"] == figures.CASES["M09"]["player_id"]].iloc[0]
    assert row["evidence"] == "2008 and the printed sum give 2006"


# --- every class, planted --------------------------------------------------------------------------------------------

OPEN = """
Ann 1-0 1720
Ann 0-1 2015
Bob = 1900 x3
Cat 1-0 1500 x4
Dan 1-0 1500 x4
Eve 1-0 1500 x5
Fay = 1650 x4
Top 1-0 2150 x9
Hal 1-0 1500 x3
Ida 1-0 1500 x3
Jon 1-0 1500 x3
"""
CUP = """
Bob 1-0 1800 x2
Gil 1-0 1500
"""
NEW = """
New 1-0 1700 x4
New 0-1 1700 x2
Lea 1-0 1700 x5
"""
WAITING = """
Gil 1-0 1600 x4
"""
LIST = dict.fromkeys(("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon", "Kim"), 1600)
LIST |= {"Top": {"rating": 2660, "k": 10}}


def planted():
    """A month, our list of it (to be changed into somebody else's), and the list before."""
    days = {"start": "2025-10-04", "end": "2025-10-05"}
    events = [
        {"id": "open", "games": OPEN, **days},
        {"id": "cup", "games": CUP, **days},
        {"id": "new", "games": NEW, **days},
        {"id": "late", "games": WAITING, "start": "2025-10-29", "end": "2025-10-31"},
    ]
    inputs = months.inputs("2025-11", {"2025-10": LIST}, events)
    listed = as_list(pipeline.run(inputs)).set_index("player_id")
    before = pd.DataFrame([{"player_id": name, "rating": 1600, "k": 20} for name in LIST])
    before.loc[before["player_id"] == "Top", ["rating", "k"]] = [2660, 10]
    before = before.astype({"rating": "Int64", "k": "Int64"}).set_index("player_id")

    return inputs, listed, before


def put(rows, player, **values):
    for name, value in values.items():
        rows.loc[player, name] = value


def classified(inputs, listed, before):
    known = published.evidence(before.reset_index(), None, listed.reset_index())
    rows, tried = published.classify(inputs, listed.reset_index(), known)
    return rows.set_index("player_id"), tried


def test_each_class_is_found_with_its_explanation():
    inputs, listed, before = planted()
    # Bob: the cup was not rated by the publisher: 3 draws against 1900 (D -300: .35 each): 20 x 1.05 = 21
    put(listed, "Bob", rating=1621, games=3)
    # Cat: another base, 1610; four wins against 1500 (D 110: .35): 20 x 1.40 = 28
    before.loc["Cat", "rating"] = 1610
    put(listed, "Cat", rating=1638)
    # Dan: K 40: four wins against 1500 (D 100: .36): 57.6 instead of 28.8
    before.loc["Dan", "k"] = 40
    put(listed, "Dan", rating=1658)
    # Top: the book before October 2025: nine wins at .08 instead of .04: 7.2 instead of 3.6
    put(listed, "Top", rating=2667)
    # New: 4 of 6 against 1700, p .625 half down: 1812 (fide-rules 5.5)
    put(listed, "New", rating=1812)
    # Gil: four games of a report that waits for us: 20 x (.36 + 4 x .50) = 47.2
    put(listed, "Gil", rating=1647, games=5)
    # Kim: no games anywhere and another rating
    put(listed, "Kim", rating=1607)
    # Ida: two games more, no report at hand
    put(listed, "Ida", rating=1650, games=5)
    # Jon: nothing gives 1700
    put(listed, "Jon", rating=1700)
    put(listed, "Fay", k=40)
    # Eve: nobody shows another base. From 1604 (five wins, D 104: .36) 36 are added: 1640; a hint, and no class
    put(listed, "Eve", rating=1640)
    before = before.drop(index="Eve")
    listed = listed.drop(index="Hal")
    listed.loc["Zoe"] = ["Zoe", 1900, 20, 0]
    rows, tried = classified(inputs, listed, before)
    assert rows["class"].to_dict() == {
        "Bob": "missing_game",
        "Cat": "base_differs",
        "Dan": "k_differs",
        "Top": "rule_book",
        "New": "rule_book",
        "Gil": "missing_game",
        "Kim": "base_differs",
        "Ida": "missing_game",
        "Jon": "unexplained",
        "Eve": "unexplained",
        "Fay": "published_k",
        "Hal": "not_published",
        "Zoe": "not_ours",
    }
    assert rows.loc["Bob", "explanation"] == "without tournament cup"
    assert rows.loc["Cat", "evidence"] == "base 1600 here, 1610 at the publisher"
    assert rows.loc["Dan", "evidence"] == "k 20 here, 40 at the publisher"
    assert rows.loc["Top", "explanation"] == "book fide-standard-2024-03"
    assert rows.loc["New", "explanation"] == "initial.p_ties = half_down"
    assert rows.loc["Gil", "explanation"].startswith("with the reports that wait")
    assert rows.loc["Ida", "explanation"] == "5 games published, 3 here"
    assert set(tried.loc[tried["player_id"] == "Jon", "closes"]) == {False}
    assert rows.loc["Eve", "evidence"] == "a base of 1604 would give it"
    assert published.counts(rows)["unexplained"] == 2


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command(month):
    assert month.run().code == 0
    run, ours = month.path / "lists/2025-11-standard", month.path / "published.csv"
    text = (run / "rating_list.csv").read_text("utf-8")
    ours.write_text(text, "utf-8")
    same = folders.command("audit", "--run", run, "--published", ours)
    assert same.code == 0 and "0 differ" in same.out
    ours.write_text(text.replace("Ann", "Anna").replace(",2002,", ",2003,"), "utf-8")
    month.write("printed.csv", "player_id,base,sum\n0101,2001,+2.00\n")
    done = folders.command(
        "audit", "--run", run, "--published", ours, "--calculations", month.path / "printed.csv",
        "--out", month.path / "found.json",
    )  # fmt: skip
    assert done.code == 4, done.err
    assert "prior-list correction: the base differs" in done.out
    (row,) = json.loads((month.path / "found.json").read_text("utf-8"))
    assert (row["player_id"], row["class"], row["base"], row["published_base"]) == ("0101", "base_differs", 2000, 2001)


def test_what_cannot_be_compared_is_said(month):
    assert month.run().code == 0
    run = month.path / "lists/2025-11-standard"
    assert folders.command("audit", "--run", run).code == 2
    assert folders.command("audit", "--run", run, "--published", month.path / "none.csv").code == 1
    adopted = folders.command("audit", "--run", month.path / "lists/2025-10-standard", "--published", run)
    assert adopted.code == 1 and "adopted" in adopted.err
