"""The reports of a world: random tournaments, and what becomes of one after its first report, or beside it."""

import datetime as dt

from ratingrun import periods

CONTROLS = ("90+30", "90+30", "60+30", "60+20", "60+0", "40/90+30:30+30", "25/90:60+30", "45+30", "none")
QUICK = ("15+10", "15+10", "10+5", "10", "3+2", "5", "60", "15+10|15+10", "15+10|10+10")
RESULTS = ["1 0"] * 6 + ["0 1"] * 6 + ["= ="] * 5 + ["+ -", "- +", "W L", "D D"]
AGAIN = {"again", "changed", "league", "copy", "contradiction"}
ALONE = ["H", "F", "U", "Z", "-", ".", "."]


def event(chance, event_id, period, names, rounds, rating_type):
    """Random pairings with byes, forfeits, wins, draws and losses, on random days around the month."""
    list_day = periods.list_date(period)
    end = list_day - dt.timedelta(days=chance.choice([0, 1, 2, 3, 4, 5, 10, 20, 28, 35, 60, 62, 70, 90]))
    longest = chance.choice([0, 3, 9, 9, 30, 31]) if chance.random() < 0.2 else 9
    start = end - dt.timedelta(days=chance.randint(0, longest))
    start = max(start, periods.list_date(periods.shift(period, -3))) if chance.random() < 0.97 else start
    system = chance.choice(["swiss", "swiss", "team", "round_robin", "match"])
    players = some_players(chance, names, 2 if system == "match" else chance.randint(2, len(names)))
    lines = {name: {} for name in players}
    clear = system == "match" and chance.random() < 0.6
    for number in range(1, rounds + 1):
        pair(chance, lines, players, number, clear)
    other_type = chance.random() < 0.06  # of another list: nothing of it counts here
    return {
        "rating_type": {"standard": "rapid"}.get(rating_type, "standard") if other_type else rating_type,
        "id": event_id,
        "part": 1,
        "file": f"{event_id}.csv",
        "start": start,
        "end": max(start, end),
        "system": system,
        "time_control": chance.choice(CONTROLS if rating_type == "standard" else QUICK),
        "fide_official": chance.random() < 0.2,
        "approvals": chance.choice(["distinct", "distinct fast_classic", "distinct play_on"]),
        "match_games": rounds if system == "match" and chance.random() < 0.7 else None,
        "received": chance.choice([None, None, *(end + dt.timedelta(days=n) for n in (1, 50, 200))]),
        "rounds_from": None,
        "rounds_to": None,
        "players": players,
        "lines": lines,
        "entries": {name: person(chance, name) for name in players},
    }


def some_players(chance, names, count):
    """Players, mostly none of them twice: `names` {id as written: the player who it is in the end}."""
    players = chance.sample(sorted(names), count)
    if chance.random() < 0.9:
        once = list({names[who]: who for who in players}.values())
        return once if len(once) > 1 else players
    return players


def pair(chance, lines, players, number, clear=False):
    """Pairs a round: in `lines` {player: {round: cell}}. `clear`: the first player wins."""
    paired = chance.sample(range(len(players)), len(players))
    for white, black in zip(paired[::2], paired[1::2], strict=False):
        if chance.random() < 0.85:
            for_white, for_black = chance.choice(RESULTS).split()
            if clear:
                for_white, for_black = ("1", "0") if white == 0 else ("0", "1")
            lines[players[white]][number] = f"{black + 1}w{for_white}"
            lines[players[black]][number] = f"{white + 1}b{for_black}"
    for name in players:
        lines[name].setdefault(number, chance.choice(ALONE))


def person(chance, name):
    """What a report says of somebody: of new players it matters, and sometimes it does not say enough."""
    said = {"name": f"{name}, reported", "federation": "ZZZ", "birth_year": chance.choice([1990, 2009])}
    said |= {"sex": chance.choice([None, "w"]), "title": chance.choice([None, "CM"])}
    if "new" in name and chance.random() < 0.05:
        said[chance.choice(["federation", "birth_year"])] = None
    return said


def again(chance, world, size):
    """Reports that are more than one event: what happens to a tournament after its first report, or beside it."""
    for period, coming in list(world.events.items()):
        for one in list(coming):
            kind = chance.choice(sorted(size.kinds & AGAIN)) if size.kinds & AGAIN and chance.random() < 0.35 else ""
            later = periods.shift(period, chance.choice([0, 1, 1, 2]))
            if later not in world.events:
                continue
            if kind == "contradiction":
                contradict(chance, one)
            elif kind == "copy":
                other = copied(one) | {"id": f"{one['id']}-copy", "file": f"{one['id']}-copy.csv"}
                other["approvals"] = chance.choice(["", "", "distinct"])
                one["approvals"] = chance.choice(["", "", "distinct"])
                other["start"] = min(other["start"] + dt.timedelta(days=chance.choice([0, 0, 0, 1])), other["end"])
                world.events[later].append(other)
            elif kind == "league":
                league(chance, world, one, period, later)
            elif kind and later > period:
                other = turned(chance, renamed(chance, copied(one), world))
                if kind == "changed":
                    contradict(chance, other, both=True)
                if chance.random() < 0.7:
                    for number in range(size.rounds + 1, size.rounds + 1 + chance.randint(0, 2)):
                        pair(chance, other["lines"], other["players"], number)
                world.events[later].append(other)


def copied(one):
    lines = {name: dict(cells) for name, cells in one["lines"].items()}
    return one | {"lines": lines}


def renamed(chance, one, world):
    """The report once more, in which merged players perhaps stand under the id that they have now."""
    into = {row["player_id"]: row["merged_into"] for row in world.players if "merged_into" in row}
    names = {name: into.get(name, name) for name in one["players"]}
    if chance.random() < 0.5 or any(name.startswith("N-") for name in names) or set(into) & set(into.values()):
        return one  # of two ids in a row, or an alias besides, the round is not known again: R109
    if len(set(names.values())) < len(names) or len(set(into.values())) < len(into):
        return one
    moved = {key: {names[name]: value for name, value in one[key].items()} for key in ("lines", "entries")}
    return one | moved | {"players": [names[name] for name in one["players"]]}


def turned(chance, one):
    """The report once more, perhaps with other starting numbers."""
    if chance.random() < 0.5:
        return one
    players = chance.sample(one["players"], len(one["players"]))
    number = {str(no): str(players.index(name) + 1) for no, name in enumerate(one["players"], 1)}
    lines = {
        name: {n: cell if len(cell) < 3 else number.get(cell[:-2], cell[:-2]) + cell[-2:] for n, cell in cells.items()}
        for name, cells in one["lines"].items()
    }
    return one | {"players": players, "lines": lines}


def league(chance, world, one, period, later):
    """Splits the tournament into two parts: in files of their own that hold all rounds so far, in one file, or without
    limits of rounds."""
    rounds = max((number for cells in one["lines"].values() for number in cells), default=1)
    until = chance.randint(1, rounds)
    other = copied(one) | {"part": 2}
    other["end"] = min(
        one["end"] + dt.timedelta(days=chance.choice([0, 10, 28])), periods.list_date(later) - dt.timedelta(days=2)
    )
    other["end"] = max(other["end"], one["start"])
    other["start"] = chance.choice([one["start"], other["end"]])
    kind = chance.choice(["own files", "own files", "no limits", "one file"])
    if kind != "no limits":
        one["rounds_to"], other["rounds_from"] = until, until + 1
        one["rounds_from"] = chance.choice([None, 1])
        other["rounds_to"] = chance.choice([None, None, max(rounds, until + 1)])
    if kind != "one file":
        other["file"] = f"{one['id']}-2.csv"
        one["lines"] = {
            name: {n: cell for n, cell in cells.items() if n <= until} for name, cells in one["lines"].items()
        }
    if kind == "one file" and period != later:
        world.events[later].append(one)  # the file stands for both parts
    world.events[later].append(other)


def contradict(chance, one, both=False):
    """Spoils a cell: another result, colour or opponent, or nothing. With `both` the game has another result."""
    games = [
        (name, n)
        for name, cells in one["lines"].items()
        for n, cell in cells.items()
        if len(cell) > 2 and cell[-1] in "10="
    ]
    if not games:
        return
    name, number = chance.choice(games)
    cell = one["lines"][name][number]
    if both:
        turned = {"1": ("0", "1"), "0": ("=", "="), "=": ("1", "0")}[cell[-1]]
        opponent = one["players"][int(cell[:-2]) - 1]
        one["lines"][name][number] = cell[:-1] + turned[0]
        one["lines"][opponent][number] = one["lines"][opponent][number][:-1] + turned[1]
        return
    wrong = [cell[:-1] + {"1": "0", "0": "1", "=": "1"}[cell[-1]], ".", "H", cell[:-1] + "-", f"99{cell[-2:]}",
             cell[:-2] + {"w": "b", "b": "w"}[cell[-2]] + cell[-1],
             f"{chance.randint(1, len(one['players']))}{cell[-2:]}"]  # fmt: skip
    one["lines"][name][number] = chance.choice(wrong)
