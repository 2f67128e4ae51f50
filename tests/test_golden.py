"""Whole months of sample_data, frame by frame, against small exact text files.

`make golden` rewrites them; `git diff` is the reviewer. A golden whose change alters a published list needs a changelog
entry.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from ratingrun import frames, monthly, run_folder
from ratingrun.formats import list_tables

HERE = Path(__file__).parent
SAMPLE = HERE.parent / "sample_data"
GOLDEN = HERE / "golden"
MONTHS = ("2025-11", "2025-12", "2026-01")
# The reports as they came (entries, results) stand in sample_data; cells is games and sides once more.
FRAMES = (
    "tournaments", "games", "sides", "event_changes", "changes", "initials", "pool", "rated", "rating_list", "trail",
)  # fmt: skip


@pytest.fixture(scope="module")
def lists(tmp_path_factory) -> Path:
    """The run folders of the three months."""
    root = tmp_path_factory.mktemp("federation") / "sample"
    shutil.copytree(SAMPLE, root)
    for period in ("2025-08", "2025-09", "2025-10"):
        assert monthly.adopt(root, Path("lists_source") / f"{period}.csv", period, "standard").exit_code == 0
    for period in MONTHS:
        assert monthly.run(root, period).exit_code == 0
    return root / "lists"


def _texts(lists: Path, period: str, work: Path) -> dict[str, str]:
    """The month as text files by name."""
    folder = run_folder.newest(lists, period, "standard")
    texts = {name: (folder / name).read_text("utf-8") for name in ("summary.txt", "findings.csv")}
    for name in FRAMES:
        frame = frames.ALL[name]
        data, found = list_tables.read_parquet(frame, folder / f"{name}.parquet")
        assert not len(found)
        list_tables.write_csv(frame, data, work / "frame.csv")
        texts[f"{name}.csv"] = (work / "frame.csv").read_text("utf-8")
    return texts


@pytest.mark.parametrize("period", MONTHS)
def test_month_is_as_before(lists, period, tmp_path, request):
    texts = _texts(lists, period, tmp_path)
    folder = GOLDEN / period
    if request.config.getoption("--rewrite-golden"):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8", newline="\n")
    for name, text in texts.items():
        assert text == (folder / name).read_text("utf-8"), f"{period}/{name} differs: make golden, then read git diff"


@pytest.mark.parametrize("period", MONTHS)
def test_csv_opens_right_in_a_spreadsheet(lists, period):
    """UTF-8 with a header; ids are text where leading zeros exist; the Parquet file says the same."""
    folder = run_folder.newest(lists, period, "standard")
    raw = (folder / "rating_list.csv").read_bytes().decode("utf-8")
    assert raw.splitlines()[0] == ",".join(frames.RATING_LIST.names)
    rows = pd.read_csv(folder / "rating_list.csv", dtype={"player_id": "str"})
    table = pd.read_parquet(folder / "rating_list.parquet")
    assert rows["player_id"].tolist() == table["player_id"].tolist()
    assert rows["player_id"].str.startswith("0").any()
    assert rows["rating"].fillna(0).astype(int).tolist() == table["rating"].fillna(0).astype(int).tolist()
