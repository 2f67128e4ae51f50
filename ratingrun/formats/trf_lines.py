"""Report files as characters in one array, and their lines: where each begins and ends, in which file, which number.

Many files are read at once, so that what follows is a handful of array operations, however many files there are.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratingrun.formats import text

LF, CR, BLANK = ord("\n"), ord("\r"), ord(" ")
NOT_TEXT = 20  # a file with more than one zero byte in so many is no text; fewer are damage, a sign like another
FEW = 64  # lengths of lines that are worth a step each
ENCODING = {1: "latin-1", 4: "utf-32-le"}  # of characters so many bytes wide
DAMAGE = b"\x1a"  # what a zero byte is read as


def _windows(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are not UTF-8, as Windows-1252: one sign each, so that no column moves."""
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


WINDOWS = "ratingrun.windows"
codecs.register_error(WINDOWS, _windows)


@dataclass(frozen=True)
class Lines:
    """`codes`: the characters of all files, with room behind; a row of the other arrays a line.

    `raw` is the same as bytes. `file` is the position of the file among those given, `line` counts from 1 in each;
    `end` is behind the last sign.
    """

    codes: np.ndarray
    raw: bytes
    start: np.ndarray
    end: np.ndarray
    file: np.ndarray
    line: np.ndarray

    def text(self, position: int) -> str:
        """One line as text."""
        size = self.codes.itemsize
        return self.raw[self.start[position] * size : self.end[position] * size].decode(ENCODING[size])

    def block(self, which: np.ndarray, width: int, first: np.ndarray | None = None) -> np.ndarray:
        """These lines as a matrix of `width` characters, blanks behind their end; `first` is where each begins."""
        begins = self.start[which] if first is None else first
        found = np.lib.stride_tricks.sliding_window_view(self.codes, width)[begins]
        length = self.end[which] - begins
        short = np.flatnonzero(length < width)
        lengths = np.unique(length[short])
        if len(lengths) > FEW:
            found[np.arange(width) >= length[:, None]] = BLANK
            return found
        for one in lengths:
            found[short[length[short] == one], one:] = BLANK
        return found


def decode(raw: bytes) -> tuple[np.ndarray | None, text.Text]:
    """A file's characters (uint8 if it is ASCII, else uint32 code points) and how it was read; None if it is no text.

    UTF-8, with or without its mark; lines that are not are Windows-1252 (said in `encoding`, with the first such line).
    """
    if raw.startswith(text.WIDE_MARKS):
        return None, text.Text(why="it is UTF-16 text")
    if b"\0" in raw:
        if raw.count(b"\0") * NOT_TEXT > len(raw):
            return None, text.Text(why="it is not text", line=1)
        raw = raw.replace(b"\0", DAMAGE)
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if not raw or raw.isspace():
        return None, text.Text(why="it is empty")
    if raw.isascii():
        return np.frombuffer(raw, "u1"), text.Text("ascii")
    try:
        return _points(raw.decode("utf-8")), text.Text("utf-8")
    except UnicodeDecodeError:
        return _line_by_line(raw)


def _line_by_line(raw: bytes) -> tuple[np.ndarray, text.Text]:
    """Mixed text: what is UTF-8 is read so, byte by byte the rest as Windows-1252 (some bytes of it are no sign)."""
    found, first, other = [], None, False
    for number, piece in enumerate(text.LINE_END_BYTES.split(raw)):
        try:
            line = piece.decode("utf-8")
            other |= not piece.isascii()
        except UnicodeDecodeError:
            line = piece.decode("utf-8", errors=WINDOWS)
            first = number + 1 if first is None else first
        found.append(line)
    name = "Windows-1252" + (" where it is not UTF-8" if other else "")
    return _points("\n".join(found)), text.Text("mixed", encoding=name, line=first)


def _points(content: str) -> np.ndarray:
    return np.frombuffer(content.encode("utf-32-le"), "<u4")


def split(texts: Sequence[np.ndarray], room: int) -> Lines:
    """The lines of these files (of one kind of characters), with `room` blanks behind the last."""
    kind = texts[0].dtype
    encoding = ENCODING[kind.itemsize]
    raw = "\n".encode(encoding).join([*(codes.data for codes in texts), (" " * room).encode(encoding)])
    codes = np.frombuffer(raw, kind)
    size = len(codes) - room
    breaks = codes[:size] == LF
    if b"\r" in raw:
        returns = codes[:size] == CR
        returns[:-1] &= ~breaks[1:]
        breaks |= returns
    ends = np.flatnonzero(breaks)
    starts = np.concatenate([[0], ends[:-1] + 1])
    tail = (codes[ends] == LF) & (ends > starts) & (codes[ends - 1] == CR)
    limits = np.cumsum([len(codes_of) + 1 for codes_of in texts])
    file = np.searchsorted(limits, starts, "right")
    first = np.searchsorted(file, np.arange(len(texts)))
    return Lines(codes, raw, starts, ends - tail, file, np.arange(len(starts)) - first[file] + 1)
