"""make bench: the site of an invented month of 20,000 players: seconds and memory of the command on two cores, the
sizes of its files, and in headless Chromium how long a search, a sort and a player's panel take. Fails beyond the
limits of the project: 20 s, 1 GB, 200 ms, 1 MB for the first page with what it loads, 3 MB for any file."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS, MEMORY, SEARCH, FIRST_PAGE, ANY_FILE = 20, 1_000_000_000, 200, 1_000_000, 3_000_000
CORES = 2
TYPED = ("wensel", "1000131", "kal qui", "nobody")
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Types the words letter by letter; the time from each letter until the rows stand on the screen.
TYPING = """async (words) => {
  const input = document.getElementById("search");
  const times = [];
  for (const word of words) for (let n = 1; n <= word.length; n += 1) {
    input.value = word.slice(0, n);
    const begin = performance.now();
    input.dispatchEvent(new Event("input"));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - begin);
  }
  return times;
}"""
OPENING = """async (id) => {
  const begin = performance.now();
  location.hash = id;
  while (document.getElementById("panel").dataset.shown !== id) await new Promise((done) => setTimeout(done, 1));
  return performance.now() - begin;
}"""


def command(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "ratingrun", *map(str, arguments)], check=True, capture_output=True)


def month(folder: Path, players: int, games: int) -> Path:
    """An invented federation after two months, so that the list before is a real one."""
    command("sample", folder, "--players", players, "--games", games, "--months", 2)
    command("adopt", "lists_source/2025-10.csv", "--period", "2025-10", "-C", folder)
    for period in ("2025-11", "2025-12"):
        command("run", period, "--quiet", "-C", folder)
    return folder / "lists" / "2025-12-standard"


def measured(run: Path, out: Path) -> tuple[float, int]:
    """Seconds and the most bytes that the command took."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    begin = time.perf_counter()
    arguments = [sys.executable, "-m", "ratingrun", "site", str(run), "--out", str(out)]
    done = os.posix_spawn(sys.executable, arguments, os.environ)
    _, status, used = os.wait4(done, 0)
    assert status == 0
    return time.perf_counter() - begin, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def sizes(out: Path) -> tuple[int, int, int]:
    """Bytes of the first page with what it loads, of the largest file, of all."""
    page = (out / "index.html").read_text("utf-8")
    named = re.findall(r'<(?:script|link)[^>]* (?:src|href)="(?!data:)([^"]+)"', page)
    files = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    return sum((out / name).stat().st_size for name in ["index.html", *named]), max(files), sum(files)


def browsed(out: Path) -> dict[str, float] | None:
    """Milliseconds in headless Chromium: until the table stands, the slowest letter of a search, a panel."""
    program = os.environ.get("RATINGRUN_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        return None
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = started.new_page()
        begin = time.perf_counter()
        page.goto((out / "players.html").as_uri())
        page.wait_for_selector("html[data-ready]")
        found = {"ready": 1000 * (time.perf_counter() - begin)}
        times = page.evaluate(TYPING, list(TYPED))
        found |= {"search": max(times), "median": sorted(times)[len(times) // 2]}
        found["panel"] = page.evaluate(OPENING, "1000131")
        started.close()
    return found


def bench(work: Path, players: int, games: int) -> None:
    run = month(work / "federation", players, games)
    seconds, memory = measured(run, work / "site")
    first, largest, whole = sizes(work / "site")
    print(f"site of {players} players, {games} games: {seconds:.1f} s, {memory / 1e6:.0f} MB of memory; "
          f"{whole / 1e6:.1f} MB, first page {first / 1e3:.0f} kB, largest file {largest / 1e3:.0f} kB")  # fmt: skip
    assert seconds <= SECONDS and memory <= MEMORY and first <= FIRST_PAGE and largest <= ANY_FILE
    found = browsed(work / "site")
    if found is None:
        print("site in the browser: not measured, no Chromium or no Playwright (make bench EXTRAS=dev,browser)")
        return
    ready, search, median, panel = (round(found[name]) for name in ("ready", "search", "median", "panel"))
    print(f"site in the browser: table ready after {ready} ms; a search answers in {search} ms at most, "
          f"{median} ms in the middle; a panel opens in {panel} ms")  # fmt: skip
    assert found["search"] <= SEARCH


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=20_000)
    parser.add_argument("--games", type=int, default=20_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        bench(Path(work), chosen.players, chosen.games)
