"""Rating periods: "2025-11" is the list of 1 November 2025 (7.1.1). Expected values counted on a calendar."""

import datetime as dt

import pandas as pd
import pytest

from ratingrun import periods


@pytest.mark.parametrize(
    ("period", "months", "expected"),
    [
        ("2025-11", 0, "2025-11"),
        ("2025-11", 1, "2025-12"),
        ("2025-12", 1, "2026-01"),
        ("2026-01", -1, "2025-12"),
        ("2025-11", -25, "2023-10"),  # 26 months ending with 2025-11: the pool's oldest period (8.2.2, A7)
        ("2023-10", 25, "2025-11"),
        ("2024-03", -12, "2023-03"),
    ],
)
def test_a_period_is_shifted_over_the_year_end(period, months, expected):
    assert periods.shift(period, months) == expected


def test_month_numbers_count_months_without_a_gap():
    assert periods.month_number("2026-01") - periods.month_number("2025-12") == 1
    assert periods.month_number("2025-01") - periods.month_number("2024-01") == 12
    numbers = range(periods.month_number("1999-11"), periods.month_number("2031-02"))
    assert [periods.month_number(periods.from_month_number(number)) for number in numbers] == list(numbers)


def test_the_list_of_a_period_is_dated_the_first_of_its_month():
    assert periods.list_date("2025-11") == dt.date(2025, 11, 1)
    assert periods.list_date("2025-12") == dt.date(2025, 12, 1)
    assert periods.list_date("2026-01") == dt.date(2026, 1, 1)


def test_the_list_in_force_on_a_day_is_the_one_of_its_month():
    """Fide-rules 1.4: the list in force on the event's start date is that of the 1st of that month."""
    assert periods.of_date(dt.date(2025, 10, 31)) == "2025-10"
    assert periods.of_date(dt.date(2025, 11, 1)) == "2025-11"


def test_whole_columns_of_days_give_the_same_numbers():
    days = ["2025-10-31", "2025-11-01", "2025-12-31", "2026-01-01", "2024-02-29"]
    column = pd.Series(pd.to_datetime(days)).astype("datetime64[ms]")
    expected = [periods.month_number(day[:7]) for day in days]
    assert periods.month_numbers(column).tolist() == expected
    assert periods.month_numbers(column).dtype == "int64"


@pytest.mark.parametrize(
    "text",
    [
        "2025-13",
        "2025-00",
        "2025-1",
        "25-11",
        "2025/11",
        "2025-11-01",
        " 2025-11",
        "2025-11\n",
        "",
        "Nov 2025",
        "２０２５-11",
    ],
)
def test_any_other_text_is_refused_with_the_way_to_write_it(text):
    with pytest.raises(ValueError, match="write it as YYYY-MM, for example 2025-11"):
        periods.month_number(text)
