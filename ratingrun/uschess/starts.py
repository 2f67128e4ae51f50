"""Start values of players who are unrated in a pool: given by the office, a blend of other ratings, or by age (step 1).

Days are counted from 1970-01-01, as float64; nan where a day is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ratingrun.frames import MEMBERS, POOLS
from ratingrun.uschess import formulas
from ratingrun.uschess.books import Book

BY = ("age", "blend", "given")
REGULAR, ONLINE = POOLS[0], "online_"
FIDE, CFC = "fide", "cfc"


def day_numbers(dates: pd.Series) -> np.ndarray:
    """Days since 1970-01-01, nan where there is none."""
    days = pd.to_datetime(pd.Series(dates)).to_numpy("datetime64[D]")
    return np.where(np.isnat(days), np.nan, days.astype("int64").astype("float64"))


@dataclass(frozen=True)
class People:
    """What is known of the players, by their place in the run: birth, adult, a given start, dated foreign ratings."""

    birth: np.ndarray
    adult: np.ndarray
    given: np.ndarray
    given_n: np.ndarray
    foreign: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]  # sorted: player, day, rating


def people(members: pd.DataFrame, everybody: pd.Index) -> People:
    """The facts of members.csv for these players; the newest filled cell of each counts."""
    rows = members.sort_values(["date", "line"], kind="stable")
    newest = rows.groupby("player_id")[["birth_date", "adult", "start", "start_n"]].last().reindex(everybody)
    found = {}
    for name in (FIDE, CFC):
        rated = rows[rows[name].notna() & rows["player_id"].isin(everybody)]
        player = everybody.get_indexer(rated["player_id"])
        day, rating = day_numbers(rated["date"]), rated[name].to_numpy("float64")
        order = np.lexsort((day, player))
        found[name] = (player[order], day[order], rating[order])
    return People(
        birth=day_numbers(newest["birth_date"]),
        adult=(newest["adult"] == "yes").fillna(False).to_numpy(bool),
        given=newest["start"].to_numpy("float64"),
        given_n=newest["start_n"].fillna(0).to_numpy("float64"),
        foreign=found,
    )


def nobody(everybody: pd.Index) -> People:
    """No facts about anybody."""
    return people(MEMBERS.empty(), everybody)


def _newest(known: tuple[np.ndarray, ...], player: np.ndarray, day: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(rating, its day) of the newest foreign rating that is not after `day`; nan where there is none."""
    who, when, rating = known
    if not len(who):
        return np.full(len(player), np.nan), np.full(len(player), np.nan)
    span = max(float(when.max()), float(day.max())) - min(float(when.min()), float(day.min())) + 1
    base = min(float(when.min()), float(day.min()))
    at = np.searchsorted(who * span + (when - base), player * span + (day - base), side="right") - 1
    there = (at >= 0) & (who[at] == player)
    return np.where(there, rating[at], np.nan), np.where(there, when[at], np.nan)


def _factor(own: np.ndarray, source: str, book: Book) -> np.ndarray:
    """The game factor of a US Chess pool as a source, for players who start in the pools `own`."""
    rules = book.blend
    if source == REGULAR:
        return np.full(len(own), float(rules.regular_factor.value))
    kindred = np.array([ONLINE + source == POOLS[pool] for pool in own], bool)
    return np.where(kindred, float(rules.kindred_factor.value), float(rules.other_factor.value))


def values(
    player: np.ndarray,
    pool: np.ndarray,
    end: np.ndarray,
    rating: np.ndarray,
    games: np.ndarray,
    last: np.ndarray,
    known: People,
    book: Book,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(start rating, N, place in BY) of players unrated in `pool` in a section that ends on the day `end`.

    `rating`, `games` and `last` (its day) have a row a pool: what the player has there before the section.
    """
    start = formulas.age_rating(end - known.birth[player], known.adult[player], book.start)
    count, by = np.zeros(len(player)), np.zeros(len(player), "int64")
    if book.blend.kind.value != "none":
        sources = [
            (_factor(pool, name, book), np.where(pool == place, np.nan, rating[place]), games[place], last[place])
            for place, name in enumerate(POOLS)
        ]
        for name, rules in ((FIDE, book.fide), (CFC, book.cfc)):
            found, day = _newest(known.foreign[name], player, end)
            cfc = np.full(len(player), float(book.blend.cfc_factor.value))
            factor = formulas.fide_factor(found, book.blend) if name == FIDE else cfc
            sources.append((factor, formulas.converted(found, rules), np.full(len(player), np.inf), day))
        blended, n = _blend(player, end, sources, known, book)
        start, by = np.where(n > 0, blended, start), np.where(n > 0, BY.index("blend"), by)
        count = np.where(n > 0, n, count)
    given = ~np.isnan(known.given[player])
    start = np.where(given, known.given[player], start)
    return start, np.where(given, known.given_n[player], count), np.where(given, BY.index("given"), by)


def _blend(
    player: np.ndarray, end: np.ndarray, sources: list[tuple[np.ndarray, ...]], known: People, book: Book
) -> tuple[np.ndarray, np.ndarray]:
    """(blended start, N; 0: no source) from (factor, rating, games there, day) of each source."""
    places, ratings, weights = [], [], []
    for factor, rating, games, day in sources:
        there = np.flatnonzero(~np.isnan(rating) & (games > 0))
        when = np.where(np.isnan(day[there]), end[there], day[there])
        by_age = formulas.age_rating(when - known.birth[player[there]], known.adult[player[there]], book.start)
        most = np.minimum(factor[there], games[there])
        weights.append(formulas.source_weight(most, rating[there], by_age, end[there] - when, book))
        ratings.append(rating[there])
        places.append(there)
    joined = (np.concatenate(part) for part in (places, ratings, weights))
    return formulas.blend(*joined, len(player), book.blend)
