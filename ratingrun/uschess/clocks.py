"""Time controls as US Chess writes them, and the pools that rate them (the book's classes)."""

from __future__ import annotations

import re
from typing import NamedTuple

from ratingrun.uschess.shapes import Class, Classes

_DELAY = re.compile(r"(?:D|DELAY|INC|\+)([0-9]{1,3})")
_STAGE = re.compile(r"(?:(?:G|GAME|SD)/?|[0-9]{1,3}/)?([0-9]{1,3})(?:(?:D|INC|\+)([0-9]{1,3}))?")


class Clock(NamedTuple):
    """Main minutes of all stages, and seconds of delay or increment a move."""

    minutes: int
    seconds: int

    @property
    def total(self) -> int:
        """T of the classes: minutes + seconds, as numbers."""
        return self.minutes + self.seconds


def parse(text: str) -> Clock | None:
    """G/60;d5, G/60+30, 40/90,SD/30;+30, 60+5, 40/90+30:30+30; None for anything else."""
    minutes, seconds = 0, 0
    parts = [part for part in re.split("[,;:]", re.sub(r"\s", "", text.upper())) if part]
    for part in parts:
        delay, stage = _DELAY.fullmatch(part), _STAGE.fullmatch(part)
        if delay:
            seconds = int(delay[1])
        elif stage:
            minutes += int(stage[1])
            seconds = int(stage[2]) if stage[2] else seconds
        else:
            return None
    return Clock(minutes, seconds) if minutes else None


def of_clock(clock: Clock, place: str, classes: Classes) -> Class | None:
    """The class that holds a time control, if one does."""
    for row in classes.rows:
        inside = row.from_ <= clock.total and (row.to is None or clock.total <= row.to)
        if row.place == place and inside and clock.minutes >= row.main_least:
            return row
    return None


def of_name(name: str, place: str, classes: Classes) -> Class | None:
    """The class of a name; online, where nothing is rated twice, dual is regular."""
    rows = {row.name: row for row in classes.rows if row.place == place}
    return rows.get(name) or (rows.get("regular") if name == "dual" else None)
