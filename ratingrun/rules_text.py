"""Rule books in words, fit to attach to a circular: all of them, one, the difference of two; and checking a folder."""

from __future__ import annotations

import datetime as dt
import textwrap
from collections.abc import Iterator
from pathlib import Path

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
    lines = [title, "=" * len(title), book.title, f"In force from {day(book.from_)} until {day(book.until)}."]
    lines += [*textwrap.wrap(f"Source: {book.source} ({book.id})", WIDTH), LEGEND]
    section = None
    for row in described(book, rating_type):
        name = row["key"].split(".")[0]
        if name != section:
            section = name
            lines += ["", SECTIONS[name], "-" * len(SECTIONS[name])]
        lines += _paragraph(row)
    return "\n".join(lines)


def _paragraph(row: dict[str, object]) -> Iterator[str]:
    where = f"clause {row['clause']}" if str(row["clause"])[:1].isdigit() else row["clause"]
    where = "the text is silent" if row["clause"] == "silent" else where
    yield from textwrap.wrap(
        f"{row['sentence']} [{where}; {row['confidence']}]", WIDTH, initial_indent="* ", subsequent_indent="  "
    )
    if row["note"]:
        yield from textwrap.wrap(row["note"], WIDTH, initial_indent="    Note: ", subsequent_indent="    ")


# --- two books -------------------------------------------------------------------------------------------------------


def differences(before: RuleBook, after: RuleBook, rating_type: str) -> list[dict[str, object]]:
    """In what two books differ: key, before, after (value and sentence), clause, and whether it is a known change."""
    rows = []
    for change in compare.diff(before, after):
        sides = {"before": change.before, "after": change.after}
        said = {
            f"{name}_text": rules_words.sentence(change.key, side.value, rating_type) if side else None
            for name, side in sides.items()
        }
        if not any(said.values()):
            continue
        stated = change.after or change.before
        row = {"key": change.key, **{name: side.value if side else None for name, side in sides.items()}, **said}
        row |= {
            "clause": stated.stated.clause if stated.stated else "",
            "note": stated.stated.note if stated.stated else "",
        }
        rows.append({**row, "known_change": compare.is_known(change, before, after)})
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
    """The differences line by line: what changed, one-offs, and what only looks like a change."""
    title = f"Changes of the rules of the {rating_type} list"
    lines = [title, "=" * len(title), f"before: {before.title} ({before.id})", f"after:  {after.title} ({after.id})"]
    if before.id == after.id and not one_offs:
        return "\n".join([*lines, "", "No change: it is the same book."])
    known, unknown = ([row for row in rows if row["known_change"] is flag] for flag in (True, False))
    lines += [line for row in known for line in _change(row)]
    for one in one_offs:
        lines += ["", f"One-off on the list of {one['list']}", *_indented("", one["text"])]
    if unknown:
        lines += ["", *textwrap.wrap(
            "Differences that may be older or no change at all, because one of the two texts was not read "
            "or is silent (confidence C)", WIDTH)]  # fmt: skip
        lines += [line for row in unknown for line in _change(row)]
    return "\n".join(lines)


def _change(row: dict[str, object]) -> Iterator[str]:
    yield ""
    name = row["key"].split(".")[0]
    yield f"{SECTIONS[name].partition(' (')[0]}: {row['key'].partition('.')[2].replace('_', ' ') or 'rows'}" + (
        f" [{row['clause']}]" if row["clause"] else ""
    )
    yield from _indented("before: ", row["before_text"] or "(no such rule)")
    yield from _indented("after:  ", row["after_text"] or "(no such rule)")


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
