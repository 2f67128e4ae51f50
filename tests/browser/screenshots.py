"""make screenshots: the two pictures of the README, from sample_data's December 2025, in headless Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
SAMPLE = HERE.parents[1] / "sample_data"
OUT = HERE / "screenshots"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
# name, page, width, what is in the picture: from the top of the first to the bottom of the second
SHOTS = (
    ("site-month.png", "index.html", 1180, "header.top", "section:has(#pictures)"),
    ("site-player.png", "players.html#000356", 1180, "header.top", "#panel section:nth-last-child(3)"),
)


def command(folder: Path, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "ratingrun", *arguments, "-C", str(folder)], check=True, capture_output=True)


def built(work: Path) -> Path:
    """The site of December 2025, with the lists that the demo makes."""
    folder = work / "sample_data"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("lists", "demo"))
    for period in ("2025-08", "2025-09", "2025-10"):
        command(folder, "adopt", f"lists_source/{period}.csv", "--period", period)
    for period in ("2025-11", "2025-12", "2026-01"):
        command(folder, "run", period)
    command(folder, "site", "lists/2025-12-standard", "--out", "site")
    return folder / "site"


def shoot(site: Path) -> None:
    program = os.environ.get("RATINGRUN_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)))
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, address, width, first, last in SHOTS:
            page = started.new_page(viewport={"width": width, "height": 900})
            page.goto(f"{site.as_uri()}/{address}")
            page.wait_for_selector(last)
            top = page.locator(first).first.bounding_box()
            box = page.locator(last).first.bounding_box()
            height = box["y"] + box["height"] + 24 - top["y"]
            clip = {"x": 0, "y": top["y"], "width": width, "height": height}
            page.screenshot(path=OUT / name, full_page=True, clip=clip)
            print(f"{OUT / name}: {(OUT / name).stat().st_size // 1000} kB")
            page.close()
        started.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        shoot(built(Path(work)))
