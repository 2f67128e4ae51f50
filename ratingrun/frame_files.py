"""What a run folder holds, as files: frames as Parquet, the list and the findings as CSV, the inputs, their hashes.

A frame of a large month is written while the run goes on, as soon as nothing changes it any more, and so are many
inputs; what is left, at the end. Arrow and the hashes work beside each other and beside the stages.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pyarrow as pa

from ratingrun import contract, frames, run_folder
from ratingrun.content_hash import content_hash
from ratingrun.formats import list_tables

LARGE = 100_000  # rows of a frame from which on a thread pays
MANY, FLUSHED = 100, 8  # files from which on they are made durable beside each other, and how many at once
PUBLIC = (frames.RATING_LIST.name, frames.US_LIST.name)  # goes out as CSV, too


class FrameFiles:
    """Writes frames and inputs into the folder `work`.

    `described`: rows and content hash by frame; `hashes`: sha256 by file.
    """

    def __init__(self, work: Path):
        self.work = work
        self.described: dict[str, dict[str, object]] = {}
        self.hashes: dict[str, str] = {}
        self._jobs: list[Future[None]] = []
        self._pool: ThreadPoolExecutor | None = None
        self._kept = False

    def begin(self, name: str, data: pd.DataFrame) -> None:
        """Has a frame written by threads; what fails is raised by `finish`."""
        self._pool = self._pool or ThreadPoolExecutor(os.cpu_count() or 1)
        self._write(name, data, self._pool.submit)

    def begin_inputs(self, inputs: Mapping[str, bytes]) -> None:
        """Has the inputs written and made durable by a thread; what fails is raised by `finish`."""
        self._pool = self._pool or ThreadPoolExecutor(os.cpu_count() or 1)
        self._jobs.append(self._pool.submit(self._durable, inputs))
        self._kept = True

    def finish(self, data: Mapping[str, pd.DataFrame], found: pd.DataFrame, inputs: Mapping[str, bytes]) -> None:
        """Writes what was not begun: the frames, the largest first, the findings, the inputs; waits for all."""
        rest = [name for name in run_folder.WRITTEN if name in data and name not in self.described]
        rest.sort(key=lambda name: -data[name].size)
        if self._pool is None and all(len(data[name]) < LARGE for name in rest):
            for name in rest:
                self._write(name, data[name], _at_once)
        else:
            for name in rest:
                self.begin(name, data[name])
        self._text(frames.FINDINGS, lambda: frames.FINDINGS.to_arrow(found), "findings.csv")
        if not self._kept:
            self._keep(inputs)
        for job in self._jobs:
            job.result()
        self.stop()

    def stop(self) -> None:
        """Lets go of what is not begun and waits for what is."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _write(self, name: str, data: pd.DataFrame, submit: Callable[..., Future]) -> None:
        frame = frames.ALL[name]
        self.described[name] = {}
        table = submit(frame.to_arrow, data)
        self._jobs.append(submit(self._parquet, frame, table.result))
        if name in PUBLIC:
            self._jobs.append(submit(self._text, frame, table.result, "rating_list.csv"))

    def _parquet(self, frame: contract.Frame, table: Callable[[], pa.Table]) -> None:
        file, rows = f"{frame.name}.parquet", table()
        self.described[frame.name] |= {"rows": rows.num_rows, "content_hash": content_hash(rows)}
        list_tables.write_parquet(frame, rows, self.work / file)
        self.hashes[file] = run_folder.sha256(self.work / file)

    def _text(self, frame: contract.Frame, table: Callable[[], pa.Table], file: str) -> None:
        list_tables.write_csv(frame, table(), self.work / file)
        self.hashes[file] = run_folder.sha256(self.work / file)

    def _keep(self, inputs: Mapping[str, bytes]) -> None:
        for name, content in inputs.items():
            self.file(f"inputs/{name}", content)

    def file(self, name: str, content: bytes) -> None:
        """Writes a file."""
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.hashes[name] = hashlib.sha256(content).hexdigest()

    def _durable(self, inputs: Mapping[str, bytes]) -> None:
        self._keep(inputs)
        flush([self.work / "inputs" / name for name in inputs], beside=True)


def flush(paths: Sequence[Path], beside: bool) -> None:
    """Makes files durable; beside each other, many of them take seconds less: a file system commits at once what waits
    at once (5,000 files one by one 17 s, eight at once 1 s)."""
    with ThreadPoolExecutor(FLUSHED) as pool:
        for _ in (pool.map if beside or len(paths) > MANY else map)(fsync, paths):
            pass


def fsync(path: Path) -> None:
    """Makes a file, or the names in a folder, durable. Windows cannot open a folder: there the rename must do."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _at_once(work: Callable[..., object], *arguments: object) -> Future:
    """The work done, as `submit` of a pool gives it that does it in a thread."""
    done: Future = Future()
    done.set_result(work(*arguments))
    return done
