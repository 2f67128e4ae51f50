"""ratingrun calc as people use it: errors in one line with exit code 2, languages, files, steps, every target score."""

import json

import pytest

from ratingrun import texts

WRONG = [
    ("game --own 1850x --opponent 1720", '"1850x" is not a whole number'),
    ("game --own 0 --opponent 1720", "0 is not within 1 and 3999"),
    ("game --own 1850 --opponent 4000", "4000 is not within 1 and 3999"),
    ("game --own 1850 --opponent 1720 --score 2", '"2" is not a score; write 1, 0.5 or 0'),
    ("game --own 1850 --opponent 1720 --k 0", "K: 0 is not within 1 and 100"),
    ("game --own 1850 --opponent 1720 --k 20.5", '"20.5" is not a whole number'),
    ("game --own 1850 --opponent 1720 --date 2025-02-30", '"2025-02-30" is not a date; write YYYY-MM-DD'),
    ("game --own 1850 --opponent 1720 --date 1999-01-01", "no rule book for 1999-01-01; the first is in force from"),
    ("game --own 1850 --opponent 1720 --book fide-1999", "no rule book here; known are fide-standard-"),
    ("game --own 1399 --opponent 1720 --date 2025-11-15", "below the floor of 1400"),
    ("game --system elo --own 1850 --opponent 1720 --k -3", '"-3" is not a number'),
    ("game --system elo --own 1850 --opponent 1720 --decimals 7", "decimals: 7 is not within 0 and 4"),
    ("game --system uschess --own 1850 --opponent 1720 --date 2016-01-01", "the first is in force from 2017-06-01"),
    ("event --own 1850", "no games; write each as opponent and score"),
    ("event --own 1850 1720", '"1720" is not a game'),
    ("event --own 1850 1720:2", '"2" is not a score'),
    ("event --own 1850 --list 2025-11 --date 2025-11-15 1720:1", "cannot be on it"),
    ("event --own 1850 --list 2025-13 --date 2025-11-15 1720:1", '"2025-13" is not a rating period'),
    ("initial --system elo 1720:1", "there is no initial calculator for elo"),
    (
        "initial --system uschess --cfc 1500 --date 2024-06-01 1500:1",
        "CFC: rule book uschess-2024-03 has no conversion",
    ),
    ("initial --system uschess --birth-date 2030-01-01 --date 2025-06-01 1500:1", "lies after the event"),
    ("performance unrated:1", "no game counts"),
    ("target --own 1850 --target 1900", "rounds is missing"),
]


@pytest.mark.parametrize(("line", "says"), WRONG)
def test_nonsense_is_one_clear_line_and_exit_code_2(said, line, says):
    code, out, err = said(line)
    assert (code, out) == (2, "")
    assert says in err
    assert sum(text.startswith("Error:") for text in err.splitlines()) == 1
    assert "Traceback" not in err


def test_errors_speak_the_language(said):
    assert "não é um resultado" in said("game --own 1850 --opponent 1720 --score 2 --lang pt")[2]
    assert "no es un resultado" in said("game --own 1850 --opponent 1720 --score 2 --lang es")[2]


@pytest.mark.parametrize(
    ("lang", "label", "change"),
    [("en", "New rating", "+6.40"), ("pt", "Novo rating", "+6,40"), ("es", "Nueva", "+6,40")],
)
def test_the_three_languages(said, lang, label, change):
    code, out, _ = said(f"game --own 1850 --opponent 1720 --k 20 --date 2025-11-15 --steps --lang {lang}")
    assert code == 0
    assert label in out and change in out


LINES = [
    "game --own 2700 --opponent 2100 --steps",
    "game --own 2700 --opponent 2100 --type blitz --steps",
    "game --own 1850 --opponent 1300 --steps",
    "game --system elo --own 1850.5 --opponent 1400 --limit 400 --steps",
    "game --system uschess --own 1850.5 --opponent 1400 --games 4 --history won --steps",
    "event --own 1850 --k 40 " + "1850:1 " * 20 + "unrated:1 1700:+ 1300:1 --steps",
    "event --own 1850 --date 2023-01-20 1400:1 1400:1 --steps",
    "event --system elo --own 1850 1700:1 unrated:1 1700:- --steps",
    "event --system uschess --own 1850 --dual --prize 1800 1700:1 1700:1 --steps",
    "event --system uschess --own 1300 --games 30 --peak 1700 1300:0 1400:0 1300:0 --steps",
    "initial 1850:1 1650:1 1720:= 1580:1 1500:0 1600:0 --steps",
    "initial 2500:1 2500:1 2500:1 2500:1 2500:1 --steps",
    "initial 1400:= 1400:0 1400:0 1400:0 1400:0 --steps",
    "initial 1400:1 --steps",
    "initial 1400:0 --steps",
    "initial --date 2023-05-10 1902:1 1877:1 1884:1 2012:0 1832:1 --steps",
    "initial --date 2023-05-10 1902:1 1877:0 1884:0 2012:0 1832:1 --steps",
    "initial --system uschess --birth-date 2012-05-01 --fide 1500 --cfc 1600 --cfc-date 2024-05-05 1400:1 --steps",
    "performance 1700:1 1800:1 --steps",
    "target --own 1850 --target 1870 --remaining 1900 --remaining 1300",
    "target --own 1850 --target 1990 --rounds 3 1700:1",
    "target --own 1850 --target 1990 --remaining 1700",
    "target --system elo --own 1850 --target 1990 --rounds 3",
    "target --system elo --own 1850 --target 1860 --remaining 1800",
    "table",
]


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize("line", LINES)
def test_every_sentence_is_in_every_language(said, line, lang):
    """No key is missing, no field is left open."""
    date = "" if "--date" in line else "--date 2025-11-15"
    code, out, err = said(f"{line} {date} --lang {lang}")
    assert code == 0, err
    assert "{" not in out and "calc." not in out


def test_games_from_a_file_and_from_stdin(said, tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("# my open\n1720 1\n2015 0\n\n1905;0.5\n1420\t1\n1790,1\nunrated 1\n", "utf-8")
    code, out, _ = said(f"event --own 1850 --k 20 --date 2025-11-15 --file {path} --json")
    assert code == 0
    assert json.loads(out)["new"] == 1862


def test_json_without_steps_has_none(said):
    assert "steps" not in json.loads(said("table --date 2025-11-15 --json")[1])
    assert "steps" in json.loads(said("table --date 2025-11-15 --json --steps")[1])


def test_steps_are_written_out(ask):
    steps = ask("event --own 1850 --k 20 1420:1 1720:1")["steps"]
    assert "|D| is more than 400: it counts as 400 (8.3.1)" in steps
    assert "2 games: 2 - 1.60 = +0.40" in steps
    assert "20 x +0.40 = +8.00, rounded once +8 (8.3.4)" in steps


# --- target ----------------------------------------------------------------------------------------------------------


def test_points_needed_are_the_fewest_that_reach_it(ask):
    found = ask("target --own 1850 --k 20 --target 1870 --remaining 1900 --remaining 1850 --remaining 2000")
    assert found["points_needed"] == 2.5
    for row in found["scores"]:
        assert row["reached"] == ("yes" if row["new"] >= 1870 else "no")
        assert (row["score"] >= 2.5) == (row["reached"] == "yes")


def test_each_row_of_a_target_is_what_event_says(ask):
    found = ask("target --own 1850 --k 20 --target 1870 --remaining 1900 --remaining 2300 1500:0")
    results = {0: "0 0", 0.5: "= 0", 1: "1 0", 1.5: "1 =", 2: "1 1"}
    for row in found["scores"]:
        first, second = results[row["score"]].split()
        assert ask(f"event --own 1850 --k 20 1500:0 1900:{first} 2300:{second}")["new"] == row["new"]


def test_out_of_reach_is_said(ask):
    found = ask("target --own 1850 --k 20 --target 1900 --remaining 1850")
    assert (found["points_needed"], found["best"]) == ("impossible", 1860)
    assert any("Out of reach" in note for note in found["notes"])


def test_the_weakest_opponents_that_suffice(ask):
    """One below the answer is not enough."""
    found = ask("target --own 1850 --k 20 --target 1870 --rounds 4")
    for row in found["scores"]:
        if row["opponents"] == "impossible":
            continue
        halves = int(2 * row["score"])
        scores = ["1"] * (halves // 2) + ["="] * (halves % 2)
        scores += ["0"] * (4 - len(scores))

        def new(rating, scores=tuple(scores)):
            return ask("event --own 1850 --k 20 " + " ".join(f"{rating}:{score}" for score in scores))["new"]

        assert new(row["opponents"]) >= 1870
        assert row["opponents"] == 1400 or new(row["opponents"] - 1) < 1870
