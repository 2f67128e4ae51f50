"""Time controls as registered, in seconds for the book's number of moves (1.1, 1.2)."""

from __future__ import annotations

import re
from typing import NamedTuple

_PERIOD = re.compile(r"(?:(\d+)/)?(\d+)(?:\+(\d+))?")


class TimeControl(NamedTuple):
    """`seconds` a player has for the given moves, increments counted; `first_moves` of a first control that counts."""

    seconds: int
    first_moves: int | None


def parse(text: str, moves: int) -> TimeControl:
    """The time control "90+30" (minutes + seconds a move) or "40/90+30:30+30"; ValueError for anything else."""
    spans = [_PERIOD.fullmatch(span.strip()) for span in text.replace(" ", "").split(":")]
    if not all(spans) or any(span[1] is None for span in spans[:-1]):
        raise ValueError(f'"{text}" is not a time control')
    left, seconds = moves, 0
    for span in spans:
        length = min(left, int(span[1])) if span[1] else left
        seconds += 60 * int(span[2]) + length * int(span[3] or 0)
        left -= length
        if left <= 0:
            break
    return TimeControl(seconds, int(spans[0][1]) if spans[0][1] else None)
