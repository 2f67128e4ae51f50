"""What an answer is made of: numbers with their decimals, words of the catalogue, lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal


@dataclass(frozen=True)
class Num:
    """A number as it is shown: its digits with a decimal point, and whether a plus is written."""

    text: str
    signed: bool = False

    @property
    def plain(self) -> int | float:
        """The number for JSON."""
        return float(self.text) if "." in self.text else int(self.text)

    def shown(self, decimal: str) -> str:
        """As people read it, with the language's decimal mark."""
        text = self.text.replace(".", decimal)
        return f"+{text}" if self.signed and not text.startswith("-") and self.plain else text


@dataclass(frozen=True)
class Word:
    """A word of the catalogue (calc.word.CODE)."""

    code: str


def whole(value: int, signed: bool = False) -> Num:
    """A whole number."""
    return Num(str(int(value)), signed)


def hundredths(value: int, signed: bool = False) -> Num:
    """A number counted in hundredths, two decimals."""
    minus, digits = "-" if value < 0 else "", f"{abs(int(value)):03d}"
    return Num(f"{minus}{digits[:-2]}.{digits[-2:]}", signed)


def points(value: int) -> Num:
    """A score counted in hundredths: 1, 0.5, 3.5."""
    text = hundredths(value).text.rstrip("0")
    return Num(text.rstrip("."))


def real(value: float, decimals: int = 2, signed: bool = False) -> Num:
    """A float to some decimals, a half (of its exact value) away from zero."""
    text = str(Decimal(float(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))
    return Num(text.lstrip("-") if not float(text) else text, signed)


def typed(value: float) -> Num:
    """A number as it was typed: as many of four decimals as it has."""
    text = real(value, 4).text.rstrip("0").rstrip(".")
    return Num(text or "0")


@dataclass(frozen=True)
class Line:
    """A sentence of the catalogue with its fields."""

    key: str
    fields: dict[str, object]


@dataclass
class Answer:
    """An answer: `data` (numbers, words, texts, and lists of rows), notes and steps."""

    data: dict[str, object]
    notes: list[Line] = field(default_factory=list)
    steps: list[Line] = field(default_factory=list)

    def note(self, key: str, **fields: object) -> None:
        """Adds a note, once."""
        line = Line(f"calc.note.{key}", fields)
        if line not in self.notes:
            self.notes.append(line)

    def step(self, key: str, **fields: object) -> None:
        """Adds a step of the formula."""
        self.steps.append(Line(f"calc.step.{key}", fields))


class RequestError(ValueError):
    """A request that makes no sense; the sentence is calc.error.KEY of the catalogue."""

    def __init__(self, key: str, **fields: object):
        super().__init__(key, fields)
        self.line = Line(f"calc.error.{key}", fields)
