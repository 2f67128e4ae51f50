"""What if another rule had applied: rule books with changed values, written as a folder of books of one's own.

A changed book is a whole book again, in a file that anybody can read and that the loader checks; a run keeps it with
its inputs, so that it can be verified like any other.
"""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Mapping
from pathlib import Path

import tomlkit

from ratingrun.rulebooks import RuleBookError

ONE_OFFS = "one_offs"
MARK = "what-if"


def altered(folder: Path, system: str, changes: Mapping[str, str], to: Path, since: dt.date = dt.date.min) -> Path:
    """Writes the books of a system of `folder` into the folder `to`, each with the changes; gives `to`.

    `changes`: "period.floor" -> "1200", "initial.p_ties" -> "half_down", "k.junior.k" -> "30" (the row of that name).
    Books that were over before `since` are left out. Raises RuleBookError if no book has such a value.
    """
    done: set[str] = set()
    paths = sorted((folder / system).glob("*.toml"))
    ended = [after for after in paths[1:] if dt.date.fromisoformat(after.stem) <= since]
    for path in paths[len(ended) :]:
        book = tomlkit.parse(path.read_text("utf-8"))
        done |= {key for key, value in changes.items() if _set(book, key, value)}
        book["id"] = f"{book['id']}-{MARK}"
        _put(to / system / path.name, tomlkit.dumps(book))
    unknown = sorted(set(changes) - done)
    if unknown:
        raise RuleBookError(f"{system}: no book has {', '.join(unknown)}; see the books for section.name")
    _one_offs(folder, to)
    return to


def always(folder: Path, system: str, book_from: dt.date, to: Path) -> Path:
    """Writes one book of a system into the folder `to` as if it had been in force at all times; gives `to`."""
    paths = sorted((folder / system).glob("*.toml"))
    book = tomlkit.parse((folder / system / f"{book_from}.toml").read_text("utf-8"))
    first, last = (tomlkit.parse(path.read_text("utf-8")) for path in (paths[0], paths[-1]))
    book["from"] = first["from"]
    if "until" in book:
        book["until"] = last["until"]
    book["id"] = f"{book['id']}-{MARK}"
    _put(to / system / f"{first['from']}.toml", tomlkit.dumps(book))
    _one_offs(folder, to)
    return to


def _set(book: tomlkit.TOMLDocument, key: str, text: str) -> bool:
    """Sets one value; whether the book has it."""
    place, *path = key.split(".")
    part = book.get(place)
    if isinstance(part, list) and path:
        part = next((row for row in part if row.get("name") == path[0]), None)
        path = path[1:]
    while path and hasattr(part, "get") and len(path) > 1:
        part, path = part.get(path[0]), path[1:]
    if not path or not hasattr(part, "get") or path[0] not in part:
        return False
    old = part[path[0]]
    if hasattr(old, "get"):
        old["value"] = _typed(old.get("value"), text)
    else:
        part[path[0]] = _typed(old, text)
    return True


def _typed(old: object, text: str) -> int | str:
    """The text as the kind of value that it stands for; the loader judges it."""
    number = text.removeprefix("-").isdigit()
    return int(text) if number and not (isinstance(old, str) and old != "none") else text


def _one_offs(folder: Path, to: Path) -> None:
    """One-offs belong to a folder of books."""
    if (folder / ONE_OFFS).is_dir():
        shutil.copytree(folder / ONE_OFFS, to / ONE_OFFS, dirs_exist_ok=True)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")
