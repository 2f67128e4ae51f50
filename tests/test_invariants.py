"""Random months: what must hold in every one of them, and the same figures as a plain engine of its own.

The worlds are made in `worlds.py`: everything that a month can hold. A bigger campaign, for as long as one likes:
pytest tests/test_invariants.py --hypothesis-profile=campaign
"""

import random
from collections import Counter

import pytest
import worlds
import worlds_compared as compared
import worlds_run
from hypothesis import given, settings

from ratingrun import explain, periods, run_folder, summary, texts
from ratingrun.explain import show, words

SAY = texts.catalogue("en")


@given(worlds.sizes)
@settings(max_examples=3 * settings.default.max_examples // 2)
def test_a_plain_engine_makes_the_same_months(size):
    """Statuses, rejections, sides, changes, first ratings, pool, rated rounds and every column of the list."""
    world, federation = worlds.make(size), None
    for inputs, coming, registered, month in worlds_run.run(world):
        assert not month.stopped, month.findings["text"].tolist()
        federation = federation or compared.federation(world, inputs.pool)
        day = periods.list_date(inputs.period)
        events = [compared.event(one) for one in coming]
        done = federation.month(day, events, registered, compared.notes(world, inputs.period))
        ours, theirs = compared.of_ratingrun(month), compared.of_plain_engine(federation, done, day)
        assert compared.differences(ours, theirs) == []
        nothing_is_lost(month, coming)
        the_ledger_balances(inputs, month)
        everything_can_be_told(size, inputs, month)


def nothing_is_lost(month, coming):
    """Counted over the crosstables as written: each cell is a rated side, a pooled side or has a reason."""
    written = Counter()
    for one in coming:
        written[worlds.key(one)] = sum(len(line.split()) - 2 for line in worlds_run.crosstable(one).splitlines())
    sides, cells = month.frames["sides"], month.frames["cells"]
    counted = [
        *sides[sides["outcome"].isin(["rated", "pool"])].itertuples(),
        *cells[cells["reason"].notna()].itertuples(),
    ]
    assert Counter((row.tournament_id, row.part) for row in counted) == written
    assert set(sides["outcome"]) <= {"rated", "pool", "none"}
    once = sides[["tournament_id", "round", "player_id"]]
    assert not once.duplicated().any(), "a player has two games in a round of a tournament"


def the_ledger_balances(inputs, month):
    """Prior rating + amounts = next rating; who is gone is gone by name; published first ratings are on the list."""
    got, prior_day = month.frames, periods.list_date(periods.shift(inputs.period, -1))
    prior, after = (
        {row.player_id: compared.plain(row.rating) or 0 for row in frame.itertuples()}
        for frame in (inputs.lists[prior_day], got["rating_list"])
    )
    moved = Counter()
    for row in got["trail"].itertuples():
        moved[row.player_id] += row.amount
    out = got["trail"].loc[got["trail"]["entry"].isin(["removed", "merge"]), "player_id"]
    assert set(prior) - set(after) <= set(out)
    for who in {*prior, *after, *moved}:
        assert prior.get(who, 0) + moved[who] == after.get(who, 0), who


def everything_can_be_told(size, inputs, month):
    """`summary`, and `explain` of some players and tournaments, say something of every month."""
    assert summary.text(month, "published", inputs.rating_type).startswith(inputs.rating_type.capitalize())
    folder = as_folder(inputs, month)
    chance = random.Random(size.seed)
    people = sorted({*month.frames["rating_list"]["player_id"], *month.frames["trail"]["player_id"]})
    for who in chance.sample(people, min(2, len(people))):
        facts = explain.player(folder, month.frames, who)
        assert who in show.text(words.player(facts, SAY))
    known = sorted(set(month.frames["tournaments"]["tournament_id"]))
    for one in chance.sample(known, min(1, len(known))):
        for sheet in explain.tournament(folder, month.frames, one):
            assert one in show.text(words.tournament(sheet, SAY))


def as_folder(inputs, month):
    """A run folder of the month that was never written."""
    manifest = {"period": inputs.period, "rating_type": inputs.rating_type, "status": "published",
                "list_date": str(periods.list_date(inputs.period)), "rule_books": list(month.books)}  # fmt: skip
    return run_folder.RunFolder(inputs.books / "nowhere", manifest)


MIRROR = {"w": "b", "b": "w"}
TURNED = {"1": "0", "0": "1", "+": "-", "-": "+", "W": "L", "L": "W"}


def changed(world, change):
    """The same world with each paired cell (opponent, colour, result) as `change` says."""
    for coming in world.events.values():
        for one in coming:
            one["lines"] = {
                name: {n: change(cell) if len(cell) > 2 else cell for n, cell in cells.items()}
                for name, cells in one["lines"].items()
            }
    return world


def dr(world):
    """{(tournament, part, round, player): rated side} of the first month; without matches, whose score counts."""
    _, _, _, month = next(worlds_run.run(world))
    rows = month.frames["sides"].query("outcome == 'rated'")
    matches = {row.tournament_id for row in month.frames["tournaments"].itertuples() if row.system == "match"}
    rows = rows[~rows["tournament_id"].isin(matches)]
    return {(row.tournament_id, row.part, row.round, row.player_id): row for row in rows.itertuples()}


@pytest.mark.parametrize("what", ["colours", "results"])
@given(size=worlds.sizes)
@settings(max_examples=settings.default.max_examples // 2)
def test_mirrors(what, size):
    """Colours swapped: the same changes. Results swapped: the other score against the same probability."""
    size = worlds.without(size, "contradiction")
    swap = {
        "colours": lambda cell: cell[:-2] + MIRROR[cell[-2]] + cell[-1],
        "results": lambda cell: cell[:-1] + TURNED.get(cell[-1], cell[-1]),
    }[what]
    one, other = dr(worlds.make(size)), dr(changed(worlds.make(size), swap))
    assert one.keys() == other.keys()
    for key, row in one.items():
        there = other[key]
        assert (row.r, row.r_opp, row.pd_c) == (there.r, there.r_opp, there.pd_c)
        assert there.score_c == (row.score_c if what == "colours" else 100 - row.score_c)
        assert there.dr_c == there.score_c - row.pd_c
    if what == "colours":
        assert {key: row.dr_c for key, row in one.items()} == {key: row.dr_c for key, row in other.items()}
