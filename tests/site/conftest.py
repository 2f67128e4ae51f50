"""Months to make sites of: sample_data's three, once; and a small month worked out by hand (`folders.OPEN`)."""

import shutil
from pathlib import Path

import folders
import pytest

from ratingrun import site, texts
from ratingrun.site import month

SAMPLE = Path(__file__).parents[2] / "sample_data"
MONTHS = ("2025-11", "2025-12", "2026-01")


@pytest.fixture(scope="session")
def year(tmp_path_factory):
    """sample_data after its three months: the folder of lists."""
    path = tmp_path_factory.mktemp("year") / "sample_data"
    shutil.copytree(SAMPLE, path, ignore=shutil.ignore_patterns("lists", "demo"))
    for period in folders.LISTS:
        done = folders.command("adopt", f"lists_source/{period}.csv", "--period", period, "-C", path)
        assert done.code == 0, done.err
    for period in MONTHS:
        assert folders.command("run", period, "-C", path).code == 0
    return path / "lists"


@pytest.fixture(scope="session")
def sources(year):
    """{period: the source of its site} of the three months."""
    found = {}
    for period in MONTHS:
        found[period], news = month.read(year / f"{period}-standard", None)
        assert not len(news)
    return found


@pytest.fixture(scope="session")
def built(sources):
    """{period: the files of the site} of the three months."""
    return {period: site.build(source, texts.catalogue("en"), None, 50) for period, source in sources.items()}
