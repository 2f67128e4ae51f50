"""reports: which report is rated on which list (7.1.3, 9.1, 4), files against the register, who plays."""

import pandas as pd
import pytest
from cases import months

from ratingrun import periods, pipeline, rulebooks
from ratingrun.stages import reports

BOOK = rulebooks.in_force(rulebooks.FIDE_STANDARD, periods.list_date("2025-11"))
LISTS = {of: {"Ann": 2000, "Bob": 1900} for of in ("2025-08", "2025-09", "2025-10")}
WEEKEND = {"id": "T", "start": "2025-10-04", "end": "2025-10-05"}
GAME = WEEKEND | {"games": "Ann 1-0 Bob"}


def run(*events, period="2025-11", **more):
    return pipeline.run(months.inputs(period, LISTS, events, **more))


def lines(month, *codes):
    rows = month.findings
    return rows.loc[rows["code"].isin(codes), "text"].tolist()


def statuses(month):
    return month.frames["tournaments"].set_index(["tournament_id", "part"])["status"].to_dict()


def calendar(period):
    return reports.Calendar(period, rulebooks.in_force(rulebooks.FIDE_STANDARD, periods.list_date(period)))


@pytest.mark.parametrize(("period", "closing", "official"), [
    ("2026-12", "2026-11-28", "2026-11-30"), ("2026-03", "2026-02-26", "2026-02-28"),
    ("2024-03", "2024-02-27", "2024-02-29"), ("2026-01", "2025-12-29", "2025-12-31"),
])  # fmt: skip
def test_closing_days(period, closing, official):
    assert calendar(period).closing([False, True]).astype("datetime64[D]").astype("str").tolist() == [closing, official]


@pytest.mark.parametrize(("end", "official", "first", "last"), [
    ("2025-10-24", False, "2025-11", "2026-01"), ("2025-10-29", False, "2025-11", "2026-01"),
    ("2025-10-30", False, "2025-12", "2026-01"), ("2025-10-31", False, "2025-12", "2026-01"),
    ("2025-10-31", True, "2025-11", "2026-01"), ("2025-11-01", True, "2025-12", "2026-02"),
    ("2025-12-31", False, "2026-02", "2026-03"),
])  # fmt: skip
def test_the_first_and_the_last_list_of_an_event(end, official, first, last):
    ends = pd.Series(pd.to_datetime([end]))
    assert periods.from_month_number(calendar("2025-11").first_list(ends, [official])[0]) == first
    assert periods.from_month_number(calendar("2025-11").last_list(ends)[0]) == last


@pytest.mark.parametrize(("received", "status"), [("2026-01-01", "used"), ("2026-01-02", "too_late"), (None, "used")])
def test_a_report_must_come_in_for_its_third_list(received, status):
    month = run(GAME | {"received": received and pd.Timestamp(received)})
    assert statuses(month) == {("T", 1): status}


@pytest.mark.parametrize(("start", "days"), [("2025-09-28", 30), ("2025-09-27", 31)])
def test_an_event_of_more_than_30_days_needs_parts(start, days):
    month = run(GAME | {"start": start, "end": "2025-10-28"})
    assert statuses(month) == {("T", 1): "used" if days <= 30 else "rejected"}
    assert len(lines(month, "R106")) == (days > 30)


def test_a_league_in_one_file_is_rated_part_by_part():
    """Rounds 1 and 2 in October, 3 in November: one file, two parts; no round is rated twice or lost."""
    rounds = [(1, "Ann", "Bob", "1-0"), (2, "Bob", "Ann", "="), (3, "Ann", "Bob", "1-0")]
    one = {"id": "L", "file": "league.csv", "rounds": rounds, "start": "2025-10-04", "end": "2025-10-12", "part": 1,
           "rounds_from": 1, "rounds_to": 2}  # fmt: skip
    two = one | {"part": 2, "start": "2025-11-03", "end": "2025-11-09", "rounds_from": 3, "rounds_to": 3}
    inputs = months.inputs("2025-11", LISTS, [one, two])
    month = pipeline.run(pipeline.Inputs(**{**vars(inputs), "reports": inputs.reports[:1]}))
    assert statuses(month) == {("L", 1): "used", ("L", 2): "waiting"}
    assert month.frames["sides"][["part", "round"]].drop_duplicates().to_numpy().tolist() == [[1, 1], [1, 2]]
    reasons = month.frames["cells"].groupby(["part", "round"])["reason"].first().to_dict()
    assert reasons[1, 3] == "outside_part"
    assert reasons[2, 3] == "report_waiting"
    later = months.inputs("2025-12", {**LISTS, "2025-11": month.frames["rating_list"]}, [one, two])
    later = pipeline.Inputs(
        **{**vars(later), "reports": later.reports[:1], "rated": month.frames["rated"], "pool": month.frames["pool"]}
    )
    after = pipeline.run(later)
    assert after.rejected.empty
    assert after.frames["sides"][["part", "round"]].drop_duplicates().to_numpy().tolist() == [[2, 3]]
    assert after.frames["rated"][["part", "round", "period"]].to_numpy().tolist() == [
        [1, 1, "2025-11"],
        [1, 2, "2025-11"],
        [2, 3, "2025-12"],
    ]


def test_a_round_that_no_part_covers_rejects_the_report():
    rounds = [(1, "Ann", "Bob", "1-0"), (2, "Bob", "Ann", "=")]
    month = run({**WEEKEND, "rounds": rounds, "rounds_to": 1})
    assert statuses(month) == {("T", 1): "rejected"}
    assert lines(month, "R114") == [
        "the report holds round 2, which no part of the tournament covers; "
        "register a part for it, or correct rounds_from and rounds_to"
    ]


def test_one_file_for_two_tournaments_rejects_both():
    one, two = GAME | {"file": "a.csv"}, GAME | {"id": "U", "file": "a.csv", "start": "2025-10-03"}
    inputs = months.inputs("2025-11", LISTS, [one, two])
    month = pipeline.run(pipeline.Inputs(**{**vars(inputs), "reports": inputs.reports[:1]}))
    assert statuses(month) == {("T", 1): "rejected", ("U", 1): "rejected"}
    assert len(lines(month, "R111")) == 2


def test_a_registered_event_without_a_report_is_asked_for_until_its_last_list():
    absent = GAME | {"id": "A", "start": "2025-08-30", "end": "2025-08-31"}
    inputs = months.inputs("2025-11", LISTS, [GAME, absent])
    month = pipeline.run(pipeline.Inputs(**{**vars(inputs), "reports": inputs.reports[:1]}))
    assert lines(month, "R202") == [
        "registered and ended on 2025-08-31, but there is no report; ask for it; its last list is 2025-11"
    ]
    past = GAME | {"id": "P", "start": "2025-07-30", "end": "2025-07-31"}
    future = GAME | {"id": "F", "start": "2025-10-30", "end": "2025-10-30"}
    inputs = months.inputs("2025-11", LISTS, [GAME, past, future])
    month = pipeline.run(pipeline.Inputs(**{**vars(inputs), "reports": inputs.reports[:1]}))
    assert lines(month, "R202") == []


def test_a_player_without_an_id_who_did_not_play_is_no_trouble():
    event = {**WEEKEND, "crosstable": "1 Ann 2w1\n2 Bob 1b0\n3 000 H"}
    assert run(event).rejected.empty


def test_a_new_player_whose_only_game_was_a_forfeit_is_not_put_on_the_list():
    event = {**WEEKEND, "crosstable": "1 Ann 2w1 3w+\n2 Bob 1b0 .\n3 New . 1b-"}
    month = run(event)
    assert month.rejected.empty
    assert "New" not in set(month.frames["rating_list"]["player_id"])
    assert lines(month, "R305") == []


def test_a_new_player_of_a_rejected_report_is_not_put_on_the_list():
    bad = {"id": "B", "start": "2025-10-11", "end": "2025-10-12", "crosstable": "1 Ann 2w1 3w1\n2 Bob 1b0 .\n3 New . ."}
    month = run(GAME, bad)
    assert statuses(month)["B", 1] == "rejected"
    assert set(month.frames["rating_list"]["player_id"]) == {"Ann", "Bob"}
