"""The US Chess books: whole, strict, picked by date, every key read by code."""

import ast
import datetime as dt
import itertools
import re
from pathlib import Path

import pytest
from test_architecture import IMPURE

import ratingrun
from ratingrun import rulebooks
from ratingrun.uschess import books

ARITHMETIC = (
    "formulas",
    "steps",
    "sections",
    "starts",
    "matches",
    "overrides",
    "ledger",
    "intake",
    "month",
    "record",
    "reported",
)
ALLOWED = {"formulas": {10}, "month": {100}, "ledger": {3, 4}}  # of the ledger: the order of a section's entries
PURE = (*ARITHMETIC, "clocks", "chain", "balance", "notes")
FOLDER = rulebooks.HERE / books.SYSTEM
SHIPPED = sorted(FOLDER.glob("*.toml"))
NEWEST = SHIPPED[-1]


@pytest.mark.parametrize(
    ("day", "multiplier"),
    [("2017-06-01", 14), ("2023-01-31", 14), ("2023-02-01", 12), ("2024-12-31", 12), ("2025-01-01", 10)],
)
def test_bonus_multiplier_by_date(day, multiplier):
    """Specification, section 8."""
    assert books.in_force(dt.date.fromisoformat(day)).bonus.multiplier.value == multiplier


def test_before_the_first_book():
    with pytest.raises(rulebooks.RuleBookError, match="first is in force from 2017-06-01"):
        books.in_force(dt.date(2017, 5, 31))


def changed(tmp_path, old, new):
    text = NEWEST.read_text("utf-8")
    assert text.count(old) == 1, old
    path = tmp_path / NEWEST.name
    path.write_text(text.replace(old, new), "utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[cfc]", "[cfx]", "cfx|cfc"),
        ("absolute      = {", "absolut       = {", "absolut"),
        ('value = "weighted"', 'value = "mean"', "blend.kind"),
        ('value = "section_start"', 'value = "event_end"', "bonus.effective_by"),
        ('clause = "step 3"', 'clause = ""', "special.first_look_games"),
        ("    { below = 1150.0, plus", "    { plus", "cfc: line 1"),
        ("from   = 2025-01-01", "from   = 2025-01-02", "name of the file"),
        ("games            = { value = 8,", 'games            = { value = "8",', "special.games"),
    ],
)
def test_what_is_not_whole_is_refused(tmp_path, old, new, says):
    with pytest.raises(rulebooks.RuleBookError, match=says) as error:
        books.load(changed(tmp_path, old, new))
    assert NEWEST.name in str(error.value)


def test_every_key_is_read():
    attributes = {
        node.attr
        for path in Path(ratingrun.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    for key in {key for key, _ in books.load(NEWEST).stated() if "." in key}:
        if len(books.WORDS.get(key, ())) != 1:  # of one word only, the loader refuses any other
            assert key.split(".")[-1] in attributes, f"{key}: no code reads it"


def test_no_number_of_the_system_in_code():
    """Halves, pairs, signs; 10 is the base of the curve, 100 are the hundredths of the games frame."""
    for name in ARITHMETIC:
        source = Path(books.__file__).with_name(f"{name}.py").read_text("utf-8")
        numbers = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
        numbers = {value for value in numbers if type(value) in (int, float)}
        assert numbers <= {0, 0.5, 1, 2} | ALLOWED.get(name, set()), name


@pytest.mark.parametrize("name", PURE)
def test_the_arithmetic_neither_reads_nor_writes_nor_asks_the_clock(name):
    """As the stages of the other engine (tests/test_architecture.py)."""
    source = Path(books.__file__).with_name(f"{name}.py").read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            assert getattr(node.func, "attr", getattr(node.func, "id", "")) not in IMPURE, f"{name}:{node.lineno}"
        assert not isinstance(node, (ast.Global, ast.Nonlocal))


def test_books_differ_only_where_the_system_changed():
    for older, newer in itertools.pairwise(SHIPPED):
        one, two = (re.sub(r'note += +".*"|note = ".*?"', "", path.read_text("utf-8")) for path in (older, newer))
        same = sum(a == b for a, b in zip(one.splitlines(), two.splitlines(), strict=False))
        assert same > 80, newer.name
