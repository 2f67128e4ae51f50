"""The data of the tournaments' page: a list of the parts, and each part's entries and reported cells.

The numbers are those of `explain`'s sheet and of the games in its players' months (tests compare them).
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from ratingrun import explain
from ratingrun.site import chunks
from ratingrun.site.month import Source

KEY = explain.KEY
PART = ("tournament_id", "part", "name", "federation", "system", "start", "end", "list_in_force", "book", "status",
        "time_control")  # fmt: skip
ENTRY = ("start_no", "player_id", "name", "listed_name", "federation", "reported_rating", "r", "n", "w_c", "we_c",
         "dr_c", "k", "change_c", "scale", "pool_n", "pool_w_c", "ru", "outcome")  # fmt: skip
CELL = ("entry", "round", "opponent_no", "colour", "result", "outcome", "reason", "own", "score_c", "r", "r_opp",
        "d_true", "d", "pd_c", "dr_c", "scale")  # fmt: skip
OUTCOMES = ("rated", "pool", "none")


def numbered(source: Source) -> pd.DataFrame:
    """The parts in the order of their start, with their number `t`."""
    parts = source.rows("tournaments").sort_values(["start", *KEY], kind="stable").reset_index(drop=True)
    return parts.assign(t=range(len(parts)))


def index(source: Source, parts: pd.DataFrame) -> dict[str, object]:
    """The packed table of all parts: what each is, players, cells by outcome, the sum of the changes."""
    entries = source.rows("entries", *KEY).value_counts(KEY).rename("players")
    cells = source.rows("cells", *KEY)
    cells = pd.concat([cells, *(source.rows("cells")["outcome"].eq(one).rename(one) for one in OUTCOMES)], axis=1)
    cells = cells.groupby(KEY).sum()
    sums = source.rows("event_changes").groupby(KEY)["change_c"].sum().rename("sum_c")
    scale = source.rows("event_changes").groupby(KEY)["scale"].max()
    found = parts.merge(entries.reset_index(), on=KEY, how="left")
    found = found.merge(cells.reset_index(), on=KEY, how="left")
    found = found.merge(sums.reset_index(), on=KEY, how="left").merge(scale.reset_index(), on=KEY, how="left")
    for name in ("players", *OUTCOMES):
        found[name] = found[name].astype("Int64").fillna(0)
    columns = chunks.Columns(found[["t", *PART, "players", *OUTCOMES, "sum_c", "scale"]], "t")
    return columns.part(0, len(found), "t")


def sheets(source: Source, parts: pd.DataFrame) -> tuple[dict[str, str], list[int]]:
    """The scripts with each part's entries and cells; for each part the number of its chunk."""
    entries = _entries(source, parts)
    cells = chunks.Columns(_cells(source, entries), "t")
    rows = chunks.Columns(entries[["t", *ENTRY]], "t")
    return chunks.scripts("tournaments", _pieces(rows, cells, len(parts)))


def _pieces(entries: chunks.Columns, cells: chunks.Columns, count: int) -> Iterator[dict[str, object]]:
    for t in range(count):
        yield {"t": t, "entries": entries.part(t, t + 1, "t"), "cells": cells.part(t, t + 1, "t")}


def _entries(source: Source, parts: pd.DataFrame) -> pd.DataFrame:
    """The players of each part as in the sheet, with `entry`, their place in it, and `line`."""
    entries = source.rows("entries").drop(columns=["sex", "title", "birth_year", "file"])
    entries = entries.merge(parts[[*KEY, "t"]], on=KEY).sort_values(["t", "start_no", "line"], kind="stable")
    sides = source.rows("sides")
    one = [*KEY, "player_id"]
    used = sides[sides["r"].notna()].drop_duplicates(one)[[*one, "r"]]
    pooled = sides[sides["outcome"] == "pool"].groupby(one)["score_c"].agg(pool_n="size", pool_w_c="sum").reset_index()
    for more, key in (
        (used, one),
        (source.rows("event_changes"), one),
        (pooled, one),
        (source.rows("initials", "player_id", "ru", "outcome"), ["player_id"]),
    ):
        entries = entries.merge(more, on=key, how="left")
    names = source.rows("rating_list").set_index("player_id")["name"]
    listed = entries["player_id"].map(names).astype("str")
    entries["listed_name"] = listed.mask(listed == entries["name"])
    return entries.assign(entry=entries.groupby("t").cumcount())


def _cells(source: Source, entries: pd.DataFrame) -> pd.DataFrame:
    """The reported cells with what became of them. `own`: the cell is in that player's explanation too."""
    cells = source.rows("cells").drop(columns="file")
    asked = (
        source.rows("results").drop(columns=["file", "declared"]).drop_duplicates([*KEY, "start_no", "round", "line"])
    )
    cells = cells.merge(asked, on=[*KEY, "start_no", "round", "line"], how="left")
    rows = entries[[*KEY, "start_no", "line", "t", "entry"]]
    cells = cells.merge(rows, on=[*KEY, "start_no", "line"])
    figures = ["score_c", "r", "r_opp", "d_true", "d", "pd_c", "dr_c", "scale", "reason"]
    sides = source.rows("sides", *KEY, "round", "player_id", *figures).rename(columns={"reason": "special"})
    cells = cells.merge(sides, on=[*KEY, "round", "player_id"], how="left")
    cells["reason"] = cells["reason"].fillna(cells["special"])
    cells["own"] = cells["player_id"].notna()
    return cells.sort_values(["t", "entry", "round"], kind="stable")[["t", *CELL]]
