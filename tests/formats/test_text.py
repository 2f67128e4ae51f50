"""Bytes to text, text to a table with true line numbers."""

import pytest

from ratingrun.formats import text


@pytest.mark.parametrize(
    ("raw", "content", "encoding"),
    [
        ("Blé".encode(), "Blé", ""),
        (b"\xef\xbb\xbf" + "Blé".encode(), "Blé", ""),
        ("Blé".encode("cp1252"), "Blé", "Windows-1252"),
    ],
)
def test_text_is_utf8_with_or_without_mark_or_windows_1252(raw, content, encoding):
    found = text.decode(raw)
    assert (found.content, found.encoding, found.why) == (content, encoding, "")


@pytest.mark.parametrize(
    ("raw", "why", "line"),
    [
        (b"", "it is empty", None),
        (b" \r\n\n", "it is empty", None),
        (b"\xef\xbb\xbf", "it is empty", None),
        ("a,b\n".encode("utf-16"), "it is UTF-16 text", None),
        (b"a\r\nb\0", "it is not text", 2),
        (b"a\rb\n\x81", "it is neither UTF-8 nor Windows-1252 text", 3),
    ],
)
def test_what_is_no_text_says_why_and_where(raw, why, line):
    found = text.decode(raw)
    assert (found.why, found.line) == (why, line)


def test_the_line_of_the_first_letter_that_is_not_utf8():
    assert text.decode("a\r\nb\rc\né".encode("cp1252")).line == 4


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_lf_crlf_or_cr_and_nowhere_else(end):
    assert text.lines(end.join(["a", "b\x0cc\u2028d", ""])) == ["a", "b\x0cc\u2028d", ""]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_keeps_its_line_numbers_over_blank_lines(end, mark):
    rows = ["", f" A {mark}b", "", f"1{mark} x ", mark, "", f"2{mark}y"]
    found = text.table(end.join(rows) + end)
    assert found.cells.to_dict("list") == {"a": ["1", "2"], "b": ["x", "y"]}
    assert found.line.tolist() == [4, 7]
    assert found.header_line == 2


def test_rows_of_another_width_are_found_and_empty_cells_beyond_the_header_tolerated():
    found = text.table("a,b,,\n1,2\n3\n4,5,,,,\n6,7,8\n,,,\n")
    assert found.cells.to_dict("list") == {"a": ["1", "4"], "b": ["2", "5"]}
    assert found.ragged.to_dict("list") == {"line": [3, 5], "count": [1, 3], "wanted": [2, 2]}


def test_a_cell_on_two_lines_counts_both_lines():
    found = text.table('a,b\n1,"x\ny"\n2,z\n')
    assert found.line.tolist() == [2, 4]
    assert text.split_cells(found, found.cells["b"]).tolist() == [True, False]


@pytest.mark.parametrize("content", ['a,b\n1,2\n3,"x\n4,5\n', 'a,b\n1,2\n3,"x"y\n'])
def test_a_quote_that_is_not_closed_is_said_with_its_line(content):
    found = text.table(content)
    assert found.why.startswith("it is not CSV (")
    assert found.why.endswith("); is a quote missing?")
    assert found.at == 3


def test_columns_without_a_name_matter_only_with_content():
    assert list(text.table("a,,b\n1,,2\n").cells) == ["a", "b"]
    assert list(text.table("a,,b\n1,x,2\n").cells) == ["a", "(column 2, without a name)", "b"]


def test_a_column_that_stands_twice_is_named():
    assert text.table("a,b,A\n1,2,3\n").repeated == ("a",)


@pytest.mark.parametrize("content", [",,\n,,\n", ",\n;\n,"])
def test_a_table_without_a_named_column_is_none(content):
    found = text.table(content)
    assert list(found.cells) == [] and len(found.line) == 0
