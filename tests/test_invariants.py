"""Random months: what must hold in every one of them, and the same figures as a plain engine of its own.

A bigger campaign: pytest tests/test_invariants.py --hypothesis-profile=campaign
"""

import datetime as dt
import random
from collections import Counter
from dataclasses import dataclass, field

import pandas as pd
import plain_engine
import pytest
from cases import months
from hypothesis import given
from hypothesis import strategies as st

from ratingrun import periods, pipeline

CONTROLS = ("90+30", "90+30", "60+30", "60+20", "60+0", "40/90+30:30+30", "25/90:60+30", "45+30", None)
RESULTS = ["1 0"] * 6 + ["0 1"] * 6 + ["= ="] * 5 + ["+ -", "- +", "W L", "D D"]
ALONE = ["H", "F", "U", "Z", "-", ".", "."]
FIRST = ("2025-08", "2025-09", "2025-10", "2025-11", "2025-12")  # the rule change of October, a year's end

sizes = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**32 - 1),
        "first": st.sampled_from(FIRST),
        "players": st.integers(2, 16),
        "events": st.integers(1, 5),
        "rounds": st.integers(1, 7),
        "months": st.integers(1, 3),
    }
)


@dataclass
class World:
    """A federation and some months of it, for the pipeline and for the plain engine alike."""

    periods: list
    lists: dict  # period -> {id: columns}
    pooled: list
    months: dict = field(default_factory=dict)  # period -> {"events", "corrections", "exclusions", "withdrawn"}


def rating(chance):
    kind = chance.random()
    if kind < 0.25:
        return chance.randint(1400, 1450)
    if kind < 0.7:
        return chance.randint(1400, 2000)
    return chance.randint(2000, 2450) if kind < 0.9 else chance.randint(2600, 2800)


def someone(chance, day):
    """A player of a list, with the K that the list must show."""
    player = {"birth_year": chance.choice([None, 1960, 1990, 2006, 2007, 2008, 2009, 2012])}
    player["games_total"] = chance.choice([0, 5, 20, 28, 29, 30, 100])
    player["last_played"] = pd.Timestamp(day) - pd.DateOffset(months=chance.choice([0, 0, 0, 3, 10, 11, 12, 14]))
    if chance.random() < 0.25:
        return player | {"rating": None, "k": None, "peak": chance.choice([None, None, 1500, 2410])}
    player["rating"] = rating(chance)
    player["peak"] = max(player["rating"], rating(chance)) if chance.random() < 0.3 else player["rating"]
    facts = {"peak": player["peak"], "born": player["birth_year"], "games_total": player["games_total"]}
    return player | {"k": plain_engine.k_of(facts, day)}


def make(seed, first, players, events, rounds, months):
    """A federation with three lists before the first month; `months` months of play."""
    chance = random.Random(seed)
    names = [f"{chance.choice('0123456789AB')}{number + 1:02}" for number in range(players)]
    prior = periods.shift(first, -1)
    world = World([periods.shift(first, number) for number in range(months)], {}, [])
    world.lists[prior] = {name: someone(chance, periods.list_date(prior)) for name in names}
    for back in (1, 2):
        of = periods.shift(prior, -back)
        world.lists[of] = {
            name: player if chance.random() < 0.7 else someone(chance, periods.list_date(of))
            for name, player in world.lists[prior].items()
        }
    for number, name in enumerate(names):
        if world.lists[prior][name]["rating"] is None and chance.random() < 0.6:
            for round_ in range(chance.randint(1, 7)):
                world.pooled.append(
                    {
                        "player_id": name,
                        "tournament_id": f"before-{number}-{chance.randint(0, 1)}",
                        "round": round_ + 1,
                        "r_opp": rating(chance),
                        "score_c": chance.choice([0, 0, 0, 50, 100]),
                        "period": periods.shift(first, -chance.choice([1, 2, 24, 25, 26])),
                    }
                )
        # the games of an event were rated for one list
        for event in {game["tournament_id"] for game in world.pooled}:
            same = [game for game in world.pooled if game["tournament_id"] == event]
            for game in same:
                game["period"] = same[0]["period"]
    withdrawn, everybody = [], [*names, "new1", "new2"]
    for period in world.periods:
        here = [make_event(chance, f"{period}-{n}", period, everybody, rounds) for n in range(events)]
        if chance.random() < 0.2 and len(names) > 3:
            withdrawn = [*withdrawn, chance.choice(names)]
        world.months[period] = {
            "events": here,
            "corrections": correct(chance, world, prior, names) if period == first else [],
            "exclusions": exclude(chance, here, everybody),
            "withdrawn": withdrawn,
        }
    return world


def make_event(chance, event_id, period, names, rounds):
    """Random pairings with byes, forfeits, wins, draws and losses, on random days around the month."""
    list_day = periods.list_date(period)
    end = list_day - dt.timedelta(days=chance.choice([0, 1, 2, 3, 4, 5, 10, 20, 28, 35, 60, 62, 70, 90]))
    start = end - dt.timedelta(days=chance.randint(0, 9))
    start = max(start, periods.list_date(periods.shift(period, -3)))
    system = chance.choice(["swiss", "swiss", "team", "round_robin", "match"])
    players = chance.sample(names, 2 if system == "match" else chance.randint(2, len(names)))
    cells = {}
    for number in range(1, rounds + 1):
        paired = chance.sample(range(len(players)), len(players))
        for one, other in zip(paired[::2], paired[1::2], strict=False):
            if chance.random() < 0.85:
                for_white, for_black = chance.choice(RESULTS).split()
                cells[one, number], cells[other, number] = f"{other + 1}w{for_white}", f"{one + 1}b{for_black}"
        for one in range(len(players)):
            cells.setdefault((one, number), chance.choice(ALONE))
    table = [
        " ".join([str(one + 1), name, *(cells[one, number] for number in range(1, rounds + 1))])
        for one, name in enumerate(players)
    ]
    event = {
        "id": event_id,
        "start": pd.Timestamp(start),
        "end": pd.Timestamp(max(start, end)),
        "system": system,
        "time_control": chance.choice(CONTROLS),
        "fide_official": chance.random() < 0.2,
        "approvals": chance.choice(["distinct", "distinct fast_classic"]),
        "match_games": rounds if system == "match" and chance.random() < 0.7 else None,
        "received": chance.choice([None, None, *(pd.Timestamp(end + dt.timedelta(days=n)) for n in (1, 50, 200))]),
        "crosstable": "\n".join(table),
        "entries": {"new1": {"birth_year": 1990}, "new2": {"birth_year": 2009}},
    }  # fmt: skip
    return event | {"time_control": event["time_control"] or "none"}


def correct(chance, world, prior, names):
    if chance.random() < 0.6:
        return []
    lists = [prior, periods.shift(prior, -1)]
    return [
        {
            "list_date": f"{of}-01",
            "player_id": chance.choice(names),
            "field": "rating",
            "value": str(rating(chance)) if chance.random() < 0.8 else None,
            "reason": "claim",
        }
        for of in lists[: chance.randint(1, 2)]
    ]


def exclude(chance, events, names):
    if chance.random() < 0.5:
        return []
    return [
        {
            "tournament_id": chance.choice(events)["id"],
            "round": chance.choice([None, 1, 2]),
            "player_id": chance.choice([None, *names]),
            "reason": "decision",
        }
    ]


def run(world):
    """Each month through the pipeline, the state handed on: pairs of the month's inputs and what came out."""
    lists, state, waiting, done = dict(world.lists), {}, [], []
    for period in world.periods:
        said = world.months[period]
        events = [*waiting, *said["events"]]
        facts = [
            {"player_id": who, "date": pd.Timestamp(periods.list_date(period)), "status": "withdrawn"}
            for who in said["withdrawn"]
        ]
        for row in facts:  # the day on which it was said first
            first = next(p for p in world.periods if row["player_id"] in world.months[p]["withdrawn"])
            row["date"] = pd.Timestamp(periods.list_date(first))
        inputs = months.inputs(
            period,
            lists,
            events,
            corrections=said["corrections"],
            exclusions=said["exclusions"],
            players=facts,
            pooled=world.pooled,
        )
        inputs = inputs if not state else pipeline.Inputs(**{**vars(inputs), **state})
        month = pipeline.run(inputs)
        assert not month.stopped
        assert month.rejected.empty, month.rejected["text"].tolist()
        done.append((inputs, events, month))
        state = {name: month.frames[name] for name in ("pool", "rated")}
        lists = {**lists, period: month.frames["rating_list"]}
        status = month.frames["tournaments"].set_index("tournament_id")["status"]
        waiting = [event for event in events if status[event["id"]] == "waiting"]
    return done


def plainly(world):
    """The federation of the plain engine, and each month's dates."""
    lists = {
        periods.list_date(of): {
            name: {
                **{key: player[key] for key in ("rating", "k", "games_total", "peak")},
                "games": 0,
                "born": player["birth_year"],
                "played": player["last_played"].date(),
            }
            for name, player in listed.items()
        }
        for of, listed in world.lists.items()
    }
    pool = []
    for row in months.pool(world.pooled).itertuples():
        day = periods.list_date(row.period)
        pool.append({"who": row.player_id, "event": row.tournament_id, "r_opp": row.r_opp, "list": day,
                     "score": plain_engine.Fraction(row.score_c, 100), "start": row.start, "end": row.end})  # fmt: skip
    for row in pool:
        row["start"], row["end"] = row["start"].date(), row["end"].date()
    return plain_engine.Federation(lists, pool)


def plain_event(event):
    """An event in the words of the plain engine, from its crosstable as written."""
    rows = [line.split() for line in event["crosstable"].splitlines()]
    names, cells = [row[1] for row in rows], {}
    for row in rows:
        for number, cell in enumerate(row[2:], 1):
            opponent = names[int(cell[:-2]) - 1] if cell[:-2] else None
            cells[row[1], number] = (opponent, cell[-2] if opponent else None, cell[-1])
    return {
        "id": event["id"],
        "start": event["start"].date(),
        "end": event["end"].date(),
        "received": event["received"].date() if event["received"] is not None else None,
        "official": event["fide_official"],
        "system": event["system"],
        "control": None if event["time_control"] == "none" else event["time_control"],
        "fast_classic": "fast_classic" in event["approvals"],
        "match_games": event["match_games"],
        "players": names,
        "born": {name: event["entries"].get(name, {}).get("birth_year", 1990) for name in names},
        "cells": cells,
    }


def whole(value):
    return None if pd.isna(value) else int(value)


@given(sizes)
def test_a_plain_engine_makes_the_same_lists(size):
    world = make(**size)
    federation = plainly(world)
    gone = set()
    for inputs, events, month in run(world):
        said = world.months[inputs.period]
        day = periods.list_date(inputs.period)
        expected = federation.month(
            day,
            [plain_event(event) for event in sorted(events, key=lambda event: event["id"])],
            [
                (dt.date.fromisoformat(row["list_date"]), row["player_id"], whole(row["value"]))
                for row in said["corrections"]
            ],
            [(row["tournament_id"], row["round"], row["player_id"]) for row in said["exclusions"]],
            said["withdrawn"],
            gone,
        )
        gone = set(said["withdrawn"])
        got = month.frames
        assert dict(got["tournaments"][["tournament_id", "status"]].values) == expected["status"]
        sides = {(side["who"], side["event"], side["round"]): side for side in expected["sides"]}
        for row in got["sides"].itertuples():
            plain = sides.pop((row.player_id, row.tournament_id, row.round))
            assert row.outcome == plain["outcome"]
            if row.outcome == "rated":
                assert row.dr_c == plain["dr"] * 100
        assert not sides
        changes = {row.player_id: (row.n, row.k, row.change) for row in got["changes"].itertuples()}
        assert changes == expected["changes"]
        initials = {row.player_id: (row.n, whole(row.ru)) for row in got["initials"].itertuples()}
        assert initials == expected["initials"]
        listed = {
            row.player_id: {
                "rating": whole(row.rating),
                "k": whole(row.k),
                "games": row.games,
                "games_total": row.games_total,
                "peak": whole(row.peak),
                "born": whole(row.birth_year),
                "active": row.active,
            }
            for row in got["rating_list"].itertuples()
        }
        plain = {
            who: {name: value for name, value in player.items() if name != "played"}
            for who, player in federation.lists[day].items()
        }
        assert listed == plain


@given(sizes)
def test_nothing_is_lost_and_the_ledger_balances(size):
    """Counted over the crosstables as written: each cell is a rated side, a pooled side or has a reason."""
    world = make(**size)
    for inputs, events, month in run(world):
        got = month.frames
        written = Counter()
        for event in events:
            written[event["id"]] = sum(len(line.split()) - 2 for line in event["crosstable"].splitlines())
        sides, cells = got["sides"], got["cells"]
        counted = Counter(sides.loc[sides["outcome"].isin(["rated", "pool"]), "tournament_id"])
        counted += Counter(cells.loc[cells["reason"].notna(), "tournament_id"])
        assert counted == written
        assert set(sides["outcome"]) <= {"rated", "pool", "none"}
        before = inputs.lists[periods.list_date(periods.shift(inputs.period, -1))]
        prior, after = (
            {row.player_id: whole(row.rating) or 0 for row in frame.itertuples()}
            for frame in (before, got["rating_list"])
        )
        moved = Counter()
        for row in got["trail"].itertuples():
            moved[row.player_id] += row.amount
        assert {who for who in prior if who not in after} == {
            row.player_id for row in got["trail"].itertuples() if row.entry == "removed"
        }
        for who in {*prior, *after}:
            assert prior.get(who, 0) + moved[who] == after.get(who, 0)
        published = got["initials"].loc[got["initials"]["outcome"] == "published", ["player_id", "ru"]]
        assert {who: after[who] for who in published["player_id"]} == dict(published.values)


MIRROR = {"w": "b", "b": "w"}
TURNED = {"1": "0", "0": "1", "+": "-", "-": "+", "W": "L", "L": "W"}


def changed(world, change):
    """The same world with each paired cell (opponent, colour, result) as `change` says."""
    for month in world.months.values():
        for event in month["events"]:
            lines = [line.split() for line in event["crosstable"].splitlines()]
            event["crosstable"] = "\n".join(
                " ".join([*line[:2], *(change(cell) if len(cell) > 2 else cell for cell in line[2:])]) for line in lines
            )
    return world


def dr(month):
    """{(tournament, round, player): dr_c} of the rated sides of a month; without matches, whose score counts."""
    rows = month.frames["sides"].query("outcome == 'rated'")
    systems = month.frames["tournaments"].set_index("tournament_id")["system"]
    rows = rows[rows["tournament_id"].map(systems) != "match"]
    return {(row.tournament_id, row.round, row.player_id): row for row in rows.itertuples()}


@pytest.mark.parametrize("what", ["colours", "results"])
@given(size=sizes)
def test_mirrors(what, size):
    """Colours swapped: the same changes. Results swapped: the other score against the same probability."""
    size["months"] = 1
    swap = {
        "colours": lambda cell: cell[:-2] + MIRROR[cell[-2]] + cell[-1],
        "results": lambda cell: cell[:-1] + TURNED.get(cell[-1], cell[-1]),
    }[what]
    one, other = (dr(run(world)[0][2]) for world in (make(**size), changed(make(**size), swap)))
    assert one.keys() == other.keys()
    for key, row in one.items():
        there = other[key]
        assert (row.r, row.r_opp, row.pd_c) == (there.r, there.r_opp, there.pd_c)
        assert there.score_c == (row.score_c if what == "colours" else 100 - row.score_c)
        assert there.dr_c == there.score_c - row.pd_c
    if what == "colours":
        assert {key: row.dr_c for key, row in one.items()} == {key: row.dr_c for key, row in other.items()}
