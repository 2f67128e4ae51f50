"""basis: which values of the rule books a month rests on although the text is silent or the source is weak.

The stages themselves note the values whose effect they can count one by one (SPECIAL). All other values are used by
whatever their section is asked about: the games, the lists, the first ratings of the month (`_counts`).
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ratingrun import findings
from ratingrun.rulebooks import RuleBook

# Noted where they decide: sides, clocks, changes, initials, lists, rating_list, reports.
SPECIAL = {
    *("time_control.unrated_player", "time_control.approval", "match.decided", "game.effective_by", "game.own_rating"),
    *("period.one_sided_rating", "period.rated_at_start_only", "period.k_list", "period.after_floor"),
    *("period.max_days",),
    *("period.inactive_after", "initial.pool_periods", "initial.void_event", "initial.p_ties", "initial.ru_ties"),
    *("k_order.order", "k_order.games_counted", "k_order.unknown_birth_year", "k_order.junior_ends"),
    *("seed.base", "seed.k", "seed.publish"),
}
AT_START = ("expected", "time_control", "game", "match", "round_robin", "seed")
NOT_IN_A_RUN = ("adopt",)


def notes(month: Mapping[str, pd.DataFrame], book: RuleBook, books: Mapping[str, RuleBook]) -> pd.DataFrame:
    """B301 for each doubtful value that the month used, of the books of the starts and of the list date."""
    found = []
    used = month["tournaments"][month["tournaments"]["status"] == "used"]
    for name in sorted(set(used["book"])):
        rows = month["sides"][month["sides"]["book"] == name]
        found += _of(books[name], _at_start(rows, used[used["book"] == name]))
    found += _of(book, _at_list_date(month))
    rows = month["rating_list"]["k_clause"].value_counts()
    found += [findings.rests_on(book, f"k.{row.name}", rows.get(f"{row.clause} {row.name}", 0)) for row in book.k]
    return findings.join(found)


def _of(book: RuleBook, counts: Mapping[str, int]) -> list[pd.DataFrame]:
    return [
        findings.rests_on(book, key, count)
        for key, _ in book.stated()
        if key not in SPECIAL and (count := _count(key, counts))
    ]


def _count(key: str, counts: Mapping[str, int]) -> int:
    """The count of the key, or of the nearest section around it."""
    while key and key not in counts:
        key = key.rpartition(".")[0]
    return int(counts.get(key, 0))


def _at_start(sides: pd.DataFrame, tournaments: pd.DataFrame) -> dict[str, int]:
    """How many sides (or reports) of a book the values of each section were asked about."""
    rated, system = (sides["outcome"] == "rated").sum(), tournaments["system"]
    return {
        "expected": rated,
        "game": rated,
        "game.too_far_apart": len(sides),
        "time_control": tournaments["time_control"].notna().sum(),
        "match": (system == "match").sum(),
        "round_robin": (system == "round_robin").sum(),
        "seed": (sides["reason"] == "seeded").sum(),
    }


def _at_list_date(month: Mapping[str, pd.DataFrame]) -> dict[str, int]:
    """How many lines of the month the values of each section were asked about, those of `period` one by one."""
    tournaments, changes, initials = month["tournaments"], month["changes"], month["initials"]
    official = tournaments["fide_official"]
    rated = month["rating_list"]["rating"].notna().sum()
    return {
        "period.months": 1,
        "period.first_month": 1,
        "period.closing_days": (~official).sum(),
        "period.official_closing_days": official.sum(),
        "period.late_lists": len(tournaments),
        "period.max_kn": len(changes),
        "period.rounding": len(changes),
        "period.floor": rated,
        "initial": len(initials),
    }
