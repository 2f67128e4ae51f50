"""Time controls as registered, in seconds for the book's number of moves (1.1, 1.2)."""

from __future__ import annotations

import re
from typing import NamedTuple

_PERIOD = re.compile(r"(?:(\d+)/)?(\d+)(?:\+(\d+))?")


class TimeControl(NamedTuple):
    """`seconds` a player has for the given moves, increments counted; `first_moves` of a first control that counts.

    Of unequal clocks the shorter one, and the fewer moves.
    """

    seconds: int
    first_moves: int | None
    equal: bool = True


def parse(text: str, moves: int) -> TimeControl:
    """The time control "90+30" (minutes + seconds a move) or "40/90+30:30+30"; ValueError for anything else.

    Unequal clocks are written with a stroke between them: "10+5|5+5".
    """
    clocks = [_clock(one, moves) for one in text.split("|")]
    if len({*clocks}) == 1:
        return clocks[0]
    counted = [clock.first_moves for clock in clocks if clock.first_moves is not None]
    return TimeControl(min(clock.seconds for clock in clocks), min(counted, default=None), equal=False)


def _clock(text: str, moves: int) -> TimeControl:
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
