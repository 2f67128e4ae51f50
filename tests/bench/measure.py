"""Measuring whole processes: wall and CPU seconds, peak memory; paired runs; medians; the federations to run on."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
LAUNCH = Path(__file__).with_name("launch.py")
PERIOD = "2025-11"


@dataclass(frozen=True)
class Cost:
    """What a process took: seconds on the clock, seconds of the processors, peak resident memory in MB."""

    wall: float
    cpu: float
    memory: float


def process(*command: object, log: Path) -> Cost:
    """Runs a command to its end; RuntimeError with its last words if it fails. Modules are compiled once, as an
    installed package is, whatever the environment says: else our side compiles all of its modules in each run."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(PROJECT)
    words, result = [str(word) for word in command], log.with_suffix(".took")
    with log.open("wb") as out:
        launch = [sys.executable, "-S", LAUNCH, result, *words]
        subprocess.run(launch, stdout=out, stderr=out, env=environment, check=True)
    *took, code = json.loads(result.read_text("utf-8"))
    if code:
        raise RuntimeError(f"{' '.join(words)}: {log.read_text('utf-8', 'replace')[-600:]}")
    return Cost(*took)


def ratingrun(*arguments: object, log: Path) -> Cost:
    return process(sys.executable, "-m", "ratingrun", *arguments, log=log)


def federation(work: Path, players: int, games: int, shape: str = "parquet") -> Path:
    """The folder of an invented federation with its list adopted, made once for each size."""
    root = work / f"{shape}-{players}-{games}"
    if not (root / "made").exists():
        shutil.rmtree(root, ignore_errors=True)
        log = work / "sample.log"
        ratingrun("sample", root, "--players", players, "--games", games, "--shape", shape, log=log)
        source = next((root / "lists_source").iterdir())
        ratingrun("adopt", "-C", root, source.relative_to(root), "--period", source.stem, log=log)
        (root / "made").touch()
    return root


def run(root: Path) -> Cost:
    """One whole `ratingrun run`; a provisional folder, which is taken away again."""
    try:
        return ratingrun("run", PERIOD, "-C", root, "--provisional", log=root / "run.log")
    finally:
        for folder in (root / "lists").glob("*-provisional-*"):
            shutil.rmtree(folder)


def paired(count: int, *jobs: Callable[[], Cost]) -> list[list[Cost]]:
    """The jobs in turn, `count` times over: what disturbs the machine disturbs all of them. A list for each job."""
    rounds = [[job() for job in jobs] for _ in range(count)]
    return [list(costs) for costs in zip(*rounds, strict=True)]


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(getattr(cost, name) for cost in costs) for name in ("wall", "cpu", "memory")))


def ratio(ours: Sequence[Cost], theirs: Sequence[Cost], name: str = "wall") -> str:
    """Of the pairs: the ratio's median (least to greatest)."""
    found = [getattr(one, name) / getattr(other, name) for one, other in zip(ours, theirs, strict=True)]
    return f"{statistics.median(found):.2f} ({min(found):.2f} to {max(found):.2f})"


def row(what: str, costs: Sequence[Cost], *more: str) -> str:
    middle = median(costs)
    return "| " + " | ".join([what, f"{middle.wall:.2f}", f"{middle.cpu:.2f}", f"{middle.memory:.0f}", *more]) + " |"


def head(*names: str) -> list[str]:
    return ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]
