"""Rating periods: the text "2025-11" names the list of 1 November 2025 and the play that is rated for it (7.1.1).

A period is named by the list that it produces. Month numbers (year x 12 + month - 1) are the arithmetic behind it,
for one period here and for whole columns of dates in `month_numbers`.
"""

from __future__ import annotations

import datetime as dt
import re

_PERIOD = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])")


def month_number(period: str) -> int:
    """The period "YYYY-MM" as a count of months; raises ValueError for any other text."""
    match = _PERIOD.fullmatch(period)
    if not match:
        raise ValueError(f'"{period}" is not a rating period; write it as YYYY-MM, for example 2025-11')
    return int(match[1]) * 12 + int(match[2]) - 1


def from_month_number(number: int) -> str:
    """The inverse of `month_number`."""
    return f"{number // 12:04d}-{number % 12 + 1:02d}"


def shift(period: str, months: int) -> str:
    """The period `months` later (earlier, if negative)."""
    return from_month_number(month_number(period) + months)


def list_date(period: str) -> dt.date:
    """The day of the list that the period produces: the first of its month."""
    number = month_number(period)
    return dt.date(number // 12, number % 12 + 1, 1)


def of_date(day: dt.date) -> str:
    """The period of the list that came out in the month of `day`."""
    return f"{day.year:04d}-{day.month:02d}"


def month_numbers(dates):
    """Month numbers of a datetime column, as an int64 array; rows without a date are not allowed."""
    return dates.dt.year.to_numpy("int64") * 12 + dates.dt.month.to_numpy("int64") - 1
