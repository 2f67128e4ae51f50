"""The first run folder, from a list that somebody else published: what the list does not say is stood in for.

Every stand-in is a finding with the number of players that it touches; its figures come from the rule book.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import coded, findings, periods
from ratingrun.frames import RATING_LIST
from ratingrun.rulebooks import K, RuleBook
from ratingrun.stages import lists


def build(
    listed: pd.DataFrame, period: str, book: RuleBook, earlier: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`rating_list` from a list read by `formats.rating_lists.read`, and findings L210, L310 to L317.

    `earlier` holds older lists by name, read the same way: their games and highest ratings are counted.
    """
    day = periods.list_date(period)
    rows = listed.assign(federation=listed["federation"].fillna("?"), games=listed["games"].fillna(0))
    found: list[pd.DataFrame] = []
    below = (rows["rating"] < book.period.floor.value).fillna(False)
    found.append(_counted("L316", below, floor=book.period.floor.value))
    rows.loc[below, ["rating", "k"]] = pd.NA
    _history(rows, earlier)
    found += _by_k(rows, book, day)
    rows["games_total"] = rows["games_total"].fillna(rows["games"]).fillna(0)
    found.append(_activity(rows, day))
    found.append(_missing_k(rows, book, day))
    found.append(findings.of("L314"))
    return RATING_LIST.build(rows), findings.join(found)


def _counted(code: str, mask: pd.Series, **fields: object) -> pd.DataFrame:
    """One finding with the number of players, if there are any."""
    return findings.of(code, count=int(mask.sum()), **fields) if mask.any() else findings.none()


def _history(rows: pd.DataFrame, earlier: Mapping[str, pd.DataFrame]) -> None:
    """Counts games and the highest rating over the earlier lists, where the list itself does not say them."""
    past = pd.concat([part[["player_id", "rating", "games"]] for part in earlier.values()]) if earlier else None
    rows["known_games"] = rows["games_total"].notna()
    if past is None:
        return
    sums = past.groupby("player_id").agg(games=("games", "sum"), peak=("rating", "max"))
    sums = sums.reindex(rows["player_id"]).set_axis(rows.index)
    rows["games_total"] = rows["games_total"].fillna(sums["games"].astype("Int64") + rows["games"])
    higher = pd.concat([sums["peak"], rows["rating"]], axis=1).max(axis=1).astype("Int64")
    rows["peak"] = rows["peak"].fillna(higher)
    rows["known_games"] |= sums["games"].notna()


def _by_k(rows: pd.DataFrame, book: RuleBook, day: dt.date) -> list[pd.DataFrame]:
    """Peak and games that the published K tells of (DESIGN section 5), by the rows of K that the book has."""
    rated, last = rows["rating"].notna(), book.k[-1].k
    k = rows["k"].fillna(0)
    settled = rated & (k == last)
    unsaid = rated & rows["peak"].isna()
    rows["peak"] = rows["peak"].fillna(rows["rating"])
    found, assumed = [], pd.Series(False, index=rows.index)
    if top := _row(book, "peak_from"):
        at_top = rated & (k == top.k) & (rows["peak"] < top.peak_from)
        rows.loc[at_top, "peak"] = top.peak_from
        assumed |= at_top
        found.append(_counted("L310", at_top, peak=top.peak_from, k=top.k))
    if junior := _row(book, "age_until"):
        young = (day.year - rows["birth_year"].fillna(0).astype("int64")) <= junior.age_until
        limit = junior.peak_below or 0
        grown = settled & young & (rows["peak"] < limit)
        rows.loc[grown, "peak"] = limit
        assumed |= grown
        found.append(_counted("L310", grown, peak=limit, k=f"{last} although a junior"))
    if new := _row(book, "games_below"):
        played = settled & (rows["games_total"].fillna(0) < new.games_below) & ~rows["known_games"]
        rows.loc[played, "games_total"] = new.games_below
        uncounted = rated & (k == new.k) & rows["games_total"].isna()
        found.append(_counted("L311", played, games=new.games_below, k=last))
        found.append(_counted("L210", uncounted, k=new.k, games="those of this list"))
    return [_counted("L317", unsaid & ~assumed, peak="the rating"), *found]


def _row(book: RuleBook, condition: str) -> K | None:
    """The first row of K with a condition."""
    return next((row for row in book.k if getattr(row, condition) is not None), None)


def _activity(rows: pd.DataFrame, day: dt.date) -> pd.DataFrame:
    """`active` and `last_played`: what the list says, else by its flag, else a game on this list is assumed."""
    flagged = rows["flag"].fillna("").str.contains("i")
    rows["active"] = rows["active"].fillna(~flagged).astype("bool")
    assumed = rows["active"] & rows["last_played"].isna() & rows["rating"].notna()
    rows["last_played"] = rows["last_played"].mask(assumed, pd.Timestamp(day)).astype("datetime64[ms]")
    return findings.join([_counted("L312", assumed), _counted("L313", flagged)])


def _missing_k(rows: pd.DataFrame, book: RuleBook, day: dt.date) -> pd.DataFrame:
    """K by the rule book where the list has none; the clause of a published K is the one that gives the same K."""
    lacks = rows["rating"].notna() & rows["k"].isna()
    k, _ = lists.published_k(rows, book, day)
    rows["k"] = rows["k"].where(rows["rating"].notna()).fillna(k["k"])
    same = (rows["k"] == k["k"]).fillna(False)
    clause = np.where(same, coded.plain(k["k_clause"]).fillna(""), "as adopted")
    rows["k_clause"] = pd.Series(clause, index=rows.index, dtype="str").where(rows["k"].notna())
    return _counted("L315", lacks)
