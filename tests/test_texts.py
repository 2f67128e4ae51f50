"""The catalogue of texts: every language says everything, with the same fields."""

import datetime as dt
import string

import pytest

from ratingrun import texts

ENGLISH = texts.catalogue("en").texts


def fields(text):
    if isinstance(text, dict):
        return {form: fields(words) for form, words in text.items()}
    return sorted({field for _, field, _, _ in string.Formatter().parse(text) if field is not None})


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_language_has_every_sentence_with_the_same_fields(language):
    other = texts.catalogue(language).texts
    assert set(other) == set(ENGLISH)
    for key, text in ENGLISH.items():
        if key == "date.months":
            assert len(other[key]) == 12
        elif key != "date.day":
            assert fields(other[key]) == fields(text), key
            assert all(other[key].values()) if isinstance(text, dict) else other[key].strip(), key


def test_the_words_of_the_field():
    """DESIGN 4 and the issue: K and PD stay, the floor is "piso", the first rating has its name in each language."""
    assert texts.catalogue("pt")("initial.title") == "Rating inicial"
    assert texts.catalogue("es")("initial.title") == "Valoración inicial"
    for language in ("pt", "es"):
        say = texts.catalogue(language)
        assert say("head.pd") == "PD" and say("head.k") == "K"
        assert "piso" in say("ledger.floor")


@pytest.mark.parametrize(("language", "written"), [("en", "-18.60"), ("pt", "-18,60"), ("es", "-18,60")])
def test_numbers_are_written_as_the_language_writes_them(language, written):
    say = texts.catalogue(language)
    assert say.hundredths(-1860) == written
    assert say.hundredths(8, signed=True) == "+0" + written[-3] + "08"
    assert say.points(350) == "3" + written[-3] + "5"
    assert (say.points(300), say.points(0), say.points(1000)) == ("3", "0", "10")


def test_days_and_forms():
    day = dt.date(2025, 11, 1)
    assert [texts.catalogue(language).day(day) for language in texts.LANGUAGES] == [
        "1 November 2025",
        "1 de novembro de 2025",
        "1 de noviembre de 2025",
    ]
    assert texts.catalogue("en")("word.games", n=1) == "1 game"
    assert texts.catalogue("es")("word.games", n=2) == "2 partidas"


def test_a_code_without_a_text_is_said_as_it_stands():
    assert texts.catalogue("en").get("reason", "some_new_reason") == "some new reason"
