"""Text as whole numbers: what goes in comes out, and the order of the numbers is the order of the texts."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratingrun import coded
from ratingrun.contract import ContractError, Frame
from ratingrun.frames import SIDES
from ratingrun.stages import codes

TEXTS = st.lists(st.one_of(st.none(), st.text("abZ09/é|", max_size=4)), max_size=30)
NUMBERS = st.lists(st.integers(0, 40), max_size=40)


def series(texts):
    return pd.Series(texts, dtype="str")


def said(column):
    return [None if pd.isna(text) else text for text in column]


@given(TEXTS)
def test_coded_and_plain_again(texts):
    found = coded.coded(series(texts))
    assert said(coded.plain(found)) == texts and coded.plain(found).dtype == "str"
    known = said(coded.words(found))
    assert known == sorted({text for text in texts if text is not None}, key=str.encode)
    assert [known[code] if code >= 0 else None for code in found.array.codes] == texts


@given(TEXTS)
def test_a_category_in_another_order_is_put_in_order(texts):
    words = sorted({text for text in texts if text is not None}, reverse=True)
    found = coded.coded(pd.Series(pd.Categorical(texts, categories=pd.Index(words, dtype="str"))))
    assert said(coded.plain(found)) == texts and said(coded.words(found)) == sorted(words)


@given(TEXTS, TEXTS)
def test_one_below_the_other_has_the_words_of_both(one, other):
    found = coded.joined([coded.coded(series(one)), coded.coded(series(other))])
    assert said(coded.plain(found)) == one + other
    assert said(coded.words(found)) == sorted({text for text in one + other if text is not None})


@given(TEXTS, st.data())
def test_other_texts_at_some_places(texts, data):
    at = data.draw(st.lists(st.integers(0, len(texts) - 1), unique=True)) if texts else []
    new = data.draw(st.lists(st.text("abyz", max_size=3), min_size=len(at), max_size=len(at)))
    expected = list(texts)
    for place, text in zip(at, new, strict=True):
        expected[place] = text
    for column in (series(texts), coded.coded(series(texts))):
        assert said(coded.plain(coded.put(column, np.array(at, "int64"), series(new)))) == expected


def test_127_and_more_words():
    """The numbers of 127 words fit into eight bits, those of 128 do not."""
    for count in (126, 127, 128, 129, 40_000):
        texts = [f"{number:06}" for number in range(count)] + [None]
        found = coded.used(coded.coded(series(texts)))
        assert said(coded.plain(found)) == texts
        few = coded.used(found.iloc[[0, count - 1, count]])
        assert said(coded.words(few)) == [texts[0], texts[count - 1]] and said(coded.plain(few)) == [*few[:2], None]


@given(TEXTS, st.lists(st.text("abZ09/é|", max_size=4), unique=True))
def test_where_a_text_stands_is_the_same_coded_or_not(texts, among):
    expected = [among.index(text) if text in among else -1 for text in texts]
    for values in (series(texts), coded.coded(series(texts))):
        assert codes.place(values, series(among)).tolist() == expected
        code, known = codes.encode(values)
        assert [known[one] if one >= 0 else None for one in code] == texts and known.is_unique


@given(NUMBERS, NUMBERS, st.sampled_from([1, 10**6]))
def test_the_first_place_of_a_number_by_table_or_by_search(keys, among, far):
    """Numbers near each other are looked up in a table, others by searching."""
    keys, among = np.array(keys, "int64") * far, np.array(among, "int64") * far
    expected = [among.tolist().index(key) if key in among else -1 for key in keys]
    assert codes.match(keys, among).tolist() == expected


def test_words_by_position():
    found = codes.words(["rated", "", "pool"], np.array([2, 1, 0, -1]))
    assert said(found) == ["pool", None, "rated", None] and said(coded.words(found)) == ["pool", "rated"]


def test_no_number_is_cut_off_where_it_is_stored_narrow():
    with pytest.raises(ContractError, match="32 bits"):
        codes.narrow(np.array([2**31]), np.array([False]))
    line = Frame("x", "", ("line",), tuple(one for one in SIDES.columns if one.name == "line"))
    with pytest.raises(ContractError, match="line"):
        line.build(pd.DataFrame({"line": [2**31]}))
    assert line.build(pd.DataFrame({"line": [2**31 - 1]}))["line"].tolist() == [2**31 - 1]


@pytest.mark.parametrize("among", [["b", "b", "c"], ["z", "b", "b", None, "q", "c", "w", "b"], [], [None]])
def test_whether_a_text_is_one_of_others(among):
    """However often it stands there, whichever side is longer, coded or not; no text is none of them."""
    values, others = pd.Series(["a", "b", None, "c"], dtype="str"), pd.Series(among, dtype="str")
    wanted = [text is not None and text in among for text in ("a", "b", None, "c")]
    for some in (values, coded.coded(values)):
        for few in (others, coded.coded(others), pd.Index(others)):
            assert codes.isin(some, few).tolist() == wanted
