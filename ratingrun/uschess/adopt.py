"""The first state of US Chess, from a list: a row a player and pool; what the list does not say is stood in for.

    player_id, pool, rating, name, n, wins, draws, losses, events, peak, floor, ceiling, cut, last_rated

Needed are player_id, pool and rating, with its decimals if it has some. Every stand-in is a finding with the number
of rows that it touches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from ratingrun import findings, frames, periods, rulebooks
from ratingrun.engines import Adopted
from ratingrun.formats import inputs
from ratingrun.uschess import books, formulas, ledger
from ratingrun.uschess.books import Book

NEEDED = ("player_id", "pool", "rating")
NAME = next(column for column in frames.US_LIST.columns if column.name == "name")
COLUMNS = (*(replace(one, null=one.name not in NEEDED) for one in frames.US_STATE.columns), NAME)
COUNTS = ["wins", "draws", "losses"]
EMPTY = ("us_matches", "us_known", "us_trail")


def adopted(path: Path, period: str, older: Sequence[Path], rating_type: str, own: Path | None) -> Adopted:
    """The list in the file as `adopt` publishes it."""
    day = periods.list_date(period)
    where = books.place(own)
    book = books.in_force(max(day, books.books(where)[0].from_), where)
    kept = rulebooks.files(rulebooks.Chapter(books.SYSTEM, where), own)
    rows, found = read(path, book)
    if rows is None:
        return Adopted(None, findings.numbered(found), "", book.id, {})
    rows, news = _completed(rows, book, pd.Timestamp(day))
    data = {frame.name: frame.empty() for frame in frames.get(EMPTY)}
    data["us_state"] = frames.US_STATE.build(rows)
    data["us_list"] = _list(data["us_state"], rows, period, book)
    numbered = findings.numbered(findings.join([found, news]))
    return Adopted(data, numbered, _text(data["us_state"], numbered, path.name, period), book.id, kept)


def read(path: Path, book: Book) -> tuple[pd.DataFrame | None, pd.DataFrame]:
    """The rows of a list (columns COLUMNS and line), or None if a finding stops it; F101-F108, F110, F201."""
    table, found = inputs.load(path)
    if table is None:
        return None, found
    shape = inputs.headings(table, [column.name for column in COLUMNS], NEEDED, path.name)
    found = findings.join([found, shape])
    if len(findings.stops(found)):
        return None, found
    rows, wrong = inputs.convert(COLUMNS, table, path.name)
    rows, twice = inputs.once(frames.US_STATE, rows, path.name)
    least = float(book.floor.absolute.value)
    low = (rows["rating"] < least).to_numpy(bool)
    bad = rows.loc[low, ["line"]].assign(value=rows.loc[low, "rating"].astype("str"))
    wanted = f"a rating from {book.floor.absolute.value} on"
    found = findings.join(
        [found, wrong, twice, findings.of("F105", bad, file=path.name, column="rating", wanted=wanted)]
    )
    return (None if len(findings.stops(found)) else rows), found


def _completed(rows: pd.DataFrame, book: Book, day: pd.Timestamp) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows with what the list does not say, and U320 to U323."""
    uncounted, silent = rows["n"].isna(), rows[COUNTS].isna().all(axis=1)
    undated = rows["last_rated"].isna()
    rows = rows.assign(n=rows["n"].fillna(book.effective.most.value), last_rated=rows["last_rated"].fillna(day))
    rows["draws"] = rows["draws"].mask(silent & (rows["n"] > 0), 1.0)
    established = rows["n"] > book.standard.established_after.value
    low = established & rows["peak"].isna()
    rows["peak"] = rows["peak"].mask(low, rows["rating"])
    for name in (*COUNTS, "events", "peak", "floor", "cut"):
        rows[name] = rows[name].fillna(0.0)
    counted = ("U320", uncounted), ("U321", silent), ("U322", low), ("U323", undated)
    games = f"{book.effective.most.value:g}"
    return rows, findings.join(
        findings.of(code, count=int(mask.sum()), n=games)
        if code == "U320"
        else findings.of(code, count=int(mask.sum()))
        for code, mask in counted
        if mask.any()
    )


def _list(state: pd.DataFrame, rows: pd.DataFrame, period: str, book: Book) -> pd.DataFrame:
    named = state.merge(rows[["player_id", "pool", "name"]], on=["player_id", "pool"], how="left")
    return frames.US_LIST.build(
        state.assign(
            name=named["name"],
            rating=formulas.whole(state["rating"]).astype("int64"),
            established=state["n"] > book.standard.established_after.value,
            games=0,
            change=pd.NA,
            floor=ledger.floors_of(state, frames.FLOORS.empty(), period, book),
        )
    )


def _text(state: pd.DataFrame, found: pd.DataFrame, name: str, period: str) -> str:
    counts = state["pool"].value_counts()
    said = ", ".join(f"{pool.replace('_', ' ')} {counts[pool]}" for pool in frames.POOLS if pool in counts)
    players = state["player_id"].nunique()
    lines = [f"Adopted {name} as the US Chess list of {period}: {players} players; {said}"]
    lines += ["  " + findings.line_of(row) for row in found.itertuples()]
    return "\n".join(lines) + "\n"
