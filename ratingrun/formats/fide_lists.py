"""FIDE's lists, text and XML, as the one frame that our own list readers give: one type, one row a player.

What FIDE leaves out or writes in several ways is settled here, once for all forms: 0 and blank, letters and names of
titles, women's flags, years of birth, missing names, ids that stand twice.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyarrow as pa

from ratingrun import findings, frames
from ratingrun.formats import list_tables, typed
from ratingrun.formats import trf_columns as tc

TEXTS = ("player_id", "name", "federation", "sex", "title", "w_title", "o_title", "foa_title", "flag")
NAMELESS = "?"
BLITZ, RAPID, STANDARD = "blitz", "rapid", "standard"
EARLIEST_SHORT_YEAR = 10  # a year of two digits below could be of either century, and is of neither
_YEAR = r"(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)|^[0-9]{2}\.[0-9]{2}\.([0-9]{2})$"


def nothing() -> pd.DataFrame:
    """A list without players."""
    return list_tables.nothing()


def frame(
    fields: Mapping[str, object], line: np.ndarray, file: str, rating_type: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The list of a type: columns of `list_tables.LIST_COLUMNS` and `line`, sorted by player_id; and findings.

    `fields`: text columns as Arrow or lists, numbers as integers (below 0: unreadable, null here); of a combined list
    standard_rating, rapid_games and so on. Findings: F106 no id, F108 an id twice with different rows, F231 names
    missing, F232 rows twice, F233 letters in the flag that nobody explains, F234 years of two digits left open.
    """
    prefix = f"{rating_type}_" if f"{rating_type}_rating" in fields else ""
    empty = pd.Series("", index=range(len(line)), dtype="str")
    text = {name: _series(fields[name]) if name in fields else empty for name in TEXTS}
    rows: dict[str, object] = {"player_id": text["player_id"], "line": line.astype("int64")}
    rows["name"] = text["name"].mask(text["name"] == "", NAMELESS)
    rows["federation"] = _filled(text["federation"].str.upper())
    flag = text["flag"].str.lower()
    woman = flag.str.contains("w")
    rows["sex"] = text["sex"].str.lower().map(typed.SEXES).astype("str").mask(woman & (text["sex"] == ""), "w")
    for name in ("title", "w_title"):
        rows[name] = _filled(typed.titles(text[name]))
    rows["o_title"], rows["foa_title"] = _filled(text["o_title"]), _filled(text["foa_title"])
    year, open_ = _years(_series(fields["birthday"]) if "birthday" in fields else empty)
    rows["birth_year"] = year
    for name in ("rating", "games", "k"):
        number = np.asarray(fields.get(prefix + name, np.zeros(len(line), "i8")), "i8")
        none = (number < 0) | (number == 0) & (name in typed.ZERO_IS_NONE)
        rows[name] = pd.arrays.IntegerArray(number, none)
    rows["flag"] = _filled(np.where(woman, "w", "") + pd.Series(np.where(flag.str.contains("i"), "i", "")))
    data = pd.DataFrame(rows)
    place = {"file": file}
    found = [
        _count("F231", text["name"] == "", line, place),
        _count("F233", flag.str.contains("[^wi]", regex=True), line, place),
        _count("F234", open_, line, place),
        findings.of("F106", data.loc[text["player_id"] == "", ["line"]], column="player_id", **place),
    ]
    data, news = _once(data[text["player_id"] != ""], file)
    shape = list_tables.nothing()
    data = data.reindex(columns=shape.columns)
    data = data.astype(shape.dtypes.to_dict()).sort_values("player_id", kind="stable", ignore_index=True)
    return data, findings.join([*found, news])


def _series(values: object) -> pd.Series:
    if isinstance(values, pa.DictionaryArray):
        return tc.series(values.cast(pa.large_string()))
    if isinstance(values, pa.Array):
        return tc.series(values)
    return pd.Series(values, dtype="str").fillna("").str.strip()


def _filled(words: pd.Series) -> pd.Series:
    return words.astype("str").mask(words == "")


def _years(text: pd.Series) -> tuple[pd.Series, pd.Series]:
    """Years of birth, and the mask of those of two digits that leave the century open."""
    low, high = frames.BIRTH_RANGE
    parts = text.str.extract(_YEAR)
    short = pd.to_numeric(parts[1]).astype("Int64")
    year = pd.to_numeric(parts[0]).astype("Int64").fillna(short.where(short >= EARLIEST_SHORT_YEAR) + 1900)
    open_ = (short < EARLIEST_SHORT_YEAR).fillna(False)
    return year.mask((year < low) | (year > high)), open_


def _count(code: str, mask: pd.Series, line: np.ndarray, place: dict[str, object]) -> pd.DataFrame:
    """One finding with the number of rows and the first line."""
    which = np.flatnonzero(mask.to_numpy(bool))
    return findings.of(code, count=len(which), line=int(line[which[0]]), **place) if len(which) else findings.none()


def _once(data: pd.DataFrame, file: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows without those that stand twice: F232 if they are the same, F108 if they differ (the first stays)."""
    twice = data.duplicated("player_id").to_numpy()
    if not twice.any():
        return data, findings.none()
    same = data.duplicated([name for name in data if name != "line"]).to_numpy()
    first = data.groupby("player_id", sort=False)["line"].transform("first")
    other = data.assign(first=first, what="player_id " + data["player_id"])[twice & ~same]
    again = _count("F232", pd.Series(same), data["line"].to_numpy(), {"file": file})
    return data[~twice], findings.join([again, findings.of("F108", other, file=file)])
