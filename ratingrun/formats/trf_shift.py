"""Report lines whose columns stand in the wrong place, all by the same: put right, if only one way does it.

Some writers begin the rounds two columns early, leave out a blank or count bytes. The fixed blanks and the shape of the
cells show it; a file that can be put right in one way is, with a warning, any other stays as it is and is refused.
"""

from __future__ import annotations

import numpy as np

from ratingrun.formats import trf_cells
from ratingrun.formats import trf_columns as tc

SHIFTS = (1, -1, 2, -2, 3, -3, 4, -4)  # columns by which a field may stand too far to the right (or left)


def sound(letters: np.ndarray) -> np.ndarray:
    """Which lines keep the fixed blanks and have cells that can be read."""
    good = (letters[:, np.array(tc.BLANKS) - 1] == tc.BLANK).all(axis=1)
    number, bad = tc.numbers(letters[:, tc.START_NO[0] - 1 : tc.START_NO[1]])
    return good & ~bad & (number > 0) & ~trf_cells.read(letters).bad.any(axis=1)


def repaired(letters: np.ndarray) -> tuple[np.ndarray, int, int] | None:
    """The lines of one file put right, the column from which they stood wrong and by how much; None if nothing does it.

    All lines must stand right afterwards. If several repairs do it and do not give the same starting numbers and cells,
    none is taken.
    """
    if sound(letters).mean() > 1 / 2 or not (letters[:, tc.FIRST_ROUND - 3 :] != tc.BLANK).any():
        return None
    found: list[tuple[np.ndarray, int, int]] = []
    for column in tc.FIELDS:
        for shift in SHIFTS:
            moved = _moved(letters, column, shift)
            if moved is not None and sound(moved).all():
                found.append((moved, column, shift))
    if not found or any(not np.array_equal(_games(found[0][0]), _games(other[0])) for other in found[1:]):
        return None
    return found[-1]


def _moved(letters: np.ndarray, column: int, shift: int) -> np.ndarray | None:
    """The lines with what stands from `column` + `shift` on moved to `column`; None if that would lose a sign."""
    gap = np.full((len(letters), abs(shift)), tc.BLANK, letters.dtype)
    begins = column - 1
    if shift > 0:
        lost = letters[:, begins : begins + shift]
        parts = [letters[:, :begins], letters[:, begins + shift :], gap]
    else:
        lost = letters[:, shift:]
        parts = [letters[:, : begins + shift], gap, letters[:, begins + shift : shift]]
    return None if (lost != tc.BLANK).any() else np.concatenate(parts, axis=1)


def _games(letters: np.ndarray) -> np.ndarray:
    """What must not depend on the repair: starting numbers and cells."""
    cells = trf_cells.read(letters)
    start_no, _ = tc.numbers(letters[:, tc.START_NO[0] - 1 : tc.START_NO[1]])
    return np.concatenate([start_no[:, None], cells.opponent, cells.colour, cells.code], axis=1)


def by_bytes(letters: np.ndarray) -> np.ndarray:
    """Lays lines of UTF-8 text whose columns count bytes out by characters, in place; the mask of those lines.

    A line with letters beyond ASCII in the name that stands wrong by characters and right by bytes is such a line.
    """
    first, last = tc.NAME
    changed = np.zeros(len(letters), bool)
    for row in np.flatnonzero(~sound(letters) & (letters > 127).any(axis=1)):
        line = letters[row].tobytes().decode("utf-32-le").encode("utf-8")
        name = line[first - 1 : last].decode("utf-8", errors="replace").ljust(last - first + 1)
        text = line[: first - 1].decode("utf-8", errors="replace") + name
        text += line[last:].decode("utf-8", errors="replace")
        width = letters.shape[1]
        moved = np.frombuffer(text[:width].ljust(width).encode("utf-32-le"), "<u4")
        if len(text.rstrip()) <= width and sound(moved[None])[0]:
            letters[row], changed[row] = moved, True
    return changed
