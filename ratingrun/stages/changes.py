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


def build(
    sides: pd.DataFrame, prior: pd.DataFrame, book: RuleBook, tournaments: pd.DataFrame, lists: Lists
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`event_changes` and `changes` from the rated sides, and findings: C301 where K x n reduced K, C302 several K.

    Ro is that of `prior`, the list just before (8.3.2); so is K (8.3.3), unless the book says that K is that of the
    list at a tournament's start. n is the whole period's; the change is rounded once (8.3.4), or once a
    tournament where the book says so.
    """
    rated = sides[sides["outcome"] == "rated"]
    changes = rated.groupby("player_id", sort=True).agg(**SUMS, r_sum=("r_opp", "sum"), scale=("scale", "max"))
    changes = changes.reset_index()
    base = changes[["player_id"]].merge(prior, on="player_id", how="left", validate="1:1")
    changes = changes.assign(ro=base["rating"], k_base=base["k"], k_clause=base["k_clause"])
    events = rated.groupby(["player_id", *KEY], sort=True).agg(**SUMS, scale=("scale", "max")).reset_index()
    said = changes[["player_id", "n", "k_base", "k_clause"]].rename(columns={"n": "n_all"})
    events = events.merge(said, on="player_id", validate="m:1")
    if book.period.k_list.value == "start":
        events = _k_of_start(events, tournaments, lists)
    k_base, n = events["k_base"].to_numpy("int64"), events["n_all"].to_numpy("int64")
    events["k"] = formulas.reduced_k(k_base, n, book.period.max_kn.number)
    events["change_c"] = events["k"] * events["dr_c"].astype("int64")
    changes = changes.drop(columns=["k_base", "k_clause"]).merge(_summed(events, tournaments), on="player_id")
    reduced = (changes["k"] < changes["k_base"]).to_numpy(bool)
    changes["k_clause"] = changes["k_clause"].mask(reduced, f"{book.period.max_kn.clause} K x n")
    changes["rc"] = formulas.divide_half_up(changes["r_sum"].to_numpy("int64"), changes["n"].to_numpy("int64"))
    changes["change"] = _rounded(changes, events, book)
    changes["rn"] = changes["ro"] + changes["change"]
    found = [findings.of("C301", changes[reduced]), findings.of("C302", changes[changes["several"]])]
    return EVENT_CHANGES.build(events), CHANGES.build(changes), findings.join(found)


def _k_of_start(events: pd.DataFrame, tournaments: pd.DataFrame, lists: Lists) -> pd.DataFrame:
    """The events with K of the list in force at each one's start, where it has one for the player."""
    events = events.merge(tournaments[[*KEY, "list_in_force"]], on=KEY, validate="m:1")
    for day in events["list_in_force"].drop_duplicates():
        here = events["list_in_force"] == day
        listed = lists[day.date()].set_index("player_id")[["k", "k_clause"]].reindex(events.loc[here, "player_id"])
        for name, column in (("k_base", "k"), ("k_clause", "k_clause")):
            old = events.loc[here, name]
            events.loc[here, name] = listed[column].set_axis(old.index).fillna(old)
    return events


def _summed(events: pd.DataFrame, tournaments: pd.DataFrame) -> pd.DataFrame:
    """One row a player: the sum of change_c; k_base, k and k_clause of the newest event; `several` K or not."""
    starts = events.merge(tournaments[[*KEY, "start"]], on=KEY, validate="m:1")
    ordered = starts.sort_values(["player_id", "start", *KEY], kind="stable").groupby("player_id", sort=True)
    summed = ordered.agg(
        change_c=("change_c", "sum"),
        k_base=("k_base", "last"),
        k=("k", "last"),
        k_clause=("k_clause", "last"),
        several=("k", "nunique"),
    )
    return summed.assign(several=summed["several"] > 1).reset_index()


def _rounded(changes: pd.DataFrame, events: pd.DataFrame, book: RuleBook) -> np.ndarray:
    """The change in whole points: the sum rounded, or the sum of each tournament's rounded change."""
    scale = int(changes["scale"].max()) if len(changes) else formulas.POINT
    if book.period.rounding.value == "period":
        return formulas.round_half_away(changes["change_c"].to_numpy("int64"), scale)
    rounded = events.assign(change=formulas.round_half_away(events["change_c"].to_numpy("int64"), scale))
    return rounded.groupby("player_id", sort=True)["change"].sum().to_numpy("int64")


def k_at_start(
    sides: pd.DataFrame, tournaments: pd.DataFrame, lists: Lists, prior: pd.DataFrame, book: RuleBook
) -> pd.DataFrame:
    """A note on how many changes rest on whose K is used, because the list of the start and the prior differ in K."""
    rated = sides[sides["outcome"] == "rated"].merge(tournaments[[*KEY, "list_in_force"]], on=KEY)
    pairs = rated[["player_id", "list_in_force"]].drop_duplicates()
    now = prior[["player_id", "k"]].rename(columns={"k": "k_now"})
    differs: set[str] = set()
    for day, rows in pairs.groupby("list_in_force"):
        both = rows.merge(lists[day.date()][["player_id", "k"]], on="player_id").merge(now, on="player_id")
        differs.update(both.loc[(both["k"] != both["k_now"]).fillna(False), "player_id"])
    return findings.rests_on(book, "period.k_list", len(differs))
