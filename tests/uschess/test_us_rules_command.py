"""`ratingrun rules --system uschess`: the US Chess books in words, compared, checked. Figures: reference, 1.2-1.8."""

import json
import shutil
import subprocess
import sys
import tomllib

import folders
import pytest
import us_folders

from ratingrun import rulebooks, rules_text
from ratingrun.uschess import books, rules, rules_words

FILES = sorted((rulebooks.HERE / "uschess").glob("*.toml"))
FIRST = ("2017-06-01", "2020-06-01", "2023-02-01", "2024-03-01", "2025-01-01")


def command(*arguments):
    return folders.command("rules", *arguments, *us_folders.SYSTEM)


def flat(text):
    return " ".join(text.split())


def stated(path):
    """Every value of a file, as the file has it: (key, table)."""
    for section, table in tomllib.loads(path.read_text("utf-8")).items():
        if isinstance(table, dict) and "clause" in table:
            yield section, table
        elif isinstance(table, dict):
            yield from ((f"{section}.{key}", value) for key, value in table.items())


def test_all_books():
    out = command().out
    assert [line.split()[0] for line in out.splitlines() if line.startswith("  ")] == list(FIRST)
    rows = json.loads(command("--json").out)
    assert [(row["from"], row["until"]) for row in rows] == [
        ("2017-06-01", "2020-05-31"),
        ("2020-06-01", "2023-01-31"),
        ("2023-02-01", "2024-02-29"),
        ("2024-03-01", "2024-12-31"),
        ("2025-01-01", None),
    ]
    assert "--system uschess" in folders.command("rules").out.splitlines()[-1]


def test_the_book_of_a_list_in_words():
    """Numbers of the specification of July 2025, with clause and confidence, and the note on what is not sure."""
    out = flat(command("2025-11").out)
    assert out.startswith("Rules of the US Chess list of 1 November 2025")
    assert "In force from 1 January 2025 until further notice." in out
    for said in (
        "N*, the games that a rating counts for at most, is 50 / root. [effective games; A]",
        "The factor under the root is 0.00000739. [effective games; A]",
        "A player with 8 earlier games or fewer has the special formula. [special formula; A]",
        "K = 800 / (effective games + m). [standard formula; A]",
        "On that line the share is 6.5 - slope x R. [dual-rated events; A]",
        "What a player gains above 10 x the square root of m is added once more. [clause 8; A]",
        "The floor of the highest rating holds in: regular, quick, blitz. [peak floor; C] "
        "Note: one secondary source has it in regular only; the wording does not clearly do so",
        "Up to 2000: 1.5667 x rating - 1073; above: 1.02 x rating + 20. [conversion of FIDE ratings; A]",
        "Below 1150: 0.815 x rating - 115; below 1610: 1.28 x rating - 650; below 2000: 1.41 x rating - 856; "
        "above: 1.1 x rating - 240. [conversion of CFC ratings; A]",
        "Up to 2000: 1.2667 x rating - 453; above: rating + 80. [results from foreign FIDE events; A]",
        "T 30 to 65 regular and quick (5 minutes at least)",
        "In the short span matches give or take 100 points net at most. [matches; A]",
        "The list is closed on a Wednesday of the month before. [official lists; B]",
        "The start rating of adults holds above the age of 26. [start ratings; A]",
    ):
        assert said in out, said


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_value_of_a_book_with_clause_confidence_and_note(path):
    """As the file has them, which is read here by itself; each with a sentence that says the number."""
    data = json.loads(command(path.stem[:7], "--json").out)
    rows = {row["key"]: row for row in data["rules"]}
    in_file = dict(stated(path))
    assert list(rows) == list(in_file)
    for key, table in in_file.items():
        row = rows[key]
        assert (row["clause"], row["confidence"], row["note"]) == (
            table["clause"],
            table.get("confidence", "A"),
            table.get("note", ""),
        ), key
        value = next(table[name] for name in ("value", "lines", "rows") if name in table)
        if isinstance(value, int | float) and key != "period.closing_weekday":
            assert row["value"] == value and f"{rules_words.number(value)}" in row["sentence"], key
        assert row["sentence"].endswith(".") and "{" not in row["sentence"], key
    assert set(rules_words.SENTENCES) == {key for key, table in in_file.items() if "value" in table}


def test_numbers_are_written_without_powers_of_ten():
    written = [rules_words.number(value) for value in (800.0, 0.00000739, 1e-7, 365.25, 4, -1073.0)]
    assert written == ["800", "0.00000739", "0.0000001", "365.25", "4", "-1073"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_page_is_as_wide_as_that_of_fide(path):
    text = rules.of_list(None, path.stem[:7])[1]
    assert max(map(len, text.splitlines())) <= rules_text.WIDTH


@pytest.mark.parametrize("key", books.WORDS)
def test_every_word_has_a_sentence(key):
    said = [rules_words.sentence(key, [word] if key.endswith("_pools") else word) for word in books.WORDS[key]]
    assert all(said) and len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("first", "last", "known", "unknown"),
    [
        ("2020-05", "2020-06", [("blend.kind", "none", "weighted")], ["fide"]),
        ("2023-01", "2023-02", [("bonus.multiplier", 14, 12)], []),
        ("2024-02", "2024-03", [], ["fide"]),
        ("2024-12", "2025-01", [("bonus.multiplier", 12, 10)], ["cfc"]),
        ("2025-01", "2025-11", [], []),
    ],
)
def test_what_changed_between_two_lists(first, last, known, unknown):
    """Reference 1.6 (B by date) and 1.3 (blend since June 2020, FIDE conversion of March 2024, CFC of 2025). Where one
    of the two texts was not seen, a difference is not said to be a change."""
    data = json.loads(command("diff", first, last, "--json").out)
    changes = data["changes"]
    assert [(row["key"], row["before"], row["after"]) for row in changes if row["known_change"]] == known
    assert [row["key"] for row in changes if not row["known_change"]] == unknown


def test_the_difference_in_words():
    out = flat(command("diff", "2024-12", "2025-01").out)
    assert "The bonus: multiplier [8] before: What a player gains above 12 x" in out
    assert "(confidence C) CFC ratings on the US Chess scale: rows" in out
    assert "before: There is no conversion. after: Below 1150: 0.815 x rating - 115;" in out
    assert "No change: it is the same book." in command("diff", "2025-01", "2025-11").out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["2017-05"], 1, "uschess: no rule book for 2017-05-01; the first is in force from 2017-06-01"),
        (["diff", "2024-02"], 2, "diff PERIOD PERIOD"),
        (["2024-2"], 2, "YYYY-MM"),
        (["check", "no-such-folder"], 2, "not a folder"),
    ],
)
def test_what_cannot_be_shown(arguments, code, said):
    done = command(*arguments)
    assert (done.code, said in done.err) == (code, True), done.err


def test_own_books_are_shown_and_checked(tmp_path):
    own = tmp_path / "rulebooks/uschess"
    own.mkdir(parents=True)
    shutil.copy(FILES[-1], own)
    path = own / FILES[-1].name
    path.write_text(path.read_text("utf-8").replace("multiplier    = { value = 10.0", "multiplier    = { value = 9.5"))
    assert "What a player gains above 9.5 x the square root of m" in command("2025-11", "-C", tmp_path).out
    assert "uschess (own; lists:" in command("-C", tmp_path).out
    assert command("check", "rulebooks", "-C", tmp_path).code == 0
    path.write_text(path.read_text("utf-8").replace("[cfc]", "[cfx]"))
    done = command("check", "rulebooks", "-C", tmp_path)
    assert done.code == 1 and done.err.startswith("uschess/2025-01-01.toml: ")
    assert command("check", tmp_path / "rulebooks/uschess").code == 1  # there are no books in a folder uschess of it


def test_rules_load_no_pandas():
    """DESIGN 11: import cost matters for --help, rules and check."""
    code = "import sys; from ratingrun.cli import group"
    code += "; group(['rules', '2025-11', '--system', 'uschess'], standalone_mode=False)"
    code += "; assert 'pandas' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
