"""Worlds in the words of the plain engine, and the two months side by side."""

import pandas as pd
import plain_engine

from ratingrun import periods

LISTED = (*plain_engine.PERSON, "rating", "k", "games", "games_total", "peak", "last_played", "active")
JUDGED = ("R10", "R110", "R114", "R115", "R116", "G10")  # codes that the plain engine gives, too
BEFORE = {"R107", "R109"}


def federation(world, pool):
    """The federation before the first month; `pool` as ratingrun has it."""

    def players(lists):
        return {
            periods.list_date(of): {
                who: plain_engine.NOBODY | {"name": who, "federation": "ZZZ", "active": True} | row
                for who, row in listed.items()
            }
            for of, listed in lists.items()
        }

    rows = [
        {
            "who": row.player_id,
            "event": row.tournament_id,
            "part": row.part,
            "round": row.round,
            "r_opp": row.r_opp,
            "score": plain_engine.Fraction(row.score_c, 100),
            "start": row.start.date(),
            "end": row.end.date(),
            "list": periods.list_date(row.period),
            "window": periods.month_number(row.expires) - periods.month_number(row.period) + 1,
        }
        for row in pool.itertuples()
    ]
    return plain_engine.Federation(players(world.lists), world.chapter, world.rating_type, players(world.seeds), rows)


def event(one):
    """An event with its report in the words of the plain engine, from its cells as written."""
    cells, numbers = {}, {number for line in one["lines"].values() for number in line}
    for no, name in enumerate(one["players"], 1):
        for number in numbers:
            cell = one["lines"][name].get(number, ".")
            opponent = int(cell[:-2]) if cell[:-2] else None
            cells[no, number] = (opponent, cell[-2] if opponent else None, cell[-1])
    return {
        **{name: one[name] for name in ("id", "part", "start", "end", "received", "system", "match_games")},
        **{name: one[name] for name in ("rounds_from", "rounds_to")},
        "official": one["fide_official"],
        "control": None if one["time_control"] == "none" else one["time_control"],
        "approvals": set(one["approvals"].split()),
        "entries": [{"id": name} | one["entries"][name] for name in one["players"]],
        "cells": cells,
    }


def notes(world, period):
    """What people wrote until then."""
    names = ("players", "corrections", "exclusions", "aliases")
    return plain_engine.Notes(**{name: world.noted(name, period) for name in names})


def plain(found):
    """A value of a frame as plain Python."""
    if found is None or pd.isna(found):
        return None
    if isinstance(found, pd.Timestamp):
        return found.date()
    return bool(found) if isinstance(found, bool) else found if isinstance(found, str) else int(found)


def of_ratingrun(month):
    """The month of ratingrun, as dictionaries."""
    got = month.frames
    rejected = month.rejected
    rated = set(got["rating_list"].loc[got["rating_list"]["rating"].notna(), "player_id"])
    return {
        "status": {(row.tournament_id, row.part): row.status for row in got["tournaments"].itertuples()},
        "sides": {
            (row.player_id, row.tournament_id, row.part, row.round): (row.outcome, plain(row.dr_c))
            for row in got["sides"].itertuples()
        },
        "changes": {row.player_id: (row.n, row.k, row.change) for row in got["changes"].itertuples()},
        "initials": {row.player_id: (row.n, plain(row.ru)) for row in got["initials"].itertuples()},
        "pool": {
            (row.player_id, row.tournament_id, row.part, row.round)
            for row in got["pool"].itertuples()
            if row.status == "carried" or (row.status == "zero_event" and row.player_id not in rated)
        },
        "rated": {(row.tournament_id, row.part, row.round) for row in got["rated"].itertuples()},
        "list": {
            row["player_id"]: {name: plain(row[name]) for name in LISTED}
            for row in got["rating_list"].to_dict("records")
        },
        "alike": {
            (row.tournament_id, int(row.part), row.text.split("results as tournament ")[1].split(":")[0])
            for row in month.findings[month.findings["code"] == "R205"].itertuples()
        },
        "codes": {
            (row.tournament_id, int(row.part), row.code)
            for row in rejected[rejected["tournament_id"].notna()].itertuples()
            if row.code.startswith(JUDGED)
        },
    }


def of_plain_engine(federation, done, day):
    """The same of the plain engine."""
    return {
        "status": done.status,
        "sides": {
            (side["who"], side["event"], side["part"], side["round"]): (
                side["outcome"],
                int(side["dr"] * 100) if "dr" in side else None,
            )
            for side in done.sides
        },
        "changes": done.changes,
        "initials": done.initials,
        "pool": {(game["who"], game["event"], game["part"], game["round"]) for game in federation.pool},
        "rated": {(row["id"], row["part"], row["round"]) for row in federation.rated},
        "list": {who: {name: row[name] for name in LISTED} for who, row in federation.lists[day].items()},
        "alike": done.alike,
        # a report that was rated before in another way is not looked at more closely
        "codes": {(*key, code) for key, codes in done.codes.items() for code in codes & BEFORE or codes},
    }


def differences(one, other):
    """What differs between two months, a line each."""
    found = []
    for name in one:
        if isinstance(one[name], dict):
            keys = [key for key in {**one[name], **other[name]} if one[name].get(key, "-") != other[name].get(key, "-")]
            for key in keys:
                ours, theirs = one[name].get(key, "-"), other[name].get(key, "-")
                if isinstance(ours, dict) and isinstance(theirs, dict):
                    ours, theirs = ({n: row[n] for n in LISTED if ours[n] != theirs[n]} for row in (ours, theirs))
                found.append(f"{name} {key}: {ours} | {theirs}")
        elif one[name] != other[name]:
            found.append(f"{name}: {sorted(one[name] - other[name])} | {sorted(other[name] - one[name])}")
    return found
