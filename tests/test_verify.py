"""verify: a recorded run recomputed. What was touched is found, and named, whichever file it is."""

import hashlib
import json
import shutil

import folders
import pytest

from ratingrun import frames
from ratingrun.content_hash import content_hash
from ratingrun.formats import list_tables

RUN = "lists/2025-11-standard"


@pytest.fixture
def published(month):
    assert month.run().code == 0
    return month


def verify(folder, run=RUN, *more):
    return folders.command("verify", folder.path / run, *more)


def forge(folder, name, change):
    """Changes a frame's file and puts its new hashes into the manifest, as a careful forger would."""
    path = folder.path / RUN / f"{name}.parquet"
    frame = frames.ALL[name]
    data, _ = list_tables.read_parquet(frame, path)
    data = frame.build(change(data))
    list_tables.write_parquet(frame, data, path)
    manifest = json.loads((folder.path / RUN / "manifest.json").read_text("utf-8"))
    manifest["files"][path.name]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest["frames"][name]["content_hash"] = content_hash(frame.to_arrow(data))
    (folder.path / RUN / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def test_a_published_month_verifies(published):
    done = verify(published)
    assert done.code == 0, done.out
    assert "verified" in done.out and "13 frames" in done.out


def test_the_second_month_verifies_with_what_waited_and_with_files_that_are_no_reports(published):
    published.register(id="T2", file="late.csv", name="Late", start="2025-10-25", end="2025-10-31")
    published.report("late.csv", folders.OPEN.replace("2w1", "2w="), "2025-11")
    shutil.rmtree(published.path / RUN)
    (published.path / "lists/journal.csv").unlink()
    assert published.run().code == 0
    published.write("reports/2025-12/notes.docx", b"x")
    published.write("reports/2025-12/more/stray.csv", folders.OPEN)
    done = published.run("2025-12", "--allow-rejected")
    assert done.code == 0, done.err
    for run in (RUN, "lists/2025-12-standard"):
        done = verify(published, run)
        assert done.code == 0, done.out + done.err


def test_provisional_and_adopted_folders_verify(published):
    assert published.run("2025-12", "--provisional", "--no-games").code == 0
    assert verify(published, "lists/2025-12-standard-provisional-1").code == 0
    assert verify(published, "lists/2025-10-standard").code == 0


def test_an_adopted_list_that_counted_older_lists_needs_them(folder):
    folder.write("older/2025-09.csv", folders.LIST)
    assert (
        folders.command(
            "adopt",
            folder.write("list.csv", folders.LIST),
            "--period",
            "2025-12",
            "--earlier",
            "older",
            "-C",
            folder.path,
        ).code
        == 0
    )
    without = verify(folder, "lists/2025-12-standard")
    assert without.code == 0 and "--earlier" in without.err
    assert verify(folder, "lists/2025-12-standard", "--earlier", folder.path / "older").code == 0
    folder.write("older/2025-09.csv", folders.LIST.replace("2000,20,100", "2000,20,90"))
    changed = verify(folder, "lists/2025-12-standard", "--earlier", folder.path / "older")
    assert changed.code == 4 and "2025-09.csv" in changed.out


@pytest.mark.parametrize(
    "name", ["rating_list.csv", "summary.txt", "findings.csv", "sides.parquet", "inputs/register.csv"]
)
def test_a_changed_file_is_named(published, name):
    path = published.path / RUN / name
    path.write_bytes(path.read_bytes() + b"\n")
    done = verify(published)
    assert done.code == 4
    assert done.out.splitlines()[0] == f"{name}: the file was changed after it was written"


def test_a_missing_and_an_added_file_are_named(published):
    (published.path / RUN / "rated.parquet").unlink()
    published.write(f"{RUN}/more.txt", "x")
    done = verify(published)
    assert done.code == 4
    assert "rated.parquet: the file is missing" in done.out and "more.txt: the file was added" in done.out


def test_a_forged_rating_with_forged_hashes_is_found_by_recomputing(published):
    def better(rows):
        return rows.assign(rating=rows["rating"].mask(rows["player_id"] == "0101", 2052))

    forge(published, "rating_list", better)
    done = verify(published)
    assert done.code == 4
    first = done.out.splitlines()[0]
    assert first.startswith("rating_list: 1 rows differ, first player_id 0101")
    assert "rating 2052 recorded, 2002 recomputed" in first


def test_the_first_difference_comes_first_in_the_order_of_the_month(published):
    """A forged game is named before the list that would follow from it."""
    forge(published, "rating_list", lambda rows: rows.assign(games=rows["games"] + 1))
    forge(published, "sides", lambda rows: rows.assign(score_c=rows["score_c"].mask(rows["round"] == 1, 50)))
    lines = verify(published).out.splitlines()
    assert lines[0].startswith("sides: ") and lines[1].startswith("rating_list: ")


def test_another_prior_than_the_recorded_one_is_found(published):
    manifest = published.path / "lists/2025-10-standard/manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"created": "20', '"created": "19'), "utf-8")
    done = verify(published)
    assert done.code == 4 and "2025-10-standard" in done.out.splitlines()[0]


def test_a_prior_that_is_not_there_is_said_in_one_line(published):
    shutil.rmtree(published.path / "lists/2025-10-standard")
    done = verify(published)
    assert done.code == 4 and "not recomputed: F110" in done.out


def test_what_is_no_run_folder(published):
    assert verify(published, "reports").code == 1
    assert verify(published, "nowhere").code == 1


def test_a_manifest_that_points_out_of_the_folder_writes_nothing_outside(published, tmp_path):
    path = published.path / RUN / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["sources"]["ignored"] = ["../../../../escaped.txt", "/escaped.txt"]
    path.write_text(json.dumps(manifest), "utf-8")
    done = verify(published)
    assert done.code == 4  # two findings R304 that the run had not
    assert not list(tmp_path.parent.rglob("escaped.txt"))


@pytest.mark.parametrize("version", [1, 99, None])
def test_content_hashes_of_another_definition_are_not_compared(published, version):
    """A run folder of another version of the manifest: one line that says so, not 13 frames that seem to differ."""
    path = published.path / RUN / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    assert manifest["schema_version"] == frames.SCHEMA_VERSION
    path.write_text(json.dumps(manifest | {"schema_version": version}), "utf-8")
    done = verify(published)
    assert done.code == 4
    made = manifest["ratingrun"]
    assert done.out.splitlines()[0] == (
        f"not recomputed: its manifest has schema_version {version}, this ratingrun reads {frames.SCHEMA_VERSION}; "
        f"verify it with the ratingrun that made it ({made})"
    )
    count = len(manifest["files"])
    assert done.out.splitlines()[1:] == [f"2025-11-standard: not verified ({count} files, 0 frames compared)"]
    assert "Traceback" not in done.err


def test_the_last_line_counts_what_differs(published):
    for name, count in {"summary.txt": "1 place", "findings.csv": "2 places"}.items():
        path = published.path / RUN / name
        path.write_text(path.read_text("utf-8") + "\n", "utf-8")
        said = verify(published).out.splitlines()
        assert said[-1].startswith(f"2025-11-standard: differs in {count} (")
