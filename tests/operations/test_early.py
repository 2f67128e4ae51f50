"""Frames that are written while the run goes on: the same bytes, and nothing is left of a month that is not published.

Only large frames are written early; here every frame is large.
"""

import shutil

import pytest

from ratingrun import frame_files, publish
from ratingrun.stages import rating_list


@pytest.fixture
def early(monkeypatch):
    monkeypatch.setattr(frame_files, "LARGE", 1)


def contents(folder):
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def lists(folder):
    return sorted(path.name for path in (folder.path / "lists").iterdir() if path.suffix == ".part")


def test_the_same_bytes_as_at_the_end(month, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    begun = []
    begin = publish.Draft.begin
    monkeypatch.setattr(publish.Draft, "begin", lambda self, name, rows: begun.append(name) or begin(self, name, rows))
    assert month.run().code == 0
    path = month.path / "lists" / "2025-11-standard"
    late = contents(path)
    shutil.rmtree(path)
    (month.path / "lists" / "journal.csv").unlink()
    monkeypatch.setattr(frame_files, "LARGE", 1)
    assert month.run().code == 0
    assert contents(path) == late
    assert begun == 2 * ["results", "entries", "games", "sides", "event_changes", "cells", "rating_list"]


def test_a_disk_that_fails_in_a_thread_is_exit_74(month, early, monkeypatch):
    def full(self, frame, table):
        raise OSError(28, "No space left on device", f"{frame.name}.parquet")

    monkeypatch.setattr(frame_files.FrameFiles, "_parquet", full)
    done = month.run()
    assert done.code == 74 and "nothing was published" in done.err
    assert month.lists() == [] and lists(month) == []


def test_a_rejected_report_leaves_nothing(month, early):
    month.report("open.csv", "start_no,player_id,name,round_1\n1,0101,Ann,2w1\n2,0102,Bob,1w0\n")
    done = month.run()
    assert done.code == 1 and "Nothing published" in done.err
    assert month.lists() == [] and lists(month) == []


def test_a_bug_after_frames_were_begun_leaves_nothing(month, early, monkeypatch):
    def broken(*arguments):
        raise AssertionError("no list")

    monkeypatch.setattr(rating_list, "build", broken)
    assert month.run().code == 70
    assert month.lists() == [] and lists(month) == []
