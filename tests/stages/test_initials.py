"""initials: the pool of an unrated player over months - the first event, the window, who leaves it."""

import pytest
from cases import months

from ratingrun import periods, pipeline

LISTS = {of: {"Ann": 2000, "Eva": {"rating": None}} for of in ("2025-08", "2025-09", "2025-10")}


def event(number, games, start="2025-10-04", **more):
    return {"id": f"E{number}", "start": start, "end": start, "games": games} | more


def run(*events, pooled=(), period="2025-11"):
    return pipeline.run(months.inputs(period, LISTS, events, pooled=pooled))


def after(month, period, *events, lists=LISTS):
    """The next month, on what the month before left."""
    listed = month.frames["rating_list"]
    inputs = months.inputs(period, {**lists, periods.shift(period, -1): listed}, events)
    state = {name: month.frames[name] for name in ("pool", "rated")}
    return pipeline.run(pipeline.Inputs(**{**vars(inputs), **state, "no_games": not events}))


def eva(month, frame="initials"):
    return month.frames[frame].query("player_id == 'Eva'").iloc[0]


def pool(month):
    rows = month.frames["pool"].query("player_id == 'Eva'")
    return rows.groupby("tournament_id")["status"].agg(lambda words: " ".join(sorted(set(words)))).to_dict()


def test_a_first_event_without_a_point_stays_the_first_over_the_months():
    """0/3 in October, 0/2 in November, then 2 1/2 of 5: the second zero counts. n 7, p 3.5/9 = .39, dp -80."""
    first = run(event(1, "Eva 0-1 1800 x3"))
    assert eva(first)["outcome"] == "no_score"
    second = after(first, "2025-12", event(2, "Eva 0-1 1800 x2", start="2025-11-05"))
    assert (eva(second)["outcome"], eva(second)["n"]) == ("too_few_games", 2)
    assert pool(second) == {"E1": "zero_event", "E2": "carried"}
    games = "Eva 1-0 1800 x2\nEva = 1800\nEva 0-1 1800 x2"
    third = after(second, "2026-01", event(3, games, start="2025-12-05"))
    assert (eva(third)["n"], eva(third)["p_c"], eva(third)["ru"]) == (7, 39, 1720)
    assert eva(third, "rating_list")["rating"] == 1720


def test_a_late_report_of_an_earlier_event_becomes_the_first_event():
    """The order is that of the events' last days, not that of the lists that rated them."""
    month = run(event(1, "Eva 0-1 1800 x3", start="2025-10-04"))
    assert pool(month) == {"E1": "zero_event"}
    late = after(month, "2025-12", event(2, "Eva 1-0 1800", start="2025-09-20"))
    assert pool(late) == {"E1": "carried", "E2": "carried"}
    assert eva(late)["n"] == 4


def test_points_in_the_first_event_against_the_unrated_do_not_save_it():
    month = run(event(1, "Eva 1-0 unrated\nEva 0-1 1800 x2"))
    assert pool(month) == {"E1": "zero_event"}


def test_games_leave_the_pool_after_26_lists_and_say_so():
    pooled = [{"player_id": "Eva", "r_opp": 1800, "score_c": 100, "period": "2023-10"}] * 4
    month = run(event(1, "Ann 1-0 1800"), pooled=pooled)
    assert pool(month) == {"earlier": "carried"}
    later = after(month, "2025-12")
    assert pool(later) == {"earlier": "expired"}
    assert "I305" in set(later.findings["code"])
    assert pool(after(later, "2026-01")) == {} if len(later.frames["pool"]) else True


def test_a_first_rating_empties_the_pool():
    month = run(event(1, "Eva 1-0 1800 x5"))
    assert pool(month) == {"E1": "used"}
    assert eva(month, "rating_list")[["rating", "k", "games", "games_total"]].tolist() == [2109, 40, 5, 5]
    later = after(month, "2025-12", event(2, "Ann 1-0 Eva", start="2025-11-05"))
    assert later.frames["pool"].empty
    assert eva(later, "sides")["outcome"] == "rated"


@pytest.mark.parametrize("games", ["Eva 0-1 1400 x5\nEva = 1400", "Eva 0-1 1400 x4\nEva = 1400"])
def test_below_1400_is_carried_on_with_every_game(games):
    month = run(event(1, games))
    assert eva(month)["outcome"] == "below_floor"
    assert pool(month) == {"E1": "carried"}
    assert eva(month, "rating_list").isna()["rating"]
    later = after(month, "2025-12", event(2, "Eva 1-0 1800 x4", start="2025-11-05"))
    assert eva(later)["n"] == len(month.frames["pool"]) + 4
    assert eva(later)["outcome"] == "published"


def test_an_unrated_opponent_never_pays_later():
    """Both unrated at the start; Eva gets a first rating this month: Fay's game with her is still no game."""
    lists = {"2025-10": {"Eva": {"rating": None}, "Fay": {"rating": None}}}
    one = event(1, "Eva 1-0 1800 x5")
    two = event(2, "Fay 1-0 Eva", start="2025-10-11")
    month = pipeline.run(months.inputs("2025-11", lists, [one, two]))
    sides = month.frames["sides"].query("tournament_id == 'E2'")
    assert sides["reason"].tolist() == ["opponent_unrated"] * 2


def test_rated_since_the_start_one_side_of_the_game_counts():
    """8.2.4: Eva, unrated when the event began in October, has 2109 on November's list: rated, K 40; Ann is not.

    D 109: PD .65; -.65 x 40 = -26.
    """
    month = run(event(1, "Eva 1-0 1800 x5"))
    late = event(2, "Ann 1-0 Eva", start="2025-10-28", end="2025-11-02")
    later = after(month, "2025-12", late)
    sides = later.frames["sides"].set_index("player_id")
    assert sides.loc["Eva", ["outcome", "reason", "r", "r_opp", "dr_c"]].tolist() == [
        "rated",
        "one_sided",
        2109,
        2000,
        -65,
    ]
    assert sides.loc["Ann", ["outcome", "reason"]].tolist() == ["none", "opponent_unrated"]
    assert eva(later, "rating_list")["rating"] == 2083


def test_rated_at_the_start_but_no_longer_the_own_side_is_pooled():
    """A10b: Bob was 1401 when the event began and fell below 1400 on the list just before."""
    lists = {"2025-09": {"Ann": 1600, "Bob": 1401}, "2025-10": {"Ann": 1610, "Bob": {"rating": None, "peak": 1450}}}
    long = {"id": "T", "start": "2025-09-28", "end": "2025-10-02", "games": "Ann 1-0 Bob"}
    month = pipeline.run(months.inputs("2025-11", lists, [long]))
    sides = month.frames["sides"].set_index("player_id")
    assert sides.loc["Ann", ["outcome", "r", "r_opp"]].tolist() == ["rated", 1600, 1401]
    assert sides.loc["Bob", ["outcome", "reason"]].tolist() == ["pool", "rated_at_start_only"]
    rows = month.frames["pool"]
    assert rows[["player_id", "r_opp", "score_c"]].to_numpy().tolist() == [["Bob", 1600, 0]]


def test_until_2014_an_event_of_two_games_is_no_block_and_no_first_one():
    """Two wins in an event of two games count for nothing; the first block, of three games with half a point, lacks
    the one point against rated players and is void; nine games of the next block count (fide-history 6 and 7: blocks
    of at least three, at least one point in the first). 4 1/2 of 9 against 1500: 50 %, Ru = Ra = 1500."""
    day = {"two": "2013-10-05", "first": "2013-10-12", "next": "2013-10-19"}
    games = {
        "two": "New 1-0 1500 x2",
        "first": "New = 1500\nNew 0-1 1500 x2",
        "next": "New = 1500 x9",
    }
    events = [{"id": name, "start": day[name], "end": day[name], "games": games[name]} for name in games]
    month = pipeline.run(months.inputs("2013-11", {"2013-10": {"Ann": 2000}}, events))
    row = month.frames["initials"].set_index("player_id").loc["New"]
    assert row[["n", "w_c", "ru", "outcome"]].tolist() == [9, 450, 1500, "published"]
