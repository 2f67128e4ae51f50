"""Round cells of a crosstable: the opponent's starting number, the colour and the result, or a result alone.

    12w1  5b=  7w+  7-  -  H  F  U  Z  (blank: no pairing)

Blanks inside and small letters are tolerated; a draw may be written = or 1/2 or .5 in their usual forms.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from ratingrun import coded

DASHES = r"[‐‑‒–—−]"  # what spreadsheets make of a minus
HALF = r"(^|[WB])(?:1/2|0?[.,]5)$"  # only where no digit of an opponent can stand before it
PLAIN = r"[0-9A-Z=+\-]*"
WITH_COLOUR = r"(?P<a>[0-9]{0,4})(?P<b>[WB])(?P<c>[10=+\-WDLHFUZ])"
WITHOUT_COLOUR = r"(?P<d>[0-9]{0,4})(?P<e>)(?P<f>[=+\-DLHFUZ])"  # 121 could be 12 and 1 or 121: refused
ALONE = "(?P<g>)(?P<h>)(?P<i>[10W])"
CELL = f"^(?:{WITH_COLOUR}|{WITHOUT_COLOUR}|{ALONE})$"


class Meaning(NamedTuple):
    """What round cells say: opponent_no (Int64), colour (w, b), result (upper case, "=" for every half); `bad` is the
    mask of those that cannot be read, which keep their text as result."""

    opponent_no: pd.Series
    colour: pd.Series
    result: pd.Series
    bad: np.ndarray


def read(spelling: pd.Series) -> Meaning:
    """Round cells read. Only what is written in an unusual way is looked at letter by letter."""
    plain = spelling.str.upper()
    odd = ~plain.str.fullmatch(PLAIN).to_numpy(bool)
    if odd.any():
        plain = plain.mask(odd, _plain(plain[odd]).reindex(plain.index))
    groups = pc.extract_regex(coded.arrow(plain), CELL)
    found = [pc.fill_null(pc.struct_field(groups, place), "").to_pandas().astype("str") for place in range(9)]
    opponent, colour, result = (found[place] + found[place + 3] + found[place + 6] for place in range(3))
    bad = ((result == "") & (plain != "")).to_numpy(bool)
    number = pd.to_numeric(opponent.mask(opponent == "", "0")).astype("Int64")
    return Meaning(number.mask(number == 0), colour.str.lower().mask(colour == ""), result.mask(bad, spelling), bad)


def _plain(cells: pd.Series) -> pd.Series:
    """Cells without blanks, every dash a minus, every half a =."""
    cells = cells.str.replace(r"[^\S\r\n]+", "", regex=True).str.replace(DASHES, "-", regex=True)
    return cells.str.replace("½", "=", regex=False).str.replace(HALF, r"\1=", regex=True)
