"""The calculator as one HTML page that works from a file, without a network.

`build()` puts page, style and scripts into one text, with the rule books, the tables and the sentences embedded as
they are when it is called. The scripts mirror the modules of `calc`; a browser test compares the two, text by text.
"""

from __future__ import annotations

import json
from pathlib import Path
from string import Template

import msgspec

from ratingrun import __version__, elo, frames, rulebooks, texts
from ratingrun.calc import elo as plain
from ratingrun.calc import fide, uschess
from ratingrun.uschess import books

HERE = Path(__file__).parent
SCRIPTS = ("values.js", "requests.js", "fide.js", "elo.js", "uschess.js", "page.js")
SECTIONS = ("id", "from_", "until", "tables", "expected", "game", "period", "initial", "k", "k_order")
NOT_EMBEDDED = ("unit", "confidence", "note")
TEXTS = ("calc.", "number.")


def build() -> str:
    """The whole page."""
    script = "\n".join((HERE / name).read_text("utf-8") for name in SCRIPTS)
    embedded = json.dumps(data(), ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    page = Template((HERE / "page.html").read_text("utf-8"))
    style = (HERE / "page.css").read_text("utf-8").strip()
    return page.substitute(version=__version__, style=style, script=f"const DATA = {embedded};\n{script}".strip())


def data() -> dict[str, object]:
    """What the scripts calculate with: books by list, tables, the US Chess books, ranges, sentences."""
    chapters = {name: rulebooks.chapter(name) for name in frames.RATING_TYPES}
    fide_books = [
        book for chapter in set(chapters.values()) for book in rulebooks.books(chapter.system, chapter.folder)
    ]
    return {
        "chapters": {
            name: {
                "system": chapter.system,
                "books": [_book(book, SECTIONS) for book in rulebooks.books(chapter.system, chapter.folder)],
            }
            for name, chapter in chapters.items()
        },
        "pd": {
            book.tables.pd: [list(map(int, row)) for row in zip(*book.pd_table, strict=True)] for book in fide_books
        },
        "dp": {book.tables.dp: book.dp_by_p.tolist() for book in fide_books},
        "uschess": [_book(book, book.__struct_fields__) for book in books.books()],
        "elo": {"scale": elo.SCALE, "steps": elo.STEPS, "reach": elo.REACH, "default_k": plain.DEFAULT_K},
        "ranges": {
            **{"rating": frames.RATING_RANGE, "birth": frames.BIRTH_RANGE, "k_fide": fide.K, "k_elo": plain.K},
            **{"games": uschess.PLAYED, "limit": plain.LIMIT, "decimals": plain.DECIMALS},
        },
        "texts": {language: _texts(language) for language in texts.LANGUAGES},
    }


def _book(book: msgspec.Struct, sections: tuple[str, ...]) -> dict[str, object]:
    """The sections of a book as plain data, without what stands there for people only."""
    return {name.rstrip("_"): _bare(msgspec.to_builtins(getattr(book, name))) for name in sections}


def _bare(value: object) -> object:
    if isinstance(value, dict):
        return {name: _bare(part) for name, part in value.items() if name not in NOT_EMBEDDED}
    return [_bare(part) for part in value] if isinstance(value, list | tuple) else value


def _texts(language: str) -> dict[str, object]:
    return {key: text for key, text in texts.catalogue(language).texts.items() if key.startswith(TEXTS)}
