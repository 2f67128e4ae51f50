"""The same inputs, the same bytes: files in any order, twice, in another place. Rows shuffled: the same frames."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import folders
import numpy as np
import pandas as pd
import pytest

from ratingrun import pipeline, working_folder

SAMPLE = Path(__file__).parent.parent / "sample_data"
FRAMES = ("rating_list", "games", "sides", "event_changes", "changes", "initials", "pool", "trail", "cells", "rated")
PERIODS = ("2025-11", "2025-12")


def start(path):
    shutil.copytree(SAMPLE, path, ignore=shutil.ignore_patterns("lists", "demo"))
    for period in ("2025-08", "2025-09", "2025-10"):
        assert folders.command("adopt", f"lists_source/{period}.csv", "--period", period, "-C", path).code == 0


def go(path):
    """Two months; stdout of each, and the bytes of every file."""
    said = [folders.command("run", period, "-C", path) for period in PERIODS]
    assert [done.code for done in said] == [0, 0]
    files = {file.relative_to(path).as_posix(): file.read_bytes() for file in sorted((path / "lists").rglob("*.*"))
             if file.is_file() and file.suffix != ".lock"}  # fmt: skip
    return [done.out.replace(str(path), "") for done in said], files


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """The months of sample_data, made once: stdout and files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1767225600")
        path = tmp_path_factory.mktemp("once") / "velmora"
        start(path)
        return go(path)


@pytest.fixture
def fixed(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")


def test_a_second_run_in_another_place_gives_every_byte_again(once, tmp_path, fixed):
    path = tmp_path / "another place with blanks" / "ü"
    path.parent.mkdir()
    start(path)
    assert go(path) == once


def test_the_files_in_another_order_give_every_byte_again(once, tmp_path, fixed, monkeypatch):
    """However the file system lists the reports."""
    path = tmp_path / "velmora"
    start(path)
    listing = Path.rglob

    def shuffled(self, pattern, **more):
        found = list(listing(self, pattern, **more))
        random.Random(len(found)).shuffle(found)
        return iter(found)

    monkeypatch.setattr(Path, "rglob", shuffled)
    said, files = go(path)
    monkeypatch.undo()
    assert (said, {name: files[name] for name in sorted(files)}) == once


def test_without_a_fixed_clock_only_the_times_differ(once, tmp_path, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    path = tmp_path / "velmora"
    start(path)
    files = go(path)[1]
    assert files.keys() == once[1].keys()
    different = {name.rpartition("/")[2] for name in files if files[name] != once[1][name]}
    assert different <= {"manifest.json", "journal.csv"}


def test_renamed_reports_change_names_only(once, tmp_path, fixed):
    """Other names, so another order of reading; the register follows. What is published stays the same."""
    path = tmp_path / "velmora"
    start(path)
    register = (path / "register.csv").read_text("utf-8")
    for number, report in enumerate(sorted((path / "reports").rglob("*.*"), reverse=True)):
        if f",{report.name}," in register:
            register = register.replace(f",{report.name},", f",r{number:02}{report.suffix},")
            for same in (path / "reports").rglob(report.name):
                same.rename(same.with_name(f"r{number:02}{report.suffix}"))
    (path / "register.csv").write_text(register, "utf-8")
    files = go(path)[1]
    for period in PERIODS:
        for name in ("rating_list.parquet", "rating_list.csv", "changes.parquet", "event_changes.parquet",
                     "initials.parquet", "pool.parquet", "trail.parquet"):  # fmt: skip
            assert files[f"lists/{period}-standard/{name}"] == once[1][f"lists/{period}-standard/{name}"], name


def shuffle(frame, seed):
    return frame.sample(frac=1, random_state=np.random.RandomState(seed))


@pytest.mark.parametrize("seed", range(3))
def test_rows_in_another_order_give_the_same_frames(once, tmp_path, seed):
    """Register, facts, corrections, exclusions, lists, pool and the rows and cells of every report."""
    path = tmp_path / "velmora"
    start(path)
    assert folders.command("run", "2025-11", "-C", path).code == 0
    places = working_folder.places(path, "2025-12", {})
    inputs = working_folder.load(places, "2025-12", "standard").inputs
    reports = [
        replace(report, entries=shuffle(report.entries, seed), results=shuffle(report.results, seed))
        for report in inputs.reports
    ]
    random.Random(seed).shuffle(reports)
    other = replace(
        inputs,
        reports=reports,
        lists={day: shuffle(listed, seed) for day, listed in reversed(inputs.lists.items())},
        **{
            name: shuffle(getattr(inputs, name), seed)
            for name in ("register", "players", "corrections", "exclusions", "pool", "rated")
        },
    )
    one, two = pipeline.run(inputs), pipeline.run(other)
    for name in (*FRAMES, "tournaments", "entries", "results"):
        pd.testing.assert_frame_equal(one.frames[name], two.frames[name], obj=name)
    pd.testing.assert_frame_equal(one.findings, two.findings)
