"""Rules that need a run of sections: start values, dual rating, matches, floors, foreign events, ceilings.

Expected values are worked out from the specification (reference, section 1), not by our code.
"""

import numpy as np
import pandas as pd
import pytest

from ratingrun import frames
from ratingrun.uschess import books, sections
from ratingrun.uschess.steps import STATE

DAY = pd.Timestamp("2025-10-05")
MIXED = {"n": 100.0, "wins": 40.0, "draws": 20.0, "losses": 40.0, "events": 25.0}
EVENT = {"event_id": "E", "section": 1, "start": DAY, "end": DAY, "pools": "regular", "dual": False, "kind": "swiss"}


def state(*rows):
    """(player, pool, rating, more) rows."""
    made = []
    for player, pool, rating, *more in rows:
        made.append({"player_id": player, "pool": pool} | STATE | {"rating": rating} | (more[0] if more else MIXED))
    return pd.DataFrame(made)


def games(*rows, event="E", section=1):
    """(white, black, score) rows, a round each."""
    made = [(event, section, i, *row[:3], *(row[3:] or (np.nan, np.nan))) for i, row in enumerate(rows, 1)]
    names = ["event_id", "section", "round", "white", "black", "score", "white_fide", "black_fide"]
    return pd.DataFrame(made, columns=names)


def members(*rows):
    """Dictionaries with player_id and facts; the date is that of a rating."""
    base = dict.fromkeys(frames.MEMBERS.names) | {"date": pd.Timestamp("2025-01-01")}
    made = [base | {"line": i} | row for i, row in enumerate(rows, 2)]
    return frames.MEMBERS.build(pd.DataFrame(made)) if made else frames.MEMBERS.empty()


def floors(*rows):
    base = dict.fromkeys(frames.FLOORS.names) | {"date": pd.Timestamp("2025-01-01"), "reason": "x", "source": "x"}
    made = [base | {"line": i, "pool": "regular"} | row for i, row in enumerate(rows, 2)]
    return frames.FLOORS.build(pd.DataFrame(made))


def run(players, played, *events, facts=None):
    return sections.run(pd.DataFrame([EVENT | one for one in (events or [{}])]), played, players, facts)


def step(done, player, pool="regular", event="E"):
    rows = done.steps
    return rows[(rows["player_id"] == player) & (rows["pool"] == pool) & (rows["event_id"] == event)].iloc[0]


# --- step 1 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "start"),
    [
        ({"birth_date": pd.Timestamp("2015-10-05")}, 50 * 3653 / 365.25),  # ten years to the day
        ({"birth_date": pd.Timestamp("1990-01-01")}, 1300),
        ({"birth_date": pd.Timestamp("2024-01-01")}, 750),  # under three: an error of the date
        ({"birth_date": pd.Timestamp("2024-01-01"), "adult": "yes"}, 1300),
        ({"adult": "yes"}, 1300),
        ({}, 750),
    ],
)
def test_start_by_age(facts, start):
    known = sections.Facts(members({"player_id": "new"} | facts))
    done = run(state(("a", "regular", 1500.0)), games(("a", "new", 1)), facts=known)
    row = step(done, "new")
    assert (row["before"], row["n_before"], row["start_by"]) == (pytest.approx(start), 0, "age")


def test_start_by_a_blend_as_the_specification_has_it():
    """Born 2000-07-01, an online Blitz event that ended on 2020-09-01: 1702 from 10 games."""
    last = {"regular": "2018-03-25", "quick": "2018-01-13", "blitz": "2016-07-16"}
    rating = {"regular": 1759.0, "quick": 1643.0, "blitz": 1658.0}
    days = {pool: (pd.Timestamp(day) - pd.Timestamp("1970-01-01")).days for pool, day in last.items()}
    known = [("new", pool, rating[pool], MIXED | {"last": float(days[pool])}) for pool in last]
    day = pd.Timestamp("2020-09-01")
    event = {"start": day, "end": day, "pools": "online_blitz"}
    facts = sections.Facts(members({"player_id": "new", "birth_date": pd.Timestamp("2000-07-01")}))
    done = run(state(("a", "online_blitz", 1500.0), *known), games(("a", "new", 1)), event, facts=facts)
    row = step(done, "new", "online_blitz")
    assert (row["before"], row["n_before"], row["start_by"]) == (1702, 10, "blend")


@pytest.mark.parametrize(
    ("fide", "day", "wanted", "n"),
    [
        (1800, "2025-10-05", 1747, 5),  # -1073 + 1.5667 x 1800 = 1747.06
        (2200, "2025-10-05", 2264, 10),  # 20 + 1.02 x 2200
        (1420, "2024-02-01", 1515, 5),  # 180 + 0.94 x 1420: a published case
    ],
)
def test_start_from_a_fide_rating_by_date(fide, day, wanted, n):
    day = pd.Timestamp(day)
    facts = sections.Facts(members({"player_id": "new", "fide": fide, "date": day, "adult": "yes"}))
    done = run(state(("a", "regular", 1500.0)), games(("a", "new", 1)), {"start": day, "end": day}, facts=facts)
    assert (step(done, "new")["before"], step(done, "new")["n_before"]) == (wanted, n)


@pytest.mark.parametrize(("day", "wanted"), [("2025-10-05", 1682), ("2024-10-05", 1300)])
def test_start_from_a_cfc_rating_only_since_2025(day, wanted):
    day = pd.Timestamp(day)
    facts = sections.Facts(members({"player_id": "new", "cfc": 1800, "date": day, "adult": "yes"}))
    done = run(state(("a", "regular", 1500.0)), games(("a", "new", 1)), {"start": day, "end": day}, facts=facts)
    assert step(done, "new")["before"] == wanted


def test_a_foreign_rating_after_the_event_is_not_known_then():
    facts = sections.Facts(members({"player_id": "new", "fide": 2200, "date": pd.Timestamp("2025-12-01")}))
    done = run(state(("a", "regular", 1500.0)), games(("a", "new", 1)), facts=facts)
    assert step(done, "new")["start_by"] == "age"


def test_the_games_of_a_source_limit_its_weight():
    """Three games in the other pool, on the day: the weight is 3 x S, so N is at most 3."""
    day = float((DAY - pd.Timestamp("1970-01-01")).days)
    known = ("new", "regular", 1600.0, {"n": 3.0, "wins": 1.0, "draws": 1.0, "losses": 1.0, "last": day})
    done = run(state(("a", "quick", 1500.0), known), games(("a", "new", 1)), {"pools": "quick"})
    assert (step(done, "new", "quick")["before"], step(done, "new", "quick")["n_before"]) == (1600, 3)


def test_a_start_by_the_office_goes_before_all():
    facts = sections.Facts(members({"player_id": "new", "fide": 2200, "start": 1450.0, "start_n": 4}))
    row = step(run(state(("a", "regular", 1500.0)), games(("a", "new", 1)), facts=facts), "new")
    assert (row["before"], row["n_before"], row["start_by"]) == (1450, 4, "given")


# --- dual rating -----------------------------------------------------------------------------------------------------


def test_a_dual_rated_section_is_rated_in_both_pools_from_what_stood_before():
    """A newcomer to both pools starts by age in both; one with a regular rating blends it as it was before."""
    day = float((DAY - pd.Timestamp("1970-01-01")).days)
    players = state(("a", "regular", 1500.0, MIXED | {"last": day}), ("b", "quick", 1400.0, MIXED | {"last": day}))
    played = games(("a", "b", 1), ("new", "a", 0), ("b", "new", 1))
    done = run(players, played, {"pools": "regular quick", "dual": True})
    assert step(done, "a", "quick")["before"] == 1500 and step(done, "a", "quick")["start_by"] == "blend"
    assert step(done, "b", "regular")["before"] == 1400
    assert {step(done, "new", pool)["start_by"] for pool in ("regular", "quick")} == {"age"}


def test_k_is_reduced_above_2200_in_the_regular_pool_of_dual_rated_sections_only():
    players = state(("a", "regular", 2300.0), ("b", "regular", 2300.0), ("a", "quick", 2300.0), ("b", "quick", 2300.0))
    both = run(players, games(("a", "b", 0.5)), {"pools": "regular quick", "dual": True})
    one = run(players, games(("a", "b", 0.5)))
    share = 6.5 - 0.0025 * 2300
    assert step(both, "a", "regular")["k"] == pytest.approx(step(one, "a")["k"] * share)
    assert step(both, "a", "quick")["k"] == pytest.approx(step(one, "a")["k"])


# --- matches ---------------------------------------------------------------------------------------------------------

MATCH = {"kind": "match"}


def test_a_match_gives_no_more_than_50():
    players = state(("a", "regular", 1500.0), ("b", "regular", 1800.0))
    done = run(players, games(*[("a", "b", 1)] * 10), MATCH)
    assert step(done, "a")["rating"] == 1550 and step(done, "a")["bonus"] == 0
    assert step(done, "b")["rating"] == 1750
    assert done.matches.set_index("player_id")["change"].to_dict() == {"a": 50, "b": -50}


def test_net_100_in_180_days_and_200_in_three_years():
    players = state(("a", "regular", 1500.0), *((f"b{i}", "regular", 1700.0) for i in range(8)))
    starts = [pd.Timestamp("2025-01-01") + pd.Timedelta(40 * i, "D") for i in range(8)]
    events = [MATCH | {"event_id": f"M{i}", "start": day, "end": day} for i, day in enumerate(starts)]
    played = pd.concat([games(*[("a", f"b{i}", 1)] * 10, event=f"M{i}") for i in range(8)])
    changes = run(players, played, *events).matches
    given = changes[changes["player_id"] == "a"].sort_values("event_id")["change"].tolist()
    # 50 + 50, then nothing for 180 days; from day 200 on 50 + 50 again; then three years' 200 are full
    assert given == [50, 50, 0, 0, 0, 50, 50, 0]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([("a", "regular", 1500.0), ("b", "regular", 1901.0)], "match_too_far_apart"),
        ([("a", "regular", 1500.0), ("b", "regular", 1500.0, MIXED | {"n": 25.0})], "match_not_established"),
        ([("a", "regular", 1500.0)], "match_not_established"),
    ],
)
def test_a_match_that_is_not_rated_changes_nothing_and_says_why(rows, why):
    players = state(*rows)
    done = run(players, games(("a", "b", 1)), MATCH)
    assert len(done.steps) == 0 and set(done.sides["reason"]) == {why}
    assert done.state["rating"].tolist() == players["rating"].tolist()


def test_floors_are_not_automatic_in_matches_and_a_result_below_takes_a_step_off():
    """Peak 1941: floor 1700. At 1705 a lost match goes below it; the floor is 1600 from then on."""
    players = state(("a", "regular", 1705.0, MIXED | {"peak": 1941.0}), ("b", "regular", 1705.0))
    later = {"event_id": "F", "start": DAY + pd.Timedelta(9, "D"), "end": DAY + pd.Timedelta(9, "D")}
    done = run(players, pd.concat([games(*[("a", "b", 0)] * 8), games(*[("a", "b", 0)] * 3, event="F")]), MATCH, later)
    assert step(done, "a")["rating"] == 1655 and step(done, "a")["below"]
    assert done.state.set_index("player_id").loc["a", "cut"] == 100
    assert 1600 <= step(done, "a", event="F")["rating"] < 1655 and step(done, "a", event="F")["floor"] == 1600


# --- floors and ceilings by decision ---------------------------------------------------------------------------------


def lost(rating, pool="regular", decided=None, against=1300.0, **more):
    """The rating after ten losses to a 1300 in one section."""
    players = state(("a", pool, rating, MIXED | more), ("b", pool, against))
    facts = sections.Facts(floors=floors(*decided)) if decided else None
    return step(run(players, games(*[("a", "b", 0)] * 10), {"pools": pool}, facts=facts), "a", pool)["rating"]


def test_floors_by_decision():
    player = {"player_id": "a"}
    free = lost(1810.0)
    assert free < 1750
    assert lost(1810.0, decided=[player | {"kind": "floor", "value": 1800}]) == 1800
    assert lost(1810.0, decided=[player | {"kind": "prize", "value": 1800, "amount": 4000}]) == 1800
    assert lost(1810.0, decided=[player | {"kind": "prize", "value": 1750, "amount": 5000}]) == 1800
    assert lost(1810.0, decided=[player | {"kind": "prize", "value": 1800, "amount": 3999}]) == free
    assert lost(2210.0, decided=[player | {"kind": "life_master"}]) == 2200
    assert lost(2210.0, "quick", decided=[player | {"kind": "life_master", "pool": "quick"}]) < 2200
    late = {"kind": "floor", "value": 1800, "date": DAY + pd.Timedelta(1, "D")}
    assert lost(1810.0, decided=[player | late]) == free


def test_the_newest_floor_of_the_office_holds_and_a_floor_can_be_lowered():
    player = {"player_id": "a"}
    older = player | {"kind": "floor", "value": 1800, "date": pd.Timestamp("2024-01-01")}
    newer = player | {"kind": "floor", "value": 1700, "date": pd.Timestamp("2025-01-01")}
    assert lost(1810.0, decided=[older, newer]) < 1800
    assert lost(1810.0, peak=1999.51) == 1800
    assert lost(1810.0, peak=1999.51, decided=[player | {"kind": "lowered", "value": 100}]) < 1800


def test_a_ceiling_holds():
    players = state(("a", "regular", 1500.0), ("b", "regular", 1900.0))
    facts = sections.Facts(floors=floors({"player_id": "a", "kind": "ceiling", "value": 1525}))
    assert step(run(players, games(*[("a", "b", 1)] * 4), facts=facts), "a")["rating"] == 1525


def test_personal_and_peak_floors_are_over_the_board_only():
    weak = {"wins": 20.0, "draws": 0.0, "losses": 40.0, "n": 60.0}
    assert lost(160.0, against=150.0, **weak) == 150
    assert lost(160.0, "online_regular", against=150.0, **weak) < 150
    assert lost(1810.0, "online_regular", peak=1999.51) < 1800


# --- results from foreign FIDE events --------------------------------------------------------------------------------


def test_foreign_events_count_once_against_converted_fide_ratings():
    """Established regular rating only; FIDE 1800 counts as 1747.06, in a youth event as -453 + 1.2667 x 1800."""
    players = state(("a", "regular", 1700.0), ("p", "regular", 1700.0, MIXED | {"n": 20.0}))
    played = games(("a", "x", 1, np.nan, 1800), ("y", "a", 0.5, np.nan, np.nan), ("p", "x", 1, np.nan, 1800))
    for kind, strength in (("fide", 1747.06), ("fide_youth", 1827.06)):
        done = run(players, played, {"kind": kind})
        assert done.steps["player_id"].tolist() == ["a"]
        sides = done.sides[(done.sides["player_id"] == "a") & (done.sides["reason"] == "")]
        assert sides["r_opp"].tolist() == [pytest.approx(strength)] and (sides["r_first"] == sides["r_opp"]).all()
        k = 800 / (50 / (0.662 + 0.00000739 * (2569 - 1700) ** 2) ** 0.5 + 1)
        wanted = 1700 + k * (1 - 1 / (1 + 10 ** ((strength - 1700) / 400)))
        assert step(done, "a")["rating"] == pytest.approx(wanted)
        reasons = done.sides.groupby("player_id")["reason"].agg(set)
        assert reasons["a"] == {"", "opponent_unrated"} and reasons["p"] == {"not_established"}


# --- mistakes seen in public programs (reference 1.12): each would give another figure here ---------------------------


def test_eight_games_still_have_the_special_formula():
    """N = 8 at 1400, one win over 1500: the special formula gives 1400 + 350/... by hand; "N < 8" would give K 88.9."""
    history = {"n": 8.0, "wins": 3.0, "draws": 2.0, "losses": 3.0}
    players = state(("a", "regular", 1400.0, history), ("b", "regular", 1500.0))
    row = step(run(players, games(("a", "b", 1))), "a")
    assert row["formula"] == "special"
    # f(R) = 8 (0.5 + (R - 1400)/800) + 0.5 + (R - Ri)/800 - 5 = 0  ->  R = (8 x 1400 + Ri + 400) / 9
    opponent = run(players, games(("a", "b", 1))).sides.query("player_id == 'a'")["r_opp"].iloc[0]
    assert row["rating"] == pytest.approx((8 * 1400 + opponent + 400) / 9)
    mistaken = 1400 + 800 / 9 * (1 - 1 / (1 + 10 ** ((opponent - 1400) / 400)))
    assert abs(row["rating"] - mistaken) > 1


def test_nine_games_have_the_standard_formula_although_they_count_for_less():
    """550 with nine games: N' is 8.99; chosen by N' it would be special."""
    history = {"n": 9.0, "wins": 3.0, "draws": 2.0, "losses": 4.0}
    row = step(run(state(("a", "regular", 500.0, history), ("b", "regular", 500.0)), games(("a", "b", 1))), "a")
    assert row["n_eff"] < 9 and row["formula"] == "standard"


def test_a_repeated_opponent_takes_the_bonus_of_three_games():
    players = state(("a", "regular", 1500.0), ("b", "regular", 1900.0), ("c", "regular", 1900.0))
    played = games(("a", "b", 1), ("a", "c", 1), ("a", "b", 1))
    assert step(run(players, played), "a")["bonus"] == 0
    more = state(("a", "regular", 1500.0), *((one, "regular", 1900.0) for one in "bcd"))
    assert step(run(more, games(("a", "b", 1), ("a", "c", 1), ("a", "d", 1))), "a")["bonus"] > 0


@pytest.mark.parametrize(
    ("day", "multiplier"), [("2022-12-31", 14), ("2023-02-01", 12), ("2024-12-31", 12), ("2025-01-01", 10)]
)
def test_the_bonus_threshold_is_that_of_the_sections_first_day(day, multiplier):
    start = pd.Timestamp(day)
    players = state(("a", "regular", 1500.0), *((one, "regular", 1900.0) for one in "bcde"))
    played = games(*[("a", one, 1) for one in "bcde"])
    done = run(players, played, {"start": start, "end": start + pd.Timedelta(40, "D")})
    row = step(done, "a")
    assert row["bonus"] == pytest.approx(row["gain"] - multiplier * 2)
    assert row["book"] == books.in_force(start.date()).id
