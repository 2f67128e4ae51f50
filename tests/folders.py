"""A working folder for tests: the files that a rating officer has on disk, small and invented, and the commands on it.

    folder = folders.Folder(tmp_path)          # empty
    folder.register(id="T1", file="open.csv", start="2025-10-04", end="2025-10-05")
    folder.report("open.csv", OPEN)
    done = folder.run("2025-11")               # exit code, stdout, stderr, as the shell sees them

Players of the list before (`LIST`): Ann 2000, Bob 1900, Cat 1800, Dan 1700, all K 20; Eva, unrated. The report `OPEN`
has two rounds of the first four, and `AFTER_OPEN` is what the four have then, worked out by hand:

    Ann  beats 1900 (D 100: +.36), draws 1800 (D 200: -.26)   +.10 x 20 = +2.0   2002
    Bob  loses to 2000 (-.36), beats 1700 (+.24)              -.12 x 20 = -2.4   1898
    Cat  beats 1700 (+.36), draws 2000 (+.26)                 +.62 x 20 = +12.4  1812
    Dan  loses to 1800 (-.36), loses to 1900 (-.24)           -.60 x 20 = -12    1688
"""

import contextlib
import io
import sys
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ratingrun import cli, findings, frames
from ratingrun.cli import exits
from ratingrun.formats import list_tables

LIST = """\
player_id,name,federation,sex,birth_year,rating,k,games_total
0101,"Arden, Ann",ZZZ,w,1990,2000,20,100
0102,"Brook, Bob",ZZZ,m,1990,1900,20,100
0103,"Crane, Cat",ZZZ,w,1990,1800,20,100
0104,"Dover, Dan",ZZZ,m,1990,1700,20,100
0105,"Elm, Eva",ZZZ,w,1990,,,
"""
OPEN = """\
start_no,player_id,name,round_1,round_2
1,0101,Ann,2w1,3b=
2,0102,Bob,1b0,4w1
3,0103,Cat,4w1,1w=
4,0104,Dan,3b0,2b0
"""
BEFORE = {"0101": 2000, "0102": 1900, "0103": 1800, "0104": 1700, "0105": None}
AFTER_OPEN = {"0101": 2002, "0102": 1898, "0103": 1812, "0104": 1688, "0105": None}
LISTS = ("2025-08", "2025-09", "2025-10")  # adopted: the lists that events of a late report began under
PART = {"rating_type": "standard", "system": "swiss", "time_control": "90+30"}


class Done(NamedTuple):
    """What the shell sees of a command."""

    code: int
    out: str
    err: str

    @property
    def found(self) -> list[str]:
        """The lines of stderr that are findings."""
        return [line for line in self.err.splitlines() if line.split(" ")[0] in findings.CATALOGUE]


def command(*args: object) -> Done:
    """`ratingrun ARGS` in this process: the exit code, stdout and stderr of the entry point."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    before, sys.argv = sys.argv, ["ratingrun", *map(str, args)]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = exits.guarded(cli.group)
    finally:
        sys.argv = before
    return Done(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


class Folder:
    """A working folder. Methods write its files and run commands in it."""

    def __init__(self, path: Path):
        self.path = path
        self._parts: list[dict] = []

    def write(self, name: str, content: str | bytes) -> Path:
        """A file, with the folders above it."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def register(self, **part: object) -> None:
        """Adds a row to register.csv: `id`, `file`, `start`, `end` and other columns where wanted."""
        row = PART | part
        self._parts.append({"tournament_id": row.pop("id"), **row})
        columns = list(dict.fromkeys(name for row in self._parts for name in row))
        lines = [",".join(columns)]
        lines += [",".join(_quoted(row.get(name)) for name in columns) for row in self._parts]
        self.write("register.csv", "\n".join(lines) + "\n")

    def report(self, file: str, content: str | bytes, period: str = "2025-11") -> Path:
        """A report of the month."""
        return self.write(f"reports/{period}/{file}", content)

    def run(self, period: str = "2025-11", *more: object) -> Done:
        """`ratingrun run PERIOD ...` in this folder."""
        return command("run", period, "-C", self.path, *more)

    def lists(self) -> list[str]:
        """The names of the run folders, temporary ones too; without what was adopted before the test."""
        names = sorted(path.name for path in (self.path / "lists").glob("*") if path.is_dir())
        return [name for name in names if name not in {f"{period}-standard" for period in LISTS}]

    def ratings(self, run: str = "2025-11-standard") -> dict[str, int | None]:
        """{player id: rating} of a published list, unrated None."""
        rows = self.frame("rating_list", run)
        return {
            player: None if pd.isna(rating) else int(rating)
            for player, rating in zip(rows["player_id"], rows["rating"], strict=True)
        }

    def frame(self, name: str, run: str = "2025-11-standard") -> pd.DataFrame:
        """A frame of a run folder."""
        frame, found = list_tables.read_parquet(frames.ALL[name], self.path / "lists" / run / f"{name}.parquet")
        assert found.empty
        return frame

    def findings(self, run: str = "2025-11-standard") -> list[str]:
        """All findings of a run folder as lines, the rule-book notes aside."""
        rows = pd.read_csv(self.path / "lists" / run / "findings.csv", dtype={"line": "Int64", "player_id": "str"})
        return [findings.line_of(row) for row in rows[rows["code"] != "B301"].itertuples()]


def _quoted(cell: object) -> str:
    text = "" if cell is None else str(cell)
    return f'"{text}"' if "," in text else text
