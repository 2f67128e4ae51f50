"""Random worlds: a federation, some months of it, and everything that people may write about them.

`make` draws a world from a seed: lists and pool (`worlds_people.py`), reports (`worlds_reports.py`), facts, corrections
and exclusions (`worlds_notes.py`). `worlds_run.py` gives its months to ratingrun, `worlds_compared.py` to the plain
engine. A world is made of the rows of the input files, with the period from which each row is in its file (`since`), so
that facts come in late, too. `Size` says how big it is and what occurs in it.
"""

import random
from dataclasses import dataclass, field, replace

import plain_rules
from hypothesis import strategies as st
from worlds_notes import office, people
from worlds_people import pooled_games, some_lists
from worlds_reports import AGAIN, again, event

from ratingrun import periods

# a rule change, a year's end, a one-off, a month that is none of these
FIRST = {
    "standard": ("2025-08", "2025-09", "2025-10", "2025-11", "2025-12", "2024-02", "2024-01", "2024-03", "2021-11",
                 "2022-02", "2017-06", "2014-12", "2026-01", "2014-06", "2013-06", "2012-12"),
    "rapid": ("2024-11", "2024-12", "2025-01", "2025-11", "2024-02", "2024-03", "2022-06", "2025-12"),
}  # fmt: skip
FIRST["blitz"] = FIRST["rapid"]
PEOPLE = {"leave", "facts", "merge", "alias", "newcomers"}
OFFICE = {"corrections", "exclusions"}
EVERYTHING = frozenset(AGAIN | PEOPLE | OFFICE)


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
    rounds=st.sampled_from([1, 2, 3, 4, 5, 6, 7, 12]),
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
        if chance.random() < 0.1:
            world.seeds.pop(chance.choice(sorted(world.seeds)[:3]))
    pooled_games(chance, world, names, first)
    new = ["00new", "5new", "Znew"] if "newcomers" in size.kinds else []
    everybody = [*names, *new]
    people(chance, world, size, names, new)
    if "alias" in size.kinds:
        for number, who in enumerate(chance.sample(everybody, min(2, len(everybody)))):
            since = chance.choice([world.periods[0], world.periods[0], *world.periods])
            world.aliases.append({"alias": f"N-{number}", "player_id": who, "since": since})
            everybody.append(f"N-{number}")
    stands = {row["player_id"]: row["merged_into"] for row in world.players if "merged_into" in row}
    stands |= {row["alias"]: row["player_id"] for row in world.aliases}
    written = {who: plain_rules.follow(who, stands) for who in everybody}
    for period in world.periods:
        count = size.events if chance.random() < 0.95 else 0
        ids = [f"{period}-{n}" for n in range(count)]
        world.events[period] = [event(chance, one, period, written, size.rounds, world.rating_type) for one in ids]
    again(chance, world, size)
    office(chance, world, size, names, everybody)
    return world


def key(one):
    return one["id"], one["part"]


def without(size, *kinds):
    """The size without some kinds of things."""
    return replace(size, kinds=size.kinds - set(kinds))
