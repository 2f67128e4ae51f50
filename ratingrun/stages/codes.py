"""codes: texts as whole numbers. Each distinct id is looked up once; what follows is arithmetic on positions.

A code of -1 is no value. Sorting by the codes of `encode` is sorting by the texts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded
from ratingrun.contract import ContractError

NONE = -1
DENSE = 4  # a table so many times as long as what is looked up costs less than a search


def encode(values: pd.Series) -> tuple[np.ndarray, pd.Series]:
    """The code of each text, and the distinct texts, sorted: the text of a code is the one at that position."""
    if not coded.is_coded(values):
        code, texts = coded.encoded(coded.arrow(values))
        return code.astype("int64"), texts
    values = coded.used(values)
    return values.array.codes.astype("int64"), coded.words(values)


def narrowed(code: np.ndarray, texts: pd.Series) -> tuple[np.ndarray, pd.Series]:
    """Codes of those texts only that are used, and these texts, in the same order."""
    used = np.bincount(code, minlength=len(texts)) > 0
    return (np.cumsum(used) - 1)[code], texts[used].reset_index(drop=True)


def place(values: pd.Series, among: pd.Series) -> np.ndarray:
    """For each text its position in `among` (of several one); -1 for what is not there, and for no text."""
    if not len(values) or not len(among):
        return np.full(len(values), NONE, "int64")
    if coded.is_coded(values):
        return np.append(place(coded.words(values), among), NONE)[values.array.codes]
    texts, wanted = coded.arrow(values), coded.arrow(among).cast(coded.WIDE)
    if len(wanted) <= len(texts):
        return _found(texts.cast(coded.WIDE), wanted)
    # The short side is hashed, the long one is passed over once.
    few = texts.cast(coded.WIDE).dictionary_encode()
    hits = _found(wanted, few.dictionary)
    at = np.flatnonzero(hits >= 0)
    places = np.full(len(few.dictionary) + 1, NONE, "int64")
    places[hits[at]] = at
    return places[pc.fill_null(few.indices, NONE).to_numpy()]


def _found(texts: pa.Array, among: pa.Array) -> np.ndarray:
    return pc.fill_null(pc.index_in(texts, value_set=among, skip_nulls=True), NONE).to_numpy().astype("int64")


def isin(values: pd.Series, among: pd.Series | pd.Index) -> np.ndarray:
    """Whether each text is one of `among`; no text is not. (pandas' own makes a Python list of them.)"""
    return place(values, pd.Series(among)) >= 0 if len(among) else np.zeros(len(values), bool)


def part(rows: pd.DataFrame, tournaments: pd.DataFrame) -> np.ndarray:
    """For each row the position of its tournament part (tournament_id, part) in `tournaments`; -1 for none of them."""
    if not len(rows) or not len(tournaments):
        return np.full(len(rows), NONE, "int64")
    codes, texts = encode(tournaments["tournament_id"])
    number, own = rows["part"].to_numpy("int64"), tournaments["part"].to_numpy("int64")
    width = max(int(number.max()), int(own.max())) + 1
    table = np.full((len(texts) + 1) * width, NONE, "int64")
    table[codes * width + own] = np.arange(len(tournaments))
    at = place(rows["tournament_id"], texts)
    return table[np.where(at >= 0, at, len(texts)) * width + number]


def joint(*keys: tuple[np.ndarray | pd.Series, ...]) -> tuple[np.ndarray, ...]:
    """One whole number for several: each of `keys` is the same key of two or more tables, the first counts most."""
    tables = [np.zeros(len(key), "int64") for key in keys[0]]
    for key in keys:
        width = 1 + max((int(np.max(one)) for one in key if len(one)), default=0)
        tables = [table * width + np.asarray(one, "int64") for table, one in zip(tables, key, strict=True)]
    return tuple(tables)


def find(keys: np.ndarray, among: np.ndarray) -> np.ndarray:
    """For each whole number its (first) position in the ascending `among`; -1 for what is not there."""
    if not len(among):
        return np.full(len(keys), NONE, "int64")
    at = np.minimum(np.searchsorted(among, keys), len(among) - 1)
    return np.where(among[at] == keys, at, NONE)


def first(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct whole numbers in the order in which they come, and where each comes first."""
    group, distinct = pd.factorize(keys)
    return distinct, firsts(group, len(distinct))


def firsts(group: np.ndarray, count: int) -> np.ndarray:
    """Where each of `count` groups, numbered from 0, comes first."""
    at = np.empty(count, "int64")
    at[group[::-1]] = np.arange(len(group))[::-1]
    return at


def insertion(texts: pd.Series, among: pd.Series) -> np.ndarray:
    """Before which position of the ascending `among` each text belongs; all are looked up at once."""
    wanted, place = (coded.arrow(one).cast(coded.WIDE) for one in (texts, among))
    low, high = np.zeros(len(wanted), "int64"), np.full(len(wanted), len(place), "int64")
    while (low < high).any():
        middle = (low + high) // 2
        at = np.minimum(middle, len(place) - 1)
        less = pc.less(place.take(pa.array(at)), wanted).to_numpy(zero_copy_only=False)
        low, high = np.where((low < high) & less, middle + 1, low), np.where((low < high) & ~less, middle, high)
    return low


def match(keys: np.ndarray, among: np.ndarray) -> np.ndarray:
    """As `find`, whatever the order of `among`; by a table where the numbers are not much larger than the tables."""
    if not len(keys) or not len(among):
        return np.full(len(keys), NONE, "int64")
    low, high = int(among.min()), int(among.max())
    if high - low < DENSE * (len(keys) + len(among)):
        table = np.full(high - low + 2, NONE, "int32")
        table[among[::-1] - low] = np.arange(len(among), dtype="int32")[::-1]
        at = keys - low
        return table[np.where((at >= 0) & (at <= high - low), at, high - low + 1)].astype("int64")
    if (among[1:] >= among[:-1]).all():
        return find(keys, among)
    order = np.argsort(among, kind="stable")
    at = find(keys, among[order])
    return np.where(at >= 0, order[at], NONE)


def carried(places: np.ndarray) -> np.ndarray:
    """Positions as a column to carry along: they are many, and none is greater than a table is long."""
    return places.astype("int32")


def narrow(values: np.ndarray, null: np.ndarray) -> pd.arrays.IntegerArray:
    """Whole numbers as a column of a tall frame, none where `null`. Raises ContractError if one does not fit."""
    found = values.astype("int32")
    if not np.array_equal(found, values):
        raise ContractError("a whole number does not fit into 32 bits")
    return pd.arrays.IntegerArray(found, null)


def take(values: pd.Series, at: np.ndarray) -> pd.Series:
    """The values at these positions; nothing where the position is -1."""
    return pd.Series(values.array.take(at, allow_fill=bool((at < 0).any())))


def at(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The numbers at these positions; -1 where the position is -1."""
    return np.append(values, values.dtype.type(NONE))[places]


def words(words: Sequence[str], at: np.ndarray) -> pd.Series:
    """The coded column of the words at these positions; -1 and an empty word are none."""
    known = sorted({*words} - {""})
    number = np.array([*(known.index(word) if word else NONE for word in words), NONE], "int8")
    return coded.column(number[at], pd.Series(known, dtype="str"))


def sums(codes: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """The sum of whole numbers for each code."""
    return np.rint(np.bincount(codes, values, size)).astype("int64")


def heads(*keys: np.ndarray) -> np.ndarray:
    """Of rows in the order of these keys: whether each is the first with its keys."""
    first = np.ones(len(keys[0]), bool)
    if len(first):
        first[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return first
