"""lists: the lists in force, corrected; and the K that a list publishes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import coded, findings, periods
from ratingrun.rulebooks import RuleBook
from ratingrun.stages import codes

Lists = Mapping[dt.date, pd.DataFrame]
Places = Mapping[dt.date, np.ndarray]  # where the players of the month stand on each list; -1: not on it


def correct(
    lists: Lists, corrections: pd.DataFrame, rating_type: str
) -> tuple[dict[dt.date, pd.DataFrame], pd.DataFrame]:
    """The lists with the corrections of their dates, and findings: L303 what was changed, F116 nobody of that id.

    A correction patches a dated list wherever it is read: as rating in games and as base.
    """
    wanted = corrections[corrections["rating_type"] == rating_type]
    corrected, found = dict(lists), []
    for day, rating_list in lists.items():
        rows = wanted[wanted["list_date"] == pd.Timestamp(day)]
        if len(rows):
            corrected[day], news = _correct_one(rating_list, rows, day)
            found.append(news)
    return corrected, findings.join(found)


def _correct_one(rating_list: pd.DataFrame, rows: pd.DataFrame, day: dt.date) -> tuple[pd.DataFrame, pd.DataFrame]:
    period = periods.of_date(day)
    place = codes.place(rows["player_id"], rating_list["player_id"])
    found = [findings.of("F116", rows[place < 0], file="corrections.csv", wanted=period)]
    rows, place = rows[place >= 0], place[place >= 0]
    result = rating_list.copy()
    for field in dict.fromkeys(rows["field"]):
        here = (rows["field"] == field).to_numpy()
        column, value = result[field], rows.loc[here, "value"]
        old = coded.plain(column.iloc[place[here]]).set_axis(value.index)
        old = old.map({True: "yes", False: "no"}) if column.dtype == "bool" else old
        result[field] = coded.put(column, place[here], _typed(value, column.dtype))
        news = rows[here].assign(old=old, new=value)
        found.append(findings.of("L303", news, file="corrections.csv", period=period))
    return result, findings.join(found)


def _typed(values: pd.Series, dtype: object) -> pd.Series:
    if dtype == "bool":
        return values.isin(["yes", "1", "true"])
    if str(dtype) in ("Int64", "int64"):
        return pd.to_numeric(values).astype(dtype)
    return pd.to_datetime(values).astype(dtype) if "datetime" in str(dtype) else values


def published_k(rating_list: pd.DataFrame, book: RuleBook, list_date: dt.date) -> tuple[pd.DataFrame, pd.DataFrame]:
    """K for each rated player of a list (columns k and k_clause; null if unrated), and findings on silent values.

    Computed once, when the list is written: the highest rating published so far, the list just made included, the
    games up to it, and the age by its year; the first row of the book that matches decides (8.3.3).
    """
    rated = rating_list["rating"].notna().to_numpy()
    peak = rating_list["peak"].to_numpy("int64", na_value=0)
    born = rating_list["birth_year"].to_numpy("int64", na_value=0)
    games = rating_list["games_total"].to_numpy("int64")
    age = list_date.year - born
    # Only the year of birth is known: up to the birthday means, at best, without the year in which it lies.
    before_the_year = int(book.k_order.junior_ends.value == "start_of_year")
    tests = {
        "peak_from": lambda limit: peak >= limit,
        "peak_below": lambda limit: peak < limit,
        "age_until": lambda limit: (born > 0) & (age <= limit - before_the_year),
        "games_from": lambda limit: games >= limit,
        "games_below": lambda limit: games < limit,
    }
    matches = [
        np.logical_and.reduce([rated, *(tests[name](limit) for name, limit in row.conditions.items())])
        for row in book.k
    ]
    row_of = np.select(matches, range(len(book.k)), len(book.k))
    k = np.array([*(row.k for row in book.k), 0])[row_of]
    clauses = [f"{row.clause} {row.name}" for row in book.k]
    said = [np.where(match, row.k, k) != k for match, row in zip(matches, book.k[:-1], strict=False)]
    ends = [row.age_until for row in book.k if row.age_until is not None]
    doubt = [
        findings.rests_on(book, "k_order.junior_ends", (rated & (born > 0) & np.isin(age, ends)).sum()),
        findings.rests_on(book, "k_order.order", np.logical_or.reduce(said).sum()),
        findings.rests_on(book, "k_order.unknown_birth_year", (rated & (born == 0)).sum()),
    ]
    columns = {
        "k": pd.arrays.IntegerArray(k.astype("int64"), ~rated),
        "k_clause": codes.words([*clauses, ""], row_of).array,
    }
    return pd.DataFrame(columns, index=rating_list.index), findings.join(doubt)


def enter(
    prior: pd.DataFrame, entering: pd.DataFrame, born: pd.Series, book: RuleBook, list_date: dt.date
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The list just before as base of the changes, with the players who enter it with a rating of another list (A12).

    `entering` as `sides.seeds` makes it, `born` the years of birth by player id. K as for somebody new to the list: no
    games and no highest rating on it, unless the list knows of some. Findings: notes on silent values.
    """
    if entering.empty:
        return prior, findings.none()
    known = entering[["player_id", "rating"]].merge(
        prior[["player_id", "games_total", "peak"]], on="player_id", how="left", validate="1:1"
    )
    known["birth_year"] = born.reindex(known["player_id"]).array
    known["games_total"] = known["games_total"].fillna(0)
    k, found = published_k(known, book, list_date)
    rest = prior[~prior["player_id"].isin(known["player_id"])]
    columns = ["player_id", "rating", "k", "k_clause"]
    said = [findings.rests_on(book, f"seed.{key}", len(known)) for key in ("base", "k", "publish")]
    return pd.concat([rest[columns], known.assign(**k)[columns]], ignore_index=True), findings.join([found, *said])
