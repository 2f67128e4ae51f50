"""Whole runs against their floor, from single reports, against others; memory, stages and growth. Writes BENCHMARKS.md.

    python tests/bench/whole.py                    all parts, about seven minutes
    python tests/bench/whole.py --only a,f         these parts; the others in BENCHMARKS.md stay
    python tests/bench/whole.py --small            small sizes, one pair, about two minutes; nothing is written

Every part is measured in whole processes, in pairs, and prints what it runs.
"""

from __future__ import annotations

import argparse
import datetime as dt
import importlib.metadata
import importlib.util
import math
import os
import platform
import re
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from measure import PERIOD, PROJECT, Cost, federation, head, median, paired, process, ratingrun, ratio, row, run

HERE = Path(__file__).parent
TARGET = PROJECT / "BENCHMARKS.md"
COSTS = ("wall s", "CPU s", "peak MB")


@dataclass(frozen=True)
class Bench:
    """The sizes of a bench and where it works."""

    work: Path
    players: int
    games: int
    pairs: int
    grown: tuple[int, ...] = (1, 2, 4, 8, 16)

    def at(self, players: float = 1, games: float = 1, shape: str = "parquet") -> Path:
        return federation(self.work, int(self.players * players), int(self.games * games), shape)

    def size(self, players: float = 1, games: float = 1) -> str:
        return f"{int(self.players * players):,} players, {int(self.games * games):,} games"


def _tables(root: Path) -> Path:
    """The outputs of one run as Arrow files for the floor, which only writes them."""
    tables = root / "tables"
    if not tables.exists():
        ratingrun("run", PERIOD, "-C", root, "--provisional", log=root / "run.log")
        folder = next((root / "lists").glob("*-provisional-*"))
        tables.mkdir()
        for path in folder.glob("*.parquet"):
            _keep(pq.read_table(path), tables / f"{path.stem}.arrow")
        _keep(pa_csv.read_csv(folder / "findings.csv"), tables / "findings.arrow")
        shutil.copy(folder / "manifest.json", tables)
        shutil.rmtree(folder)
    return tables


def _keep(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def _floor(root: Path) -> Cost:
    out = root / "floor"
    try:
        return process(sys.executable, HERE / "floor.py", root, _tables(root), out, log=root / "floor.log")
    finally:
        shutil.rmtree(out, ignore_errors=True)


def part_a(bench: Bench) -> list[str]:
    """(a) and (c): whole runs from Parquet, and the floor: the same reading and writing without computing."""
    lines = head("from Parquet", *COSTS, "wall: run / floor", "CPU: run / floor")
    for players in (1, 2):
        root = bench.at(players)
        _tables(root)
        runs, floors = paired(bench.pairs, lambda root=root: run(root), lambda root=root: _floor(root))
        size = bench.size(players)
        lines.append(row(f"ratingrun run, {size}", runs, ratio(runs, floors), ratio(runs, floors, "cpu")))
        lines.append(row(f"floor, {size}", floors, "", ""))
    return [*lines, "", "Target: run / floor at most 1.5; peak at most 1200 MB at 1,000,000 players."]


def part_b(bench: Bench) -> list[str]:
    """(b) The same month from 5,000 reports, TRF or CSV, and from Parquet."""
    trf, csv, parquet = bench.at(shape="trf"), bench.at(shape="csv"), bench.at()
    count = len(list((trf / "reports" / PERIOD).iterdir()))
    *single, base = paired(bench.pairs, lambda: run(trf), lambda: run(csv), lambda: run(parquet))
    lines = head("from single reports", *COSTS, "wall: they / Parquet", "CPU: they / Parquet")
    for kind, ours in zip(("TRF", "CSV"), single, strict=True):
        size = f"{count:,} {kind} reports, {bench.size()}"
        lines.append(row(size, ours, ratio(ours, base), ratio(ours, base, "cpu")))
    lines.append(row("one Parquet collection", base, "", ""))
    return [*lines, "", "Target: TRF / Parquet at most 2.5."]


def _bare(root: Path) -> Path:
    """The bare job's input: the list with rating and K, and the rated games."""
    bare, tables = root / "bare", _tables(root)
    if not bare.exists():
        bare.mkdir()
        listed = pq.read_table(root / "lists" / "2025-10-standard" / "rating_list.parquet")
        pq.write_table(listed.select(["player_id", "rating", "k"]), bare / "list.parquet")
        sides = pa.ipc.open_file(pa.memory_map(str(tables / "sides.arrow"))).read_all()
        rated = sides.filter(pc.equal(sides["outcome"].cast(pa.string()), "rated"))
        white = rated.filter(pc.and_(pc.equal(rated["colour"].cast(pa.string()), "w"), pc.is_in(
            rated["opponent_id"], value_set=listed["player_id"].combine_chunks())))  # fmt: skip
        score = pc.divide(white["score_c"].cast(pa.float64()), 100)
        games = pa.table({"white": white["player_id"], "black": white["opponent_id"], "score": score})
        pq.write_table(games, bare / "games.parquet")
    return bare


def _peer(name: str, bare: Path, work: Path) -> Cost:
    out = Path(tempfile.mkdtemp(dir=work))
    try:
        return process(sys.executable, HERE / "peers.py", name, bare, out, log=work / "peer.log")
    finally:
        shutil.rmtree(out)


def part_d(bench: Bench) -> list[str]:
    """(d) Others on the same data, the bare job only: no reports, reasons, ledger, checks or first ratings."""
    root = bench.at()
    bare = _bare(root)
    lines = head("bare job", *COSTS, "wall: it / ratingrun run", "CPU: it / ratingrun run")
    named = {"pandas": "plain pandas script", "sqlite": "SQLite script", "elote": "", "riix": ""}
    there = {name: what for name, what in named.items() if name == "sqlite" or importlib.util.find_spec(name)}
    jobs = [lambda name=name: _peer(name, bare, bench.work) for name in there]
    *theirs, ours = paired(bench.pairs, *jobs, lambda: run(root))
    for (name, what), costs in zip(there.items(), theirs, strict=True):
        version = "" if name == "sqlite" else f"{name} {importlib.metadata.version(name)}"
        said = f"{what} {version}".strip() if what else f"{version}, its own Elo"
        lines.append(row(said, costs, ratio(costs, ours), ratio(costs, ours, "cpu")))
    lines.append(row("ratingrun run, the whole job", ours, "", ""))
    lines += [f"| {name}: not installed (pip install -e '.[bench]') | | | | | |" for name in named if name not in there]
    return [*lines, "", "Target: the SQLite script takes at least 3 times as long as the whole run."]


def part_e(bench: Bench) -> list[str]:
    """(e) Peak memory of whole runs (ru_maxrss of the process)."""
    lines = head("memory", "peak MB")
    for players in (1, 2):
        cost = run(bench.at(players))
        lines.append(f"| {bench.size(players)} | {cost.memory:.0f} |")
    return [*lines, "", "Target: at most 1200 MB at 1,000,000 players, 600,000 games."]


def part_f(bench: Bench) -> list[str]:
    """(f) Stage by stage, and the shares of imports, reading, computing, writing and hashing."""
    root = bench.at()
    log = root / "stages.log"
    process(sys.executable, HERE / "stages.py", root, log=log)
    said = log.read_text("utf-8").split("BEGIN\n", 1)[1].splitlines()
    return [f"One run of {bench.size()}, in one process and one thread.", "", *said]


def _slope(pairs: list[tuple[float, float]]) -> float:
    """The slope of the line through log size and log seconds, by least squares."""
    xs, ys = zip(*((math.log(size), math.log(seconds)) for size, seconds in pairs), strict=True)
    return statistics.linear_regression(xs, ys).slope


def part_g(bench: Bench) -> list[str]:
    """(g) Growth: games at a fixed list, the list at fixed games. The least of several runs: others only add to it."""
    lines = head("growth", *COSTS, "CPU us a game more")
    players, base = bench.players // 2, bench.games / max(bench.grown)
    games = [(players, int(base * factor)) for factor in bench.grown]
    lists = [(bench.players * factor // 4, int(base * 4)) for factor in (1, 2, 4)]
    roots = [federation(bench.work, *size) for size in (*games, *lists)]
    measured = paired(2 * bench.pairs, *(lambda root=root: run(root) for root in roots))
    least = [
        Cost(*(min(getattr(one, name) for one in costs) for name in ("wall", "cpu", "memory"))) for costs in measured
    ]
    marginal: list[float] = []
    for number, ((listed, played), cost) in enumerate(zip((*games, *lists), least, strict=True)):
        more = ""
        if 0 < number < len(games):
            marginal.append((cost.cpu - least[number - 1].cpu) / (played - games[number - 1][1]) * 1e6)
            more = f"{marginal[-1]:.2f}"
        what = f"games x {bench.grown[number]}" if number < len(games) else f"list x {4 * listed // bench.players}"
        lines.append(row(f"{what}: {listed:,} players, {played:,} games", [cost], more))
    by_games = [(played, cost.cpu) for (_, played), cost in zip(games, least, strict=False)]
    by_list = [(listed, cost.cpu) for (listed, _), cost in zip(lists, least[len(games) :], strict=True)]
    lines += ["", f"Slope of log CPU over log games: {_slope(by_games):.2f}; over log players: {_slope(by_list):.2f} "
              "(1 is linear; below 1 a fixed share does not grow)."]  # fmt: skip
    if len(marginal) > 1:
        lines += [f"A game more at the largest size costs {marginal[-1] / marginal[0]:.2f} times what it costs at the "
                  "smallest, by CPU. Target: at most 1.3."]  # fmt: skip
    return lines


def part_h(bench: Bench) -> list[str]:
    """(h) The start: `ratingrun --help` beside bare Python."""
    log = bench.work / "help.log"
    ours, bare = paired(max(10, bench.pairs), lambda: ratingrun("--help", log=log),
                        lambda: process(sys.executable, "-c", "pass", log=log))  # fmt: skip
    extra = statistics.median(a.wall - b.wall for a, b in zip(ours, bare, strict=True)) * 1000
    lines = head("start", "wall ms", "CPU ms")
    for what, costs in (("ratingrun --help", ours), ("python -c pass", bare)):
        lines.append(f"| {what} | {median(costs).wall * 1000:.0f} | {median(costs).cpu * 1000:.0f} |")
    return [*lines, "", f"`ratingrun --help` takes {extra:.0f} ms more than bare Python. Target: at most 100 ms."]


PARTS = {name: globals()[f"part_{name}"] for name in "abdefgh"}  # c, the floor, is measured with a


def machine() -> str:
    """What the figures were measured on."""
    info = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*:\s*(.*)", info.read_text()) if info.exists() else None
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("pandas", "pyarrow", "numpy"))
    return (f"{os.cpu_count()} cores ({named[1] if named else platform.processor()}), {memory:.0f} GB, "
            f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {versions}")  # fmt: skip


def load() -> str:
    return " ".join(f"{one:.1f}" for one in os.getloadavg())


def write(done: dict[str, list[str]], pairs: int) -> None:
    """BENCHMARKS.md with these parts; the other parts as they stand there."""
    old = TARGET.read_text("utf-8") if TARGET.exists() else ""
    known = dict(re.findall(r"<!-- part (\w) -->\n(.*?)<!-- end \1 -->", old, re.S))
    day = f"{dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M} UTC"
    for name, lines in done.items():
        title = (PARTS[name].__doc__ or "").strip()
        said = f"Measured {day}; {pairs} runs each, medians; {machine()}; load average afterwards {load()}."
        known[name] = "\n".join([f"## {title}", "", *lines, "", said, ""])
    body = "\n".join(f"<!-- part {name} -->\n{known[name]}<!-- end {name} -->\n" for name in sorted(known))
    TARGET.write_text(HEAD + body, "utf-8")


HEAD = """# Benchmarks

Written by `make bench`; `make bench-whole EXTRAS=dev,bench EXTRA="--only a,f"` measures some parts again and leaves
the others. The federation
is invented (`ratingrun sample`). Every figure is of whole processes, run in turn with what they are compared with:
the median, for ratios the median of the pairs (least to greatest). Wall seconds depend on what else the machine does;
CPU seconds less so. `run` means everything: reading, rating, ledger, reasons for every cell, invariants, findings,
Parquet and CSV, sha256 of each file, content hash of each frame, fsync. All processes find their modules compiled
(PYTHONDONTWRITEBYTECODE is not passed on to them), as installed software does.

"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="a,b,d,e,f,g,h", help="parts, separated by commas")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--work", type=Path, help="folder for the federations; kept, so that parts can be repeated")
    chosen = parser.parse_args()
    wanted = sorted({"a" if name.strip() == "c" else name.strip() for name in chosen.only.split(",")})
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are a to h")
    with tempfile.TemporaryDirectory() as temporary:
        work = chosen.work or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        bench = Bench(work, 20_000, 6_000, 1, (1, 2)) if chosen.small else Bench(work, 1_000_000, 600_000, chosen.pairs)
        print(f"On {machine()}; load average {load()}", flush=True)
        done = {}
        for name in wanted:
            print(f"\n{PARTS[name].__doc__}\n", flush=True)
            done[name] = PARTS[name](bench)
            print("\n".join(done[name]), flush=True)
            if not chosen.small:
                write({name: done[name]}, bench.pairs)


if __name__ == "__main__":
    main()
