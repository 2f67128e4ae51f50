"""changes: sides + prior -> event_changes, changes. Rated players: per event, then Ro, n, W, We, K, change, Rn."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd

from ratingrun import coded, findings, formulas
from ratingrun.frames import CHANGES, EVENT_CHANGES
from ratingrun.rulebooks import RuleBook
from ratingrun.stages import codes
from ratingrun.stages.lists import Lists, Places
from ratingrun.stages.reports import KEY

SUMS = {"w_c": "score_c", "we_c": "pd_c", "dr_c": "dr_c"}


def build(
    sides: pd.DataFrame,
    ids: pd.Series,
    prior: pd.DataFrame,
    place: np.ndarray,
    book: RuleBook,
    tournaments: pd.DataFrame,
    lists: Lists,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`event_changes` and `changes` from the rated sides, and findings: C301 where K x n reduced K, C302 several K.

    Ro is that of `prior`, the list just before (8.3.2), on which `place` says where the players stand; so is K
    (8.3.3), unless the book says that K is that of the list at a tournament's start. n is the whole period's; the
    change is rounded once (8.3.4), or once a tournament where the book says so. `who`, the player's position in
    `ids`, stands beside both frames, the event's `start` beside the first.
    """
    rated = sides[["at", "who", "score_c", "pd_c", "dr_c", "r_opp", "scale"]][_rated(sides)]
    played = np.flatnonzero(np.bincount(rated["who"].to_numpy(), minlength=len(ids)))
    who, ids = codes.narrowed(rated["who"].to_numpy(), ids)
    changes = _sums(rated, who, len(ids)).assign(player_id=ids, who=played)
    base = place[played]
    for name, column in (("ro", "rating"), ("k_base", "k"), ("k_clause", "k_clause")):
        changes[name] = coded.plain(codes.take(prior[column], base))
    events, player = _events(rated, who, ids, tournaments)
    n = changes["n"].to_numpy()[player]
    events = events.assign(
        k_base=changes["k_base"].take(player).array,
        k_clause=changes["k_clause"].take(player).array,
        who=played[player],
    )
    if book.period.k_list.value == "start":
        events = _k_of_start(events, tournaments, lists)
    events["k"] = formulas.reduced_k(events["k_base"].to_numpy("int64"), n, book.period.max_kn.number)
    events["change_c"] = events["k"] * events["dr_c"]
    for name, values in _summed(events, player, len(ids)).items():
        changes[name] = values
    reduced = (changes["k"] < changes["k_base"]).to_numpy(bool)
    changes["k_clause"] = changes["k_clause"].mask(reduced, f"{book.period.max_kn.clause} K x n")
    r_sum = codes.sums(who, rated["r_opp"].to_numpy("int64"), len(ids))
    changes["rc"] = formulas.divide_half_up(r_sum, changes["n"].to_numpy("int64"))
    changes["change"] = _rounded(changes, events, player, book)
    changes["rn"] = changes["ro"] + changes["change"]
    found = [findings.of("C301", changes[reduced]), findings.of("C302", changes[changes["several"]])]
    events, changes = EVENT_CHANGES.build(events, keep=("who", "start")), CHANGES.build(changes, keep=("who",))
    return events, changes, findings.join(found)


def _rated(sides: pd.DataFrame) -> np.ndarray:
    return (sides["outcome"] == "rated").to_numpy(bool)


def _sums(rated: pd.DataFrame, group: np.ndarray, count: int) -> pd.DataFrame:
    """One row a group of sides: n, w_c, we_c, dr_c and the scale, which all sides of a month share."""
    columns = {name: codes.sums(group, rated[column].to_numpy("int64"), count) for name, column in SUMS.items()}
    scale = rated["scale"].to_numpy("int64").max(initial=0)
    return pd.DataFrame({"n": np.bincount(group, minlength=count), **columns, "scale": scale})


def _events(
    rated: pd.DataFrame, who: np.ndarray, ids: pd.Series, tournaments: pd.DataFrame
) -> tuple[pd.DataFrame, np.ndarray]:
    """One row a player and tournament part, sorted so, with its sums and `start`; and the player's code of each."""
    part = rated["at"].to_numpy()
    (key,) = codes.joint((who,), (part,))
    group, keys = pd.factorize(key, sort=True)
    width = int(part.max(initial=0)) + 1
    player, at = keys // width, keys % width
    events = _sums(rated, group, len(keys)).assign(player_id=codes.take(ids, player))
    for name in (*KEY, "start", "list_in_force"):
        events[name] = codes.take(tournaments[name], at)
    return events, player


def _k_of_start(events: pd.DataFrame, tournaments: pd.DataFrame, lists: Lists) -> pd.DataFrame:
    """The events with K of the list in force at each one's start, where it has one for the player."""
    for day in events["list_in_force"].drop_duplicates():
        here = events["list_in_force"] == day
        listed = lists[day.date()].set_index("player_id")[["k", "k_clause"]].reindex(events.loc[here, "player_id"])
        for name, column in (("k_base", "k"), ("k_clause", "k_clause")):
            old = events.loc[here, name]
            events.loc[here, name] = coded.plain(listed[column]).set_axis(old.index).fillna(old)
    return events


def _summed(events: pd.DataFrame, player: np.ndarray, count: int) -> dict[str, object]:
    """By player: the sum of change_c; k_base, k and k_clause of the newest event; `several` K or not."""
    start = events["start"].to_numpy("datetime64[D]").astype("int64")
    ordered = np.lexsort((start, player))  # of one first day in the order of the parts
    last = ordered[np.append(player[ordered][1:] != player[ordered][:-1], True)] if len(ordered) else ordered
    k = events["k"].to_numpy("int64")
    changed = codes.sums(player, k != np.take(k[last], player) if len(last) else k, count)
    newest = {name: events[name].take(last).array for name in ("k_base", "k", "k_clause")}
    change_c = codes.sums(player, events["change_c"].to_numpy("int64"), count)
    return {"change_c": change_c, **newest, "several": changed > 0}


def _rounded(changes: pd.DataFrame, events: pd.DataFrame, player: np.ndarray, book: RuleBook) -> np.ndarray:
    """The change in whole points: the sum rounded, or the sum of each tournament's rounded change."""
    scale = int(changes["scale"].max()) if len(changes) else formulas.POINT
    if book.period.rounding.value == "period":
        return formulas.round_half_away(changes["change_c"].to_numpy("int64"), scale)
    rounded = formulas.round_half_away(events["change_c"].to_numpy("int64"), scale)
    return codes.sums(player, rounded, len(changes))


def k_at_start(
    sides: pd.DataFrame, tournaments: pd.DataFrame, lists: Lists, places: Places, prior_day: dt.date, book: RuleBook
) -> pd.DataFrame:
    """A note on how many changes rest on whose K is used, because the list of the start and the prior differ in K."""
    rated = _rated(sides)
    who, part = sides["who"].to_numpy()[rated], sides["at"].to_numpy()[rated]
    now = _k_of(lists[prior_day], places[prior_day])
    differs = np.zeros(len(now), bool)
    for day in tournaments["list_in_force"].drop_duplicates():
        here = (tournaments["list_in_force"] == day).to_numpy()[part]
        if here.any() and day.date() != prior_day:
            k = _k_of(lists[day.date()], places[day.date()])
            there = np.bincount(who[here], minlength=len(now)) > 0
            differs |= there & (k > 0) & (now > 0) & (k != now)
    return findings.rests_on(book, "period.k_list", int(differs.sum()))


def _k_of(rating_list: pd.DataFrame, place: np.ndarray) -> np.ndarray:
    """K of the players on a list, 0 for who has none."""
    return np.append(rating_list["k"].to_numpy("int64", na_value=0), 0)[place]
