"""summary.txt of a US Chess run: what came in, what became of it, the list, what was rated again, findings."""

from __future__ import annotations

import pandas as pd

from ratingrun import periods, summary
from ratingrun.frames import POOLS
from ratingrun.uschess.month import Month


def text(month: Month, status: str, rating_type: str) -> str:
    """The summary of a month."""
    day = periods.list_date(month.period)
    title = f"US Chess rating list of {day.day} {day:%B %Y}"
    if status == "provisional":
        title += " - PROVISIONAL, not published"
    blocks = [[title, "=" * len(title), f"Rules: {month.book.title}"]]
    if month.frames:
        blocks += [_sections(month), _cells(month), _list(month), _again(month), _movers(month)]
    blocks += [summary.findings_block(month), summary.doubts_block(month)]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _sections(month: Month) -> list[str]:
    rows = month.frames["us_sections"]
    counts = rows["status"].value_counts().sort_index()
    said = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items()) or "none"
    lines = [f"Sections: {said}; rated from {month.checkpoint} on"]
    others = rows[(rows["status"] != "used") | ~rows["why"].isin(["new", "again"])]
    lines += summary.table(
        (row.status.replace("_", " "), row.why, row.tournament_id, row.part, row.file) for row in others.itertuples()
    )
    return lines


def _cells(month: Month) -> list[str]:
    cells, games = month.frames["cells"], month.frames["games"]
    outcome = cells["outcome"].value_counts()
    reasons = summary.reasons(month.frames)
    return [
        f"Games reported: {int(games['black_no'].notna().sum())}, played {int(games['played'].sum())}",
        f"Cells reported: {len(cells)} = rated {outcome.get('rated', 0)} + not rated {outcome.get('none', 0)}",
        *summary.table((reason.replace("_", " "), count) for reason, count in reasons.items()),
    ]


def _list(month: Month) -> list[str]:
    rows = month.frames["us_list"]
    lines = [("pool", "players", "established", "played", "new")]
    for pool in POOLS:
        here = rows[rows["pool"] == pool]
        if len(here):
            played, new = int((here["games"] > 0).sum()), int(here["change"].isna().sum())
            lines.append((pool.replace("_", " "), len(here), int(here["established"].sum()), played, new))
    return ["The list", *summary.table(lines)]


def _again(month: Month) -> list[str]:
    rows = month.frames["us_rerated"]
    if not len(rows):
        return []
    moved = (rows["now"] - rows["was"]).abs()
    head = f"Rated again from {month.checkpoint}: {len(rows)} ratings of the list before differ (us_rerated)"
    most = rows.assign(moved=moved).sort_values(["moved", "player_id"], ascending=[False, True]).head(summary.SHOWN)
    return [head, *summary.table((row.player_id, row.pool.replace("_", " "), _points(row.was), "->", _points(row.now))
                                 for row in most.itertuples())]  # fmt: skip


def _points(value: float) -> str:
    return "unrated" if pd.isna(value) else f"{value:.2f}"


def _movers(month: Month) -> list[str]:
    rows = month.frames["us_list"]
    rows = rows[rows["change"].notna() & (rows["games"] > 0)]
    lines = []
    for title, sign in (("Biggest gains", 1), ("Biggest losses", -1)):
        some = rows[(rows["change"] * sign > 0).to_numpy(bool)]
        some = some.assign(size=some["change"] * sign).sort_values(
            ["size", "player_id", "pool"], ascending=[False, True, True], kind="stable"
        )
        shown = summary.table(
            (row.player_id, "" if pd.isna(row.name_) else row.name_, row.pool.replace("_", " "), f"{row.change:+d}",
             row.rating - row.change, "->", row.rating, f"{row.games} games")
            for row in some.rename(columns={"name": "name_"}).head(summary.SHOWN).itertuples()
        )  # fmt: skip
        if shown:
            lines += [title, *shown]
    return lines
