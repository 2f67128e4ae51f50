"""The numbers of the site: those of `explain` for every player and tournament; the month's sums worked out by hand."""

import pandas as pd
import pytest
import unpacked

from ratingrun import explain, site, texts
from ratingrun.site import chunks, counts, groups, inflation, month, people, tops

EN = texts.catalogue("en")
MONTHS = ("2025-11", "2025-12", "2026-01")
CELL = (
    "round",
    "colour",
    "result",
    "outcome",
    "reason",
    "score_c",
    "r",
    "r_opp",
    "d_true",
    "d",
    "pd_c",
    "dr_c",
    "scale",
)


def panels(files):
    """{player id: what the chunks say of him}, and the rows of the index."""
    index = [row for part in unpacked.named(files, "index") for row in unpacked.rows(part)]
    found = {row["player_id"]: {"index": row} for row in index}
    for piece in (piece for pieces in unpacked.named(files, "players") for piece in pieces):
        here = index[piece["from"] : piece["from"] + people.BLOCK]
        for row, listed, curve in zip(here, unpacked.rows(piece["list"]), unpacked.rows(piece["curve"]), strict=True):
            found[row["player_id"]] |= {"list": listed, "curve": curve, "change": [], "initial": [], "pool": []}
            found[row["player_id"]] |= {"ledger": [], "played": []}
        for name in ("change", "initial", "pool", "ledger", "played"):
            for row in unpacked.rows(piece[name]):
                found[index[row.pop("p")]["player_id"]][name].append(row)
    return found


def within(said, facts):
    """What the chunks say, where it is a part of the facts."""
    return {name: facts[name] for name in said} == said


@pytest.mark.parametrize(("period", "step"), [("2025-11", 5), ("2025-12", 1), ("2026-01", 5)])
def test_every_player_is_explained_with_the_numbers_of_explain(sources, built, period, step):
    """In December everybody; of the other months every fifth (the browser compares everybody, in words)."""
    source, files = sources(period), built(period)
    about = unpacked.rows(unpacked.chunk(files["data/site.js"])["tournaments"])
    sheets = [sheet for sheets in unpacked.named(files, "tournaments") for sheet in sheets]
    everybody = panels(files)
    assert set(everybody) >= set(source.rows("rating_list")["player_id"])
    for player_id, said in list(everybody.items())[::step]:
        facts = explain.player(source.folder, source.data, player_id)
        assert facts["player"] == {name: said["index"][name] for name in facts["player"]}
        if facts["list"]:
            listed = said["list"] | {name: said["index"][name] for name in ("rating", "k", "games", "active", "sex")}
            assert within(listed, facts["list"])
        assert said["index"]["listed"] == bool(facts["list"])
        for name in ("change", "initial"):
            assert [facts[name]] == (said[name] or [None]) or within(said[name][0], facts[name])
        for name in ("pool", "ledger"):
            assert len(facts[name]) == len(said[name])
            assert all(map(within, said[name], facts[name]))
        assert len(facts["tournaments"]) == len(said["played"])
        for event, row in zip(facts["tournaments"], said["played"], strict=True):
            assert within({name: about[row["t"]][name] for name in ("tournament_id", "part", "book", "status")}, event)
            check_event(event, sheets[row["t"]], player_id)


def check_event(event, sheet, player_id):
    """A player's games and sums in the chunk of the tournament are those of his explanation."""
    entries, cells = unpacked.rows(sheet["entries"]), unpacked.rows(sheet["cells"])
    number = {place for place, entry in enumerate(entries) if entry["player_id"] == player_id}
    own = [cell for cell in cells if cell["entry"] in number and cell["own"]]
    assert [[cell[name] for name in CELL] for cell in own] == [[game[name] for name in CELL] for game in event["games"]]
    names = {entry["start_no"]: entry["listed_name"] or entry["name"] for entry in reversed(entries)}
    assert [names.get(cell["opponent_no"]) for cell in own] == [game["opponent_name"] for game in event["games"]]
    if event["sum"]:
        entry = entries[min(number)]
        assert {name: entry[name] for name in event["sum"] if name in entry} == {
            name: value for name, value in event["sum"].items() if name in entry
        }


@pytest.mark.parametrize("period", MONTHS)
def test_every_tournament_has_the_numbers_of_its_sheet(sources, built, period):
    source, files = sources(period), built(period)
    about = unpacked.rows(unpacked.chunk(files["data/site.js"])["tournaments"])
    sheets = [sheet for sheets in unpacked.named(files, "tournaments") for sheet in sheets]
    assert len(about) == len(sheets) == len(source.rows("tournaments"))
    for row, sheet in zip(about, sheets, strict=True):
        facts = next(
            part
            for part in explain.tournament(source.folder, source.data, row["tournament_id"])
            if part["tournament"]["part"] == row["part"]
        )
        assert {name: row[name] for name in ("rated", "pool", "none")} == facts["counts"]
        entries = unpacked.rows(sheet["entries"])
        assert len(entries) == len(facts["players"])
        for entry, player in zip(entries, facts["players"], strict=True):
            assert within(player, entry)
        lost = [
            (cell["round"], entries[cell["entry"]]["start_no"], cell["reason"])
            for cell in unpacked.rows(sheet["cells"])
            if cell["outcome"] == "none" and cell["reason"] != "outside_part"
        ]
        assert sorted(lost) == [(one["round"], one["start_no"], one["reason"]) for one in facts["not_counted"]]


def test_the_curve_is_the_list_by_list(built):
    """Petra Žalmirova, sample_data/expected: 1790, 1777, 1800, 1800."""
    said = panels(built("2026-01"))["000356"]
    assert said["curve"] == {"2025-10-01": 1790, "2025-11-01": 1777, "2025-12-01": 1800, "2026-01-01": 1800}


# --- the month of folders.OPEN: Ann beats Bob, Cat beats Dan (gap 100); Ann draws Cat, Bob beats Dan (200) ------------


@pytest.fixture
def source(month):
    assert month.run().code == 0
    found, news = read(month)
    assert not len(news)
    return found


def read(folder, run="2025-11-standard"):
    return month_read(folder.path / "lists" / run, None)


month_read = month.read


def test_expected_and_actual_score_by_gap(source):
    """Table 8.1.2: 100 points .64, 200 points .76. The higher-rated scored 2 of 2 and 1.5 of 2."""
    bands = inflation.gaps(inflation.games(source))
    assert [(gap.low, gap.high, gap.games) for gap in bands] == [(100, 149, 2), (200, 249, 2)]
    assert [gap.expected for gap in bands] == pytest.approx([0.64, 0.76])
    assert [gap.actual for gap in bands] == [1, 0.75]
    assert [gap.away for gap in bands] == [None, None]  # two games say nothing
    whole = inflation.whole(inflation.games(source))
    assert (whole.games, whole.actual) == (4, 0.875)
    assert whole.expected == pytest.approx(0.70)


def test_a_table_that_does_not_fit_is_seen():
    """100 games at gap 50 where the favourite wins 40 and loses 60: .40 against .57, far beyond chance."""
    games = pd.DataFrame({"gap": 50, "score": [1.0] * 40 + [0.0] * 60, "expected": 0.57})
    band = inflation.gaps(games)[0]
    # standard error of 100 games at .40: sqrt(.24 / 99) = .0492
    assert band.away == pytest.approx((0.40 - 0.57) / 0.0492, rel=0.01)
    assert band.outside


def test_the_ledger_holds_every_point(source):
    """2000 + 1900 + 1800 + 1700 before; +2 -2 +12 -12."""
    assert inflation.ledger(source) == inflation.Ledger(7400, 7400, [("change", 4, 0)])
    assert inflation.means(source) == {
        "before_all": 1850,
        "before_active": 1850,
        "after_all": 1850,
        "after_active": 1850,
    }


def test_groups(source):
    """By hand: women are Ann (+2) and Cat (+12), men Bob (-2) and Dan (-12); all K 20, born 1990: 35 in 2025."""
    everybody = people.build(source)
    rows = groups.moved(source, everybody)
    listed = groups.labelled(source.rows("rating_list").dropna(subset="rating").assign(k_before=20, ro=0), source)
    sexes = {group.label: group for group in groups.table(rows, listed, "by_sex")}
    assert [(one.players, one.games, one.total, one.average, one.up, one.down) for one in sexes.values()] == [
        (2, 4, -14, -7, 0, 2),
        (2, 4, 14, 7, 2, 0),
    ]
    assert (sexes["w"].listed, sexes["w"].mean) == (2, 1907)  # 2002 and 1812
    assert [one.label for one in groups.table(rows, listed, "by_k")] == ["20"]
    assert [one.label for one in groups.table(rows, listed, "by_age")] == ["30–39"]
    bands = [(one.label, one.total) for one in groups.table(rows, listed, "by_band")]
    assert bands == [("1600–1799", -12), ("1800–1999", 10), ("2000–2199", 2)]


def test_movers_and_top_lists(source):
    moved = tops.movers(source)
    assert [(row["name"], row["change"]) for row in moved["gains"]] == [("Crane, Cat", 12), ("Arden, Ann", 2)]
    assert [(row["name"], row["change"]) for row in moved["losses"]] == [("Dover, Dan", -12), ("Brook, Bob", -2)]
    lists = tops.lists(source, people.build(source), 18, 35)
    assert [row["rating"] for row in lists["open"][1]] == [2002, 1898, 1812, 1688]
    assert [(row["place"], row["name"]) for row in lists["women"][1]] == [(1, "Arden, Ann"), (2, "Crane, Cat")]
    assert lists["juniors"] == (2007, [])
    assert lists["seniors"][0] == 1990 and len(lists["seniors"][1]) == 4
    assert tops.junior_age(source) == 18  # 8.3.3: until the end of the year of the 18th birthday


def test_what_came_in(sources):
    """sample_data, November 2025: sample_data/README and the summary of the golden month."""
    source = sources("2025-11")
    assert counts.games(source) == {"reported": 253, "played": 250, "rated": 220}
    assert counts.cells(source) == {"rated": 440, "pool": 27, "none": 119}
    assert dict(counts.reasons(source))["opponent_unrated"] == 29
    assert counts.reports(source)[0] == {"used": 9, "waiting": 1, "rejected": 0, "too_late": 1}
    assert {one["key"] for one in counts.doubts(source)} >= {"match.decided", "initial.ru_ties"}


def test_who_came_and_went(month):
    """Fay is new by players.csv, Dan has left by then: one new, one gone."""
    month.write(
        "players.csv",
        "player_id,date,name,federation,sex,birth_year,status\n"
        '0106,2025-10-10,"Fern, Fay",ZZZ,w,2001,\n'
        "0104,2025-10-20,,,,,withdrawn\n",
    )
    assert month.run().code == 0
    source, _ = read(month)
    comings = counts.comings(source)
    assert (comings["new"], comings["dropped"]) == (1, 1)
    states = people.build(source).set_index("player_id")["state"]
    assert states["0106"] == "new" and states["0104"] == "left"
    shown = people.build(source).set_index("player_id").loc["0104"]
    assert shown["name"] == "Dan" and not shown["listed"]  # as the report has it


def test_without_the_list_before_nobody_is_called_new(month):
    assert month.run().code == 0
    alone = month.path / "alone" / "2025-11-standard"
    alone.parent.mkdir()
    (month.path / "lists" / "2025-11-standard").rename(alone)
    source, news = month_read(alone, None)
    assert not len(news) and source.prior is None and not source.earlier
    assert counts.comings(source) is None
    assert set(people.build(source)["state"].dropna()) == set()
    page = site.build(source, EN, None, 50)["index.html"]
    assert EN("site.list.no_prior") in page


def test_columns_are_packed_without_loss():
    for column in ([], [1, 1, 1], [None, None], ["a", "b", "a", "b"], ["a", None, "a", "a"], [1, 2, None], ["x", "y"]):
        assert unpacked.cells(chunks.packed(column)) == column


def test_chunks_are_cut_by_size():
    files, where = chunks.scripts("part", [{"text": "x" * 400} for _ in range(5)], limit=1000)
    assert where == [0, 0, 1, 1, 2] and list(files) == ["part-000", "part-001", "part-002"]
