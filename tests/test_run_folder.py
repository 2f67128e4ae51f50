"""The run folder: whole, described by its manifest, readable as the next month's prior."""

import csv
import json

import pandas as pd
import pyarrow.parquet as pq
import pytest

from ratingrun import frames, run_folder
from ratingrun.content_hash import content_hash
from ratingrun.formats import list_tables


@pytest.fixture
def made(month):
    assert month.run().code == 0
    return month.path / "lists/2025-11-standard"


def manifest(path):
    return json.loads((path / "manifest.json").read_text("utf-8"))


def test_the_manifest_names_every_file_with_its_hash(made):
    said = manifest(made)["files"]
    there = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    assert set(said) == there - {"manifest.json"}
    for name, facts in said.items():
        assert facts == {"bytes": (made / name).stat().st_size, "sha256": run_folder.sha256(made / name)}


def test_the_manifest_says_what_was_made_from_what(made):
    said = manifest(made)
    assert (said["period"], said["rating_type"], said["list_date"]) == ("2025-11", "standard", "2025-11-01")
    assert said["status"] == "published"
    assert said["rule_books"] == ["fide-standard-2025-10"]
    prior = made.parent / "2025-10-standard"
    assert said["prior"]["folder"] == "2025-10-standard"
    assert said["prior"]["manifest_sha256"] == run_folder.sha256(prior / "manifest.json")
    assert said["findings"] == {"error": 0, "warning": 0, "note": len(pd.read_csv(made / "findings.csv"))}


@pytest.mark.parametrize("name", [name for name in run_folder.WRITTEN if not name.startswith("us_")])
def test_every_frame_has_its_schema_rows_and_content_hash(made, name):
    table, said = pq.read_table(made / f"{name}.parquet"), manifest(made)["frames"][name]
    frame = frames.ALL[name]
    assert table.schema.equals(frame.schema, check_metadata=False)
    for column in frame.columns:
        assert table.schema.field(column.name).metadata[b"description"].decode() == column.text
    assert said == {"rows": table.num_rows, "content_hash": content_hash(table)}


def test_csv_and_parquet_are_the_same_list(made):
    with (made / "rating_list.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    listed, _ = list_tables.read_parquet(frames.RATING_LIST, made / "rating_list.parquet")
    assert (
        [row["player_id"] for row in rows] == listed["player_id"].tolist() == ["0101", "0102", "0103", "0104", "0105"]
    )
    assert [row["rating"] for row in rows] == ["2002", "1898", "1812", "1688", ""]


def test_inputs_as_used_and_reports_by_hash(month, made):
    assert (made / "inputs/register.csv").read_bytes() == (month.path / "register.csv").read_bytes()
    report = month.path / "reports/2025-11/open.csv"
    assert (made / f"inputs/reports/{run_folder.sha256(report)}.csv").read_bytes() == report.read_bytes()


@pytest.mark.parametrize(("names", "newest"), [
    (["2025-11-standard"], "2025-11-standard"),
    (["2025-11-standard", "2025-11-standard-r2", "2025-11-standard-r10"], "2025-11-standard-r10"),
    (["2025-11-rapid", "2025-10-standard", "2025-11-standard-provisional-1", ".2025-11-standard-abc"], None),
    ([], None),
])  # fmt: skip
def test_the_newest_revision_of_a_period(tmp_path, names, newest):
    for name in names:
        (tmp_path / name).mkdir()
    found = run_folder.newest(tmp_path, "2025-11", "standard")
    assert (found and found.name) == newest


def test_a_prior_of_another_type(month):
    path = month.path / "lists/2025-10-standard/manifest.json"
    path.write_text(path.read_text("utf-8").replace('"rating_type": "standard"', '"rating_type": "rapid"'), "utf-8")
    done = month.run()
    assert done.code in (1, 4)
    assert done.found[0] == (
        "F117 error 2025-10-standard: is a rapid list, not standard; give the run folder of the right type"
    )
