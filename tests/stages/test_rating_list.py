"""rating_list: counters, peak, floor, activity and K of the new list; the ledger beside it."""

import pandas as pd
import pytest
from cases import months

from ratingrun import pipeline

EVENT = {"id": "T", "start": "2025-10-04", "end": "2025-10-05", "games": "Ann 1-0 Bob"}


def run(ann, bob=1900, **more):
    more = {"events": [EVENT]} | more
    return pipeline.run(months.inputs("2025-11", {"2025-10": {"Ann": ann, "Bob": bob}}, **more))


def player(month, player_id="Ann"):
    return month.frames["rating_list"].set_index("player_id").loc[player_id]


def test_counters_and_day_of_the_last_game():
    row = player(run({"rating": 2000, "games_total": 50, "last_played": pd.Timestamp("2025-03-01")}))
    assert (row["games"], row["games_total"], row["last_played"]) == (1, 51, pd.Timestamp("2025-11-01"))


def test_who_did_not_play_has_no_games_this_month_and_keeps_the_rest():
    cat = {"rating": 1700, "games": 9, "games_total": 50, "last_played": pd.Timestamp("2025-03-01")}
    month = pipeline.run(months.inputs("2025-11", {"2025-10": {"Ann": 2000, "Bob": 1900, "Cat": cat}}, [EVENT]))
    row = player(month, "Cat")
    assert (row["games"], row["games_total"], row["last_played"]) == (0, 50, pd.Timestamp("2025-03-01"))
    assert month.frames["trail"].query("player_id == 'Cat'").empty


def test_a_peak_is_a_published_rating():
    assert player(run({"rating": 2000, "peak": 2000}))["peak"] == 2007
    assert player(run({"rating": 2000, "peak": 2100}))["peak"] == 2100


def test_the_30th_game_gives_k_20():
    assert player(run({"rating": 2000, "games_total": 28, "k": 40}))["k"] == 40
    assert player(run({"rating": 2000, "games_total": 29, "k": 40}))["k"] == 20


def test_2400_reached_gives_k_10_for_ever():
    """2395 beats 2300 (D 95: PD .63): +.37 x 20 = 7.4."""
    month = run({"rating": 2395, "k": 20}, bob=2300)
    assert player(month)[["rating", "peak", "k", "k_clause"]].tolist() == [2402, 2402, 10, "8.3.3 reached 2400"]
    fallen = {"rating": 2210, "peak": 2402, "k": 10}
    assert player(run(fallen, bob=2300))["k"] == 10


@pytest.mark.parametrize(("last", "active"), [("2024-12-01", True), ("2024-11-01", False), (None, False)])
def test_active_with_a_game_within_twelve_lists(last, active):
    """Lists 2024-12 to 2025-11 are twelve."""
    cat = {"rating": 1700, "last_played": last and pd.Timestamp(last), "active": True}
    month = pipeline.run(months.inputs("2025-11", {"2025-10": {"Ann": 2000, "Bob": 1900, "Cat": cat}}, [EVENT]))
    assert player(month, "Cat")["active"] == active
    assert player(month, "Cat")["rating"] == 1700


def test_active_again_with_a_rated_game():
    assert player(run({"rating": 2000, "last_played": pd.Timestamp("2020-01-01"), "active": False}))["active"]


def test_games_that_do_not_count_do_not_make_active():
    inactive = {"rating": 2000, "last_played": pd.Timestamp("2020-01-01"), "active": False}
    month = run(inactive, events=[EVENT | {"games": "Ann +/- Bob\nAnn 1-0 unrated"}])
    assert not player(month)["active"]


def test_below_the_floor_the_rating_goes_and_games_and_peak_stay():
    """1401 with K 40 loses to 1400 (D 1: PD .50): -20."""
    month = run(1400, bob={"rating": 1401, "k": 40, "games_total": 7, "peak": 1450})
    row = player(month, "Bob")
    assert row[["rating", "k", "k_clause"]].isna().all()
    assert (row["games"], row["games_total"], row["peak"]) == (1, 8, 1450)
    rows = month.frames["trail"].query("player_id == 'Bob'")
    assert rows[["entry", "amount", "before", "after"]].astype("object").fillna(0).to_numpy().tolist() == [
        ["change", -20, 1401, 1381],
        ["floor", -1381, 1381, 0],
    ]


def test_the_ledger_names_the_tournaments():
    other = EVENT | {"id": "U", "start": "2025-10-11", "end": "2025-10-12"}
    month = run(2000, events=[other, EVENT])
    row = month.frames["trail"].query("player_id == 'Ann'").iloc[0]
    assert (row["entry"], row["source"], row["clause"]) == ("change", "T, U", "8.3.4")


def test_a_newcomer_who_leaves_in_the_same_period_moves_nobody_else():
    """Nick plays his first games, pooled (8.2), and is withdrawn before the list: he comes on no list, and the last
    player on it, who did not play, keeps the day of his last game."""
    zoe = {"rating": 1700, "last_played": pd.Timestamp("2024-03-01")}
    nick = {"player_id": "Nick", "name": "Nick", "federation": "ZZZ", "birth_year": 2000}
    event = EVENT | {"games": "Ann 1-0 Nick"}
    month = pipeline.run(
        months.inputs(
            "2025-11",
            {"2025-10": {"Ann": 2000, "Zoe": zoe}},
            [event],
            players=[nick | {"date": "2025-10-20", "status": "withdrawn"}],
        )
    )
    assert month.frames["rating_list"]["player_id"].tolist() == ["Ann", "Zoe"]
    assert month.frames["sides"].set_index("player_id").loc["Nick", "outcome"] == "pool"
    assert player(month, "Zoe")["last_played"] == pd.Timestamp("2024-03-01") and not player(month, "Zoe")["active"]
