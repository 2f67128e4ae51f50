"""The frames of a run folder as files: Parquet, the list and the findings as CSV, their hashes.

A frame of a large month is written while the run goes on, as soon as nothing changes it any more; what is left, at the
end. Arrow and the hashes work beside each other and beside the stages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pyarrow as pa

from ratingrun import frames, run_folder
from ratingrun.content_hash import content_hash
from ratingrun.formats import list_tables

LARGE = 100_000  # rows of a frame from which on a thread pays
PUBLIC = (frames.RATING_LIST.name, frames.US_LIST.name)  # goes out as CSV, too


class FrameFiles:
    """Writes frames into the folder `work`. `described`: rows and content hash by frame; `hashes`: sha256 by file."""

    def __init__(self, work: Path):
        self.work = work
        self.described: dict[str, dict[str, object]] = {}
        self.hashes: dict[str, str] = {}
        self._jobs: list[Future[None]] = []
        self._pool: ThreadPoolExecutor | None = None

    def begin(self, name: str, data: pd.DataFrame) -> None:
        """Has a frame written by threads; what fails is raised by `finish`."""
        self._pool = self._pool or ThreadPoolExecutor(os.cpu_count() or 1)
        self._write(name, data, self._pool.submit)

    def finish(self, data: Mapping[str, pd.DataFrame], found: pd.DataFrame) -> None:
        """Writes the frames that were not begun, the largest first, and the findings; waits for all of them."""
        rest = [name for name in run_folder.WRITTEN if name in data and name not in self.described]
        rest.sort(key=lambda name: -data[name].size)
        if self._pool is None and all(len(data[name]) < LARGE for name in rest):
            for name in rest:
                self._write(name, data[name], _at_once)
        else:
            for name in rest:
                self.begin(name, data[name])
        self._text(frames.FINDINGS, lambda: frames.FINDINGS.to_arrow(found), "findings.csv")
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

    def _parquet(self, frame: frames.Frame, table: Callable[[], pa.Table]) -> None:
        file, rows = f"{frame.name}.parquet", table()
        self.described[frame.name] |= {"rows": rows.num_rows, "content_hash": content_hash(rows)}
        list_tables.write_parquet(frame, rows, self.work / file)
        self.hashes[file] = run_folder.sha256(self.work / file)

    def _text(self, frame: frames.Frame, table: Callable[[], pa.Table], file: str) -> None:
        list_tables.write_csv(frame, table(), self.work / file)
        self.hashes[file] = run_folder.sha256(self.work / file)


def _at_once(work: Callable[..., object], *arguments: object) -> Future:
    """The work done, as `submit` of a pool gives it that does it in a thread."""
    done: Future = Future()
    done.set_result(work(*arguments))
    return done
