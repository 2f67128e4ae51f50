"""sides: what the worked examples in cases/*.toml do not show - which book a note names, and one game seen twice."""

from cases import months

from ratingrun import pipeline

PLAYERS = {"Ann": 2000, "Bob": 1900, "Max": 2700, "Eva": {"rating": None}}
LISTS = dict.fromkeys(("2025-08", "2025-09", "2025-10"), PLAYERS)


def run(*events):
    return pipeline.run(months.inputs("2025-11", LISTS, events))


def notes(month, key):
    rows = month.findings.query("code == 'B301'")["text"]
    return [text.split(":")[0] for text in rows if f" {key} = " in text]


def test_a_note_names_the_book_of_the_start_that_decided():
    """A match of October is decided by October's book, though an event of September is rated in the same month."""
    match = {"id": "M", "start": "2025-10-04", "end": "2025-10-05", "system": "match", "match_games": 2,
             "games": "Ann 1-0 Bob\nAnn 1-0 Bob\nAnn 0-1 Bob"}  # fmt: skip
    september = {"id": "S", "start": "2025-09-27", "end": "2025-10-01", "games": "Ann = Bob"}
    assert notes(run(match, september), "match.decided") == ["fide-standard-2025-10"]
    match |= {"start": "2025-09-27"}
    october = september | {"start": "2025-10-01"}
    assert notes(run(match, october), "match.decided") == ["fide-standard-2024-03"]


def test_the_own_rating_lifts_the_limit_for_one_side_only():
    """2700 v 2000, D 700: from October 2025 on 2700 expects .99, 2000 still .08; before, .92 and .08."""
    for start, expected in (("2025-10-04", {"Max": 1, "Ann": -8}), ("2025-09-04", {"Max": 8, "Ann": -8})):
        month = run({"id": "T", "start": start, "end": start, "time_control": "120+0", "games": "Max 1-0 Ann"})
        assert month.frames["sides"].set_index("player_id")["dr_c"].to_dict() == expected


def test_both_sides_of_a_game_of_unrated_players_are_there_and_count_for_nobody():
    month = run({"id": "T", "start": "2025-10-04", "end": "2025-10-05", "games": "Eva 1-0 unrated\nAnn 1-0 Eva"})
    sides = month.frames["sides"]
    assert len(sides) == 4
    assert sides.groupby("player_id")["reason"].agg(list).to_dict()["Ann"] == ["opponent_unrated"]
    assert month.frames["pool"]["player_id"].tolist() == ["Eva"]
