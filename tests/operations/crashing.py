"""Runs a month in forked children that are killed: at a step of the publishing, or at a moment.

A process of its own (`python crashing.py ROOT MODE ...`), so that children fork before any thread of Arrow runs.
Steps are what can be half-done: opening a file for writing, mkdir, chmod, fsync, rename. Prints one JSON object.

    crashing.py ROOT steps             the steps of one whole run, as a list
    crashing.py ROOT step N            a run that dies right before step N
    crashing.py ROOT all-steps N EVERY for each step below N, or each EVERYth and the last ones (the rename, the folder,
                                       the journal): a run that dies there, then what stands
                                       (see `judge`)
    crashing.py ROOT moments N SEED    N runs, each killed by SIGKILL after a random time, then what stands
"""

import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

from ratingrun import monthly, run_folder
from ratingrun.formats import list_tables

LAST = 6  # steps from the rename on, and a little before it
PERIOD = "2025-11"
TYPE = os.environ.get("RATINGRUN_CRASH_TYPE", "standard")
NAME = run_folder.name(PERIOD, TYPE)
WATCHED = {"os.rename": 2, "os.mkdir": 1, "os.chmod": 1}


def run(root: Path, die_at: int | None = None, log: list | None = None) -> None:
    """One run of the month in this process, its steps counted; right before step `die_at` the process is gone."""
    count = 0

    def step(what: str, *paths: object) -> None:
        nonlocal count
        if log is not None:
            log.append([what, *(str(path) for path in paths)])
        if count == die_at:
            os._exit(137)
        count += 1

    def hook(event: str, arguments: tuple) -> None:
        if event == "open" and isinstance(arguments[0], str) and str(root / "lists") in arguments[0]:
            if arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                step("open", arguments[0])
        elif event in WATCHED and str(root / "lists") in str(arguments[0]):
            step(event, *arguments[: WATCHED[event]])

    fsync, write = os.fsync, list_tables.write_parquet

    def watched_fsync(handle: int) -> None:
        step("fsync", Path(f"/proc/self/fd/{handle}").readlink())
        fsync(handle)

    def watched_parquet(frame, data, path) -> None:
        step("parquet", path)  # Arrow writes by itself: no Python event
        write(frame, data, path)

    os.fsync, list_tables.write_parquet = watched_fsync, watched_parquet
    sys.addaudithook(hook)
    done = monthly.run(root, PERIOD, TYPE)
    if done.exit_code:
        print(done.messages, done.verdict, file=sys.stderr)
    sys.stderr.flush()
    os._exit(done.exit_code) if log is None else None


def child(work) -> int:
    """Forks, works in the child, gives the child's pid."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(getattr(error, "exit_code", 70))
        os._exit(0)
    return pid


def judge(root: Path) -> str:
    """What stands: "nothing", or "whole" if every file has its recorded hash; else what is wrong."""
    folder = root / "lists" / NAME
    if not folder.exists():
        return "nothing"
    opened, bad = run_folder.open_prior(folder, PERIOD, TYPE)
    if opened is None:
        return f"half: {bad['text'].tolist()}"
    wrong = [name for name in opened.manifest["files"] if len(opened.check(name))]
    return f"half: {wrong}" if wrong else "whole"


def again(root: Path) -> dict[str, object]:
    """What a killed run left, whether the next run succeeds, and the hashes that it publishes; then as before."""
    first = judge(root)
    status = os.waitpid(child(lambda: run(root)), 0)[1]
    opened, _ = run_folder.open_prior(root / "lists" / NAME, PERIOD, TYPE)
    hashes = {name: file["sha256"] for name, file in opened.manifest["files"].items()} if opened else {}
    left = sorted(path.name for path in (root / "lists").glob(".*.part"))
    journal = (root / "lists" / "journal.csv").read_text("utf-8").count(f"{NAME},published")
    shutil.rmtree(root / "lists")
    shutil.copytree(root / "before", root / "lists")
    return {
        "stood": first, "next": os.waitstatus_to_exitcode(status), "judged": "whole" if hashes else "nothing",
        "hashes": hashes, "left": left, "journal": journal,
    }  # fmt: skip


def main() -> None:
    root, mode, *rest = Path(sys.argv[1]), *sys.argv[2:]
    if mode == "steps":
        log: list = []
        run(root, log=log)
        print(json.dumps(log))
        return
    (root / "before").exists() or shutil.copytree(root / "lists", root / "before")
    outcomes = []
    if mode == "all-steps":
        steps, every = int(rest[0]), int(rest[1]) if len(rest) > 1 else 1
        for number in sorted({*range(0, steps, every), *range(steps - LAST, steps)}):
            os.waitpid(child(lambda number=number: run(root, die_at=number)), 0)
            outcomes.append(again(root))
    elif mode == "moments":
        dice = random.Random(int(rest[1]))
        began = time.monotonic()
        os.waitpid(child(lambda: run(root)), 0)
        whole = time.monotonic() - began
        shutil.rmtree(root / "lists")
        shutil.copytree(root / "before", root / "lists")
        for _ in range(int(rest[0])):
            pid = child(lambda: run(root))
            time.sleep(dice.random() * whole)
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            outcomes.append(again(root))
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main()
