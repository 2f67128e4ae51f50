"""compare: what a rule book says, value by value, and in what two books differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import K, Limit, Number, Shape, Stated, Word

ABOUT = ("id", "title", "from", "until", "source")


class Value(NamedTuple):
    """One thing that a book says: its key, the value, and what stands beside it (None beside a list or a table)."""

    key: str
    value: object
    stated: Any = None  # a Stated, of this engine or the other


class Change(NamedTuple):
    """One thing in which two books differ; None where a book has no such key."""

    key: str
    before: Value | None
    after: Value | None


def values(book: RuleBook) -> dict[str, Value]:
    """Everything that decides a number, by key, in the order of the file; not id, title, dates and source.

    A row of K is `k.NAME` with {k, conditions}, the order of the rows `k`, a list of limits or bands one value.
    """
    found: dict[str, Value] = {}
    for name in book.__struct_fields__:
        if name.rstrip("_") not in ABOUT:
            _collect(getattr(book, name), name, found)
    return found


def _collect(part: object, key: str, found: dict[str, Value], stated: Stated | None = None) -> None:
    if isinstance(part, Number | Limit | Word):
        found[key] = Value(key, part.value, part)
    elif isinstance(part, tuple) and part and isinstance(part[0], K):
        found[key] = Value(key, [row.name for row in part])
        for row in part:
            found[f"{key}.{row.name}"] = Value(f"{key}.{row.name}", {"k": row.k, **row.conditions}, row)
    elif isinstance(part, msgspec.Struct):
        if isinstance(part, Shape):
            found[f"{key}.kind"] = Value(f"{key}.kind", part.value, part)
        for name in part.__struct_fields__:
            if name not in Stated.__struct_fields__:
                _collect(getattr(part, name), f"{key}.{name}", found, part if isinstance(part, Shape) else None)
    else:
        found[key] = Value(key, msgspec.to_builtins(part), stated)


def diff(before: RuleBook, after: RuleBook) -> list[Change]:
    """The values in which two books differ, in the order of the files; clauses, confidences and notes aside."""
    return changes(values(before), values(after))


def changes(old: Mapping[str, Value], new: Mapping[str, Value]) -> list[Change]:
    """The values in which two sets of them differ, in the order of the new one, then what is gone."""
    keys = [*new, *(key for key in old if key not in new)]
    both = (Change(key, old.get(key), new.get(key)) for key in keys)
    return [one for one in both if not one.before or not one.after or one.before.value != one.after.value]


def is_known(change: Change, before: RuleBook, after: RuleBook) -> bool:
    """Whether a difference is a change of the rules as far as sources go: neither side has confidence C.

    Otherwise it may be as old as the earlier book, or be no change at all: one of the two texts was not read.
    """
    return all(
        _confidence(change.key, side, book) != "C" for side, book in ((change.before, before), (change.after, after))
    )


def _confidence(key: str, side: Value | None, book: RuleBook) -> str:
    """The confidence of a value, or of the kind around it."""
    if side and side.stated:
        return side.stated.confidence
    known = dict(book.stated())
    kind = f"{key.rpartition('.')[0]}.kind"
    return known[kind].confidence if kind in known else "A"
