"""Rating lists out, in the forms that others read: Parquet, CSV, FIDE's text (136 columns, combined) and XML.

FIDE's forms have no place for games_total, peak, last_played, active and k_clause: those are left out. A combined list
has the ratings, games and K of as many types as lists are given; who is on any of them is on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pyarrow.compute as pc

from ratingrun import coded, findings, frames
from ratingrun.contract import Frame
from ratingrun.formats import fide_layouts, fide_lists, fide_xml, list_tables

LIST = Frame("list", "a rating list by anybody: a row a player", ("player_id",), list_tables.LIST_COLUMNS)
NUMBERS = ("rating", "games", "k")
FORMS = ("parquet", "csv", "fide", "fide-combined", "fide-xml")
BY_SUFFIX = {".parquet": "parquet", ".csv": "csv", ".txt": "fide", ".xml": "fide-xml"}
GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "o",
                        "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae"})  # fmt: skip


def write(
    data: pd.DataFrame, path: Path, form: str, rating_type: str, others: Mapping[str, pd.DataFrame] | None = None
) -> pd.DataFrame:
    """Writes a list (columns as `rating_lists.read` gives them) in a form; F235 cut cells, F236 names made ASCII.

    `others`: lists of other types by type, for a combined list (fide-combined, fide-xml). Names, titles, year of birth
    and flag are those of `data`, or of the first list that has the player.
    """
    if form == "parquet":
        list_tables.write_parquet(LIST, data, path)
        return findings.none()
    if form == "csv":
        list_tables.write_csv(LIST, data, path)
        return findings.none()
    if form == "fide-xml":
        path.write_bytes(_xml(*_together(data, rating_type, others or {})).encode("utf-8"))
        return findings.none()
    combined = form == "fide-combined"
    people, fields = _together(data, rating_type, others or {}) if combined else (data, _fields(data))
    text, found = _fixed(people, fields, fide_layouts.WRITTEN["combined" if combined else "single"], path.name)
    path.write_bytes(text.encode("ascii"))
    return found


def ascii_name(name: str) -> str:
    """A name in ASCII letters, as FIDE writes them: ä is ae, other marks are dropped, what is left is a ?."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", name).translate(GERMAN))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).encode("ascii", "replace").decode()


def ascii_names(cells: pd.Series) -> pd.Series:
    """Text cells as `ascii_name` writes them, null as nothing; only what is not ASCII is looked at letter by letter."""
    cells = cells.astype("str").fillna("")
    odd = ~pc.string_is_ascii(coded.arrow(cells)).to_numpy(zero_copy_only=False)
    return cells.mask(odd, cells[odd].map(ascii_name).astype("str").reindex(cells.index)) if odd.any() else cells


def _fields(data: pd.DataFrame) -> dict[str, pd.Series]:
    """The columns as text, as FIDE writes them: flags w and i, sex M and F, a year 0000 if unknown."""
    plain = ("player_id", "name", "federation", "title", "w_title", "o_title", "foa_title", "rating", "games", "k")
    fields = {name: data[name].astype("str").fillna("") for name in plain}
    fields["sex"] = data["sex"].map({"m": "M", "w": "F"}).astype("str").fillna("")
    said = data["flag"].astype("str").fillna("")
    inactive = said.str.contains("i") | (data["active"] == False).fillna(False).astype(bool)  # noqa: E712
    fields["flag"] = said.str.contains("w").map({True: "w", False: ""}) + inactive.map({True: "i", False: ""})
    fields["birthday"] = data["birth_year"].astype("str").fillna("0000")
    return fields


def _together(
    data: pd.DataFrame, rating_type: str, others: Mapping[str, pd.DataFrame]
) -> tuple[pd.DataFrame, dict[str, pd.Series]]:
    """The players of all lists, and their columns as text: the numbers of each type under its name.

    One list alone has its numbers under their plain names, too.
    """
    lists = {rating_type: data, **others}
    people = pd.concat(lists.values(), ignore_index=True).drop_duplicates("player_id")
    people = people.sort_values("player_id", kind="stable", ignore_index=True)
    fields = _fields(people)
    for kind, one in lists.items():
        own = _fields(people[["player_id"]].merge(one, on="player_id", how="left"))
        fields |= {f"{kind}_{name}": own[name] for name in NUMBERS}
    return people, fields


def _fixed(
    data: pd.DataFrame, fields: dict[str, pd.Series], layout: fide_layouts.Layout, file: str
) -> tuple[str, pd.DataFrame]:
    fields, found = dict(fields), []
    plain = ascii_names(fields["name"])
    changed = int((plain != fields["name"]).sum())
    found.append(findings.of("F236", file=file, count=changed) if changed else findings.none())
    fields["name"] = plain
    for name in ("player_id", "federation", "title", "w_title", "o_title", "foa_title"):
        fields[name] = ascii_names(fields[name])
    lines, header, column = pd.Series("", index=data.index, dtype="str"), "", 1
    for name, (first, last) in layout.fields.items():
        cells = fields[name] if name in fields else pd.Series("", index=data.index, dtype="str")
        width = last - first + 1
        gap = " " * (first - column)
        long = int((cells.str.len() > width).sum()) if name != "o_title" else 0
        if long:
            found.append(findings.of("F235", file=file, column=name, count=long, width=width))
            cells = cells.str.slice(0, width)
        side = "left" if name in fide_layouts.RIGHT else "right"
        lines = lines + gap + cells.str.pad(width, side=side)
        header = header.ljust(first - 1) + fide_layouts.LABELS[name]
        column = last + 1
    tail = " " * (layout.length - column + 1)
    lines = lines + tail
    text = "".join(f"{line}\r\n" for line in [header.ljust(layout.length)[: layout.length], *lines])
    return text, findings.join(found)


def _xml(data: pd.DataFrame, fields: dict[str, pd.Series]) -> str:
    """One list, or a combined one: standard numbers without a prefix, those of other types where there are any."""
    kinds = [kind for kind in frames.RATING_TYPES if f"{kind}_rating" in fields]
    if len(kinds) > 1:
        nothing = pd.Series("", index=data.index, dtype="str")
        fields = {**fields, **{name: fields.get(f"{fide_lists.STANDARD}_{name}", nothing) for name in NUMBERS}}
    else:
        fields = {name: cells for name, cells in fields.items() if name not in {f"{kinds[0]}_{one}" for one in NUMBERS}}
    fields["birthday"] = fields["birthday"].replace("0000", "")
    lines = pd.Series("<player>\n", index=data.index, dtype="str")
    for element, column in fide_xml.ELEMENTS.items():
        if column in fields:
            cells = fields[column].map(fide_xml.written).astype("str")
            lines = lines + f"<{element}>" + cells + f"</{element}>\n"
    body = "".join(lines + "</player>\n")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<playerslist>\n{body}</playerslist>\n'
