"""Blocks as text for the terminal, as one printable page of HTML, or a sheet's players as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from ratingrun import findings, plain
from ratingrun.explain.words import Block, Table
from ratingrun.texts import POINT

TEMPLATE = "page.html.j2"
FORMULA = ("=", "+", "-", "@")
SCORES = ("w_c", "pool_w_c")
SHEET = (
    "start_no", "player_id", "name", "federation", "reported_rating", "r", "n", "w_c", "we_c", "dr_c", "k", "change_c",
    "pool_n", "pool_w_c", "ru", "outcome",
)  # fmt: skip


def text(blocks: Sequence[Block]) -> str:
    """Blocks as lines, tables aligned; control characters in names are replaced."""
    parts = []
    for number, block in enumerate(blocks):
        lines = [block.title, ("=" if number == 0 else "-") * len(block.title), *block.lines]
        lines += _aligned(block.table) if block.table else []
        parts.append("\n".join(findings.printable(line) for line in [*lines, *block.after]))
    return "\n\n".join(parts) + "\n"


def _aligned(table: Table) -> list[str]:
    rows = [table.heads, *table.rows] if any(table.heads) else list(table.rows)
    widths = [max(len(str(row[place])) for row in rows) for place in range(len(table.heads))]
    lines = []
    for row in rows:
        cells = [
            str(cell).rjust(width) if place in table.numbers else str(cell).ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def html(blocks: Sequence[Block], language: str) -> str:
    """Blocks as one page that stands alone and prints on A4; everything from the data is escaped."""
    import jinja2

    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    environment = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.get_template(TEMPLATE).render(blocks=blocks, language=language)


def sheet_csv(sheets: Sequence[Mapping[str, object]]) -> str:
    """The players of a tournament's parts as CSV: a row a player, hundredths as decimals, then the reasons.

    Text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    names = [name.removesuffix("_c") for name in SHEET]
    rows.writerow(["tournament_id", "part", *names, "not_counted"])
    for sheet in sheets:
        part, lost = sheet["tournament"], {}
        for cell in sheet["not_counted"]:
            lost.setdefault(cell["start_no"], []).append(f"{cell['round']} {cell['reason']}")
        for row in sheet["players"]:
            cells = [_cell(name, row[name], row["scale"]) for name in SHEET]
            reasons = "; ".join(lost.get(row["start_no"], []))
            rows.writerow([_cell("", part["tournament_id"]), part["part"], *cells, reasons])
    return out.getvalue()


def rows_csv(rows: pd.DataFrame) -> str:
    """A table as CSV: header, nothing for null, days as YYYY-MM-DD; no text that a spreadsheet takes for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows.columns)
    for row in plain.rows(rows):
        writer.writerow([_cell("", value) for value in row.values()])
    return out.getvalue()


def _cell(name: str, value: object, scale: int | None = None) -> object:
    if value is None:
        return ""
    if name.endswith("_c"):
        parts = POINT if name in SCORES else scale or POINT
        return f"{value / parts:.{len(str(parts)) - 1}f}"
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
