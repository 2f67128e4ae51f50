"""Explanations that are tried: what rating would stand there, if ...

A `Trial` gives, for each differing player, the rating under one assumption. Cheap ones work on the frames of our own
month; the others run the whole month again under another rule or with other facts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import coded, formulas, periods, pipeline, rulebooks, what_if
from ratingrun.frames import CORRECTIONS
from ratingrun.stages.reports import KEY

ROUNDING = "period.rounding"
LATE = ("period.closing_days", "period.late_lists")
# Words that decide nothing in a month: how a list is adopted, what an approval is called.
NOT_TRIED = ("adopt.", "time_control.approval", ROUNDING)
OLDEST = 24  # months: books that were over before are not needed for what is rated on a list


@dataclass(frozen=True)
class Trial:
    """One assumption: its class, its name, and the rating of each player under it (index player_id; NA unrated)."""

    kind: str
    name: str
    ratings: pd.Series


def ratings_of(month: pipeline.Month) -> pd.Series:
    """The ratings of a month's list by player."""
    rows = month.frames["rating_list"]
    return pd.Series(rows["rating"].array, index=rows["player_id"])


def with_facts(inputs: pipeline.Inputs, field: str, values: pd.Series, why: str) -> pipeline.Inputs:
    """The inputs with a field of the list just before corrected for some players (`values` by player_id)."""
    day = pd.Timestamp(max(inputs.lists))
    values = values.dropna()
    rows = pd.DataFrame({"player_id": values.index, "value": values.astype("Int64").astype("str").to_numpy()})
    rows = rows.assign(rating_type=inputs.rating_type, list_date=day, field=field, reason=why, source="audit", line=0)
    ours = inputs.corrections
    same = (ours["list_date"] == day) & (ours["field"] == field) & ours["player_id"].isin(values.index)
    return replace(inputs, corrections=CORRECTIONS.build(pd.concat([ours[~same], rows[CORRECTIONS.names]])))


def rerun(inputs: pipeline.Inputs) -> pd.Series | None:
    """The ratings of the month of other inputs; None if they stop it."""
    month = pipeline.run(inputs)
    return None if month.stopped else ratings_of(month)


# --- on the frames of the month --------------------------------------------------------------------------------------


def rounded_by_event(month: pipeline.Month) -> Trial:
    """A1: rounded once a tournament instead of once a period."""
    events = month.frames["event_changes"]
    moved = events.assign(change=formulas.round_half_away(*_parts(events)))
    return Trial("rounding", f"{ROUNDING} = tournament", _moved(month, moved.groupby("player_id")["change"].sum()))


def other_k(month: pipeline.Month, k: int) -> Trial:
    """Another K on the list before."""
    rows = month.frames["changes"]
    used = formulas.reduced_k(rows["k_base"].to_numpy("int64") * 0 + k, rows["n"].to_numpy("int64"), _max_kn(month))
    change = formulas.round_half_away(used * rows["dr_c"].to_numpy("int64"), rows["scale"].to_numpy("int64"))
    return Trial("k_differs", f"K {k}", _moved(month, pd.Series(change, index=rows["player_id"])))


def k_at_start(month: pipeline.Month, inputs: pipeline.Inputs) -> Trial:
    """A3: the K of the list in force when each tournament started."""
    events = month.frames["event_changes"].merge(month.frames["tournaments"][[*KEY, "list_in_force"]], on=KEY)
    events["k_start"] = events["k"]
    for day, rating_list in inputs.lists.items():
        here = (events["list_in_force"] == pd.Timestamp(day)).to_numpy()
        known = rating_list.set_index("player_id")["k"]
        events.loc[here, "k_start"] = events.loc[here, "player_id"].map(known).fillna(events.loc[here, "k"])
    n = events.groupby("player_id")["n"].transform("sum").to_numpy("int64")
    k = formulas.reduced_k(events["k_start"].to_numpy("int64"), n, _max_kn(month))
    events["change_c"] = k * events["dr_c"].to_numpy("int64")
    sums = events.groupby("player_id").agg(change_c=("change_c", "sum"), scale=("scale", "max"))
    change = pd.Series(formulas.round_half_away(*_parts(sums)), index=sums.index)
    return Trial("k_differs", "period.k_list = start", _moved(month, change))


def without_games(month: pipeline.Month, players: pd.Index) -> Iterator[Trial]:
    """Each of the players without one of his tournaments, and without one of his games.

    One trial for the n-th tournament (game) of everybody: `name` is filled in by `left_out`.
    """
    sides = month.frames["sides"]
    sides = sides[(sides["outcome"] == "rated") & sides["player_id"].isin(players)]
    for what, key in (("tournament", KEY), ("game", [*KEY, "round"])):
        parts = sides.groupby(["player_id", *key], sort=True).agg(n=("score_c", "size"), dr_c=("dr_c", "sum"))
        parts = coded.plain_frame(parts.reset_index())
        parts["place"] = parts["tournament_id"] + ("" if what == "tournament" else " " + parts[key[-1]].astype("str"))
        parts["number"] = parts.groupby("player_id").cumcount()
        for _, one in parts.groupby("number"):
            yield _left_out(month, one, what)


def _left_out(month: pipeline.Month, parts: pd.DataFrame, what: str) -> Trial:
    rows = parts.merge(month.frames["changes"], on="player_id", suffixes=("_part", ""))
    n = (rows["n"] - rows["n_part"]).to_numpy("int64")
    k = formulas.reduced_k(rows["k_base"].to_numpy("int64"), n.clip(min=1), _max_kn(month))
    rows["change_c"] = k * (rows["dr_c"] - rows["dr_c_part"]).to_numpy("int64")
    change = formulas.round_half_away(*_parts(rows))
    ratings = _moved(month, pd.Series(change, index=rows["player_id"]))
    places = pd.Series(rows["place"].array, index=rows["player_id"])
    ratings.attrs = {"places": places, "n": pd.Series(n, index=rows["player_id"])}
    return Trial("missing_game", f"without {what}", ratings)


def _parts(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """The changes in parts of a point, and how many parts a point has."""
    return rows["change_c"].to_numpy("int64"), rows["scale"].to_numpy("int64")


def _moved(month: pipeline.Month, change: pd.Series) -> pd.Series:
    """The rating of each changed player with another change; below the floor: none."""
    ro = month.frames["changes"].set_index("player_id")["ro"].reindex(change.index)
    after = (ro + change).astype("Int64")
    return after.mask(after < month.book.period.floor.value)


def _max_kn(month: pipeline.Month) -> int:
    limit = month.book.period.max_kn.number
    return sys.maxsize if limit is None else limit


# --- the month again under other rules -------------------------------------------------------------------------------


def under_other_rules(inputs: pipeline.Inputs, book: rulebooks.RuleBook, work: Path) -> Iterator[Trial]:
    """The month under each other word of the book (A1 to A18), under each neighbouring book, with what came late."""
    stated = dict(book.stated())
    for key, words in rulebooks.WORDS.items():
        if key not in stated or key.startswith(NOT_TRIED):
            continue
        for word in words:
            if word != stated[key].value:
                yield from _under(inputs, {key: word}, work / f"{key}-{word}", "rule_book", f"{key} = {word}")
    known = rulebooks.books(inputs.system, inputs.books)
    place = [one.id for one in known].index(book.id)
    for one in known[max(place - 1, 0) : place] + known[place + 1 : place + 2]:
        folder = what_if.always(inputs.books, inputs.system, one.from_, work / f"always-{one.from_}")
        yield from _run(replace(inputs, books=folder), "rule_book", f"book {one.id}")
    late = {LATE[0]: "0", LATE[1]: "none"}
    yield from _under(inputs, late, work / "late", "missing_game", "with the reports that wait or came too late")


def _under(inputs: pipeline.Inputs, changes: dict[str, str], folder: Path, kind: str, name: str) -> Iterator[Trial]:
    oldest = periods.list_date(periods.shift(inputs.period, -OLDEST))
    books = what_if.altered(inputs.books, inputs.system, changes, folder, oldest)
    yield from _run(replace(inputs, books=books), kind, name)


def _run(inputs: pipeline.Inputs, kind: str, name: str) -> Iterator[Trial]:
    """The trial, unless the rules cannot make this month (a chapter that lacks a date, a list of another month)."""
    try:
        ratings = rerun(inputs)
    except rulebooks.RuleBookError:
        return
    if ratings is not None:
        yield Trial(kind, name, ratings)
