"""status: what an officer asks in the morning - the newest lists, what waits, was rejected, or is about to expire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ratingrun import engines, findings, frames, journal, periods, run_folder, withdrawal
from ratingrun.formats import list_tables

SOON = 2  # lists ahead for which expiring pools are shown


def of(lists: Path) -> dict[str, object]:
    """The state of a folder of lists as plain data: lists, waiting, rejected, expiring, notes."""
    gone = journal.withdrawn(lists)
    places = run_folder.everything(lists)
    rows = [
        {
            "folder": place.path.name,
            "period": place.period,
            "rating_type": place.rating_type,
            "state": "withdrawn" if place.path.name in gone else "stands",
            "reason": gone.get(place.path.name, ""),
        }
        for place in places
    ]
    state: dict[str, object] = {"lists": rows, "waiting": [], "rejected": [], "expiring": [], "notes": []}
    for rating_type in dict.fromkeys(place.rating_type for place in places):
        newest = run_folder.newest(lists, None, rating_type)
        if newest is not None:
            _of_newest(newest, rating_type, state)
    state["notes"] += _notes(lists, gone)
    return state


def _of_newest(folder: Path, rating_type: str, state: dict[str, object]) -> None:
    period = folder.name[:7]
    opened, bad = run_folder.open_prior(folder, period, rating_type)
    if opened is None:
        state["notes"] += [findings.line_of(row) for row in bad.itertuples()]
        return
    reports = engines.of(rating_type).tournaments
    if f"{reports}.parquet" in opened.manifest["files"]:
        tournaments, _ = opened.frame(frames.ALL[reports])
        columns = ["tournament_id", "part", "name", "end", "file"]
        waiting = tournaments.loc[tournaments["status"] == "waiting", columns]
        state["waiting"] += _rows(waiting.assign(rating_type=rating_type))
        rejected = tournaments.loc[tournaments["status"] == "rejected", columns]
        state["rejected"] += _rows(_with_reasons(rejected, folder).assign(rating_type=rating_type))
    if "pool.parquet" not in opened.manifest["files"]:
        return
    pool, _ = opened.frame(frames.POOL)
    alive = pool[(pool["status"] == "carried") & (pool["expires"] <= periods.shift(period, SOON))]
    counted = alive.groupby(["player_id", "expires"]).size().rename("games").reset_index()
    state["expiring"] += _rows(counted.assign(rating_type=rating_type))


def _with_reasons(rejected: pd.DataFrame, folder: Path) -> pd.DataFrame:
    rows = list_tables.read_findings(folder / "findings.csv")
    errors = rows[rows["severity"] == "error"]
    said = errors["code"] + " " + errors["text"]
    by_file = said.groupby(errors["file"]).first()
    return rejected.assign(reason=rejected["file"].map(by_file).fillna(""))


def _rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    frame = frame.assign(**{name: frame[name].dt.strftime("%Y-%m-%d") for name in frame.select_dtypes("datetime")})
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def _notes(lists: Path, gone: dict[str, str]) -> Iterator[str]:
    for name in gone:
        for later in withdrawal.resting_on(lists, name):
            yield f"{later} rests on {name}, which was withdrawn: withdraw it too and run it again"
    for path in sorted(lists.glob(".*.part")) if lists.is_dir() else ():
        yield f"{path.name} is left of a run that was killed; the next run removes it"
    for path in sorted(lists.glob("*-provisional-*")) if lists.is_dir() else ():
        yield f"{path.name} is provisional"


def text(state: dict[str, object]) -> str:
    """The state for a terminal."""
    lines = ["Lists"]
    lines += [
        f"  {row['folder']:<24}{row['state']}{': ' + row['reason'] if row['reason'] else ''}" for row in state["lists"]
    ] or ["  none; begin with ratingrun adopt"]
    titles = {
        "waiting": ("Waiting for the next list", "{tournament_id} {name}, ended {end}, {file}"),
        "rejected": ("Rejected, published without them", "{tournament_id} {name}, {file}: {reason}"),
        "expiring": ("Pooled games about to expire", "player {player_id}: {games} games, last list {expires}"),
    }
    for key, (title, template) in titles.items():
        if state[key]:
            lines += [title, *("  " + findings.printable(template.format(**row)) for row in state[key])]
    if state["notes"]:
        lines += ["Notes", *(f"  {findings.printable(note)}" for note in state["notes"])]
    return "\n".join(lines)
