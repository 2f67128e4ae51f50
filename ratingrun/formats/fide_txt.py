"""FIDE's rating lists as text, 2001 to now: fixed columns by the table of `fide_layouts`, read as one array of bytes.

`columns` gives what stands there, as Arrow columns; `read` makes of it the list that `adopt` and others take.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import findings
from ratingrun.formats import fide_layouts, fide_lists
from ratingrun.formats import trf_columns as tc
from ratingrun.formats.fide_layouts import Layout

LF, CR, END_OF_FILE = 10, 13, b"\x1a"
CHUNK, PIECE = 1 << 13, 1 << 18  # lines, bytes at once: what stays in the processor's memory
NUMBERS = frozenset(
    ("rating", "games", "k", *(f"{kind}_{name}" for kind in ("standard", "rapid", "blitz") for name in
                               ("rating", "games", "k")))
)  # fmt: skip
KEYED = ("player_id", "name")  # fields of a spelling for each player
SAMPLE = 50  # lines that show the layout
LOWER_LETTERS = (0x80, 0xA7)  # letters here and in no Latin-1: the names of a DOS code page


def recognised(raw: bytes) -> Layout | None:
    """The layout of a list, by the length of its lines and where its first players' numbers stand; None if it is none.

    `raw` may be the beginning of the file.
    """
    lines = [line.rstrip(b"\r") for line in raw[: 1 << 16].split(b"\n")[:SAMPLE]]
    players = [line for line in lines[:-1] or lines if line.strip(b" \x1a") and _is_player(line)]
    if not players:
        return None
    lengths = [len(line) for line in players]
    usual = max(set(lengths), key=lengths.count)
    for layout in fide_layouts.by_length(usual):
        good = sum(_fits(line, layout) or (len(line) > layout.length and _overflows(line, layout)) for line in players)
        if good >= max(1, 3 * len(players) // 4):
            return layout
    return None


def _is_player(line: bytes) -> bool:
    """Whether a line begins with a number, as every player's does and no header."""
    return line[:15].split()[:1] != [] and line[:15].split()[0].isdigit()


def _fits(line: bytes, layout: Layout) -> bool:
    """Whether federation, rating and the year stand where the layout says."""

    def at(name: str) -> bytes:
        first, last = layout.fields[name]
        return line[first - 1 : last]

    rating = "rating" if "rating" in layout.fields else "standard_rating"
    first, last = layout.fields[rating]
    around = line[first - 2 : first - 1] + line[last : last + 1]
    good = at("player_id").strip().isdigit() and at("federation").strip().isalpha() and not around.strip()
    number = at(rating).strip()
    year = at("birthday").strip(b" .")[-2:] if "birthday" in layout.fields else b""
    return good and (number.isdigit() or not number) and (year.isdigit() or not year)


def columns(raw: bytes | np.ndarray, layout: Layout) -> tuple[dict[str, object], np.ndarray, pd.DataFrame]:
    """What stands in each field (numbers as int32 arrays, -1 for what is none; text as Arrow), the line of each player,
    and what could not be read: (line, field, value)."""
    codes = raw if isinstance(raw, np.ndarray) else np.frombuffer(raw, "u1")
    matrix, line, extra = _lines(codes, layout)
    found: dict[str, object] = {}
    blocks: dict[str, np.ndarray] = {}
    rows = len(matrix)
    for name, (first, last) in layout.fields.items():
        if name in NUMBERS:
            found[name] = np.empty(rows, "i4")
        else:
            blocks[name] = np.empty((rows, last - first + 1), "u1")

    spans = {name: layout.fields[name] for name in found}
    left, right = min(first for first, _ in spans.values()), max(last for _, last in spans.values())

    def part(begin: int) -> None:
        some = matrix[begin : begin + CHUNK]
        for name, block in blocks.items():
            first, last = layout.fields[name]
            block[begin : begin + CHUNK] = some[:, first - 1 : last]
        signs = np.ascontiguousarray(some[:, left - 1 : right].T)
        for name, (first, last) in spans.items():
            found[name][begin : begin + CHUNK] = _numbers(signs[first - left : last - left + 1])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(part, range(0, rows, CHUNK)))
        ways = [_text if name in KEYED else _few for name in blocks]
        texts = dict(zip(blocks, pool.map(lambda way, block: way(block), ways, blocks.values()), strict=True))
    unread = [_unread(matrix, line, name, layout, found[name] < 0) for name in found]
    _overflown(extra, layout, found, texts, blocks, line, unread)
    return {**texts, **found}, line, pd.concat(unread, ignore_index=True) if unread else _no_unread()


def _numbers(signs: np.ndarray) -> np.ndarray:
    """The numbers in columns of characters (width, lines), 0 for blanks, -1 for what is neither. int16."""
    number = np.zeros(signs.shape[1], "i2")
    bad, inside, ended = (np.zeros(signs.shape[1], bool) for _ in range(3))
    for letters in signs:
        value = letters - np.uint8(tc.ZERO)  # wraps around: what is below 0 becomes large
        digit = value <= _NINE
        number *= digit.view("u1") * _NINE + _ONE
        value *= digit
        number += value
        bad |= (digit & ended) | ~(digit | (letters == tc.BLANK))
        ended |= inside & ~digit
        inside = digit
    if bad.any():
        number[bad] = -1
    return number


_ONE, _NINE = np.uint8(1), np.uint8(9)


def _lines(codes: np.ndarray, layout: Layout) -> tuple[np.ndarray, np.ndarray, list[tuple[int, bytes]]]:
    """The players' lines as a matrix as wide as the layout, their numbers, and (row, line) of those that are longer."""
    first = np.flatnonzero(codes[: 1 << 12] == LF)
    stride = int(first[1] - first[0]) if len(first) > 1 else 0
    body = len(codes) - int(first[0] + 1) if len(first) else 0
    if stride > layout.length and body and body % stride == 0:
        matrix = codes[first[0] + 1 :].reshape(-1, stride)
        if (matrix[:, -1] == LF).all() and _line_ends(codes) == len(matrix) + 1:
            head = bytes(codes[: first[0]]).rstrip(b"\r")
            if not _is_player(head):
                return matrix[:, : layout.length], np.arange(2, len(matrix) + 2), []
    breaks = np.flatnonzero(codes == LF)
    ends = np.append(breaks, len(codes)) if not len(breaks) or breaks[-1] != len(codes) - 1 else breaks
    starts = np.concatenate([[0], ends[:-1] + 1])
    ends = ends - ((ends > starts) & (codes[np.maximum(ends - 1, 0)] == CR))
    room = np.concatenate([codes, np.full(layout.length, tc.BLANK, "u1")])
    matrix = np.lib.stride_tricks.sliding_window_view(room, layout.length)[starts]
    matrix[np.arange(layout.length) >= (ends - starts)[:, None]] = tc.BLANK
    low, high = layout.fields["player_id"]
    number, bad = tc.numbers(matrix[:, low - 1 : high])
    player = np.flatnonzero(~bad & (number > 0) | bad & _some_digit(matrix[:, low - 1 : high]))
    long = np.flatnonzero((ends - starts)[player] > layout.length)
    tails = [(int(row), bytes(codes[starts[player[row]] : ends[player[row]]])) for row in long]
    return matrix[player], player + 1, [(row, tail) for row, tail in tails if _overflows(tail, layout)]


def _line_ends(codes: np.ndarray) -> int:
    """How many line ends there are, counted in pieces that stay in the processor's memory."""
    hits, count = np.empty(PIECE, bool), 0
    for begin in range(0, len(codes), PIECE):
        some = codes[begin : begin + PIECE]
        count += np.count_nonzero(np.equal(some, LF, out=hits[: len(some)]))
    return count


def _overflows(line: bytes, layout: Layout) -> bool:
    """Whether a longer line is longer because its other titles go on behind their last column."""
    last = layout.fields.get("o_title", (0, 0))[1]
    return last > 0 and line[last - 1 : last].strip() != b"" and line[last : last + 1].strip() != b""


def _some_digit(block: np.ndarray) -> np.ndarray:
    """Lines that begin as a player's, although the id cannot be read."""
    first = block[:, 0] - np.array(tc.ZERO, block.dtype) <= 9
    return first & ~(block == tc.BLANK).all(axis=1)


def _text(block: np.ndarray) -> pa.Array:
    """Stripped text; names in no ASCII letter by letter (see `letters`)."""
    rows, width = block.shape
    raw = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), rows, [None, pa.py_buffer(block)])
    if not (block > 127).any():
        return pc.ascii_trim_whitespace(raw.cast(pa.large_binary()).cast(pa.large_string()))
    return pa.array([letters(value).strip() for value in raw.to_pylist()], pa.large_string())


def _few(block: np.ndarray) -> pa.Array:
    """Text of few spellings, as Arrow's dictionary: each is stripped once."""
    raw = pa.FixedSizeBinaryArray.from_buffers(pa.binary(block.shape[1]), len(block), [None, pa.py_buffer(block)])
    coded = raw.dictionary_encode()
    spellings = pa.array([letters(value).strip() for value in coded.dictionary.to_pylist()], pa.large_string())
    return pa.DictionaryArray.from_arrays(coded.indices, spellings)


def letters(raw: bytes) -> str:
    """A name of a list that says no code page: bytes that are letters in CP850 alone decide for it, else Latin-1."""
    dos = any(LOWER_LETTERS[0] <= byte <= LOWER_LETTERS[1] for byte in raw)
    return raw.decode("cp850" if dos else "cp1252", errors="replace")


def _no_unread() -> pd.DataFrame:
    return pd.DataFrame({"row": pd.Series([], dtype="int64"), "field": [], "value": []})


def _unread(matrix: np.ndarray, line: np.ndarray, name: str, layout: Layout, bad: np.ndarray) -> pd.DataFrame:
    which = np.flatnonzero(bad)
    first, last = layout.fields[name]
    value = [letters(bytes(matrix[row, first - 1 : last])).strip() for row in which]
    return pd.DataFrame({"row": which, "field": name, "value": value})


def _overflown(
    extra: list[tuple[int, bytes]],
    layout: Layout,
    found: dict[str, object],
    texts: dict[str, pa.Array],
    blocks: dict[str, np.ndarray],
    line: np.ndarray,
    unread: list[pd.DataFrame],
) -> None:
    """Lines that are longer because the other titles are: what stands behind them is found from the right end."""
    if not extra or "o_title" not in layout.fields:
        return
    after = layout.fields["o_title"][1]
    changed: dict[str, dict[int, str]] = {}
    for row, raw in extra:
        more = len(raw) - layout.length
        for name, (first, last) in layout.fields.items():
            if last < after:
                continue
            begin = first - 1 + (more if first > after else 0)
            piece = raw[begin : last + more]
            if name in NUMBERS:
                value = piece.strip()
                good = value.isdigit() or not value
                found[name][row] = int(value or 0) if good else -1
            else:
                changed.setdefault(name, {})[row] = letters(piece).strip()
    for name, values in changed.items():
        column = texts[name].to_pylist()
        for row, value in values.items():
            column[row] = value
        texts[name] = pa.array(column, pa.large_string())
    rows = {row for row, _ in extra}
    for place, part in enumerate(unread):
        still = [found[name][row] < 0 for name, row in zip(part["field"], part["row"], strict=True)]
        unread[place] = part[~part["row"].isin(rows) | pd.Series(still, index=part.index, dtype=bool)]


def read(raw: bytes, file: str, rating_type: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The list of a type in these bytes, as `fide_lists.frame` gives it, and F101, F105, F106, F108, F230-F235."""
    raw = raw.removeprefix(b"\xef\xbb\xbf").rstrip(END_OF_FILE)
    layout = recognised(raw)
    if layout is None:
        why = "its lines are not those of a FIDE list in any layout known"
        return fide_lists.nothing(), findings.of("F101", file=file, why=why)
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    fields, line, unread = columns(raw, layout)
    found = [_code_pages(fields["name"], raw, line, file)]
    bad = unread.assign(line=line[unread["row"]]).rename(columns={"field": "column"}).drop(columns="row")
    found.append(findings.of("F105", bad, file=file, wanted="a number, 0 or blank") if len(bad) else findings.none())
    frame, news = fide_lists.frame(fields, line, file, rating_type)
    return frame, findings.join([*found, news])


def _code_pages(names: pa.Array, raw: bytes, line: np.ndarray, file: str) -> pd.DataFrame:
    """F230 if there are names beyond ASCII: the list does not say in which code page."""
    if raw.isascii():
        return findings.none()
    count = sum(not name.isascii() for name in names.to_pylist())
    return findings.of("F230", file=file, count=count) if count else findings.none()
