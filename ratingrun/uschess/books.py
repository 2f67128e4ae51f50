"""The dated books of the US Chess rating system, as strict as FIDE's: whole, each value with its source.

`in_force(day)` gives the book of a day; the TOML files stand in rulebooks/uschess. Confidence as in `rulebooks`.
Clauses name the section of the specification (Glickman and Doan, The US Chess Rating System).
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from ratingrun import rulebooks
from ratingrun.rulebooks import Number, RuleBookError, Word

SYSTEM = "uschess"


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Unknown keys are refused, at every level."""


class Real(rulebooks.Number, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that need not be whole."""

    value: float


class Effective(_Strict):
    """Effective games: N* = numerator / sqrt(constant + factor x (zero_at - R)^2), `most` above `up_to`."""

    numerator: Real
    constant: Real
    factor: Real
    zero_at: Real
    up_to: Real
    most: Real


class Special(_Strict):
    """The special formula: who gets it, the width of its straight line, the prior of an all-won or all-lost history."""

    games: Number
    width: Real
    history_shift: Real
    first_look_games: Number
    most: Real
    tolerance: Real


class Standard(_Strict):
    """The standard formula: K = k / (N' + m); the curve's scale."""

    k: Real
    scale: Real
    established_after: Number


class Dual(_Strict):
    """K of dual-rated events in the Regular pool: full up to `above`, a line to `until`, `least` x K from there on."""

    above: Real
    until: Real
    intercept: Real
    slope: Real
    least: Real


class Bonus(_Strict):
    """The bonus: max(0, change - multiplier x sqrt(max(m, least_root))), and who may have it."""

    multiplier: Real
    effective_by: Word
    least_root: Number
    many_games: Number
    many_meetings: Number
    few_games: Number
    few_meetings: Number


class Floor(_Strict):
    """Floors: absolute, personal, by the highest established rating, life master, cash prize."""

    absolute: Number
    base: Number
    win: Number
    draw: Number
    event: Number
    event_games: Number
    personal_most: Number
    peak_drop: Number
    step: Number
    peak_least: Number
    peak_most: Number
    life_master: Number
    prize_most: Number


class Start(_Strict):
    """Start rating by age."""

    year_days: Real
    young: Real
    young_rating: Real
    a_year: Real
    adult: Real
    adult_rating: Real
    credible: Real
    minor_rating: Real


class Blend(_Strict):
    """Start rating from other ratings: weight = factor x exp(decay x (min(z_most, (X - P) / z_scale) - z_most) x t)."""

    kind: Word
    regular_factor: Number
    kindred_factor: Number
    other_factor: Number
    fide_factor: Number
    fide_high_factor: Number
    fide_high_above: Number
    cfc_factor: Number
    decay: Real
    z_most: Real
    z_scale: Real
    games_most: Number


class Line(_Strict):
    """A stretch of a conversion: plus + times x rating, for ratings up to `up_to`, or below `below`, or all."""

    plus: float
    times: float
    up_to: float | None = None
    below: float | None = None


class Conversion(_Strict):
    """The stretches of a conversion; the first that holds a rating decides. None: no conversion under this book."""

    lines: tuple[Line, ...]
    clause: str
    confidence: str = "A"
    note: str = ""


WORDS = {"bonus.effective_by": ("section_start",), "blend.kind": ("weighted", "none")}


class Book(_Strict, rename={"from_": "from"}):
    """One revision, whole. Read at the section's start date."""

    id: str
    title: str
    from_: dt.date
    source: str
    effective: Effective
    special: Special
    standard: Standard
    dual: Dual
    bonus: Bonus
    floor: Floor
    start: Start
    blend: Blend
    fide: Conversion
    cfc: Conversion

    def stated(self) -> Iterator[tuple[str, Number | Real | Word | Conversion]]:
        """Each value with its key, in the order of the file."""
        for section in self.__struct_fields__:
            value = getattr(self, section)
            if isinstance(value, Conversion):
                yield section, value
                continue
            for key in getattr(value, "__struct_fields__", ()):
                yield f"{section}.{key}", getattr(value, key)


def load(path: Path) -> Book:
    """The book in one TOML file; raises RuleBookError with file and key if it is not whole."""
    where = f"{path.parent.name}/{path.name}"
    try:
        book = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Book, strict=True)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise RuleBookError(f"{where}: {error}") from None
    if path.stem != book.from_.isoformat():
        raise RuleBookError(f"{where}: from = {book.from_} must be the name of the file")
    for key, value in book.stated():
        if isinstance(value, Word) and value.value not in WORDS[key]:
            raise RuleBookError(f'{where}: {key} = "{value.value}" is not known; one of {", ".join(WORDS[key])}')
        if not value.clause:
            raise RuleBookError(f'{where}: {key} has no clause; write clause = "silent" if the text says nothing')
        if value.confidence not in ("A", "B", "C"):
            raise RuleBookError(f"{where}: {key}: confidence is A, B or C")
        if isinstance(value, Conversion):
            _check_lines(value, f"{where}: {key}")
    return book


def _check_lines(conversion: Conversion, where: str) -> None:
    """Only the last stretch is without an end; every other has one of the two ends."""
    for number, line in enumerate(conversion.lines, 1):
        ends = (line.up_to is not None) + (line.below is not None)
        if ends != (number < len(conversion.lines)):
            raise RuleBookError(f"{where}: line {number}: give up_to or below, and neither in the last line")


@cache
def books(folder: Path = rulebooks.HERE) -> tuple[Book, ...]:
    """All books, oldest first."""
    found = tuple(load(path) for path in sorted((folder / SYSTEM).glob("*.toml")))
    if not found:
        raise RuleBookError(f"no rule books in {SYSTEM}")
    return found


def in_force(day: dt.date, folder: Path = rulebooks.HERE) -> Book:
    """The book in force on a day; raises RuleBookError, naming the first date, before the first book."""
    known = books(folder)
    valid = [book for book in known if book.from_ <= day]
    if not valid:
        raise RuleBookError(f"{SYSTEM}: no rule book for {day}; the first is in force from {known[0].from_}")
    return valid[-1]
