"""Dates as report files write them: every reading that a text allows, and which of them a pair of days settles.

The shapes met in real files (year first, day first, month first, two-digit years, month names, no zeros) are read; a
text with more than one reading stays open until something else settles it: the other day of the event, or the register.
"""

from __future__ import annotations

import datetime as dt
import functools
import re

MONTHS = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
CENTURY = 2000  # two digits are a year of this century: no report file is older
LONGEST_EVENT = 400  # days: what decides between two readings of a pair is that an event ends after it starts
_NUMBERS = re.compile(r"\s*(\d{1,4})\s*([./\- ])\s*(\d{1,2})\s*\2\s*(\d{1,4})\.?\s*")
_COMPACT = re.compile(r"\s*(\d{4})(\d{2})(\d{2})\s*")
_NAMED = re.compile(r"\s*(?:([a-z]{3})[a-z]*\.?\s+(\d{1,2})|(\d{1,2})\.?\s+([a-z]{3})[a-z]*\.?),?\s+(\d{4})\s*", re.I)

Readings = tuple[tuple[str, dt.date], ...]


@functools.lru_cache(maxsize=4096)
def readings(text: str) -> Readings:
    """Every (order, day) that a text can mean: order ymd, dmy or mdy; nothing for what is no date.

    A year of four digits shows where it stands. With dots the day never follows the month; with two digits all three
    orders are possible, as far as the calendar allows.
    """
    if match := _COMPACT.fullmatch(text):
        return _days([("ymd", *map(int, match.groups()))])
    if match := _NAMED.fullmatch(text):
        month = MONTHS.get((match[1] or match[4]).lower(), 0)
        return _days([("named", int(match[5]), month, int(match[2] or match[3]))])
    match = _NUMBERS.fullmatch(text)
    if not match:
        return ()
    first, mark, second, third = match.groups()
    a, b, c = int(first), int(second), int(third)
    if len(first) > 2:
        return _days([("ymd", a, b, c)]) if len(first) == 4 and len(third) <= 2 else ()
    orders = [("dmy", c, b, a)] + ([("mdy", c, a, b)] if mark != "." else [])
    if len(third) == 4:
        return _days(orders)
    if len(third) > 2:
        return ()
    short = [("ymd", a, b, c), *orders] + ([("ydm", a, c, b)] if mark == "." else [])
    return _days([(order, CENTURY + year, month, day) for order, year, month, day in short])


def _days(parts: list[tuple[str, int, int, int]]) -> Readings:
    found: list[tuple[str, dt.date]] = []
    for order, year, month, day in parts:
        try:
            date = dt.date(year, month, day)
        except ValueError:
            continue
        if date not in [known for _, known in found]:
            found.append((order, date))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def event(start: str, end: str, order: str = "") -> tuple[tuple[dt.date, ...], tuple[dt.date, ...]]:
    """The days that the first and the last day of an event can be, oldest first; one each if they are settled.

    Both are written in one order, and the event ends on or after the day it starts, within a year or so: often that
    leaves one reading. Whatever does not fit is left as it is read alone. `order`: of several readings the one that it
    gives, if there is one.
    """
    first, last = (_ordered(readings(text), order) for text in (start, end))
    pairs = [
        (a, b)
        for one, a in first
        for other, b in last
        if (one == other or len(first) == 1 or len(last) == 1) and 0 <= (b - a).days <= LONGEST_EVENT
    ]
    if pairs:
        return tuple(sorted({a for a, _ in pairs})), tuple(sorted({b for _, b in pairs}))
    return tuple(sorted(day for _, day in first)), tuple(sorted(day for _, day in last))


def _ordered(found: Readings, order: str) -> Readings:
    return tuple(one for one in found if one[0] == order) or found
