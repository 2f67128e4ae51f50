"""The one catalogue of sentences for people, in English, Portuguese and Spanish: three TOML files a language,
the calculators' and the site's own beside the rest.

`catalogue("pt")` gives the texts; `say("sum.k", k=20)` fills a sentence in. Every language has every key with the same
fields (a test holds it). What has two forms, one and many, is a table `one`, `other`, picked by the field `n`.
Numbers are written as the language writes them: decimal mark, names of months.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGES = ("en", "pt", "es")
POINT = 100


@dataclass(frozen=True)
class Catalogue:
    """The texts of one language by their dotted keys."""

    language: str
    texts: Mapping[str, object]

    def __call__(self, key: str, **fields: object) -> str:
        """The sentence of a key with its fields filled in; KeyError if there is none: a bug."""
        text = self.texts[key]
        if isinstance(text, dict):
            text = text["one" if fields["n"] == 1 else "other"]
        return str(text).format(**fields)

    def get(self, key: str, code: str) -> str:
        """The text of `key.code`, or the code itself with blanks, where the catalogue has none for it."""
        return str(self.texts.get(f"{key}.{code}", code.replace("_", " ")))

    def hundredths(self, value: int | None, signed: bool = False, scale: int | None = POINT) -> str:
        """Hundredths of a point as a decimal: 62 -> 0.62, -1860 -> -18.60; nothing as a dash.

        `scale`: parts of a point, if they are finer than hundredths (10000: 0.6400).
        """
        if value is None:
            return "-"
        scale = scale or POINT
        whole, part = divmod(abs(value), scale)
        sign = "-" if value < 0 else "+" if signed else ""
        return f"{sign}{whole}{self.texts['number.decimal']}{part:0{len(str(scale)) - 1}d}"

    def points(self, value: int | None) -> str:
        """A score of half points: 350 -> 3.5, 300 -> 3."""
        if value is None:
            return "-"
        return self.hundredths(value).rstrip("0").rstrip(str(self.texts["number.decimal"]))

    def day(self, day: dt.date) -> str:
        """A day in words: 1 November 2025."""
        month = self.texts["date.months"][day.month - 1]
        return str(self.texts["date.day"]).format(day=day.day, month=month, year=day.year)


@cache
def catalogue(language: str) -> Catalogue:
    """The texts of a language: en, pt or es."""
    files = (HERE / f"{part}{language}.toml" for part in ("", "calc_", "site_"))
    return Catalogue(language, {key: text for path in files for key, text in _flat(_read(path), "")})


def _read(path: Path) -> dict:
    return tomllib.loads(path.read_text("utf-8"))


def _flat(table: dict, path: str):
    for key, value in table.items():
        if isinstance(value, dict) and set(value) != {"one", "other"}:
            yield from _flat(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value
