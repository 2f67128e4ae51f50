"""rating_list: prior + players + changes + initials -> rating_list, trail. The next published list, and its ledger."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import findings, formulas, periods
from ratingrun.frames import RATING_LIST, TRAIL
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import OneOff
from ratingrun.stages import lists, runs
from ratingrun.stages import players as players_stage


def build(
    published: pd.DataFrame,
    prior: pd.DataFrame,
    corrections: pd.DataFrame,
    facts: pd.DataFrame,
    newcomers: pd.DataFrame,
    changes: pd.DataFrame,
    initials: pd.DataFrame,
    pool: pd.DataFrame,
    sides: pd.DataFrame,
    book: RuleBook,
    period: str,
    entering: pd.DataFrame | None = None,
    one_off: OneOff | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`rating_list`, `trail`, and findings L201, L301, L302, L304.

    `published` is the list just before as published, `prior` the same with corrections; `facts` what `players` says on
    the day of the new list; `newcomers` who plays and is on no list yet; `entering` who comes with a rating of another
    list (`sides.seeds`). In order: correction, seed, change or first rating, one-off, floor, leaving the list; then
    counters, peak, activity and K of the new list.
    """
    roster, found = _roster(prior, facts, newcomers)
    steps = _Steps(roster["player_id"], book)
    old = pd.Series(published["rating"].array, index=published["player_id"]).reindex(steps.ids)
    steps.rating = old.array
    _correction_step(steps, roster, corrections)
    if entering is not None and len(entering):
        _seed_step(steps, entering, book)
    steps.add("change", *_aligned(changes, "rn", steps.ids), "8.3.4", _events(sides[sides["outcome"] == "rated"]))
    new = initials[initials["outcome"] == "published"]
    steps.add("initial", *_aligned(new, "ru", steps.ids), book.initial.clause, _events(pool[pool["status"] == "used"]))
    if one_off is not None:
        found.append(_one_off_step(steps, one_off))
    roster["rating"] = steps.rating
    _count(roster, changes, new, sides, book, period)
    floor = book.period.floor
    below = (roster["rating"] < floor.value).fillna(False).to_numpy(bool)
    found.append(findings.of("L301", roster[below], floor=floor.value))
    found.append(findings.rests_on(book, "period.after_floor", below.sum()))
    steps.add("floor", below, pd.array([pd.NA] * len(roster), "Int64"), floor.clause)
    gone = roster["player_id"].isin(facts.index[facts["status"].isin(players_stage.LEFT)]).to_numpy()
    status = roster["player_id"].map(facts["status"])
    found.append(findings.of("L302", roster[gone].assign(status=status[gone])))
    steps.add(
        "removed", gone, pd.array([pd.NA] * len(roster), "Int64"), "players.csv", status.set_axis(roster["player_id"])
    )
    roster["rating"] = steps.rating
    final, doubts = _finish(roster[~gone], book, period)
    return RATING_LIST.build(final), steps.trail(), findings.join([*found, doubts])


class _Steps:
    """The ratings of all players on their way, and the ledger entry of every step that touches one."""

    def __init__(self, ids: pd.Series, book: RuleBook):
        self.ids, self.book = pd.Index(ids), book
        self.rating = pd.array([pd.NA] * len(ids), "Int64")
        self._entries: list[pd.DataFrame] = []

    def add(
        self,
        entry: str,
        mask: np.ndarray,
        after: pd.Series,
        clause: str,
        source: pd.Series | str = "",
        book: str | None = None,
    ) -> None:
        """Sets the rating to `after` where `mask`; amount = after - before, unrated counting as 0.

        `source` is one text, or a text for each player id.
        """
        after = pd.array(after, "Int64")[mask]
        before = self.rating[mask]
        if isinstance(source, pd.Series):
            source = source.reindex(self.ids[mask]).fillna("").to_numpy()
        rows = {
            "player_id": self.ids[mask],
            "entry": entry,
            "amount": pd.Series(after).fillna(0).to_numpy("int64") - pd.Series(before).fillna(0).to_numpy("int64"),
            "before": before,
            "after": after,
            "book": book or self.book.id,
            "clause": clause,
            "source": source,
        }
        self._entries.append(pd.DataFrame(rows).assign(step=len(self._entries)))
        self.rating = self.rating.copy()
        self.rating[mask] = after

    def touched(self, *entries: str) -> np.ndarray:
        """Whose rating came from these entries."""
        ids = [
            ids for rows in self._entries if len(rows) and rows["entry"].iloc[0] in entries for ids in rows["player_id"]
        ]
        return self.ids.isin(ids)

    def trail(self) -> pd.DataFrame:
        """The `trail`: all entries, numbered for each player in the order of the steps."""
        entries = pd.concat(self._entries, ignore_index=True).sort_values(["player_id", "step"], kind="stable")
        entries["seq"] = entries.groupby("player_id").cumcount() + 1
        return TRAIL.build(entries)


def _roster(
    prior: pd.DataFrame, facts: pd.DataFrame, newcomers: pd.DataFrame
) -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    """Everybody who can be on the new list, with the facts of today: the prior list, new players, newcomers."""
    here = facts.index.isin(prior["player_id"]) | facts.index.isin(newcomers["player_id"])
    unknown = facts[~here & ~facts["status"].isin(players_stage.LEFT)]
    nameless = unknown["name"].isna() | unknown["federation"].isna()
    missing = np.where(unknown["name"].isna(), "name", "federation")
    found = findings.of("L201", unknown[nameless].assign(missing=missing[nameless]).reset_index(), file="players.csv")
    listed = unknown[~nameless].reset_index()
    new = pd.concat([listed, newcomers], ignore_index=True).reindex(columns=RATING_LIST.names)
    new = new.assign(games=0, games_total=0, active=False)
    parts = [part.astype({column.name: column.dtype for column in RATING_LIST.columns}) for part in (prior, new)]
    roster = pd.concat(parts, ignore_index=True)
    touched = np.flatnonzero(roster["player_id"].isin(facts.index))
    told = facts.reindex(roster["player_id"].iloc[touched])
    for name in players_stage.FACTS:
        if name in roster:
            column = roster[name].copy()
            values = pd.Series(told[name].array, index=touched)
            column.iloc[touched] = values.fillna(column.iloc[touched]).astype(column.dtype).array
            roster[name] = column
    return roster, [found]


def _seed_step(steps: _Steps, entering: pd.DataFrame, book: RuleBook) -> None:
    """Who has no rating on this list enters with that of the other list in force at the start of the first event."""
    source = book.seed.rating_type.value + " rating at the start, " + entering["start"].dt.strftime("%Y-%m-%d")
    source = source + ", of " + entering["tournament_id"]
    steps.add(
        "seed",
        *_aligned(entering, "rating", steps.ids),
        book.seed.clause,
        source.set_axis(entering["player_id"]),
    )


def _one_off_step(steps: _Steps, one_off: OneOff) -> pd.DataFrame:
    """Moves the ratings that the one-off touches, first ratings only if it says so; L304 and B301 notes."""
    rules = one_off.transform
    rating = pd.Series(steps.rating)
    mask = (rating < rules.below.value).fillna(False).to_numpy(bool)
    first = steps.touched("initial", "seed")
    if rules.first_ratings.value == "not_applied":
        mask &= ~first
    moved = formulas.moved_towards(rating.fillna(0).to_numpy("int64"), rules.below.value, rules.share.value)
    steps.add("one_off", mask, moved, rules.clause, one_off.title, one_off.id)
    return findings.join(
        [
            findings.of("L304", count=int(mask.sum()), one_off=one_off.id),
            findings.rests_on(one_off, "transform.when", mask.sum()),
            findings.rests_on(one_off, "transform.first_ratings", first.sum()),
        ]
    )


def _correction_step(steps: _Steps, roster: pd.DataFrame, corrections: pd.DataFrame) -> None:
    ratings = corrections[corrections["field"] == "rating"]
    source = (
        "corrections.csv:" + ratings["line"].astype("str") + " " + ratings["reason"] + " (" + ratings["source"] + ")"
    )
    mask = roster["player_id"].isin(ratings["player_id"]).to_numpy()
    steps.add("correction", mask, roster["rating"], "corrections.csv", source.set_axis(ratings["player_id"]))


def _aligned(frame: pd.DataFrame, column: str, ids: pd.Index) -> tuple[np.ndarray, pd.Series]:
    values = pd.Series(frame[column].array, index=frame["player_id"]).astype("Int64").reindex(ids)
    return values.notna().to_numpy(), values


def _events(games: pd.DataFrame) -> pd.Series:
    """The tournaments of each player's games, as one text."""
    rows = games.drop_duplicates(["player_id", "tournament_id"])
    return runs.joined(rows.sort_values(["player_id", "start", "tournament_id"]), ["player_id"], "tournament_id", ", ")


def _count(
    roster: pd.DataFrame,
    changes: pd.DataFrame,
    new: pd.DataFrame,
    sides: pd.DataFrame,
    book: RuleBook,
    period: str,
) -> None:
    """Sets games, games_total, peak and last_played; the rating is the one before the floor."""
    rated = pd.Series(changes["n"].array, index=changes["player_id"]).reindex(roster["player_id"], fill_value=0)
    first = pd.Series(new["n"].array, index=new["player_id"]).reindex(roster["player_id"], fill_value=0)
    rated, first = rated.to_numpy("int64"), first.to_numpy("int64")
    roster["games"] = rated + first
    counted = first if book.k_order.games_counted.value == "with_first_rating" else 0
    roster["games_total"] = roster["games_total"] + rated + counted
    rating, peak = (roster[name].fillna(0).to_numpy("int64") for name in ("rating", "peak"))
    highest = np.maximum(peak, np.where(rating >= book.period.floor.value, rating, 0))
    roster["peak"] = pd.arrays.IntegerArray(highest, highest == 0)
    played = roster["player_id"].isin(sides.loc[sides["outcome"] != "none", "player_id"])
    today = pd.Timestamp(periods.list_date(period))
    roster["last_played"] = roster["last_played"].mask(played, today).astype("datetime64[ms]")


def _finish(roster: pd.DataFrame, book: RuleBook, period: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    rules = book.period
    oldest = periods.list_date(periods.shift(period, (1 - rules.inactive_after.value) * rules.months.value))
    active = (roster["last_played"] >= pd.Timestamp(oldest)).to_numpy()
    turned = (active != roster["active"].to_numpy()) & roster["rating"].notna().to_numpy()
    roster = roster.assign(active=active)
    k, doubts = lists.published_k(roster, book, periods.list_date(period))
    newly = roster["games"].gt(0) & roster["peak"].notna() & (roster["games"] == roster["games_total"])
    found = [
        doubts,
        findings.rests_on(book, "period.inactive_after", turned.sum()),
        findings.rests_on(book, "k_order.games_counted", newly.sum()),
    ]
    return roster.assign(k=k["k"], k_clause=k["k_clause"]), findings.join(found)
