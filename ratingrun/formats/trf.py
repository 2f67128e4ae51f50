"""TRF16, the FIDE tournament report file: well-formed files, read by columns (FIDE Krause format, record 001).

A line is a record only if its first three characters are an id and the fourth is a blank; other lines and unknown
records are passed over. Nothing is guessed: if a fixed blank of a player's line is filled, or a number or a result
is none, the report is refused with line and column (F153, F156, F158).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import findings
from ratingrun.formats import content, inputs, text, typed
from ratingrun.formats.content import Content

# columns of the 001 record, from 1, both ends included
START_NO, SEX, TITLE, NAME, RATING = (5, 8), (10, 10), (11, 13), (15, 47), (49, 52)
FEDERATION, PLAYER_ID, BIRTH = (54, 56), (58, 68), (70, 79)
BLANKS = (4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91)
FIRST_ROUND, PITCH = 92, 10  # a cell: opponent 1-4, blank, colour 6, blank, result 8, two blanks
OPPONENT, COLOUR, RESULT, CELL_BLANKS = slice(0, 4), 5, 7, (4, 6, 8, 9)
MOST_ROUNDS, MOST_PLAYERS = 999, 9999
BLANK, ZERO, NINE = ord(" "), ord("0"), ord("9")
CODES = np.array([ord(code) for code in " " + content.RESULT_CODES])
COLOURS = np.array([ord(code) for code in " -WB"])


def read(raw: bytes, file: str) -> Content:
    """The report in these bytes: name (012), federation (032), players and cells (001); F150, F153, F156-F158, F201.

    Every player has as many rounds as the widest line has cells. A player whose starting number cannot be read is
    left out; a cell that cannot be read stands in `results` as it is written, without opponent and colour.
    """
    decoded = text.decode(raw)
    if decoded.why:
        return Content(findings=findings.of("F150", file=file, line=decoded.line, why=decoded.why))
    lines = pd.Series(text.lines(decoded.content), dtype="str").str.rstrip()
    lines.index = lines.index + 1
    player = lines.str.startswith("001")
    shifted = lines[lines.str.match(r"\s+001\s")]
    found = [inputs.encoding(decoded, file), _shifted(shifted, file)]
    name, federation = _header(lines, "012"), _header(lines, "032")
    records = lines[player]
    if not len(records):
        found.append(findings.of("F157", file=file))
        return Content(name, federation, findings=findings.join(found))
    why = _too_much(records)
    if why:
        return Content(name, federation, findings=findings.join([*found, findings.of("F150", file=file, why=why)]))
    line = records.index.to_numpy("int64")
    letters = _letters(records)
    players, bad = _players(letters, line, file)
    cells, unread = _cells(letters, players["start_no"], line, file)
    numbered = players["start_no"].notna()
    entries = content.entries(players[numbered].reset_index(drop=True), file)
    results = content.results(cells[cells["start_no"].notna()].reset_index(drop=True), file)
    return Content(name, federation, entries, results, findings.join([*found, bad, unread]))


def _shifted(lines: pd.Series, file: str) -> pd.DataFrame:
    """F156 for player lines that do not begin in column 1: their players would be lost."""
    rows = pd.DataFrame({"line": lines.index.to_numpy("int64")})
    return findings.of("F156", rows, file=file, column="1", why="a blank before the record 001")


def _header(lines: pd.Series, record: str) -> str | None:
    """The text of the first header record of this id that has any."""
    said = lines[lines.str.startswith(record + " ")].str.slice(4).str.strip()
    said = said[said != ""]
    return said.iloc[0] if len(said) else None


def _too_much(records: pd.Series) -> str:
    """Why the records cannot be a tournament, if they cannot."""
    if len(records) > MOST_PLAYERS:
        return f"it holds {len(records)} players, more than {MOST_PLAYERS}"
    if records.str.len().max() >= FIRST_ROUND + PITCH * MOST_ROUNDS:
        return f"a player's line holds more than {MOST_ROUNDS} rounds"
    return ""


def _letters(records: pd.Series) -> np.ndarray:
    """The records as code points, a row a line, a column a column; filled with blanks to the end of a whole cell."""
    longest = int(records.str.len().max())
    rounds = max(0, -(-(longest - FIRST_ROUND + 1) // PITCH))
    width = FIRST_ROUND - 1 + rounds * PITCH
    letters = records.to_numpy(dtype=f"<U{width}").view("<u4").reshape(len(records), width).copy()
    letters[letters == 0] = BLANK
    return letters


def _words(letters: np.ndarray, columns: tuple[int, int]) -> pd.Series:
    """The text between two columns, stripped."""
    first, last = columns
    block = np.ascontiguousarray(letters[..., first - 1 : last])
    return pd.Series(block.view(f"<U{last - first + 1}").reshape(-1), dtype="str").str.strip()


def _numbers(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers in blocks of code points (0 for blanks) and the mask of the blocks that are neither."""
    digit = (block >= ZERO) & (block <= NINE)
    begins = digit & ~np.concatenate([np.zeros_like(digit[..., :1]), digit[..., :-1]], axis=-1)
    number = np.zeros(block.shape[:-1], "int64")
    for place in range(block.shape[-1]):
        value = block[..., place].astype("int64") - ZERO
        number = np.where(digit[..., place], number * 10 + value, number)
    return number, (begins.sum(axis=-1) > 1) | (~digit & (block != BLANK)).any(axis=-1)


def _players(letters: np.ndarray, line: np.ndarray, file: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The players, with their line; F156 for filled blanks, F153 for numbers that are none."""
    start_no, bad_start = _numbers(letters[:, START_NO[0] - 1 : START_NO[1]])
    bad_start = bad_start | (start_no == 0)
    rating, bad_rating = _numbers(letters[:, RATING[0] - 1 : RATING[1]])
    blanks = letters[:, np.array(BLANKS) - 1] != BLANK
    player_id, sex = _words(letters, PLAYER_ID), _words(letters, SEX)
    sex = sex.str.lower().map(typed.SEXES).astype("str")
    year = pd.to_numeric(_words(letters, BIRTH).str.extract("(?:^|[^0-9])([0-9]{4})(?:[^0-9]|$)")[0]).astype("Int64")
    low, high = next((c.low, c.high) for c in content.ENTRY_COLUMNS if c.name == "birth_year")
    rating_no = pd.Series(rating, dtype="Int64")
    players = {
        "start_no": pd.Series(start_no, dtype="Int64").mask(bad_start),
        "player_id": player_id.mask(player_id.str.fullmatch("[0-]*")),
        "name": _filled(_words(letters, NAME)),
        "federation": _filled(_words(letters, FEDERATION).str.upper()),
        "sex": sex,
        "title": _filled(typed.titles(_words(letters, TITLE))),
        "birth_year": year.mask((year < low) | (year > high)),
        "reported_rating": rating_no.mask(bad_rating | (rating == 0)),
        "line": line,
    }
    found = [
        _filled_blanks(letters, blanks, line, file),
        _not_a_number(letters, START_NO, "start_no", bad_start, "a whole number from 1 to 9999", line, file),
        _not_a_number(letters, RATING, "rating", bad_rating, "a rating, 0 or blank", line, file),
    ]
    return pd.DataFrame(players), findings.join(found)


def _filled(words: pd.Series) -> pd.Series:
    return words.mask(words == "")


def _filled_blanks(letters: np.ndarray, filled: np.ndarray, line: np.ndarray, file: str) -> pd.DataFrame:
    """F156 for the first column of each line that must be blank and is not."""
    which = np.flatnonzero(filled.any(axis=1))
    column = np.array(BLANKS)[filled[which].argmax(axis=1)]
    return _where_a_blank(letters[which, column - 1], column, line[which], file)


def _where_a_blank(letter: np.ndarray, column: np.ndarray, line: np.ndarray, file: str) -> pd.DataFrame:
    """F156 for these letters at these columns."""
    written = pd.Series(np.ascontiguousarray(letter).view("<U1"), dtype="str")
    why = '"' + written + '" where a blank must stand'
    return findings.of("F156", pd.DataFrame({"line": line, "column": column, "why": why}), file=file)


def _not_a_number(
    letters: np.ndarray, columns: tuple[int, int], name: str, bad: np.ndarray, wanted: str, line: np.ndarray, file: str
) -> pd.DataFrame:
    """F153 for the bad blocks between two columns."""
    rows = pd.DataFrame({"line": line[bad], "value": text.shown(_words(letters[bad], columns))})
    return findings.of("F153", rows, file=file, column=f"columns {columns[0]}-{columns[1]}, {name}", wanted=wanted)


def _cells(letters: np.ndarray, start_no: pd.Series, line: np.ndarray, file: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The cells of all rounds, a row a player and round; F156 and F158 for those that cannot be read."""
    players = len(letters)
    rounds = (letters.shape[1] - FIRST_ROUND + 1) // PITCH
    cells = letters[:, FIRST_ROUND - 1 :].reshape(players * rounds, PITCH)
    opponent_no, bad_opponent = _numbers(cells[:, OPPONENT])
    colour, result = _upper(cells[:, COLOUR]), _upper(cells[:, RESULT])
    result[result == ord("½")] = ord("=")
    gaps = cells[:, CELL_BLANKS] != BLANK
    bad_colour, bad_result = ~np.isin(colour, COLOURS), ~np.isin(result, CODES)
    bad = bad_opponent | bad_colour | bad_result | gaps.any(axis=1)
    written = _words(cells, (1, PITCH))
    where = pd.DataFrame({"line": np.repeat(line, rounds), "round": np.tile(np.arange(1, rounds + 1), players)})
    first = FIRST_ROUND + PITCH * (where["round"].to_numpy() - 1)
    found = [
        _filled_gaps(cells, gaps, first, where["line"].to_numpy(), file),
        _misfits(where, bad_opponent, first, _words(cells, (1, 4)), "no starting number", file),
        _misfits(where, bad_colour, first + COLOUR, _words(cells, (6, 6)), "no colour (w, b or -)", file),
        _unknown_results(where, bad_result & ~gaps.any(axis=1), first + RESULT, _words(cells, (8, 8)), file),
    ]
    paired = pd.Series(opponent_no, dtype="Int64").mask(bad | (opponent_no == 0))
    shade = pd.Series(np.select([colour == ord("W"), colour == ord("B")], ["w", "b"], ""), dtype="str")
    code = pd.Series(result.view("<U1"), dtype="str").str.strip()
    data = where.assign(
        start_no=np.repeat(start_no.array, rounds),
        opponent_no=paired,
        colour=shade.mask(bad | (shade == "").to_numpy(bool)),
        result=code.mask(bad, written),
    )
    return data, findings.join(found)


def _upper(letter: np.ndarray) -> np.ndarray:
    """Code points with a-z as A-Z."""
    return np.ascontiguousarray(np.where((letter >= ord("a")) & (letter <= ord("z")), letter - 32, letter), "<u4")


def _filled_gaps(cells: np.ndarray, gaps: np.ndarray, first: np.ndarray, line: np.ndarray, file: str) -> pd.DataFrame:
    """F156 for the first filled blank inside each cell or behind it."""
    which = np.flatnonzero(gaps.any(axis=1))
    inside = np.array(CELL_BLANKS)[gaps[which].argmax(axis=1)]
    return _where_a_blank(cells[which, inside], first[which] + inside, line[which], file)


def _misfits(
    where: pd.DataFrame, bad: np.ndarray, column: np.ndarray, written: pd.Series, what: str, file: str
) -> pd.DataFrame:
    """F156 for opponents and colours that are none."""
    why = "round " + where["round"].astype("str") + ': "' + written + f'" is {what}'
    return findings.of("F156", where.assign(column=column, why=why)[bad], file=file)


def _unknown_results(
    where: pd.DataFrame, bad: np.ndarray, column: np.ndarray, written: pd.Series, file: str
) -> pd.DataFrame:
    """F158 for result codes that TRF16 does not know."""
    return findings.of("F158", where.assign(column=column, value=written)[bad], file=file)
