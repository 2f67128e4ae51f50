"""Ids that stand for another, through whole months: what was said under the old id holds for the player (README)."""

from dataclasses import replace

import pandas as pd
import pytest
from cases import months

from ratingrun import frames, periods, pipeline

EVENT = {"id": "T", "start": "2025-10-04", "end": "2025-10-05"}
# Old is Ann from 15 October on.
MERGE = {"player_id": "Old", "date": "2025-10-15", "merged_into": "Ann"}
ALIASES = months.table(
    frames.ALIASES, [{"alias": "77", "player_id": "Ann", "reason": "national", "source": "x", "line": 2}]
)


def inputs(lists, events, **more):
    return months.inputs("2025-11", {"2025-10": lists}, events, **more)


def listed(month, player_id="Ann"):
    return month.frames["rating_list"].set_index("player_id").loc[player_id]


def trail(month, player_id):
    rows = month.frames["trail"].query("player_id == @player_id")
    return rows[["entry", "amount"]].to_numpy().tolist()


def codes(month):
    return set(month.findings["code"])


# --- exclusions ------------------------------------------------------------------------------------------------------


def test_an_exclusion_under_an_alias_or_an_old_id_takes_the_game_out():
    """The office excludes a game of 77, or of Old, as the report has it; both are Ann. It must not be rated."""
    for written in ("77", "Old", "Ann"):
        event = EVENT | {"rounds": [(1, written, "Bob", "1-0"), (2, written, "Bob", "1-0")]}
        out = [{"tournament_id": "T", "round": 1, "player_id": written, "reason": "fair play"}]
        lists = {"Ann": 2000, "Bob": 1900, "Old": 1500}
        month = pipeline.run(inputs(lists, [event], exclusions=out, players=[MERGE], aliases=ALIASES))
        assert month.frames["games"]["reason"].isna().tolist() == [False, True]
        assert listed(month)["rating"] == 2007  # one win with D 100: +.36 x 20
        assert "G201" not in codes(month)


# --- corrections -----------------------------------------------------------------------------------------------------


def test_a_correction_of_the_old_id_reaches_the_survivor_who_has_its_rating():
    """Ann, unrated, has Old's 1500 by the merge; Old is corrected to 1600 on the list just before: 1600 is her base."""
    lists = {"Ann": {"rating": None}, "Old": 1500, "Bob": 1600}
    patch = [{"player_id": "Old", "list_date": "2025-10-01", "field": "rating", "value": "1600", "reason": "claim"}]
    month = pipeline.run(inputs(lists, [EVENT | {"games": "Bob = 1600"}], players=[MERGE], corrections=patch))
    assert listed(month)["rating"] == 1600
    assert trail(month, "Ann") == [["merge", 1500], ["correction", 100]]
    # with a game against 1600: D 0, +.50 x 20 = 10
    month = pipeline.run(inputs(lists, [EVENT | {"games": "Ann 1-0 Bob"}], players=[MERGE], corrections=patch))
    assert trail(month, "Ann") == [["merge", 1500], ["correction", 100], ["change", 10]]


def test_corrections_of_both_ids_are_one_entry():
    lists = {"Ann": {"rating": None}, "Old": 1500, "Bob": 1600}
    patch = [
        {"player_id": who, "list_date": "2025-10-01", "field": "rating", "value": value, "reason": "claim"}
        for who, value in (("Old", "1550"), ("Ann", "1700"))
    ]
    month = pipeline.run(inputs(lists, [EVENT | {"games": "Bob = 1600"}], players=[MERGE], corrections=patch))
    assert trail(month, "Ann") == [["merge", 1500], ["correction", 200]]
    assert listed(month)["rating"] == 1700


def test_a_corrected_rating_of_2400_gives_k_10():
    """8.3.3: 10 once a published rating has reached 2400. Ann, unrated on the list with an old peak of 1500, is
    corrected to 2410: K 10. A draw with 2410 changes nothing, a win +.50 x 10."""
    patch = [{"player_id": "Ann", "list_date": "2025-10-01", "field": "rating", "value": "2410", "reason": "claim"}]
    lists = {"Ann": {"rating": None, "peak": 1500, "games_total": 100}}
    event = EVENT | {"games": "Ann 1-0 2410", "time_control": "120"}
    month = pipeline.run(inputs(lists, [event], corrections=patch))
    assert month.frames["changes"].set_index("player_id").loc["Ann", ["k_base", "change"]].tolist() == [10, 5]


def test_of_a_game_that_both_ids_had_the_survivors_stays_in_the_pool():
    """Two ids of one player in one event cannot both be right; whichever id comes first in the alphabet."""
    for old, now in (("A", "B"), ("B", "A")):
        pooled = [
            {"player_id": who, "tournament_id": "E", "round": 1, "r_opp": r_opp, "score_c": 50, "period": "2025-10"}
            for who, r_opp in ((old, 1500), (now, 1700))
        ]
        merge = {"player_id": old, "date": "2025-10-15", "merged_into": now}
        lists = {old: {"rating": None}, now: {"rating": None}, "Cat": 1800}
        month = pipeline.run(inputs(lists, [EVENT | {"games": "Cat = 1800"}], players=[merge], pooled=pooled))
        assert month.frames["pool"][["player_id", "r_opp"]].to_numpy().tolist() == [[now, 1700]]


# --- rated before ----------------------------------------------------------------------------------------------------

FIRST = [(1, "Old", "Bob", "1-0"), (1, "Cat", "Dan", "=")]
LISTS = {"Ann": 2000, "Old": 1900, "Bob": 1900, "Cat": 1800, "Dan": 1700}


def next_month(done, event, aliases=None):
    """The month after `done`, in which Old is Ann."""
    lists = {"2025-10": LISTS, "2025-11": done.frames["rating_list"]}
    said = {} if aliases is None else {"aliases": aliases}
    given = months.inputs("2025-12", lists, [event], players=[MERGE | {"date": "2025-11-15"}], **said)
    return pipeline.run(replace(given, pool=done.frames["pool"], rated=done.frames["rated"]))


@pytest.mark.parametrize("now", ["Old", "Ann"])
def test_a_round_that_was_rated_before_a_merge_is_known_again(now):
    """A league's report grows: round 1 was rated when Old was nobody else; after the merge it is still the same, and
    so it is if the report has the new id."""
    before = pipeline.run(inputs(LISTS, [EVENT | {"rounds": FIRST}]))
    first = [tuple(now if cell == "Old" else cell for cell in game) for game in FIRST]
    grown = EVENT | {"rounds": [*first, (2, now, "Cat", "1-0")]}
    after = next_month(before, grown)
    assert after.rejected.empty
    assert after.frames["sides"][["round", "player_id"]].to_numpy().tolist() == [[2, "Ann"], [2, "Cat"]]
    assert "G306" in codes(after)


def test_a_report_that_was_rated_before_a_merge_is_not_rated_under_another_id():
    """R107: the same games, colours, results and first day as tournament T, whoever Old is by now."""
    before = pipeline.run(inputs(LISTS, [EVENT | {"rounds": FIRST}]))
    for now in ("Old", "Ann"):
        rounds = [tuple(now if cell == "Old" else cell for cell in game) for game in FIRST]
        after = next_month(before, EVENT | {"id": "U", "rounds": rounds})
        assert after.rejected["code"].tolist() == ["R107"]


def test_a_round_is_known_again_although_an_alias_came_later():
    before = pipeline.run(inputs(LISTS | {"77": 1500}, [EVENT | {"rounds": [(1, "77", "Bob", "1-0")]}]))
    after = next_month(before, EVENT | {"rounds": [(1, "77", "Bob", "1-0"), (2, "77", "Cat", "=")]}, ALIASES)
    assert after.rejected.empty
    assert sorted(after.frames["sides"]["player_id"]) == ["Ann", "Cat"]


def test_the_same_file_is_the_same_report_whatever_aliases_there_are_by_then():
    """88 was an alias from the start, 77 is one from November on: the file with both comes in again and grows."""
    both = months.table(frames.ALIASES, [
        {"alias": alias, "player_id": who, "reason": "national", "source": "x", "line": 2}
        for alias, who in (("77", "Ann"), ("88", "Cat"))
    ])  # fmt: skip
    first = [(1, "77", "Bob", "1-0"), (1, "88", "Dan", "=")]
    before = pipeline.run(inputs(LISTS | {"77": 1500}, [EVENT | {"rounds": first}], aliases=both[1:]))
    after = next_month(before, EVENT | {"rounds": [*first, (2, "77", "88", "=")]}, both)
    assert after.rejected.empty
    assert after.frames["sides"][["round", "player_id"]].to_numpy().tolist() == [[2, "Ann"], [2, "Cat"]]


# --- rapid and blitz ------------------------------------------------------------------------------------------------


def test_the_standard_rating_of_the_old_id_is_the_survivors_seed():
    """Rapid and blitz 7.2: Ann has no rapid rating; on the standard list in force at the start she still stood as Old,
    1700. D -100 against 1800: +.64 x 40 = 25.6 = +26. K 40: nothing was published of her on this list."""
    event = EVENT | {"rounds": [(1, "Old", "Bob", "1-0")], "time_control": "15+10"}
    given = inputs({"Bob": 1800}, [event], players=[MERGE, {"player_id": "Ann", "date": "2025-10-15", "name": "Ann",
                   "federation": "ZZZ"}], system="fide_rapid_blitz", rating_type="rapid")  # fmt: skip
    day = periods.list_date("2025-10")
    seeds = {day: months.rating_list({"Old": 1700}, day)}
    month = pipeline.run(replace(given, register=given.register.assign(rating_type="rapid"), seeds=seeds))
    assert trail(month, "Ann") == [["seed", 1700], ["change", 26]]
    assert not pd.isna(listed(month)["rating"])
