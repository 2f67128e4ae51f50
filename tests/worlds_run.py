"""Worlds given to ratingrun: the inputs of each month, and the months one after the other."""

import datetime as dt

import pandas as pd
from cases import months
from worlds import key

from ratingrun import frames, periods, pipeline, rulebooks


def crosstable(one):
    """The event's cells as lines: number, player, a cell a round."""
    rounds = max((number for cells in one["lines"].values() for number in cells), default=0)
    return "\n".join(
        " ".join([str(no), name, *(one["lines"][name].get(number, ".") for number in range(1, rounds + 1))])
        for no, name in enumerate(one["players"], 1)
    )


def as_case(one):
    """The event in the words of `cases.months`."""
    days = {name: one[name] and pd.Timestamp(one[name]) for name in ("start", "end", "received")}
    return one | days | {"crosstable": crosstable(one)}


def written(value):
    """A corrected value as corrections.csv has it."""
    return {True: "yes", False: "no", None: None}[value] if value is None or isinstance(value, bool) else str(value)


def inputs(world, period, lists, state, coming, registered):
    """`pipeline.Inputs` of a month. `coming`: the events whose reports are at hand; `registered`: all so far."""
    standard = world.rating_type == "standard"
    defaults = {"rating_type": "standard", "reason": "decision", "source": "officer"}

    def table(frame, name):
        rows = [{"line": line} | defaults | row for line, row in enumerate(world.noted(name, period), 2)]
        rows = [
            {k: pd.Timestamp(v) if isinstance(v, dt.date) and k != "value" else v for k, v in row.items()}
            for row in rows
        ]
        rows = [row | {"value": written(row["value"])} if "value" in row else row for row in rows]
        return months.table(frame, rows)

    reports = {one["file"]: months.report(as_case(one)) for one in coming}
    return pipeline.Inputs(
        period=period,
        register=months.register([as_case(one) for one in registered], world.rating_type),
        reports=list(reports.values()),
        lists={periods.list_date(of): months.listed_on(of, one, {}) for of, one in lists.items()},
        rating_type=world.rating_type,
        no_games=not any(one["rating_type"] == world.rating_type for one in coming),
        players=table(frames.PLAYERS, "players"),
        corrections=table(frames.CORRECTIONS, "corrections"),
        exclusions=table(frames.EXCLUSIONS, "exclusions"),
        aliases=table(frames.ALIASES, "aliases"),
        system=rulebooks.FIDE_STANDARD if standard else "fide_rapid_blitz",
        seeds={periods.list_date(of): months.listed_on(of, one, {}) for of, one in world.seeds.items() if of < period},
        **(state or {"pool": months.pool(world.pooled)}),
    )


def run(world):
    """Each month through the pipeline, the state handed on: (inputs, the list's events that are at hand, those that are
    registered, what came out) of each."""
    lists, state, waiting, registered = dict(world.lists), {}, [], {}
    for period in world.periods:
        coming = [*(one for one in waiting if key(one) not in map(key, world.events[period])), *world.events[period]]
        registered |= {key(one): one for one in coming}
        files = {one["file"]: {name: one[name] for name in ("players", "lines", "entries")} for one in coming}
        coming = [one | files[one["file"]] for one in registered.values() if one["file"] in files]
        given = inputs(world, period, lists, state, coming, registered.values())
        month = pipeline.run(given)
        ours = [
            [one for one in some if one["rating_type"] == world.rating_type] for some in (coming, registered.values())
        ]
        yield given, *ours, month
        if month.stopped:
            return
        state = {name: month.frames[name] for name in ("pool", "rated")}
        lists = {**lists, period: month.frames["rating_list"]}
        rows = month.frames["tournaments"]
        status = {(row.tournament_id, row.part): row.status for row in rows.itertuples()}
        waiting = [one for one in coming if status.get(key(one)) == "waiting"]
