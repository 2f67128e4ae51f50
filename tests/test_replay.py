"""replay: twelve months of an invented federation made again after a claim; restart; what-if; claims and corrections.

The federation: 28 players in two clubs that meet only from October on. Each month each club plays a small Swiss. The
claim: a report of March, of four players of the first club, that had not come in.
"""

import csv
import itertools
import json
import random
import shutil

import folders
import pandas as pd
import pytest

from ratingrun import periods, what_if
from ratingrun.rulebooks import FIDE_STANDARD, HERE, RuleBookError, in_force

MONTHS = [f"2025-{month:02d}" for month in range(1, 13)]
NORTH, SOUTH = ([f"{club}{number:02d}" for number in range(14)] for club in "NS")
CLAIM = ["N02", "N05", "N07", "N11"]
RATINGS = {player: 1500 + 37 * number for number, player in enumerate([*NORTH, *SOUTH])}


def crosstable(players, rounds, seed):
    """A report in which neighbours of a shuffled order meet."""
    luck = random.Random(seed)
    cells = {player: [] for player in players}
    for _ in range(rounds):
        order = luck.sample(players, len(players))
        for white, black in zip(order[::2], order[1::2], strict=True):
            result = luck.choice("1=0")
            other = {"1": "0", "0": "1", "=": "="}[result]
            cells[white].append(f"{players.index(black) + 1}w{result}")
            cells[black].append(f"{players.index(white) + 1}b{other}")
    head = ",".join(["start_no", "player_id", "name", *(f"round_{number + 1}" for number in range(rounds))])
    rows = [",".join([str(number), player, player, *cells[player]]) for number, player in enumerate(players, 1)]
    return "\n".join([head, *rows]) + "\n"


def games_of(text):
    """(player, opponent) of every cell of a crosstable."""
    rows = list(csv.reader(text.splitlines()))[1:]
    return {(row[1], rows[int(cell.rstrip("10=").rstrip("wb")) - 1][1]) for row in rows for cell in row[3:]}


def tournaments(period, number):
    """(id, players, start, end) of the month; some start in the month before its list's last month."""
    start = periods.shift(period, -1)
    luck = random.Random(number)
    clubs = [luck.sample(NORTH, 6), luck.sample(SOUTH, 6)]
    if number >= 9:
        clubs.append([*luck.sample(NORTH, 3), *luck.sample(SOUTH, 3)])
    for club, players in enumerate(clubs):
        yield f"T{number:02d}{'NSM'[club]}", players, f"{start}-{3 + 7 * club:02d}", f"{start}-{5 + 7 * club:02d}"


@pytest.fixture(scope="module")
def federation(tmp_path_factory):
    """A working folder with twelve published months; reports: {id: (period, text)}."""
    folder = folders.Folder(tmp_path_factory.mktemp("federation"))
    lines = ["player_id,name,federation,birth_year,rating,k,games_total"]
    lines += [f"{player},{player},ZZZ,1990,{rating},20,100" for player, rating in RATINGS.items()]
    folder.write("list.csv", "\n".join(lines) + "\n")
    assert folders.command("adopt", "list.csv", "--period", "2024-12", "-C", folder.path).code == 0
    reports = {}
    for number, period in enumerate(MONTHS):
        for name, players, start, end in tournaments(period, number):
            reports[name] = period, start, crosstable(players, 3, name)
            folder.register(id=name, file=f"{name}.csv", name=name, start=start, end=end)
            folder.report(f"{name}.csv", reports[name][2], period)
    for period in MONTHS:
        done = folder.run(period)
        assert done.code == 0, done.err
    return folder, reports


@pytest.fixture(scope="module")
def claimed(federation):
    """The replay of the year with the report that had not come in, in its month 3."""
    folder, reports = federation
    before = {path: path.read_bytes() for path in (folder.path / "lists").rglob("*") if path.is_file()}
    late = crosstable(CLAIM, 3, "late")
    folder.register(id="LATE", file="late.csv", name="Late", start="2025-02-20", end="2025-02-22")
    folder.report("late.csv", late, "2025-03")
    done = folders.command("replay", MONTHS[0], MONTHS[-1], "--out", "replay/claim", "-C", folder.path)
    assert done.code == 0, done.err
    after = {path: path.read_bytes() for path in (folder.path / "lists").rglob("*") if path.is_file()}
    assert before == after  # the published lists stay as they were
    return folder, reports | {"LATE": ("2025-03", "2025-02-20", late)}, done


def ratings(path):
    rows = pd.read_parquet(path / "rating_list.parquet")
    return dict(zip(rows["player_id"], rows["rating"], strict=True))


def reached(reports):
    """Who can be reached from the claim, month by month: {period: players}. Worked out from the reports alone.

    From the list of March on the four players; then whoever meets, in a tournament that starts under a list on which
    the opponent is reached, one of them.
    """
    known = {period: set() for period in MONTHS}
    for period in MONTHS[2:]:
        here = set(known[periods.shift(period, -1)]) if period != MONTHS[2] else set(CLAIM)
        for of, start, text in reports.values():
            if of == period and start[:7] in known:
                here |= {player for player, opponent in games_of(text) if opponent in known[start[:7]]}
        known[period] = here
    return known


def test_every_month_of_the_replay_verifies(claimed):
    folder, _, _ = claimed
    for period in MONTHS:
        done = folders.command("verify", folder.path / f"replay/claim/{period}-standard")
        assert done.code == 0, done.out + done.err


def test_only_players_who_can_be_reached_through_games_change(claimed):
    folder, reports, _ = claimed
    known = reached(reports)
    for period in MONTHS:
        old = ratings(folder.path / f"lists/{period}-standard")
        new = ratings(folder.path / f"replay/claim/{period}-standard")
        changed = {player for player in old if old[player] != new[player]}
        assert changed <= known[period], period
    assert len(changed) > len(CLAIM)  # the claim went its way
    assert set(SOUTH) & known[MONTHS[-1]] and not set(SOUTH) & known[MONTHS[8]]


def test_the_claims_report_names_old_new_and_the_path_of_each(claimed):
    folder, reports, done = claimed
    old = ratings(folder.path / "lists/2025-12-standard")
    new = ratings(folder.path / "replay/claim/2025-12-standard")
    with (folder.path / "replay/claim/claims.csv").open(encoding="utf-8", newline="") as text:
        rows = {row["player_id"]: row for row in csv.DictReader(text)}
    assert set(rows) == {player for player in old if old[player] != new[player]}
    for player, row in rows.items():
        assert (int(row["published"]), int(row["replayed"])) == (old[player], new[player])
        assert (row["source"], row["since"]) == ("LATE", "2025-03")
        steps = row["path"].split(" > ")
        assert steps[0] == "2025-03: other games in LATE"
        for step in steps[1:]:
            if ": met " in step:
                opponent, rest = step.split(": met ")[1].split(" in ", 1)
                tournament = rest.split(",")[0]
                assert any(opponent == other for _, other in games_of(reports[tournament][2])), step
        last = [step for step in steps if ": met " in step]
        if last:
            tournament = last[-1].split(" in ")[1].split(",")[0]
            opponent = last[-1].split(": met ")[1].split(" in ")[0]
            assert (player, opponent) in games_of(reports[tournament][2])
        else:
            assert player in CLAIM
    assert "Claims report: 2025-01 to 2025-12" in done.out


def test_the_corrections_make_the_published_list_what_the_replay_gives(claimed, tmp_path):
    """The next run with corrections.csv starts from the replayed ratings, K, counters and peaks."""
    folder, _, _ = claimed
    corrections = folder.path / "replay/claim/corrections.csv"
    text = corrections.read_text("utf-8")
    assert text.splitlines()[0] == "player_id,rating_type,list_date,field,value,reason,source"
    lists = ("lists", "replay/claim")
    for number, place in enumerate(lists):
        more = ("--corrections", corrections) if number == 0 else ()
        done = folder.run(
            "2026-01", "--no-games", "--provisional", "--prior", f"{place}/2025-12-standard",
            "--lists", place, "--out", tmp_path / str(number), *more,
        )  # fmt: skip
        assert done.code == 0, done.err
    names = ["player_id", "rating", "k", "games_total", "active"]  # peak: what was published once is a fact
    made = [
        pd.read_parquet(tmp_path / str(number) / "2026-01-standard-provisional-1/rating_list.parquet")[names]
        for number in range(2)
    ]
    pd.testing.assert_frame_equal(*made)


# --- going on, restart, what if --------------------------------------------------------------------------------------


@pytest.fixture
def small(month):
    """Three published months: OPEN in November, twice nothing."""
    for period, more in (("2025-11", ()), ("2025-12", ("--no-games",)), ("2026-01", ("--no-games",))):
        assert month.run(period, *more).code == 0
    return month


def replay(folder, *more):
    return folders.command("replay", "2025-11", "2026-01", "--out", "replay/x", "-C", folder.path, *more)


def made(done):
    return [line.split(":")[0] for line in done.err.splitlines() if line.endswith(": made")]


def test_a_replay_makes_only_what_changed(small):
    first = replay(small)
    assert first.code == 0, first.err
    assert made(first) == ["2025-11", "2025-12", "2026-01"]
    assert "No player's rating differs" in first.out
    assert made(replay(small)) == []
    # A row of the register about a later month concerns that month only.
    small.register(id="T9", file="new.csv", name="New", start="2025-12-06", end="2025-12-07")
    small.report("new.csv", folders.OPEN.replace("2w1", "2w="), "2026-01")
    small.report("new.csv", folders.OPEN.replace("2w1,", "2w=,").replace("1b0,", "1b=,"), "2026-01")
    third = replay(small)
    assert made(third) == ["2026-01"], third.err
    assert "other games in T9" in third.out


def test_a_replay_goes_on_where_it_stopped(small):
    small.register(id="T8", file="bad.csv", name="Bad", start="2025-11-08", end="2025-11-09")
    small.report("bad.csv", folders.OPEN.replace("1b0", "1b1"), "2025-12")
    stopped = replay(small)
    assert stopped.code == 1 and "2025-12: stopped" in stopped.err
    small.report("bad.csv", folders.OPEN, "2025-12")
    done = replay(small)
    assert done.code == 0 and made(done) == ["2025-12", "2026-01"]


def test_what_if_another_rule_had_applied(small):
    """A floor of 1700: Dan, 1688 after OPEN, falls below it. The books of the replay say so, and it verifies."""
    done = replay(small, "--set", "period.floor=1700")
    assert done.code == 0, done.err
    run = small.path / "replay/x/2025-11-standard"
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    assert manifest["status"] == "replay" and all(book.endswith("-what-if") for book in manifest["rule_books"])
    assert ratings(run)["0104"] is None or pd.isna(ratings(run)["0104"])
    assert "the rules differ: period.floor 1400 -> 1700" in done.out and "0104" in done.out
    assert folders.command("verify", run).code == 0
    shown = folders.command("diff", small.path / "lists/2025-11-standard", run)
    assert "0104" in shown.out
    assert "period.floor 1400 -> 1700" in " ".join(shown.out.split())
    # Without the what-if everything is made again.
    assert made(replay(small)) == ["2025-11", "2025-12", "2026-01"]


def test_wrong_use_is_one_line(small):
    assert "no book has period.flor" in replay(small, "--set", "period.flor=1700").err
    assert "half_sideways" in replay(small, "--set", "initial.p_ties=half_sideways").err
    assert replay(small, "--set", "floor").code == 2
    small.write("replay/y/something.txt", "x")
    done = folders.command("replay", "2025-11", "2026-01", "--out", "replay/y", "-C", small.path)
    assert done.code == 1 and "choose another --out" in done.err


# --- the books of a what-if ------------------------------------------------------------------------------------------


def test_an_altered_book_is_whole_and_differs_in_what_was_set(tmp_path):
    changes = {"period.floor": "1200", "k.junior.k": "30", "initial.p_ties": "half_down"}
    what_if.altered(HERE, FIDE_STANDARD, changes, tmp_path)
    day = periods.list_date("2025-11")
    book, before = in_force(FIDE_STANDARD, day, tmp_path), in_force(FIDE_STANDARD, day)
    assert (book.period.floor.value, book.initial.p_ties.value) == (1200, "half_down")
    assert [row.k for row in book.k if row.name == "junior"] == [30]
    said, was = dict(book.stated()), dict(before.stated())
    assert {key for key in said if said[key] != was[key]} <= {*changes, "k.junior", "initial.kind"}
    with pytest.raises(RuleBookError, match=r"no book has period\.nothing"):
        what_if.altered(HERE, FIDE_STANDARD, {"period.nothing": "1"}, tmp_path / "b")


def test_one_book_for_all_times(tmp_path):
    books = [in_force(FIDE_STANDARD, periods.list_date(period)) for period in ("2024-03", "2025-11")]
    for book, number in zip(books, itertools.count()):
        folder = what_if.always(HERE, FIDE_STANDARD, book.from_, tmp_path / str(number))
        for period in ("2024-03", "2025-11"):
            assert in_force(FIDE_STANDARD, periods.list_date(period), folder).game == book.game
    shutil.rmtree(tmp_path)
