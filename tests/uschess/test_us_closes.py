"""Whatever is reported, the month closes: each cell ends in a rating or a reason, sums and ledger agree, and a game
that is taken out changes what it should. `balance.check` runs in every month; here it gets random ones."""

import numpy as np
import pandas as pd
import pytest

from ratingrun import findings, frames
from ratingrun.contract import ContractError
from ratingrun.stages.reports import KEY
from ratingrun.uschess import balance, month

CLOCKS = ["G/5;d0", "G/15;d5", "G/45;d5", "G/90;d30"]
OTHER = ["H", "F", "U", "Z", "", "+", "-", "*", "W", "D"]
MIRROR = {"1": "0", "0": "1", "=": "="}


def section(dice, event, number, people):
    """A random section: paired players with results, and cells of every other kind."""
    size = int(dice.integers(2, 9))
    who = dice.choice(people, size, replace=False)
    rounds = int(dice.integers(1, 5))
    cells = []
    for current in range(1, rounds + 1):
        order = dice.permutation(size)
        for white, black in zip(order[::2], order[1::2], strict=False):
            result = dice.choice(["1", "0", "=", "+"], p=[0.4, 0.3, 0.2, 0.1])
            cells.append((white + 1, current, black + 1, "w", result))
            cells.append((black + 1, current, white + 1, "b", MIRROR.get(result, "-")))
        if size % 2:
            cells.append((order[-1] + 1, current, None, None, dice.choice(OTHER)))
    day = pd.Timestamp("2025-10-01") + pd.Timedelta(int(dice.integers(0, 25)), "D")  # some end after the closing day
    facts = {"tournament_id": event, "part": number, "name": "N", "start": day, "end": day}
    facts |= {"time_control": dice.choice(CLOCKS), "rated_as": None, "place": dice.choice(["otb", "online"])}
    kind = "match" if size == 2 else dice.choice(["swiss", "swiss", "fide"])
    facts |= {"kind": kind, "file": f"{event}-{number}.csv", "sha256": "0"}
    entries = [(event, number, i, one, f"N{one}", 1500 + i, i) for i, one in enumerate(who, 1)]
    return facts, entries, [(event, number, *cell, cell[0]) for cell in cells]


def inputs(seed):
    dice = np.random.default_rng(seed)
    people = [f"9{i:07}" for i in range(25)]
    facts, entries, cells = [], [], []
    for event in range(6):
        one, who, played = section(dice, f"E{event}", 1, people)
        facts.append(one), entries.extend(who), cells.extend(played)
    known = [(player, pool) for player in people for pool in frames.POOLS if dice.random() < 0.4]
    state = pd.DataFrame(known, columns=["player_id", "pool"])
    state["rating"], state["n"] = dice.uniform(100, 2600, len(state)), dice.integers(1, 60, len(state)).astype(float)
    for name in ("wins", "draws", "losses"):
        state[name] = dice.integers(0, 4, len(state)).astype(float)
    state = state.assign(
        events=1.0, peak=0.0, floor=0.0, ceiling=np.nan, cut=0.0, last_rated=pd.Timestamp("2025-08-01")
    )
    names = [*KEY, "start_no", "player_id", "name", "reported_rating", "line"]
    people_frame = pd.DataFrame(entries, columns=names).assign(file="x.csv", federation=None, sex=None, title=None)
    people_frame["birth_year"] = None
    results = pd.DataFrame(cells, columns=[*KEY, "start_no", "round", "opponent_no", "colour", "result", "line"])
    results = results.assign(file="x.csv", declared=None).astype({"opponent_no": "Int64"})
    excluded = pd.DataFrame([("E1", 1, None, "phone", 2)], columns=frames.EXCLUSIONS.names)
    listed = frames.US_LIST.empty()
    prior = month.Checkpoint(
        "2025-10-uschess", "2025-10", frames.US_STATE.build(state), frames.US_MATCHES.empty(), frames.US_KNOWN.empty(),
        listed, frames.US_SECTIONS.empty(), frames.ENTRIES.empty(), frames.RESULTS.empty(),
    )  # fmt: skip
    return month.Inputs(
        period="2025-11",
        candidates=pd.DataFrame(facts),
        entries=frames.ENTRIES.build(people_frame),
        results=frames.RESULTS.build(results),
        checkpoints=[prior],
        first="2025-10",
        exclusions=frames.EXCLUSIONS.build(excluded) if seed % 2 else frames.EXCLUSIONS.empty(),
    )


@pytest.mark.parametrize("seed", range(12))
def test_random_months_close(seed):
    given = inputs(seed)
    done = month.run(given)
    assert not done.stopped
    cells = done.frames["cells"]
    assert len(cells) == len(given.results)
    assert cells.loc[cells["outcome"] == "none", "reason"].notna().all()
    assert cells.loc[cells["outcome"] == "rated", "reason"].isna().all()
    # every game that was played twice over is rated or said, pool by pool
    sides = done.frames["us_sides"]
    assert set(sides.loc[sides["outcome"] == "none", "reason"].dropna()) <= {
        "match_not_established", "match_too_far_apart", "not_established", "opponent_unrated",
    }  # fmt: skip
    assert not len(findings.stops(done.findings))


def test_a_lost_cell_a_broken_ledger_a_wrong_sum_are_bugs():
    """The checks find what they are there for."""
    given = inputs(3)
    done = month.run(given)
    before = next(iter(given.checkpoints)).state
    balance.check(done.frames, before)
    rated = done.frames["us_steps"]
    broken = {
        "us_sides": done.frames["us_sides"].iloc[:-1],
        "cells": done.frames["cells"].iloc[1:],
        "us_steps": rated.assign(m=rated["m"] + 1),
        "us_state": done.frames["us_state"].assign(rating=lambda rows: rows["rating"] + 1e-9),
        "us_trail": done.frames["us_trail"].assign(before=lambda rows: rows["before"] + 1e-9),
    }
    for name, frame in broken.items():
        with pytest.raises(ContractError):
            balance.check({**done.frames, name: frame}, before)
