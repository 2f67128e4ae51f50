"""changes: sides + prior -> event_changes, changes. Rated players: per event, then Ro, n, W, We, K, change, Rn."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import findings, formulas
from ratingrun.frames import CHANGES, EVENT_CHANGES
from ratingrun.rulebooks import RuleBook
from ratingrun.stages.lists import Lists
from ratingrun.stages.reports import KEY

SUMS = {"n": ("score_c", "size"), "w_c": ("score_c", "sum"), "we_c": ("pd_c", "sum"), "dr_c": ("dr_c", "sum")}


def build(sides: pd.DataFrame, prior: pd.DataFrame, book: RuleBook) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`event_changes` and `changes` from the rated sides, and findings: C301 where K x n reduced K.

    Ro and K are those of `prior`, the list just before (8.3.2, 8.3.3); n is the whole period's; the change is rounded
    once (8.3.4), or once a tournament where the book says so.
    """
    rated = sides[sides["outcome"] == "rated"]
    changes = rated.groupby("player_id", sort=True).agg(**SUMS, r_sum=("r_opp", "sum")).reset_index()
    base = changes[["player_id"]].merge(prior, on="player_id", how="left", validate="1:1")
    n, k_base = changes["n"].to_numpy("int64"), base["k"].to_numpy("int64")
    k = formulas.reduced_k(k_base, n, book.period.max_kn.value)
    changes = changes.assign(
        rc=formulas.divide_half_up(changes["r_sum"].to_numpy("int64"), n),
        ro=base["rating"],
        k_base=k_base,
        k=k,
        k_clause=np.where(k < k_base, f"{book.period.max_kn.clause} K x n", base["k_clause"]),
        change_c=k * changes["dr_c"].to_numpy("int64"),
    )
    events = rated.groupby(["player_id", *KEY], sort=True).agg(**SUMS).reset_index()
    events = events.merge(changes[["player_id", "k"]], on="player_id", validate="m:1")
    events["change_c"] = events["k"] * events["dr_c"].astype("int64")
    changes["change"] = formulas.round_half_away(changes["change_c"].to_numpy("int64"))
    if book.period.rounding.value == "tournament":
        rounded = events.assign(change=formulas.round_half_away(events["change_c"].to_numpy("int64")))
        changes["change"] = rounded.groupby("player_id", sort=True)["change"].sum().to_numpy("int64")
    changes["rn"] = changes["ro"] + changes["change"]
    found = findings.of("C301", changes[(k < k_base)])
    return EVENT_CHANGES.build(events), CHANGES.build(changes), found


def k_at_start(
    sides: pd.DataFrame, tournaments: pd.DataFrame, lists: Lists, prior: pd.DataFrame, book: RuleBook
) -> pd.DataFrame:
    """A note on how many changes rest on the K of the list just before, because the list of the start had another K."""
    rated = sides[sides["outcome"] == "rated"].merge(tournaments[[*KEY, "list_in_force"]], on=KEY)
    pairs = rated[["player_id", "list_in_force"]].drop_duplicates()
    now = prior[["player_id", "k"]].rename(columns={"k": "k_now"})
    differs: set[str] = set()
    for day, rows in pairs.groupby("list_in_force"):
        both = rows.merge(lists[day.date()][["player_id", "k"]], on="player_id").merge(now, on="player_id")
        differs.update(both.loc[(both["k"] != both["k_now"]).fillna(False), "player_id"])
    return findings.rests_on(book, "period.k_list", len(differs))
