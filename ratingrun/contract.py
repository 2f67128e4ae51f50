"""What a frame is: its columns with type, unit, range and vocabulary, its key; and how it is held to that.

From a declaration derive the Parquet schema (with description, unit and range in the field metadata), the dtypes in
memory, the checks of key, nulls, ranges and vocabularies, and the documentation (`columns_text`). All declarations
stand in `frames.py`.

In memory integers are int64, or Int64 where they may be null; text is pandas' `str`; days are datetime64[ms]. Columns
declared as coded hold text as `category` with sorted words (see coded.py), narrow ones whole numbers as int32 or Int32:
to be stored, not to be reckoned with. Files hold the narrow types below. The only ways from wide to narrow are checked
(`typed`, and Arrow's cast in `Frame.to_arrow`), so no value is ever cut off in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded

TEXT = pa.string()
CODE = pa.dictionary(pa.int32(), pa.string())  # text from a small vocabulary: a dictionary in files
DAY = pa.date32()
FLAG = pa.bool_()
I8, I16, I32 = pa.int8(), pa.int16(), pa.int32()
REAL = pa.float64()  # only where a specification counts in floats (US Chess); no value is nan in memory, null in files


class ContractError(AssertionError):
    """A frame breaks its declaration or an invariant does not hold: a bug in ratingrun, never the user's input."""


@dataclass(frozen=True)
class Column:
    """One column: its name, its type in files, what it says, its unit, its range or vocabulary; in memory coded or not,
    narrow (32 bits) or not."""

    name: str
    type: pa.DataType
    text: str
    unit: str = ""
    low: int | None = None
    high: int | None = None
    null: bool = False
    vocabulary: tuple[str, ...] = ()
    coded: bool = False
    narrow: bool = False

    @property
    def dtype(self) -> str:
        """The pandas dtype in memory."""
        if pa.types.is_integer(self.type):
            return ("Int" if self.null else "int") + ("32" if self.narrow else "64")
        if self.type == FLAG:
            return "bool"
        if self.type == REAL:
            return "float64"
        if self.type == DAY:
            return "datetime64[ms]"
        return coded.DTYPE if self.coded else "str"

    @property
    def field(self) -> pa.Field:
        """The Arrow field, with description, unit and range as metadata."""
        facts = {"description": self.text, "unit": self.unit, "values": " ".join(self.vocabulary)}
        if self.low is not None:
            facts["range"] = f"{self.low}..{'' if self.high is None else self.high}"
        return pa.field(self.name, self.type, self.null, metadata={k: v for k, v in facts.items() if v})


@dataclass(frozen=True)
class Frame:
    """One frame: name, key columns, columns, what a row is."""

    name: str
    text: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @cached_property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @cached_property
    def schema(self) -> pa.Schema:
        """The Arrow schema of the file, with the frame's name, key and description as metadata."""
        facts = {"frame": self.name, "key": ",".join(self.key), "description": self.text}
        return pa.schema([column.field for column in self.columns], metadata=facts)

    def build(self, data: pd.DataFrame | Mapping[str, object], keep: Sequence[str] = ()) -> pd.DataFrame:
        """The frame from `data`: declared columns and dtypes, sorted by key, checked.

        Raises ContractError if a column is missing, a value would be cut off or a null, range, vocabulary or key check
        fails. Columns that are not declared are left behind, but for those to `keep`, which are the next stage's
        business and not checked.
        """
        missing = [name for name in self.names if name not in data]
        if missing:
            raise ContractError(f"{self.name}: no column {', '.join(missing)}")
        source = pd.DataFrame({name: data[name] for name in [*self.names, *keep]}, copy=False)
        self._check_before_cast(source)
        frame = typed(self.columns, source)
        twice = repeats(frame, self.key)
        if twice is None:
            frame = frame.sort_values(list(self.key), kind="stable")
        frame = frame.reset_index(drop=True)
        self._check_values(frame)
        self._check_key(frame, twice)
        return frame

    def _check_before_cast(self, source: pd.DataFrame) -> None:
        """What pandas' cast would pass over in silence: parts of a whole number cut off, no value become a flag."""
        for column in self.columns:
            values = source[column.name]
            if column.dtype in ("bool", "int64", "int32") and values.isna().any():
                raise ContractError(f"{self.name}.{column.name}: null where none may be")
            unsure = column.dtype == "bool" and values.dtype != "bool" and len(values) > 0
            if unsure and not values.isin((True, False)).all():
                raise ContractError(f"{self.name}.{column.name}: neither true nor false")
            if pa.types.is_integer(column.type) and pd.api.types.is_float_dtype(values) and (values % 1 > 0).any():
                raise ContractError(f"{self.name}.{column.name}: not a whole number")

    def empty(self) -> pd.DataFrame:
        """The frame without rows."""
        return no_rows(self.columns)

    def check(self, frame: pd.DataFrame) -> None:
        """Raises ContractError, naming frame, column and a row, if the declaration does not hold."""
        self._check_values(frame)
        self._check_key(frame, repeats(frame, self.key))

    def _check_values(self, frame: pd.DataFrame) -> None:
        for column in self.columns:
            values = frame[column.name]
            if self._holds(column, values):
                continue
            bad = np.zeros(len(frame), bool)
            if not column.null and column.dtype in ("str", coded.DTYPE, "datetime64[ms]", "float64"):
                bad |= values.isna().to_numpy()
            if column.low is not None:
                bad |= (values < column.low).fillna(False).to_numpy(bool)
            if column.high is not None:
                bad |= (values > column.high).fillna(False).to_numpy(bool)
            if column.vocabulary:
                bad |= (~values.isin(column.vocabulary) & values.notna()).to_numpy()
            if bad.any():
                row = frame.loc[bad, list(dict.fromkeys([*self.key, column.name]))].iloc[0].to_dict()
                raise ContractError(f"{self.name}.{column.name}: {int(bad.sum())} rows out of contract, first {row}")

    def _check_key(self, frame: pd.DataFrame, twice: np.ndarray | None) -> None:
        """`twice`: which rows repeat the key, if that is known."""
        if twice is None:
            twice = frame.duplicated(list(self.key)).to_numpy()
        if twice.any():
            raise ContractError(f"{self.name}: key {self.key} twice, first {frame.loc[twice].iloc[0].to_dict()}")

    def _holds(self, column: Column, values: pd.Series) -> bool:
        """Whether a column keeps its declaration, by its nulls, its extremes and its distinct words."""
        if column.dtype in ("str", coded.DTYPE, "datetime64[ms]", "float64") and not column.null and values.hasnans:
            return False
        if column.low is not None or column.high is not None:
            low, high = (edge.as_py() for edge in pc.min_max(coded.arrow(values)).values())
            least, most = column.low, column.high
            return low is None or ((least is None or low >= least) and (most is None or high <= most))
        if not column.vocabulary or (coded.is_coded(values) and set(values.cat.categories) <= set(column.vocabulary)):
            return True
        return set(coded.arrow(values).unique().to_pylist()) <= {*column.vocabulary, None}

    def to_arrow(self, frame: pd.DataFrame) -> pa.Table:
        """The Arrow table with the declared types; narrowing is checked (ArrowInvalid if a value does not fit)."""
        arrays = []
        for column in self.columns:
            series = frame[column.name]
            if column.coded or column.type == CODE:
                array = coded.arrow(coded.used(series) if column.coded and column.type == CODE else series)
                if not pa.types.is_dictionary(array.type):
                    array = array.cast(pa.large_string()).dictionary_encode()
                array = pa.DictionaryArray.from_arrays(array.indices, array.dictionary.cast(pa.string()), safe=False)
            else:
                array = pa.array(series, from_pandas=True)
            arrays.append(array.cast(column.type, safe=True))
        return pa.Table.from_arrays(arrays, schema=self.schema)

    def from_arrow(self, table: pa.Table) -> pd.DataFrame:
        """The frame in memory from a table of the declared schema; raises ContractError as `build` does."""
        columns = {}
        for column in self.columns:
            if column.name not in table.column_names:
                raise ContractError(f"{self.name}: no column {column.name}")
            array = table.column(column.name)
            if column.coded:
                columns[column.name] = coded.column(*coded.encoded(array))
                continue
            if pa.types.is_dictionary(array.type):
                array = array.cast(pa.string())
            if pa.types.is_integer(column.type):
                array = array.cast(pa.int32() if column.narrow else pa.int64())
                mask = pc.is_null(array).to_numpy()
                values = pc.fill_null(array, 0).to_numpy()
                columns[column.name] = pd.arrays.IntegerArray(values.copy(), mask.copy()) if column.null else values
                if mask.any() and not column.null:
                    raise ContractError(f"{self.name}.{column.name}: null where none may be")
            elif column.dtype == "datetime64[ms]":
                columns[column.name] = array.cast(pa.timestamp("ms")).to_pandas()
            else:
                columns[column.name] = array.to_pandas()
        return self.build(columns)


def no_rows(columns: Iterable[Column]) -> pd.DataFrame:
    """A frame of these columns, without rows."""
    return typed(columns, pd.DataFrame({c.name: pd.Series([], dtype="str" if c.coded else c.dtype) for c in columns}))


def typed(columns: Iterable[Column], source: pd.DataFrame) -> pd.DataFrame:
    """The frame with the dtypes of these columns; the others, and those that have theirs already, are not copied."""
    other = {c.name: _typed(c, source[c.name]) for c in columns if c.coded or source[c.name].dtype != c.dtype}
    return pd.DataFrame({name: other.get(name, source[name]) for name in source}, copy=False) if other else source


def _typed(column: Column, values: pd.Series) -> pd.Series:
    """The column with its dtype; raises ContractError if a whole number does not fit into a narrow one."""
    if column.coded:
        return coded.coded(values)
    found = values.astype(column.dtype)
    if column.narrow and pa.types.is_integer(column.type) and not (found == values).fillna(True).all():
        raise ContractError(f"{column.name}: a number does not fit")
    return found


def repeats(frame: pd.DataFrame, key: Sequence[str]) -> np.ndarray | None:
    """Which rows repeat the key of the row before, if the rows stand in the order of these columns; else None.

    One look at neighbours, where sorting and hashing would look at everything again. A whole number that is null comes
    after all others; other keys with nulls are not judged.
    """
    if not len(frame):
        return np.zeros(0, bool)
    same = np.ones(len(frame) - 1, bool)
    for name in key:
        numbers = _numbers(frame[name])
        if numbers is not None:
            less, equal = numbers[1:] < numbers[:-1], numbers[1:] == numbers[:-1]
        else:
            values = coded.arrow(frame[name])
            if values.null_count:
                return None
            values = values.cast(coded.WIDE) if pa.types.is_dictionary(values.type) else values
            less, equal = (
                compare(values[1:], values[:-1]).to_numpy(zero_copy_only=False) for compare in (pc.less, pc.equal)
            )
        if (same & less).any():
            return None
        same &= equal
    return np.concatenate([[False], same])


def _numbers(values: pd.Series) -> np.ndarray | None:
    """Whole numbers in the order of the values, null last: of coded text, too, unless some is null; else None."""
    if coded.is_coded(values):
        code = values.array.codes
        return None if (code < 0).any() else code
    if not pd.api.types.is_integer_dtype(values.dtype):
        return None
    numbers = values.to_numpy("int64", na_value=0)
    return np.where(values.isna(), numbers.max() + 1, numbers) if values.hasnans else numbers
