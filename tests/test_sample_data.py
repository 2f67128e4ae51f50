"""sample_data: in its three months everything happens that can happen, and every figure of its README comes out.

The lists of sample_data/expected and the figures here were worked out without ratingrun: by hand, and by a checker of
its own over the same files with the two FIDE tables.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from ratingrun import frames

SAMPLE = Path(__file__).parent.parent / "sample_data"
SOURCES = ("2025-08", "2025-09", "2025-10")
PERIODS = ("2025-11", "2025-12", "2026-01")


def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the working folder with the three lists adopted."""
    folder = tmp_path_factory.mktemp("velmora") / "velmora"
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("lists", "demo"))
    for period in SOURCES:
        _call(folder, "adopt", f"lists_source/{period}.csv", "--period", period)
    return folder


def _call(folder: Path, *words: str, code: int = 0) -> str:
    command = [sys.executable, "-m", "ratingrun", words[0], "-C", str(folder), *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working folder after its three months."""
    made = _folder(tmp_path_factory)
    for period in PERIODS:
        _call(made, "run", period)
    return made


@pytest.fixture(scope="module")
def months(folder: Path) -> dict[str, dict[str, pd.DataFrame]]:
    """Every frame of every month, as written."""
    read = {}
    for period in PERIODS:
        run = folder / "lists" / f"{period}-standard"
        read[period] = {path.stem: _read(path) for path in run.glob("*.parquet")}
        read[period]["findings"] = pd.read_csv(run / "findings.csv", dtype={"player_id": "str"})
    return read


def _read(path: Path) -> pd.DataFrame:
    """A frame with its code columns as plain text."""
    rows = pd.read_parquet(path)
    return rows.astype(dict.fromkeys(rows.columns[rows.dtypes == "category"], "str"))


def _all(months: dict[str, dict[str, pd.DataFrame]], frame: str) -> pd.DataFrame:
    return pd.concat([month[frame].assign(list=period) for period, month in months.items()], ignore_index=True)


def _one(months: dict[str, dict[str, pd.DataFrame]], period: str, frame: str, player_id: str) -> pd.Series:
    rows = months[period][frame]
    return rows[rows["player_id"] == player_id].iloc[0]


# --- the lists -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("period", PERIODS)
def test_the_list_is_the_expected_one(folder: Path, period: str) -> None:
    with (SAMPLE / "expected" / f"{period}.csv").open(encoding="utf-8", newline="") as stream:
        expected = list(csv.DictReader(stream))
    with (folder / "lists" / f"{period}-standard" / "rating_list.csv").open(encoding="utf-8", newline="") as stream:
        made = list(csv.DictReader(stream))
    for row in made:
        row["k_row"] = row["k_clause"].removeprefix("8.3.3 ")
    assert [{column: row[column] for column in expected[0]} for row in made] == expected


# --- everything happens ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "column", "wanted"),
    [
        ("games", "reason", "forfeit bye absent less_than_one_move exclusion already_rated outside_part"),
        ("sides", "outcome", "rated pool none"),
        (
            "sides",
            "reason",
            "opponent_unrated time_control match_unrated match_decided one_sided rated_at_start_only left_list",
        ),
        ("cells", "reason", "report_waiting report_too_late"),
        ("initials", "outcome", "published too_few_games below_floor no_score"),
        ("pool", "status", "carried used zero_event"),
        ("tournaments", "status", "used waiting too_late"),
        ("tournaments", "book", "fide-standard-2024-03 fide-standard-2025-10"),
        ("trail", "entry", "correction change initial floor removed"),
    ],
)
def test_each_reason_outcome_and_status_occurs(months, frame: str, column: str, wanted: str) -> None:
    found = set(_all(months, frame)[column].dropna())
    missing = set(wanted.split()) - found
    if frame == "games" and "outside_part" in missing:  # a stage may keep other parts' rounds to the cells
        missing -= set(_all(months, "cells")["reason"].dropna())
    assert not missing


@pytest.mark.parametrize("code", list("1=0+-WDLHFUZ"))
def test_each_result_code_occurs(months, code: str) -> None:
    assert code in set(_all(months, "results")["result"])


def test_forfeits_with_and_without_an_opponent_and_absences_occur(months) -> None:
    results = _all(months, "results")
    forfeits = results[results["result"].isin(["+", "-"])]
    assert forfeits["opponent_no"].isna().any() and forfeits["opponent_no"].notna().any()
    assert (results["result"] == "").any()


@pytest.mark.parametrize("row", ["reached 2400", "junior", "new", "established"])
def test_each_row_of_k_occurs_in_games(months, row: str) -> None:
    assert _all(months, "changes")["k_clause"].str.endswith(row).any()


@pytest.mark.parametrize(
    "codes", ["F201", "R201 R202 R203", "R301 R302 R305 R306", "C301", "I301 I302 I303 I304", "L301 L302 L303"]
)
def test_each_of_these_findings_occurs(months, codes: str) -> None:
    assert set(codes.split()) <= set(_all(months, "findings")["code"])


def test_no_report_is_rejected_and_nothing_is_an_error(months) -> None:
    assert "rejected" not in set(_all(months, "tournaments")["status"])
    assert "error" not in set(_all(months, "findings")["severity"])


def test_a_game_that_expires_cannot_happen_here(months) -> None:
    assert "expired" not in set(_all(months, "pool")["status"])


# --- the worked examples and the other figures of the README ------------------------------------------------------


def test_worked_example_1850_to_1862(months) -> None:
    sides = months["2025-11"]["sides"]
    own = sides[sides["player_id"] == "000310"].sort_values("round")
    assert list(own["r_opp"].fillna(0)) == [1720, 2015, 0, 1905, 1420, 0, 1790]
    assert list(own["reason"].fillna("")) == ["", "", "opponent_unrated", "", "", "opponent_unrated", ""]
    rated = own[own["outcome"] == "rated"]
    assert list(rated["d"]) == [130, -165, -55, 400, 60]
    assert list(rated["pd_c"]) == [68, 28, 42, 92, 58]
    change = _one(months, "2025-11", "changes", "000310")
    assert list(change[["n", "w_c", "we_c", "dr_c", "ro", "k", "change_c", "change", "rn"]]) == [
        5, 350, 288, 62, 1850, 20, 1240, 12, 1862,
    ]  # fmt: skip


def test_worked_example_first_rating_1731(months) -> None:
    first = _one(months, "2025-11", "initials", "101202")
    assert list(first[["n", "w_c", "ra_c", "p_c", "dp", "ru", "outcome"]]) == [
        6,
        350,
        168750,
        56,
        43,
        1731,
        "published",
    ]
    listed = _one(months, "2025-11", "rating_list", "101202")
    assert list(listed[["rating", "k", "games", "games_total"]]) == [1731, 40, 6, 6]


@pytest.mark.parametrize(
    ("period", "player_id", "n", "dr_c", "ro", "k_base", "k", "change_c", "change", "rn"),
    [
        pytest.param("2025-11", "000017", 14, 16, 2668, 10, 10, 160, 2, 2670, id="2650-rule-both-books"),
        pytest.param("2025-11", "000104", 7, 44, 2393, 20, 20, 880, 9, 2402, id="reaches-2400"),
        pytest.param("2025-12", "000104", 6, -152, 2402, 10, 10, -1520, -15, 2387, id="falls-below-2400"),
        pytest.param("2025-11", "012250", 7, 36, 2287, 40, 40, 1440, 14, 2301, id="junior-reaches-2300"),
        pytest.param("2026-01", "012266", 7, 283, 1975, 40, 40, 11320, 113, 2088, id="junior-in-december"),
        pytest.param("2025-11", "101160", 7, 129, 1712, 40, 40, 5160, 52, 1764, id="new-player-30-games"),
        pytest.param("2026-01", "101154", 20, 113, 1640, 40, 35, 3955, 40, 1680, id="k-x-n"),
        pytest.param("2025-11", "000042", 12, -55, 2458, 10, 10, -550, -6, 2452, id="minus-half"),
        pytest.param("2026-01", "000042", 5, 15, 2460, 10, 10, 150, 2, 2462, id="plus-half"),
        pytest.param("2025-12", "101149", 1, -8, 1401, 40, 40, -320, -3, 1398, id="below-the-floor"),
        pytest.param("2025-12", "000520", 1, 8, 1800, 20, 20, 160, 2, 1802, id="beats-1401"),
        pytest.param("2026-01", "101223", 3, 14, 1864, 40, 40, 560, 6, 1870, id="one-sided"),
        pytest.param("2025-11", "000513", 13, -126, 1939, 20, 20, -2520, -25, 1914, id="corrected"),
        pytest.param("2025-11", "000536", 1, 27, 1877, 20, 20, 540, 5, 1882, id="active-again"),
    ],
)
def test_changes_of_the_readme(months, period, player_id, n, dr_c, ro, k_base, k, change_c, change, rn) -> None:
    row = _one(months, period, "changes", player_id)
    columns = ["n", "dr_c", "ro", "k_base", "k", "change_c", "change", "rn"]
    assert list(row[columns]) == [n, dr_c, ro, k_base, k, change_c, change, rn]


@pytest.mark.parametrize(
    ("period", "player_id", "n", "w_c", "ra_c", "p_c", "dp", "ru", "outcome"),
    [
        ("2025-12", "101223", 5, 350, 176214, 64, 102, 1864, "published"),
        ("2026-01", "101239", 6, 300, 172988, 50, 0, 1730, "published"),
        ("2026-01", "101181", 7, 250, 173400, 39, -80, 1654, "published"),
        ("2025-11", "101218", 6, 50, 158738, 19, -251, 1336, "below_floor"),
        ("2025-12", "770048", 5, 450, 209229, 79, 230, 2200, "published"),
        ("2025-11", "101196", 7, 500, 180300, 67, 125, 1928, "published"),
    ],
)
def test_first_ratings_of_the_readme(months, period, player_id, n, w_c, ra_c, p_c, dp, ru, outcome) -> None:
    row = _one(months, period, "initials", player_id)
    columns = ["n", "w_c", "ra_c", "p_c", "dp", "ru", "outcome"]
    assert list(row[columns]) == [n, w_c, ra_c, p_c, dp, ru, outcome]


@pytest.mark.parametrize(
    ("player_id", "outcomes"),
    [
        ("101223", ["too_few_games", "published", None]),
        ("101239", ["too_few_games", "too_few_games", "published"]),
        ("101181", ["no_score", "too_few_games", "published"]),
        ("101149", [None, None, "too_few_games"]),
        ("101250", [None, None, "too_few_games"]),
    ],
)
def test_first_ratings_over_the_months(months, player_id: str, outcomes: list[str | None]) -> None:
    found = [month["initials"].set_index("player_id")["outcome"].get(player_id) for month in months.values()]
    assert found == outcomes


def test_the_400_point_rule_by_the_start_of_the_event(months) -> None:
    sides = months["2025-11"]["sides"]
    own = sides[(sides["player_id"] == "000017") & (sides["round"] == 1)].set_index("tournament_id")
    assert list(own.loc["V25-0926", ["r", "r_opp", "d_true", "d", "pd_c"]]) == [2665, 2106, 559, 400, 92]
    assert list(own.loc["V25-1010", ["r", "r_opp", "d_true", "d", "pd_c"]]) == [2668, 2064, 604, 604, 98]
    other = sides[(sides["tournament_id"] == "V25-1010") & (sides["player_id"] == "000402") & (sides["round"] == 1)]
    assert list(other.iloc[0][["d_true", "d", "pd_c"]]) == [-604, -400, 8]


@pytest.mark.parametrize(
    ("period", "player_id", "k", "row"),
    [
        ("2025-11", "000104", 10, "reached 2400"),
        ("2025-12", "000104", 10, "reached 2400"),
        ("2025-11", "012250", 20, "established"),
        ("2025-12", "012266", 40, "junior"),
        ("2026-01", "012266", 20, "established"),
        ("2025-11", "101160", 20, "established"),
        ("2026-01", "101154", 40, "junior"),
        ("2025-11", "101202", 40, "new"),
    ],
)
def test_k_of_the_readme(months, period: str, player_id: str, k: int, row: str) -> None:
    listed = _one(months, period, "rating_list", player_id)
    assert (listed["k"], listed["k_clause"]) == (k, f"8.3.3 {row}")


def test_the_floor_and_what_survives(months) -> None:
    listed = _one(months, "2025-12", "rating_list", "101149")
    assert pd.isna(listed["rating"]) and pd.isna(listed["k"])
    assert (listed["games_total"], listed["peak"]) == (13, 1401)
    sides = months["2026-01"]["sides"]
    own = sides[(sides["tournament_id"] == "V25-1129") & (sides["player_id"] == "101149")]
    assert list(own["outcome"]) == ["pool"] * 3 and set(own["reason"]) == {"rated_at_start_only"}
    others = sides[(sides["tournament_id"] == "V25-1129") & (sides["opponent_id"] == "101149")]
    assert list(others["outcome"]) == ["rated"] * 3 and set(others["r_opp"]) == {1401}


def test_one_sided_is_for_one_side(months) -> None:
    sides = months["2026-01"]["sides"]
    event = sides[sides["tournament_id"] == "V25-1022"]
    own = event[event["player_id"] == "101223"]
    assert set(own["reason"]) == {"one_sided"} and set(own["r"]) == {1864}
    assert set(event.loc[event["opponent_id"] == "101223", "outcome"]) == {"none"}


def test_games_that_do_not_count(months) -> None:
    def rounds(period: str, tournament: str, reason: str) -> list[int]:
        sides = months[period]["sides"]
        hit = (sides["tournament_id"] == tournament) & (sides["reason"] == reason)
        return sorted(set(sides.loc[hit, "round"]))

    assert rounds("2025-11", "V25-1012", "match_decided") == [5, 6]
    assert rounds("2025-12", "V25-1110", "match_unrated") == [1, 2, 3, 4]
    sides = months["2025-12"]["sides"]
    short = sides[sides["reason"] == "time_control"]
    assert set(short["tournament_id"]) == {"V25-1106"} and len(short) == 10
    assert ((short["player_id"] == "000058") | (short["opponent_id"] == "000058")).all()


def test_activity_names_titles_transfer_and_who_left(months) -> None:
    def value(period: str, player_id: str, column: str) -> object:
        return _one(months, period, "rating_list", player_id)[column]

    assert value("2025-11", "000536", "active") and not value("2025-11", "000541", "active")
    assert [bool(value(period, "000559", "active")) for period in PERIODS] == [True, False, False]
    assert value("2025-11", "000484", "name") == "Salmerón, Iraide"
    assert value("2025-12", "000484", "name") == "Salmerón-Vidre, Iraide"
    assert value("2025-12", "012250", "title") == "FM"
    assert [value(period, "770031", "federation") for period in PERIODS] == ["OSY", "OSY", "VLM"]
    ids = [set(month["rating_list"]["player_id"]) for month in months.values()]
    assert ["101175" in one for one in ids] == [True, False, False]
    assert ["000562" in one for one in ids] == [True, True, False]


def test_reports_over_the_months(months) -> None:
    def status(period: str, tournament: str) -> str:
        rows = months[period]["tournaments"]
        return rows.loc[rows["tournament_id"] == tournament, "status"].iloc[0]

    assert (status("2025-11", "V25-1027"), status("2025-12", "V25-1027")) == ("waiting", "used")
    assert not (SAMPLE / "reports" / "2025-12" / "autumn-days.csv").exists()
    assert status("2025-11", "V25-0718") == "too_late"
    assert status("2025-11", "V25-1026") == status("2026-01", "V25-1226") == "used"
    assert status("2025-11", "V25-0828") == status("2026-01", "V25-1022") == "used"
    sides = months["2025-12"]["sides"]
    games = sides[sides["outcome"] == "rated"].groupby(["tournament_id", "part"]).size()
    assert ("V25-1005", 1) not in games.index and ("V25-1020", 1) not in games.index
    assert ("V25-1005", 2) in games.index


def test_every_cell_has_an_end_and_the_ledger_balances(months) -> None:
    for month in months.values():
        assert len(month["cells"]) == len(month["results"])
        open_end = month["cells"][(month["cells"]["outcome"] == "none") & month["cells"]["reason"].isna()]
        assert open_end.empty
        ends = month["trail"].sort_values("seq").drop_duplicates("player_id", keep="last").set_index("player_id")
        listed = month["rating_list"].set_index("player_id")["rating"]
        joined = listed.reindex(ends.index).fillna(0).astype("int64")
        assert (joined == ends["after"].fillna(0).astype("int64")).all()


def test_files_are_what_frames_declares(months) -> None:
    for frame, rows in months["2026-01"].items():
        if frame != "findings":
            assert list(rows.drop(columns="list", errors="ignore").columns) == frames.ALL[frame].names


# --- broken -----------------------------------------------------------------------------------------------------------


def test_broken_reports_are_rejected_each_with_file_and_line(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = _folder(tmp_path_factory)
    words = ("run", "2025-11", "--reports", "broken/reports/2025-11", "--register", "broken/register.csv")
    text = _call(made, *words, code=1)
    for place in (
        "G104 error contradiction.csv:3",
        "G103 error one-sided.csv:2",
        "G102 error no-such-opponent.csv:3",
        "R102 error number-twice.csv:5",
    ):
        assert place in text
    assert not (made / "lists" / "2025-11-standard").exists()
    _call(made, *words, "--provisional", "--allow-rejected")
    run = next((made / "lists").glob("2025-11-standard-provisional*"))
    status = pd.read_parquet(run / "tournaments.parquet").set_index("tournament_id")["status"]
    assert status.to_dict() == {
        "B-1": "rejected",
        "B-2": "rejected",
        "B-3": "rejected",
        "B-4": "rejected",
        "B-5": "used",
    }
