"""Rule books in words, fit to attach to a circular: all of them, one, the difference of two; and checking a folder."""

from __future__ import annotations

import datetime as dt
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from ratingrun import periods, rulebooks, rules_words
from ratingrun.rulebooks import RuleBook, compare

WIDTH = 100
SECTIONS = {
    "rating_types": "Lists",
    "tables": "Tables",
    "expected": "Expected score",
    "time_control": "Time controls",
    "game": "Difference of two ratings",
    "match": "Matches",
    "round_robin": "Round robins",
    "seed": "Players without a rating on this list",
    "period": "The list",
    "initial": "First ratings",
    "k_order": "How K is read",
    "k": "K, the development coefficient (the first row that matches decides)",
    "adopt": "Reading a list that somebody else published",
}
LEGEND = "Confidence: A the text or FIDE's output, B a dated secondary source, C one source or silence."


def day(date: dt.date) -> str:
    """A day as a document writes it; the end of an open book as a word."""
    return "further notice" if date == rulebooks.OPEN else f"{date.day} {date:%B %Y}"


# --- all books -------------------------------------------------------------------------------------------------------


def overview(own: Path | None) -> list[dict[str, object]]:
    """Every book and one-off, of the federation's folder and of ratingrun: where, lists, dates, title."""
    rows = []
    for folder in [folder for folder in (own, rulebooks.HERE) if folder]:
        whose = "ratingrun" if folder == rulebooks.HERE else "own"
        for system in rulebooks.systems(folder):
            for book in rulebooks.books(system, folder):
                about = {"books": whose, "system": system, "id": book.id, "lists": list(book.rating_types)}
                rows.append({**about, "from": str(book.from_), "until": _end(book), "title": book.title})
        for one in rulebooks.one_offs(folder):
            about = {"books": whose, "system": rulebooks.ONE_OFFS, "id": one.id, "lists": list(one.systems)}
            rows.append({**about, "from": str(one.list_), "until": str(one.list_), "title": one.title})
    return rows


def _end(book: RuleBook) -> str | None:
    return None if book.until == rulebooks.OPEN else str(book.until)


def overview_text(rows: list[dict[str, object]]) -> str:
    """The overview as a table, a block a system."""
    lines, block = ["Rule books"], None
    for row in rows:
        if (row["books"], row["system"]) != block:
            block = row["books"], row["system"]
            what = "one-offs of" if row["system"] == rulebooks.ONE_OFFS else "lists:"
            lines += ["", f"{row['system']} ({row['books']}; {what} {', '.join(row['lists'])})"]
        span = f"{row['from']} to {row['until'] or 'open':<10}" if row["from"] != row["until"] else f"{row['from']:<24}"
        lines.append(f"  {span}  {row['title']}")
    return "\n".join(lines)


# --- one book --------------------------------------------------------------------------------------------------------


def described(book: RuleBook, rating_type: str) -> list[dict[str, object]]:
    """Everything that a book says: key, sentence, value, unit, clause, confidence, note."""
    rows = []
    for value in compare.values(book).values():
        sentence = rules_words.sentence(value.key, value.value, rating_type)
        if sentence:
            rows.append({"key": value.key, "sentence": sentence, "value": value.value, **_beside(value, book)})
    return rows


def _beside(value: compare.Value, book: RuleBook) -> dict[str, object]:
    stated = value.stated
    if stated is None:
        section = getattr(book, value.key.split(".")[0])
        return {"unit": None, "clause": getattr(section, "clause", ""), "confidence": "A", "note": ""}
    names = ("unit", "clause", "confidence", "note")
    return {name: getattr(stated, name, None) for name in names}


def description_text(book: RuleBook, rating_type: str, period: str | None) -> str:
    """The book in words: a heading, and a paragraph for each rule with its clause and confidence."""
    title = f"Rules of the {rating_type} list" + (f" of {day(periods.list_date(period))}" if period else "")
    about = [book.title, f"In force from {day(book.from_)} until {day(book.until)}."]
    return page(title, [*about, f"Source: {book.source} ({book.id})", LEGEND], described(book, rating_type), SECTIONS)


def page(title: str, about: Sequence[str], rows: Sequence[Mapping[str, object]], sections: Mapping[str, str]) -> str:
    """A heading, what is to be said of the whole, and the rules (rows as `described`) by section."""
    lines = [title, "=" * len(title)]
    for line in about:
        lines += textwrap.wrap(line, WIDTH)
    section = None
    for row in rows:
        name = str(row["key"]).split(".")[0]
        if name != section:
            section = name
            lines += ["", sections[name], "-" * len(sections[name])]
        lines += _paragraph(row)
    return "\n".join(lines)


def _paragraph(row: Mapping[str, object]) -> Iterator[str]:
    where = f"clause {row['clause']}" if str(row["clause"])[:1].isdigit() else row["clause"]
    where = "the text is silent" if row["clause"] == "silent" else where
    yield from textwrap.wrap(
        f"{row['sentence']} [{where}; {row['confidence']}]", WIDTH, initial_indent="* ", subsequent_indent="  "
    )
    if row["note"]:
        yield from textwrap.wrap(str(row["note"]), WIDTH, initial_indent="    Note: ", subsequent_indent="    ")


# --- two books -------------------------------------------------------------------------------------------------------


def differences(before: RuleBook, after: RuleBook, rating_type: str) -> list[dict[str, object]]:
    """In what two books differ: key, before, after (value and sentence), clause, and whether it is a known change."""
    return changed(
        compare.diff(before, after),
        lambda key, value: rules_words.sentence(key, value, rating_type),
        lambda change: compare.is_known(change, before, after),
    )


def changed(
    changes: Iterable[compare.Change],
    sentence: Callable[[str, object], str],
    is_known: Callable[[compare.Change], bool],
) -> list[dict[str, object]]:
    """Changes as rows (see `differences`), in the sentences of an engine; without those that say nothing."""
    rows = []
    for change in changes:
        sides = {"before": change.before, "after": change.after}
        said = {f"{name}_text": sentence(change.key, side.value) if side else None for name, side in sides.items()}
        if not any(said.values()):
            continue
        told = change.after or change.before
        stated = told.stated if told else None
        row = {"key": change.key, **{name: side.value if side else None for name, side in sides.items()}, **said}
        row |= {"clause": stated.clause if stated else "", "note": stated.note if stated else ""}
        rows.append({**row, "known_change": is_known(change)})
    return rows


def one_offs_between(chapter: rulebooks.Chapter, first: str, last: str) -> list[dict[str, object]]:
    """The one-offs of the lists after the first period, up to the last."""
    low, high = sorted((periods.list_date(first), periods.list_date(last)))
    known = [
        one for one in rulebooks.one_offs(chapter.folder) if chapter.system in one.systems and low < one.list_ <= high
    ]
    return [
        {
            "id": one.id,
            "list": str(one.list_),
            "title": one.title,
            "text": rules_words.one_off(one),
            "values": {key: value.value for key, value in one.stated()},
            "notes": [f"{key}: {value.note}" for key, value in one.stated() if value.is_doubtful],
        }
        for one in known
    ]


def differences_text(
    before: RuleBook, after: RuleBook, rows: list[dict], one_offs: list[dict], rating_type: str
) -> str:
    """The differences of two books of the list, line by line: what changed, one-offs, what only looks like a change."""
    return changes_text(f"the {rating_type} list", before, after, rows, SECTIONS, one_offs)


def changes_text(
    what: str,
    before: Book,
    after: Book,
    rows: Sequence[Mapping[str, object]],
    sections: Mapping[str, str],
    one_offs: Sequence[Mapping[str, object]] = (),
) -> str:
    """The same of the books of any engine; rows as `changed`, `what` they are the rules of."""
    title = f"Changes of the rules of {what}"
    lines = [title, "=" * len(title)]
    for head, book in (("before: ", before), ("after:  ", after)):
        lines += textwrap.wrap(f"{head}{book.title} ({book.id})", WIDTH, subsequent_indent=" " * len(head))
    if before.id == after.id and not one_offs:
        return "\n".join([*lines, "", "No change: it is the same book."])
    known, unknown = ([row for row in rows if row["known_change"] is flag] for flag in (True, False))
    lines += [line for row in known for line in _change(row, sections)]
    for one in one_offs:
        lines += ["", f"One-off on the list of {one['list']}", *_indented("", str(one["text"]))]
    if unknown:
        lines += ["", *textwrap.wrap(
            "Differences that may be older or no change at all, because one of the two texts was not read "
            "or is silent (confidence C)", WIDTH)]  # fmt: skip
        lines += [line for row in unknown for line in _change(row, sections)]
    return "\n".join(lines)


class Book(Protocol):
    """What the heads of two books ask of each."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...


def _change(row: Mapping[str, object], sections: Mapping[str, str]) -> Iterator[str]:
    yield ""
    name, _, key = str(row["key"]).partition(".")
    yield f"{sections[name].partition(' (')[0]}: {key.replace('_', ' ') or 'rows'}" + (
        f" [{row['clause']}]" if row["clause"] else ""
    )
    yield from _indented("before: ", str(row["before_text"] or "(no such rule)"))
    yield from _indented("after:  ", str(row["after_text"] or "(no such rule)"))


def _indented(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"  {head}", subsequent_indent="  " + " " * len(head))


# --- checking a folder -----------------------------------------------------------------------------------------------


def checked(folder: Path) -> tuple[list[str], list[str]]:
    """What is right and what is wrong in a folder of rule books, one line each: every file, dates, lists, one-offs."""
    good, bad = [], []
    found = rulebooks.systems(folder)
    if not found:
        bad.append(f"{folder}: no rule books; a system is a folder with a TOML file for each revision")
    for system in found:
        faults = []
        for path in sorted((folder / system).glob("*.toml")):
            try:
                rulebooks.load(path)
            except rulebooks.RuleBookError as error:
                faults.append(str(error))
        try:
            if not faults:
                books = rulebooks.books(system, folder)
                spans = ", ".join(f"{book.from_} to {_end(book) or 'open'}" for book in books)
                good.append(f"{system}: {len(books)} book(s), {spans}")
        except rulebooks.RuleBookError as error:
            faults.append(str(error))
        bad += faults
    if not bad:
        bad += _served_twice(folder)
    try:
        good += [f"{rulebooks.ONE_OFFS}/{one.list_}.toml: {one.title}" for one in rulebooks.one_offs(folder)]
    except rulebooks.RuleBookError as error:
        bad.append(str(error))
    return good, bad


def _served_twice(folder: Path) -> list[str]:
    faults = []
    for rating_type in ("standard", "rapid", "blitz"):
        try:
            rulebooks.chapter(rating_type, folder)
        except rulebooks.RuleBookError as error:
            faults.append(str(error))
    return faults
