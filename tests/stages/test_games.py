"""games: two half-records become one game; a decision takes games out."""

import pytest
from cases import months

from ratingrun import pipeline

LISTS = {"2025-10": {"Ann": 2000, "Bob": 1900, "Cat": 1800, "Dan": 1700}}
EVENT = {
    "id": "T",
    "start": "2025-10-04",
    "end": "2025-10-05",
    "crosstable": "1 Ann 2w1 3b=\n2 Bob 1b0 4w1\n3 Cat 4w1 1w=\n4 Dan 3b0 2b0",
}


def run(crosstable=EVENT["crosstable"], **exclusion):
    exclusions = [{"tournament_id": "T", "reason": "decision"} | exclusion] if exclusion else []
    return pipeline.run(months.inputs("2025-11", LISTS, [EVENT | {"crosstable": crosstable}], exclusions=exclusions))


def excluded(month):
    rows = month.frames["games"].query("reason == 'exclusion'")
    return [(row.round, row.white_id, row.black_id) for row in rows.itertuples()]


def codes(month):
    return sorted(month.findings.query("code != 'B301'")["code"])


@pytest.mark.parametrize(("exclusion", "games"), [
    ({"round": 1, "player_id": "Bob"}, [(1, "Ann", "Bob")]),
    ({"round": 1}, [(1, "Ann", "Bob"), (1, "Cat", "Dan")]),
    ({"player_id": "Dan"}, [(1, "Cat", "Dan"), (2, "Bob", "Dan")]),
    ({"tournament_id": "T"}, [(1, "Ann", "Bob"), (1, "Cat", "Dan"), (2, "Bob", "Dan"), (2, "Cat", "Ann")]),
])  # fmt: skip
def test_a_decision_takes_out_a_game_a_round_a_player_or_all(exclusion, games):
    month = run(**exclusion)
    assert excluded(month) == games
    assert codes(month) == ["G305"] * len(games)


@pytest.mark.parametrize("exclusion", [
    {"round": 3}, {"player_id": "Eva"}, {"round": 1, "player_id": "nobody"},
    {"tournament_id": "TT"},  # a slip in the id must not leave the game in without a word
])  # fmt: skip
def test_a_decision_that_matches_nothing_is_a_warning(exclusion):
    month = run(**exclusion)
    assert excluded(month) == []
    assert codes(month) == ["G201"]


def test_one_row_a_game_and_one_a_bye():
    month = run("1 Ann 2w1 H\n2 Bob 1b0 3w+\n3 Cat F 2b-\n4 Dan . -")
    rows = month.frames["games"][["round", "white_id", "black_id", "white_c", "reason"]]
    assert rows.astype("object").fillna("").to_numpy().tolist() == [
        [1, "Ann", "Bob", 100, ""],
        [1, "Cat", "", "", "bye"],
        [1, "Dan", "", "", "absent"],
        [2, "Ann", "", "", "bye"],
        [2, "Bob", "Cat", "", "forfeit"],
        [2, "Dan", "", "", "forfeit"],
    ]


@pytest.mark.parametrize(("cells", "reason"), [
    (("2w+", "1b-"), "forfeit"), (("2w-", "1b-"), "forfeit"), (("2w+", "1b+"), "forfeit"),
    (("2wW", "1bL"), "less_than_one_move"), (("2wD", "1bD"), "less_than_one_move"),
    (("2wL", "1bW"), "less_than_one_move"), (("2w+", "1bL"), "forfeit"),
])  # fmt: skip
def test_what_was_not_played_over_the_board(cells, reason):
    month = run(f"1 Ann {cells[0]}\n2 Bob {cells[1]}")
    assert month.frames["games"]["reason"].tolist() == [reason]
    assert month.frames["sides"].empty
