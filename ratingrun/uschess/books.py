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
from ratingrun.rulebooks.words import POOLS
from ratingrun.uschess import shapes

SYSTEM = "uschess"
Value = Number | shapes.Real | Word | shapes.Words | shapes.Conversion | shapes.Classes


WORDS = {
    **{"bonus.effective_by": ("section_start",), "blend.kind": ("weighted", "none")},
    "special.history": ("rated_games",),
    **{f"floor.{name}_pools": POOLS for name in ("personal", "peak", "life_master")},
}


class Book(shapes.Strict, rename={"from_": "from"}):
    """One revision, whole. Read at the section's start date."""

    id: str
    title: str
    from_: dt.date
    source: str
    effective: shapes.Effective
    special: shapes.Special
    standard: shapes.Standard
    dual: shapes.Dual
    bonus: shapes.Bonus
    floor: shapes.Floor
    start: shapes.Start
    blend: shapes.Blend
    fide: shapes.Conversion
    cfc: shapes.Conversion
    fide_youth: shapes.Conversion
    classes: shapes.Classes
    match: shapes.Match
    period: shapes.Period

    def stated(self) -> Iterator[tuple[str, Value]]:
        """Each value with its key, in the order of the file."""
        for section in self.__struct_fields__:
            value = getattr(self, section)
            if isinstance(value, shapes.Conversion | shapes.Classes):
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
        words = value.value if isinstance(value, shapes.Words) else (value.value,) if isinstance(value, Word) else ()
        for word in words:
            if word not in WORDS[key]:
                raise RuleBookError(f'{where}: {key} = "{word}" is not known; one of {", ".join(WORDS[key])}')
        if not value.clause:
            raise RuleBookError(f'{where}: {key} has no clause; write clause = "silent" if the text says nothing')
        if value.confidence not in ("A", "B", "C"):
            raise RuleBookError(f"{where}: {key}: confidence is A, B or C")
        if isinstance(value, shapes.Conversion):
            _check_lines(value, f"{where}: {key}")
    _check_classes(book.classes, f"{where}: classes")
    return book


def _check_classes(classes: shapes.Classes, where: str) -> None:
    """Known pools, and no two classes of a place that hold the same time control."""
    for row in classes.rows:
        unknown = set(row.pools) - set(POOLS)
        if unknown or not row.pools:
            raise RuleBookError(f"{where}: {row.name}: pools must be of {', '.join(POOLS)}")
        for other in classes.rows:
            apart = (row.to is not None and row.to < other.from_) or (other.to is not None and other.to < row.from_)
            if other is not row and other.place == row.place and not apart:
                raise RuleBookError(f"{where}: {row.name} and {other.name} hold the same time controls")


def _check_lines(conversion: shapes.Conversion, where: str) -> None:
    """Only the last stretch is without an end; every other has one of the two ends."""
    for number, line in enumerate(conversion.lines, 1):
        ends = (line.up_to is not None) + (line.below is not None)
        if ends != (number < len(conversion.lines)):
            raise RuleBookError(f"{where}: line {number}: give up_to or below, and neither in the last line")


def place(own: Path | None) -> Path:
    """Where the books lie: in a federation's own folder, if it has some of this system, else in ratingrun's."""
    return own if own and (own / SYSTEM).is_dir() else rulebooks.HERE


@cache
def books(folder: Path = rulebooks.HERE) -> tuple[Book, ...]:
    """All books, oldest first."""
    found = tuple(load(path) for path in sorted((folder / SYSTEM).glob("*.toml")))
    if not found:
        raise RuleBookError(f"no rule books in {SYSTEM}")
    return found


def until(book: Book, folder: Path = rulebooks.HERE) -> dt.date:
    """The last day on which a book is in force."""
    later = [other.from_ for other in books(folder) if other.from_ > book.from_]
    return later[0] - dt.timedelta(days=1) if later else rulebooks.OPEN


def in_force(day: dt.date, folder: Path = rulebooks.HERE) -> Book:
    """The book in force on a day; raises RuleBookError, naming the first date, before the first book."""
    known = books(folder)
    valid = [book for book in known if book.from_ <= day]
    if not valid:
        raise RuleBookError(f"{SYSTEM}: no rule book for {day}; the first is in force from {known[0].from_}")
    return valid[-1]
