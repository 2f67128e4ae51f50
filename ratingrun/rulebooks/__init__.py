"""Rule books: the regulations as data, one complete TOML file for each revision, picked by a date.

`in_force(system, day)` gives the book of a day. The loader is strict: an unknown key, a missing key, a wrong type or a
value that no code implements is refused with file and key (RuleBookError). Every value carries its unit, its clause
("silent" where the text says nothing) and a confidence: A the text or FIDE's own output, B a dated secondary source,
C one source or silence.
"""

from __future__ import annotations

import csv
import datetime as dt
import tomllib
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from ratingrun import formulas

FIDE_STANDARD = "fide_standard"
HERE = Path(__file__).parent


class RuleBookError(ValueError):
    """A rule book is not whole, or no book is in force on a day. The message names the file and the key, or the day."""


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Unknown keys are refused, at every level."""


class _Stated(_Strict):
    """What stands beside each value."""

    clause: str
    confidence: Literal["A", "B", "C"] = "A"
    note: str = ""


class Number(_Stated, kw_only=True):
    value: int
    unit: str


class Word(_Stated, kw_only=True):
    value: str


class Minutes(_Strict):
    """Minutes that each player needs if a player of the game is rated at least `rated_from` (1.1)."""

    rated_from: int
    minutes: int


class TimeControl(_Strict):
    """Read at the tournament's start: which time controls are rated (1.1, 1.2)."""

    moves: Number
    first_control_moves: Number
    bands: tuple[Minutes, ...]
    clause: str
    unrated_player: Word
    approved: tuple[str, ...]
    approval: Word


class Game(_Strict):
    """Read at the tournament's start: the difference of two ratings (8.3.1)."""

    max_difference: Number
    max_difference_below: Number
    difference_kind: Word
    own_rating: Word
    effective_by: Word


class Match(_Strict):
    """Read at the tournament's start: matches (6)."""

    with_unrated: Word
    decided: Word


class Period(_Strict):
    """Read at the list date: lists, closing, change, floor, activity."""

    months: Number
    closing_days: Number
    official_closing_days: Number
    late_lists: Number
    max_days: Number
    max_kn: Number
    k_list: Word
    rounding: Word
    floor: Number
    after_floor: Word
    rated_at_start_only: Word
    one_sided_rating: Word
    inactive_after: Number


class Initial(_Strict):
    """Read at the list date: first ratings (7.1.4, 8.2)."""

    kind: Word
    draws: Number
    draws_against: Number
    min_games: Number
    max_rating: Number
    min_rating: Number
    pool_periods: Number
    zero_first_event: Word
    p_ties: Word
    ru_ties: Word


class K(_Strict):
    """Read at the list date, whenever a list is written: one row, the first that matches gives K (8.3.3)."""

    name: str
    k: int
    clause: str
    peak_from: int | None = None
    peak_below: int | None = None
    age_until: int | None = None
    games_below: int | None = None

    @property
    def conditions(self) -> dict[str, int]:
        """The conditions of the row that are filled in."""
        names = ("peak_from", "peak_below", "age_until", "games_below")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


class KOrder(_Strict):
    """How the K rows are read."""

    order: Word
    games_counted: Word
    unknown_birth_year: Word


class Adopt(_Strict):
    """What `adopt` assumes of a list that somebody else published."""

    peak_of_top_k: Word
    junior_without_games: Word


class Tables(_Strict):
    """The tables, as files beside the books."""

    pd: str
    dp: str
    clause: str


# A value that no code implements is refused. A second word in a row is a named alternative that works.
WORDS: dict[str, tuple[str, ...]] = {
    "time_control.unrated_player": ("lowest_band",),
    "time_control.approval": ("fast_classic", "none"),
    "game.difference_kind": ("every_game",),
    "game.own_rating": ("used_in_game",),
    "game.effective_by": ("tournament_start",),
    "match.with_unrated": ("not_rated", "rated"),
    "match.decided": ("more_than_half", "rated"),
    "period.k_list": ("prior",),
    "period.rounding": ("period", "tournament"),
    "period.after_floor": ("keep_games_and_peak",),
    "period.rated_at_start_only": ("pool", "none"),
    "period.one_sided_rating": ("prior",),
    "initial.kind": ("added_draws",),
    "initial.zero_first_event": ("first_only", "leading"),
    "initial.p_ties": ("half_up", "half_down"),
    "initial.ru_ties": ("half_up",),
    "k_order.order": ("first_match",),
    "k_order.games_counted": ("with_first_rating", "after_first_rating"),
    "k_order.unknown_birth_year": ("not_junior",),
    "adopt.peak_of_top_k": ("limit_of_row",),
    "adopt.junior_without_games": ("limit_of_row",),
}


class RuleBook(_Strict, rename={"from_": "from"}, dict=True):
    """One revision of one chapter, whole."""

    id: str
    title: str
    from_: dt.date
    source: str
    time_control: TimeControl
    game: Game
    match: Match
    period: Period
    initial: Initial
    k_order: KOrder
    k: tuple[K, ...]
    adopt: Adopt
    tables: Tables

    @cached_property
    def pd_table(self) -> tuple[np.ndarray, np.ndarray]:
        """Table 8.1.2: first difference of each row, and H in hundredths."""
        rows = _table(self.tables.pd)
        return np.array([int(row["d_min"]) for row in rows]), np.array([_hundredths(row["pd_high"]) for row in rows])

    @cached_property
    def dp_by_p(self) -> np.ndarray:
        """Table 8.1.1: dp for p = 0 .. 100 hundredths."""
        table = {_hundredths(row["p"]): int(row["dp"]) for row in _table(self.tables.dp)}
        return np.array([table[p_c] for p_c in range(formulas.POINT + 1)])

    def stated(self) -> Iterator[tuple[str, Number | Word]]:
        """Each value with its key, in the order of the file."""
        for section in self.__struct_fields__:
            for key in getattr(getattr(self, section), "__struct_fields__", ()):
                value = getattr(getattr(self, section), key)
                if isinstance(value, _Stated):
                    yield f"{section}.{key}", value

    def is_doubtful(self, key: str) -> bool:
        """Whether the text is silent about a value, or its confidence is below A."""
        value = dict(self.stated())[key]
        return value.clause == "silent" or value.confidence != "A"


def load(path: Path) -> RuleBook:
    """The book in one TOML file; raises RuleBookError with file and key if it is not whole."""
    where = f"{path.parent.name}/{path.name}"
    try:
        book = msgspec.convert(tomllib.loads(path.read_text("utf-8")), RuleBook, strict=True)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise RuleBookError(f"{where}: {error}") from None
    if path.stem != book.from_.isoformat():
        raise RuleBookError(f"{where}: from = {book.from_} must be the name of the file")
    for key, value in book.stated():
        if isinstance(value, Word) and value.value not in WORDS[key]:
            raise RuleBookError(f'{where}: {key} = "{value.value}" is not known; one of {", ".join(WORDS[key])}')
        if not value.clause:
            raise RuleBookError(f'{where}: {key} has no clause; write clause = "silent" if the text says nothing')
    for row in (book.time_control, book.tables, *book.k):
        if not row.clause:
            raise RuleBookError(f"{where}: {getattr(row, 'name', type(row).__name__)} has no clause")
    for key in ("pd", "dp"):
        if not (HERE / getattr(book.tables, key)).is_file():
            raise RuleBookError(f'{where}: tables.{key} = "{getattr(book.tables, key)}" is not a file beside the books')
    if not book.k or book.k[-1].conditions:
        raise RuleBookError(f"{where}: the last [[k]] row must match everybody, so it has no condition")
    return book


@cache
def books(system: str, folder: Path = HERE) -> tuple[RuleBook, ...]:
    """All books of a system, oldest first."""
    found = tuple(load(path) for path in sorted((folder / system).glob("*.toml")))
    if not found:
        raise RuleBookError(f"no rule books in {system}")
    return found


def in_force(system: str, day: dt.date, folder: Path = HERE) -> RuleBook:
    """The book in force on a day; raises RuleBookError, naming the first date, before the first book."""
    known = books(system, folder)
    valid = [book for book in known if book.from_ <= day]
    if not valid:
        raise RuleBookError(f"{system}: no rule book for {day}; the first is in force from {known[0].from_}")
    return valid[-1]


def _table(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _hundredths(text: str) -> int:
    whole, _, part = text.partition(".")
    return int(whole) * formulas.POINT + int((part + "00")[:2])
