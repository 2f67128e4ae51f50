"""Facts of an explanation as sentences and tables in a language: blocks, which `show` writes as text or HTML."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ratingrun.texts import Catalogue

Facts = Mapping[str, object]
# The value of the rule book whose clause stands behind a reason.
CLAUSE_OF = {
    "opponent_unrated": "game.max_difference",
    "match_unrated": "match.with_unrated",
    "match_decided": "match.decided",
    "one_sided": "period.one_sided_rating",
    "time_control": "time_control.moves",
    "report_waiting": "period.closing_days",
    "report_too_late": "period.late_lists",
}


@dataclass(frozen=True)
class Table:
    """A table: heads, rows of text, and the places of the columns that are numbers."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Block:
    """A heading, sentences, a table, sentences below it."""

    title: str
    lines: list[str] = field(default_factory=list)
    table: Table | None = None
    after: list[str] = field(default_factory=list)


def player(facts: Facts, say: Catalogue) -> list[Block]:
    """A player's month in words: the head, each tournament, the change or first rating, the ledger, the new list."""
    who, day = facts["player"], _day(facts["list_date"], say)
    title = say("player.title", **_named(who), rating_type=_type(facts, say), day=day)
    known = {name: who[name] if who[name] is not None else "-" for name in ("federation", "birth_year", "title")}
    head = Block(title, [say("player.identity", **known), say("player.rules", books=", ".join(facts["rule_books"]))])
    blocks = [head, *(_tournament(one, facts, say) for one in facts["tournaments"])]
    if not facts["tournaments"]:
        head.lines.append(say("player.nothing"))
    blocks += [_change(facts, say), _initial(facts, say), _pool(facts, say), _ledger(facts, say), _list(facts, say)]
    return [block for block in blocks if block]


def tournament(facts: Facts, say: Catalogue) -> list[Block]:
    """The sheet of a tournament part in words, for its arbiter."""
    part, counts = facts["tournament"], facts["counts"]
    title = say(
        "sheet.title",
        name=part["name"] or part["tournament_id"],
        tournament_id=part["tournament_id"],
        part=part["part"],
        rating_type=_type(facts, say),
        day=_day(facts["list_date"], say),
    )
    days = {name: _day(part[name], say) for name in ("start", "end")}
    in_force = _day(part["list_in_force"], say)
    head = [
        say("sheet.dates", **days, in_force=in_force, book=part["book"]),
        say(f"event.{part['status']}"),
        say("sheet.counted", cells=sum(counts.values()), **counts),
    ]
    heads = ("start_no", "player_id", "name", "reported", "r", "n", "w", "we", "dr", "k", "change", "became")
    rows = [_sheet_row(row, facts, say) for row in facts["players"]]
    table = Table([say(f"head.{name}") for name in heads], rows, frozenset({0, 3, 4, 5, 6, 7, 8, 9, 10}))
    blocks = [Block(title, head), Block(say("sheet.players"), table=table)]
    if facts["not_counted"]:
        lost = [
            (_text(row["round"]), _text(row["start_no"]), _text(row["name"]), _reason(row["reason"], facts, say))
            for row in facts["not_counted"]
        ]
        names = [say(f"head.{name}") for name in ("round", "start_no", "name", "counts")]
        blocks.append(Block(say("sheet.not_counted"), table=Table(names, lost, frozenset({0, 1}))))
    return blocks


def _sheet_row(row: Facts, facts: Facts, say: Catalogue) -> list[str]:
    became = ""
    if row["pool_n"]:
        score = say.points(row["pool_w_c"])
        became = f"{say('counted.pool')}: {say('word.games', n=row['pool_n'])}, W = {score}"
        if row["outcome"] == "published":
            became += f"; {say('initial.title')} {row['ru']}"
    sums = [say.points(row["w_c"]), *(say.hundredths(row[name], scale=row["scale"]) for name in ("we_c", "dr_c"))]
    cells = [row[name] for name in ("start_no", "player_id", "name", "reported_rating", "r", "n")]
    return [*map(_text, cells), *sums, _text(row["k"]), say.hundredths(row["change_c"], True, row["scale"]), became]


def _tournament(one: Facts, facts: Facts, say: Catalogue) -> Block:
    days = {name: _day(one[name], say) for name in ("start", "end")}
    name = one["name"] or one["tournament_id"]
    block = Block(say("event.title", name=name, tournament_id=one["tournament_id"], **days))
    block.lines.append(say("event.ratings", day=_day(one["list_in_force"], say), book=one["book"]))
    block.lines.append(say(f"event.{one['status']}"))
    games = [game for game in one["games"] if game["reason"] != "outside_part"]
    heads = ("round", "colour", "opponent", "r", "r_opp", "d", "pd", "score", "dr", "counts")
    rows = [_game(game, facts, say) for game in games]
    table = Table([say(f"head.{name}") for name in heads], rows, frozenset({0, 3, 4, 5, 6, 7, 8}))
    block = Block(block.title, block.lines, table)
    limited = sorted({(game["d_true"], game["d"]) for game in games if game["d"] != game["d_true"]})
    clause = _clause("game.max_difference", facts)
    block.after.extend(say("event.limited", d_true=t, d=d, limit=abs(d), clause=clause) for t, d in limited)
    if one["sum"]:
        block.after.append(_sum("event.sum", one["sum"], say))
    return block


def _game(game: Facts, facts: Facts, say: Catalogue) -> list[str]:
    colour = say.get("word", game["colour"]) if game["colour"] else ""
    opponent = game["opponent_name"] or game["opponent_id"] or say("word.nobody")
    if game["outcome"] == "none":
        counts = _reason(game["reason"], facts, say)
    else:
        counts = _reason(game["reason"], facts, say) if game["reason"] else say(f"counted.{game['outcome']}")
    score = say.points(game["score_c"]) if game["score_c"] is not None else game["result"]
    figures = [_text(game[name]) for name in ("r", "r_opp", "d_true")]
    scale = game["scale"]
    chances = [say.hundredths(game["pd_c"], scale=scale), score, say.hundredths(game["dr_c"], True, scale)]
    return [_text(game["round"]), colour, str(opponent), *figures, *chances, counts]


def _change(facts: Facts, say: Catalogue) -> Block | None:
    change = facts["change"]
    if not change:
        return None
    reduced = change["k"] != change["k_base"]
    games = say("word.games", n=change["n"])
    rounding = (facts["rules"] or {}).get("period.rounding", {}).get("value")
    product = "change.product_by_event" if rounding == "tournament" else "change.product"
    k = {"k": change["k"], "k_base": change["k_base"], "clause": _row(change["k_clause"], say), "games": games}
    figures = {name: say.hundredths(change[f"{name}_c"], True, change["scale"]) for name in ("dr", "change")}
    figures["change_c"] = figures.pop("change")
    moved = f"{change['change']:+d}"
    clause = _clause("period.rounding", facts)
    return Block(
        say("change.title"),
        [
            _sum("change.sum", change, say),
            say("change.k_reduced" if reduced else "change.k", **k),
            say(product, k=change["k"], **figures, change=moved, clause=clause),
            say("change.result", ro=change["ro"], change=moved, rn=change["rn"]),
        ],
    )


def _initial(facts: Facts, say: Catalogue) -> Block | None:
    first = facts["initial"]
    if not first:
        return None
    rules = facts["rules"] or {}
    games, kind = say("word.games", n=first["n"]), _clause("initial.kind", facts)
    lines = [say("initial.games", games=games, w=say.points(first["w_c"]), clause=kind)]
    if first["ra_c"] is not None:
        figures = {"ra": say.hundredths(first["ra_c"]), "p": say.hundredths(first["p_c"]), "dp": f"{first['dp']:+d}"}
        draws = _value("initial.draws", rules)
        key = "initial.added" if draws else "initial.performance"
        against = _value("initial.draws_against", rules)
        lines.append(say(key, **figures, draws=draws, against=against, clause=kind))
        limit = _value("initial.max_rating", rules)
        key = "initial.capped" if first["ru"] == limit else "initial.result"
        lines.append(say(key, limit=limit, ru=first["ru"]))
    behind = {
        "too_few_games": "initial.min_games",
        "below_floor": "initial.min_rating",
        "no_score": "initial.void_event",
    }
    key = behind.get(first["outcome"], "")
    needed = _value(key, rules) if key in rules else "-"
    lines.append(say(f"initial.{first['outcome']}", ru=first["ru"], needed=needed, clause=_clause(key, facts)))
    return Block(say("initial.title"), lines)


def _pool(facts: Facts, say: Catalogue) -> Block | None:
    if not facts["pool"]:
        return None
    heads = ("tournament", "round", "opponent", "r_opp", "score", "period", "expires", "became")
    rows = [
        (
            row["tournament_id"],
            _text(row["round"]),
            _text(row["opponent_name"] or row["opponent_id"]),
            _text(row["r_opp"]),
            say.points(row["score_c"]),
            row["period"],
            row["expires"],
            say(f"pool.{row['status']}"),
        )
        for row in facts["pool"]
    ]
    return Block(say("pool.title"), table=Table([say(f"head.{name}") for name in heads], rows, frozenset({1, 3, 4})))


def _ledger(facts: Facts, say: Catalogue) -> Block:
    if not facts["ledger"]:
        return Block(say("ledger.title"), [say("ledger.none")])
    nothing = say("word.unrated")
    rows = [
        (
            say(f"ledger.{row['entry']}"),
            _text(row["before"], nothing),
            f"{row['amount']:+d}",
            _text(row["after"], nothing),
            row["clause"],
            row["source"],
        )
        for row in facts["ledger"]
    ]
    heads = [say(f"head.{name}") for name in ("entry", "before", "amount", "after", "clause", "source")]
    return Block(say("ledger.title"), table=Table(heads, rows, frozenset({1, 2, 3})))


def _list(facts: Facts, say: Catalogue) -> Block:
    row = facts["list"]
    if not row:
        return Block(say("list.title"), [say("list.gone")])
    games = {"games": say("word.games", n=row["games"]), "total": row["games_total"]}
    key = "list.rated" if row["rating"] else "list.unrated"
    figures = {name: _text(row[name]) for name in ("rating", "k", "peak")}
    lines = [say(key, **games, **figures, clause=_row(row["k_clause"], say))]
    return Block(say("list.title"), lines if row["active"] else [*lines, say("list.inactive")])


def _sum(key: str, row: Facts, say: Catalogue) -> str:
    scale = row["scale"]
    sums = {"w": say.points(row["w_c"]), "we": say.hundredths(row["we_c"], scale=scale)}
    signed = {name: say.hundredths(row[f"{name}_c"], True, scale) for name in ("dr", "change")}
    return say(key, games=say("word.games", n=row["n"]), k=row["k"], **sums, **signed)


def _reason(reason: str, facts: Facts, say: Catalogue) -> str:
    clause = _clause(CLAUSE_OF.get(reason, ""), facts)
    return say.get("reason", reason) + (f" ({clause})" if clause != "-" else "")


def _clause(key: str, facts: Facts) -> str:
    """The clause of a value of the rule book; a dash where the text is silent or the book is not at hand."""
    return ((facts["rules"] or {}).get(key) or {}).get("clause") or "-"


def _row(clause: str | None, say: Catalogue) -> str:
    """Clause and row of the book that gave K, the row's name in the language where the catalogue has it."""
    number, _, name = (clause or "-").partition(" ")
    return f"{number} {say.get('k_row', name)}" if name else number


def _value(key: str, rules: Facts) -> object:
    return (rules.get(key) or {}).get("value")


def _type(facts: Facts, say: Catalogue) -> str:
    return say.get("word", facts["rating_type"])


def _named(who: Facts) -> dict[str, object]:
    return {"name": who["name"] or who["player_id"], "player_id": who["player_id"]}


def _day(text: str, say: Catalogue) -> str:
    return say.day(dt.date.fromisoformat(text))


def _text(value: object, nothing: str = "-") -> str:
    return nothing if value is None else str(value)
