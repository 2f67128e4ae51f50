"""register.csv, players.csv, corrections.csv, exclusions.csv: CSV by the declarations of `frames.py`.

Each reader gives the frame, always as declared, and the findings F101-F115, F201 with file and line. Rows with an
error are left out of the frame; the findings stop the run anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import coded, findings, frames
from ratingrun.contract import Column, Frame
from ratingrun.formats import text, typed

DEFAULTS = {"part": "1", "fide_official": "no", "place": "otb", "kind": "swiss"}
NEEDED = {"corrections": ("value",)}  # its cells may be empty, but the column must be there
KEPT = ("player_id", "k_clause")  # columns of rating_list that no correction may touch
CORRECTABLE = tuple(column.name for column in frames.RATING_LIST.columns if column.name not in KEPT)
CLOCK = r"([0-9]{1,3}/)?[0-9]{1,3}(\+[0-9]{1,3})?(:([0-9]{1,3}/)?[0-9]{1,3}(\+[0-9]{1,3})?)*"
TIME_CONTROL = rf"{CLOCK}(\|{CLOCK})?"

Found = tuple[pd.DataFrame, pd.DataFrame]
Check = Callable[[pd.DataFrame, str], Found]


def read(frame: Frame, path: Path, check: Check | None = None) -> Found:
    """The frame that a CSV file holds, conforming to its declaration, and the findings.

    `check` has the frame's own rules: it gets the typed rows and the file's name and gives the rows that it keeps
    and its findings. A key that stands twice is F108; the first row stays.
    """
    file = path.name
    table, found = load(path)
    if table is None:
        return frame.empty(), found
    columns = [column for column in frame.columns if column.name != "line"]
    shape = headings(table, [column.name for column in columns], required(frame), file)
    if (shape["severity"] == "error").any():
        return frame.empty(), findings.join([found, shape])
    rows, wrong = convert(columns, table, file)
    rows, own = check(rows, file) if check else (rows, findings.none())
    rows, twice = once(frame, rows, file)
    return frame.build(rows), findings.join([found, shape, wrong, own, twice])


def register(path: Path) -> Found:
    """The tournament parts (frames.REGISTER) and F104-F109, F115."""
    return read(frames.REGISTER, path, _check_register)


def players(path: Path) -> Found:
    """The dated facts about players (frames.PLAYERS) and F104-F107."""
    return read(frames.PLAYERS, path)


def corrections(path: Path) -> Found:
    """The corrections (frames.CORRECTIONS) and F104-F108, F114.

    `value` is written as its field's type writes it: 1850, 2025-11-01, yes, GM; null: none.
    """
    return read(frames.CORRECTIONS, path, _check_corrections)


def exclusions(path: Path) -> Found:
    """The exclusions (frames.EXCLUSIONS) and F105-F107."""
    return read(frames.EXCLUSIONS, path)


def aliases(path: Path) -> Found:
    """The aliases (frames.ALIASES) and F105-F108."""
    return read(frames.ALIASES, path)


def required(frame: Frame) -> list[str]:
    """The columns that the header must have."""
    must = [c.name for c in frame.columns if not c.null and c.name not in DEFAULTS and c.name != "line"]
    return [*must, *NEEDED.get(frame.name, ())]


def load(path: Path, fast: Callable[[str], text.Table | None] | None = None) -> tuple[text.Table | None, pd.DataFrame]:
    """The table of text that a CSV file holds, or None; F101, F110, F201 and F107 for rows of uneven length.

    `fast` is another reader that may be tried first and gives None for what it cannot read exactly.
    """
    file = path.name
    raw, why = text.load(path)
    if why:
        missing = not path.exists()
        return None, findings.of("F110", file=file) if missing else findings.of("F101", file=file, why=why)
    content = text.decode(raw)
    if content.why:
        return None, findings.of("F101", file=file, line=content.line, why=content.why)
    table = (fast and fast(content.content)) or text.table(content.content)
    if table.why:
        return None, findings.of("F101", file=file, line=table.at, why=table.why)
    return table, findings.join([encoding(content, file), findings.of("F107", table.ragged, file=file)])


def encoding(content: text.Text, file: str) -> pd.DataFrame:
    """F201 if the text was not UTF-8."""
    if not content.encoding:
        return findings.none()
    return findings.of("F201", file=file, line=content.line, encoding=content.encoding)


def headings(table: text.Table, known: Iterable[str], must: Iterable[str], file: str) -> pd.DataFrame:
    """F102 for each unknown column, F103 for each missing one, F108 for a column that stands twice."""
    place, names = {"file": file, "line": table.header_line}, list(table.cells.columns)
    known, must = list(known), list(must)
    parts = [findings.of("F102", column=name, known=", ".join(known), **place) for name in names if name not in known]
    parts += [findings.of("F103", column=name, known=", ".join(must), **place) for name in must if name not in names]
    parts += [findings.of("F108", what=f"column {name}", first=table.header_line, **place) for name in table.repeated]
    return findings.join(parts)


def convert(columns: Iterable[Column], table: text.Table, file: str) -> Found:
    """The rows without an error, typed, with their line; F104 bad dates, F105 other bad cells, F106 empty cells.

    A column that the file does not have, or a cell without content, has its default or is null.
    """
    line = pd.Series(table.line, dtype="int64")
    values, parts, wrong = {"line": line}, [], np.zeros(len(line), bool)
    for column in columns:
        default = DEFAULTS.get(column.name, "")
        if column.name in table.cells:
            cells = text.unguarded(table.cells[column.name])
            cells = cells.mask(cells == "", default) if default else cells
        else:
            cells = coded.same(default, len(line))
        values[column.name], bad = typed.convert(column, cells)
        split = text.split_cells(table, cells)
        empty = np.zeros(len(line), bool) if column.null else (cells == "").to_numpy(bool)
        if bad.any() or split.any():
            parts.append(_cells(column, cells, line, bad & ~split, typed.wanted(column), file))
            parts.append(_cells(column, cells, line, split, text.ONE_LINE, file))
        if empty.any():
            parts.append(findings.of("F106", pd.DataFrame({"line": line[empty]}), file=file, column=column.name))
        wrong = wrong | bad | empty | split
    rows = pd.DataFrame(values)
    return rows[~wrong] if wrong.any() else rows, findings.join(parts)


def _cells(column: Column, cells: pd.Series, line: pd.Series, bad: np.ndarray, wanted: str, file: str) -> pd.DataFrame:
    """F104 or F105 for the bad cells of a column."""
    if not bad.any():
        return findings.none()
    rows = pd.DataFrame({"line": line[bad], "value": text.shown(cells[bad])})
    if wanted == "a date":
        return findings.of("F104", rows, file=file, column=column.name)
    return findings.of("F105", rows, file=file, column=column.name, wanted=wanted)


def once(frame: Frame, rows: pd.DataFrame, file: str) -> Found:
    """The rows without those whose key has stood before, and F108 for each of these."""
    key = list(frame.key)
    twice = rows.duplicated(key).to_numpy(bool)
    if not twice.any():
        return rows, findings.none()
    first = rows.groupby(key, sort=False)["line"].transform("first")
    what = pd.Series("", index=rows.index, dtype="str")
    for name in key:
        day = pd.api.types.is_datetime64_dtype(rows[name])
        words = rows[name].dt.strftime("%Y-%m-%d") if day else rows[name].astype("str")
        what = what + (" " if name != key[0] else "") + name + " " + words
    return rows[~twice], findings.of("F108", rows.assign(first=first, what=what)[twice], file=file)


def _check_register(rows: pd.DataFrame, file: str) -> Found:
    """F109 and F115, F105 for a time control; file names with /, approvals as words with one blank between."""
    rows = rows.assign(
        file=rows["file"].str.replace("\\", "/", regex=False),
        time_control=rows["time_control"].str.replace(" ", "", regex=False),
        approvals=rows["approvals"].str.lower().str.replace(r"[\s,;]+", " ", regex=True).str.strip(),
    )
    shaped = rows["time_control"].isna() | rows["time_control"].str.fullmatch(TIME_CONTROL).fillna(True).astype(bool)
    late = rows["end"] < rows["start"]
    crossed = (rows["rounds_from"] > rows["rounds_to"]).fillna(False).astype(bool)
    if not (~shaped | late | crossed).any():
        return rows, findings.none()
    names = {"rounds_from": "first", "rounds_to": "last"}
    found = [
        findings.of(
            "F105",
            rows[~shaped].assign(value=rows.loc[~shaped, "time_control"]),
            file=file,
            column="time_control",
            wanted="minutes+seconds a move, for example 90+30 or 40/90+30:30+30; unequal clocks: 10+5|5+5",
        ),
        findings.of("F109", rows[late].drop(columns="file"), file=file),
        findings.of("F115", rows[crossed].drop(columns="file").rename(columns=names), file=file),
    ]
    return rows[shaped & ~late & ~crossed], findings.join(found)


def _check_corrections(rows: pd.DataFrame, file: str) -> Found:
    """F114 for a field that cannot be corrected; F104-F106 for a value that is not of its field's type."""
    rows, found = _list_days(rows.assign(field=rows["field"].str.lower()), file)
    known = rows["field"].isin(CORRECTABLE)
    names = {"field": "value"}
    place = {"file": file, "known": ", ".join(CORRECTABLE)}
    parts = [
        found,
        findings.of("F114", rows.loc[~known, ["field", "line", "player_id"]].rename(columns=names), **place),
    ]
    kept = []
    for name in rows.loc[known, "field"].unique():
        column = next(column for column in frames.RATING_LIST.columns if column.name == name)
        some = rows[rows["field"] == name]
        good, found = _values(column, some, file)
        kept.append(good)
        parts.append(found)
    return pd.concat(kept) if kept else rows[known], findings.join(parts)


def _list_days(rows: pd.DataFrame, file: str) -> Found:
    """The corrections of a day on which lists appear, and F105 for the others, which no list would ever read."""
    never = (rows["list_date"].dt.day != 1).to_numpy(bool)
    bad = rows[never].assign(value=rows.loc[never, "list_date"].dt.strftime("%Y-%m-%d"))
    wanted = "the day of a list, the first of a month"
    return rows[~never], findings.of("F105", bad[["line", "value"]], file=file, column="list_date", wanted=wanted)


def _values(column: Column, rows: pd.DataFrame, file: str) -> Found:
    """The corrections of one field with `value` as the field's type writes it; F104-F106 as column `value`."""
    cells = rows["value"].fillna("").astype("str")
    values, bad = typed.convert(column, cells)
    must = not column.null
    empty = (values.isna() | (cells == "")).to_numpy(bool) & ~bad & must
    written = typed.written(column, values).mask(cells == "")
    line = rows["line"]
    named = Column("value", column.type, column.text)
    parts = [
        _cells(named, cells, line, bad, typed.wanted(column), file),
        findings.of("F106", pd.DataFrame({"line": line[empty]}), file=file, column="value"),
    ]
    return rows.assign(value=written)[~bad & ~empty], findings.join(parts)
