"""The US Chess books in words, in the forms of `rules_text`: all of them, one, two compared; and checking a folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ratingrun import periods, rulebooks, rules_text
from ratingrun.rulebooks import RuleBookError, compare
from ratingrun.rulebooks.words import POOLS
from ratingrun.uschess import books, rules_words, shapes
from ratingrun.uschess.books import Book

LIST = "the US Chess list"
LEGEND = "Confidence: A the specification or a published result, B a dated secondary source, C one source or silence."
LETTERS = "R is a rating, N the player's games before the section, m those in it."
BY_START = "A section is rated by the book of its first day, also if the list is of a later book."


def overview(own: Path | None) -> list[dict[str, object]]:
    """Every US Chess book that is in force: whose, pools, dates, title."""
    folder = books.place(own)
    whose = "ratingrun" if folder == rulebooks.HERE else "own"
    about = {"books": whose, "system": books.SYSTEM, "lists": list(POOLS)}
    return [{**about, **_facts(book, folder)} for book in books.books(folder)]


def _facts(book: Book, folder: Path) -> dict[str, object]:
    until = books.until(book, folder)
    end = None if until == rulebooks.OPEN else str(until)
    return {"id": book.id, "from": str(book.from_), "until": end, "title": book.title}


def values(book: Book) -> dict[str, compare.Value]:
    """Everything that decides a number, by key, in the order of the file; a conversion or the classes as one value."""
    found = {}
    for key, stated in book.stated():
        rows = {shapes.Conversion: "lines", shapes.Classes: "rows"}.get(type(stated), "value")
        found[key] = compare.Value(key, msgspec.to_builtins(getattr(stated, rows)), stated)
    return found


def described(book: Book) -> list[dict[str, object]]:
    """Everything that a book says: key, sentence, value, unit, clause, confidence, note."""
    rows = []
    for key, value in values(book).items():
        beside = {name: getattr(value.stated, name, None) for name in ("unit", "clause", "confidence", "note")}
        rows.append({"key": key, "sentence": rules_words.sentence(key, value.value), "value": value.value, **beside})
    return rows


def of_list(own: Path | None, period: str) -> tuple[dict[str, object], str]:
    """The book in force on the day of a list: as data and in words."""
    folder = books.place(own)
    book = books.in_force(periods.list_date(period), folder)
    rows, until = described(book), books.until(book, folder)
    data = {**_facts(book, folder), "source": book.source, "period": period, "system": books.SYSTEM, "rules": rows}
    about = [
        book.title,
        f"In force from {rules_text.day(book.from_)} until {rules_text.day(until)}. {BY_START}",
        f"Source: {book.source} ({book.id})",
        LEGEND,
        LETTERS,
    ]
    title = f"Rules of {LIST} of {rules_text.day(periods.list_date(period))}"
    return data, rules_text.page(title, about, rows, rules_words.SECTIONS)


def difference(own: Path | None, first: str, last: str) -> tuple[dict[str, object], str]:
    """In what the books of two lists differ: as data and line by line."""
    folder = books.place(own)
    before, after = (books.in_force(periods.list_date(period), folder) for period in (first, last))
    rows = rules_text.changed(compare.changes(values(before), values(after)), rules_words.sentence, _is_known)
    text = rules_text.changes_text(LIST, before, after, rows, rules_words.SECTIONS)
    return {"before": before.id, "after": after.id, "system": books.SYSTEM, "changes": rows}, text


def _is_known(change: compare.Change) -> bool:
    """Whether a difference is a change of the rules as far as sources go: neither side has confidence C."""
    return all(side is None or side.stated.confidence != "C" for side in (change.before, change.after))


def checked(folder: Path) -> tuple[list[str], list[str]]:
    """What is right and what is wrong in a folder of own US Chess books, one line each."""
    found = sorted((folder / books.SYSTEM).glob("*.toml"))
    if not found:
        return [], [f"{folder}: no US Chess books; they are TOML files in its folder {books.SYSTEM}, one a revision"]
    good, bad = [], []
    for path in found:
        try:
            book = books.load(path)
            good.append(f"{books.SYSTEM}/{path.name}: {book.title}")
        except RuleBookError as error:
            bad.append(str(error))
    return good, bad
