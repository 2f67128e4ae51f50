"""clocks: which games have a time control that is rated, by the book of the tournament's start (1.1, 1.2)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import findings, time_control
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import Between, Minimum

MINUTE = 60  # seconds


def check(rows: pd.DataFrame, books: Mapping[str, RuleBook]) -> tuple[np.ndarray, list[pd.DataFrame]]:
    """Whether the time control of each side's game is none that is rated; and B301 notes.

    Sets `clock` (why: short, control, outside, unequal; or empty) and minutes, needed, moves, needed_moves, limits for
    the notes. Without a time control, and under a book that does not check them, every game passes.
    """
    higher = np.maximum(rows["r_start"].to_numpy(), rows["r_opp"].to_numpy())
    unrated = ((rows["r_start"] == 0) | (rows["r_opp"] == 0)).to_numpy()
    rows["clock"], rows["limits"] = "", ""
    for name in ("minutes", "needed", "moves", "needed_moves"):
        rows[name] = 0
    found = []
    kind = ["book", "time_control", "rating_type"]
    for name, text, rating_type in rows[kind].dropna().drop_duplicates().itertuples(index=False):
        book, control = books[name], books[name].time_control
        here = ((rows["book"] == name) & (rows["time_control"] == text)).to_numpy()
        if isinstance(control, Minimum):
            found += _minimum(rows, here, text, book, higher, unrated)
        elif isinstance(control, Between):
            _between(rows, here, text, control, rating_type)
    return rows["clock"].ne("").to_numpy(), found


def _minimum(
    rows: pd.DataFrame, here: np.ndarray, text: str, book: RuleBook, higher: np.ndarray, unrated: np.ndarray
) -> list[pd.DataFrame]:
    """Too little time for the higher of the two ratings (1.1), or too short a first control (1.2)."""
    rules = book.time_control
    clock = time_control.parse(text, rules.moves.value)
    needed = np.select(
        [higher >= band.rated_from for band in rules.bands], [MINUTE * band.minutes for band in rules.bands]
    )
    granted = np.zeros(len(rows), bool)
    if text.replace(" ", "") in rules.approved:
        word = rules.approval.value
        granted = rows["approvals"].fillna("").str.contains(rf"\b{word}\b").to_numpy(bool)
    little = here & (clock.seconds < needed)
    short = little & ~granted
    few = clock.first_moves is not None and clock.first_moves < rules.first_control_moves.value
    rows["clock"] = np.where(short, "short", np.where(here & few, "control", rows["clock"]))
    rows.loc[here, "minutes"], rows.loc[here, "needed"] = clock.seconds // MINUTE, needed[here] // MINUTE
    if few:
        rows.loc[here, "moves"], rows.loc[here, "needed_moves"] = clock.first_moves, rules.first_control_moves.value
    # Where the longest time is given anyway, nothing rests on the band of the unrated.
    longest = max(band.minutes for band in rules.bands)
    banded = here & unrated & (clock.seconds < MINUTE * longest)
    return [
        findings.rests_on(book, "time_control.unrated_player", banded.sum()),
        findings.rests_on(book, "time_control.approval", (little & granted).sum()),
    ]


def _between(rows: pd.DataFrame, here: np.ndarray, text: str, rules: Between, rating_type: str) -> None:
    """Outside the limits of the rating type, or unequal clocks."""
    clock = time_control.parse(text, rules.moves.value)
    limits = next(row for row in rules.limits if row.rating_type == rating_type)
    rows.loc[here, "minutes"] = clock.seconds // MINUTE
    rows.loc[here, "limits"] = f"more than {minutes(limits.more_than)}, less than {minutes(limits.less_than)}"
    if not clock.equal and rules.clocks.value == "equal":
        rows.loc[here, "clock"] = "unequal"
    elif not limits.more_than < clock.seconds < limits.less_than:
        rows.loc[here, "clock"] = "outside"


def minutes(seconds: int) -> str:
    """Seconds as people write them: 600 is 10:00."""
    return f"{seconds // MINUTE}:{seconds % MINUTE:02d}"
