"""Claims in words: for each player old, new and the path from the source to him; and the same as rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ratingrun.claims import Claim, Link
from ratingrun.explain.words import Block
from ratingrun.texts import Catalogue

COLUMNS = ("player_id", "name", "published", "replayed", "change", "since", "source", "path")


def blocks(claims: Sequence[Claim], start: str, end: str, say: Catalogue, shown: int | None = None) -> list[Block]:
    """The report: a block a player, or that there is nothing to say. `shown` limits it for the terminal."""
    title = say("claims.title", start=start, end=end)
    if not claims:
        return [Block(title, [say("claims.none")])]
    order = sorted(claims, key=lambda claim: (-abs((claim.new or 0) - (claim.old or 0)), claim.player_id))
    nothing = say("word.unrated")
    found = [Block(title)]
    for claim in order[:shown]:
        old, new = (nothing if value is None else value for value in (claim.old, claim.new))
        head = say("claims.player", name=claim.name, player_id=claim.player_id, old=old, new=new)
        found.append(Block(head, [f"  {line}" for line in steps(claim.path, say)]))
    if shown and len(order) > shown:
        found[-1].after.append(say("diff.truncated", n=len(order) - shown))
    return found


def steps(path: Sequence[Link], say: Catalogue) -> list[str]:
    """The path in words, from the source to the player."""
    nothing = say("word.unrated")
    lines = []
    for link in reversed(path):
        before, after = (nothing if pd.isna(value) else value for value in (link.before, link.after))
        fields = {"month": link.period, "tournament": link.tournament, "opponent": link.other, "round": link.round}
        lines.append(say(f"claims.{link.kind}", **fields, rule=link.other, old=before, new=after))
    return lines


def rows(claims: Sequence[Claim], say: Catalogue) -> pd.DataFrame:
    """The same as a table (COLUMNS), by player."""
    data = [
        (
            claim.player_id,
            claim.name,
            claim.old,
            claim.new,
            None if None in (claim.old, claim.new) else claim.new - claim.old,
            claim.since,
            claim.path[-1].tournament or claim.path[-1].kind if claim.path else "",
            " > ".join(steps(claim.path, say)),
        )
        for claim in claims
    ]
    frame = pd.DataFrame(data, columns=list(COLUMNS))
    return frame.astype(dict.fromkeys(("published", "replayed", "change"), "Int64"))


def write_corrections(corrections: pd.DataFrame, path: Path) -> None:
    """corrections.csv as `run` reads it."""
    text = corrections.drop(columns="line").to_csv(index=False, date_format="%Y-%m-%d", lineterminator="\n")
    path.write_text(text, "utf-8", newline="\n")
