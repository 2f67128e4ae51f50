"""Small months for tests: people write players and games, `month` runs the whole pipeline over them.

Players of a list: a rating, or a table of columns of `rating_list` (`k`, `birth_year`, `games_total`, `peak` ...).
Not given: K 20, a peak equal to the rating, 100 games; `k = 10` puts the peak at 2400, as that K says.

Events: `id`, `start`, `end`, columns of the register where wanted (`system`, `time_control`, `part` ...), and either
`games`, one line a round ("Ann 1-0 Bob", also = 0-1 +/- -/+; "Ann = 1800 x3": three draws against three invented
players rated 1800 on every list; "Ann 1-0 unrated"), or a `crosstable` ("1 Ann 2w1 3b= ."; a dot is no
pairing), or `rounds`: tuples (round, White, Black, result). Everybody is in the report as "ZZZ", born in 1990, or as
`entries` says (`entries.Ann.birth_year = 2008`).
"""

import datetime as dt
import hashlib
import re

import pandas as pd

from ratingrun import findings, frames, periods, pipeline
from ratingrun.formats import Report

RESULTS = {"1-0": ("1", "0"), "0-1": ("0", "1"), "=": ("=", "="), "+/-": ("+", "-"), "-/+": ("-", "+")}
CELL = re.compile(r"(?P<opponent>\d+)?(?P<colour>[wb])?(?P<result>[-10=+WDLHFUZ])")
ESTABLISHED = 100  # games
PERSON = {"federation": "ZZZ", "sex": None, "title": None, "birth_year": 1990}


def table(frame, rows, **defaults):
    """A frame of the declared types from dictionaries; what they do not say is `defaults`, or null."""
    empty = dict.fromkeys(frame.names)
    return frame.build(pd.DataFrame([empty | defaults | row for row in rows], columns=frame.names))


def rating_list(players, day):
    """The list of `day` from {player id: rating or columns}."""
    rows = []
    for player_id, said in players.items():
        said = said if isinstance(said, dict) else {"rating": said}
        said = {name: None if value == "none" else value for name, value in said.items()}
        rating = said.get("rating")
        said = {"k": 20 if rating else None, "peak": rating, "games_total": ESTABLISHED if rating else 0} | said
        if said["k"] == 10 and said["peak"] < 2400:
            said["peak"] = 2400
        rows.append({"player_id": player_id, "name": player_id, "k_clause": "given" if said["k"] else None} | said)
    played = pd.Timestamp(day)
    return table(frames.RATING_LIST, rows, federation="ZZZ", games=0, last_played=played, active=True)


def rounds_of(event):
    """(rounds, {invented opponent: rating or none}) of an event's `games`."""
    rounds, invented = [], {}

    def player(name, number):
        if not name.isdigit() and name != "unrated":
            return name
        known = f"{event['id']}-{number}"
        invented[known] = int(name) if name.isdigit() else None
        return known

    for line in event["games"].strip().splitlines():
        white, result, black, *times = line.split()
        for _ in range(int(times[0].removeprefix("x")) if times else 1):
            number = len(rounds) + 1
            rounds.append((number, player(white, number), player(black, number), result))
    return rounds, invented


def cells_of(event):
    """(players in the order of their starting numbers, {(start_no, round): (opponent_no, colour, result)})."""
    if "crosstable" in event:
        lines = [line.split() for line in event["crosstable"].strip().splitlines()]
        players, cells = [line[1] for line in lines], {}
        for start_no, line in enumerate(lines, 1):
            assert int(line[0]) == start_no, f"{event['id']}: starting numbers count from 1"
            for number, text in enumerate(line[2:], 1):
                match = None if text == "." else CELL.fullmatch(text)
                assert match or text == ".", f"{event['id']}: {text} is not a cell"
                opponent = int(match["opponent"]) if match and match["opponent"] else None
                cells[start_no, number] = (opponent, match["colour"], match["result"]) if match else (None, None, "")
        return players, cells
    rounds = event["rounds"] if "rounds" in event else rounds_of(event)[0]
    players = list(dict.fromkeys(name for _, white, black, _ in rounds for name in (white, black)))
    number_of = {name: number for number, name in enumerate(players, 1)}
    cells = {(no, number): (None, None, "") for no in number_of.values() for number in {game[0] for game in rounds}}
    for number, white, black, result in rounds:
        for_white, for_black = RESULTS[result]
        cells[number_of[white], number] = (number_of[black], "w", for_white)
        cells[number_of[black], number] = (number_of[white], "b", for_black)
    return players, cells


def report(event):
    """The event's report, as a reader would give it."""
    players, cells = cells_of(event)
    file = event.get("file", f"{event['id']}-{event.get('part', 1)}.csv")
    people = event.get("entries", {})
    entries = pd.DataFrame(
        [
            {"start_no": number, "player_id": name, "name": name, "reported_rating": None}
            | PERSON
            | people.get(name, {})
            for number, name in enumerate(players, 1)
        ]
    )
    results = pd.DataFrame(
        [(start_no, number, *cell) for (start_no, number), cell in cells.items()],
        columns=["start_no", "round", "opponent_no", "colour", "result"],
    )
    typed = []
    for frame, rows in ((frames.ENTRIES, entries), (frames.RESULTS, results)):
        rows = rows.assign(file=file, line=rows["start_no"] + 1)
        typed.append(rows.astype({c.name: c.dtype for c in frame.columns if c.name in rows}))
    raw = repr((file, players, cells)).encode()
    return Report(file, hashlib.sha256(raw).hexdigest(), None, None, *typed, findings.none(), raw)


def register(events, rating_type="standard"):
    """The register's rows of the events."""
    rows = []
    for line, event in enumerate(events, 2):
        said = {name: event[name] for name in frames.REGISTER.names if name in event}
        file = event.get("file", f"{event['id']}-{event.get('part', 1)}.csv")
        rows.append({"tournament_id": event["id"], "file": file, "line": line, "rating_type": rating_type} | said)
    rows = [{n: None if v == "none" else v for n, v in row.items()} for row in rows]
    return table(frames.REGISTER, rows, part=1, system="swiss", fide_official=False, time_control="90+30")


def pool(rows):
    """The state of the pool from rows that say whose game it was, against what rating, and for which list rated."""
    full = []
    for number, row in enumerate(rows, 1):
        said = {
            "tournament_id": "earlier",
            "round": number,
            "opponent_id": f"before-{number}",
            "status": "carried",
        } | row
        last_day = dt.date.fromisoformat(f"{periods.shift(said['period'], -1)}-20")
        said = {"start": last_day, "end": last_day, "expires": periods.shift(said["period"], 25)} | said
        full.append(said)
    return table(frames.POOL, full, part=1)


def listed_on(period, listed, invented):
    """The list of a period: as written, or a frame of an earlier month; with the invented opponents on it."""
    day = periods.list_date(period)
    if not isinstance(listed, pd.DataFrame):
        return rating_list(listed | invented, day)
    return frames.RATING_LIST.build(pd.concat([listed, rating_list(invented, day)])) if invented else listed


def inputs(period, lists, events, *, corrections=(), exclusions=(), players=(), pooled=(), **more):
    """`pipeline.Inputs` of a month. `lists`: {period of the list: {player id: rating or columns}}."""
    corrections = [
        {"rating_type": "standard", "source": "officer", "line": i} | row for i, row in enumerate(corrections, 2)
    ]
    facts = [{"line": i} | row for i, row in enumerate(players, 2)]
    invented = {}
    for event in events:
        if "games" in event:
            invented |= {name: rating for name, rating in rounds_of(event)[1].items() if rating}
    return pipeline.Inputs(
        period=period,
        register=register(events),
        reports=[report(event) for event in events],
        lists={periods.list_date(of): listed_on(of, listed, invented) for of, listed in lists.items()},
        corrections=table(frames.CORRECTIONS, corrections),
        exclusions=table(frames.EXCLUSIONS, [{"line": i} | row for i, row in enumerate(exclusions, 2)]),
        players=table(frames.PLAYERS, facts),
        pool=pool(pooled),
        **more,
    )
