"""Rating lists out, in the forms that others read: Parquet, CSV, FIDE's text (136 columns, combined) and XML.

FIDE's forms have no place for games_total, peak, last_played, active and k_clause: those are left out. The combined
form has three ratings; the list's own type is filled in.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pandas as pd

from ratingrun import findings
from ratingrun.formats import fide_layouts, fide_xml, list_tables
from ratingrun.frames import Frame

LIST = Frame("list", "a rating list by anybody: a row a player", ("player_id",), list_tables.LIST_COLUMNS)
FORMS = ("parquet", "csv", "fide", "fide-combined", "fide-xml")
BY_SUFFIX = {".parquet": "parquet", ".csv": "csv", ".txt": "fide", ".xml": "fide-xml"}
GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ø": "o",
                        "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae"})  # fmt: skip


def write(data: pd.DataFrame, path: Path, form: str, rating_type: str) -> pd.DataFrame:
    """Writes a list (columns as `rating_lists.read` gives them) in a form; F235 cut cells, F236 names made ASCII."""
    if form == "parquet":
        list_tables.write_parquet(LIST, data, path)
        return findings.none()
    if form == "csv":
        list_tables.write_csv(LIST, data, path)
        return findings.none()
    if form == "fide-xml":
        path.write_bytes(_xml(data).encode("utf-8"))
        return findings.none()
    combined = form == "fide-combined"
    text, found = _fixed(data, fide_layouts.WRITTEN["combined" if combined else "single"], rating_type, path.name)
    path.write_bytes(text.encode("ascii"))
    return found


def ascii_name(name: str) -> str:
    """A name in ASCII letters, as FIDE writes them: ä is ae, other marks are dropped, what is left is a ?."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", name).translate(GERMAN))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).encode("ascii", "replace").decode()


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


def _fixed(data: pd.DataFrame, layout: fide_layouts.Layout, rating_type: str, file: str) -> tuple[str, pd.DataFrame]:
    fields = _fields(data)
    found = []
    plain = fields["name"].map(ascii_name).astype("str")
    changed = int((plain != fields["name"]).sum())
    found.append(findings.of("F236", file=file, count=changed) if changed else findings.none())
    fields["name"] = plain
    for name in ("player_id", "federation", "title", "w_title", "o_title", "foa_title"):
        fields[name] = fields[name].map(ascii_name).astype("str")
    lines, header, column = pd.Series("", index=data.index, dtype="str"), "", 1
    for name, (first, last) in layout.fields.items():
        kind, _, what = name.partition("_")
        source = name if name in fields else what if kind == rating_type else ""
        cells = fields[source] if source else pd.Series("", index=data.index, dtype="str")
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


def _xml(data: pd.DataFrame) -> str:
    fields = _fields(data)
    fields["birthday"] = fields["birthday"].replace("0000", "")
    lines = pd.Series("<player>\n", index=data.index, dtype="str")
    for element, column in fide_xml.ELEMENTS.items():
        if column in fields:
            cells = fields[column].map(fide_xml.written).astype("str")
            lines = lines + f"<{element}>" + cells + f"</{element}>\n"
    body = "".join(lines + "</player>\n")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<playerslist>\n{body}</playerslist>\n'
