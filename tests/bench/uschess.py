"""make bench: 100,000 games in 5,000 US Chess sections, whole levels at once beside one section after the other.

The results must be the same to the bit; medians of pairs, so that a busy machine hits both.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
import pandas as pd

from ratingrun.uschess import sections
from ratingrun.uschess.steps import STATE

PAIRS = 3


def year(count: int, players: int, seed: int = 1) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Invented sections over a year, ten players and four rounds each, some dual rated; every player is in several."""
    rng = np.random.default_rng(seed)
    start = pd.Timestamp("2025-01-01") + pd.to_timedelta(rng.integers(0, 365, count), "D")
    dual = rng.random(count) < 0.3
    facts = pd.DataFrame({"event_id": [f"{i:09}" for i in range(count)], "section": 1, "start": start, "dual": dual})
    facts["end"] = facts["start"] + pd.to_timedelta(rng.integers(0, 3, count), "D")
    facts = facts.assign(pools=np.where(dual, "regular quick", "regular"), kind="swiss")
    who = np.array([rng.choice(players, 10, replace=False) for _ in range(count)])
    rows = []
    for number in range(1, 5):
        order = rng.permuted(who, axis=1)
        for white, black in zip(order[:, ::2].T, order[:, 1::2].T, strict=True):
            score = rng.choice([0, 0.5, 1], count)
            part = {"event_id": facts["event_id"], "section": 1, "round": number, "score": score}
            rows.append(pd.DataFrame(part | {"white": white, "black": black}))
    state = pd.DataFrame({"player_id": np.arange(players), "pool": "regular"} | STATE)
    state = state.assign(rating=rng.uniform(100, 2600, players), n=rng.integers(0, 60, players).astype(float))
    return facts, pd.concat(rows, ignore_index=True), state.assign(wins=5.0, draws=2.0, losses=5.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sections", type=int, default=5_000)
    count = parser.parse_args().sections
    facts, games, state = year(count, players=4 * count)
    seconds: dict[bool, list[float]] = {True: [], False: []}
    found = {}
    for _ in range(PAIRS):
        for parallel, times in seconds.items():
            begin = time.perf_counter()
            found[parallel] = sections.run(facts, games, state, parallel=parallel)
            times.append(time.perf_counter() - begin)
    for name in ("state", "steps", "sides", "matches"):
        pd.testing.assert_frame_equal(getattr(found[True], name), getattr(found[False], name), check_exact=True)
    levels, turns = (statistics.median(seconds[parallel]) for parallel in (True, False))
    ratio = statistics.median(b / a for a, b in zip(seconds[True], seconds[False], strict=True))
    print(f"US Chess: {len(games):,} games in {count:,} sections, the same to the bit:")
    print(f"  whole levels {levels:.2f} s, one after the other {turns:.2f} s: {ratio:.1f} times as fast")


if __name__ == "__main__":
    main()
