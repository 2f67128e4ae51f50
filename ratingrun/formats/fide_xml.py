"""FIDE's rating lists as XML: single, combined, and the old form with the id as an attribute. A DTD is refused."""

from __future__ import annotations

from xml.parsers import expat

import numpy as np
import pandas as pd

from ratingrun import findings
from ratingrun.formats import fide_lists

# element -> column; a combined list has standard numbers without a prefix
ELEMENTS = {
    "fideid": "player_id", "name": "name", "country": "federation", "sex": "sex", "title": "title",
    "w_title": "w_title", "o_title": "o_title", "foa_title": "foa_title", "rating": "rating", "games": "games",
    "k": "k", "rapid_rating": "rapid_rating", "rapid_games": "rapid_games", "rapid_k": "rapid_k",
    "blitz_rating": "blitz_rating", "blitz_games": "blitz_games", "blitz_k": "blitz_k", "birthday": "birthday",
    "flag": "flag",
}  # fmt: skip
NUMBERS = tuple(column for column in ELEMENTS.values() if column.rsplit("_")[-1] in ("rating", "games", "k"))
PLAYER = "player"
BLANK_NUMBERS = ("", "-")


class _Refused(Exception):
    """What the document holds that no list does."""


def read(raw: bytes, file: str, rating_type: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The list of a type in these bytes, as `fide_lists.frame` gives it; F101 for what is no such XML, F105 numbers.

    The numbers of a combined list are those of the type; of a single list, whose name does not say which it is, its
    own. Elements that are missing, empty or 0 are the same.
    """
    rows, why, at = _parse(raw)
    if why:
        return fide_lists.nothing(), findings.of("F101", file=file, line=at, why=why)
    columns = {name: [row.get(name, "") for row in rows] for name in ELEMENTS.values()}
    line = np.array([row[""] for row in rows], "i8")
    found, fields = [], dict(columns)
    for name in NUMBERS:
        text = pd.Series(columns[name], dtype="str").str.strip()
        good = text.str.fullmatch("[0-9]{1,7}").to_numpy(bool)
        none = text.isin(BLANK_NUMBERS).to_numpy(bool)
        fields[name] = np.where(none, 0, pd.to_numeric(text.where(good, "-1")).to_numpy("i8"))
        bad = pd.DataFrame({"line": line, "value": text})[~good & ~none]
        found.append(findings.of("F105", bad, file=file, column=name, wanted="a number, 0 or blank"))
    combined = any(any(columns[f"{kind}_rating"]) for kind in (fide_lists.RAPID, fide_lists.BLITZ))
    if not combined:
        fields = {name: values for name, values in fields.items() if "_" not in name or name in fide_lists.TEXTS}
    else:
        fields |= {f"{fide_lists.STANDARD}_{name}": fields[name] for name in ("rating", "games", "k")}
    frame, news = fide_lists.frame(fields, line, file, rating_type)
    return frame, findings.join([*found, news])


def _parse(raw: bytes) -> tuple[list[dict], str, int | None]:
    """The players as column -> text (with their line under ""), or why the text is no list, and where."""
    rows: list[dict] = []
    inside: list[str] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        inside.append(name)
        if name == PLAYER:
            row = {ELEMENTS[key.lower()]: value for key, value in attributes.items() if key.lower() in ELEMENTS}
            rows.append({**row, "": parser.CurrentLineNumber})

    def text(value: str) -> None:
        column = ELEMENTS.get(inside[-1].lower()) if len(inside) > 1 and inside[-2] == PLAYER else None
        if column:
            rows[-1][column] = rows[-1].get(column, "") + value

    def refuse(*_: object) -> None:
        raise _Refused("it holds a document type, which no list does")

    parser.StartElementHandler, parser.EndElementHandler = start, lambda name: inside.pop()
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = text, refuse
    try:
        parser.Parse(raw, True)
    except (expat.ExpatError, _Refused, ValueError, LookupError) as error:
        return [], f"it is no XML list ({error})", parser.ErrorLineNumber
    return rows, "" if rows else "it holds no players", None


def written(value: object) -> str:
    """A text as XML holds it."""
    table = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
    return "".join(table.get(sign, sign) for sign in str(value))
