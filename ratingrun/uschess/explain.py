"""explain for US Chess: one player's month, or one section, out of a run folder and nothing else: numbers as facts."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ratingrun import findings, plain, run_folder
from ratingrun.explain import Facts, NotThereError, frame_of
from ratingrun.stages.reports import KEY

READ = ("us_list", "us_sections", "entries", "results", "games", "cells", "us_sides", "us_steps", "us_trail")
OF_PLAYERS = ("us_list", "us_trail")


def read(
    folder: run_folder.RunFolder, player_id: str | None = None, tournament_id: str | None = None
) -> tuple[Mapping[str, pd.DataFrame], pd.DataFrame]:
    """The frames that an explanation needs (empty where an adopted folder has none), and F112, F101 findings.

    For one player only his rows of list and ledger; for one event none of these.
    """
    only = None if player_id is None and tournament_id is None else {"player_id": {player_id} - {None}}
    found = {name: frame_of(folder, name, only if name in OF_PLAYERS else None) for name in READ}
    return {name: data for name, (data, _) in found.items()}, findings.join(news for _, news in found.values())


def rows(frame: pd.DataFrame) -> list[Facts]:
    """The rows of a frame as dictionaries, with real numbers as they are."""
    reals = list(frame.select_dtypes("float64").columns)
    found = plain.rows(frame.drop(columns=reals))
    for name in reals:
        for row, value in zip(found, frame[name].tolist(), strict=True):
            row[name] = None if value != value else value
    return [{name: row[name] for name in frame} for row in found]


def player(folder: run_folder.RunFolder, data: Mapping[str, pd.DataFrame], player_id: str) -> Facts:
    """A player's month: each section in each pool, step by step, with every game; the ledger; the list.

    Raises NotThereError if neither list nor reports know the id.
    """
    listed, entries = (_of(data[name], player_id=player_id) for name in ("us_list", "entries"))
    if listed.empty and entries.empty:
        raise NotThereError(player_id)
    name = pd.concat([listed["name"], entries["name"]]).dropna()
    steps = _of(data["us_steps"], player_id=player_id).sort_values(["seq", "pool"])
    sections = data["us_sections"].merge(entries[KEY].drop_duplicates(), on=KEY)
    return {
        **_head(folder),
        "player": {"player_id": player_id, "name": name.iloc[0] if len(name) else None},
        "sections": [_section(data, row, steps, player_id) for row in rows(_ordered(sections, data))],
        "ledger": rows(_of(data["us_trail"], player_id=player_id)),
        "list": rows(listed),
    }


def tournament(folder: run_folder.RunFolder, data: Mapping[str, pd.DataFrame], tournament_id: str) -> list[Facts]:
    """The sheet of each section of an event: a row a player and pool, and each cell that does not count.

    Raises NotThereError, naming the events that the run has.
    """
    parts = _of(data["us_sections"], tournament_id=tournament_id)
    if parts.empty:
        raise NotThereError(", ".join(sorted(set(data["us_sections"]["tournament_id"]))) or "none")
    found = []
    for part in rows(parts):
        here = {name: part[name] for name in KEY}
        cells, entries = _of(data["cells"], **here), _of(data["entries"], **here)
        names = entries.drop_duplicates("start_no").set_index("start_no")["name"]
        lost = cells[cells["outcome"] == "none"].sort_values(["round", "start_no"])
        lost = lost.assign(name=lost["start_no"].map(names))[
            ["round", "start_no", "player_id", "name", "reason", "line"]
        ]
        steps = _of(data["us_steps"], **here).merge(entries[["start_no", "player_id", "name"]], on="player_id")
        counts = cells["outcome"].value_counts()
        found.append(
            {
                **_head(folder),
                "section": part,
                "counts": {name: int(counts.get(name, 0)) for name in ("rated", "none")},
                "players": rows(steps.sort_values(["pool", "start_no"], ascending=[False, True]).drop(columns=KEY)),
                "not_counted": rows(lost),
            }
        )
    return found


def _head(folder: run_folder.RunFolder) -> Facts:
    return {name: folder.manifest[name] for name in ("period", "rating_type", "list_date", "status", "rule_books")}


def _ordered(sections: pd.DataFrame, data: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Sections in the order of rating; those that are not rated last."""
    place = data["us_steps"].drop_duplicates(KEY)[[*KEY, "seq"]]
    return sections.merge(place, on=KEY, how="left").sort_values(["seq", "end", "start", *KEY]).drop(columns="seq")


def _section(data: Mapping[str, pd.DataFrame], part: Facts, steps: pd.DataFrame, player_id: str) -> Facts:
    """A section of a player: what it is, each pool with its steps and games, the cells that do not count."""
    here = {name: part[name] for name in KEY}
    names = data["entries"].dropna(subset="player_id").drop_duplicates("player_id").set_index("player_id")["name"]
    sides = _of(data["us_sides"], **here, player_id=player_id)
    sides = sides.assign(opponent_name=sides["opponent_id"].map(names)).drop(columns=KEY)
    cells = _of(data["cells"], **here, player_id=player_id)
    lost = cells[(cells["outcome"] == "none")][["round", "reason"]].sort_values("round")
    pools = [
        {"pool": row["pool"], "steps": row, "games": rows(_of(sides, pool=row["pool"]))}
        for row in rows(_of(steps, **here).drop(columns=KEY))
    ]
    return {**part, "rated_in": pools, "not_counted": rows(lost)}


def _of(frame: pd.DataFrame, **where: object) -> pd.DataFrame:
    for column, value in where.items():
        frame = frame[(frame[column] == value).fillna(False).to_numpy(bool)]
    return frame
