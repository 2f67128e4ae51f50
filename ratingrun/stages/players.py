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


def who_left(players: pd.DataFrame, day: dt.date) -> pd.Index:
    """Ids of the players who are withdrawn or deceased on `day`."""
    facts = as_of(players, day)
    return facts.index[facts["status"].isin(LEFT)]
