"""Rule books: whole, strict, picked by a date (DESIGN 6). Dates and values from fide-rules sections 1 and 6."""

import csv
import datetime as dt
import shutil
import tomllib
from pathlib import Path

import msgspec
import numpy as np
import pytest

from ratingrun import formulas, rulebooks

SYSTEM = rulebooks.FIDE_STANDARD
SYSTEMS = rulebooks.systems(rulebooks.HERE)
# The two current ones; older revisions may stand before them.
SHIPPED = sorted((rulebooks.HERE / SYSTEM).glob("*.toml"))[-2:]
CURRENT = rulebooks.books(SYSTEM)[-2:]
NAMES = [path.stem for path in SHIPPED]
FIRST = rulebooks.books(SYSTEM)[0].from_


def write(folder, change=lambda text: text, name="2025-10-01.toml"):
    """A copy of the newest book with one change, in a folder of its own."""
    text = SHIPPED[-1].read_text("utf-8")
    changed = change(text)
    assert changed != text or name != "2025-10-01.toml", "the change did not change anything"
    path = folder / SYSTEM / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(changed, "utf-8")
    return path


def replaced(old, new):
    def change(text):
        assert old in text
        return text.replace(old, new)

    return change


# --- the books that come with ratingrun ------------------------------------------------------------------------------


def test_the_two_current_books_of_the_standard_list():
    assert NAMES == ["2024-03-01", "2025-10-01"]
    assert [book.from_ for book in CURRENT] == [dt.date(2024, 3, 1), dt.date(2025, 10, 1)]
    assert len({book.id for book in rulebooks.books(SYSTEM)}) == len(rulebooks.books(SYSTEM))


def leaves(value, key=""):
    if isinstance(value, dict):
        return {path: leaf for name, part in value.items() for path, leaf in leaves(part, f"{key}.{name}").items()}
    if isinstance(value, list):
        return {path: leaf for i, part in enumerate(value) for path, leaf in leaves(part, f"{key}.{i}").items()}
    return {key.lstrip("."): value}


def test_1_october_2025_changed_nothing_but_the_exception_from_2650_up():
    """8.3.1 as amended; no other change was found (fide-rules 0.2)."""
    before, after = (leaves(tomllib.loads(path.read_text("utf-8"))) for path in SHIPPED)
    assert set(before) == set(after)
    changed = {key for key in before if before[key] != after[key]}
    about = {"id", "title", "from", "until", *(key for key in changed if key.endswith(".note"))}
    assert changed - about == {"game.max_difference_below.value"}
    assert after["game.max_difference_below.value"] == 2650
    assert before["game.max_difference_below.value"] > 4000  # above any rating: the limit held for everybody


@pytest.mark.parametrize("book", CURRENT, ids=NAMES)
def test_the_numbers_of_the_regulations(book):
    """Each from the clause named in fide-rules section 1."""
    stated = {key: value.value for key, value in book.stated()}
    numbers = {
        "game.max_difference": 400,  # 8.3.1
        "period.closing_days": 3,  # 7.1.3
        "period.official_closing_days": 1,  # 7.1.3
        "period.late_lists": 3,  # 9.1
        "period.max_kn": 700,  # 8.3.3
        "period.floor": 1400,  # 7.2.1
        "period.max_days": 30,  # 4
        "period.inactive_after": 12,  # 7.2.3, A11
        "initial.draws": 2,  # 8.2.3
        "initial.draws_against": 1800,  # 8.2.3
        "initial.min_games": 5,  # 7.1.4
        "initial.max_rating": 2200,  # 8.2.3
        "initial.min_rating": 1400,  # 7.1.4
        "initial.pool_periods": 26,  # 8.2.2
        "time_control.moves": 60,  # 1.1
        "time_control.first_control_moves": 30,  # 1.2
    }
    assert {key: stated[key] for key in numbers} == numbers
    assert [(band.rated_from, band.minutes) for band in book.time_control.bands] == [(2400, 120), (1800, 90), (0, 60)]
    assert [(row.k, row.conditions) for row in book.k] == [
        (10, {"peak_from": 2400}),
        (40, {"age_until": 18, "peak_below": 2300}),
        (40, {"games_below": 30}),
        (20, {}),
    ]


@pytest.mark.parametrize("book", CURRENT, ids=NAMES)
def test_the_defaults_of_the_ambiguities_are_named_words(book):
    """A1-A18 of fide-rules section 6."""
    words = {key: value.value for key, value in book.stated()}
    assert words["period.rounding"] == "period"  # A1: once
    assert words["game.own_rating"] == "used_in_game"  # A2
    assert words["period.k_list"] == "prior"  # A3
    assert words["initial.p_ties"] == "half_up"  # A4
    assert words["initial.ru_ties"] == "half_up"  # A5
    assert words["initial.void_event"] == "first_only"  # A6
    assert words["game.effective_by"] == "tournament_start"  # A8
    assert words["period.one_sided_rating"] == "prior"  # A9
    assert words["period.after_floor"] == "keep_games_and_peak"  # A10
    assert words["period.rated_at_start_only"] == "pool"  # A10b
    assert words["time_control.unrated_player"] == "lowest_band"  # A14
    assert words["match.decided"] == "more_than_half"  # A15


@pytest.mark.parametrize("book", CURRENT, ids=NAMES)
def test_what_the_text_does_not_say_is_doubtful(book):
    doubtful = {key for key, _ in book.stated() if book.is_doubtful(key)}
    assert {"initial.p_ties", "period.k_list", "period.one_sided_rating", "initial.pool_periods"} <= doubtful
    assert not {"game.max_difference", "period.floor", "period.max_kn", "initial.draws"} & doubtful
    for key, value in book.stated():
        assert value.clause, key
        assert key not in doubtful or value.note, f"{key} rests on somebody's word: say whose"


def test_every_word_that_is_known_belongs_to_a_key():
    whole = [*(book for system in SYSTEMS for book in rulebooks.books(system)), *rulebooks.one_offs()]
    words = {key for one in whole for key, value in one.stated() if isinstance(value, rulebooks.Word)}
    assert set(rulebooks.WORDS) == words


# --- a date picks the book -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (dt.date(2024, 3, 1), "2024-03-01"),
        (dt.date(2025, 9, 30), "2024-03-01"),
        (dt.date(2025, 10, 1), "2025-10-01"),
        (dt.date(2031, 1, 1), "2025-10-01"),
    ],
)
def test_the_book_of_a_day(day, name):
    assert rulebooks.in_force(SYSTEM, day).from_.isoformat() == name


def test_before_the_first_book_there_is_no_default():
    day = FIRST - dt.timedelta(days=1)
    with pytest.raises(rulebooks.RuleBookError, match=f"no rule book for {day}; the first is in force from {FIRST}"):
        rulebooks.in_force(SYSTEM, day)


def test_a_system_without_books_is_named():
    with pytest.raises(rulebooks.RuleBookError, match="no rule books in fide_bullet"):
        rulebooks.in_force("fide_bullet", dt.date(2025, 10, 1))


def test_a_federation_keeps_its_own_books_in_a_folder(tmp_path):
    """Floor 1200 (fide-history 13): the same loader, another folder."""
    write(tmp_path, replaced("floor                 = { value = 1400", "floor                 = { value = 1200"))
    own = rulebooks.in_force(SYSTEM, dt.date(2025, 11, 1), tmp_path)
    assert own.period.floor.value == 1200
    assert rulebooks.in_force(SYSTEM, dt.date(2025, 11, 1)).period.floor.value == 1400
    with pytest.raises(rulebooks.RuleBookError, match="the first is in force from 2025-10-01"):
        rulebooks.in_force(SYSTEM, dt.date(2025, 9, 30), tmp_path)


# --- whole and strict ------------------------------------------------------------------------------------------------

FLOOR = 'floor                 = { value = 1400, unit = "rating points", clause = "7.2.1" }'


def floor(text):
    return replaced(FLOOR, text)


REFUSED = {
    "unknown key": (floor(FLOOR + "\nfloor_rapid = 1"), "floor_rapid.*period"),
    "unknown section": (lambda text: text + "\n[periods]\nmonths = 1\n", "periods"),
    "a key one level too high": (replaced("[tables]", "max_kn = 1\n[tables]"), "max_kn"),
    "unknown key beside a value": (floor(FLOOR.replace("value =", "from = 1, value =")), "from.*period.floor"),
    "unknown condition of K": (replaced("games_below = 30", "games_under = 30"), r"games_under.*\.k\["),
    "missing key": (floor(""), "floor.*period"),
    "missing section": (replaced("[match]", "[matches]"), "match"),
    "missing unit": (floor('floor = { value = 1400, clause = "7.2.1" }'), "unit.*period.floor"),
    "missing clause": (floor('floor = { value = 1400, unit = "points" }'), "clause.*period.floor"),
    "empty clause": (floor('floor = { value = 1400, unit = "points", clause = "" }'), "period.floor has no clause"),
    "missing clause of K": (replaced('k      = 20\nclause = "8.3.3"', "k      = 20"), r"clause.*\.k\["),
    "empty clause of K": (replaced('k      = 20\nclause = "8.3.3"', 'k      = 20\nclause = ""'),
                          "established has no clause"),
    "a float for an integer": (floor(FLOOR.replace("1400", "1400.0")), "`int`, got `float`.*period.floor.value"),
    "a text for an integer": (floor(FLOOR.replace("1400", '"1400"')), "`int`, got `str`.*period.floor.value"),
    "a flag for an integer": (floor(FLOOR.replace("1400", "true")), "`int`, got `bool`.*period.floor.value"),
    "a bad word": (replaced('p_ties          = { value = "half_up"', 'p_ties          = { value = "half_even"'),
                   'initial.p_ties = "half_even" is not known; one of half_up, half_down'),
    "a bad confidence": (replaced('confidence = "B", note = "A3', 'confidence = "D", note = "A3'),
                         "period.k_list.confidence"),
    "a bare value": (floor("floor = 1400"), "period.floor"),
    "no last row for everybody": (lambda text: text.replace('name   = "established"\nk      = 20',
                                                            'name   = "established"\nk      = 20\npeak_below = 9000'),
                                  "last .* row must match everybody"),
    "not a date": (replaced("from   = 2025-10-01", 'from   = "soon"'), "from"),
    "not TOML": (lambda text: text + "\n[period\n", "at line"),
    "a key twice": (floor(FLOOR + "\n" + FLOOR), "at line"),
    "no such table": (replaced('"pd.csv"', '"pd_2031.csv"'), "tables.pd.*pd_2031.csv"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED)
def test_a_book_that_is_not_whole_is_refused_with_file_and_key(change, message, tmp_path):
    path = write(tmp_path, change)
    with pytest.raises(rulebooks.RuleBookError, match=f"(?s){SYSTEM}/2025-10-01.toml: .*{message}"):
        rulebooks.load(path)


def test_a_book_is_named_by_its_date(tmp_path):
    path = write(tmp_path, lambda text: text, "2025-11-01.toml")
    with pytest.raises(
        rulebooks.RuleBookError, match=r"2025-11-01\.toml: from = 2025-10-01 must be the name of the file"
    ):
        rulebooks.load(path)


def test_a_book_that_is_not_utf_8_is_refused(tmp_path):
    path = write(tmp_path, lambda text: text + "# é\n")
    path.write_bytes(path.read_text("utf-8").encode("latin-1"))
    with pytest.raises(rulebooks.RuleBookError, match=r"2025-10-01\.toml"):
        rulebooks.load(path)


def test_a_bad_book_is_not_passed_over_for_an_older_one(tmp_path):
    shutil.copytree(rulebooks.HERE / SYSTEM, tmp_path / SYSTEM)
    write(tmp_path, floor("floor = 1400"))
    with pytest.raises(rulebooks.RuleBookError, match=r"2025-10-01\.toml"):
        rulebooks.in_force(SYSTEM, dt.date(2024, 3, 1), tmp_path)


def line_of(key, path):
    """The line of a file that holds a key, in its section; None if it has no such key."""
    section, _, name = key.rpartition(".")
    here = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            here = line.split("]")[0].strip("[")
        elif here == section and line.split("=")[0].strip() == name:
            return line
    return None


def with_value(key, value, path, folder):
    """A copy of a shipped file, one value another; in a folder of its own, under its own name."""
    line = line_of(key, path)
    old = tomllib.loads(line)[key.rpartition(".")[2]]["value"]
    new = line.replace(f"value = {toml(old)}", f"value = {toml(value)}")
    assert new != line or old == value
    copy = folder / path.parent.name / path.name
    copy.parent.mkdir(parents=True)
    copy.write_text(path.read_text("utf-8").replace(line, new), "utf-8")
    return copy


def toml(value):
    return f'"{value}"' if isinstance(value, str) else str(value)


EVERY_FILE = sorted(
    path for system in (*SYSTEMS, rulebooks.ONE_OFFS) for path in (rulebooks.HERE / system).glob("*.toml")
)


@pytest.mark.parametrize("key", rulebooks.WORDS)
def test_every_word_of_the_catalogue_is_accepted_and_no_other(key, tmp_path):
    shipped = next(path for path in reversed(EVERY_FILE) if line_of(key, path))
    one_off = shipped.parent.name == rulebooks.ONE_OFFS
    for word in (*rulebooks.WORDS[key], "no_such_word"):
        path = with_value(key, word, shipped, tmp_path / word)
        read = (lambda path: rulebooks.one_offs(path.parent.parent)[0]) if one_off else rulebooks.load
        if word == "no_such_word":
            with pytest.raises(rulebooks.RuleBookError, match=f'{key} = "no_such_word" is not known'):
                read(path)
        else:
            assert dict(read(path).stated())[key].value == word


# --- the tables are used from the data file --------------------------------------------------------------------------


def test_another_table_gives_another_pd(tmp_path):
    """One cell of a copy of table 8.1.2 is changed, and the PD of exactly that row changes: no second copy in code."""
    book = rulebooks.books(SYSTEM)[-1]
    with (rulebooks.HERE / book.tables.pd).open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    rows[20]["pd_high"] = "0.71"  # row 154-162, printed .71 is row 21; here row 146-153, printed .70
    own = tmp_path / "pd.csv"
    with own.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    changed = msgspec.structs.replace(book, tables=msgspec.structs.replace(book.tables, pd=str(own)))
    d = np.arange(0, 800)
    printed_pd = formulas.scoring_probability_c(d, *book.pd_table)
    other_pd = formulas.scoring_probability_c(d, *changed.pd_table)
    assert np.flatnonzero(printed_pd != other_pd).tolist() == list(range(146, 154))


def test_another_table_gives_another_dp(tmp_path):
    book = rulebooks.books(SYSTEM)[-1]
    own = tmp_path / "dp.csv"
    text = (rulebooks.HERE / book.tables.dp).read_text("utf-8")
    assert "0.57,50\n" in text
    own.write_text(text.replace("0.57,50\n", "0.57,51\n"), "utf-8")
    changed = msgspec.structs.replace(book, tables=msgspec.structs.replace(book.tables, dp=str(own)))
    assert np.flatnonzero(book.dp_by_p != changed.dp_by_p).tolist() == [57]
    n, w_c, r_sum = np.array([5]), np.array([300]), np.array([9507])
    ru = [formulas.initial_rating(n, w_c, r_sum, 2, 1800, b.dp_by_p)["ru"].tolist() for b in (book, changed)]
    assert ru == [[1922], [1923]]  # F-N01, and one more


def test_no_number_of_the_tables_stands_in_code():
    """Bounds of table 8.1.2 and values of table 8.1.1 that no other rule has."""
    package = Path(rulebooks.__file__).parent.parent
    for path in package.rglob("*.py"):
        text = path.read_text("utf-8")
        for number in ("735", "736", "620", "619", "677", "589", "538"):
            assert number not in text, f"{number} in {path.name}"
