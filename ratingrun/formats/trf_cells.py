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
    signs = whole.reshape(-1, tc.PITCH)
    first, second, third, fourth, last = np.ascontiguousarray(signs.view("<u2").T)
    high, low, colours, results = _tables()
    hundreds, rest, colour, code = high.take(first), low.take(second), colours.take(third), results.take(fourth)
    opponent = hundreds.astype("i2")
    opponent *= _HUNDRED
    opponent += rest & _VALUE
    bad = (colour == tc.NO) | (code == tc.NO) | (last != TWO_BLANKS)
    odd = (hundreds == tc.NO) | (rest == tc.NO) | ((hundreds > 0) & (rest < _TWO))
    if len(other := np.flatnonzero(odd)):  # numbers that do not stand to the right, zeros in front, no numbers
        opponent[other], wrong = tc.numbers(signs[other, :4])
        bad[other] |= wrong
    filled = (first != TWO_BLANKS) | (second != TWO_BLANKS) | (third != TWO_BLANKS) | (code > 0) | bad
    return opponent, colour, code, bad, filled


_HUNDRED, _TWO, _VALUE = np.int16(100), np.uint8(128), np.uint8(127)


@functools.cache
def _tables() -> tuple[np.ndarray, ...]:
    """For each pair of characters (the first in the low byte) what it says, NO for what is rare or wrong: as the first
    half of a number (1 to 99; 0 for blanks), as its second half (with 128 added where both are digits), the colour and
    the result behind a blank."""
    pair = np.arange(PAIRS)
    first, second = pair & 255, pair >> 8
    one, two = first - tc.ZERO, second - tc.ZERO
    blanks = first == tc.BLANK, second == tc.BLANK
    digits = (one >= 0) & (one <= 9), (two >= 0) & (two <= 9)
    kinds = [blanks[0] & blanks[1], blanks[0] & digits[1] & (two > 0), digits[0] & digits[1]]
    full = 10 * one + two
    high = np.select(kinds, [0, two, np.where(one > 0, full, tc.NO)], tc.NO).astype("u1")
    low = np.select(kinds, [0, two, full + int(_TWO)], tc.NO).astype("u1")
    behind = (np.where(blanks[0], table[second], tc.NO).astype("u1") for table in (tc.COLOURS, tc.RESULTS))
    return high, low, *behind


def _by_letters(whole: np.ndarray, count: int, rounds: int) -> tuple[np.ndarray, ...]:
    signs = np.ascontiguousarray(whole.reshape(count * rounds, tc.PITCH).T)
    opponent, bad = tc.numbers(np.moveaxis(signs[:4], 0, -1))
    colour, code = tc.looked_up(tc.COLOURS, signs[tc.COLOUR]), tc.looked_up(tc.RESULTS, signs[tc.RESULT])
    bad |= (colour == tc.NO) | (code == tc.NO) | (signs[list(tc.CELL_BLANKS)] != tc.BLANK).any(axis=0)
    return opponent, colour, code, bad, (signs != tc.BLANK).any(axis=0)
