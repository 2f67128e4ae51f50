"""`ratingrun rules`: all books, one in words, the reform line by line, checking a folder; text and JSON."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ratingrun import cli, rulebooks, rules_text, rules_words
from ratingrun.rulebooks import compare

SAMPLE = Path(__file__).parent.parent / "sample_data" / "state_league"
EVERY_BOOK = [book for system in rulebooks.systems(rulebooks.HERE) for book in rulebooks.books(system)]


def rules(*arguments):
    result = CliRunner().invoke(cli.group, ["rules", *map(str, arguments)])
    return result.exit_code, result.stdout, result.stderr


def test_all_systems_and_dates():
    code, out, _ = rules()
    assert code == 0
    for book in EVERY_BOOK:
        assert book.title in out
        assert f"{book.from_} to " in out
    assert "Ratings below 2000 raised on the list of 1 March 2024" in out
    assert {row["id"] for row in json.loads(rules("--json")[1])} >= {book.id for book in EVERY_BOOK}


def test_own_books_stand_first():
    out = rules("-C", SAMPLE)[1]
    assert out.index("corvania (own; lists: standard)") < out.index("fide_standard (ratingrun; lists: standard)")


def test_the_book_in_force_in_words():
    out = " ".join(rules("2025-11", "--type", "standard")[1].split())
    assert out.startswith("Rules of the standard list of 1 November 2025")
    assert "In force from 1 October 2025 until further notice." in out
    assert "A difference of more than 400 points counts as 400. [clause 8.3.1; A]" in out
    assert "That holds for players rated below 2650 themselves. [clause 8.3.1; A]" in out
    assert "A player whose rating falls below 1400 is unrated from that list on. [clause 7.2.1; A]" in out
    assert "K 10 for a player whose highest published rating is 2400 or more (reached 2400). [clause 8.3.3; A]" in out
    assert "[the text is silent; C] Note: A4: a p between two hundredths goes up" in out


def test_rapid_and_blitz_have_their_own_times():
    assert "more than 10:00 and less than 60:00" in rules("2025-11", "--type", "rapid")[1]
    out = rules("2025-11", "--type", "blitz")[1]
    assert "more than 3:00 and less than 10:01" in out
    assert "60:00" not in out


def test_half_points_are_written_as_people_do():
    assert "Points for each half point above 50 %: 12.5." in rules("2010-05")[1]


def test_the_reform_of_march_2024_line_by_line():
    """fide-history 1, 5, 7 and 9: floor, cap, first ratings, one-off."""
    out = rules("diff", "2024-02", "2024-03")[1]
    known, unknown = out.split("Differences that may be older or no change at all")
    known = " ".join(known.split())
    assert "before: A player whose rating falls below 1000 is unrated" in known
    assert "after: A player whose rating falls below 1400 is unrated" in known
    assert "before: It holds in one game of a player in a tournament, the one with the greatest difference." in known
    assert "Drawn games added: 2." in known
    assert "Rating of the added opponents: 1800." in known
    assert "A first rating is 2200 at most." in known
    assert "One-off on the list of 2024-03-01 Every rating R below 2000 becomes R + 0.4 x (2000 - R)" in known
    assert "Time controls" not in known
    assert "Time controls are not checked." in unknown


def test_the_difference_as_json():
    data = json.loads(rules("diff", "2025-09", "2025-10", "--json")[1])
    assert [(row["key"], row["before"], row["after"]) for row in data["changes"]] == [
        ("game.max_difference_below", 9999, 2650)
    ]
    assert data["changes"][0]["known_change"] is True
    assert data["one_offs"] == []


def test_a_limit_above_every_rating_is_not_written_as_one():
    assert "That holds for every player." in rules("2024-05")[1]
    assert "9999" not in rules("2024-05")[1]


def test_rules_load_no_pandas():
    """DESIGN 11: import cost matters for --help, rules and check."""
    code = "import sys; from ratingrun.cli import group; group(['rules', '2025-11'], standalone_mode=False)"
    code += "; assert 'pandas' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_no_difference():
    assert "No change: it is the same book." in rules("diff", "2025-11", "2025-12")[1]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["2009-06"], 1, "no rule book for 2009-06-01; the first is in force from 2009-07-01"),
        (["2010-02"], 1, "there is no list of 2010-02"),
        (["diff", "2024-02"], 2, "diff PERIOD PERIOD"),
        (["2024-2"], 2, "YYYY-MM"),
        (["check", "no-such-folder"], 2, "not a folder"),
    ],
)
def test_what_cannot_be_shown(arguments, code, said):
    found, _, err = rules(*arguments)
    assert (found, said in err) == (code, True), err


def test_check_says_what_is_wrong_and_exits_1(tmp_path):
    assert rules("check", SAMPLE / "rulebooks")[0] == 0
    shutil.copytree(SAMPLE / "rulebooks", tmp_path / "books")
    path = tmp_path / "books/corvania/2025-07-01.toml"
    path.write_text(path.read_text("utf-8").replace("value = 1200, unit", "valu = 1200, unit"), "utf-8")
    code, _, err = rules("check", tmp_path / "books")
    assert code == 1
    assert err.startswith("corvania/2025-07-01.toml: ")
    assert "period.floor" in err
    assert "correct its spelling" in err
    assert json.loads(rules("check", tmp_path / "books", "--json")[1])["bad"]


@pytest.mark.parametrize("book", EVERY_BOOK, ids=lambda book: book.id)
def test_every_value_has_a_sentence(book):
    rating_type = book.rating_types[-1]
    for key, value in compare.values(book).items():
        sentence = rules_words.sentence(key, value.value, rating_type)
        assert sentence.endswith((".", ").")) or key == "tables.clause", key
        assert "{" not in sentence, key
    text = rules_text.description_text(book, rating_type, None)
    assert max(map(len, text.splitlines())) <= rules_text.WIDTH


@pytest.mark.parametrize("key", rulebooks.WORDS)
def test_every_word_has_a_sentence(key):
    if not key.startswith("transform."):
        said = [rules_words.sentence(key, word, "standard") for word in rulebooks.WORDS[key]]
        assert all(said)
        assert len(set(said)) == len(said)
