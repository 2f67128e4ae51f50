"""Runs of equal keys in ordered rows, and their texts joined: no loop over the runs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import frames


def joined(rows: pd.DataFrame, key: Sequence[str], column: str, separator: str) -> pd.Series:
    """The texts of `column`, joined for each run of equal `key`; `rows` stand in the order of `key`, without nulls.

    Out comes one text a key, indexed by the key, named as the column.
    """
    again = frames.repeats(rows, key)
    if again is None:
        raise frames.ContractError(f"rows are not in the order of {', '.join(key)}")
    starts = np.flatnonzero(~again)
    texts = frames.arrow(rows[column]).cast(pa.large_string())
    lists = pa.LargeListArray.from_arrays(np.append(starts, len(rows)), texts)
    whole = pc.binary_join(lists, pa.scalar(separator, pa.large_string()))
    index = rows.iloc[starts].set_index(list(key)).index
    return pd.Series(whole.to_pandas().to_numpy(), index=index, name=column, dtype="str")


def hashes(texts: pd.Series, sizes: np.ndarray) -> list[str]:
    """The sha256 of each run's texts, one on a line: `sizes` says how many texts each run has, in their order."""
    ends = np.append(0, np.cumsum(sizes))
    lists = pa.LargeListArray.from_arrays(ends, frames.arrow(texts).cast(pa.large_string()))
    whole = pc.binary_join(lists, pa.scalar("\n", pa.large_string())).cast(pa.large_binary())
    return [hashlib.sha256(one.as_buffer()).hexdigest() for one in whole]
