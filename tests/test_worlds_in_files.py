"""A world as a working folder: its months from files are those from memory, can be verified and told.

Two worlds in `make test`; WORLDS=20 takes more.
"""

import csv
import os

import pytest
import worlds
import worlds_run

from ratingrun import explain, frames, monthly, periods, recorded, texts, verify
from ratingrun.explain import show, words
from ratingrun.formats import list_tables

NOTES = ("players", "corrections", "exclusions", "aliases")
COMPARED = ("rating_list", "sides", "event_changes", "changes", "initials", "pool", "rated", "trail", "cells")
PLACES = ["file", "line"]  # where a report lies is not the same
SAY = texts.catalogue("es")
SIZES = [
    worlds.Size(
        seed=number, first=7 * number, rating_type=("standard", "rapid")[number % 2], players=9, months=2 + (number > 1)
    )
    for number in range(int(os.environ.get("WORLDS", "2")))
]


def write(path, rows, columns):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        for row in rows:
            row = {name: None if value == "none" else value for name, value in row.items()}
            writer.writerow({n: {True: "yes", False: "no"}[v] if isinstance(v, bool) else v for n, v in row.items()})


def adopt(root, world, rating_type, lists):
    """Adopts the lists; gives them as their run folders have them."""
    names = [name for name in frames.RATING_LIST.names if name != "k_clause"]
    for of, listed in sorted(lists.items()):
        nobody = {"federation": "ZZZ", "games": 0, "active": True}
        rows = [nobody | {"player_id": who, "name": who} | row for who, row in listed.items()]
        write(root / f"{of}.csv", rows, names)
        done = monthly.adopt(root, root / f"{of}.csv", of, rating_type)
        assert done.exit_code == 0, done.messages
    return {of: frame(root / "lists" / f"{of}-{rating_type}", "rating_list") for of in lists}


def frame(folder, name):
    found, news = list_tables.read_parquet(frames.ALL[name], folder / f"{name}.parquet")
    assert news.empty
    return found


def with_short_names(world):
    """{file: its name on the disk}: reports that come in once have the same few names in every month."""
    files = [one["file"] for coming in world.events.values() for one in coming]
    ids = [worlds.key(one)[0] for coming in world.events.values() for one in coming]
    return {file: f"open{file[-6:]}" if ids.count(one) == 1 else file for file, one in zip(files, ids, strict=True)}


def month_in_files(root, world, given, coming, registered):
    """Writes what is on the officer's disk before the run of a month."""
    names = with_short_names(world)
    coming, registered = ([one | {"file": names[one["file"]]} for one in some] for some in (coming, registered))
    said = {"rating_type": "standard", "reason": "decision", "source": "officer"}
    for name in NOTES:
        rows = [said | row for row in world.noted(name, given.period)]
        write(root / f"{name}.csv", rows, [n for n in frames.ALL[name].names if n != "line"])
    rows = [one | {"tournament_id": one["id"], "rating_type": world.rating_type} for one in registered]
    write(root / "register.csv", rows, [n for n in frames.REGISTER.names if n != "line"])
    for one in coming:
        rounds = max((number for cells in one["lines"].values() for number in cells), default=0)
        names = ["start_no", "player_id", "name", "federation", "sex", "title", "birth_year"]
        rows = []
        for no, name in enumerate(one["players"], 1):
            cells = {f"round_{n}": one["lines"][name].get(n, "").replace(".", "") for n in range(1, rounds + 1)}
            rows.append({"start_no": no, "player_id": name, **one["entries"][name], **cells})
        columns = [*names, *(f"round_{n}" for n in range(1, rounds + 1))]
        write(root / "reports" / given.period / one["file"], rows, columns)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.rating_type}-{size.seed}")
def test_months_from_files_are_those_from_memory(tmp_path, size):
    world = worlds.make(size)
    world.pooled = []  # an adopted list has no pool
    world.lists = adopt(tmp_path, world, world.rating_type, world.lists)
    world.seeds = adopt(tmp_path, world, "standard", world.seeds)
    before = set()
    for given, coming, registered, month in worlds_run.run(world):
        new = [one for one in coming if worlds.key(one) not in before]  # what waited is read from the folder before
        # the register goes on from month to month; what was never rated is taken out of it
        rated = {(row.tournament_id, row.part) for row in given.rated.itertuples()}
        at_hand = [worlds.key(one) for one in coming]
        known = [one for one in registered if worlds.key(one) in rated or worlds.key(one) in at_hand]
        month_in_files(tmp_path, world, given, new, known)
        done = monthly.run(tmp_path, given.period, world.rating_type, no_games=given.no_games, allow_rejected=True)
        assert done.exit_code == 0, done.messages
        for name in COMPARED:
            ours, theirs = (
                rows.drop(columns=PLACES, errors="ignore") for rows in (frame(done.folder, name), month.frames[name])
            )
            assert ours.astype("str").equals(theirs.astype("str")), name
        status = month.frames["tournaments"]
        before = {(row.tournament_id, row.part) for row in status[status["status"] == "waiting"].itertuples()}
        before -= {worlds.key(one) for one in world.events.get(periods.shift(given.period, 1), [])}
        folder, _ = recorded.open_folder(done.folder)
        data, news = explain.read(folder)
        assert news.empty
        for who in sorted(set(data["rating_list"]["player_id"]) | set(data["entries"]["player_id"].dropna())):
            assert who in show.text(words.player(explain.player(folder, data, who), SAY))
        for one in sorted(set(data["tournaments"]["tournament_id"])):
            assert all(words.tournament(sheet, SAY) for sheet in explain.tournament(folder, data, one))
    result = verify.verify(folder)
    assert not result.differences, result.differences
