"""The page as a file: one, self-contained, whole, with the books of today. (How it works: tests/browser.)"""

import re

from ratingrun import calc_page, rulebooks
from ratingrun.uschess import books


def test_the_command_writes_it(said, tmp_path):
    path = tmp_path / "out.html"
    assert said(f"--page {path}")[0] == 0
    assert path.read_text("utf-8") == calc_page.build()


def test_it_asks_for_nothing_from_elsewhere():
    page = calc_page.build()
    assert not re.search(r"""(src|href)\s*=|url\(|@import|\bfetch\(|XMLHttpRequest|import\(""", page)
    assert "default-src 'none'" in page
    assert page.count("<script>") == page.count("</script>") == 1


def test_the_same_page_every_time():
    assert calc_page.build() == calc_page.build()


def test_every_book_is_in_it():
    data = calc_page.data()
    for name in ("standard", "rapid", "blitz"):
        chapter = rulebooks.chapter(name)
        assert [book["id"] for book in data["chapters"][name]["books"]] == [
            b.id for b in rulebooks.books(chapter.system)
        ]
    assert [book["id"] for book in data["uschess"]] == [book.id for book in books.books()]


def test_no_number_of_the_rules_in_the_scripts():
    """They come with the books, but for hundredths, halves, days and the notation of dates."""
    scripts = "".join((calc_page.HERE / name).read_text("utf-8") for name in calc_page.SCRIPTS[1:-1])
    code = re.sub(r"//.*|/(?:[^/\n]|\\/)+/[a-z]*\.(?:test|exec)|/\^.*?\$/|\"[^\"]*\"|`[^`]*`", "", scripts)
    numbers = set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", code))
    assert numbers <= {"0", "1", "2", "3", "4", "5", "7", "8", "10", "12", "50", "100", "0.5", "86400000"}


def test_page_stands_alone(said):
    assert said("")[0] == 2
    assert "stands alone" in said("--page x.html table")[2]
