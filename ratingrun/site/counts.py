"""What happened in the month, in numbers: reports, games and why some are not rated, the list, findings, doubts."""

from __future__ import annotations

import string
from dataclasses import dataclass

import pandas as pd

from ratingrun import findings, plain, summary
from ratingrun.site.month import Source

EXAMPLES = 5  # findings shown of each code
# Fields of finding texts that repeat what somebody wrote: a cell may hold what no list publishes (a date of birth), a
# reason what is nobody's business. Of such findings only the kind and the number are shown.
QUOTED = {"value", "why", "what", "reported", "hint", "known", "readings", "status", "old", "new"}


@dataclass(frozen=True)
class Finding:
    """A kind of finding: code, severity, how often, what it says and asks for, examples where they may be shown."""

    code: str
    severity: str
    count: int
    kind: str
    examples: list[str]


def reports(source: Source) -> tuple[dict[str, int], list[dict[str, object]]]:
    """How many reports by status, and the parts that are not used."""
    rows = source.rows("tournaments")
    counts = {name: int((rows["status"] == name).sum()) for name in ("used", "waiting", "rejected", "too_late")}
    others = rows.loc[rows["status"] != "used", ["tournament_id", "part", "name", "start", "end", "status"]]
    return counts, plain.rows(others)


def cells(source: Source) -> dict[str, int]:
    """Reported cells by what became of them."""
    outcome = source.rows("cells")["outcome"].value_counts()
    return {name: int(outcome.get(name, 0)) for name in ("rated", "pool", "none")}


def comings(source: Source) -> dict[str, int] | None:
    """How many are new, returned, went inactive, left; None if the list before is not at hand."""
    if source.prior is None:
        return None
    now, before = (rows.set_index("player_id")["active"] for rows in (source.rows("rating_list"), source.prior))
    both = pd.concat({"now": now, "before": before}, axis=1)
    was, is_ = both["before"], both["now"]
    return {
        "new": int(was.isna().sum()),
        "returned": int((was.eq(False) & is_.eq(True)).sum()),
        "idle": int((was.eq(True) & is_.eq(False)).sum()),
        "dropped": int(is_.isna().sum()),
    }


def capped(source: Source) -> list[dict[str, object]]:
    """The players whose K the rule K x n reduced, most games first."""
    rows = source.rows("changes", "player_id", "n", "k_base", "k", "change")
    rows = rows[rows["k"] < rows["k_base"]]
    rows = rows.merge(source.rows("rating_list", "player_id", "name"), on="player_id", how="left")
    return plain.rows(rows.sort_values(["n", "player_id"], ascending=[False, True]))


def games(source: Source) -> dict[str, int]:
    """Games reported, played, rated, as the summary counts them."""
    return summary.games(source.data)


def reasons(source: Source) -> list[tuple[str, int]]:
    """Cells that are not rated, by reason, most first."""
    counted = summary.reasons(source.data).sort_values(ascending=False, kind="stable")
    return [(str(reason), int(count)) for reason, count in counted.items()]


def found(source: Source) -> list[Finding]:
    """The findings by code, gravest first; without the notes on the rule book, which `doubts` has."""
    rows = source.findings[source.findings["code"] != "B301"]
    kinds = []
    for code, same in rows.groupby("code", sort=True):
        said = findings.CATALOGUE.get(str(code))
        fields = {name for _, name, _, _ in string.Formatter().parse(said.template) if name} if said else QUOTED
        shown = [] if fields & QUOTED else [_place(row) for row in same.head(EXAMPLES).itertuples()]
        kind = said.template.format_map(_Dots()) if said else str(code)
        kinds.append(Finding(str(code), same["severity"].iloc[0], len(same), kind, shown))
    rank = {"error": 0, "warning": 1, "note": 2}
    return sorted(kinds, key=lambda kind: (rank[kind.severity], kind.code))


class _Dots(dict):
    """What stands in the place of a field: dots."""

    def __missing__(self, name: str) -> str:
        return "…"


def _place(row: object) -> str:
    where = f"{row.tournament_id}: " if isinstance(row.tournament_id, str) else ""
    return findings.printable(f"{where}{row.text}")


def doubts(source: Source) -> list[dict[str, object]]:
    """The rule-book values on which figures rest and which are silent or below confidence A, most figures first."""
    rows = source.folder.manifest.get("rests_on", [])
    return sorted(rows, key=lambda row: (-row["figures"], row["book"], row["key"]))
