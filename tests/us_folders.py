"""A working folder of US Chess for tests: small, invented, and the commands on it.

us = us_folders.Folder(tmp_path)
us.begin([{"player_id": "90000001", "pool": "regular", "rating": 1500.5}])
us.section("1", file="quad.csv", start="2025-10-04", end="2025-10-04")
us.report("quad.csv", QUAD)
us.run("2025-11")
"""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import folders
import pandas as pd

from ratingrun import findings, frames
from ratingrun.formats import list_tables

SAMPLE = Path(__file__).parent.parent / "sample_data" / "us_chess"
SYSTEM = ("--system", "uschess")
OPEN_PARTS = {"time_control": "G/90;d5", "place": "otb", "kind": "swiss"}


class Folder:
    """A working folder. Methods write its files and run commands in it."""

    def __init__(self, path: Path):
        self.path = path
        self._parts: list[dict] = []

    @classmethod
    def sample(cls, path: Path) -> "Folder":
        """The sample of the project, adopted (once; copied from then on)."""
        shutil.copytree(_adopted_sample(), path, dirs_exist_ok=True)
        return cls(path)

    @classmethod
    def published(cls, path: Path) -> "Folder":
        """The sample after its two months (made once; copied from then on)."""
        shutil.copytree(_published_sample(), path, dirs_exist_ok=True)
        return cls(path)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def begin(self, rows: list[dict]) -> folders.Done:
        """The adopted list, rows a player and pool."""
        pd.DataFrame(rows).to_csv(self.path / "list.csv", index=False)
        return self.adopt()

    def adopt(self, period: str = "2025-10") -> folders.Done:
        done = folders.command("adopt", "list.csv", "--period", period, "-C", self.path, *SYSTEM)
        assert done.code == 0, done.err
        return done

    def section(self, event: str, part: int = 1, **facts: object) -> None:
        """Adds a row to sections.csv."""
        self._parts.append({"tournament_id": event, "part": part, **OPEN_PARTS, **facts})
        pd.DataFrame(self._parts).to_csv(self.path / "sections.csv", index=False)

    def report(self, file: str, content: str | bytes, period: str = "2025-11") -> Path:
        return self.write(f"reports/{period}/{file}", content)

    def run(self, period: str = "2025-11", *more: object) -> folders.Done:
        return folders.command("run", period, "-C", self.path, *SYSTEM, *more)

    def frame(self, name: str, run: str = "2025-11-uschess") -> pd.DataFrame:
        frame, found = list_tables.read_parquet(frames.ALL[name], self.path / "lists" / run / f"{name}.parquet")
        assert found.empty
        return frame

    def ratings(self, run: str = "2025-11-uschess") -> dict[tuple[str, str], float]:
        """{(player, pool): exact rating}."""
        rows = self.frame("us_state", run)
        return dict(zip(zip(rows["player_id"], rows["pool"], strict=True), rows["rating"], strict=True))

    def codes(self, run: str = "2025-11-uschess") -> list[str]:
        rows = pd.read_csv(self.path / "lists" / run / "findings.csv", dtype={"line": "Int64", "player_id": "str"})
        return [findings.line_of(row) for row in rows.itertuples()]


@functools.cache
def _published_sample() -> Path:
    place = tempfile.mkdtemp(prefix="us-sample-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    made = Folder.sample(Path(place))
    for period in ("2025-11", "2025-12"):
        done = made.run(period)
        assert done.code == 0, done.err
    return Path(place)


@functools.cache
def _adopted_sample() -> Path:
    place = tempfile.mkdtemp(prefix="us-sample-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    shutil.copytree(SAMPLE, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("lists"))
    Folder(Path(place)).adopt()
    return Path(place)


def crosstable(rows: list[tuple]) -> str:
    """A report from (player id, cell, cell ...) rows."""
    rounds = max(len(row) for row in rows) - 1
    lines = ["start_no,player_id,name," + ",".join(f"round_{i}" for i in range(1, rounds + 1))]
    lines += [f"{no},{row[0]},Name {row[0]},{','.join(row[1:])}" for no, row in enumerate(rows, 1)]
    return "\n".join(lines) + "\n"
