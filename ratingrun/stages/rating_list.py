"""rating_list: prior + players + changes + initials -> rating_list, trail. The next published list, and its ledger."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import coded, contract, findings, formulas, periods
from ratingrun.frames import RATING_LIST, TRAIL
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import OneOff
from ratingrun.stages import codes, lists, runs
from ratingrun.stages import players as players_stage


def build(
    published: pd.DataFrame,
    prior: pd.DataFrame,
    corrections: pd.DataFrame,
    facts: pd.DataFrame,
    people: tuple[pd.DataFrame, np.ndarray, pd.DataFrame],
    ids: pd.Series,
    place: np.ndarray,
    changes: pd.DataFrame,
    events: pd.DataFrame,
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
    the day of the new list; `people` the `candidates`; `ids` are all players of games and pool and
    `place` where they stand on `prior`, `who` in the other frames their positions; `entering` who comes with a rating
    of another list (`sides.seeds`). In order: correction, seed, change or first rating, one-off, floor, leaving the
    list; then counters, peak, activity and K of the new list. `was`, the row of `published`, stands beside the list.
    """
    roster, where, doubts = people
    found = [doubts]
    spot = _spots(roster, where, ids, place)
    steps = _Steps(roster["player_id"], _before(published, prior, roster, where), book)
    _correction_step(steps, roster, corrections)
    if entering is not None and len(entering):
        _seed_step(steps, entering, book)
    at, new = spot[changes["who"]], initials[(initials["outcome"] == "published").to_numpy(bool)]
    steps.add("change", at, changes["rn"].to_numpy("int64"), "8.3.4", _events(events, changes["who"]))
    at, used = spot[new["who"]], pool[(pool["status"] == "used").to_numpy(bool)]
    steps.add("initial", at, new["ru"].to_numpy("int64"), book.initial.clause, _events(used, new["who"]))
    if one_off is not None:
        found.append(_one_off_step(steps, one_off))
    roster["rating"] = _nullable(steps.rating)
    _count(roster, spot, changes, new, sides, book, period)
    floor = book.period.floor
    below = np.flatnonzero((steps.rating > 0) & (steps.rating < floor.value))
    found.append(findings.of("L301", roster.iloc[below], floor=floor.value))
    found.append(findings.rests_on(book, "period.after_floor", len(below)))
    steps.add("floor", below, np.zeros(len(below), "int64"), floor.clause)
    left = facts.loc[facts["status"].isin(players_stage.LEFT), "status"].reset_index()
    place = codes.place(left["player_id"], steps.ids)
    stays = np.ones(len(roster), bool)
    stays[place[place >= 0]] = False
    # Who came and left within the period without a rating was on no list: nothing to take away.
    roster["was"] = was = _was(published, prior, roster, where)
    there = (place >= 0) & ((was[place] >= 0) | (steps.rating[place] > 0))
    left, gone = left[there], place[there]
    found.append(findings.of("L302", roster.iloc[gone].assign(status=left["status"].array)))
    steps.add("removed", gone, np.zeros(len(gone), "int64"), "players.csv", left["status"])
    roster["rating"] = _nullable(steps.rating)
    final, doubts = _finish(roster if stays.all() else roster[stays], book, period)
    return RATING_LIST.build(final, keep=("was",)), steps.trail(), findings.join([*found, doubts])


def _spots(roster: pd.DataFrame, where: np.ndarray, ids: pd.Series, place: np.ndarray) -> np.ndarray:
    """Where the players stand in the roster: by their place on the prior list, the new ones looked up among the new."""
    spot = codes.at(where, place)
    fresh = np.ones(len(roster), bool)
    fresh[where] = False
    new, rest = np.flatnonzero(fresh), np.flatnonzero(spot < 0)
    spot[rest] = codes.at(new, codes.place(ids.take(rest), roster["player_id"].take(new)))
    return spot


def _was(published: pd.DataFrame, prior: pd.DataFrame, roster: pd.DataFrame, where: np.ndarray) -> np.ndarray:
    """The row of everybody on the published list, -1 for who is not on it."""
    was = np.full(len(roster), codes.NONE, "int64")
    was[_where(published, prior, roster, where)] = np.arange(len(published))
    return was


def _where(published: pd.DataFrame, prior: pd.DataFrame, roster: pd.DataFrame, where: np.ndarray) -> np.ndarray:
    """Where the rows of the published list stand in the roster; `where` says it of those of `prior`."""
    if published["player_id"].equals(prior["player_id"]):
        return where
    return codes.place(published["player_id"], roster["player_id"])


def _before(published: pd.DataFrame, prior: pd.DataFrame, roster: pd.DataFrame, where: np.ndarray) -> np.ndarray:
    """The published rating of everybody, 0 for none; `where` says where the rows of `prior` stand in the roster."""
    rating = np.zeros(len(roster), "int64")
    rating[_where(published, prior, roster, where)] = _whole(published["rating"])
    return rating


class _Steps:
    """The ratings of all players on their way (0: unrated), and the ledger entry of every step that touches one."""

    def __init__(self, ids: pd.Series, rating: np.ndarray, book: RuleBook):
        self.ids, self.rating, self.book = ids, rating, book
        self._entries: list[pd.DataFrame] = []

    def add(
        self,
        entry: str,
        at: np.ndarray,
        after: np.ndarray,
        clause: str,
        source: pd.Series | str = "",
        book: str | None = None,
    ) -> None:
        """Sets the rating of the players at these positions to `after` (0: unrated); amount = after - before.

        `source` is one text, or a text for each of them.
        """
        before = self.rating[at]
        rows = {
            "place": at,
            "entry": entry,
            "amount": after - before,
            "before": before,
            "after": after,
            "book": book or self.book.id,
            "clause": clause,
            "source": source if isinstance(source, str) else source.fillna("").array,
        }
        self._entries.append(pd.DataFrame(rows, index=range(len(at))))
        self.rating = self.rating.copy()
        self.rating[at] = after

    def touched(self, *entries: str) -> np.ndarray:
        """Whose rating came from these entries."""
        mask = np.zeros(len(self.ids), bool)
        for rows in self._entries:
            if len(rows) and rows["entry"].iloc[0] in entries:
                mask[rows["place"]] = True
        return mask

    def trail(self) -> pd.DataFrame:
        """The `trail`: all entries, numbered for each player in the order of the steps."""
        entries = pd.concat(self._entries, ignore_index=True).sort_values("place", kind="stable", ignore_index=True)
        place = entries["place"].to_numpy()
        first = np.flatnonzero(codes.heads(place))
        seq = np.arange(len(place)) - np.repeat(first, np.diff(np.append(first, len(place)))) + 1
        known = {name: _nullable(entries[name].to_numpy()) for name in ("before", "after")}
        return TRAIL.build(entries.assign(player_id=codes.take(self.ids, place), seq=seq, **known))


def _nullable(values: np.ndarray) -> pd.arrays.IntegerArray:
    """Whole numbers, null where they are 0."""
    return pd.arrays.IntegerArray(values, values == 0)


def _whole(values: pd.Series) -> np.ndarray:
    """Whole numbers, 0 where they are null."""
    return values.to_numpy("int64", na_value=0)


def candidates(
    prior: pd.DataFrame, facts: pd.DataFrame, newcomers: pd.DataFrame
) -> tuple[pd.DataFrame, np.ndarray, pd.DataFrame]:
    """Everybody who can be on the new list, by id, with the facts of today: the prior list (corrected), new players,
    `newcomers`, who play and are on no list yet. Where the rows of the prior list stand in it. And L201.
    """
    told = facts.reset_index()
    on_list, plays = (codes.isin(told["player_id"], one["player_id"]) for one in (prior, newcomers))
    here = on_list | plays
    unknown = told[~here & ~told["status"].isin(players_stage.LEFT)]
    nameless = unknown["name"].isna() | unknown["federation"].isna()
    missing = np.where(unknown["name"].isna(), "name", "federation")
    found = findings.of("L201", unknown[nameless].assign(missing=missing[nameless]), file="players.csv")
    new = pd.concat([unknown[~nameless], newcomers], ignore_index=True).reindex(columns=RATING_LIST.names)
    new = new.assign(games=0, games_total=0, active=False)
    rows, where = _together(prior, new)
    place = codes.place(told["player_id"], rows["player_id"])
    touched, told = place[place >= 0], told[place >= 0]
    for name in players_stage.FACTS:
        if name in rows and told[name].notna().any():
            before = coded.plain(rows[name].iloc[touched])
            rows[name] = coded.put(rows[name], touched, told[name].set_axis(touched).fillna(before))
    return rows, where, found


def _together(prior: pd.DataFrame, new: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """The rows of both, by player id; and where the rows of the prior list stand now."""
    prior, new = (contract.typed(RATING_LIST.columns, part[RATING_LIST.names]) for part in (prior, new))
    new = new.sort_values("player_id", kind="stable")
    both = {name: coded.joined([prior[name], new[name]]) for name in RATING_LIST.names} if len(new) else None
    together = pd.DataFrame(both, copy=False) if both else prior.reset_index(drop=True)
    if contract.repeats(prior, ["player_id"]) is None:
        order = together["player_id"].argsort(kind="stable").to_numpy()
    else:
        at = codes.insertion(new["player_id"], prior["player_id"])
        order = np.insert(np.arange(len(prior)), at, len(prior) + np.arange(len(new)))
    if (order[1:] > order[:-1]).all():
        return together, order[: len(prior)]
    where = np.empty(len(order), "int64")
    where[order] = np.arange(len(order))
    return together.take(order).reset_index(drop=True), where[: len(prior)]


def _seed_step(steps: _Steps, entering: pd.DataFrame, book: RuleBook) -> None:
    """Who has no rating on this list enters with that of the other list in force at the start of the first event."""
    source = book.seed.rating_type.value + " rating at the start, " + entering["start"].dt.strftime("%Y-%m-%d")
    steps.add(
        "seed",
        *_values(entering, "rating", steps.ids),
        book.seed.clause,
        source + ", of " + entering["tournament_id"],
    )


def _one_off_step(steps: _Steps, one_off: OneOff) -> pd.DataFrame:
    """Moves the ratings that the one-off touches, first ratings only if it says so; L304 and B301 notes."""
    rules = one_off.transform
    mask = (steps.rating > 0) & (steps.rating < rules.below.value)
    first = steps.touched("initial", "seed")
    if rules.first_ratings.value == "not_applied":
        mask &= ~first
    at = np.flatnonzero(mask)
    moved = formulas.moved_towards(steps.rating[at], rules.below.value, rules.share.value)
    steps.add("one_off", at, moved, rules.clause, one_off.title, one_off.id)
    return findings.join(
        [
            findings.of("L304", count=len(at), one_off=one_off.id),
            findings.rests_on(one_off, "transform.when", len(at)),
            findings.rests_on(one_off, "transform.first_ratings", first.sum()),
        ]
    )


def _correction_step(steps: _Steps, roster: pd.DataFrame, corrections: pd.DataFrame) -> None:
    ratings = corrections[corrections["field"] == "rating"]
    at = codes.place(ratings["player_id"], steps.ids)
    # Of a player who was two, one entry: what came of the corrections of both.
    once = (at >= 0) & ~pd.Series(at).duplicated().to_numpy()
    ratings, at = ratings[once], at[once]
    source = (
        "corrections.csv:" + ratings["line"].astype("str") + " " + ratings["reason"] + " (" + ratings["source"] + ")"
    )
    steps.add("correction", at, _whole(roster["rating"])[at], "corrections.csv", source)


def _values(frame: pd.DataFrame, column: str, ids: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Where the players of a frame stand among `ids`, and their values."""
    return codes.place(frame["player_id"], ids), frame[column].to_numpy("int64")


def _events(games: pd.DataFrame, players: pd.Series) -> pd.Series:
    """The tournaments of rows (`who`, tournament_id, start), by first day and id, as one text for each of `players`."""
    who, start = games["who"].to_numpy(), games["start"].to_numpy("datetime64[D]").astype("int64")
    event, names = codes.encode(games["tournament_id"])
    _, first = codes.first(codes.joint((who,), (event,))[0])
    who, event = who[first], event[first]
    order = np.lexsort((event, start[first], who))
    heads = codes.heads(who[order])
    sizes = np.diff(np.append(np.flatnonzero(heads), len(order)))
    texts = runs.joined(codes.take(names, event[order]), sizes, ", ")
    return codes.take(texts, codes.find(players.to_numpy(), who[order[heads]]))


def _count(
    roster: pd.DataFrame,
    spot: np.ndarray,
    changes: pd.DataFrame,
    new: pd.DataFrame,
    sides: pd.DataFrame,
    book: RuleBook,
    period: str,
) -> None:
    """Sets games, games_total, peak and last_played; the rating is the one before the floor."""
    rated, first = np.zeros(len(roster), "int64"), np.zeros(len(roster), "int64")
    for games, frame in ((rated, changes), (first, new)):
        games[spot[frame["who"]]] = frame["n"].to_numpy("int64")
    roster["games"] = rated + first
    counted = first if book.k_order.games_counted.value == "with_first_rating" else 0
    roster["games_total"] = roster["games_total"].to_numpy() + rated + counted
    rating, peak = _whole(roster["rating"]), _whole(roster["peak"])
    roster["peak"] = _nullable(np.maximum(peak, np.where(rating >= book.period.floor.value, rating, 0)))
    counted = (sides["outcome"] != "none").to_numpy(bool)
    played = np.bincount(sides["who"].to_numpy()[counted], minlength=len(spot)) > 0
    last = roster["last_played"].to_numpy().copy()
    last[spot[played & (spot >= 0)]] = np.datetime64(periods.list_date(period))  # who left before is nowhere
    roster["last_played"] = last


def _finish(roster: pd.DataFrame, book: RuleBook, period: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    rules = book.period
    oldest = periods.list_date(periods.shift(period, (1 - rules.inactive_after.value) * rules.months.value))
    active = (roster["last_played"] >= pd.Timestamp(oldest)).to_numpy()
    turned = (active != roster["active"].to_numpy()) & roster["rating"].notna().to_numpy()
    roster = roster.assign(active=active)
    k, doubts = lists.published_k(roster, book, periods.list_date(period))
    games, total = roster["games"].to_numpy(), roster["games_total"].to_numpy()
    newly = (games > 0) & roster["peak"].notna().to_numpy() & (games == total)
    found = [
        doubts,
        findings.rests_on(book, "period.inactive_after", turned.sum()),
        findings.rests_on(book, "k_order.games_counted", newly.sum()),
    ]
    return roster.assign(k=k["k"], k_clause=k["k_clause"]), findings.join(found)
