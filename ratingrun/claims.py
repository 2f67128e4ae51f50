"""Claims: what a replay changes against the published lists, who, and along which games it reached each player.

Every difference comes from somewhere: other games in a report, another rule, or, through a rating, from another player
or from the player's own list of before. The path follows these links back to their source; each leads to an older
list, so it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ratingrun import diff, findings, frames, periods, recorded, run_folder
from ratingrun.formats import typed

STATE = ("rating", "k", "games_total", "peak", "last_played", "active")
WRITTEN = ("rating", "k", "games_total", "peak", "last_played")  # what corrections.csv can put right
READ = (*diff.READ, "pool", "rating_list", "tournaments")
GAME = ["player_id", "opponent_id", "tournament_id", "round", "cause", "r_opp_a", "r_opp_b"]


@dataclass(frozen=True)
class Link:
    """Why a player differs in a month: `kind` report, rules, correction, other (sources), opponent, base (links)."""

    kind: str
    period: str
    tournament: str = ""
    round: int = 0
    other: str = ""  # the opponent, or the rule books
    before: object = None  # the rating that was published
    after: object = None  # the one of the replay
    older: tuple[str, str] | None = None  # (player, period) that it leads to


@dataclass(frozen=True)
class Claim:
    """A player whose rating on the last list differs: published, replayed, since when, and the path."""

    player_id: str
    name: str
    old: int | None
    new: int | None
    since: str
    path: tuple[Link, ...]


@dataclass(frozen=True)
class _Month:
    """What differs in one month: the players, their links, and both lists."""

    differs: frozenset[str]
    games: Mapping[str, pd.DataFrame]
    ratings: tuple[pd.Series, pd.Series]
    corrected: frozenset[str]
    ruled: Mapping[str, str]
    rules: str  # the rule books that only the replay has


def build(
    published: Path, replayed: Path, first: str, last: str, rating_type: str
) -> tuple[list[Claim], pd.DataFrame, pd.DataFrame]:
    """The claims on the last list, the rows of corrections.csv for the next run, and findings of reading.

    Months without a published list are left out: there is nothing to compare.
    """
    months, found, lists = {}, [], None
    for place in run_folder.everything(replayed):
        if place.rating_type != rating_type or not first <= place.period <= last:
            continue
        other = run_folder.newest(published, place.period, rating_type)
        if other is None:
            continue
        a, news_a = _read(other)
        b, news_b = _read(place.path)
        found += [news_a, news_b]
        if not len(findings.stops(findings.join([news_a, news_b]))):
            months[place.period] = _month(a, b, _rules(other, place.path))
            lists = place.period, a["rating_list"], b["rating_list"]
    if lists is None:
        return [], frames.CORRECTIONS.empty(), findings.join(found)
    period, a, b = lists
    return _claims(months, period, a, b), _corrections(period, a, b, rating_type, replayed.name), findings.join(found)


def _read(path: Path) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    folder, found = recorded.open_folder(path)
    data, parts = {}, [found]
    for name in READ:
        frame = frames.ALL[name]
        data[name] = frame.empty()
        if folder and f"{name}.parquet" in folder.manifest["files"]:
            data[name], news = folder.frame(frame)
            parts.append(news)
    return data, findings.join(parts)


def _rules(a: Path, b: Path) -> str:
    """In what the rules of the second run differ from those of the first, as text."""
    changes = recorded.other_rules(*(recorded.open_folder(path)[0] for path in (a, b)))
    return ", ".join(f"{key} {before} -> {after}" for key, before, after in changes)


def _month(a: Mapping[str, pd.DataFrame], b: Mapping[str, pd.DataFrame], rules: str) -> _Month:
    sides = diff.unequal_sides(a, b)
    if len(sides):
        starts = b["tournaments"][["tournament_id", "part", "list_in_force"]]
        sides = sides.merge(starts, on=["tournament_id", "part"], how="left")
    ruled = sides[sides["cause"] == "rule"].drop_duplicates("player_id").set_index("player_id")["tournament_id"]
    return _Month(
        differs=frozenset(_differing(a["rating_list"], b["rating_list"]) | _pooled(a["pool"], b["pool"])),
        games=dict(iter(sides.groupby("player_id"))),
        ratings=tuple(one["rating_list"].set_index("player_id")["rating"] for one in (a, b)),
        corrected=frozenset(diff.other_entries(a["trail"], b["trail"], ("correction", "one_off", "seed", "merge"))),
        ruled=ruled.to_dict(),
        rules=rules,
    )


def _differing(a: pd.DataFrame, b: pd.DataFrame) -> set[str]:
    """The players whose state differs between two lists."""
    rows = a[["player_id", *STATE]].merge(
        b[["player_id", *STATE]], on="player_id", how="outer", suffixes=("_a", "_b"), indicator="side"
    )
    unlike = (rows["side"] != "both").to_numpy() | diff.any_unequal(rows, *STATE).to_numpy(bool)
    return set(rows.loc[unlike, "player_id"])


def _pooled(a: pd.DataFrame, b: pd.DataFrame) -> set[str]:
    """The players whose pooled games differ."""
    key = ["player_id", "tournament_id", "part", "round"]
    rows = diff.side_by_side(a, b, key)
    unlike = (rows["side"] != "both").to_numpy() | diff.any_unequal(rows, "r_opp", "score_c", "status").to_numpy(bool)
    return set(rows.loc[unlike, "player_id"])


def _claims(months: Mapping[str, _Month], last: str, a: pd.DataFrame, b: pd.DataFrame) -> list[Claim]:
    rows = a[["player_id", "name", "rating"]].merge(
        b[["player_id", "name", "rating"]], on="player_id", how="outer", suffixes=("_a", "_b"), sort=True
    )
    rows = rows[diff.any_unequal(rows, "rating").to_numpy(bool)]
    claims = []
    for row in rows.itertuples():
        path = _path(months, row.player_id, last)
        old, new = (None if pd.isna(value) else int(value) for value in (row.rating_a, row.rating_b))
        name = row.name_a if pd.isna(row.name_b) else row.name_b
        claims.append(Claim(row.player_id, name, old, new, path[-1].period if path else last, tuple(path)))
    return claims


def _path(months: Mapping[str, _Month], player: str, period: str) -> list[Link]:
    """The links from a player's rating back to the source."""
    links: list[Link] = []
    node: tuple[str, str] | None = (player, period)
    while node:
        link = _link(months, *node)
        if link is None:
            break
        links.append(link)
        node = link.older
    return links


def _link(months: Mapping[str, _Month], player: str, period: str) -> Link | None:
    """Why the player differs in the month: a source if there is one, else another's rating, else his own before."""
    month = months.get(period)
    if month is None:
        return None
    games = month.games.get(player, pd.DataFrame(columns=[*GAME, "list_in_force"]))
    own = games[games["cause"] == "games"]
    if len(own):
        row = own.sort_values(["tournament_id", "round"]).iloc[0]
        return Link("report", period, row["tournament_id"], int(row["round"]))
    if player in month.corrected:
        return Link("correction", period)
    if player in month.ruled:
        return Link("rules", period, month.ruled[player], other=month.rules)
    for row in games[games["cause"] == "opponent"].sort_values(["tournament_id", "round"]).itertuples():
        before = periods.of_date(row.list_in_force.date())
        older = (row.opponent_id, before) if before in months else None
        return Link(
            "opponent", period, row.tournament_id, int(row.round), row.opponent_id, row.r_opp_a, row.r_opp_b, older
        )
    earlier = max((one for one in months if one < period), default=None)
    if earlier and player in months[earlier].differs:
        old, new = (ratings.get(player) for ratings in months[earlier].ratings)
        return Link("base", period, before=old, after=new, older=(player, earlier))
    if player not in month.differs:
        return None
    return Link("rules", period, other=month.rules) if month.rules else Link("other", period)


def _corrections(period: str, a: pd.DataFrame, b: pd.DataFrame, rating_type: str, name: str) -> pd.DataFrame:
    """corrections.csv rows that make the published list of `period` (for the players on it) what the replay gives."""
    rows = a.merge(b, on="player_id", suffixes=("_a", "_b"), validate="1:1")
    columns = {column.name: column for column in frames.RATING_LIST.columns}
    parts = []
    for field in WRITTEN:
        unlike = rows[diff.any_unequal(rows, field).to_numpy(bool)]
        if field == "peak":  # what was published once is a fact: a claim can only raise it
            unlike = unlike[(unlike["peak_b"] > unlike["peak_a"].fillna(0)).fillna(False).to_numpy(bool)]
        values = typed.written(columns[field], unlike[f"{field}_b"])
        parts.append(pd.DataFrame({"player_id": unlike["player_id"], "field": field, "value": values}))
    found = pd.concat(parts, ignore_index=True)
    return frames.CORRECTIONS.build(
        found.assign(
            rating_type=rating_type,
            list_date=pd.Timestamp(periods.list_date(period)),
            reason="claim, recomputed",
            source=f"replay {name}",
            line=0,
        )
    )


def merged(ours: pd.DataFrame, claimed: pd.DataFrame) -> pd.DataFrame:
    """The corrections that stand in corrections.csv and those of the claims, which come first."""
    both = pd.concat([claimed, ours]).drop_duplicates(list(frames.CORRECTIONS.key))
    return frames.CORRECTIONS.build(both)


def not_by_correction(claims: Sequence[Claim], published: Path | None) -> list[str]:
    """The players of the claims who are not on the published list, so that no correction can name them."""
    listed = set(_read(published)[0]["rating_list"]["player_id"]) if published else set()
    return [claim.player_id for claim in claims if claim.player_id not in listed]
