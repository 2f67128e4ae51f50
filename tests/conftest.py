"""Options of the test run, and fixtures that several test files share."""

import os
import shutil
from pathlib import Path

import filelock
import folders
import pytest
from hypothesis import Phase, settings

# The same examples everywhere and every time, not shrunk (a month takes long); by hand: --hypothesis-profile=campaign
steady = (Phase.explicit, Phase.generate)
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=10, phases=steady)
settings.register_profile("campaign", deadline=None, max_examples=2000)
settings.load_profile("steady")


def pytest_addoption(parser):
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden files anew (make golden)")


SAMPLE = Path(__file__).parent.parent / "sample_data"


@pytest.fixture(scope="session")
def _adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder whose lists of August, September and October 2025 are adopted: the same list three times."""
    folder = folders.Folder(tmp_path_factory.mktemp("adopted"))
    folder.write("list.csv", folders.LIST)
    for period in folders.LISTS:
        done = folders.command("adopt", "list.csv", "--period", period, "-C", folder.path)
        assert done.code == 0, done.err
    return folder.path


@pytest.fixture
def folder(_adopted: Path, tmp_path: Path) -> folders.Folder:
    """A working folder with lists, and nothing else."""
    shutil.copytree(_adopted / "lists", tmp_path / "lists")
    return folders.Folder(tmp_path)


@pytest.fixture
def month(folder: folders.Folder) -> folders.Folder:
    """The same with one good report, open.csv, registered as T1."""
    folder.register(id="T1", file="open.csv", name="Open", start="2025-10-04", end="2025-10-05")
    folder.report("open.csv", folders.OPEN)
    return folder


@pytest.fixture(scope="session")
def year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of lists of a copy of sample_data after its three months: made once, nobody changes it."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with filelock.FileLock(shared / "year.lock"):
        if not (shared / "year").is_dir():
            _three_months(shared / "year.part")
            (shared / "year.part").rename(shared / "year")
    return shared / "year" / "lists"


def _three_months(path: Path) -> None:
    shutil.copytree(SAMPLE, path, ignore=shutil.ignore_patterns("lists", "demo"))
    for period in folders.LISTS:
        done = folders.command("adopt", f"lists_source/{period}.csv", "--period", period, "-C", path)
        assert done.code == 0, done.err
    for period in ("2025-11", "2025-12", "2026-01"):
        assert folders.command("run", period, "-C", path).code == 0


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of sample_data."""
    path = tmp_path / "sample_data"
    shutil.copytree(SAMPLE, path, ignore=shutil.ignore_patterns("lists", "demo"))
    return path
