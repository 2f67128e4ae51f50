"""An invented federation of any size: the same for the same seed, and fit to run (README)."""

import filecmp

import folders
import pytest

from ratingrun import sample
from ratingrun.formats import read_report


@pytest.mark.parametrize("shape", ["csv", "trf"])
def test_the_same_seed_makes_the_same_bytes_and_reports_without_findings(tmp_path, shape):
    for name in ("one", "two"):
        sample.write(sample.build(players=500, games=600, months=2, seed=7), tmp_path / name, shape)
    one, two = tmp_path / "one", tmp_path / "two"
    files = sorted(path.relative_to(one).as_posix() for path in one.rglob("*") if path.is_file())
    assert filecmp.cmpfiles(one, two, files, shallow=False)[0] == files
    for path in sorted((one / "reports").rglob(f"*.{shape}")):
        assert read_report(path, path.name).findings.empty


def test_about_as_many_games_as_asked_for_and_a_run_without_rejections(tmp_path):
    done = folders.command("sample", tmp_path / "f", "--players", 600, "--games", 900, "--months", 2, "--seed", 3)
    assert done.code == 0
    root = tmp_path / "f"
    assert folders.command("adopt", "lists_source/2025-10.csv", "--period", "2025-10", "-C", root).code == 0
    for period in ("2025-11", "2025-12"):
        run = folders.command("run", period, "-C", root)
        assert run.code == 0 and run.found == []
        games = int(run.out.split("Games reported: ")[1].split(",")[0])
        assert 800 <= games <= 3000


def test_an_existing_folder_is_refused(tmp_path):
    assert folders.command("sample", tmp_path).code == 1
