"""One run in this process, stage by stage, and a sampling profile of it (pyinstrument, where it is installed).

    python stages.py FEDERATION

Prints BEGIN and then Markdown. Everything is done in one thread here, so that the profile sees it; in a run some of it
is done beside the rest.
"""

from __future__ import annotations

import functools
import resource
import shutil
import sys
import time
from collections import Counter
from concurrent.futures import Future
from pathlib import Path

BEGIN = time.perf_counter(), time.process_time()

from ratingrun import frame_files, invariants, monthly, pipeline, summary, working_folder  # noqa: E402
from ratingrun.frame_files import FrameFiles  # noqa: E402

IMPORTED = time.perf_counter() - BEGIN[0], time.process_time() - BEGIN[1]
STAGES = [
    (working_folder, "_reports"), (working_folder, "_state"), (pipeline.received, "assemble"),
    (pipeline.reports, "build"), (pipeline.reports, "located"), (pipeline.reports, "who"),
    (pipeline.rated, "fingerprints"), (pipeline.rated, "build"), (pipeline.games, "build"), (pipeline.games, "notes"),
    (pipeline.sides, "build"), (pipeline.changes, "build"), (pipeline.changes, "k_at_start"),
    (pipeline.initials, "build"), (pipeline.rating_list, "candidates"), (pipeline.rating_list, "build"),
    (invariants, "cells"), (invariants, "check"), (summary, "text"), (FrameFiles, "finish"),
]  # fmt: skip
# Where a sample belongs: the first of these functions on its stack, from the inside out.
SHARES = {
    "content_hash": "hash", "sha256": "hash", "file_digest": "hash", "write_parquet": "write", "write_csv": "write",
    "to_arrow": "write", "_fsync_all": "write", "_fill": "write", "load": "read", "_find_and_load": "imports",
    "run": "compute", "text": "compute",
}  # fmt: skip
HASHED = ("content_hash", "sha256")


class InTurn:
    """In place of a pool of threads: works at once, in this thread, so that the profile sees it."""

    def __init__(self, workers: int = 1):
        self.shutdown = lambda **how: None

    def __enter__(self) -> InTurn:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def submit(self, work, *arguments) -> Future:
        done: Future = Future()
        done.set_result(work(*arguments))
        return done


def watch(rows: list[tuple[str, float, float, int]]) -> None:
    for module, name in STAGES:
        function, title = getattr(module, name), f"{module.__name__.split('.')[-1]}.{name}"

        @functools.wraps(function)
        def measured(*arguments, function=function, what=title, **more):
            wall, cpu = time.perf_counter(), time.process_time()
            result = function(*arguments, **more)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            rows.append((what, time.perf_counter() - wall, time.process_time() - cpu, peak))
            return result

        setattr(module, name, measured)


def clear(root: Path) -> None:
    for folder in (root / "lists").glob("*-provisional-*"):
        shutil.rmtree(folder)


def shares(root: Path) -> str:
    """The shares of a run by samples of its stack, every millisecond."""
    try:
        from pyinstrument import Profiler
    except ImportError:
        return "No sampling profile: pyinstrument is not installed (pip install -e '.[bench]')."
    profiler = Profiler(interval=0.001, async_mode="disabled")
    with profiler:
        monthly.run(root, "2025-11", provisional=True)
    clear(root)
    counts: Counter[str] = Counter()
    for stack, seconds in profiler.last_session.frame_records:
        names = [frame.split("\0")[0] for frame in stack]
        counts[next((SHARES[name] for name in reversed(names) if name in SHARES), "rest")] += seconds
    counts["imports"] += IMPORTED[0]
    total = sum(counts.values())
    said = ", ".join(f"{name} {counts[name] / total:.0%}" for name in ("imports", "read", "compute", "write", "hash"))
    rest = counts["rest"] / total
    return f"Shares by pyinstrument, a sample a millisecond, of {total:.1f} s: {said}, rest {rest:.0%}."


def main(root: Path) -> None:
    frame_files.LARGE = sys.maxsize  # at the end, in this thread
    working_folder.ThreadPoolExecutor = pipeline.ThreadPoolExecutor = InTurn
    said = shares(root)
    rows = [("imports", *IMPORTED, 0)]
    watch(rows)
    monthly.run(root, "2025-11", provisional=True)
    clear(root)
    print("BEGIN")
    print("| stage | wall s | CPU s |\n| --- | --- | --- |")
    for what, wall, cpu, _ in rows:
        print(f"| {what} | {wall:.2f} | {cpu:.2f} |")
    print(f"\n{said}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
