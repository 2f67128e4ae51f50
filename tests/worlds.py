"""Random worlds: a federation, some months of it, and everything that people may write about them.

`make` draws a world from a seed, `inputs` gives its months to ratingrun, and `worlds_compared.py` to the plain engine.
A world is made of the rows of the input files, with the period from which each row is in the file (`since`), so that
facts come in late, too. `Size` says how big it is and what occurs in it.
"""

import datetime as dt
import random
from dataclasses import dataclass, field, replace

import pandas as pd
import plain_rules
from cases import months
from hypothesis import strategies as st

from ratingrun import frames, periods, pipeline, rulebooks

CONTROLS = ("90+30", "90+30", "60+30", "60+20", "60+0", "40/90+30:30+30", "25/90:60+30", "45+30", "none")
QUICK = ("15+10", "15+10", "10+5", "10", "3+2", "5", "60", "15+10|15+10", "15+10|10+10")
RESULTS = ["1 0"] * 6 + ["0 1"] * 6 + ["= ="] * 5 + ["+ -", "- +", "W L", "D D"]
ALONE = ["H", "F", "U", "Z", "-", ".", "."]
# a rule change, a year's end, a one-off, a month that is none of these
FIRST = {
    "standard": ("2025-08", "2025-09", "2025-10", "2025-11", "2025-12", "2024-02", "2024-01", "2024-03", "2021-11",
                 "2022-02", "2017-06", "2014-12", "2026-01"),
    "rapid": ("2024-11", "2024-12", "2025-01", "2025-11", "2024-02", "2024-03", "2022-06", "2025-12"),
}  # fmt: skip
FIRST["blitz"] = FIRST["rapid"]
EVENTS = {"again", "changed", "league", "copy", "contradiction"}
PEOPLE = {"leave", "facts", "merge", "alias", "newcomers"}
OFFICE = {"corrections", "exclusions"}
EVERYTHING = frozenset(EVENTS | PEOPLE | OFFICE)


@dataclass(frozen=True)
class Size:
    """What `make` draws from."""

    seed: int
    first: int  # which of the first months
    rating_type: str = "standard"
    players: int = 10
    events: int = 4
    rounds: int = 5
    months: int = 3
    kinds: frozenset = EVERYTHING


sizes = st.builds(
    Size,
    seed=st.integers(0, 2**32 - 1),
    first=st.integers(0, 100),
    rating_type=st.sampled_from(["standard", "standard", "standard", "rapid", "blitz"]),
    players=st.integers(2, 16),
    events=st.integers(1, 5),
    rounds=st.integers(1, 7),
    months=st.integers(1, 4),
    kinds=st.sets(st.sampled_from(sorted(EVERYTHING))).map(frozenset) | st.just(EVERYTHING),
)


@dataclass
class World:
    """A federation and some months of it. Rows of notes have `since`, the period from which they are in their file."""

    rating_type: str
    periods: list
    lists: dict  # period -> {id: columns}
    seeds: dict  # the same of the standard list, for rapid and blitz
    pooled: list
    events: dict = field(default_factory=dict)  # period -> the events whose reports come in then
    players: list = field(default_factory=list)
    corrections: list = field(default_factory=list)
    exclusions: list = field(default_factory=list)
    aliases: list = field(default_factory=list)

    def noted(self, name, period):
        """The rows of a file as it is when the list of `period` is made."""
        rows = [row for row in getattr(self, name) if row["since"] <= period]
        return [{key: value for key, value in row.items() if key != "since"} for row in rows]

    @property
    def chapter(self):
        return plain_rules.STANDARD if self.rating_type == "standard" else plain_rules.RAPID_BLITZ


def rating(chance):
    kind = chance.random()
    if kind < 0.2:
        return chance.randint(1400, 1450)
    if kind < 0.3:
        return chance.choice([1799, 1800, 1801, 2299, 2300, 2399, 2400, 2599, 2600, 2601, 2649, 2650, 2651])
    if kind < 0.7:
        return chance.randint(1400, 2000)
    return chance.randint(2000, 2450) if kind < 0.9 else chance.randint(2600, 2800)


def someone(chance, day, junior):
    """A player of a list, with the K that the list must show."""
    years = [None, 1960, 1990, *(day.year - age for age in (12, 16, 17, 18, 19, 20))]
    player = {"birth_year": chance.choice(years), "sex": chance.choice([None, "m", "w"])}
    player |= {"title": chance.choice([None, None, "FM"]), "w_title": chance.choice([None, None, "WFM"])}
    player["games_total"] = chance.choice([0, 5, 20, 28, 29, 30, 100])
    player["last_played"] = day_before(day, chance.choice([0, 0, 0, 3, 10, 11, 12, 14]))
    if chance.random() < 0.25:
        return player | {"rating": None, "k": None, "peak": chance.choice([None, None, 1500, 2410])}
    player["rating"] = rating(chance)
    player["peak"] = max(player["rating"], rating(chance)) if chance.random() < 0.3 else player["rating"]
    return player | {"k": plain_rules.k_of(player, day, junior)}


def day_before(day, count):
    return (pd.Timestamp(day) - pd.DateOffset(months=count)).date()


def make(size):
    """A federation with three lists before the first month; `size.months` months of play."""
    chance, first = random.Random(size.seed), FIRST[size.rating_type][size.first % len(FIRST[size.rating_type])]
    world = World(size.rating_type, [periods.shift(first, n) for n in range(size.months)], {}, {}, [])
    names = [f"{chance.choice('0123456789AB')}{number + 1:02}" for number in range(size.players)]
    before = [periods.shift(first, -back) for back in (1, 2, 3)]
    world.lists = some_lists(chance, world.chapter, names, before)
    if world.rating_type != "standard":
        more = [periods.shift(first, n) for n in range(size.months)]
        others = [name for name in names if chance.random() < 0.7] + ["00new", "5new"]
        world.seeds = some_lists(chance, plain_rules.STANDARD, others, [*reversed(more), *before])
    pooled_games(chance, world, names, first)
    new = ["00new", "5new", "Znew"] if "newcomers" in size.kinds else []
    everybody = [*names, *new]
    people(chance, world, size, names, new)
    if "alias" in size.kinds:
        for number, who in enumerate(chance.sample(everybody, min(2, len(everybody)))):
            world.aliases.append({"alias": f"N-{number}", "player_id": who, "since": world.periods[0]})
            everybody.append(f"N-{number}")
    for period in world.periods:
        here = [
            event(chance, f"{period}-{n}", period, everybody, size.rounds, world.rating_type)
            for n in range(size.events)
        ]
        world.events[period] = here
    again(chance, world, size)
    office(chance, world, size, names, everybody)
    return world


def some_lists(chance, chapter, names, before):
    """Lists of some periods, newest first: mostly the same from one to the next; not everybody is on each."""
    lists, player = {}, {}
    for of in before:
        day = periods.list_date(of)
        junior = plain_rules.rules(chapter, max(day, chapter[0].since)).junior
        player = {
            name: player[name] if name in player and chance.random() < 0.7 else someone(chance, day, junior)
            for name in names
        }
        lists[of] = {name: row for name, row in player.items() if of == before[0] or chance.random() < 0.95}
    return lists


def pooled_games(chance, world, names, first):
    """Games of the unrated from earlier months, up to the border of 26 months."""
    for number, name in enumerate(names):
        if world.lists[periods.shift(first, -1)][name]["rating"] is None and chance.random() < 0.6:
            for event_no in range(chance.randint(1, 2)):
                period = periods.shift(first, -chance.choice([1, 2, 24, 25, 26]))
                world.pooled += [
                    {
                        "player_id": name,
                        "tournament_id": f"before-{number}-{event_no}",
                        "round": round_ + 1,
                        "r_opp": rating(chance),
                        "score_c": chance.choice([0, 0, 0, 50, 100]),
                        "period": period,
                    }
                    for round_ in range(chance.randint(1, 4))
                ]


def event(chance, event_id, period, names, rounds, rating_type):
    """Random pairings with byes, forfeits, wins, draws and losses, on random days around the month."""
    list_day = periods.list_date(period)
    end = list_day - dt.timedelta(days=chance.choice([0, 1, 2, 3, 4, 5, 10, 20, 28, 35, 60, 62, 70, 90]))
    longest = chance.choice([0, 3, 9, 9, 30, 31]) if chance.random() < 0.2 else 9
    start = end - dt.timedelta(days=chance.randint(0, longest))
    start = max(start, periods.list_date(periods.shift(period, -3))) if chance.random() < 0.97 else start
    system = chance.choice(["swiss", "swiss", "team", "round_robin", "match"])
    players = chance.sample(names, 2 if system == "match" else chance.randint(2, len(names)))
    lines = {name: {} for name in players}
    for number in range(1, rounds + 1):
        pair(chance, lines, players, number)
    return {
        "id": event_id,
        "part": 1,
        "file": f"{event_id}.csv",
        "start": start,
        "end": max(start, end),
        "system": system,
        "time_control": chance.choice(CONTROLS if rating_type == "standard" else QUICK),
        "fide_official": chance.random() < 0.2,
        "approvals": chance.choice(["distinct", "distinct fast_classic", "distinct play_on"]),
        "match_games": rounds if system == "match" and chance.random() < 0.7 else None,
        "received": chance.choice([None, None, *(end + dt.timedelta(days=n) for n in (1, 50, 200))]),
        "rounds_from": None,
        "rounds_to": None,
        "players": players,
        "lines": lines,
        "entries": {name: person(chance, name) for name in players},
    }


def pair(chance, lines, players, number):
    """Pairs a round: in `lines` {player: {round: cell}}."""
    paired = chance.sample(range(len(players)), len(players))
    for white, black in zip(paired[::2], paired[1::2], strict=False):
        if chance.random() < 0.85:
            for_white, for_black = chance.choice(RESULTS).split()
            lines[players[white]][number] = f"{black + 1}w{for_white}"
            lines[players[black]][number] = f"{white + 1}b{for_black}"
    for name in players:
        lines[name].setdefault(number, chance.choice(ALONE))


def person(chance, name):
    """What a report says of somebody: of new players it matters, and sometimes it does not say enough."""
    said = {"name": f"{name}, reported", "federation": "ZZZ", "birth_year": chance.choice([1990, 2009])}
    said |= {"sex": chance.choice([None, "w"]), "title": chance.choice([None, "CM"])}
    if "new" in name and chance.random() < 0.05:
        said[chance.choice(["federation", "birth_year"])] = None
    return said


# --- reports that come in again, leagues, copies, contradictions ------------------------------------------------------


def again(chance, world, size):
    """Reports that are more than one event: what happens to a tournament after its first report, or beside it."""
    for period, coming in list(world.events.items()):
        for one in list(coming):
            kind = chance.choice(sorted(size.kinds & EVENTS)) if size.kinds & EVENTS and chance.random() < 0.35 else ""
            later = periods.shift(period, chance.choice([0, 1, 1, 2]))
            if later not in world.events:
                continue
            if kind == "contradiction":
                contradict(chance, one)
            elif kind == "copy":
                other = copied(one) | {"id": f"{one['id']}-copy", "file": f"{one['id']}-copy.csv"}
                other["approvals"] = chance.choice(["", "", "distinct"])
                one["approvals"] = chance.choice(["", "", "distinct"])
                other["start"] = min(other["start"] + dt.timedelta(days=chance.choice([0, 0, 0, 1])), other["end"])
                world.events[later].append(other)
            elif kind == "league":
                league(chance, world, one, period, later)
            elif kind and later > period:
                other = copied(one)
                if kind == "changed":
                    contradict(chance, other, both=True)
                if chance.random() < 0.7:
                    for number in range(size.rounds + 1, size.rounds + 1 + chance.randint(0, 2)):
                        pair(chance, other["lines"], other["players"], number)
                world.events[later].append(other)


def copied(one):
    lines = {name: dict(cells) for name, cells in one["lines"].items()}
    return one | {"lines": lines}


def league(chance, world, one, period, later):
    """Splits the tournament into two parts: in files of their own that hold all rounds so far, in one file, or without
    limits of rounds."""
    rounds = max((number for cells in one["lines"].values() for number in cells), default=1)
    until = chance.randint(1, rounds)
    other = copied(one) | {"part": 2}
    other["end"] = min(
        one["end"] + dt.timedelta(days=chance.choice([0, 10, 28])), periods.list_date(later) - dt.timedelta(days=2)
    )
    other["end"] = max(other["end"], one["start"])
    other["start"] = chance.choice([one["start"], other["end"]])
    kind = chance.choice(["own files", "own files", "no limits", "one file"])
    if kind != "no limits":
        one["rounds_to"], other["rounds_from"] = until, until + 1
        one["rounds_from"] = chance.choice([None, 1])
        other["rounds_to"] = chance.choice([None, None, rounds])
    if kind != "one file":
        other["file"] = f"{one['id']}-2.csv"
        one["lines"] = {
            name: {n: cell for n, cell in cells.items() if n <= until} for name, cells in one["lines"].items()
        }
    if kind == "one file" and period != later:
        world.events[later].append(one)  # the file stands for both parts
    world.events[later].append(other)


def contradict(chance, one, both=False):
    """Spoils a cell: another result, colour or opponent, or nothing. With `both` the game has another result."""
    games = [
        (name, n)
        for name, cells in one["lines"].items()
        for n, cell in cells.items()
        if len(cell) > 2 and cell[-1] in "10="
    ]
    if not games:
        return
    name, number = chance.choice(games)
    cell = one["lines"][name][number]
    if both:
        turned = {"1": ("0", "1"), "0": ("=", "="), "=": ("1", "0")}[cell[-1]]
        opponent = one["players"][int(cell[:-2]) - 1]
        one["lines"][name][number] = cell[:-1] + turned[0]
        one["lines"][opponent][number] = one["lines"][opponent][number][:-1] + turned[1]
        return
    wrong = [cell[:-1] + {"1": "0", "0": "1", "=": "1"}[cell[-1]], ".", "H", cell[:-1] + "-", f"99{cell[-2:]}",
             cell[:-2] + {"w": "b", "b": "w"}[cell[-2]] + cell[-1],
             f"{chance.randint(1, len(one['players']))}{cell[-2:]}"]  # fmt: skip
    one["lines"][name][number] = chance.choice(wrong)


# --- what people write ------------------------------------------------------------------------------------------------


def people(chance, world, size, names, new):
    """Dated facts: who leaves and comes back, who is corrected, who is new, who is two."""
    first, last = world.periods[0], world.periods[-1]
    lowest = periods.list_date(periods.shift(first, -2))
    borders = [
        periods.list_date(p) + dt.timedelta(days=n)
        for p in [periods.shift(first, -1), *world.periods]
        for n in (-9, -1, 0, 1)
    ]

    def fact(who, day=None, **said):
        day = day or chance.choice(borders)
        since = chance.choice([first, first, first, chance.choice(world.periods)])
        if not any((row["player_id"], row["date"]) == (who, day) for row in world.players):
            world.players.append({"player_id": who, "date": day, "since": since, **said})
        return day

    if "leave" in size.kinds:
        for who in [chance.choice([*names, *new]) for _ in range(chance.randint(0, 3))]:
            day = fact(who, status=chance.choice(["withdrawn", "withdrawn", "deceased"]))
            if chance.random() < 0.4:
                more = (
                    {"name": f"{who}, back", "federation": "ZZZ", "birth_year": 1990} if chance.random() < 0.7 else {}
                )
                fact(who, day + dt.timedelta(days=chance.choice([1, 9, 30, 31, 62])), status="active", **more)
    if "facts" in size.kinds:
        for who in [chance.choice([*names, *new]) for _ in range(chance.randint(0, 5))]:
            said = {"name": f"{who}, married", "federation": "YYY", "sex": "w", "title": "GM", "w_title": "WGM",
                    "o_title": "IA", "foa_title": "AGM", "birth_year": chance.choice([1950, 2006, 2007, 2010])}  # fmt: skip
            some = chance.sample(sorted(said), chance.randint(1, 4))
            fact(who, **{name: said[name] for name in some})
    if "merge" in size.kinds and len(names) > 3:
        order = chance.sample([*names, *new], len(names) + len(new))
        for _ in range(chance.randint(0, 2)):
            old, into = sorted(chance.sample(range(len(order)), 2))
            fact(order[old], merged_into=order[into])
            if order[into] not in names:
                row = {"player_id": order[into], "name": f"{order[into]}, one", "federation": "ZZZ", "birth_year": 1999}
                world.players.append(row | {"date": lowest, "since": first})
    assert first <= last


def office(chance, world, size, names, everybody):
    """Corrections of lists, and exclusions."""
    if "corrections" in size.kinds:
        for _ in range(chance.choice([0, 1, 1, 2, 4])):
            correction(chance, world, names)
    if "exclusions" in size.kinds:
        all_events = [one for coming in world.events.values() for one in coming]
        for _ in range(chance.choice([0, 1, 2])):
            world.exclusions.append(
                {
                    "tournament_id": chance.choice(all_events)["id"],
                    "round": chance.choice([None, 1, 2, 3]),
                    "player_id": chance.choice([None, *everybody, *everybody]),
                    "since": world.periods[0],
                }
            )


def correction(chance, world, names):
    """One field of one player on one list; on lists made in the world only of players who can't have left."""
    touched = {row["player_id"] for row in world.players}
    steady = [name for name in names if name not in touched]
    lists = [("standard", of) for of in world.seeds] + 2 * [(world.rating_type, of) for of in world.lists]
    lists += [(world.rating_type, of) for of in world.periods[:-1] if steady]
    rating_type, of = chance.choice(lists)
    known = world.lists if rating_type == world.rating_type else world.seeds
    who = chance.choice(sorted(known[of]) if of in known else steady)
    day = periods.list_date(of)
    values = {
        "rating": [rating(chance), rating(chance), rating(chance), None, 1399],
        "k": [10, 20, 40, None],
        "peak": [None, 2400, 2310, 1500],
        "games_total": [0, 29, 30, 31],
        "birth_year": [None, day.year - 18, day.year - 17, 1970],
        "last_played": [None, day_before(day, 10), day_before(day, 12), day],
        "active": [True, False],
        "games": [3],
        "name": ["Corrected"],
        "federation": ["XXX"],
        "title": [None, "IM"],
        "sex": ["m", None],
    }
    name = chance.choice([*values, "rating", "rating", "rating", "k"])
    row = {"player_id": who, "rating_type": rating_type, "list_date": day, "field": name}
    if any(all(other[key] == row[key] for key in row) for other in world.corrections):
        return
    since = max(chance.choice([world.periods[0], chance.choice(world.periods)]), of)
    world.corrections.append(row | {"value": chance.choice(values[name]), "since": since})


# --- to ratingrun ------------------------------------------------------------------------------------------------------


def crosstable(one):
    """The event's cells as lines: number, player, a cell a round."""
    rounds = max((number for cells in one["lines"].values() for number in cells), default=0)
    return "\n".join(
        " ".join([str(no), name, *(one["lines"][name].get(number, ".") for number in range(1, rounds + 1))])
        for no, name in enumerate(one["players"], 1)
    )


def as_case(one):
    """The event in the words of `cases.months`."""
    days = {name: one[name] and pd.Timestamp(one[name]) for name in ("start", "end", "received")}
    return one | days | {"crosstable": crosstable(one)}


def written(value):
    """A corrected value as corrections.csv has it."""
    return {True: "yes", False: "no", None: None}[value] if value is None or isinstance(value, bool) else str(value)


def inputs(world, period, lists, state, coming, registered):
    """`pipeline.Inputs` of a month. `coming`: the events whose reports are at hand; `registered`: all so far."""
    standard = world.rating_type == "standard"
    defaults = {"rating_type": "standard", "reason": "decision", "source": "officer"}

    def table(frame, name):
        rows = [{"line": line} | defaults | row for line, row in enumerate(world.noted(name, period), 2)]
        rows = [
            {k: pd.Timestamp(v) if isinstance(v, dt.date) and k != "value" else v for k, v in row.items()}
            for row in rows
        ]
        rows = [row | {"value": written(row["value"])} if "value" in row else row for row in rows]
        return months.table(frame, rows)

    reports = {one["file"]: months.report(as_case(one)) for one in coming}
    return pipeline.Inputs(
        period=period,
        register=months.register([as_case(one) for one in registered], world.rating_type),
        reports=list(reports.values()),
        lists={periods.list_date(of): months.listed_on(of, one, {}) for of, one in lists.items()},
        rating_type=world.rating_type,
        players=table(frames.PLAYERS, "players"),
        corrections=table(frames.CORRECTIONS, "corrections"),
        exclusions=table(frames.EXCLUSIONS, "exclusions"),
        aliases=table(frames.ALIASES, "aliases"),
        system=rulebooks.FIDE_STANDARD if standard else "fide_rapid_blitz",
        seeds={periods.list_date(of): months.listed_on(of, one, {}) for of, one in world.seeds.items() if of < period},
        **({"pool": months.pool(world.pooled)} if not state else state),
    )


def run(world):
    """Each month through the pipeline, the state handed on: (inputs, events at hand, what came out) of each."""
    lists, state, waiting, registered = dict(world.lists), {}, [], {}
    for period in world.periods:
        coming = [*(one for one in waiting if key(one) not in map(key, world.events[period])), *world.events[period]]
        registered |= {key(one): one for one in coming}
        files = {one["file"]: {name: one[name] for name in ("players", "lines", "entries")} for one in coming}
        coming = [one | files[one["file"]] for one in registered.values() if one["file"] in files]
        given = inputs(world, period, lists, state, coming, registered.values())
        month = pipeline.run(given)
        yield given, coming, list(registered.values()), month
        if month.stopped:
            return
        state = {name: month.frames[name] for name in ("pool", "rated")}
        lists = {**lists, period: month.frames["rating_list"]}
        rows = month.frames["tournaments"]
        status = {(row.tournament_id, row.part): row.status for row in rows.itertuples()}
        waiting = [one for one in coming if status[key(one)] == "waiting"]


def key(one):
    return one["id"], one["part"]


def without(size, *kinds):
    """The size without some kinds of things."""
    return replace(size, kinds=size.kinds - set(kinds))
