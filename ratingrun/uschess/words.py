"""Facts of a US Chess explanation as sentences and tables in a language."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import pandas as pd

from ratingrun.explain import show
from ratingrun.explain.words import Block, Table
from ratingrun.texts import POINT, Catalogue

Facts = Mapping[str, object]
SHEET = ("start_no", "player_id", "name", "pool", "before", "n_eff", "m", "score", "expected", "k", "bonus", "middle",
         "final", "rating")  # fmt: skip


def player(facts: Facts, say: Catalogue) -> list[Block]:
    """A player's month in words: the head, each section in each pool, the list."""
    who = facts["player"]
    named = {"player_id": who["player_id"], "name": who["name"] or who["player_id"]}
    head = Block(say("us.title", **named, day=_day(facts["list_date"], say)))
    head.lines.append(say("player.rules", books=", ".join(facts["rule_books"])))
    blocks = [head]
    for entry in facts["ledger"]:
        if entry["entry"] == "rerate":
            moved = {name: _points(entry[name], say) for name in ("before", "after")}
            head.lines.append(f"{_pool(entry['pool'], say)}: {say('us.rerate', source=entry['source'], **moved)}")
    for part in facts["sections"]:
        blocks += _section(part, say)
    if not facts["sections"]:
        head.lines.append(say("us.nothing"))
    if facts["list"]:
        blocks.append(Block(say("us.on_list"), [_listed(row, say) for row in facts["list"]]))
    return blocks


def tournament(facts: Facts, say: Catalogue) -> list[Block]:
    """The sheet of a section in words."""
    part, counts = facts["section"], facts["counts"]
    title = say("us.sheet", **_named(part), day=_day(facts["list_date"], say))
    lines = [_dates(part, say), say(f"us.again.{part['status']}")]
    lines.append(say("us.counted", cells=sum(counts.values()), **counts))
    heads = ["start_no", "player_id", "name", "", "before", "us_head.n_eff", "n", "score", "us_head.expected", "k",
             "us_head.bonus", "us_head.middle", "us_head.final", "after"]  # fmt: skip
    table = Table([_head(name, say) for name in heads], [_sheet_row(row, say) for row in facts["players"]],
                  frozenset({0, *range(4, len(heads))}))  # fmt: skip
    blocks = [Block(title, lines, table)]
    if facts["not_counted"]:
        lost = [(str(row["round"]), str(row["start_no"]), row["name"] or "", _reason(row["reason"], say))
                for row in facts["not_counted"]]  # fmt: skip
        names = [say(f"head.{name}") for name in ("round", "start_no", "name", "counts")]
        blocks.append(Block(say("us.not_counted"), table=Table(names, lost, frozenset({0, 1}))))
    return blocks


def sheet_csv(sheets: list[Facts]) -> str:
    """The players of an event's sections as CSV: a row a player and pool."""
    found = []
    for sheet in sheets:
        place = {name: sheet["section"][name] for name in ("tournament_id", "part")}
        found += [place | {name: _plain(row[name]) for name in SHEET} for row in sheet["players"]]
    return show.rows_csv(pd.DataFrame(found, columns=["tournament_id", "part", *SHEET], dtype=object))


def _plain(value: object) -> object:
    return repr(value) if isinstance(value, float) else value


def _head(name: str, say: Catalogue) -> str:
    if not name:
        return ""
    return say(name) if "." in name else say(f"head.{name}")


def _sheet_row(row: Facts, say: Catalogue) -> list[str]:
    cells = [str(row["start_no"]), row["player_id"], row["name"] or "", _pool(row["pool"], say)]
    figures = [_points(row[name], say) for name in ("before", "n_eff")]
    rest = [_points(row[name], say) for name in ("expected", "k", "bonus", "middle", "final", "rating")]
    return [*cells, *figures, str(row["m"]), _score(row["score"], say), *rest]


def _section(part: Facts, say: Catalogue) -> list[Block]:
    """A block a pool; one without a pool where nothing is rated."""
    blocks = []
    for rated in part["rated_in"]:
        title = say("us.section", **_named(part), **_span(part, say), pool=_pool(rated["pool"], say))
        heads = [say("head.round"), say("head.opponent"), say("head.score"), say("us_head.first"),
                 say("us_head.strength"), say("us_head.expected"), say("head.counts")]  # fmt: skip
        lines = _began(rated["steps"], say)
        table = Table(heads, [_game(game, say) for game in rated["games"]], frozenset({0, 2, 3, 4, 5}))
        blocks.append(Block(title, lines, table, _became(rated["steps"], say)))
    if not part["rated_in"]:
        title = say("us.section", **_named(part), **_span(part, say), pool=say("us_word.not_rated"))
        blocks.append(Block(title, [say(f"us.again.{part['status']}")]))
    lost = [(str(row["round"]), _reason(row["reason"], say)) for row in part["not_counted"]]
    if lost:
        table = Table([say("head.round"), say("head.counts")], lost, frozenset({0}))
        blocks.append(Block(say("us.not_counted"), table=table))
    return blocks


def _began(steps: Facts, say: Catalogue) -> list[str]:
    """Steps 1 to 3."""
    figures = {name: _points(steps[name], say) for name in ("before", "n_eff")} | {"n_before": f"{steps['n_before']:g}"}
    lines = [say(f"us.{steps['start_by']}", **figures)] if steps["start_by"] else []
    lines += [say("us.before", **figures)] if not steps["start_by"] else []
    if steps["first_look"] is not None:
        lines.append(say("us.first_look", first_look=_points(steps["first_look"], say)))
    return lines


def _became(steps: Facts, say: Catalogue) -> list[str]:
    """Steps 4 and 5, limits, floor, ceiling, the new rating."""
    names = ("middle", "final", "expected", "k", "gain", "bonus", "limited", "floor", "rating", "before")
    figures = {name: _points(steps[name], say) for name in names}
    played = {"score": _score(steps["score"], say), "m": steps["m"]}
    if steps["expected"] is not None:
        played["difference"] = _points(steps["score"] - steps["expected"], say)
    lines = [say(f"us.{steps['formula']}", **figures | played)]
    if steps["limited"] != steps["final"]:
        lines.append(say("us.limited", **figures))
    if steps["floor"] > steps["limited"]:
        lines.append(say("us.floor", **figures))
    if steps["rating"] < max(steps["limited"], steps["floor"]):
        lines.append(say("us.ceiling", **figures))
    return [*lines, say("us.result", **figures)]


def _game(game: Facts, say: Catalogue) -> list[str]:
    counts = say("counted.rated") if game["outcome"] == "rated" else _reason(game["reason"], say)
    figures = [_points(game[name], say) for name in ("r_first", "r_opp", "expected")]
    name = game["opponent_name"] or game["opponent_id"]
    return [str(game["round"]), name, _score(game["score"], say), *figures, counts]


def _listed(row: Facts, say: Catalogue) -> str:
    state = say("us_word.established" if row["established"] else "us_word.provisional")
    figures = {name: row[name] for name in ("rating", "n", "games", "floor")}
    return say("us.listed", pool=_pool(row["pool"], say), state=state, **figures)


def _named(part: Facts) -> dict[str, object]:
    return {"name": part["name"] or part["tournament_id"], "tournament_id": part["tournament_id"], "part": part["part"]}


def _span(part: Facts, say: Catalogue) -> dict[str, str]:
    return {name: _day(part[name], say) for name in ("start", "end")}


def _dates(part: Facts, say: Catalogue) -> str:
    facts = {"kind": say(f"us_word.{part['kind']}"), "time_control": part["time_control"] or "-", "book": part["book"]}
    return say("us.days", **_span(part, say), **facts)


def _pool(pool: str, say: Catalogue) -> str:
    return say(f"us_word.{pool}")


def _reason(reason: str, say: Catalogue) -> str:
    own = f"us_reason.{reason}"
    return say(own) if own in say.texts else say.get("reason", reason)


def _score(value: float, say: Catalogue) -> str:
    return say.points(round(value * POINT))


def _points(value: float | None, say: Catalogue) -> str:
    return "-" if value is None else say.hundredths(round(value * POINT))


def _day(text: str, say: Catalogue) -> str:
    return say.day(dt.date.fromisoformat(text))
