"""Round cells of TRF records, all at once: opponent, colour and result code of each, and which cannot be read.

A cell is ten characters: opponent 1-4, blank, colour 6, blank, result 8, two blanks. As pairs of characters it is five
numbers, and a table of all pairs says what each means: the whole file is read in a few steps.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from ratingrun.formats import trf_columns as tc

PAIRS = 1 << 16
TWO_BLANKS = tc.BLANK << 8 | tc.BLANK
# what a pair of characters says of a number: nothing, a digit behind a blank, two, a digit before a blank, neither
EMPTY, RIGHT, FULL, LEFT, NONE = range(5)


@dataclass(frozen=True)
class Cells:
    """Cells as arrays of shape (records, rounds): `opponent` (0 none), `colour` (0 none, 1 white, 2 black), `code` (its
    place in CODES), `bad` for those that cannot be read, `filled` for those with anything in them."""

    opponent: np.ndarray
    colour: np.ndarray
    code: np.ndarray
    bad: np.ndarray
    filled: np.ndarray


def read(letters: np.ndarray) -> Cells:
    """The cells in these records, a row a line."""
    count = len(letters)
    rounds = (letters.shape[1] - tc.FIRST_ROUND + 1) // tc.PITCH
    whole = np.ascontiguousarray(letters[:, tc.FIRST_ROUND - 1 :])
    parts = _by_pairs(whole) if whole.itemsize == 1 and rounds else _by_letters(whole, count, rounds)
    return Cells(*(part.reshape(count, rounds) for part in parts))


def _by_pairs(whole: np.ndarray) -> tuple[np.ndarray, ...]:
    pairs = np.ascontiguousarray(whole.reshape(-1, tc.PITCH).view("<u2").T)
    value, kind, allowed, colours, results = _tables()
    first, second = pairs[0], pairs[1]
    low, kinds = value[second], kind[second]
    opponent = value[first] * _TENS[kinds] + low
    bad = ~allowed[kind[first] * (NONE + 1) + kinds]
    colour, code = colours[pairs[2]], results[pairs[3]]
    bad |= (colour == tc.NO) | (code == tc.NO) | (pairs[4] != TWO_BLANKS)
    filled = (first != TWO_BLANKS) | (second != TWO_BLANKS) | (pairs[2] != TWO_BLANKS) | (code > 0) | bad
    return opponent, colour, code, bad, filled


_TENS = np.array([1, 10, 100, 10, 1], "i4")  # by how much the second pair of a number moves the first


@functools.cache
def _tables() -> tuple[np.ndarray, ...]:
    """For each pair of characters (the first in the low byte): the number in it and its kind; which kinds may follow
    each other; the colour and the result behind a blank."""
    pair = np.arange(PAIRS)
    first, second = pair & 255, pair >> 8
    one, two = first - tc.ZERO, second - tc.ZERO
    digits = (one >= 0) & (one <= 9), (two >= 0) & (two <= 9)
    blanks = first == tc.BLANK, second == tc.BLANK
    kinds = [blanks[0] & blanks[1], blanks[0] & digits[1], digits[0] & digits[1], digits[0] & blanks[1]]
    kind = np.select(kinds, [EMPTY, RIGHT, FULL, LEFT], NONE).astype("i8")
    value = np.select(kinds[1:], [two, 10 * one + two, one], 0).astype("i4")
    allowed = np.zeros((NONE + 1, NONE + 1), bool)
    allowed[EMPTY, [EMPTY, RIGHT, FULL, LEFT]] = True
    allowed[[RIGHT, FULL], EMPTY], allowed[[RIGHT, FULL], FULL], allowed[[RIGHT, FULL], LEFT] = True, True, True
    allowed[LEFT, EMPTY] = True
    behind = (np.where(blanks[0], table[second], tc.NO).astype("u1") for table in (tc.COLOURS, tc.RESULTS))
    return value, kind, allowed.reshape(-1), *behind


def _by_letters(whole: np.ndarray, count: int, rounds: int) -> tuple[np.ndarray, ...]:
    signs = np.ascontiguousarray(whole.reshape(count * rounds, tc.PITCH).T)
    opponent, bad = tc.numbers(np.moveaxis(signs[:4], 0, -1))
    colour, code = tc.looked_up(tc.COLOURS, signs[tc.COLOUR]), tc.looked_up(tc.RESULTS, signs[tc.RESULT])
    bad |= (colour == tc.NO) | (code == tc.NO) | (signs[list(tc.CELL_BLANKS)] != tc.BLANK).any(axis=0)
    return opponent, colour, code, bad, (signs != tc.BLANK).any(axis=0)
