"""explain: the two worked examples line by line, and every number of an explanation is in the frames.

The first: fide-rules 5.4 (seed 004): 1850, K 20, seven games of which five count: +0.62 -> +12.40 -> 1862.
The second: fide-rules 5.5: 3.5 of 6 against 1850 1650 1720 1580 1500 1600: 1730.5 -> 1731.
"""

import csv
import io
import json
import re

import folders
import pytest
import records
from cases import months

from ratingrun import explain, texts
from ratingrun.explain import show, words

EVENT = {"id": "open", "name": "Open", "start": "2025-10-04", "end": "2025-10-05"}
MARIA = """
Maria 1-0 1720
Maria 0-1 2015
Maria = 1905
Maria 1-0 1420
1790 0-1 Maria
Maria 1-0 unrated
Maria 0-1 unrated
"""
# Eight players in the crosstable of seven rounds: Maria plays in all, each other in one.
ABSENT = 8 * 7 - 14
NEW = """
New 1-0 1850
New 0-1 1650
New = 1720
New 1-0 1580
1500 0-1 New
New 0-1 1600
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """October 2025 with both examples."""
    first, second = EVENT | {"games": MARIA}, EVENT | {"id": "cup", "name": "Cup", "games": NEW}
    lists = {"2025-10": {"Maria": 1850}}
    return records.written(tmp_path_factory.mktemp("lists"), months.inputs("2025-11", lists, [first, second]))


@pytest.fixture(scope="module")
def data(made):
    frames, found = explain.read(made)
    assert not len(found)
    return frames


def lines(made, data, player_id, language="en"):
    blocks = words.player(explain.player(made, data, player_id), texts.catalogue(language))
    return [re.sub(r"\s+", " ", line.strip()) for line in show.text(blocks).splitlines()]


def test_a_rated_player_line_by_line(made, data):
    said = lines(made, data, "Maria")
    for line in (
        "Maria (Maria): standard rating list of 1 November 2025",
        "Open (open): 4 October 2025 to 5 October 2025",
        "Ratings of the list of 1 October 2025, in force when it started; rule book fide-standard-2025-10.",
        "1 White open-1 1850 1720 130 0.68 1 +0.32 yes",
        "2 White open-2 1850 2015 -165 0.28 0 -0.28 yes",
        "3 White open-3 1850 1905 -55 0.42 0.5 +0.08 yes",
        "4 White open-4 1850 1420 430 0.92 1 +0.08 yes",
        "5 Black open-5 1850 1790 60 0.58 1 +0.42 yes",
        "6 White open-6 1850 - - - 1 - no: the opponent was unrated at the start (8.3.1)",
        "7 White open-7 1850 - - - 0 - no: the opponent was unrated at the start (8.3.1)",
        "D is 430, counted as 400: the 400-point rule (8.3.1)",
        "5 games: score W = 3.5, expected We = 2.88, W - We = +0.62; times K 20 = +12.40.",
        "5 games in all: W = 3.5, We = 2.88, W - We = +0.62.",
        "K = 20, published on the list before (given).",
        "20 x +0.62 = +12.40, rounded once, a half away from zero (8.3.4): +12.",
        "Ro 1850 +12 = Rn 1862.",
        "change 1850 +12 1862 8.3.4 open",
    ):
        assert line in said, line
    assert any(line.startswith("Rating 1862; K for the next month 20 (8.3.3 established); 5 games") for line in said)


def test_a_first_rating_line_by_line(made, data):
    """Ra = (9900 + 2 x 1800) / 8 = 1687.5; p = 4.5 / 8 = .5625 -> .56; dp = 43; 1730.5 -> 1731."""
    said = lines(made, data, "New")
    for line in (
        "1 White cup-1 - 1850 - - 1 - for the first rating",
        "6 games against rated opponents, score 3.5 (8.2.3).",
        "With 2 draws against opponents rated 1800 added: Ra = 1687.50, p = 0.56, dp = +43 (8.2.3).",
        "Ru = Ra + dp, rounded: 1731.",
        "It is published on this list.",
        "first rating unrated +1731 1731 8.2.3 cup",
    ):
        assert line in said, line


def test_reading_only_what_one_explanation_needs(made, data):
    """Of a list of a million a claim is answered in a second; it says what it says with all frames read."""
    for player_id in ["Maria", "New", "open-1", "open-6", "cup-2"]:
        few, found = explain.read(made, player_id)
        assert not len(found) and len(few["cells"]) < len(data["cells"])
        assert explain.player(made, few, player_id) == explain.player(made, data, player_id)
    for tournament_id in data["tournaments"]["tournament_id"]:
        few, found = explain.read(made, None, tournament_id)
        assert not len(found) and "rating_list" not in few
        assert explain.tournament(made, few, tournament_id) == explain.tournament(made, data, tournament_id)
    few, _ = explain.read(made, "Nobody")
    with pytest.raises(explain.NotThereError):
        explain.player(made, few, "Nobody")


def test_the_same_in_portuguese_and_spanish(made, data):
    said = lines(made, data, "Maria", "pt")
    assert "20 x +0,62 = +12,40, arredondado uma só vez, metade para longe de zero (8.3.4): +12." in said
    said = lines(made, data, "New", "es")
    assert "Valoración inicial" in said
    assert any("tablas añadidas contra rivales de 1800: Ra = 1687,50, p = 0,56, dp = +43" in line for line in said)


def numbers(value):
    """Every integer below a value."""
    if isinstance(value, dict):
        return set().union(*map(numbers, value.values()))
    if isinstance(value, list):
        return set().union(set(), *map(numbers, value))
    return {value} if type(value) is int else set()


@pytest.mark.parametrize("player_id", ["Maria", "New"])
def test_every_number_is_in_the_frames(made, data, player_id):
    known = {
        int(value)
        for frame in data.values()
        for name in frame
        if frame[name].dtype.kind in "iu"
        for value in frame[name].dropna()
    }
    facts = explain.player(made, data, player_id)
    facts.pop("rules")  # of the rule book
    assert numbers(facts) <= known
    rounded = {f"{value / 100:.2f}" for value in known} | {str(value) for value in known}
    rules = {"400", "1800", "2"} | {f"{clause}" for clause in ("8.3.1", "8.3.4", "8.3.3", "8.2.3")}
    halves = {texts.catalogue("en").points(value) for value in known if value >= 0}
    for line in lines(made, data, player_id)[1:]:
        if "list of" in line or ("20" in line and " to " in line) or "rule book" in line.lower():
            continue
        for number in re.findall(r"(?<![\w-])\d+(?:\.\d+)*", re.sub(r"\d{4}-\d{2}", "", line)):
            assert number in rounded | rules | halves, (number, line)


def test_the_sheet_of_a_tournament(made, data):
    (sheet,) = explain.tournament(made, data, "open")
    # Seven games: five rated for both, two in which the unrated opponent pools what Maria's side does not count.
    assert sheet["counts"] == {"rated": 10, "pool": 2, "none": 2 + ABSENT}
    maria = next(row for row in sheet["players"] if row["player_id"] == "Maria")
    assert (maria["n"], maria["w_c"], maria["dr_c"], maria["change_c"]) == (5, 350, 62, 1240)
    rows = list(csv.DictReader(io.StringIO(show.sheet_csv([sheet]))))
    maria = next(row for row in rows if row["player_id"] == "Maria")
    assert (maria["w"], maria["we"], maria["dr"], maria["change"]) == ("3.50", "2.88", "0.62", "12.40")
    assert maria["not_counted"] == "6 opponent_unrated; 7 opponent_unrated"


def test_cells_of_a_spreadsheet_are_no_formulas():
    sheet = {
        "tournament": {"tournament_id": "=1+1", "part": 1},
        "not_counted": [],
        "players": [dict.fromkeys([*show.SHEET, "scale"]) | {"name": "@import", "start_no": 1, "dr_c": -62}],
    }
    row = next(csv.DictReader(io.StringIO(show.sheet_csv([sheet]))))
    assert (row["tournament_id"], row["name"], row["dr"]) == ("'=1+1", "'@import", "-0.62")


def test_html_is_one_page_and_escapes_names(made, data):
    facts = explain.player(made, data, "Maria")
    facts["player"]["name"] = "<script>alert(1)</script>"
    page = show.html(words.player(facts, texts.catalogue("es")), "es")
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert '<html lang="es">' in page and "@page" in page
    assert "http" not in page


# --- the command -----------------------------------------------------------------------------------------------------


def test_the_command_on_a_month(month):
    assert folders.command("run", "2025-11", "-C", month.path).code == 0
    rows = (month.path / "lists/2025-11-standard/rating_list.csv").read_text("utf-8").splitlines()
    player = rows[1].split(",")[0]
    for form in ((), ("--json",), ("--html",), ("--lang", "pt")):
        done = folders.command("explain", "2025-11", player, *form, "-C", month.path)
        assert done.code == 0, done.err
        assert player in done.out
    done = folders.command("explain", "2025-11", player, "--json", "-C", month.path)
    assert json.loads(done.out)["player"]["player_id"] == player
    sheet = folders.command("explain", "2025-11", "--tournament", "T1", "--csv", "-C", month.path)
    assert sheet.code == 0 and sheet.out.startswith("tournament_id,part,start_no")


def test_what_the_command_cannot_explain_is_one_line(month):
    assert folders.command("run", "2025-11", "-C", month.path).code == 0
    unknown = folders.command("explain", "2025-11", "nobody", "-C", month.path)
    assert unknown.code == 1 and "nobody" in unknown.err
    sheet = folders.command("explain", "2025-11", "--tournament", "T9", "-C", month.path)
    assert sheet.code == 1 and "T1" in sheet.err
    assert folders.command("explain", "2025-12", "x", "-C", month.path).code == 1
    assert folders.command("explain", "2025-11", "-C", month.path).code == 2
    path = month.path / "lists/2025-11-standard/sides.parquet"
    path.write_bytes(path.read_bytes() + b" ")
    changed = folders.command("explain", "2025-11", "nobody", "-C", month.path)
    assert changed.code == 4 and "F112" in changed.err
