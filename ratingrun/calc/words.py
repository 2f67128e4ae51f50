"""An answer in words: facts, tables, notes and steps in a language; or as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from ratingrun.calc.values import Answer, Line, Num, RequestError, Word
from ratingrun.texts import Catalogue

NOTHING = "-"


@dataclass(frozen=True)
class Shown:
    """What people see: facts (label, value), tables (name, headings, rows), notes and steps."""

    facts: list[tuple[str, str]]
    tables: list[tuple[str, list[str], list[list[str]]]]
    notes: list[str]
    steps: list[str]


def shown(answer: Answer, say: Catalogue) -> Shown:
    """The answer in the catalogue's language."""
    facts, tables = [], []
    for name, value in answer.data.items():
        if isinstance(value, list):
            if value:
                headings = [say(f"calc.head.{column}") for column in value[0]]
                rows = [[text_of(cell, say) for cell in row.values()] for row in value]
                tables.append((say(f"calc.head.{name}"), headings, rows))
        elif value is not None:
            facts.append((say(f"calc.head.{name}"), text_of(value, say)))
    notes, steps = ([sentence(line, say) for line in lines] for lines in (answer.notes, answer.steps))
    return Shown(facts, tables, notes, steps)


def text_of(value: object, say: Catalogue) -> str:
    """A value as people read it."""
    if value is None:
        return NOTHING
    if isinstance(value, Num):
        return value.shown(str(say.texts["number.decimal"]))
    return say(f"calc.word.{value.code}") if isinstance(value, Word) else str(value)


def sentence(line: Line, say: Catalogue) -> str:
    """A line of the catalogue with its fields."""
    fields = {name: value if isinstance(value, int) else text_of(value, say) for name, value in line.fields.items()}
    return say(line.key, **fields)


def error(problem: RequestError, say: Catalogue) -> str:
    """What is wrong with a request."""
    return sentence(problem.line, say)


def plain(answer: Answer, say: Catalogue, steps: bool) -> dict[str, object]:
    """For JSON: the numbers, the notes, and the steps where wanted."""
    result = {name: _plain(value) for name, value in answer.data.items()}
    words = shown(answer, say)
    return result | {"notes": words.notes} | ({"steps": words.steps} if steps else {})


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [{name: _plain(cell) for name, cell in row.items()} for row in value]
    if isinstance(value, Num):
        return value.plain
    return value.code if isinstance(value, Word) else value


def lines(answer: Answer, say: Catalogue, steps: bool) -> list[str]:
    """For the terminal: facts, tables, notes, and the steps where wanted."""
    return layout(shown(answer, say), say, steps)


def layout(words: Shown, say: Catalogue, steps: bool) -> list[str]:
    """The lines of what is shown."""
    width = max((len(label) for label, _ in words.facts), default=0)
    found = [f"{label:<{width}}  {value}" for label, value in words.facts]
    for name, headings, rows in words.tables:
        found += ["", name, *_table(headings, rows)]
    if words.notes:
        found += ["", *(f"* {note}" for note in words.notes)]
    if steps and words.steps:
        found += ["", say("calc.head.steps"), *(f"  {step}" for step in words.steps)]
    return found


def _table(headings: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in [headings, *rows]) for i in range(len(headings))]
    return ["  " + "  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in [headings, *rows]]
