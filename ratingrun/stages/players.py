"""players: dated facts about players, collapsed to what holds on a day."""

from __future__ import annotations

import datetime as dt

import pandas as pd

from ratingrun import frames

FACTS = [name for name in frames.PLAYERS.names if name not in ("player_id", "date", "line")]
LEFT = ("withdrawn", "deceased")


def as_of(players: pd.DataFrame, day: dt.date) -> pd.DataFrame:
    """One row a player (index player_id) with the newest filled value of each fact whose date is `day` or earlier."""
    valid = players[players["date"] <= pd.Timestamp(day)].sort_values(["date", "line"], kind="stable")
    return valid.groupby("player_id")[FACTS].last()


def as_known(newcomers: pd.DataFrame, facts: pd.DataFrame) -> pd.DataFrame:
    """The newcomers of the reports with what is known of them in place of what was reported."""
    known = facts.reindex(newcomers["player_id"])
    filled = {
        name: pd.Series(known[name].array, index=newcomers.index).fillna(newcomers[name]).astype(newcomers[name].dtype)
        for name in newcomers.columns.intersection(FACTS)
    }
    return newcomers.assign(**filled)


def who_left(players: pd.DataFrame, day: dt.date) -> pd.Index:
    """Ids of the players who are withdrawn or deceased on `day`."""
    facts = as_of(players, day)
    return facts.index[facts["status"].isin(LEFT)]
