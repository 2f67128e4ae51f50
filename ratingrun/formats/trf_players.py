"""Player records of TRF, many files at once: matrix of characters -> entries, cells, and what was found in them.

Nothing is guessed. A starting number, a cell or a blank between cells that cannot be read refuses the report with line
and column (F153, F156, F158); what no rating rests on (rating, points, a blank elsewhere) is a warning.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import findings
from ratingrun.formats import content, text, typed
from ratingrun.formats import trf_columns as tc
from ratingrun.formats.trf_cells import Cells

NAMED_TITLES = frozenset(title for title in typed.TITLES.values())
_YEARS = next((c.low, c.high) for c in content.ENTRY_COLUMNS if c.name == "birth_year")


@dataclass(frozen=True)
class Records:
    """Player lines as a matrix of characters, the file of each (its place in `names`), the line, the cells, which of
    the columns BLANKS are not blank. The lines of one file stand together."""

    letters: np.ndarray
    file: np.ndarray
    line: np.ndarray
    names: np.ndarray
    cells: Cells
    gaps: np.ndarray

    def where(self, which: np.ndarray, **columns: object) -> pd.DataFrame:
        """Rows for findings: file and line of these records, and more columns."""
        return pd.DataFrame({"file": self.names[self.file[which]], "line": self.line[which], **columns})


def read(records: Records) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Entries, cells (as `content` declares them, sorted by file, starting number and round) and findings."""
    start_no, bad = tc.numbers(records.letters[:, tc.START_NO[0] - 1 : tc.START_NO[1]])
    bad |= start_no == 0
    code, written, news = _misread(records)
    found = [news, _not_a_number(records, bad), _filled_blanks(records, bad)]
    order = np.argsort((records.file.astype("i8") << 14) + start_no, kind="stable")
    order = order[~bad[order]]
    entries, news = _entries(records, start_no, order)
    found += [news, _points(records, code, start_no, order), _byes(records)]
    return entries, _results(records, code, written, start_no, order), findings.join(found)


def _entries(records: Records, start_no: np.ndarray, order: np.ndarray) -> tuple[pd.DataFrame, pd.DataFrame]:
    letters = records.letters[order, : tc.POINTS[0] - 1]
    rating, bad = tc.numbers(letters[:, tc.RATING[0] - 1 : tc.RATING[1]])
    player_id = tc.words(letters, tc.PLAYER_ID)
    player_id = pc.if_else(pc.equal(pc.ascii_trim(player_id, "0-"), ""), None, player_id)
    spellings, which = tc.distinct(_raw(letters))
    sexes, titles = zip(*map(_sex_and_title, spellings), strict=True) if spellings else ((), ())
    columns = {
        "start_no": start_no[order].astype("int64"),
        "player_id": tc.series(player_id),
        "name": tc.series(tc.filled(tc.words(letters, tc.NAME))),
        "federation": tc.series(pc.utf8_upper(tc.filled(tc.words(letters, tc.FEDERATION)))),
        "sex": tc.series(tc.taken(list(sexes), which)),
        "title": tc.series(tc.taken(list(titles), which)),
        "birth_year": _birth_years(letters),
        "reported_rating": pd.arrays.IntegerArray(rating.astype("int64"), bad | (rating == 0)),
        "file": _files(records, order),
        "line": records.line[order].astype("int64"),
    }
    value = text.shown(tc.series(tc.words(letters[bad], tc.RATING)))
    rows = records.where(order[bad], value=value.to_numpy())
    return pd.DataFrame(columns, copy=False), findings.of("F226", rows)


def _raw(letters: np.ndarray) -> pa.Array:
    """Sex and title as the four characters they stand in, blanks and all."""
    found = tc.block(letters, tc.SEX_TITLE)
    if found.itemsize == 1:
        raw = pa.FixedSizeBinaryArray.from_buffers(pa.binary(4), len(found), [None, pa.py_buffer(found)])
        return raw.cast(pa.large_binary()).cast(pa.large_string())
    return pa.array(np.ascontiguousarray(found, "<u4").view("<U4").reshape(-1).tolist(), pa.large_string())


def _sex_and_title(four: str) -> tuple[str | None, str | None]:
    """Sex and title from columns 10-13. Some writers leave no blank between, or begin the title in column 10."""
    four = four.ljust(4)
    whole = four.strip()
    if four[0] != " " and four[3] == " " and whole.isupper() and whole in NAMED_TITLES and len(whole) > 1:
        return None, whole
    title = four[1:].strip()
    return typed.SEXES.get(four[0].lower()), typed.TITLES.get(title.upper(), title) or None


def _birth_years(letters: np.ndarray) -> pd.arrays.IntegerArray:
    """The year of birth: four digits that stand alone, in whatever shape of date; null if there are none."""
    found = tc.block(letters, tc.BIRTH)
    year, bad = tc.numbers(found[:, :4])
    first = ~bad & (year >= _YEARS[0]) & (found[:, 4] - np.array(tc.ZERO, found.dtype) > 9)
    other = np.flatnonzero(~first)
    other = other[(found[other] != tc.BLANK).any(axis=1)]
    year = np.where(first, year, 0).astype("int64")
    if len(other):
        said = tc.series(tc.text_of(found[other])).str.extract("(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)")[0]
        year[other] = pd.to_numeric(said).fillna(0).astype("int64")
    return pd.arrays.IntegerArray(year, (year < _YEARS[0]) | (year > _YEARS[1]))


def _files(records: Records, order: np.ndarray, times: np.ndarray | None = None) -> pd.Series:
    """The file's name of each of these records, so many times."""
    counts = np.bincount(records.file[order], times, minlength=len(records.names)).astype("i8")
    return tc.series(tc.repeated(records.names.tolist(), counts))


def _rounds(records: Records) -> np.ndarray:
    """How many rounds each record has: as many as the widest line of its file has cells."""
    rounds = records.cells.filled.shape[1]
    if not rounds:
        return np.zeros(len(records.file), "i8")
    begins = np.flatnonzero(np.diff(records.file, prepend=-1))
    filled = np.logical_or.reduceat(records.cells.filled, begins, axis=0)
    widest = (filled * np.arange(1, rounds + 1)).max(axis=1)
    return np.repeat(widest, np.diff(begins, append=len(records.file)))


def _misread(records: Records) -> tuple[np.ndarray, list[str], pd.DataFrame]:
    """Result codes with numbers behind CODES for the cells that cannot be read, their text, and F156 and F158."""
    code = records.cells.code
    if not records.cells.bad.any():
        return code, [], findings.none()
    rounds = code.shape[1]
    which = np.flatnonzero(records.cells.bad)
    whole = np.ascontiguousarray(records.letters[:, tc.FIRST_ROUND - 1 :]).reshape(-1, tc.PITCH)
    signs = np.ascontiguousarray(whole[which])
    gaps = (signs[:, list(tc.CELL_BLANKS)] != tc.BLANK).T
    masks = [
        tc.numbers(signs[:, :4])[1],
        tc.looked_up(tc.COLOURS, signs[:, tc.COLOUR]) == tc.NO,
        (tc.looked_up(tc.RESULTS, signs[:, tc.RESULT]) == tc.NO) & ~gaps.any(axis=0),
    ]
    code = code.astype("i8")
    code.reshape(-1)[which] = np.arange(len(which)) + len(tc.CODES)
    return code, tc.text_of(signs).to_pylist(), _unread(records, which, rounds, signs, masks, gaps)


def _unread(
    records: Records, which: np.ndarray, rounds: int, signs: np.ndarray, masks: list[np.ndarray], gaps: np.ndarray
) -> pd.DataFrame:
    """F156 for filled gaps, opponents and colours that are none, F158 for unknown result codes."""
    row, number = which // rounds, which % rounds + 1
    first = tc.FIRST_ROUND + tc.PITCH * (number - 1)
    bad_opponent, bad_colour, bad_code = masks
    found = []
    if (hit := gaps.any(axis=0)).any():
        inside = np.array(tc.CELL_BLANKS)[gaps.argmax(axis=0)]
        sign = signs[np.arange(len(which)), inside]
        why = [f'"{chr(letter)}" where a blank must stand' for letter in sign[hit]]
        found.append(findings.of("F156", records.where(row[hit], column=(first + inside)[hit], why=why)))
    for mask, part, where, what in (
        (bad_opponent, slice(0, 4), first, "no starting number"),
        (bad_colour, slice(tc.COLOUR, tc.COLOUR + 1), first + tc.COLOUR, "no colour (w, b or -)"),
    ):
        said = tc.text_of(np.ascontiguousarray(signs[mask][:, part])).to_pylist()
        why = [f'round {at}: "{value}" is {what}' for at, value in zip(number[mask], said, strict=True)]
        found.append(findings.of("F156", records.where(row[mask], column=where[mask], why=why)))
    value = [chr(letter) for letter in signs[bad_code][:, tc.RESULT]]
    where = records.where(row[bad_code], column=(first + tc.RESULT)[bad_code], round=number[bad_code], value=value)
    found.append(findings.of("F158", where))
    return findings.join(found)


def _results(
    records: Records, codes: np.ndarray, written: list[str], start_no: np.ndarray, order: np.ndarray
) -> pd.DataFrame:
    """A row a player and round."""
    rounds = _rounds(records)[order]
    used = np.arange(codes.shape[1]) < rounds[:, None]
    in_order = len(order) == len(codes) and bool((np.diff(order) == 1).all())

    def each(cells: np.ndarray) -> np.ndarray:
        return (cells if in_order else cells[order])[used]

    opponent, colour, code, bad = map(each, (records.cells.opponent, records.cells.colour, codes, records.cells.bad))
    result = tc.taken([*tc.CODES, *written], code) if written else tc.signs(tc.CODES, code)
    columns = {
        "start_no": np.repeat(start_no[order].astype("int64"), rounds),
        "round": np.broadcast_to(np.arange(1, codes.shape[1] + 1), used.shape)[used],
        "opponent_no": pd.arrays.IntegerArray(opponent.astype("int64"), (opponent == 0) | bad),
        "colour": tc.series(tc.signs((None, "w", "b"), np.where(bad, 0, colour))),
        "result": tc.series(result),
        "declared": tc.series(pa.nulls(len(code), pa.large_string())),
        "file": _files(records, order, rounds),
        "line": np.repeat(records.line[order].astype("int64"), rounds),
    }
    return pd.DataFrame(columns, copy=False)


def _byes(records: Records) -> pd.DataFrame:
    """F224 for bye codes with an opponent: they are no games, however they came about."""
    cells = records.cells
    place = np.flatnonzero(cells.code >= tc.BYES[0])
    bye = np.isin(cells.code.reshape(-1)[place], tc.BYES) & ~cells.bad.reshape(-1)[place]
    place = place[bye & (cells.opponent.reshape(-1)[place] > 0)]
    row, column = np.divmod(place, max(1, cells.code.shape[1]))
    opponent = cells.opponent[row, column]
    result = [tc.CODES[code] for code in cells.code[row, column]]
    return findings.of("F224", records.where(row, round=column + 1, opponent_no=opponent, result=result))


def _not_a_number(records: Records, bad: np.ndarray) -> pd.DataFrame:
    """F153 for starting numbers that are none: their players would be lost."""
    value = text.shown(tc.series(tc.words(records.letters[bad], tc.START_NO)))
    rows = records.where(np.flatnonzero(bad), value=value.to_numpy())
    wanted = "a whole number from 1 to 9999"
    return findings.of("F153", rows, column=f"columns {tc.START_NO[0]}-{tc.START_NO[1]}, start_no", wanted=wanted)


def _filled_blanks(records: Records, bad: np.ndarray) -> pd.DataFrame:
    """For the first column of each line that must be blank and is not: F156, or F225 if the line stands all the same.

    It does if its starting number and all of its cells can be read in their columns, and the sign does not touch the
    player's id or the cells.
    """
    blanks, filled = np.array(tc.BLANKS), records.gaps
    if not filled.any():
        return findings.none()
    sound = records.cells.filled.any(axis=1) & ~records.cells.bad.any(axis=1) & ~bad
    which = np.flatnonzero(filled.any(axis=1))
    first, last = tc.PLAYER_ID
    core = (blanks < tc.START_NO[1] + 1) | (blanks >= tc.FIRST_ROUND - 2) | np.isin(blanks, (first - 1, last + 1))
    grave = (filled[which] & core).any(axis=1) | ~sound[which]
    at = np.where(grave, (filled[which] & core).argmax(axis=1), 0)
    at = np.where((filled[which] & core).any(axis=1) & grave, at, filled[which].argmax(axis=1))
    column = blanks[at]
    why = [f'"{chr(letter)}" where a blank must stand' for letter in records.letters[which, column - 1]]
    rows = records.where(which, column=column, why=why)
    return findings.join([findings.of("F156", rows[grave]), findings.of("F225", rows[~grave])])


def _points(records: Records, code: np.ndarray, start_no: np.ndarray, order: np.ndarray) -> pd.DataFrame:
    """F221, one a file, if the points of players are not the sum of their results (1 and 1/2, byes included)."""
    halves = _sums(tc.HALVES.take(code) if code.itemsize == 1 else tc.HALVES[np.where(code < len(tc.CODES), code, 0)])
    halves, letters = halves[order], tc.block(records.letters, tc.POINTS)[order]
    said = _said(letters)
    wrong = np.flatnonzero((said >= 0) & (said != halves))
    if not len(wrong):
        return findings.none()
    count = np.bincount(records.file[order[wrong]], minlength=len(records.names))
    _, first = np.unique(records.file[order[wrong]], return_index=True)
    at = order[wrong[first]]
    points = tc.text_of(np.ascontiguousarray(letters[wrong[first]])).to_pylist()
    own = [f"{half / 2:.1f}" for half in halves[wrong[first]]]
    rows = records.where(at, points=points, own=own, start_no=start_no[at], count=count[records.file[at]])
    return findings.of("F221", rows)


def _sums(values: np.ndarray) -> np.ndarray:
    """The sum of each row; rows are short, so that it goes by columns."""
    total = np.zeros(len(values), "i8")
    for column in values.T:
        total += column
    return total


def _said(letters: np.ndarray) -> np.ndarray:
    """The points in these blocks of four characters, in halves; -1 for none. Nearly all are written as 12.5."""
    tens, bad = tc.numbers(letters[:, :2])
    plain = ~bad & (letters[:, 1] != tc.BLANK) & (letters[:, 2] == ord("."))
    plain &= (letters[:, 3] == tc.ZERO) | (letters[:, 3] == ord("5"))
    said = 2 * tens.astype("i8") + (letters[:, 3] == ord("5"))
    if len(other := np.flatnonzero(~plain)):
        spellings, which = tc.distinct(tc.text_of(np.ascontiguousarray(letters[other])))
        said[other] = np.array([_halves(points) for points in spellings], "i8")[which]
    return said


def _halves(points: str) -> int:
    """Points in halves; -1 for none, or for what is no number of halves."""
    try:
        twice = 2 * float(points.replace(",", ".").replace("½", ".5"))
    except ValueError:
        return -1
    return int(twice) if 0 <= twice < 10_000 and twice == int(twice) else -1
