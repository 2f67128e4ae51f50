"""Columns of text to the types that `frames.py` declares, with a mask of the cells that do not fit.

One function, `convert`, for every table that people write: inputs, reports, lists. The readers make the findings.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from ratingrun import coded, contract
from ratingrun.contract import Column

ZERO_IS_NONE = ("birth_year", "rating", "reported_rating", "peak", "k")
TITLES = {
    **{title: title for title in ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")},
    **{"G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM"},
}
FLAGS = {"yes": True, "1": True, "true": True, "no": False, "0": False, "false": False}
SEXES = {"m": "m", "w": "w", "f": "w"}
MANY = 1000  # from here on a column is read spelling by spelling
YEARS = ("1900", "2199")  # a day outside is a slip of the pen


def convert(column: Column, cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    """The column's values and the mask of the cells that are not what `wanted` says.

    `cells` is stripped text, "" for nothing, which is null and never bad (False in a yes/no column without nulls).
    Integers come as Int64, days as datetime64[ms], yes/no as bool (boolean with nulls), text as str. A bad cell is
    null (False). Of a coded column (see text.Table) each word is converted once.
    """
    if coded.is_coded(cells):
        codes = cells.array.codes
        values, bad = _convert(column, coded.words(cells))
        return pd.Series(values.array.take(codes), index=cells.index), bad[codes]
    as_it_stands = column.type == contract.TEXT and not column.vocabulary
    codes, spellings = pd.factorize(cells) if len(cells) > MANY and not as_it_stands else (None, ())
    if 2 * len(spellings) > len(cells) or codes is None:
        return _convert(column, cells)
    values, bad = _convert(column, pd.Series(spellings, dtype="str"))
    return values.take(codes).set_axis(cells.index), bad[codes]


def _convert(column: Column, cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    if pa.types.is_integer(column.type):
        return _integers(column, cells)
    if column.type == contract.REAL:
        return _reals(column, cells)
    if column.type == contract.FLAG:
        return _flags(column, cells)
    if column.type == contract.DAY:
        return _days(cells)
    return _words(column, cells)


def wanted(column: Column) -> str:
    """What a cell of the column must be, in words."""
    if pa.types.is_integer(column.type):
        low, high = limits(column)
        return f"a whole number from {low} to {high}"
    if column.type == contract.REAL:
        ends = f" from {column.low}" if column.low is not None else ""
        return f"a number{ends}{f' to {column.high}' if column.high is not None else ''}, for example 1542.37"
    if column.type == contract.FLAG:
        return "yes or no"
    if column.type == contract.DAY:
        return "a date"
    if column.name == "sex":
        return "one of m, w, f"
    return f"one of {', '.join(column.vocabulary)}" if column.vocabulary else "text"


def limits(column: Column) -> tuple[int, int]:
    """The least and the greatest value of an integer column: declared, or what its type holds."""
    most = 2 ** (column.type.bit_width - 1) - 1
    return (
        (0 if column.low is None and column.name in ZERO_IS_NONE else -most if column.low is None else column.low),
        (most if column.high is None else column.high),
    )


def titles(cells: pd.Series) -> pd.Series:
    """Titles as GM IM FM CM WGM WIM WFM WCM, whether given so or as letters (g m f c wg ...); others as given."""
    return cells.str.upper().map(TITLES).astype("str").fillna(cells)


def _integers(column: Column, cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    whole = cells.str.replace(r"^([+-]?[0-9]+)\.0+$", r"\1", regex=True)
    number = whole.str.fullmatch("[+-]?[0-9]{1,12}").to_numpy(bool)
    values = pd.to_numeric(whole.where(number, "0")).astype("int64")
    low, high = limits(column)
    none = (cells == "").to_numpy(bool)
    if column.name in ZERO_IS_NONE:
        none = none | number & (values == 0).to_numpy(bool)
    good = number & (values >= low).to_numpy(bool) & (values <= high).to_numpy(bool) & ~none
    return values.astype("Int64").mask(~good), ~good & ~none


def _reals(column: Column, cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    number = cells.str.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]{1,15})?").to_numpy(bool)
    values = pd.to_numeric(cells.where(number, "0")).astype("float64")
    low = -np.inf if column.low is None else column.low
    high = np.inf if column.high is None else column.high
    good = number & ((values >= low) & (values <= high)).to_numpy(bool)
    return values.mask(~good), ~good & (cells != "").to_numpy(bool)


def _flags(column: Column, cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    word = cells.str.lower()
    values, bad = word.isin([name for name, yes in FLAGS.items() if yes]), ~word.isin([*FLAGS, ""]).to_numpy(bool)
    return (values.astype("boolean").mask(bad | (cells == "").to_numpy(bool)) if column.null else values), bad


def _days(cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    shaped = cells.str.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}") & (cells >= YEARS[0]) & (cells < f"{YEARS[1]}-99")
    values = pd.to_datetime(cells.where(shaped), format="%Y-%m-%d", errors="coerce").astype("datetime64[ms]")
    return values, (values.isna() & (cells != "")).to_numpy(bool)


def _words(column: Column, cells: pd.Series) -> tuple[pd.Series, np.ndarray]:
    bad = np.zeros(len(cells), bool)
    if column.name == "sex":
        found = cells.str.lower().map(SEXES).astype("str")
        bad = (found.isna() & (cells != "")).to_numpy(bool)
    elif column.vocabulary:
        found = cells.str.lower()
        bad = (~found.isin(column.vocabulary) & (cells != "")).to_numpy(bool)
    elif column.name in ("title", "w_title"):
        found = titles(cells)
    elif column.name == "federation":
        found = cells.str.upper()
    else:
        found = cells
    return found.mask(bad | (cells == "").to_numpy(bool)).astype("str"), bad


def written(column: Column, values: pd.Series) -> pd.Series:
    """Typed values as text again, each in one way: 1850, 2025-11-01, yes; null stays null."""
    if column.type == contract.FLAG:
        return values.map({True: "yes", False: "no"}).astype("str")
    return (values.dt.strftime("%Y-%m-%d") if column.type == contract.DAY else values).astype("str")
