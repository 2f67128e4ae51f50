"""Disk full, read-only, input gone in mid-run: one clear line, an exit code, nothing half-written (DESIGN 7)."""

import contextlib
import os
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import folders
import pytest

from ratingrun import frame_files
from ratingrun.formats import list_tables


def nothing_half_written(folder: folders.Folder) -> None:
    assert folder.lists() == []
    assert folder.run().code == 0 and folder.ratings() == folders.AFTER_OPEN


def test_no_room_for_a_file(month):
    """A limit on file sizes makes every larger write fail as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, before[1]))
        done = month.run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert done.code == 74 and "File too large" in done.err and "nothing was published" in done.err
    assert "Traceback" not in done.err
    nothing_half_written(month)


@contextlib.contextmanager
def mounted(path: Path, *options: str):
    """A file system of its own at `path`; the test is skipped where the machine does not let us mount one."""
    path.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", path], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("mounting needs root; the limit on file sizes is tested above")
    try:
        yield
    finally:
        subprocess.run(["umount", path], check=True)


def test_full_disk(month):
    with mounted(month.path / "full", "-o", "size=60k"):
        shutil.copytree(month.path / "lists", month.path / "full" / "lists")
        done = month.run("2025-11", "--out", "full/lists")
        assert done.code == 74 and "No space left" in done.err and "Traceback" not in done.err
        assert sorted(path.name for path in (month.path / "full" / "lists").glob("*-standard")) == ["2025-10-standard"]
        assert list((month.path / "full" / "lists").glob(".*.part")) == []


def test_read_only_target(month):
    with mounted(month.path / "target"):
        shutil.copytree(month.path / "lists", month.path / "target" / "lists")
        subprocess.run(["mount", "-o", "remount,ro", month.path / "target"], check=True)
        done = month.run("2025-11", "--out", "target/lists")
        assert done.code == 74 and "Read-only file system" in done.err and "Traceback" not in done.err


def test_permission_denied(month, monkeypatch):
    """As an ordinary user meets it; root ignores modes, so the refusal is the operating system's by injection."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied", str(month.path / "lists"))

    with monkeypatch.context() as patch:
        if os.geteuid() == 0:
            patch.setattr("tempfile.mkdtemp", refuse)
        else:
            (month.path / "lists").chmod(0o555)
        done = month.run()
        (month.path / "lists").chmod(0o755)
    assert done.code == 74 and "Permission denied" in done.err and "Traceback" not in done.err
    nothing_half_written(month)


def test_a_report_that_vanishes_in_mid_run_is_rejected(month, monkeypatch):
    from ratingrun import working_folder

    read = working_folder.read_reports

    def vanish(paths, *arguments, **options):
        for path in paths:
            path.unlink()
        return read(paths, *arguments, **options)

    monkeypatch.setattr(working_folder, "read_reports", vanish)
    done = month.run()
    assert done.code == 1 and done.found[0].startswith("F150 error open.csv: the report cannot be read")
    assert month.lists() == []


def test_a_prior_that_vanishes_in_mid_run_is_an_integrity_error(month, monkeypatch):
    from ratingrun import working_folder

    state = working_folder._state

    def vanish(prior):
        (prior.path / "pool.parquet").unlink()
        return state(prior)

    monkeypatch.setattr(working_folder, "_state", vanish)
    done = month.run()
    assert done.code == 4 and done.found[0].startswith("F112 error 2025-10-standard/pool.parquet")
    assert month.lists() == []


def test_a_write_that_fails_in_the_middle_leaves_nothing(month, monkeypatch):
    write, count = list_tables.write_parquet, []

    def fail(*arguments):
        count.append(1)
        if len(count) == 5:
            raise OSError(5, "Input/output error", "lists")
        write(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(list_tables, "write_parquet", fail)
        done = month.run()
    assert done.code == 74 and done.err.rstrip().endswith("Input/output error: lists - nothing was published")
    nothing_half_written(month)


def test_many_files_are_all_durable_before_the_rename(month, monkeypatch):
    """With many files, eight threads flush them: every file, then the folders, then the folder that is renamed."""
    fsync, seen = frame_files.fsync, []

    def watched(path):
        fsync(path)
        seen.append(path)

    monkeypatch.setattr(frame_files, "fsync", watched)
    monkeypatch.setattr(frame_files, "MANY", 1)
    assert month.run().code == 0
    run = month.path / "lists/2025-11-standard"
    last = next(at for at, path in enumerate(seen) if path.name.endswith(".part"))
    flushed = {path.relative_to(seen[last]).as_posix() for path in seen[:last]}
    assert flushed == {path.relative_to(run).as_posix() for path in run.rglob("*")}
    assert [path.name for path in seen[last + 1 :]] == ["lists"]


def test_a_flush_that_fails_beside_others_leaves_nothing(month, monkeypatch):
    fsync = frame_files.fsync

    def fail(path):
        if path.name == "sides.parquet":
            raise OSError(5, "Input/output error", "sides.parquet")
        fsync(path)

    with monkeypatch.context() as patch:
        patch.setattr(frame_files, "fsync", fail)
        patch.setattr(frame_files, "MANY", 1)
        done = month.run()
    assert done.code == 74 and "Input/output error" in done.err
    nothing_half_written(month)
