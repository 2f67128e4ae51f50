"""A tournament report as a table, CSV or Parquet: a crosstable with one row a player.

    start_no, player_id, name, federation, sex, title, birth_year, reported_rating, round_1, round_2, ...

Needed are start_no and at least one round column. A round cell is the opponent's starting number, the colour and the
result: 12w1, 5b=, 7w+, 7-; or a result alone: -, H, F, U, Z; blank: no pairing. Blanks inside and small letters are
tolerated; a draw may be written = or 1/2 or .5 in their usual forms.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import findings
from ratingrun.formats import content, inputs, text, typed
from ratingrun.formats.content import Content

PLAYER_COLUMNS = tuple(c for c in content.ENTRY_COLUMNS if c.name not in ("file", "line"))
ROUND = "round_([1-9][0-9]{0,2})"
PARQUET = b"PAR1"
DASHES = r"[‐‑‒–—−]"  # what spreadsheets make of a minus
HALF = r"(^|[WB])(?:1/2|0?[.,]5)$"  # only where no digit of an opponent can stand before it
WITH_COLOUR = r"([0-9]{0,4})([WB])([10=+\-WDLHFUZ])"
WITHOUT_COLOUR = r"([0-9]{0,4})()([=+\-DLHFUZ])"  # 121 could be 12 and 1 or 121: refused
ALONE = "()()([10W])"
CELL = f"^(?:{WITH_COLOUR}|{WITHOUT_COLOUR}|{ALONE})$"


def read(raw: bytes, file: str) -> Content:
    """The report in these bytes, Parquet if they begin as Parquet does; F150-F155, F157 and F201.

    A player whose starting number cannot be read is left out; a cell that cannot be read stands in `results` as it
    is written, without opponent and colour. Lines of Parquet are row numbers, from 1.
    """
    if raw.startswith(PARQUET):
        return _report(text.parquet_table(raw), findings.none(), file)
    decoded = text.decode(raw)
    if decoded.why:
        return Content(findings=findings.of("F150", file=file, line=decoded.line, why=decoded.why))
    return _report(text.table(decoded.content), inputs.encoding(decoded, file), file)


def _report(table: text.Table, found: pd.DataFrame, file: str) -> Content:
    if table.why:
        return Content(findings=findings.of("F150", file=file, line=table.at, why=table.why))
    shape = _headings(table, file)
    if len(shape):
        return Content(findings=findings.join([found, shape]))
    line = pd.Series(table.line, dtype="int64")
    players, bad = _players(table, line, file)
    numbered = players["start_no"].notna().to_numpy(bool)
    cells, unread = _cells(table, players["start_no"], line, numbered, file)
    parts = [found, findings.of("F154", table.ragged, file=file), bad, unread]
    if not len(line) and not len(table.ragged):
        parts.append(findings.of("F157", file=file))
    return Content(
        entries=content.entries(players[numbered].reset_index(drop=True), file),
        results=content.results(cells, file),
        findings=findings.join(parts),
    )


def _headings(table: text.Table, file: str) -> pd.DataFrame:
    """F151 for unknown and repeated columns, F152 for missing ones."""
    names = pd.Series(table.cells.columns, dtype="str")
    known = [column.name for column in PLAYER_COLUMNS]
    rounds = names.str.fullmatch(ROUND).to_numpy(bool)
    place = {"file": file, "line": table.header_line, "known": ", ".join([*known, "round_1", "round_2 ..."])}
    unknown = [name for name in names[~rounds] if name not in known]
    parts = [findings.of("F151", column=name, **place) for name in unknown]
    parts += [findings.of("F151", column=f"{name} (a second time)", **place) for name in table.repeated]
    if "start_no" not in table.cells:
        parts.append(findings.of("F152", column="start_no", **place))
    if not rounds.any():
        parts.append(findings.of("F152", column="round_1", **place))
    return findings.join(parts)


def _players(table: text.Table, line: pd.Series, file: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The players, typed, with their line; F153 for cells that do not fit."""
    values, parts = {"line": line}, []
    nothing = pd.Series("", index=line.index, dtype="str")
    for column in PLAYER_COLUMNS:
        cells = table.cells.get(column.name, nothing)
        values[column.name], bad = typed.convert(column, cells)
        bad = bad | (cells == "").to_numpy(bool) & (column.name == "start_no")
        split = text.split_cells(table, cells)
        for mask, wanted in ((bad & ~split, typed.wanted(column)), (split, text.ONE_LINE)):
            rows = pd.DataFrame({"line": line[mask], "value": text.shown(cells[mask])})
            parts.append(findings.of("F153", rows, file=file, column=column.name, wanted=wanted))
    return pd.DataFrame(values), findings.join(parts)


def _cells(
    table: text.Table, start_no: pd.Series, line: pd.Series, numbered: np.ndarray, file: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Every cell of every round column, read; F155 for those that are no result."""
    names = [name for name in table.cells if name.startswith("round_")]
    width = len(names)
    written = pd.concat([table.cells[name] for name in names], ignore_index=True)
    rounds = np.repeat([int(name.removeprefix("round_")) for name in names], len(line))
    where = pd.DataFrame({"line": np.tile(line, width), "round": rounds})
    opponent_no, colour, result, bad = parse(written)
    rows = where.assign(value=text.shown(written))[bad]
    rows = rows.assign(round=rows["round"].astype("str"))
    cells = where.assign(
        start_no=pd.concat([start_no] * width, ignore_index=True),
        opponent_no=opponent_no,
        colour=colour,
        result=result,
    )
    return cells[np.tile(numbered, width)].reset_index(drop=True), findings.of("F155", rows, file=file)


def parse(written: pd.Series) -> tuple[pd.Series, pd.Series, pd.Series, np.ndarray]:
    """Round cells as opponent_no (Int64), colour (w, b), result (upper case, "=" for every half), and the mask of
    those that cannot be read, which keep their text as result. Each spelling is read once, however often it stands."""
    codes, spellings = pd.factorize(written)
    spelling = pd.Series(spellings, dtype="str")
    plain = spelling.str.upper().str.replace(r"[^\S\r\n]+", "", regex=True).str.replace(DASHES, "-", regex=True)
    plain = plain.str.replace("½", "=", regex=False).str.replace(HALF, r"\1=", regex=True)
    groups = plain.str.extract(CELL).astype("str").fillna("")
    opponent = groups[0] + groups[3] + groups[6]
    colour = groups[1] + groups[4] + groups[7]
    result = groups[2] + groups[5] + groups[8]
    bad = ((result == "") & (plain != "")).to_numpy(bool)
    number = pd.to_numeric(opponent.mask(opponent == "", "0")).astype("Int64")
    read = pd.DataFrame(
        {
            "opponent_no": number.mask(number == 0),
            "colour": colour.str.lower().mask(colour == ""),
            "result": result.mask(bad, spelling),
            "bad": bad,
        }
    )
    whole = read.take(codes).reset_index(drop=True)
    return whole["opponent_no"], whole["colour"], whole["result"], whole["bad"].to_numpy(bool)
