"""The columns of a player's record (001) in TRF, and the arithmetic of blocks of characters.

A matrix of characters (a row a line, a column a column of the file; uint8 or uint32) comes in; numbers, words and masks
of what is neither come out, for all lines at once.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

# columns from 1, both ends included
START_NO, SEX_TITLE, NAME, RATING = (5, 8), (10, 13), (15, 47), (49, 52)
FEDERATION, PLAYER_ID, BIRTH, POINTS = (54, 56), (58, 68), (70, 79), (81, 84)
BLANKS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
FIRST_ROUND, PITCH = 92, 10  # a cell: opponent 1-4, blank, colour 6, blank, result 8, two blanks
COLOUR, RESULT, CELL_BLANKS = 5, 7, (4, 6, 8, 9)
FIELDS = (5, 10, 15, 49, 54, 58, 70, 81, 86, 92)  # where a shift may begin
BLANK, ZERO, HALF = ord(" "), ord("0"), ord("½")
CODES = ("", *"1=0+-WDLHFUZ*")  # TRF16, and * for a game that is not finished
HALVES = np.array(
    [{"1": 2, "+": 2, "W": 2, "F": 2, "U": 2, "=": 1, "D": 1, "H": 1}.get(code, 0) for code in CODES], "i2"
)
BYES = [CODES.index(code) for code in "HFUZ"]
NO = 255  # in the tables below: not a sign of this column
TEXT = pd.StringDtype("pyarrow", na_value=np.nan)


def _table(signs: dict[str, int]) -> np.ndarray:
    table = np.full(256, NO, "u1")
    for sign, value in signs.items():
        table[[ord(sign.upper()), ord(sign.lower())]] = value
    return table


COLOURS = _table({" ": 0, "-": 0, "w": 1, "b": 2})
RESULTS = _table({(code or " "): place for place, code in enumerate(CODES)})
RESULTS[HALF] = CODES.index("=")


def looked_up(table: np.ndarray, letters: np.ndarray) -> np.ndarray:
    """The value of each character in one of the tables; what is beyond Latin-1 is none of them."""
    return table[letters] if letters.itemsize == 1 else table[np.minimum(letters, NO)]


def numbers(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers in blocks of characters (..., width), 0 for blanks, and the mask of the blocks that are neither."""
    columns = np.moveaxis(block, -1, 0)
    number = np.zeros(columns.shape[1:], "i4")
    bad = np.zeros(columns.shape[1:], bool)
    inside, ended = bad.copy(), bad.copy()
    for letters in columns:
        value = letters - np.array(ZERO, letters.dtype)  # wraps around: what is below 0 becomes large
        digit = value <= 9
        number = np.where(digit, number * 10 + value.astype("i4") * digit, number)
        bad |= (~digit & (letters != BLANK)) | (digit & ended)
        ended |= inside & ~digit
        inside = digit
    return number, bad


def block(letters: np.ndarray, columns: tuple[int, int]) -> np.ndarray:
    """The characters between two columns; blanks where the lines are shorter."""
    first, last = columns
    return np.ascontiguousarray(letters[:, first - 1 : last])


def words(letters: np.ndarray, columns: tuple[int, int]) -> pa.Array:
    """The text between two columns, stripped, "" for nothing, as Arrow text."""
    return text_of(block(letters, columns))


def text_of(found: np.ndarray) -> pa.Array:
    """Rows of characters as Arrow text, stripped."""
    rows, width = found.shape
    if found.itemsize == 1:
        raw = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), rows, [None, pa.py_buffer(found)])
        return pc.ascii_trim_whitespace(raw.cast(pa.large_binary()).cast(pa.large_string()))
    text = np.ascontiguousarray(found, "<u4").view(f"<U{width}").reshape(-1)
    return pc.utf8_trim_whitespace(pa.array(text.tolist(), pa.large_string()))


def filled(text: pa.Array) -> pa.Array:
    """The text with null for nothing."""
    return pc.if_else(pc.equal(text, ""), None, text)


def series(text: pa.Array | pa.ChunkedArray) -> pd.Series:
    """Arrow text as a column of a frame."""
    return pd.Series(TEXT.__from_arrow__(text))


def distinct(text: pa.Array) -> tuple[list[str], np.ndarray]:
    """The spellings in a column and, of each row, which it is: what is slow is done once for each spelling."""
    found = text.dictionary_encode()
    return found.dictionary.to_pylist(), found.indices.to_numpy()


def taken(values: list[str | None], which: np.ndarray) -> pa.Array:
    """The text of each row, from a short list."""
    source = pa.array(values, pa.large_string())
    return source.take(pa.array(which))


def signs(values: tuple[str | None, ...], which: np.ndarray) -> pa.Array:
    """The text of each row where every text is one ASCII character, nothing or null."""
    letter = np.array([ord(value) if value else 0 for value in values], "u1").take(which)
    there = letter > 0
    if there.all():
        offsets = np.arange(len(which) + 1)
    else:
        offsets = np.zeros(len(which) + 1, "i8")
        np.cumsum(there, out=offsets[1:])
        letter = letter[there]
    buffers = [pa.py_buffer(offsets), pa.py_buffer(letter)]
    if None in values and len(letter) < len(which):
        known = np.array([value is not None for value in values]).take(which)
        buffers.append(pa.py_buffer(np.packbits(known, bitorder="little")))
    return pa.LargeStringArray.from_buffers(len(which), *buffers)


def repeated(values: list[str], counts: np.ndarray) -> pa.Array:
    """Each text as often as its count says, in order."""
    raw = [value.encode() for value in values]
    offsets = np.zeros(int(counts.sum()) + 1, "i8")
    np.cumsum(np.repeat(np.array([len(value) for value in raw], "i8"), counts), out=offsets[1:])
    data = b"".join(value * count for value, count in zip(raw, counts.tolist(), strict=True))
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))
