"""players: dated facts about players, collapsed to what holds on a day."""

from __future__ import annotations

import datetime as dt

import pandas as pd

from ratingrun import frames

FACTS = [name for name in frames.PLAYERS.names if name not in ("player_id", "date", "line")]
REPORTED = ("name", "federation", "sex", "title", "birth_year")  # what reports say of a player
TITLES = ("w_title", "o_title", "foa_title")
LEFT = ("withdrawn", "deceased")


def as_of(players: pd.DataFrame, day: dt.date) -> pd.DataFrame:
    """One row a player (index player_id) with the newest filled value of each fact whose date is `day` or earlier."""
    valid = players[players["date"] <= pd.Timestamp(day)].sort_values(["date", "line"], kind="stable")
    return valid.groupby("player_id")[FACTS].last()


def as_known(newcomers: pd.DataFrame, facts: pd.DataFrame) -> pd.DataFrame:
    """The newcomers of the reports with what is known of them in place of what was reported, and the titles of which a
    report says nothing."""
    known = facts.reindex(newcomers["player_id"])
    filled = {name: pd.Series(known[name].array, index=newcomers.index) for name in (*TITLES, *REPORTED)}
    for name in REPORTED:
        filled[name] = filled[name].fillna(newcomers[name]).astype(newcomers[name].dtype)
    return newcomers.assign(**filled)


def away(players: pd.DataFrame, prior_day: dt.date, day: dt.date) -> pd.Index:
    """Ids of the players who had left by the list just before and have not come back by the list of `day`."""
    before, now = (
        facts.index[facts["status"].isin(LEFT)] for facts in (as_of(players, prior_day), as_of(players, day))
    )
    return now.intersection(before)
