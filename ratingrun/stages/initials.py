"""initials: pooled sides + pool -> initials, pool. Unrated players: Ra, p, dp, Ru; published or carried on (8.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ratingrun import coded, findings, formulas, periods
from ratingrun.frames import INITIALS, POOL
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import HalfPoints, Initial
from ratingrun.stages import codes
from ratingrun.stages.reports import KEY

STATE = ("carried", "zero_event")  # rows of a pool that the next list reads


def build(
    sides: pd.DataFrame,
    pool: pd.DataFrame,
    ids: pd.Series,
    prior: pd.DataFrame,
    place: np.ndarray,
    left: pd.Index,
    book: RuleBook,
    period: str,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`initials`, the new `pool`, and findings I301 to I305.

    `pool` is the pool of the list just before; `ids` are all players of games and pool, `place` where they stand on
    `prior`; `left` are the ids that leave the list. A first event without a score stays in the pool, marked, so that it
    stays the first. `who`, the player's position in `ids`, stands beside both frames.
    """
    rows = _gather(sides, pool, book, period)
    rows["status"], rows["who"] = "carried", codes.place(rows["player_id"], ids)
    rated = np.append(prior["rating"].notna().to_numpy(), False)[place]
    gone = codes.isin(rows["player_id"], left) | rated[rows["who"]]
    rows["status"] = rows["status"].mask(rows["expires"] < period, "expired").mask(gone, "removed")
    alive = rows["status"] == "carried"
    zero = _void_events(rows[alive], book.initial)
    rows.loc[zero[zero].index, "status"] = "zero_event"
    initials, ties = _compute(rows[alive], ids, book)
    published = np.zeros(len(ids), bool)
    published[initials.loc[initials["outcome"] == "published", "who"]] = True
    first = published[rows["who"]] & (rows["status"] == "carried")
    rows["status"] = rows["status"].mask(first, "used")
    found = _notes(initials, rows, book)
    found += [findings.rests_on(book, key, count) for key, count in ties.items()]
    edge = rows["expires"].isin([periods.shift(period, -book.period.months.value), period])
    found.append(findings.rests_on(book, "initial.pool_periods", edge.sum()))
    zeros = rows[rows["status"] == "zero_event"]
    found.append(findings.rests_on(book, "initial.void_event", zeros["player_id"].nunique()))
    return INITIALS.build(initials, keep=("who",)), POOL.build(rows, keep=("who",)), findings.join(found)


def _gather(sides: pd.DataFrame, pool: pd.DataFrame, book: RuleBook, period: str) -> pd.DataFrame:
    last = periods.shift(period, (book.initial.pool_periods.value - 1) * book.period.months.value)
    columns = [name for name in POOL.names if name != "status"]
    pooled = (sides["outcome"] == "pool").to_numpy(bool)
    new = sides[[name for name in columns if name in sides]][pooled].assign(period=period, expires=last)
    kept = pool[pool["status"].isin(STATE)]
    return pd.concat([kept[columns], coded.plain_frame(new)[columns]], ignore_index=True)


def _void_events(rows: pd.DataFrame, rules: Initial) -> pd.Series:
    """For each row, whether it is of an event that is void for a first rating (8.2.1).

    Void: fewer points than the book's number, or fewer games. Which of them are dropped: `first_only` the first of a
    player's events, in order of last day, first day and id; `leading` all up to the first that is not void; `every`.
    """
    end, start = (rows[name].to_numpy("datetime64[D]").astype("int64") for name in ("end", "start"))
    event = (rows["who"].to_numpy(), end, start, codes.encode(rows["tournament_id"])[0], rows["part"].to_numpy())
    order = np.lexsort(event[::-1])
    first = codes.heads(*(key[order] for key in event))
    number = np.cumsum(first) - 1  # of the event of each ordered row
    sizes = np.bincount(number)
    small = sizes < rules.min_event_games.value  # no block (2009 to 2014), so neither the first nor a leading one
    here = np.flatnonzero(~small)
    void = codes.sums(number, rows["score_c"].to_numpy()[order], len(sizes))[here] < rules.void_below.value
    heads = codes.heads(event[0][order][first][here])  # each player's first event
    if rules.void_event.value == "first_only":
        void &= heads
    elif rules.void_event.value == "leading":
        counted = np.cumsum(~void)
        before = (counted - ~void)[heads]
        void = counted - np.repeat(before, np.diff(np.append(np.flatnonzero(heads), len(heads)))) == 0
    small[here] = void
    found = np.zeros(len(rows), bool)
    found[order] = small[number]
    return pd.Series(found, index=rows.index)


def _compute(rows: pd.DataFrame, ids: pd.Series, book: RuleBook) -> tuple[pd.DataFrame, dict[str, int]]:
    """One row a player with pooled games, and `who`; and how many first ratings turned on a tie."""
    rules = book.initial
    who, known = codes.narrowed(rows["who"].to_numpy(), ids)
    counted = (rows["status"] != "zero_event").to_numpy(bool)
    n = np.bincount(who[counted], minlength=len(known))
    w_c, r_sum = (
        codes.sums(who[counted], rows[name].to_numpy("int64")[counted], len(known)) for name in ("score_c", "r_opp")
    )
    found, ties = _by_kind(np.maximum(n, 1), w_c, r_sum, book)
    ru = found["ru"] if rules.max_rating.number is None else np.minimum(found["ru"], rules.max_rating.number)
    enough = n >= rules.min_games.value
    outcome = np.select(
        [n == 0, ~enough, ru < rules.min_rating.value], ["no_score", "too_few_games", "below_floor"], "published"
    )
    frame = pd.DataFrame({"player_id": known, "n": n, "w_c": w_c, "outcome": outcome})
    for name, values in {**found, "ru": ru}.items():
        frame[name] = pd.arrays.IntegerArray(values.astype("int64"), ~enough)
    frame["who"] = np.unique(rows["who"].to_numpy())
    return frame, {key: (enough & tie).sum() for key, tie in ties.items()}


def _by_kind(
    n: np.ndarray, w_c: np.ndarray, r_sum: np.ndarray, book: RuleBook
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The first ratings by the book's kind, and which of them turn on a tie of p or of Ru."""
    rules, p_ties = book.initial, book.initial.p_ties.value
    if isinstance(rules, HalfPoints):
        per = rules.per_half_point.value
        found = formulas.initial_rating_by_half_points(n, w_c, r_sum, per, book.dp_by_p, p_ties)
        below = 2 * w_c < n * formulas.POINT
        halves = (2 * w_c // formulas.POINT - n) * per
        ru_tie = _tie(r_sum, n) | (~below & _tie(halves, np.full_like(n, formulas.POINT)))
        return found, {"initial.p_ties": below & _tie(w_c, n), "initial.ru_ties": ru_tie}
    draws, against = rules.draws.value, rules.draws_against.value
    found = formulas.initial_rating(n, w_c, r_sum, draws, against, book.dp_by_p, p_ties)
    games = n + draws
    ties = {
        "initial.p_ties": _tie(w_c + draws * formulas.POINT // 2, games),
        "initial.ru_ties": _tie(r_sum + draws * against, games),
    }
    return found, ties


def _tie(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Whether a quotient lies halfway between two whole numbers."""
    return 2 * numerator % (2 * denominator) == denominator


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
