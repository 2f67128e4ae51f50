"""Reports out: TRF16, or the crosstable as CSV or Parquet. What a form cannot hold is cut and said (F235)."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ratingrun import coded, findings
from ratingrun.formats import Report
from ratingrun.formats import trf_columns as tc

FORMS = {".trf": "trf", ".csv": "csv", ".parquet": "parquet"}
PLAYER = ("start_no", "player_id", "name", "federation", "sex", "title", "birth_year", "reported_rating")
EMPTY = " " * (tc.PITCH - 2)


def write(report: Report, path: Path, form: str) -> pd.DataFrame:
    """Writes a report in a form: trf, csv or parquet; the findings say what did not fit."""
    if form == "trf":
        text, found = trf16(report, path.name)
        path.write_bytes(text.encode("utf-8"))
        return found
    table = crosstable(report)
    if form == "csv":
        path.write_text(table.to_csv(index=False, lineterminator="\n"), "utf-8", newline="")
    else:
        pq.write_table(pa.Table.from_pandas(table, preserve_index=False), path)
    return findings.none()


def trf16(report: Report, file: str) -> tuple[str, pd.DataFrame]:
    """A report as TRF16: header as far as it is known, a record a player, points as the results give them."""
    entries = report.entries
    cells = _pivot(report, _trf_cells(coded.plain_frame(report.results)))
    number = entries["start_no"].astype("str").str.pad(4)
    points = _points(report).reindex(entries["start_no"]).fillna(0)
    parts, found = [], []
    for name, width, side in (("name", 33, "right"), ("reported_rating", 4, "left"), ("federation", 3, "right"),
                              ("player_id", 11, "left")):  # fmt: skip
        words = entries[name].astype("str").fillna("").str.replace(r"[\r\n]", " ", regex=True)
        long = int((words.str.len() > width).sum())
        if long:
            found.append(findings.of("F235", file=file, column=name, count=long, width=width))
        parts.append(words.str.slice(0, width).str.pad(width, side=side))
    sex = entries["sex"].astype("str").fillna(" ")
    title = entries["title"].astype("str").fillna("").str.slice(0, 3).str.pad(3)
    year = entries["birth_year"].astype("str")
    born = year.where(year.isna(), year + "/00/00").fillna("").str.pad(10, side="right")
    score = pd.Series([f"{value / 2:.1f}".rjust(4) for value in points], index=entries.index, dtype="str")
    lines = "001 " + number + " " + sex + title + " " + parts[0] + " " + parts[1] + " " + parts[2] + " " + parts[3]
    lines = lines + " " + born + " " + score + " " * 5
    for column in cells:
        lines = lines + "  " + cells[column].reindex(entries["start_no"]).fillna(EMPTY).set_axis(entries.index)
    header = [("012", report.name), ("032", report.federation)]
    header += [(record, days[0].strftime("%Y/%m/%d")) for record, days in
               (("042", report.start), ("052", report.end)) if len(days) == 1]  # fmt: skip
    header += [("062", str(len(entries))), ("122", report.time_control)]
    text = "".join(f"{record} {value}\n" for record, value in header if value)
    return text + "".join(f"{line.rstrip()}\n" for line in lines), findings.join(found)


def crosstable(report: Report) -> pd.DataFrame:
    """A report as the crosstable of our own CSV form: a row a player, a column a round."""
    cells = _pivot(report, _csv_cells(coded.plain_frame(report.results)))
    wide = cells.reindex(report.entries["start_no"]).fillna("").set_axis(report.entries.index)
    if not len(wide.columns):
        wide = pd.DataFrame({1: ""}, index=report.entries.index)
    return pd.concat([report.entries[list(PLAYER)], wide.add_prefix("round_")], axis=1)


def _pivot(report: Report, words: pd.Series) -> pd.DataFrame:
    rows = report.results.assign(cell=words).drop_duplicates(["start_no", "round"])
    return rows.pivot_table(index="start_no", columns="round", values="cell", aggfunc="first")


def _trf_cells(results: pd.DataFrame) -> pd.Series:
    opponent = results["opponent_no"].astype("str")
    empty = results["opponent_no"].isna() & (results["result"] == "") & results["colour"].isna()
    number = opponent.str.pad(4).fillna("0000")
    cells = number + " " + results["colour"].fillna("-") + " " + results["result"].str.slice(0, 1).str.pad(1)
    return cells.mask(empty, EMPTY)


def _csv_cells(results: pd.DataFrame) -> pd.Series:
    return results["opponent_no"].astype("str").fillna("") + results["colour"].fillna("") + results["result"]


def _points(report: Report) -> pd.Series:
    halves = dict(zip(tc.CODES, tc.HALVES.tolist(), strict=True))
    return coded.plain(report.results["result"]).map(halves).fillna(0).groupby(report.results["start_no"]).sum()
