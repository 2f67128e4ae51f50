"""Runs of equal keys in ordered rows, and their texts joined: no loop over the runs."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded


def joined(texts: pd.Series, sizes: np.ndarray, separator: str) -> pd.Series:
    """The texts of each run in one: `sizes` says how many texts each run has, in their order. No text is null."""
    return pd.Series(_joined(texts, sizes, separator).to_pandas(), dtype="str")


def _joined(texts: pd.Series, sizes: np.ndarray, separator: str) -> pa.Array:
    ends = pa.array(np.append(0, np.cumsum(sizes)), pa.int64())
    lists = pa.LargeListArray.from_arrays(ends, coded.arrow(texts).cast(pa.large_string()))
    return pc.binary_join(lists, pa.scalar(separator, pa.large_string()))


def hashes(texts: pd.Series, sizes: np.ndarray) -> list[str]:
    """The sha256 of each run's texts, one on a line."""
    whole = _joined(texts, sizes, "\n")
    if not len(whole):
        return []
    ends, letters = whole.buffers()[1:]
    ends = np.frombuffer(ends, "int64")[whole.offset : whole.offset + len(whole) + 1].tolist()
    said = memoryview(letters) if letters else memoryview(b"")
    return [hashlib.sha256(said[begin:end]).hexdigest() for begin, end in itertools.pairwise(ends)]
