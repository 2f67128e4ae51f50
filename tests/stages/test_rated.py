"""rated: nothing is rated twice - the same report again, under another name, changed, grown, in parts."""

import pytest
from cases import months

from ratingrun import pipeline

LISTS = {"2025-10": {"Ann": 2000, "Bob": 1900, "Cat": 1800, "Dan": 1700}}
EVENT = {"id": "T", "start": "2025-10-04", "end": "2025-10-05"}
FIRST = "1 Ann 2w1\n2 Bob 1b0\n3 Cat 4w=\n4 Dan 3b="
GROWN = "1 Ann 2w1 3b=\n2 Bob 1b0 4w1\n3 Cat 4w= 1w=\n4 Dan 3b= 2b0"


def run(crosstable, rated=None, **more):
    said = {name: more.pop(name) for name in ("exclusions",) if name in more}
    inputs = months.inputs("2025-11", LISTS, [EVENT | {"crosstable": crosstable} | more], **said)
    return pipeline.run(inputs if rated is None else pipeline.Inputs(**{**vars(inputs), "rated": rated}))


@pytest.fixture(scope="module")
def rated():
    return run(FIRST).frames["rated"]


def codes(month):
    found = month.findings
    return sorted(set(found.loc[found["code"].str.match("R107|R109|R205|G306"), "code"]))


def played(month):
    return int(month.frames["games"]["played"].sum())


def test_the_same_again_is_skipped(rated):
    month = run(FIRST, rated)
    assert (codes(month), played(month)) == (["G306"], 0)
    assert set(month.frames["games"]["reason"]) == {"already_rated"}
    assert month.frames["rated"].equals(rated)


def test_the_same_with_other_starting_numbers_and_order_is_the_same(rated):
    month = run("1 Dan 2b=\n2 Cat 1w=\n3 Bob 4b0\n4 Ann 3w1", rated)
    assert (codes(month), played(month)) == (["G306"], 0)


@pytest.mark.parametrize("changed", [
    FIRST.replace("2w1", "2w=").replace("1b0", "1b="),  # a result
    FIRST.replace("2w1", "2b1").replace("1b0", "1w0"),  # colours
    FIRST.replace("2w1", "2w+").replace("1b0", "1b-"),  # a game that became a forfeit
    FIRST.replace("Dan", "Eve"),  # a player
    "1 Ann 4w1\n2 Bob 3b0\n3 Cat 2w=\n4 Dan 1b=".replace("3b0", "3b=").replace("1b=", "1b0"),  # pairings
])  # fmt: skip
def test_a_changed_round_rejects_the_report(rated, changed):
    month = run(changed, rated)
    assert (codes(month), len(month.rejected)) == (["R109"], 1)
    assert played(month) == 0


def test_only_the_new_rounds_of_a_report_that_grew_are_rated(rated):
    month = run(GROWN, rated)
    assert (codes(month), played(month)) == (["G306"], 2)
    assert month.frames["rated"]["round"].tolist() == [1, 2]
    assert month.frames["sides"]["round"].unique().tolist() == [2]


def test_byes_and_forfeits_may_be_corrected_in_a_round_that_was_rated():
    rated = run("1 Ann 2w1\n2 Bob 1b0\n3 Cat H").frames["rated"]
    assert codes(run("1 Ann 2w1\n2 Bob 1b0\n3 Cat U", rated)) == ["G306"]


def test_the_same_report_under_another_tournament_id_is_rejected(rated):
    month = run(FIRST, rated, id="OTHER")
    assert (codes(month), played(month)) == (["R107"], 0)


def test_the_same_games_in_another_week_are_another_tournament(rated):
    month = run(FIRST, rated, id="OTHER", start="2025-10-11", end="2025-10-12")
    assert (codes(month), played(month)) == ([], 2)


SIX = {"2025-10": {**LISTS["2025-10"], "Eve": 1600, "Fay": 1500}}
THREE = "1 Ann 2w1\n2 Bob 1b0\n3 Cat 4w=\n4 Dan 3b=\n5 Eve 6w0\n6 Fay 5b1"
LONGER = THREE.replace("2w1", "2w1 3b=").replace("4w=", "4w= 1w=")


@pytest.mark.parametrize(
    ("crosstable", "more"),
    [(THREE, {"start": "2025-10-11", "end": "2025-10-12"}), (LONGER, {})],
    ids=["another first day", "a round more"],
)
def test_whole_rounds_of_three_games_elsewhere_are_asked_about(crosstable, more):
    """A report sent twice, with a date corrected or a round added, would be rated twice without a word."""
    before = pipeline.run(months.inputs("2025-11", SIX, [EVENT | {"crosstable": THREE}])).frames["rated"]
    inputs = months.inputs("2025-11", SIX, [EVENT | {"crosstable": crosstable, "id": "OTHER"} | more])
    month = pipeline.run(pipeline.Inputs(**{**vars(inputs), "rated": before}))
    assert codes(month) == ["R205"]
    (text,) = month.findings.loc[month.findings["code"] == "R205", "text"]
    assert text.startswith("1 rounds with the same 3 games, colours and results as tournament T: are they rated twice?")
    assert month.rejected.empty
    inputs = months.inputs("2025-11", SIX, [EVENT | {"crosstable": crosstable, "id": "OTHER", "approvals": "distinct"}])
    assert codes(pipeline.run(pipeline.Inputs(**{**vars(inputs), "rated": before}))) == []


def test_two_that_were_both_played_are_approved_as_distinct(rated):
    month = run(FIRST, rated, id="OTHER", approvals="distinct")
    assert (codes(month), played(month)) == ([], 2)


def test_the_word_on_one_of_two_is_enough():
    one, two = (EVENT | {"id": name, "crosstable": FIRST} for name in ("A", "B"))
    both = pipeline.run(months.inputs("2025-11", LISTS, [one, two]))
    assert (codes(both), len(both.rejected), played(both)) == (["R107"], 2, 0)
    both = pipeline.run(months.inputs("2025-11", LISTS, [one, two | {"approvals": "distinct"}]))
    assert (codes(both), played(both)) == ([], 4)


def test_an_excluded_game_is_rated_no_later_either():
    excluded = run(FIRST, exclusions=[{"tournament_id": "T", "round": 1, "player_id": "Ann", "reason": "fair play"}])
    assert played(excluded) == 1
    month = run(FIRST, excluded.frames["rated"])
    assert (codes(month), played(month)) == (["G306"], 0)


def test_a_rejected_or_waiting_report_is_not_remembered_as_rated():
    assert run(FIRST.replace("1b0", "1b1")).frames["rated"].empty
    assert run(FIRST, start="2025-10-29", end="2025-10-30").frames["rated"].empty


def parts(first, second, **more):
    """A league of which part 2, registered without rounds, holds the rounds of part 1 too, in the same month."""
    one = EVENT | {"part": 1, "crosstable": first, "rounds_to": 1}
    two = EVENT | {"part": 2, "crosstable": second, "start": "2025-10-11", "end": "2025-10-12"}
    return pipeline.run(months.inputs("2025-11", LISTS, [one, two], **more))


def test_a_round_in_two_parts_of_one_month_counts_once():
    """README: a file may hold the rounds of earlier parts; they are not counted again. Twice two games."""
    month = parts(FIRST, GROWN)
    assert (codes(month), played(month)) == (["G306"], 4)
    assert month.frames["rated"][["part", "round"]].to_numpy().tolist() == [[1, 1], [2, 2]]
    assert month.frames["changes"].set_index("player_id").loc["Ann", "n"] == 2


def test_a_round_that_differs_in_a_later_part_rejects_that_part():
    month = parts(FIRST.replace("2w1", "2w=").replace("1b0", "1b="), GROWN)
    assert (codes(month), played(month)) == (["R109"], 2)
    assert month.frames["tournaments"].set_index("part")["status"].to_dict() == {1: "used", 2: "rejected"}
    assert month.rejected["text"].tolist() == [
        "round 1 differs from what was rated for 2025-11; a changed report is never rated twice: take it out and make "
        "the correction by corrections.csv"
    ]


def test_a_round_of_a_rejected_part_counts_in_the_other():
    """Part 1 contradicts itself (G104): nothing of it is rated, and round 1 counts in part 2."""
    month = parts(FIRST.replace("1b0", "1b1"), GROWN)
    assert (month.rejected["code"].tolist(), codes(month), played(month)) == (["G104"], [], 4)
    assert month.frames["rated"][["part", "round"]].to_numpy().tolist() == [[2, 1], [2, 2]]
