"""players: dated facts - renamed, titled, transferred, gone, back - as they hold on the day of the list."""

import pandas as pd
import pytest
from cases import months

from ratingrun import pipeline

LISTS = {"2025-10": {"Ann": 2000, "Bob": 1900, "Eva": {"rating": None}}}
EVENT = {"id": "T", "start": "2025-10-04", "end": "2025-10-05", "games": "Ann 1-0 Bob\nBob 1-0 Eva"}


def run(*facts, lists=LISTS, period="2025-11", events=(EVENT,), **more):
    facts = [{"date": pd.Timestamp(row.pop("date"))} | row for row in map(dict, facts)]
    return pipeline.run(months.inputs(period, lists, events, players=facts, **more))


def player(month, player_id="Ann"):
    return month.frames["rating_list"].set_index("player_id").loc[player_id]


@pytest.mark.parametrize(("date", "title"), [("2025-10-31", "FM"), ("2025-11-01", "FM"), ("2025-11-02", None)])
def test_a_fact_holds_from_its_day_on(date, title):
    said = player(run({"player_id": "Ann", "date": date, "title": "FM"}))["title"]
    assert (None if pd.isna(said) else said) == title


def test_renamed_transferred_and_born():
    facts = {"name": "Arden, A.", "federation": "YYY", "sex": "w", "birth_year": 2001, "w_title": "WIM",
             "o_title": "IA,FT", "foa_title": "ACM"}  # fmt: skip
    row = player(run({"player_id": "Ann", "date": "2025-10-20"} | facts))
    assert row[list(facts)].to_dict() == facts
    assert row["rating"] == 2007  # +.36 x 20


def test_the_newest_filled_cell_counts_and_empty_cells_say_nothing():
    month = run(
        {"player_id": "Ann", "date": "2025-10-20", "title": "FM", "federation": "YYY"},
        {"player_id": "Ann", "date": "2025-10-25", "title": "IM"},
        {"player_id": "Ann", "date": "2025-10-02", "title": "CM", "name": "First"},
    )
    assert player(month)[["title", "federation", "name"]].tolist() == ["IM", "YYY", "First"]


def test_the_year_of_birth_told_now_gives_the_k_of_the_new_list():
    assert player(run({"player_id": "Ann", "date": "2025-10-20", "birth_year": 2010}))["k"] == 40


@pytest.mark.parametrize("status", ["withdrawn", "deceased"])
def test_who_leaves_is_removed_by_name_with_the_last_games_counted(status):
    month = run({"player_id": "Bob", "date": "2025-10-20", "status": status})
    assert set(month.frames["rating_list"]["player_id"]) == {"Ann", "Eva"}
    rows = month.frames["trail"].query("player_id == 'Bob'")
    # Bob loses to 2000, the game with Eva does not count: -.36 x 20 = -7.2
    assert rows[["entry", "amount"]].to_numpy().tolist() == [["change", -7], ["removed", -1893]]
    assert player(month)["rating"] == 2007
    assert "L302" in set(month.findings["code"])


def test_a_pooled_player_who_leaves_takes_the_games_out_of_the_pool():
    month = run({"player_id": "Eva", "date": "2025-10-20", "status": "deceased"})
    assert month.frames["pool"]["status"].tolist() == ["removed"]
    assert "Eva" not in set(month.frames["rating_list"]["player_id"])


def test_a_game_of_who_had_left_before_counts_for_the_opponent_only():
    """A late report: Bob left before October's list, but was on September's, under which the event began."""
    lists = {"2025-09": {"Ann": 2000, "Bob": 1900}, "2025-10": {"Ann": 2000}}
    event = {"id": "T", "start": "2025-09-20", "end": "2025-09-21", "games": "Ann 1-0 Bob"}
    month = run({"player_id": "Bob", "date": "2025-09-25", "status": "withdrawn"}, lists=lists, events=[event])
    sides = month.frames["sides"].set_index("player_id")
    assert sides.loc["Ann", ["outcome", "r_opp"]].tolist() == ["rated", 1900]
    assert sides.loc["Bob", ["outcome", "reason"]].tolist() == ["none", "left_list"]
    assert set(month.frames["rating_list"]["player_id"]) == {"Ann"}


def test_a_return_within_the_month_is_no_leaving():
    month = run(
        {"player_id": "Bob", "date": "2025-10-10", "status": "withdrawn"},
        {"player_id": "Bob", "date": "2025-10-20", "status": "active"},
    )
    assert player(month, "Bob")["rating"] == 1893


def test_back_after_having_left_is_a_new_unrated_player():
    facts = [
        {"player_id": "Bob", "date": "2025-08-10", "status": "withdrawn"},
        {"player_id": "Bob", "date": "2025-10-20", "status": "active", "name": "Bob", "federation": "ZZZ"},
    ]
    month = run(*facts, lists={"2025-10": {"Ann": 2000, "Eva": {"rating": None}}})
    assert player(month, "Bob").isna()["rating"]
    assert player(month, "Bob")["games_total"] == 0


def test_a_player_told_by_players_csv_is_on_the_list_without_a_game():
    month = run({"player_id": "New", "date": "2025-10-20", "name": "New", "federation": "ZZZ", "birth_year": 2011})
    row = player(month, "New")
    assert (row["name"], row["birth_year"], row["active"], row["games_total"]) == ("New", 2011, False, 0)


def test_a_player_of_whom_only_a_title_is_told_is_a_warning():
    month = run({"player_id": "New", "date": "2025-10-20", "title": "CM"})
    assert month.findings.query("code == 'L201'")["text"].tolist() == [
        "player New is unknown and the row does not say name; fill it in"
    ]
    assert "New" not in set(month.frames["rating_list"]["player_id"])


def test_a_newcomer_with_such_a_row_is_listed_with_the_first_rating():
    """Five wins against 1800: 2109; the title from players.csv, the rest from the report."""
    event = {"id": "T", "start": "2025-10-04", "end": "2025-10-05", "games": "New 1-0 1800 x5"}
    month = run({"player_id": "New", "date": "2025-10-03", "title": "CM"}, events=[event])
    assert player(month, "New")[["rating", "title", "name", "games_total"]].tolist() == [2109, "CM", "New", 5]


BACK = [
    {"player_id": "Bob", "date": "2025-08-10", "status": "withdrawn"},
    {"player_id": "Bob", "date": "2025-10-03", "status": "active"},
]


def test_who_comes_back_and_plays_is_new_and_the_games_go_to_the_pool():
    """Bob left before October's list and is back before the event: like anybody unrated (7.1.4, 8.2) he has one game
    against the rated Ann in the pool, and his name from the report. 'Left the list' would be wrong of him."""
    month = run(*BACK, lists={"2025-10": {"Ann": 2000}}, events=[EVENT | {"games": "Ann = Bob"}])
    side = month.frames["sides"].set_index("player_id").loc["Bob"]
    assert (side["outcome"], side["r_opp"]) == ("pool", 2000)
    assert month.frames["pool"][["player_id", "status"]].to_numpy().tolist() == [["Bob", "carried"]]
    assert player(month, "Bob")[["name", "games_total"]].tolist() == ["Bob", 0]


def test_who_comes_back_with_five_games_has_a_first_rating():
    """Five wins against 1800: p 6/7 = .86, dp 309: 2109 (8.2.3)."""
    event = {"id": "T", "start": "2025-10-04", "end": "2025-10-05", "games": "Bob 1-0 1800 x5"}
    month = run(*BACK, lists={"2025-10": {"Ann": 2000}}, events=[event])
    assert player(month, "Bob")[["rating", "games", "games_total"]].tolist() == [2109, 5, 5]


def test_of_who_has_left_a_late_report_need_not_say_who_he_is():
    """Bob is on no list any more and comes on none: a report with nothing but his id is no reason for R105."""
    lists = {"2025-09": {"Ann": 2000, "Bob": 1900}, "2025-10": {"Ann": 2000}}
    event = {"id": "T", "start": "2025-09-20", "end": "2025-09-21", "games": "Ann 1-0 Bob",
             "entries": {"Bob": {"federation": None, "birth_year": None}}}  # fmt: skip
    month = run({"player_id": "Bob", "date": "2025-09-25", "status": "withdrawn"}, lists=lists, events=[event])
    assert month.rejected.empty
    assert player(month)["rating"] == 2007  # +.36 x 20
