"""Books that are not whole: dates, kinds, clauses - each refused with file, key and remedy (issue 4, acceptance 4)."""

import shutil

import pytest

from ratingrun import rulebooks, rules_text

SYSTEM = "fide_standard"


def copy(folder, changes=(), system=SYSTEM):
    """A copy of a shipped system, with changes: (file, old, new)."""
    shutil.copytree(rulebooks.HERE / system, folder / system)
    for name, old, new in changes:
        path = folder / system / f"{name}.toml"
        text = path.read_text("utf-8")
        assert old in text, old
        path.write_text(text.replace(old, new, 1), "utf-8")
    return folder


def refused(folder, system=SYSTEM):
    with pytest.raises(rulebooks.RuleBookError) as error:
        rulebooks.books(system, folder)
    return str(error.value)


# --- dates -----------------------------------------------------------------------------------------------------------


def test_a_gap_between_two_books(tmp_path):
    text = refused(copy(tmp_path, [("2024-03-01", "until  = 2025-09-30", "until  = 2025-09-29")]))
    assert text == (
        "fide_standard/2024-03-01.toml: until = 2025-09-29 leaves a gap before 2025-10-01.toml; "
        "write until = 2025-09-30"
    )


def test_two_books_that_overlap(tmp_path):
    text = refused(copy(tmp_path, [("2024-03-01", "until  = 2025-09-30", "until  = 2025-10-01")]))
    assert text.endswith("until = 2025-10-01 overlaps 2025-10-01.toml; write until = 2025-09-30")


def test_a_book_that_is_missing_leaves_a_gap(tmp_path):
    copy(tmp_path)
    (tmp_path / SYSTEM / "2017-07-01.toml").unlink()
    assert "2014-07-01.toml: until = 2017-06-30 leaves a gap before 2022-01-01.toml" in refused(tmp_path)


def test_an_end_before_the_beginning(tmp_path):
    text = refused(copy(tmp_path, [("2025-10-01", "until  = 9999-12-31", "until  = 2025-09-01")]))
    assert "2025-10-01.toml: until = 2025-09-01 is before from" in text


def test_after_the_last_book_there_is_no_default(tmp_path):
    copy(tmp_path, [("2025-10-01", "until  = 9999-12-31", "until  = 2026-12-31")])
    with pytest.raises(rulebooks.RuleBookError, match=r"no rule book for 2027-01-01; the last is .* until 2026-12-31"):
        rulebooks.in_force(SYSTEM, rulebooks.dt.date(2027, 1, 1), tmp_path)


# --- kinds and keys --------------------------------------------------------------------------------------------------

REFUSED = {
    "unknown kind of first rating": ('kind            = "added_draws"', 'kind            = "guess"',
                                     ["$.initial.kind", "guess", "added_draws, half_points"]),
    "unknown kind of time control": ('kind                = "minimum"', 'kind                = "any"',
                                     ["$.time_control.kind", "unchecked, minimum, between"]),
    "no kind": ('kind            = "added_draws"', "", ["kind", "$.initial", "add the key"]),
    "a key of another kind": ("draws           =", "per_half_point  =",
                              ["per_half_point", "$.initial", "take the key out"]),
    "a key of the kind is missing": ("draws_against   =", "# draws_against =",
                                     ["draws_against", "$.initial", "add the key"]),
    "a float for an integer": ("value = 1400, unit", "value = 1400.0, unit", ["$.period.floor.value", "whole number"]),
    "a text for a limit": ('max_kn                = { value = 700', 'max_kn                = { value = "many"',
                           ["$.period.max_kn.value"]),
    "a kind without a clause": ('kind     = "table"\nclause   = "8.1.2"', 'kind     = "table"\nclause   = ""',
                                ["expected.kind has no clause", 'clause = "silent"']),
    "a value without a clause": (', clause = "7.2.1" }', " }", ["clause", "$.period.floor", "add the key"]),
    "two K rows of one name": ('name        = "new"', 'name        = "junior"', ["two [[k]] rows have one name"]),
    "a list that does not exist": ('rating_types = ["standard"]', 'rating_types = ["bullet"]',
                                   ["$.rating_types", "standard, rapid, blitz"]),
    "no list": ('rating_types = ["standard"]', "rating_types = []", ["rating_types is empty"]),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_said_with_file_key_and_remedy(old, new, said, tmp_path):
    text = refused(copy(tmp_path, [("2025-10-01", old, new)]))
    assert text.startswith("fide_standard/2025-10-01.toml: ")
    for part in said:
        assert part in text


def test_a_curve_counts_in_powers_of_ten(tmp_path):
    curve = (
        'kind     = "curve"\nparts = { value = 300, unit = "parts", clause = "1" }\n'
        'odds = { value = 10, unit = "to 1", clause = "1" }\nspread = { value = 400, unit = "points", clause = "1" }'
    )
    text = refused(copy(tmp_path, [("2025-10-01", 'kind     = "table"', curve)]))
    assert text.endswith("2025-10-01.toml: expected.parts = 300 is not known; one of 100, 1000, 10000")


def test_lists_come_in_the_same_months_every_year(tmp_path):
    text = refused(copy(tmp_path, [("2025-10-01", "months                = { value = 1", "months = { value = 5")]))
    assert "period.months = 5 does not divide a year; one of 1, 2, 3, 4, 6, 12" in text


def test_every_list_of_the_book_has_its_limits_of_time(tmp_path):
    rapid = '    { rating_type = "rapid", more_than = 600, less_than = 3600 },\n'
    text = refused(copy(tmp_path, [("2024-12-01", rapid, "")], "fide_rapid_blitz"), "fide_rapid_blitz")
    assert text.endswith("2024-12-01.toml: time_control.limits lacks rapid; add its row")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("below         =", "beneath       =", "beneath"),
        ('clause        = "notice', 'note          = "notice', "clause"),
        ('kind          = "towards"', 'kind          = "away"', "away"),
        ("list    = 2024-03-01", "list    = 2024-04-01", "must be the name of the file"),
    ],
)
def test_a_one_off_is_as_strict(old, new, said, tmp_path):
    copy(tmp_path, [("2024-03-01", old, new)], rulebooks.ONE_OFFS)
    with pytest.raises(rulebooks.RuleBookError, match=f"one_offs/2024-03-01.toml: .*{said}"):
        rulebooks.one_offs(tmp_path)


def test_checking_a_folder_finds_every_fault(tmp_path):
    """`ratingrun rules check DIR`: all files, not the first only."""
    copy(tmp_path, [("2009-07-01", "value = 1250", "value = 12.5"), ("2025-10-01", "value = 2650", 'value = "2650"')])
    good, bad = rules_text.checked(tmp_path)
    assert good == []
    assert [line.split(":")[0] for line in bad] == ["fide_standard/2009-07-01.toml", "fide_standard/2025-10-01.toml"]
    assert rules_text.checked(rulebooks.HERE)[1] == []
    assert "no rule books" in rules_text.checked(tmp_path / SYSTEM)[1][0]
