"""lists: corrections of dated lists wherever they are read, the K that a list publishes."""

import pandas as pd
from cases import months

from ratingrun import pipeline

LISTS = {
    "2025-09": {"Ann": 1990, "Bob": 1900},
    "2025-10": {"Ann": 2000, "Bob": 1900},
}
OCTOBER = {"id": "T", "start": "2025-10-04", "end": "2025-10-05", "games": "Ann 1-0 Bob"}
SEPTEMBER = OCTOBER | {"start": "2025-09-28"}


def run(event, *corrections):
    full = [{"list_date": "2025-10-01", "reason": "claim 7"} | row for row in corrections]
    return pipeline.run(months.inputs("2025-11", LISTS, [event], corrections=full))


def player(month, player_id="Ann"):
    return month.frames["rating_list"].set_index("player_id").loc[player_id]


def side(month, player_id="Ann"):
    return month.frames["sides"].set_index("player_id").loc[player_id]


def trail(month, player_id="Ann"):
    rows = month.frames["trail"].query("player_id == @player_id")
    return rows[["entry", "amount", "before", "after"]].astype("object").replace({pd.NA: None}).to_numpy().tolist()


def test_a_corrected_rating_counts_in_the_games_and_as_base():
    """2100 against 1900: D 200, PD .76; a win +.24 x 20 = 4.8, from 2100."""
    month = run(OCTOBER, {"player_id": "Ann", "field": "rating", "value": "2100"})
    assert (side(month)["r"], side(month, "Bob")["r_opp"], side(month)["dr_c"]) == (2100, 2100, 24)
    assert trail(month) == [["correction", 100, 2000, 2100], ["change", 5, 2100, 2105]]
    assert player(month)["rating"] == 2105


def test_a_correction_of_an_earlier_list_counts_in_its_games_only():
    """The event began under September's list: 2090 there; base 2000."""
    month = run(SEPTEMBER, {"player_id": "Ann", "list_date": "2025-09-01", "field": "rating", "value": "2090"})
    assert side(month)["r"] == 2090
    assert trail(month) == [["change", 5, 2000, 2005]]


def test_a_corrected_k_is_used():
    month = run(OCTOBER, {"player_id": "Ann", "field": "k", "value": "40"})
    row = month.frames["changes"].set_index("player_id").loc["Ann"]
    assert (row["k_base"], row["change_c"]) == (40, 40 * 36)
    # the new list's K is computed again, from games and peak
    assert player(month)["k"] == 20


def test_corrected_games_and_peak_give_the_k_of_the_new_list():
    assert player(run(OCTOBER, {"player_id": "Ann", "field": "games_total", "value": "3"}))["k"] == 40
    assert player(run(OCTOBER, {"player_id": "Ann", "field": "peak", "value": "2400"}))["k"] == 10


def test_a_rating_taken_away():
    month = run(OCTOBER, {"player_id": "Bob", "field": "rating", "value": None})
    assert player(month, "Bob").isna()["rating"]
    assert side(month)["reason"] == "opponent_unrated"
    assert side(month, "Bob")["outcome"] == "pool"


def test_a_rating_given_to_an_unrated_player_has_a_k():
    with_eva = {of: listed | {"Eva": {"rating": None}} for of, listed in LISTS.items()}
    corrections = [
        {
            "player_id": "Eva",
            "list_date": "2025-10-01",
            "field": "rating",
            "value": "1800",
            "reason": "late first rating",
        }
    ]
    event = OCTOBER | {"games": "Ann 1-0 Eva"}
    month = pipeline.run(months.inputs("2025-11", with_eva, [event], corrections=corrections))
    # D 200: -.24 x 40 = -9.6
    assert trail(month, "Eva") == [["correction", 1800, None, 1800], ["change", -10, 1800, 1790]]
    assert player(month, "Eva")["k"] == 40


def test_a_correction_to_below_the_floor_leaves_the_player_unrated():
    month = run(OCTOBER, {"player_id": "Bob", "field": "rating", "value": "1399"})
    assert [entry for entry, *_ in trail(month, "Bob")] == ["correction", "change", "floor"]
    assert player(month, "Bob").isna()["rating"]


def test_nobody_of_that_id_stops_the_run():
    month = run(OCTOBER, {"player_id": "Nobody", "field": "rating", "value": "1900"})
    assert month.stopped
    assert month.findings["code"].tolist() == ["F116"]


def test_a_corrected_yes_or_no_is_said_as_it_is_written():
    month = run(OCTOBER, {"player_id": "Bob", "field": "active", "value": "no"})
    said = month.findings.loc[month.findings["code"] == "L303", "text"].tolist()
    assert said == ["player Bob is corrected on the list of 2025-10: active yes -> no; nothing to do"]
