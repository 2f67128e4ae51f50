"""make bench: 2,000 invented TRF reports, ours beside the package `trf`, one core each; and a combined FIDE list of
1,000,000 players beside np.fromfile and a search for line ends. Medians of pairs, so that a busy machine hits both."""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import trf as package

from ratingrun.formats import fide_layouts, fide_txt, text, trf

ROUNDS, PAIRS = 9, 5
OTHER = {"1": "0", "=": "=", "0": "1"}


def report(generator: random.Random, number: int) -> str:
    """An invented open of 20 to 100 players and nine rounds."""
    players = generator.choice([20, 40, 60, 80, 100])
    cells: list[list[str]] = [[] for _ in range(players + 1)]
    for _ in range(ROUNDS):
        order = generator.sample(range(1, players + 1), players)
        for white, black in zip(order[::2], order[1::2], strict=True):
            result = generator.choice("1=0")
            cells[white].append(f"{black:>4} w {result}")
            cells[black].append(f"{white:>4} b {OTHER[result]}")
    lines = [f"012 Invented {number}", "022 Town", "032 VLM", "042 2025/10/01", "052 2025/10/09", "122 90+30"]
    for no in range(1, players + 1):
        points = sum({"1": 2, "=": 1, "0": 0}[cell[-1]] for cell in cells[no]) / 2
        name = f"Player{generator.randrange(10**5)}, Name"
        head = f"001 {no:>4} m    {name:33} {generator.randrange(1400, 2500):>4} VLM {generator.randrange(10**6):>11}"
        lines.append(f"{head} 19{generator.randrange(50, 99)}/01/01 {points:>4} {no:>4}  {'  '.join(cells[no])}")
    return "\n".join(lines) + "\n"


def ours(paths: list[Path]) -> int:
    return len(trf.read_many([text.load(path)[0] for path in paths], [path.name for path in paths]).entries)


def theirs(paths: list[Path]) -> int:
    count = 0
    for path in paths:
        with path.open() as stream:
            count += len(package.load(stream).players)
    return count


def timed(function, *arguments):
    begin = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - begin, result


def reports(folder: Path, count: int) -> None:
    generator = random.Random(7)
    paths = [folder / f"r{number}.trf" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_text(report(generator, number))
    ours(paths)
    pairs = [(timed(ours, paths), timed(theirs, paths)) for _ in range(PAIRS)]
    assert pairs[0][0][1] == pairs[0][1][1]
    rows = pairs[0][0][1]
    mine, other = (statistics.median(pair[place][0] for pair in pairs) for place in (0, 1))
    print(f"{count} reports, {rows} player rows, {ROUNDS} rounds: ratingrun {rows / mine:,.0f} rows/s, "
          f"trf {rows / other:,.0f} rows/s: {other / mine:.1f} times")  # fmt: skip


def a_list(folder: Path, players: int) -> None:
    layout = fide_layouts.WRITTEN["combined"]
    generator = random.Random(7)
    some = []
    for number in range(1000):
        text = [" "] * layout.length
        values = {"name": f"Player{number}, Name {generator.randrange(10**6)}", "federation": "VLM", "sex": "M",
                  "title": generator.choice(["", "", "FM"]), "standard_rating": str(generator.randrange(1400, 2500)),
                  "standard_games": "7", "standard_k": "20",
                  "birthday": str(generator.randrange(1940, 2015))}  # fmt: skip
        for name, value in values.items():
            first, last = layout.fields[name]
            text[first - 1 : last] = value.ljust(last - first + 1)
        some.append("".join(text))
    path = folder / "list.txt"
    with path.open("w", newline="") as stream:
        stream.write("ID Number".ljust(layout.length) + "\r\n")
        for begin in range(0, players, 1000):
            lines = (f"{begin + at + 1000000:<15}{line[15:]}\r\n" for at, line in enumerate(some))
            stream.write("".join(lines))

    def bare() -> int:
        return len(np.flatnonzero(np.fromfile(path, "u1") == 10))

    def read() -> int:
        return len(fide_txt.columns(np.fromfile(path, "u1"), layout)[1])

    bare(), read()
    pairs = [(timed(read), timed(bare)) for _ in range(PAIRS)]
    assert pairs[0][0][1] == players
    ratio = statistics.median(mine[0] / other[0] for mine, other in pairs)
    print(f"combined list, {players} players: {statistics.median(mine[0] for mine, _ in pairs):.2f} s, "
          f"{ratio:.1f} times np.fromfile and the search for line ends")  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=2000)
    parser.add_argument("--players", type=int, default=1_000_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        a_list(Path(work), chosen.players)
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        reports(Path(work), chosen.reports)
