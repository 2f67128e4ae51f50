"""The public API: what `from ratingrun import ...` gives, and a period in memory from DataFrames."""

import subprocess
import sys

import folders
import pandas as pd

import ratingrun


def test_importing_the_package_loads_nothing_heavy():
    code = "import ratingrun, sys; sys.exit(bool({'pandas', 'numpy', 'pyarrow'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_public_name_is_there():
    for name in ratingrun.__all__:
        assert getattr(ratingrun, name) is not None


def test_a_period_in_memory(tmp_path):
    """Ann 2000 beats 1900 (+.36) and draws 1800 (-.26): +.10 x 20 = 2002. The hand figures of `folders`."""
    path = tmp_path / "open.csv"
    path.write_text(folders.OPEN, "utf-8")
    (tmp_path / "list.csv").write_text(folders.LIST, "utf-8")
    listed = pd.read_csv(tmp_path / "list.csv", dtype={"player_id": "str"})
    columns = dict.fromkeys(ratingrun.frames.RATING_LIST.names)
    filled = {
        "games": 0,
        "games_total": listed["games_total"].fillna(0),
        "peak": listed["rating"],
        "active": True,
        "k_clause": "8.3.3",
    }
    prior = ratingrun.frames.RATING_LIST.build(pd.DataFrame({**columns, **listed.to_dict("series"), **filled}))
    part = dict.fromkeys(ratingrun.frames.REGISTER.names)
    part |= {"tournament_id": "T1", "part": 1, "file": "open.csv", "rating_type": "standard", "system": "swiss"}
    part |= {"start": pd.Timestamp("2025-10-04"), "end": pd.Timestamp("2025-10-05"), "fide_official": False, "line": 2}
    register = ratingrun.frames.REGISTER.build(pd.DataFrame([part]))
    month = ratingrun.run_period(
        ratingrun.Inputs(
            period="2025-11",
            register=register,
            reports=[ratingrun.read_report(path, "open.csv")],
            lists={pd.Timestamp("2025-10-01").date(): prior},
        )
    )
    ratings = month.frames["rating_list"].set_index("player_id")["rating"].dropna().to_dict()
    assert ratings == {player: rating for player, rating in folders.AFTER_OPEN.items() if rating}


def test_a_bug_is_no_public_name():
    try:
        ratingrun.nonsense  # noqa: B018
    except AttributeError as error:
        assert "nonsense" in str(error)
    else:
        raise AssertionError("an unknown name must be an AttributeError")
