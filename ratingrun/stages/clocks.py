"""clocks: which games have a time control that is rated, by the book of the tournament's start (1.1, 1.2)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import findings, time_control
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import Between, Minimum

MINUTE = 60  # seconds


DETAILS = ("clock", "limits", "minutes", "needed", "moves", "needed_moves")


def check(
    rows: pd.DataFrame, tournaments: pd.DataFrame, books: Mapping[str, RuleBook]
) -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    """The sides (by their index) whose time control is none that is rated, and B301 notes.

    Columns: `clock` (why: short, control, outside, unequal), and minutes, needed, moves, needed_moves, limits for the
    notes. `rows` have `at`, the position of their part in `tournaments`, r_start and r_opp. Without a time control, and
    under a book that does not check them, every game passes.
    """
    at, r_start, r_opp = (rows[name].to_numpy() for name in ("at", "r_start", "r_opp"))
    higher, unrated = np.maximum(r_start, r_opp), (r_start == 0) | (r_opp == 0)
    found, bad = [], []
    kinds = tournaments[["book", "time_control", "rating_type"]]
    used = kinds[np.bincount(at, minlength=len(kinds)) > 0]
    for name, text, rating_type in used.dropna().drop_duplicates().itertuples(index=False):
        control = books[name].time_control
        parts = (kinds["book"] == name) & (kinds["time_control"] == text) & (kinds["rating_type"] == rating_type)
        here = np.flatnonzero(parts.to_numpy(bool)[at])
        if isinstance(control, Minimum):
            word = rf"\b{control.approval.value}\b"
            approved = tournaments["approvals"].fillna("").str.contains(word).to_numpy(bool)[at[here]]
            news, notes = _minimum(here, text, books[name], higher[here], unrated[here], approved)
            bad.append(news)
            found += notes
        elif isinstance(control, Between):
            bad.append(_between(here, text, control, rating_type))
    empty = pd.DataFrame({name: pd.Series([], dtype="str" if name in DETAILS[:2] else "int64") for name in DETAILS})
    bad = [some for some in bad if len(some)]
    return pd.concat(bad).sort_index() if bad else empty, found


def _minimum(
    here: np.ndarray, text: str, book: RuleBook, higher: np.ndarray, unrated: np.ndarray, approved: np.ndarray
) -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    """Too little time for the higher of the two ratings (1.1), or too short a first control (1.2)."""
    rules = book.time_control
    clock = time_control.parse(text, rules.moves.value)
    needed = np.select(
        [higher >= band.rated_from for band in rules.bands], [MINUTE * band.minutes for band in rules.bands]
    )
    granted = approved & (text.replace(" ", "") in rules.approved)
    little = clock.seconds < needed
    short = little & ~granted
    few = clock.first_moves is not None and clock.first_moves < rules.first_control_moves.value
    bad = short | few
    rows = pd.DataFrame({"needed": needed[bad] // MINUTE, "minutes": clock.seconds // MINUTE}, index=here[bad])
    rows["clock"] = pd.Series(np.where(short[bad], "short", "control"), index=rows.index, dtype="str")
    rows["moves"] = clock.first_moves if few else 0
    rows["needed_moves"] = rules.first_control_moves.value if few else 0
    # Where the longest time is given anyway, nothing rests on the band of the unrated.
    longest = max(band.minutes for band in rules.bands)
    banded = unrated & (clock.seconds < MINUTE * longest)
    return rows.assign(limits="")[list(DETAILS)], [
        findings.rests_on(book, "time_control.unrated_player", banded.sum()),
        findings.rests_on(book, "time_control.approval", (little & granted).sum()),
    ]


def _between(here: np.ndarray, text: str, rules: Between, rating_type: str) -> pd.DataFrame:
    """Outside the limits of the rating type, or unequal clocks."""
    clock = time_control.parse(text, rules.moves.value)
    limits = next(row for row in rules.limits if row.rating_type == rating_type)
    if not clock.equal and rules.clocks.value == "equal":
        why = "unequal"
    elif not limits.more_than < clock.seconds < limits.less_than:
        why = "outside"
    else:
        here, why = here[:0], ""
    said = f"more than {minutes(limits.more_than)}, less than {minutes(limits.less_than)}"
    numbers = {"minutes": clock.seconds // MINUTE, "needed": 0, "moves": 0, "needed_moves": 0}
    return pd.DataFrame({"clock": why, "limits": said, **numbers}, index=here)


def minutes(seconds: int) -> str:
    """Seconds as people write them: 600 is 10:00."""
    return f"{seconds // MINUTE}:{seconds % MINUTE:02d}"
