"""What the tests of operations begin with: October adopted, a report for November."""

from pathlib import Path

import folders
import pytest


def october(path: Path, report: bool = True) -> folders.Folder:
    """A working folder with the list of October 2025 adopted; with the report `OPEN` for November, if wanted."""
    folder = folders.Folder(path)
    folder.write("source.csv", folders.LIST)
    assert folders.command("adopt", "source.csv", "--period", "2025-10", "-C", path).code == 0
    folder.register(id="T1", file="open.csv", start="2025-10-04", end="2025-10-05")
    if report:
        folder.report("open.csv", folders.OPEN)
    return folder


@pytest.fixture
def month(tmp_path) -> folders.Folder:
    """November can be run."""
    return october(tmp_path)
