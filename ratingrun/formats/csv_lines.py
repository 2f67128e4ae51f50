"""Tables as the lines of a CSV file: how a cell is spelled, when it stands in quotes, and the lines put together.

A column at a time; the cells of a row are joined from as few pieces as will do. Same table, same bytes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import contract
from ratingrun.coded import WIDE
from ratingrun.formats import text

QUOTED = '",;\t\r\n'  # a cell with one of these stands in quotes
FORMULA_MARKS = "=+-@\t\r"  # one of these stands in every cell that text.guarded changes
BLOCK = 1 << 17  # rows that are put together at once
COMBINATIONS = 1 << 14  # spellings of columns side by side, up to which they are put together once for all rows
NOTHING = pa.scalar("", WIDE)


def blocks(source: pa.Table) -> Iterator[bytes | memoryview]:
    """The bytes of the file, piece by piece: the header, then blocks of rows. Text is string or a dictionary of it."""
    yield (",".join(source.column_names) + "\n").encode()
    pieces = _pieces(source)
    for begin in range(0, source.num_rows, BLOCK):
        yield text.letters(pc.binary_join_element_wise(*(_spelled(piece, begin) for piece in pieces), NOTHING))


def _pieces(source: pa.Table) -> list[pa.Array | pa.Scalar]:
    """What stands in a row of the CSV from left to right, separators and line end included.

    Columns with few spellings that stand side by side are one piece, a dictionary of all their combinations: the fewer
    pieces, the faster the rows are joined.
    """
    pieces: list[pa.Array | pa.Scalar] = []
    for number, column in enumerate(source.columns, 1):
        mark = pa.scalar("\n" if number == source.num_columns else ",", WIDE)
        values = column.combine_chunks()
        if pa.types.is_string(values.type) and values.null_count * 2 <= len(values):
            pieces += _quoted(_guarded(pc.fill_null(values.cast(WIDE), "")), mark)
            continue
        cells = _cells(values, mark)
        before = pieces[-1] if pieces and isinstance(pieces[-1], pa.DictionaryArray) else None
        if before is not None and len(before.dictionary) * len(cells.dictionary) <= COMBINATIONS:
            cells = _side_by_side(pieces.pop(), cells)
        pieces.append(cells)
    return pieces


def _cells(values: pa.Array, mark: pa.Scalar) -> pa.DictionaryArray:
    """A column with few spellings as CSV cells with the mark behind them: a dictionary of the spellings."""
    values = values.dictionary_encode() if pa.types.is_string(values.type) else values
    if values.type == contract.FLAG:
        indices, spellings = values, pa.array(["no", "yes"], WIDE)
    elif pa.types.is_dictionary(values.type):
        words = _guarded(values.dictionary.cast(WIDE))
        indices, spellings = values.indices, pc.binary_join_element_wise(*_quoted(words, NOTHING), NOTHING)
    else:
        coded = _numbered(values)
        indices, spellings = coded.indices, coded.dictionary.cast(pa.string()).cast(WIDE)
    if indices.null_count:
        indices = pc.fill_null(indices.cast(pa.int32()), len(spellings))
        spellings = pa.concat_arrays([spellings, pa.array([""], WIDE)])
    return _dictionary(indices, pc.binary_join_element_wise(spellings, mark, NOTHING))


def _numbered(values: pa.Array) -> pa.DictionaryArray:
    """Numbers or days as a dictionary: of all from the least to the last, if those are few; else of the distinct."""
    if pa.types.is_floating(values.type) or len(values) == values.null_count:
        return values.dictionary_encode()
    numbers = values.cast(pa.int32() if values.type.bit_width <= 32 else pa.int64())
    least, most = (edge.as_py() for edge in pc.min_max(numbers).values())
    if most - least >= min(COMBINATIONS, len(values)):
        return values.dictionary_encode()
    every = pa.array(range(least, most + 1), numbers.type).cast(values.type)
    return _dictionary(pc.subtract(numbers, pa.scalar(least, numbers.type)), every)


def _side_by_side(left: pa.DictionaryArray, right: pa.DictionaryArray) -> pa.DictionaryArray:
    """Two columns as one: the dictionary holds every combination."""
    many = len(right.dictionary)
    numbers = np.arange(len(left.dictionary) * many)
    spellings = left.dictionary.take(numbers // many), right.dictionary.take(numbers % many)
    indices = left.indices.to_numpy() * np.int32(many) + right.indices.to_numpy()
    return _dictionary(pa.array(indices), pc.binary_join_element_wise(*spellings, NOTHING))


def _dictionary(indices: pa.Array, spellings: pa.Array) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(indices.cast(pa.int32()), spellings)


def _spelled(piece: pa.Array | pa.Scalar, begin: int) -> pa.Array | pa.Scalar:
    """A block of a piece, as text."""
    if isinstance(piece, pa.Scalar):
        return piece
    cells = piece.slice(begin, BLOCK)
    return cells.dictionary.take(cells.indices) if isinstance(cells, pa.DictionaryArray) else cells


def _quoted(cells: pa.Array, mark: pa.Scalar) -> list[pa.Array | pa.Scalar]:
    """The pieces of text cells with the mark behind them: in quotes where they must be."""
    signs = text.holds(cells, QUOTED)
    if not signs:
        return [cells, mark]
    quoted = functools.reduce(pc.or_, (pc.match_substring(cells, sign) for sign in signs))
    opened, closed = pa.scalar('"', WIDE), pc.binary_join_element_wise(pa.scalar('"', WIDE), mark, NOTHING)
    cells = pc.replace_substring(cells, '"', '""') if '"' in signs else cells
    return [pc.if_else(quoted, opened, NOTHING), cells, pc.if_else(quoted, closed, mark)]


def _guarded(cells: pa.Array) -> pa.Array:
    return text.guarded(cells) if text.holds(cells, FORMULA_MARKS) else cells
