"""A diff in words: blocks for `show`."""

from __future__ import annotations

import pandas as pd

from ratingrun import diff, recorded
from ratingrun.explain.words import Block, Table
from ratingrun.texts import Catalogue

SHOWN = 20


def blocks(rows: pd.DataFrame, a: diff.Source, b: diff.Source, say: Catalogue) -> list[Block]:
    """The counts, the bands by size, the causes (of two runs), the biggest differences."""
    counted = [(say(f"diff.{name}"), str(count)) for name, count in diff.counts(rows, a, b).items()]
    found = [Block(say("diff.title", a=a.label, b=b.label), table=Table(("", ""), counted, frozenset({1})))]
    bands = [(label, f"+{up}", f"-{down}") for label, up, down in diff.by_size(rows) if up or down]
    if bands:
        found.append(Block(say("diff.by_size"), table=Table(("", "", ""), bands, frozenset({0, 1, 2}))))
    causes = [(say(f"cause.{cause}"), str(count)) for cause, count in diff.by_cause(rows).items()]
    if causes:
        found.append(Block(say("diff.why"), table=Table(("", ""), causes, frozenset({1}))))
    rules = recorded.other_rules(a.folder, b.folder) if diff.comparable(a, b) else []
    if rules:
        changes = [(key, str(before), "->", str(after)) for key, before, after in rules]
        found.append(Block(say("diff.rules"), table=Table(("", "", "", ""), changes)))
    size = rows["change"].abs().fillna(-1)
    order = rows.assign(size=size).sort_values(["size", "player_id"], ascending=[False, True], kind="stable")
    order = order[(order["size"] > 0) | (order["presence"] != "both") | order["causes"].ne("")]
    if len(order):
        found.append(_biggest(order, say))
    return found


def _biggest(order: pd.DataFrame, say: Catalogue) -> Block:
    heads = [say(f"head.{name}") for name in ("player_id", "name", "before", "after", "change", "became")]
    shown = order.head(SHOWN).itertuples()
    nothing = say("word.unrated")
    rows = [
        (
            row.player_id,
            row.name,
            nothing if pd.isna(row.rating_a) else str(row.rating_a),
            nothing if pd.isna(row.rating_b) else str(row.rating_b),
            "" if pd.isna(row.change) else f"{row.change:+d}",
            _why(row, say),
        )
        for row in shown
    ]
    more = [say("diff.truncated", n=len(order) - SHOWN)] if len(order) > SHOWN else []
    return Block(say("diff.biggest"), table=Table(heads, rows, frozenset({2, 3, 4})), after=more)


def _why(row: object, say: Catalogue) -> str:
    words = [say(f"cause.{cause}") for cause in row.causes.split()]
    if row.presence != "both":
        words.insert(0, say(f"diff.{row.presence}"))
    return ", ".join(dict.fromkeys(words)) + (f" ({row.where})" if row.where else "")
