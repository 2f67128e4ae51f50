"""chapters: what a book asks of a report: another list to start from, a round robin that it can't compute."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import findings, rulebooks
from ratingrun.frames import PLAYERS
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import OtherList
from ratingrun.stages import players
from ratingrun.stages.lists import Lists
from ratingrun.stages.reports import KEY


def seed_lists(
    tournaments: pd.DataFrame, books: Mapping[str, RuleBook], chapter: rulebooks.Chapter, lists: Lists
) -> tuple[dict[dt.date, pd.DataFrame], pd.DataFrame]:
    """By tournament start the list from which players without a rating start: the one in force on that day, never a
    newer one; and R116 for the tournaments whose list is not among `lists` (by day, corrected).

    Only for tournaments whose book takes ratings from another list. `chapter` makes that list.
    """
    wanting = [name for name, book in books.items() if isinstance(book.seed, OtherList)]
    rows = tournaments[(tournaments["status"] == "used") & tournaments["book"].isin(wanting)]
    first = rulebooks.books(*chapter)[0].from_
    starts = [start.date() for start in rows["start"].drop_duplicates()]
    days = {start: rulebooks.list_in_force(chapter, start) if start >= first else start for start in starts}
    at_hand = {start: lists[day] for start, day in days.items() if day in lists}
    absent = rows[~rows["start"].dt.date.isin(list(at_hand))]
    other = absent["book"].map({name: books[name].seed.rating_type.value for name in wanting})
    wanted = absent["start"].dt.date.map({start: f"{day:%Y-%m}" for start, day in days.items()})
    return at_hand, findings.of("R116", absent.assign(wanted=wanted, other=other))


def known_elsewhere(facts: pd.DataFrame, seeds: Mapping[dt.date, pd.DataFrame]) -> pd.DataFrame:
    """`facts` (by player id), and below them what the newest of the other lists says of its players."""
    if not seeds:
        return facts
    types = {column.name: column.dtype for column in PLAYERS.columns if column.name in players.FACTS}
    listed = seeds[max(seeds)].set_index("player_id").reindex(columns=players.FACTS)
    ids = facts.index.union(listed.index).rename("player_id")
    first, then = (rows.reindex(ids).astype(types) for rows in (facts, listed))
    return pd.DataFrame({name: first[name].fillna(then[name]) for name in players.FACTS}, index=ids)


def refused(
    tournaments: pd.DataFrame, games: pd.DataFrame, lists: Lists, books: Mapping[str, RuleBook]
) -> pd.DataFrame:
    """R115 for each round robin with unrated players under a book whose method for it is not sourced."""
    method = {name: book.round_robin.with_unrated.value for name, book in books.items()}
    known = tournaments["book"].map(method) != "two_passes_not_sourced"
    rows = tournaments[~known & (tournaments["system"] == "round_robin") & (tournaments["status"] == "used")]
    if rows.empty:
        return findings.none()
    played = games[games["played"]].merge(rows[[*KEY, "book", "list_in_force"]], on=KEY)
    sides = pd.concat([played.assign(player_id=played[name]) for name in ("white_id", "black_id")])
    rated = np.zeros(len(sides), bool)
    for day in sides["list_in_force"].drop_duplicates():
        listed = lists[day.date()]
        here = listed.loc[listed["rating"].notna(), "player_id"]
        rated |= ((sides["list_in_force"] == day) & sides["player_id"].isin(here)).to_numpy()
    unrated = sides[~rated].drop_duplicates([*KEY, "player_id"]).sort_values("player_id")
    names = unrated.groupby([*KEY, "file", "book"])["player_id"].agg(", ".join).rename("players").reset_index()
    return findings.of("R115", names)
