"""The rule books tell the history of the rules: the dates, the values, and what changed from each book to the next.

Written out from the history reference (sections 1 to 11 and 14): nothing here is read from the books themselves.
"""

import datetime as dt
from itertools import pairwise

import pytest

from ratingrun import rulebooks
from ratingrun.rulebooks import compare
from ratingrun.rulebooks.shapes import Limit, Number, Word

STANDARD, RAPID_BLITZ = "fide_standard", "fide_rapid_blitz"

# Per book: floor and lists (sections 1, 2), closing (3), K (4), cap (5), newcomers (7). hundredths: 1250 = 12.5 points.
BOOKS = {
    "2009-07-01": {"floor": 1200, "months": 2, "closing": 7, "k": (10, 25, 15), "games": 9, "half_point": 1250},
    "2011-07-01": {"floor": 1200, "months": 2, "closing": 7, "k": (10, 30, 15), "games": 9, "half_point": 1500},
    "2012-07-01": {"floor": 1000, "months": 1, "closing": 7, "k": (10, 30, 15), "games": 9, "half_point": 1500},
    "2013-07-01": {"floor": 1000, "months": 1, "closing": 7, "k": (10, 30, 15), "games": 9, "half_point": 1500},
    "2014-07-01": {"floor": 1000, "months": 1, "closing": 3, "k": (10, 40, 40, 20), "games": 5, "half_point": 2000},
    "2017-07-01": {"floor": 1000, "months": 1, "closing": 3, "k": (10, 40, 40, 20), "games": 5, "half_point": 2000},
    "2022-01-01": {"floor": 1000, "months": 1, "closing": 3, "k": (10, 40, 40, 20), "games": 5, "half_point": 2000},
    "2024-03-01": {"floor": 1400, "months": 1, "closing": 3, "k": (10, 40, 40, 20), "games": 5, "half_point": None},
    "2025-10-01": {"floor": 1400, "months": 1, "closing": 3, "k": (10, 40, 40, 20), "games": 5, "half_point": None},
}

# key -> (before, after). What only one of two kinds has is None in the other.
CHANGES = {
    ("2009-07-01", "2011-07-01"): {
        "k.new": ({"k": 25, "games_below": 30}, {"k": 30, "games_below": 30}),  # section 4
        "initial.per_half_point": (1250, 1500),  # section 7: half of the highest K
        "initial.void_event": ("every", "leading"),  # section 7: "1 point in first block"
    },
    ("2011-07-01", "2012-07-01"): {
        "period.months": (2, 1),  # section 2: monthly from July 2012
        "period.floor": (1200, 1000),  # section 1
        "initial.min_rating": (1200, 1000),
        "period.inactive_after": (6, 12),  # one year of lists
        "initial.pool_periods": (12, 24),  # two years of lists
    },
    ("2012-07-01", "2013-07-01"): {
        # section 4: the 30-game condition on K 10 is gone in the chapter of 1 July 2013
        "k.reached 2400": ({"k": 10, "peak_from": 2400, "games_from": 30}, {"k": 10, "peak_from": 2400}),
    },
    ("2013-07-01", "2014-07-01"): {
        "k": (["reached 2400", "new", "established"], ["reached 2400", "junior", "new", "established"]),
        "k.junior": (None, {"k": 40, "peak_below": 2300, "age_until": 18}),  # until the 18th birthday
        "k_order.junior_ends": ("end_of_year", "start_of_year"),
        "k.new": ({"k": 30, "games_below": 30}, {"k": 40, "games_below": 30}),
        "k.established": ({"k": 15}, {"k": 20}),
        "initial.min_games": (9, 5),  # section 7
        "initial.min_event_games": (3, 1),  # section 6: blocks abolished
        "initial.void_below": (100, 50),  # at least half a point, was one
        "initial.per_half_point": (1500, 2000),
        "initial.pool_periods": (24, 26),  # 26 is A for 2024, start unknown
        "period.closing_days": (7, 3),  # section 3: start unknown
    },
    ("2014-07-01", "2017-07-01"): {
        "k_order.junior_ends": ("start_of_year", "end_of_year"),  # section 4: start unknown, 2017, 2021 or 2022
    },
    ("2017-07-01", "2022-01-01"): {
        "game.difference_kind": ("every_game", "greatest_of_event"),  # section 5
        "round_robin.with_unrated": ("two_passes_not_sourced", "as_any_event"),  # section 6
        "period.max_days": ("none", 30),  # section 3: interim reports
        "period.max_kn": ("none", 700),  # section 4: known by January 2022
        "period.late_lists": ("none", 3),  # section 3: known by March 2024
        "period.k_list": ("start", "prior"),  # section 3: end of the rule of 2009 unknown
        "initial.void_event": ("leading", "first_only"),  # section 7
    },
    ("2022-01-01", "2024-03-01"): {
        "period.floor": (1000, 1400),  # section 1
        "initial.min_rating": (1000, 1400),
        "game.difference_kind": ("greatest_of_event", "every_game"),  # section 5
        "initial.kind": ("half_points", "added_draws"),  # section 7
        "initial.per_half_point": (2000, None),
        "initial.draws": (None, 2),
        "initial.draws_against": (None, 1800),
        "initial.max_rating": ("none", 2200),
    },
    ("2024-03-01", "2025-10-01"): {"game.max_difference_below": (9999, 2650)},  # section 5
}
RAPID_CHANGES = {
    ("2022-01-01", "2024-03-01"): CHANGES["2022-01-01", "2024-03-01"],  # section 11: as standard 2024
    ("2024-03-01", "2024-12-01"): {
        "game.too_far_apart.kind": ("none", "difference"),  # section 11: 600 apart, above 2600
        "game.too_far_apart.difference_from": (None, 600),
        "game.too_far_apart.rated_above": (None, 2600),
        "game.too_far_apart.rating": (None, "at_start_or_seed"),
    },
}
# The limits of the time were not read for the years before 2024: the books of then do not check them.
NOT_READ = "time_control."


def changes(system, first, last):
    before, after = (rulebooks.in_force(system, dt.date.fromisoformat(day)) for day in (first, last))
    return {
        change.key: tuple(side.value if side else None for side in (change.before, change.after))
        for change in compare.diff(before, after)
        if not change.key.startswith(NOT_READ)
    }


@pytest.mark.parametrize(("first", "last"), CHANGES, ids=str)
def test_what_changed_in_the_standard_list(first, last):
    assert changes(STANDARD, first, last) == CHANGES[first, last]


@pytest.mark.parametrize(("first", "last"), RAPID_CHANGES, ids=str)
def test_what_changed_in_rapid_and_blitz(first, last):
    assert changes(RAPID_BLITZ, first, last) == RAPID_CHANGES[first, last]


def test_every_pair_of_neighbours_is_written_out():
    for system, written in ((STANDARD, CHANGES), (RAPID_BLITZ, RAPID_CHANGES)):
        dates = [str(book.from_) for book in rulebooks.books(system)]
        assert list(written) == list(pairwise(dates))


@pytest.mark.parametrize("name", BOOKS)
def test_the_numbers_of_the_time(name):
    book, wanted = rulebooks.in_force(STANDARD, dt.date.fromisoformat(name)), BOOKS[name]
    assert book.from_.isoformat() == name
    assert (book.period.floor.value, book.initial.min_rating.value) == (wanted["floor"], wanted["floor"])
    assert book.period.months.value == wanted["months"]
    assert (book.period.closing_days.value, book.period.official_closing_days.value) == (wanted["closing"], 1)
    assert tuple(row.k for row in book.k) == wanted["k"]
    assert book.initial.min_games.value == wanted["games"]
    half_point = getattr(book.initial, "per_half_point", None)
    assert (half_point.value if half_point else None) == wanted["half_point"]
    assert book.game.max_difference.value == 400  # 350 until 30 June 2009, before the first book


def test_before_the_first_book_the_first_date_is_named():
    with pytest.raises(rulebooks.RuleBookError, match=r"no rule book for 2009-06-30; the first is .* 2009-07-01"):
        rulebooks.in_force(STANDARD, dt.date(2009, 6, 30))


# --- unknown starts are marked, never invented -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("2014-07-01", "period.closing_days"),  # 3 days: known by March 2024
        ("2014-07-01", "initial.pool_periods"),  # 26 months: known for 2024
        ("2017-07-01", "k_order.junior_ends"),  # the end of the year: 2017, 2021 or 2022
        ("2017-07-01", "period.max_kn"),  # K x n <= 700: known by January 2022
        ("2022-01-01", "period.late_lists"),  # the third list: known by March 2024
        ("2022-01-01", "period.k_list"),
    ],
)
def test_an_unknown_start_is_said(name, key):
    stated = dict(rulebooks.in_force(STANDARD, dt.date.fromisoformat(name)).stated())[key]
    assert stated.confidence == "C"
    assert "start unknown" in stated.note


BOOK_FILES = [(system, book) for system in (STANDARD, RAPID_BLITZ) for book in rulebooks.books(system)]


@pytest.mark.parametrize(("system", "book"), BOOK_FILES, ids=[book.id for _, book in BOOK_FILES])
def test_each_value_has_its_unit_clause_or_source_and_a_reason_for_doubt(system, book):
    for key, stated in book.stated():
        assert stated.clause, key
        assert not isinstance(stated, Number | Limit) or stated.unit, key
        if isinstance(stated, Word):
            assert stated.value in rulebooks.WORDS[key]
        if stated.clause in ("silent", "not found"):
            assert stated.confidence != "A" or stated.value == "none", key
        assert stated.confidence != "C" or stated.note, f"{key}: say why"


# --- lists and months ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "list_day"),
    [
        ("2010-02-28", "2010-01-01"),  # two-monthly: January, March ...
        ("2010-03-01", "2010-03-01"),
        ("2012-06-30", "2012-05-01"),
        ("2012-07-01", "2012-07-01"),  # monthly
        ("2012-08-15", "2012-08-01"),
        ("2025-10-31", "2025-10-01"),
    ],
)
def test_the_list_in_force(day, list_day):
    chapter = rulebooks.Chapter(STANDARD)
    assert str(rulebooks.list_in_force(chapter, dt.date.fromisoformat(day))) == list_day


@pytest.mark.parametrize(
    ("period", "before"),
    [("2012-07", "2012-05-01"), ("2012-08", "2012-07-01"), ("2012-05", "2012-03-01"), ("2025-11", "2025-10-01")],
)
def test_the_list_before(period, before):
    assert str(rulebooks.list_before(rulebooks.Chapter(STANDARD), period)) == before


def test_there_is_no_list_between_two_two_monthly_lists():
    with pytest.raises(rulebooks.RuleBookError, match="no list of 2010-02: lists come every 2 months"):
        rulebooks.book_of_list(rulebooks.Chapter(STANDARD), "2010-02")


@pytest.mark.parametrize(
    ("rating_type", "system"), [("standard", STANDARD), ("rapid", RAPID_BLITZ), ("blitz", RAPID_BLITZ)]
)
def test_which_chapter_makes_which_list(rating_type, system):
    assert rulebooks.chapter(rating_type) == (system, rulebooks.HERE)
