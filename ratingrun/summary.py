"""summary.txt: what a person reads first after a run; on the screen too, fit to mail."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from ratingrun import coded, findings, periods
from ratingrun.pipeline import Month
from ratingrun.stages import codes

WIDTH = 72
DOUBT = "B301"
SHOWN = 5  # biggest gains and losses
COUNTED = {  # the words for what `on_the_list` counts
    "listed": "players on the list",
    "rated": "  of them rated",
    "active": "  of them rated and active",
    "changed": "rating changed",
    "played": "with rated games",
    "first": "first rating",
    "pooled": "games pooled for a first rating",
    "floor": "below the floor, now unrated",
    "left": "left the list",
    "corrected": "corrected",
    "k_reduced": "K reduced by K x n",
}


def text(month: Month, status: str, rating_type: str) -> str:
    """The summary of a month: what came in, what became of it, the list, findings, doubtful rule-book values."""
    day = periods.list_date(month.period)
    title = f"{rating_type.capitalize()} rating list of {day.day} {day:%B %Y}"
    if status == "provisional":
        title += " - PROVISIONAL, not published"
    blocks = [[title, "=" * len(title), f"Rules: {month.book.title}"]]
    if month.frames:
        blocks += [_reports(month), _cells(month), _list(month), _movers(month)]
    blocks += [findings_block(month), doubts_block(month)]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def table(rows: Iterable[tuple[object, ...]], gap: str = "  ") -> list[str]:
    """Rows as aligned lines: the first column to the left, numbers to the right."""
    cells = [[findings.printable(str(cell)) for cell in row] for row in rows]
    if not cells:
        return []
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    number = [all(row[column].lstrip("+-").isdigit() for row in cells) for column in range(len(cells[0]))]
    lines = []
    for row in cells:
        parts = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, number, strict=True)
        ]
        lines.append(("  " + gap.join(parts)).rstrip())
    return lines


def _reports(month: Month) -> list[str]:
    rows = month.frames["tournaments"]
    counts = rows["status"].value_counts().sort_index()
    said = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items()) or "none"
    lines = [f"Reports: {said}"]
    others = rows[rows["status"] != "used"]
    lines += table((row.status.replace("_", " "), row.tournament_id, row.file) for row in others.itertuples())
    return lines


def games(data: Mapping[str, pd.DataFrame]) -> dict[str, int]:
    """Games of a month: reported, played, rated for one side or both."""
    sides, rows = data["sides"], data["games"]
    pairs = rows["black_no"].notna()
    return {"reported": int(pairs.sum()), "played": int(rows["played"].sum()), "rated": _rated_games(sides)}


def _rated_games(sides: pd.DataFrame) -> int:
    """How many games are rated for one side or both: all but those that are rated for neither. These are few."""
    others = np.flatnonzero((sides["outcome"] != "rated").to_numpy(bool))
    players = coded.joined([sides[name].take(others) for name in ("player_id", "opponent_id")])
    tournament, player = (coded.coded(texts).array.codes for texts in (sides["tournament_id"].take(others), players))
    part, round_ = (sides[name].to_numpy()[others] for name in ("part", "round"))
    (game,) = codes.joint((tournament,), (part,), (round_,), (player.reshape(2, -1).min(axis=0),))
    return len(sides) // 2 - (len(game) - len(np.unique(game)))


def reasons(data: Mapping[str, pd.DataFrame]) -> pd.Series:
    """How many reported cells are not rated, by reason."""
    cells = data["cells"]
    none = cells["reason"].take(np.flatnonzero((cells["outcome"] == "none").to_numpy(bool)))
    return none.astype("str").value_counts().sort_index()


def on_the_list(data: Mapping[str, pd.DataFrame]) -> dict[str, int]:
    """The counts of a new list: who is on it, who moved, who left."""
    rows, changes, entries = data["rating_list"], data["changes"], data["trail"]["entry"].value_counts()
    rated = rows["rating"].notna()
    return {
        "listed": len(rows),
        "rated": int(rated.sum()),
        "active": int((rated & rows["active"]).sum()),
        "changed": int((changes["change"] != 0).sum()),
        "played": len(changes),
        "first": int((data["initials"]["outcome"] == "published").sum()),
        "pooled": int((data["pool"]["status"] == "carried").sum()),
        "floor": int(entries.get("floor", 0)),
        "left": int(entries.get("removed", 0)),
        "corrected": int(entries.get("correction", 0)),
        "k_reduced": int((changes["k"] < changes["k_base"]).sum()),
    }


def _cells(month: Month) -> list[str]:
    cells, counted = month.frames["cells"], games(month.frames)
    outcome = cells["outcome"].value_counts()
    return [
        f"Games reported: {counted['reported']}, played {counted['played']},"
        f" rated {counted['rated']} (for one side or both)",
        f"Cells reported: {len(cells)} = rated {outcome.get('rated', 0)} + pooled {outcome.get('pool', 0)}"
        f" + not rated {outcome.get('none', 0)}",
        *table((reason.replace("_", " "), count) for reason, count in reasons(month.frames).items()),
    ]


def _list(month: Month) -> list[str]:
    counted = on_the_list(month.frames)
    return ["The list", *table((words, counted[name]) for name, words in COUNTED.items())]


def _movers(month: Month) -> list[str]:
    """The biggest gains and losses of the players who are on the list."""
    listed, changes, trail = (month.frames[name] for name in ("rating_list", "changes", "trail"))
    changes = changes[~codes.isin(changes["player_id"], trail.loc[trail["entry"] == "removed", "player_id"])]
    lines = []
    for title, sign in (("Biggest gains", 1), ("Biggest losses", -1)):
        moved = changes[sign * changes["change"] > 0]  # in the order of the players
        rows = moved.take(np.argsort(-sign * moved["change"].to_numpy(), kind="stable")[:SHOWN])
        place = codes.insertion(rows["player_id"], listed["player_id"])
        names = listed["name"].take(place).to_numpy(object)
        movers = table(
            (row.player_id, row.name, f"{row.change:+d}", row.ro, "->", row.rn, f"{row.n} games")
            for row in rows.assign(name=names).itertuples()
        )
        if movers:
            lines += [title, *movers]
    return lines


def findings_block(month: Month) -> list[str]:
    rows = month.findings
    code, known = codes.encode(rows["code"])
    count, (_, first) = np.bincount(code, minlength=len(known)), codes.first(code)
    said = rows.take(first)[["code", "severity", "text"]].assign(count=count[code[first]]).sort_values("code")
    said = said[said["code"] != DOUBT]
    if not len(said):
        return ["Findings: none"]
    counted = table((row.code, row.severity, row.count, _short(row.text)) for row in said.itertuples(index=False))
    graves = rows[((rows["severity"] != "note") & (rows["code"] != DOUBT)).to_numpy(bool)].itertuples()
    return [
        "Findings by code, with the first of each (all of them: findings.csv)",
        *counted,
        *("  " + findings.line_of(row) for row in graves),
    ]


def _short(text: str) -> str:
    """The finding without its remedy, cut to the width of a line."""
    said = text.partition(";")[0]
    return said if len(said) <= WIDTH else said[: WIDTH - 3] + "..."


def doubts_block(month: Month) -> list[str]:
    rows = month.findings[month.findings["code"] == DOUBT]
    if not len(rows):
        return []
    title = "Rule-book values used on which the text is silent or the source is not first-hand"
    lines = (textwrap.wrap(line, 100, initial_indent="  ", subsequent_indent="    ") for line in rows["text"])
    return [title, *(part for line in lines for part in line)]


_RESTS_ON = re.compile(
    r"(?P<book>\S+): (?P<key>.+?) = (?P<value>\S+) \((?P<clause>.*), confidence (?P<confidence>[ABC])\);"
    r" figures that rest on it: (?P<figures>\d+); (?P<note>.*)"
)


def rests_on(found: pd.DataFrame) -> list[dict[str, object]]:
    """The rule-book values of the B301 notes, for the manifest: book, key, value, clause, confidence, figures, note."""
    said = [_RESTS_ON.fullmatch(text).groupdict() for text in found.loc[found["code"] == DOUBT, "text"]]
    return [{**one, "figures": int(one["figures"])} for one in said]


def lines_for_terminal(found: pd.DataFrame) -> list[str]:
    """Errors and warnings, one line each, for stderr."""
    return [findings.line_of(row) for row in found[found["severity"] != "note"].itertuples()]
