"""What the first page says: the month's numbers as words, rows and pictures of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
from markupsafe import Markup

from ratingrun import findings, summary
from ratingrun.site import counts, groups, inflation, numbers, plots, tops
from ratingrun.site.month import Source
from ratingrun.texts import Catalogue

MOST = 200  # rows of a list on this page, at most
TALL = 0.28  # inches of a picture for each group in it
Context = dict[str, object]


@dataclass(frozen=True)
class Teller:
    """The source with its language: numbers and words."""

    source: Source
    people: pd.DataFrame
    say: Catalogue

    def n(self, value: int) -> str:
        return numbers.count(value, self.say)

    def signed(self, value: int) -> str:
        return numbers.signed(value, self.say)

    def mean(self, value: float | None, digits: int = 1, sign: bool = False) -> str:
        return numbers.decimal(value, self.say, digits, sign)


def context(source: Source, people: pd.DataFrame, say: Catalogue, juniors: int | None, seniors: int) -> Context:
    """Everything that the template of the first page asks for. An adopted list has no games: those parts are empty."""
    tell = Teller(source, people, say)
    games = bool(len(source.rows("tournaments")) or len(source.rows("changes")))
    rows = groups.moved(source, people)
    found: Context = {
        "tiles": _tiles(tell) if games else None,
        "came": _came(tell) if games else None,
        "pictures": _pictures(tell),
        "moved": _moved(tell, rows) if len(rows) else None,
        "drift": _drift(tell, rows) if len(rows) else None,
        "fit": _fit(tell) if len(rows) else None,
        "movers": tops.movers(source),
        "tops": _tops(tell, juniors, seniors),
        "found": counts.found(source),
        "doubts": counts.doubts(source),
        "capped": counts.capped(source),
        "most": MOST,
        "number": tell.n,
        "signed": tell.signed,
    }
    return found | _listed(tell)


def _tiles(tell: Teller) -> list[Mapping[str, str]]:
    source, say = tell.source, tell.say
    games, (reports, _), listed = counts.games(source), counts.reports(source), summary.on_the_list(source.data)
    change = source.rows("changes")["change"]
    severity = source.findings["severity"].value_counts()
    graves = int(severity.get("error", 0) + severity.get("warning", 0))
    mean = tell.mean(float(change.mean()) if len(change) else 0.0, 2, True)
    told = [
        ("games", tell.n(games["rated"]), {"n": tell.n(games["reported"])}),
        ("events", tell.n(reports["used"]), {"n": tell.n(sum(reports.values()))}),
        ("played", tell.n(listed["played"]), {"n": tell.n(listed["rated"])}),
        ("first", tell.n(listed["first"]), {"n": tell.n(listed["pooled"])}),
        ("sum", tell.signed(int(change.sum())), {"mean": mean}),
        ("warnings", tell.n(graves), {"n": tell.n(int(severity.get("note", 0)))}),
    ]
    return [
        {"words": say(f"site.tile.{name}"), "number": number, "of": say(f"site.tile.{name}_of", **fields)}
        for name, number, fields in told
    ]


def _came(tell: Teller) -> Context:
    source, say = tell.source, tell.say
    by_status, others = counts.reports(source)
    cells, games, reasons = counts.cells(source), counts.games(source), counts.reasons(source)
    most = max((count for _, count in reasons), default=1)
    sums = {"cells": sum(cells.values()), **cells, "reported": games["reported"], "played": games["played"]}
    return {
        "sum": say("site.came.results_sum", **{k: tell.n(v) for k, v in sums.items()}, games=tell.n(games["rated"])),
        "reports": [(say(f"site.came.{name}"), tell.n(count)) for name, count in by_status.items() if count],
        "more": tell.n(len(others) - MOST) if len(others) > MOST else "",
        "others": [
            {**row, "days": f"{row['start']} – {row['end']}", "words": say(f"site.event.{row['status']}")}
            for row in others[:MOST]
        ],
        "reasons": [
            {"words": _bare(say.get("reason", reason)), "count": tell.n(count), "share": round(100 * count / most, 1)}
            for reason, count in reasons
        ],
    }


def _bare(reason: str) -> str:
    """A reason without the "no: " before it."""
    return reason.partition(": ")[2] or reason


def _listed(tell: Teller) -> Context:
    listed, comings, say = summary.on_the_list(tell.source.data), counts.comings(tell.source), tell.say
    return {
        "listed": [(say(f"site.list.{name}"), tell.n(count)) for name, count in listed.items()],
        "comings": [(say(f"site.list.{name}"), tell.n(count)) for name, count in comings.items()] if comings else None,
    }


def _pictures(tell: Teller) -> Context:
    source, say = tell.source, tell.say
    after = source.rows("rating_list")["rating"].dropna().to_numpy("int64")
    before = source.prior["rating"] if source.prior is not None else tell.people["before"]
    before = before.dropna().to_numpy("int64")
    words = {"before": say("site.pictures.before"), "after": say("site.pictures.after")}
    axes = {"x": say("site.pictures.rating"), "y": say("site.pictures.players")}
    alt = say(
        "site.pictures.ratings_alt",
        before=tell.n(len(before)),
        after=tell.n(len(after)),
        mean_before=tell.mean(before.mean() if len(before) else None),
        mean_after=tell.mean(after.mean() if len(after) else None),
    )
    found: Context = {
        "ratings": {"svg": _svg("ratings", plots.ratings(before, after, words | axes)), "alt": alt},
        "changes": None,
    }
    change = source.rows("changes")["change"].to_numpy("int64")
    if len(change):
        axes = {"x": say("site.pictures.change"), "y": say("site.pictures.players")}
        found["changes"] = {"svg": _svg("changes", plots.changes(change, axes)), "alt": _changes_alt(tell, change)}
    return found


def _changes_alt(tell: Teller, change) -> str:
    moved = {"up": change > 0, "down": change < 0, "same": change == 0}
    return tell.say(
        "site.pictures.changes_alt",
        players=tell.n(len(change)),
        mean=tell.mean(float(change.mean()), 2, True),
        low=tell.signed(int(change.min())),
        high=tell.signed(int(change.max())),
        **{name: tell.n(int(mask.sum())) for name, mask in moved.items()},
    )


def _moved(tell: Teller, rows: pd.DataFrame) -> list[Context]:
    listed, say = _rated(tell.source), tell.say
    found = []
    for by in ("by_k", "by_sex", "by_age", "by_federation"):
        table = groups.table(rows, listed, by)
        labels = [_label(group.label, by, say) for group in table]
        title = say(f"site.moved.{by}")
        draw = plots.boxes(
            table,
            [f"{a} ({one.players})" for a, one in zip(labels, table, strict=True)],
            {"x": say("site.pictures.change")},
        )
        svg = _svg(by, draw, 0.6 + TALL * len(table))
        alt = say("site.moved.alt", by=title[0].lower() + title[1:])
        found.append({"title": title, "svg": svg, "alt": alt, "rows": _group_rows(tell, table, labels)})
    return found


def _rated(source: Source) -> pd.DataFrame:
    """The rated players of the new list with the labels of their groups."""
    rows = source.rows("rating_list").dropna(subset="rating")
    return groups.labelled(rows.assign(k_before=rows["k"], ro=rows["rating"]), source)


def _label(label: str, by: str, say: Catalogue) -> str:
    if label in (groups.UNKNOWN, groups.OTHERS):
        return say("site.unknown" if label == groups.UNKNOWN else "site.others")
    if by == "by_sex":
        return say(f"site.{label}")
    return f"K {label}" if by == "by_k" else findings.printable(label)


def _group_rows(tell: Teller, table: Sequence[groups.Group], labels: Sequence[str]) -> list[tuple[str, ...]]:
    return [
        (
            label,
            tell.n(one.listed),
            tell.mean(one.mean, 0),
            tell.n(one.players),
            tell.n(one.games),
            tell.signed(one.total),
            tell.mean(one.average, 2, True),
            tell.n(one.up),
            tell.n(one.down),
        )
        for one, label in zip(table, labels, strict=True)
    ]


def _drift(tell: Teller, rows: pd.DataFrame) -> Context:
    source, say = tell.source, tell.say
    ledger, means = inflation.ledger(source), inflation.means(source)
    lines = [(say("site.drift.before"), "", tell.n(ledger.before))]
    lines += [(say(f"ledger.{entry}"), tell.n(count), tell.signed(points)) for entry, count, points in ledger.entries]
    lines.append((say("site.drift.after"), "", tell.n(ledger.after)))
    said = {name: tell.mean(value) for name, value in means.items()}
    fields = {"before": said["before_all"], "after": said["after_all"]}
    fields |= {name: said[name] for name in ("before_active", "after_active")}
    bands = groups.table(rows, _rated(source), "by_band")
    axes = {"x": say("site.drift.band"), "y": say("site.drift.average")}
    change = rows["change"]
    players = {"total": tell.signed(int(change.sum())), "mean": tell.mean(float(change.mean()), 2, True)}
    return {
        "ledger": lines,
        "changes": say("site.drift.changes", **players, players=tell.n(len(change))),
        "means": say("site.drift.means" if source.prior is not None else "site.drift.mean_after", **fields),
        "svg": _svg("bands", plots.bands(bands, axes)),
        "alt": say("site.drift.bands_alt", width=groups.BAND),
        "rows": _group_rows(tell, bands, [_label(one.label, "by_band", say) for one in bands]),
    }


def _fit(tell: Teller) -> Context | None:
    say, games = tell.say, inflation.games(tell.source)
    whole, bands = inflation.whole(games), inflation.gaps(games)
    if whole is None:
        return None
    words = {name: say(f"site.fit.{name}") for name in ("expected", "actual")}
    words["few"] = say("site.fit.fewer", enough=inflation.ENOUGH)
    axes = {"x": say("site.fit.gap"), "y": say("site.fit.score")}
    judged = [gap for gap in bands if gap.away is not None]
    outside = sum(gap.outside for gap in judged)
    said = {"actual": tell.mean(whole.actual * 100), "expected": tell.mean(whole.expected * 100)}
    return {
        "whole": say("site.fit.whole", n=tell.n(whole.games), **said),
        "verdict": say(f"site.fit.whole_{_verdict(whole)}"),
        "bands": say("site.fit.bands", judged=len(judged), enough=inflation.ENOUGH, outside=outside) if judged else "",
        "svg": _svg("gaps", plots.gaps(bands, inflation.SURE, words | axes)),
        "rows": [_gap_row(tell, gap) for gap in bands],
    }


def _verdict(whole: inflation.Gap) -> str:
    if whole.away is None:
        return "few"
    return ("more" if whole.away > 0 else "less") if whole.outside else "chance"


def _gap_row(tell: Teller, gap: inflation.Gap) -> tuple[str, ...]:
    label = f"{gap.low}–{gap.high}" if gap.high is not None else tell.say("site.fit.over", low=gap.low)
    away = "few" if gap.away is None else "yes" if gap.outside else "no"
    shares = (tell.mean(gap.expected * 100), tell.mean(gap.actual * 100))
    difference = tell.mean((gap.actual - gap.expected) * 100, sign=True)
    return (label, tell.n(gap.games), *shares, difference, tell.say(f"site.fit.{away}"))


def _tops(tell: Teller, juniors: int | None, seniors: int) -> list[Context]:
    found = tops.lists(tell.source, tell.people, juniors, seniors)
    return [{"title": tell.say(f"site.top.{name}", year=year), "rows": rows} for name, (year, rows) in found.items()]


def _svg(name: str, draw: Callable[[object], None], height: float = plots.SIZE[1]) -> Markup:
    """A picture as markup: what matplotlib wrote, with every text in it escaped by matplotlib."""
    return Markup(plots.picture(name, draw, height))
