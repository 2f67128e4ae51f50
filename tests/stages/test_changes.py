"""changes: one sum a period, K of the list just before, K x n, the event's share beside it."""

import pytest
from cases import months

from ratingrun import pipeline

LISTS = {"2025-09": {"Ann": {"rating": 2000, "k": 40}}, "2025-10": {"Ann": 2000}}


def run(*games, k=20):
    lists = {of: {"Ann": {"rating": 2000, "k": k if of == "2025-10" else 40}} for of in LISTS}
    starts = ("2025-10-04", "2025-10-11", "2025-09-28")
    events = [
        {"id": f"E{number}", "start": start, "end": "2025-10-12", "games": said}
        for number, (said, start) in enumerate(zip(games, starts, strict=False), 1)
    ]
    return pipeline.run(months.inputs("2025-11", lists, events))


def ann(month, frame="changes"):
    return month.frames[frame].query("player_id == 'Ann'").iloc[0]


def test_all_events_are_one_sum_with_the_published_k():
    """+.50 at 2000 twice, -.50 in an event that began when K was 40: .50 x 20 = 10."""
    month = run("Ann 1-0 2000", "Ann 1-0 2000", "Ann 0-1 2000")
    row = ann(month)
    assert row[["n", "w_c", "we_c", "dr_c", "k_base", "k", "change_c", "change", "rn"]].tolist() == [
        3, 200, 150, 50, 20, 20, 1000, 10, 2010,
    ]  # fmt: skip
    events = month.frames["event_changes"].query("player_id == 'Ann'")
    assert events[["tournament_id", "n", "dr_c", "k", "change_c"]].to_numpy().tolist() == [
        ["E1", 1, 50, 20, 1000],
        ["E2", 1, 50, 20, 1000],
        ["E3", 1, -50, 20, -1000],
    ]
    assert "period.k_list = prior" in "".join(month.findings["text"])


@pytest.mark.parametrize(("k", "games", "used"), [
    (40, 17, 40), (40, 18, 38), (40, 20, 35), (20, 35, 20), (20, 36, 19), (10, 70, 10), (10, 71, 9),
])  # fmt: skip
def test_k_times_n_is_at_most_700(k, games, used):
    month = run(f"Ann = 2000 x{games}", k=k)
    assert ann(month)[["k_base", "k"]].tolist() == [k, used]
    assert ("C301" in set(month.findings["code"])) == (used < k)


@pytest.mark.parametrize(("games", "change"), [
    ("Ann 1-0 2000", 10), ("Ann = 2035", 1), ("Ann = 1965", -1), ("Ann = 2010", 0),
])  # fmt: skip
def test_rounded_once_half_away_from_zero(games, change):
    """2035: D -35, PD .45: +.05 x 20 = 1.0."""
    assert ann(run(games))["change"] == change


def test_half_a_point_goes_away_from_zero():
    """K 10: .05 x 10 = .5, up to 1 and down to -1."""
    assert [ann(run(said, k=10))["change"] for said in ("Ann = 2035", "Ann = 1965")] == [1, -1]
