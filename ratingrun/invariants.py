"""What must hold in every month, checked on every run. A break is a ContractError: a bug, never the user's input."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun.frames import CELLS, ContractError
from ratingrun.stages.reports import KEY

CELL = [*KEY, "round", "start_no"]


def cells(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """`cells`: where each reported cell ended - a rated side, a pooled side, or a reason.

    A cell of a report that is not used has the report's status as reason, one of another part's round outside_part.
    """
    results, games, sides = frames["results"], frames["games"], frames["sides"]
    keys = [*KEY, "round"]
    halves = [
        games[[*keys, f"{colour}_no", f"{colour}_id", "reason"]].set_axis(
            [*keys, "start_no", "player_id", "why"], axis=1
        )
        for colour in ("white", "black")
    ]
    half = pd.concat(halves).dropna(subset="start_no").astype({"start_no": "int64"})
    rows = results.merge(half, on=CELL, how="left", validate="m:1", indicator="in_games")
    judged = sides[[*keys, "player_id", "outcome", "reason"]].rename(columns={"reason": "special"})
    rows = rows.merge(judged, on=[*keys, "player_id"], how="left", validate="m:1")
    status = rows[KEY].merge(frames["tournaments"][[*KEY, "status"]], on=KEY, how="left")["status"]
    rows["outcome"] = rows["outcome"].fillna("none")
    why = rows["why"].fillna(rows["special"].where(rows["outcome"] == "none"))
    unread = why.isna() & (rows["in_games"] == "left_only").to_numpy()
    reason = ("report_" + status).where(status != "used", "outside_part").set_axis(rows.index)
    return CELLS.build(rows.assign(reason=why.mask(unread, reason)))


def check(frames: Mapping[str, pd.DataFrame], published: pd.DataFrame) -> None:
    """Raises ContractError unless the month closes: cells, sides, sums, players, ledger."""
    sides, games, found = frames["sides"], frames["games"], frames["cells"]
    _equal("played games x 2 and sides", 2 * int(games["played"].sum()), len(sides))
    for outcome in ("rated", "pool"):
        _equal(f"{outcome} cells and sides", (found["outcome"] == outcome).sum(), (sides["outcome"] == outcome).sum())
    unexplained = found[(found["outcome"] == "none") & found["reason"].isna()]
    if len(unexplained):
        raise ContractError(f"a cell is lost: {unexplained.iloc[0].to_dict()}")
    _equal("reported cells and cells", len(frames["results"]), len(found))
    rated = sides[sides["outcome"] == "rated"]
    for name in ("event_changes", "changes"):
        sums = frames[name].groupby("player_id")["dr_c"].sum()
        if not sums.sort_index().equals(rated.groupby("player_id")["dr_c"].sum().astype("int64").sort_index()):
            raise ContractError(f"the sums of sides and {name} differ")
    _ledger(frames["rating_list"], frames["trail"], published)


def _ledger(rating_list: pd.DataFrame, trail: pd.DataFrame, published: pd.DataFrame) -> None:
    removed = trail.loc[trail["entry"].isin(["removed", "merge"]), "player_id"]
    ids = pd.Index(published["player_id"])
    new = pd.Index(rating_list["player_id"])
    moved = trail.groupby("player_id")["amount"].sum()
    lost = ids[(new.get_indexer(ids) < 0) & ~ids.isin(removed)]
    if len(lost):
        raise ContractError(f"player {lost[0]} of the prior list is lost")
    everybody = new.append(ids[new.get_indexer(ids) < 0])
    balance = _aligned(published["rating"], ids, everybody) - _aligned(rating_list["rating"], new, everybody)
    balance += _aligned(moved, moved.index, everybody)
    strangers = moved.index[everybody.get_indexer(moved.index) < 0]
    open_ = [*everybody[balance != 0], *strangers[(moved[strangers] != 0).to_numpy()]]
    if open_:
        raise ContractError(f"the ledger of player {open_[0]} does not balance")


def _aligned(values: pd.Series, index: pd.Index, wanted: pd.Index) -> np.ndarray:
    """The values (null: 0) in the order of `wanted`; 0 for who is not in `index`."""
    return np.append(values.fillna(0).to_numpy("int64"), 0)[index.get_indexer(wanted)]


def _equal(what: str, one: int, other: int) -> None:
    if one != other:
        raise ContractError(f"{what}: {one} and {other}")
