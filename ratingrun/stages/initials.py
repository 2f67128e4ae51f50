"""initials: pooled sides + pool -> initials, pool. Unrated players: Ra, p, dp, Ru; published or carried on (8.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import findings, formulas, periods
from ratingrun.frames import INITIALS, POOL
from ratingrun.rulebooks import RuleBook
from ratingrun.stages.reports import KEY

STATE = ("carried", "zero_event")  # rows of a pool that the next list reads


def build(
    sides: pd.DataFrame, pool: pd.DataFrame, prior: pd.DataFrame, left: pd.Index, book: RuleBook, period: str
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`initials`, the new `pool`, and findings I301 to I305.

    `pool` is the pool of the list just before; `left` are the ids that leave the list. A first event without a score
    stays in the pool, marked, so that it stays the first.
    """
    rows = _gather(sides, pool, book, period)
    rows["status"] = "carried"
    gone = rows["player_id"].isin(left) | rows["player_id"].isin(prior.loc[prior["rating"].notna(), "player_id"])
    rows["status"] = rows["status"].mask(rows["expires"] < period, "expired").mask(gone, "removed")
    alive = rows["status"] == "carried"
    zero = _zero_events(rows[alive], book.initial.zero_first_event.value)
    rows.loc[zero[zero].index, "status"] = "zero_event"
    initials, ties = _compute(rows[alive], book)
    published = initials.loc[initials["outcome"] == "published", "player_id"]
    first = rows["player_id"].isin(published) & (rows["status"] == "carried")
    rows["status"] = rows["status"].mask(first, "used")
    found = _notes(initials, rows, book)
    found += [findings.rests_on(book, key, count) for key, count in ties.items()]
    edge = rows["expires"].isin([periods.shift(period, -book.period.months.value), period])
    found.append(findings.rests_on(book, "initial.pool_periods", edge.sum()))
    zeros = rows[rows["status"] == "zero_event"]
    found.append(findings.rests_on(book, "initial.zero_first_event", zeros["player_id"].nunique()))
    return INITIALS.build(initials), POOL.build(rows), findings.join(found)


def _gather(sides: pd.DataFrame, pool: pd.DataFrame, book: RuleBook, period: str) -> pd.DataFrame:
    last = periods.shift(period, (book.initial.pool_periods.value - 1) * book.period.months.value)
    new = sides[sides["outcome"] == "pool"].assign(period=period, expires=last, status="carried")
    kept = pool[pool["status"].isin(STATE)]
    columns = [name for name in POOL.names if name != "status"]
    return pd.concat([kept[columns], new[columns]], ignore_index=True)


def _zero_events(rows: pd.DataFrame, which: str) -> pd.Series:
    """For each row, whether it is of a first event without a score, which is dropped (8.2.1).

    Events of a player in order of last day, first day and id; `first_only`: the first; `leading`: all up to the first
    event with a score.
    """
    event = ["player_id", "end", "start", *KEY]
    scores = rows.groupby(event, sort=True)["score_c"].sum().reset_index()
    if which == "first_only":
        scores["zero"] = (scores["score_c"] == 0) & ~scores.duplicated("player_id")
    else:
        scores["zero"] = scores.groupby("player_id")["score_c"].cumsum() == 0
    return rows[event].merge(scores, on=event, validate="m:1")["zero"].set_axis(rows.index)


def _compute(rows: pd.DataFrame, book: RuleBook) -> tuple[pd.DataFrame, dict[str, int]]:
    """One row a player with pooled games; and how many first ratings turned on a tie."""
    rules = book.initial
    counted = rows[rows["status"] != "zero_event"]
    sums = counted.groupby("player_id").agg(n=("score_c", "size"), w_c=("score_c", "sum"), r_sum=("r_opp", "sum"))
    sums = sums.reindex(np.sort(rows["player_id"].unique()), fill_value=0)
    n, w_c, r_sum = (sums[name].to_numpy("int64") for name in ("n", "w_c", "r_sum"))
    draws, against = rules.draws.value, rules.draws_against.value
    found = formulas.initial_rating(n, w_c, r_sum, draws, against, book.dp_by_p, rules.p_ties.value)
    ru = np.minimum(found["ru"], rules.max_rating.value)
    enough = n >= rules.min_games.value
    outcome = np.select(
        [n == 0, ~enough, ru < rules.min_rating.value], ["no_score", "too_few_games", "below_floor"], "published"
    )
    frame = pd.DataFrame({"player_id": sums.index, "n": n, "w_c": w_c, "outcome": outcome})
    for name, values in {**found, "ru": ru}.items():
        frame[name] = pd.arrays.IntegerArray(values.astype("int64"), ~enough)
    p_tie = 2 * (w_c + draws * formulas.POINT // 2) % (2 * (n + draws)) == n + draws
    ru_tie = 2 * (r_sum + draws * against) % (2 * (n + draws)) == n + draws
    return frame, {"initial.p_ties": (enough & p_tie).sum(), "initial.ru_ties": (enough & ru_tie).sum()}


def _notes(initials: pd.DataFrame, rows: pd.DataFrame, book: RuleBook) -> list[pd.DataFrame]:
    rules, outcome = book.initial, initials["outcome"]
    zero = rows[rows["status"] == "zero_event"].drop_duplicates(["player_id", *KEY])
    return [
        findings.of("I301", initials[outcome == "published"]),
        findings.of("I302", initials[outcome == "too_few_games"], needed=rules.min_games.value),
        findings.of("I303", initials[outcome == "below_floor"], floor=rules.min_rating.value),
        findings.of("I304", zero),
        findings.of("I305", rows[rows["status"] == "expired"]),
    ]
