"""The floor: reads the inputs of a run and writes its outputs, without computing anything in between.

    python floor.py FEDERATION TABLES OUT

It imports what a run imports, reads the prior list, pool and rated rounds, the register and the reports, and writes the
frames, the list as CSV too, findings, the kept inputs and the manifest, durable, as a run does. The frames' contents
come from TABLES, Arrow files mapped into memory: that is no reading or decoding. Two threads write, as in a run.
"""

from __future__ import annotations

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click  # noqa: F401 - the floor imports what a run imports
import filelock  # noqa: F401
import msgspec  # noqa: F401
import numpy as np  # noqa: F401
import pandas as pd  # noqa: F401
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import tomlkit  # noqa: F401

from ratingrun import parquet_files  # the same options, so that the ratio is of the same files


def read(root: Path) -> dict[str, bytes]:
    prior = root / "lists" / "2025-10-standard"
    for name in ("rating_list", "pool", "rated"):
        pq.read_table(prior / f"{name}.parquet")
    pa_csv.read_csv(root / "register.csv")
    raws = {path.name: path.read_bytes() for path in sorted((root / "reports" / "2025-11").iterdir())}
    for name, raw in raws.items():
        if name.endswith(".parquet"):
            pq.read_table(pa.BufferReader(raw))
        else:
            raw.decode("utf-8")
    return raws


def write(source: Path, out: Path) -> None:
    table = pa.ipc.open_file(pa.memory_map(str(source))).read_all()
    parquet_files.write(table, out / f"{source.stem}.parquet")


def write_csv(source: Path, out: Path) -> None:
    table = pa.ipc.open_file(pa.memory_map(str(source))).read_all()
    plain = [column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column for column in table.columns]
    pa_csv.write_csv(
        pa.table(plain, names=table.column_names),
        out / f"{source.stem}.csv",
        pa_csv.WriteOptions(quoting_style="needed"),
    )


def flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def main(root: Path, tables: Path, out: Path) -> None:
    out.mkdir()
    (out / "inputs").mkdir()
    raws = read(root)
    sources = sorted(tables.glob("*.arrow"), key=lambda path: -path.stat().st_size)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = [pool.submit(write, path, out) for path in sources if path.stem != "findings"]
        jobs[1:1] = [pool.submit(write_csv, tables / f"{name}.arrow", out) for name in ("rating_list", "findings")]
        for job in jobs:
            job.result()
    for name, raw in raws.items():
        (out / "inputs" / name).write_bytes(raw)
    shutil.copy(tables / "manifest.json", out)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(flush, sorted(out.rglob("*"), reverse=True)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
