"""What must hold in every month of US Chess, checked on every run. A break is a ContractError: a bug."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun.contract import ContractError
from ratingrun.stages.reports import KEY

SLOT = ["player_id", "pool"]
SIDE = [*KEY, "round", "player_id"]


def one_a_side(sides: pd.DataFrame) -> pd.DataFrame:
    """A row each side of a game, whatever the pools: rated if one of them rates it, else the reason of the first."""
    first = sides.sort_values([*SIDE, "outcome"], ascending=[True] * len(SIDE) + [False], kind="stable")
    return first.drop_duplicates(SIDE)[[*SIDE, "outcome", "reason"]]


def check(month: Mapping[str, pd.DataFrame], before: pd.DataFrame) -> None:
    """Raises ContractError unless the month closes: cells, sides and pools, sums, ledger, state and list."""
    sides, games, cells = month["us_sides"], month["games"], month["cells"]
    pools = month["us_sections"].set_index(KEY)["pools"].fillna("").str.split().str.len()
    played = games.loc[games["played"], KEY]
    wanted = int(pools.reindex(pd.MultiIndex.from_frame(played)).sum()) if len(played) else 0
    _equal("played games x 2 x pools and sides", 2 * wanted, len(sides))
    _equal("reported cells and cells", len(month["results"]), len(cells))
    _equal("rated cells and sides", int((cells["outcome"] == "rated").sum()),
           int((one_a_side(sides)["outcome"] == "rated").sum()))  # fmt: skip
    lost = cells[(cells["outcome"] == "none") & cells["reason"].isna()]
    if len(lost):
        raise ContractError(f"a cell is lost: {lost.iloc[0].to_dict()}")
    rated = sides[sides["outcome"] == "rated"]
    steps = month["us_steps"].sort_values([*KEY, *SLOT])
    sums = rated.groupby([*KEY, *SLOT])["score"].agg(["size", "sum"])
    for name, column in (("m", "size"), ("score", "sum")):
        if not np.array_equal(steps[name].to_numpy("float64"), sums[column].to_numpy("float64")):
            raise ContractError(f"the sums of us_sides and us_steps differ in {name}")
    _ledger(month["us_state"], month["us_trail"], before)
    _equal("state and list", len(month["us_state"]), len(month["us_list"]))


def _ledger(state: pd.DataFrame, trail: pd.DataFrame, before: pd.DataFrame) -> None:
    """Each entry begins where the one before ended, the first at the state before, the last ends at the new state."""
    was, now = (rows.set_index(SLOT)["rating"] for rows in (before, state))
    follows = trail.groupby(SLOT)["after"].shift()
    first = trail["seq"] == 1
    index = pd.MultiIndex.from_frame(trail[SLOT])
    wanted = follows.where(~first, was.reindex(index).set_axis(trail.index))
    broken = ~((trail["before"] == wanted) | (trail["before"].isna() & wanted.isna()))
    if broken.any():
        raise ContractError(f"the ledger breaks at {trail.loc[broken, [*SLOT, 'seq']].iloc[0].to_dict()}")
    ends = trail.drop_duplicates(SLOT, keep="last").set_index(SLOT)["after"]
    everybody = was.index.union(now.index)
    final = ends.reindex(everybody)
    final = final.where(everybody.isin(ends.index), was.reindex(everybody))
    after = now.reindex(everybody)
    wrong = ~((final == after) | (final.isna() & after.isna()))
    if wrong.any():
        raise ContractError(f"the ledger of {everybody[wrong.to_numpy()][0]} does not balance")


def _equal(what: str, one: int, other: int) -> None:
    if one != other:
        raise ContractError(f"{what}: {one} and {other}")
