"""Rule books: the regulations as data, one complete TOML file for each revision, picked by a date.

`in_force(system, day)` gives the book of a day. A system is a folder of books; each book says which lists it makes, so
`chapter(rating_type)` finds the system of a list: in a federation's own folder first, then in the one that comes with
ratingrun. The loader is strict: an unknown or missing key, a wrong type, a gap between two books or a value that no
code implements is refused with file, key and remedy (RuleBookError). What a book may say is in `shapes.py`.
"""

from __future__ import annotations

import csv
import datetime as dt
import tomllib
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from ratingrun import formulas, periods
from ratingrun.rulebooks import shapes
from ratingrun.rulebooks.shapes import K, Limit, Number, Shape, Word
from ratingrun.rulebooks.words import WORDS

__all__ = ["FIDE_STANDARD", "HERE", "WORDS", "K", "Limit", "Number", "RuleBook", "RuleBookError", "Shape", "Word"]

FIDE_STANDARD = "fide_standard"
HERE = Path(__file__).parent
FOLDER = "rulebooks"  # of a federation's own books, in its working folder and in a run folder's inputs
ONE_OFFS = "one_offs"
US_CHESS = "uschess"
NOT_HERE = (ONE_OFFS, US_CHESS)  # folders beside the systems: transforms, and the books of the second engine
SCALES = (100, 1000, 10000)  # parts of a point in which a curve may be counted
MONTHS = (1, 2, 3, 4, 6, 12)  # between lists: the same months every year
OPEN = dt.date.max  # until 9999-12-31: no end is known


class RuleBookError(ValueError):
    """A rule book is not whole, or no book is in force on a day. The message names the file and the key, or the day."""

    exit_code = 1


class RuleBook(shapes.Whole, rename={"from_": "from"}, dict=True):  # type: ignore[misc]  # Whole is frozen, and so is this
    """One revision of one chapter, whole."""

    id: str
    title: str
    from_: dt.date
    until: dt.date
    source: str
    rating_types: tuple[shapes.RatingType, ...]
    tables: shapes.Tables
    expected: shapes.Table | shapes.Curve
    time_control: shapes.Unchecked | shapes.Minimum | shapes.Between
    game: shapes.Game
    match: shapes.Match
    round_robin: shapes.RoundRobin
    seed: shapes.NoSeed | shapes.OtherList
    period: shapes.Period
    initial: shapes.AddedDraws | shapes.HalfPoints
    k_order: shapes.KOrder
    k: tuple[K, ...]
    adopt: shapes.Adopt

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

    @property
    def scale(self) -> int:
        """Parts of a point in which expected scores are counted: 100, or those of the book's curve."""
        return self.expected.parts.value if isinstance(self.expected, shapes.Curve) else formulas.POINT


class Chapter(NamedTuple):
    """A system of rule books and the folder in which it lies."""

    system: str
    folder: Path = HERE


# --- loading ---------------------------------------------------------------------------------------------------------


def load(path: Path) -> RuleBook:
    """The book in one TOML file; raises RuleBookError with file, key and remedy if it is not whole."""
    where = f"{path.parent.name}/{path.name}"
    book = _converted(path, where, RuleBook)
    if path.stem != book.from_.isoformat():
        raise RuleBookError(f"{where}: from = {book.from_} must be the name of the file; rename one of them")
    if book.until < book.from_:
        raise RuleBookError(f"{where}: until = {book.until} is before from; write the last day, or {OPEN} if open")
    _check_values(where, book)
    for name in ("tables", "expected", "time_control", "seed", "initial"):
        if not getattr(book, name).clause:
            raise RuleBookError(f"{where}: {name} has no clause; {_SILENT}")
    _check_shapes(where, book)
    for key in ("pd", "dp"):
        if not (HERE / getattr(book.tables, key)).is_file():
            raise RuleBookError(f'{where}: tables.{key} = "{getattr(book.tables, key)}" is not a file beside the books')
    if not book.k or book.k[-1].conditions:
        raise RuleBookError(f"{where}: the last [[k]] row must match everybody, so it has no condition")
    if len({row.name for row in book.k}) < len(book.k):
        raise RuleBookError(f"{where}: two [[k]] rows have one name; give each its own")
    if not book.rating_types:
        raise RuleBookError(f"{where}: rating_types is empty; name the lists that the book makes")
    return book


_SILENT = 'write clause = "silent" if the text says nothing'
_REMEDIES = {  # what msgspec says -> what to do
    "unknown field": "take the key out, or correct its spelling or its place",
    "missing required field": "add the key; every book is whole",
    "Expected `int`, got `float`": "write a whole number, in a smaller unit if need be",
    "Invalid value": "write one of the kinds that are known: {kinds}",
    "Invalid enum value": "write one of those that are known: {kinds}",
    "Expected": "write a value of that type",
}


def _converted(path: Path, where: str, kind: type):
    """The file as `kind`; raises RuleBookError."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), kind, strict=True)
    except msgspec.ValidationError as error:
        text = str(error)
        remedy = next((remedy for said, remedy in _REMEDIES.items() if said in text), "correct it")
        raise RuleBookError(f"{where}: {text}; {remedy.format(kinds=_kinds(text))}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleBookError(f"{where}: {error}") from None


def _kinds(text: str) -> str:
    """The kinds, confidences or rating types that may stand where the loader found something else."""
    place = text.rpartition("$.")[2].rstrip("`")
    known = {
        "expected.kind": (shapes.Table, shapes.Curve),
        "time_control.kind": (shapes.Unchecked, shapes.Minimum, shapes.Between),
        "game.too_far_apart.kind": (shapes.AnyDistance, shapes.Apart),
        "seed.kind": (shapes.NoSeed, shapes.OtherList),
        "initial.kind": (shapes.AddedDraws, shapes.HalfPoints),
    }
    if place in known:
        return ", ".join(str(one.__struct_config__.tag) for one in known[place])
    return "A, B, C" if place.endswith("confidence") else "standard, rapid, blitz"


def _check_values(where: str, whole: shapes.Whole) -> None:
    """Refuses a word that no code implements, and a value without a clause."""
    for key, value in whole.stated():
        if isinstance(value, Word) and value.value not in WORDS[key]:
            raise RuleBookError(f'{where}: {key} = "{value.value}" is not known; one of {", ".join(WORDS[key])}')
        if not value.clause:
            raise RuleBookError(f"{where}: {key} has no clause; {_SILENT}")


def _check_shapes(where: str, book: RuleBook) -> None:
    """Refuses what each value allows and all of them together do not."""
    if book.scale not in SCALES:
        raise RuleBookError(
            f"{where}: expected.parts = {book.scale} is not known; one of {', '.join(map(str, SCALES))}"
        )
    if book.period.months.value not in MONTHS:
        known = ", ".join(map(str, MONTHS))
        raise RuleBookError(
            f"{where}: period.months = {book.period.months.value} does not divide a year; one of {known}"
        )
    if isinstance(book.time_control, shapes.Between):
        missing = set(book.rating_types) - {row.rating_type for row in book.time_control.limits}
        if missing:
            raise RuleBookError(f"{where}: time_control.limits lacks {', '.join(sorted(missing))}; add its row")


# --- picking by a date -----------------------------------------------------------------------------------------------


@cache
def books(system: str, folder: Path = HERE) -> tuple[RuleBook, ...]:
    """All books of a system, oldest first; raises RuleBookError if two overlap or leave a gap."""
    found = tuple(load(path) for path in sorted((folder / system).glob("*.toml")))
    if not found:
        raise RuleBookError(f"no rule books in {system}")
    for book, after in pairwise(found):
        last = after.from_ - dt.timedelta(days=1)
        if book.until != last:
            fault = "overlaps" if book.until > last else "leaves a gap before"
            raise RuleBookError(
                f"{system}/{book.from_}.toml: until = {book.until} {fault} {after.from_}.toml; write until = {last}"
            )
    return found


def in_force(system: str, day: dt.date, folder: Path = HERE) -> RuleBook:
    """The book in force on a day; raises RuleBookError, naming the first date, before the first book."""
    known = books(system, folder)
    if day < known[0].from_:
        raise RuleBookError(f"{system}: no rule book for {day}; the first is in force from {known[0].from_}")
    if day > known[-1].until:
        raise RuleBookError(f"{system}: no rule book for {day}; the last is in force until {known[-1].until}")
    return next(book for book in reversed(known) if book.from_ <= day)


def list_before(chapter: Chapter, period: str) -> dt.date:
    """The day of the list just before that of a period: by the book of the day before, if there is one."""
    day = periods.list_date(period)
    book = in_force(chapter.system, day, chapter.folder)
    if book is books(chapter.system, chapter.folder)[0] and book.from_ >= day:
        return periods.list_date(periods.shift(period, -book.period.months.value))
    return list_in_force(chapter, day - dt.timedelta(days=1))


def list_in_force(chapter: Chapter, day: dt.date) -> dt.date:
    """The day of the newest list on `day`, by the months between lists of the book of that day."""
    rules = in_force(chapter.system, day, chapter.folder).period
    number = periods.month_number(periods.of_date(day))
    return periods.list_date(
        periods.from_month_number(number - (number + 1 - rules.first_month.value) % rules.months.value)
    )


def book_of_list(chapter: Chapter, period: str) -> RuleBook:
    """The book of the list of a period; raises RuleBookError if there is no list in that month."""
    day = periods.list_date(period)
    book = in_force(chapter.system, day, chapter.folder)
    if list_in_force(chapter, day) != day:
        months = book.period.months.value
        raise RuleBookError(
            f"{chapter.system}: there is no list of {period}: lists come every {months} months,"
            f" counted from month {book.period.first_month.value}"
        )
    return book


def systems(folder: Path) -> list[str]:
    """The systems of a folder: its folders with TOML files."""
    found = {path.parent.name for path in folder.glob("*/*.toml")}
    return sorted(found.difference(NOT_HERE))


def chapter(rating_type: str, own: Path | None = None) -> Chapter:
    """The chapter that makes a list: of the federation's own folder if one does, else the one of ratingrun.

    This is the one place where a rating type finds its rules: the books' own `rating_types`. Raises RuleBookError if
    two systems of a folder make the same list.
    """
    for folder in (own, HERE) if own else (HERE,):
        serving = [name for name in systems(folder) if rating_type in books(name, folder)[-1].rating_types]
        if len(serving) > 1:
            raise RuleBookError(
                f"two systems make the {rating_type} list: {', '.join(serving)}; rating_types of one is wrong"
            )
        if serving:
            return Chapter(serving[0], folder)
    raise RuleBookError(f"no rule books make a {rating_type} list")


def own_books(root: Path, given: Path | None = None) -> Path | None:
    """A federation's folder of rule books: the one that is given, or `rulebooks` in its working folder, if there.

    Raises RuleBookError if the given folder holds no system.
    """
    if given and not systems(root / given) and not any((root / given / US_CHESS).glob("*.toml")):
        raise RuleBookError(f"{given}: no rule books; a system is a folder in it with a TOML file a revision")
    usual = root / FOLDER
    return root / given if given else usual if usual.is_dir() else None


@cache
def one_offs(folder: Path = HERE) -> tuple[shapes.OneOff, ...]:
    """The one-offs of a folder, oldest first."""
    found = []
    for path in sorted((folder / ONE_OFFS).glob("*.toml")):
        where = f"{ONE_OFFS}/{path.name}"
        one = _converted(path, where, shapes.OneOff)
        if path.stem != one.list_.isoformat():
            raise RuleBookError(f"{where}: list = {one.list_} must be the name of the file; rename one of them")
        _check_values(where, one)
        found.append(one)
    return tuple(found)


def one_off(chapter: Chapter, day: dt.date) -> shapes.OneOff | None:
    """The one-off of a chapter's list of that day, if there is one."""
    return next((one for one in one_offs(chapter.folder) if one.list_ == day and chapter.system in one.systems), None)


def files(chapter: Chapter, own: Path | None) -> dict[str, bytes]:
    """The files of a chapter of a federation's own books, as a run folder keeps them; none for ratingrun's."""
    if own is None or chapter.folder != own:
        return {}
    paths = [*(own / chapter.system).glob("*.toml"), *(own / ONE_OFFS).glob("*.toml")]
    return {f"{FOLDER}/{path.relative_to(own).as_posix()}": path.read_bytes() for path in sorted(paths)}


def _table(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _hundredths(text: str) -> int:
    whole, _, part = text.partition(".")
    return int(whole) * formulas.POINT + int((part + "00")[:2])
