"""Two consecutive published lists and nothing else: the checks that hold for every list.

No change without games; no change beyond what K, n and the table allow; K that can follow; the floor; first ratings;
activity; ids. The figures come from the rule books of the dates. What a list does not say is never held against it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import findings, formulas
from ratingrun.audit import possible_k
from ratingrun.audit.pair import Pair, join, share
from ratingrun.rulebooks.shapes import OtherList

COLUMNS = (
    "code", "severity", "player_id", "name", "rating_a", "rating_b", "change", "limit", "games", "k_a", "k_b",
    "birth_year", "text",
)  # fmt: skip
NUMBERS = COLUMNS[4:-1]


def check(
    a: pd.DataFrame,
    b: pd.DataFrame,
    period_a: str,
    period_b: str,
    rating_type: str = "standard",
    own: Path | None = None,
) -> pd.DataFrame:
    """The findings (COLUMNS) of list B of `period_b` after list A of `period_a`, both as `list_tables.read` gives them.

    Codes A101 to A127 are impossible by the rule book, A2xx improbable, A3xx notes. Raises RuleBookError before the
    first book.
    """
    pair = join(a, b, period_a, period_b, rating_type, own)
    parts = [
        *_whole_lists(pair), *_changes(pair), *_floor(pair), *_newcomers(pair), *_k(pair), *_activity(pair),
        *_ids(pair),
    ]  # fmt: skip
    return together(parts)


def together(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Parts as one table of COLUMNS, figures as Int64, by code and player."""
    found = [part[list(COLUMNS)].astype("object") for part in parts if len(part)]
    empty = pd.DataFrame({name: pd.Series([], dtype="object") for name in COLUMNS})
    rows = pd.concat(found, ignore_index=True) if found else empty
    types = {name: "Int64" if name in NUMBERS else "str" for name in COLUMNS}
    return rows.astype(types).sort_values(["code", "player_id"], kind="stable", ignore_index=True)


def _of(code: str, pair: Pair, mask: pd.Series | np.ndarray, limit: object = None, **fields: object) -> pd.DataFrame:
    """Rows of one code. `limit`: the figure that was broken, for its column; a column or one value."""
    hit = np.asarray(mask, bool)
    rows = pair.rows[hit]
    if limit is not None:
        limit = np.asarray(limit)
        rows = rows.assign(limit=limit[hit] if limit.ndim else int(limit))
    else:
        rows = rows.assign(limit=pd.NA)
    rows = rows.assign(games=rows["games_b"], **fields)
    said = findings.of(code, rows)
    if not len(said):
        return said
    figures = {name: rows[name].astype("Int64").to_numpy("object") for name in NUMBERS}
    for side, column in (("a", "rating_a"), ("b", "rating_b")):
        figures[column] = np.where(rows[f"rated_{side}"], figures[column], None)
    both = rows["rated_a"] & rows["rated_b"]
    figures["change"] = np.where(both, figures["change"], None)
    found = pd.DataFrame({"code": code, "severity": said["severity"], "player_id": said["player_id"], **figures})
    found["name"], found["text"] = rows["name"].to_numpy(), said["text"]
    return found[list(COLUMNS)]


def _list_of(code: str, **fields: object) -> pd.DataFrame:
    """A finding about a list as a whole."""
    said = findings.of(code, **fields)
    return said.reindex(columns=list(COLUMNS)).assign(code=code, text=said["text"])


def _whole_lists(pair: Pair) -> list[pd.DataFrame]:
    rows = pair.rows
    moved = int((rows["rated_a"] & rows["rated_b"] & (rows["change"] != 0)).sum())
    found = []
    if not pair.games_used:
        found.append(_list_of("A130", count=moved))
    rated, here = int(rows["rated_a"].sum()), int((rows["rated_a"] & rows["listed_b"]).sum())
    if 2 * here < rated:
        found.append(_list_of("A131", count=here, wanted=rated))
    return found


def _changes(pair: Pair) -> list[pd.DataFrame]:
    """A101 a change without games, A102 a change beyond the bound."""
    rows = pair.rows
    if not pair.games_used:
        return []
    both = (rows["rated_a"] & rows["rated_b"]).to_numpy()
    played = rows["games_b"].to_numpy() > 0
    before, after = rows["rating_a"].to_numpy(), rows["rating_b"].to_numpy()
    idle = both & ~played & (after != pair.lift(before))
    most = formulas.divide_half_up(rows["bound_c"].to_numpy(), formulas.POINT)
    low, high = pair.lift(before - most), pair.lift(before + most)
    beyond = both & played & ((after < low) | (after > high))
    return [_of("A101", pair, idle, 0), _of("A102", pair, beyond, most)]


def _floor(pair: Pair) -> list[pd.DataFrame]:
    """A110 below the floor; A121 a rating gone that could not fall below it."""
    rows, floor = pair.rows, pair.book.period.floor.value
    below = rows["rated_b"] & (rows["rating_b"] < floor)
    lost = rows["rated_a"] & rows["listed_b"] & ~rows["rated_b"]
    most = formulas.divide_half_up(rows["bound_c"].to_numpy(), formulas.POINT)
    lowest = pair.lift(rows["rating_a"].to_numpy() - most)
    safe = lost.to_numpy() & (lowest >= floor) & pair.games_used
    return [_of("A110", pair, below, floor), _of("A121", pair, safe, floor, lowest=lowest[safe])]


def _newcomers(pair: Pair) -> list[pd.DataFrame]:
    """A111 too few games, A112 above the cap of first ratings. Lists that are seeded from another have neither."""
    rows, rules = pair.rows, pair.book.initial
    new = rows["rated_b"] & ~rows["rated_a"]
    if isinstance(pair.book.seed, OtherList):
        return []
    needed, found = rules.min_games.value, []
    if pair.games_used:
        found.append(_of("A111", pair, new & (rows["games_b"] < needed), needed))
    cap = rules.max_rating.number
    if cap is not None:
        found.append(_of("A112", pair, new & (rows["rating_b"] > cap), cap))
    return found


def _k(pair: Pair) -> list[pd.DataFrame]:
    """A103 to A106, A113: a K that cannot stand there; A123 none, A124 one that the book does not have."""
    rows = pair.rows
    if not pair.k_used[1]:
        return []
    known = sorted({row.k for row in pair.book.k})
    has, rated = rows["k_b"] > 0, rows["rated_b"]
    foreign = rated & has & ~rows["k_b"].isin(known)
    facts = rows.rename(columns={"birth_year_a": "birth_a", "birth_year_b": "birth_b"})
    if not pair.unrated_a:  # who is not on list A may have been unrated before
        facts = facts.assign(listed_a=True)
    years = pair.day_a.year, pair.day_b.year
    said, allowed = _words(pair, possible_k.possible(facts, pair.book, *years))
    _, usual = _words(pair, possible_k.possible(facts, pair.book, *years, likely=True))
    judged = (rated & has & ~foreign).to_numpy() & pair.games_used
    wrong, rare = judged & ~allowed, judged & allowed & ~usual
    a, b = rows["k_a"].to_numpy(), rows["k_b"].to_numpy()
    stood = rows["rated_a"].to_numpy() & (a > 0)
    cases = {"A103": stood & (b > a), "A104": stood & (b < a), "A105": stood & (b == a), "A113": ~stood}
    found = [_of(code, pair, wrong & case, possible=said[wrong & case]) for code, case in cases.items()]
    found += [_of("A201", pair, rare), _of("A123", pair, rated & ~has)]
    return [*found, _of("A124", pair, foreign, known=", ".join(map(str, known)))]


def _words(pair: Pair, can: dict[int, np.ndarray]) -> tuple[pd.Series, np.ndarray]:
    """The K that are possible for each row, as text, and whether the one of list B is among them."""
    words = pd.Series("", index=pair.rows.index, dtype="str")
    allowed = np.zeros(len(words), bool)
    for k, mask in sorted(can.items()):
        allowed |= mask & (pair.rows["k_b"] == k).to_numpy()
        words = words.mask(mask, words + f" or {k}")
    return words.str.removeprefix(" or "), allowed


def _activity(pair: Pair) -> list[pd.DataFrame]:
    """A114 inactive with games, A115 active again without, A116 inactive right after a month with games."""
    rows = pair.rows
    if not pair.games_used or (rows["active_b"].all() and rows["active_a"].all()):
        return []
    both = rows["rated_a"] & rows["rated_b"]
    played = rows["games_b"] > 0
    enough = pair.book.period.inactive_after.value > 1
    return [
        _of("A114", pair, rows["rated_b"] & ~rows["active_b"] & played),
        _of("A115", pair, both & ~rows["active_a"] & rows["active_b"] & ~played),
        _of("A116", pair, both & rows["active_a"] & ~rows["active_b"] & ~played & (rows["games_a"] > 0) & enough),
    ]


def _ids(pair: Pair) -> list[pd.DataFrame]:
    """A120 a rated player is no longer on the list; A301 the same, where he may have fallen below the floor.

    A list of rated players only does not show who fell: nobody falls farther than K x n allows at the most.
    """
    rows = pair.rows
    gone = (rows["rated_a"] & ~rows["listed_b"]).to_numpy()
    limit = pair.book.period.max_kn.number
    if pair.unrated_b or limit is None:
        return [_of("A120", pair, gone)]
    highest = np.maximum.reduce([share(book, rows["rating_a"].to_numpy()) for book in pair.earlier_books])
    reach = formulas.divide_half_up(limit * highest, formulas.POINT)
    may = rows["rating_a"].to_numpy() - reach < pair.book.period.floor.value
    return [_of("A120", pair, gone & ~may), _of("A301", pair, gone & may)]


def doubles(found: pd.DataFrame, which: str) -> pd.DataFrame:
    """A122 for each id that stands twice in a list, from the reader's findings."""
    twice = found.loc[found["code"] == "F108", "text"]
    return together(_list_of("A122", list=which, what=text.partition(";")[0]) for text in twice)
