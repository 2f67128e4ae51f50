"""What a run of sections leaves: state, list, trail, matches, and what comes out differently than on the last list."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import pandas as pd

from ratingrun import frames, periods
from ratingrun.frames import POOLS
from ratingrun.uschess import chain, formulas, starts
from ratingrun.uschess.books import Book
from ratingrun.uschess.overrides import Overrides
from ratingrun.uschess.record import Rated

SLOT = ["player_id", "pool"]
EVENT = {"event_id": "tournament_id", "section": "part"}
EPOCH = pd.Timestamp("1970-01-01")


class Stands(Protocol):
    """What is asked of a checkpoint."""

    name: str
    state: pd.DataFrame
    matches: pd.DataFrame
    known: pd.DataFrame
    listed: pd.DataFrame


def days(dates: pd.Series) -> np.ndarray:
    """Days as numbers, for the run of sections."""
    return starts.day_numbers(dates)


def dates(numbers: pd.Series) -> pd.Series:
    """Numbers of days as days."""
    return (EPOCH + pd.to_timedelta(numbers, "D")).astype("datetime64[ms]")


def build(
    rated: Rated,
    base: Stands,
    prior: Stands,
    entries: pd.DataFrame,
    members: pd.DataFrame,
    floors: pd.DataFrame,
    period: str,
    book: Book,
) -> dict[str, pd.DataFrame]:
    """us_steps, us_sides, us_state, us_list, us_trail, us_matches and us_rerated."""
    done = rated.steps.rename(columns=EVENT)
    state = frames.US_STATE.build(
        rated.state.assign(
            last_rated=dates(rated.state["last"]), ceiling=rated.state["ceiling"].replace(np.inf, np.nan)
        )
    )
    if base is prior:
        rerated, fresh = frames.US_RERATED.empty(), done
    else:
        end = chain.last(prior.known)
        old = [end is not None and order <= end for order in done[chain.ORDER].itertuples(index=False, name=None)]
        rerated, fresh = _rerated(done[old], base.state, prior.state), done[~np.array(old, bool)]
    sides = rated.sides.rename(columns=EVENT)
    outcome = pd.Series(np.where(sides["reason"] == "", "rated", "none"), index=sides.index)
    given = rated.matches.rename(columns=EVENT)
    return {
        "us_steps": frames.US_STEPS.build(done),
        "us_sides": frames.US_SIDES.build(
            sides.assign(outcome=outcome, reason=sides["reason"].replace("", None).astype("str"))
        ),
        "us_state": state,
        "us_list": _listed(state, prior, entries, members, floors, period, book),
        "us_trail": _trail(fresh, rerated, base.name, period),
        "us_matches": frames.US_MATCHES.build(pd.concat([base.matches, given[frames.US_MATCHES.names]])),
        "us_rerated": rerated,
    }


def _rerated(done: pd.DataFrame, base: pd.DataFrame, prior: pd.DataFrame) -> pd.DataFrame:
    """Who has another rating or count of games after the sections of the list before are rated again."""
    newest = done.sort_values("seq", kind="stable").drop_duplicates(SLOT, keep="last")
    now = pd.concat([newest.assign(n=newest["n_before"] + newest["m"])[[*SLOT, "rating", "n"]],
                     base[[*SLOT, "rating", "n"]]]).drop_duplicates(SLOT)  # fmt: skip
    both = prior[[*SLOT, "rating", "n"]].merge(now, on=SLOT, how="outer", suffixes=("_was", "_now"))
    names = {"rating_was": "was", "rating_now": "now", "n_was": "n_was", "n_now": "n_now"}
    both = both.rename(columns=names)
    same = ((both["was"] == both["now"]) | (both["was"].isna() & both["now"].isna())) & (both["n_was"] == both["n_now"])
    return frames.US_RERATED.build(both[~same])


def _trail(done: pd.DataFrame, rerated: pd.DataFrame, base: str, period: str) -> pd.DataFrame:
    """The entries of each player and pool, in order; each begins where the one before ended."""
    place = {"tournament_id": done["tournament_id"], "part": done["part"], "book": done["book"], "at": done["seq"]}
    who = {name: done[name] for name in SLOT}
    source = "event " + done["tournament_id"] + ", section " + done["part"].astype("str")
    new = done["start_by"].notna()

    def entry(name: str, order: int, before: pd.Series, after: pd.Series, which: pd.Series) -> pd.DataFrame:
        rows = {**who, **place, "entry": name, "order": order, "before": before, "after": after, "source": source}
        return pd.DataFrame(rows)[which.to_numpy(bool)]

    none = pd.Series(np.nan, index=done.index)
    lifted = np.maximum(done["limited"], done["floor"])
    parts = [
        entry("start", 0, none, done["before"], new),
        entry("section", 1, done["before"], done["final"], pd.Series(True, index=done.index)),
        entry("match_limit", 2, done["final"], done["limited"], done["limited"] != done["final"]),
        entry("floor", 3, done["limited"], lifted, lifted != done["limited"]),
        entry("ceiling", 4, lifted, done["rating"], lifted != done["rating"]),
    ]
    moved = rerated[~((rerated["was"] == rerated["now"]) | (rerated["was"].isna() & rerated["now"].isna()))]
    again = moved[SLOT].assign(before=moved["was"], after=moved["now"], entry="rerate", at=-1, order=0)
    again["source"] = f"rated again from {base}: us_rerated"
    rows = pd.concat([again, *parts], ignore_index=True)
    for name in ("tournament_id", "part", "book"):
        rows[name] = rows.get(name)
    rows = rows.astype({"part": "Int64"})
    rows = rows.sort_values([*SLOT, "at", "order"], kind="stable", ignore_index=True)
    rows["seq"] = rows.groupby(SLOT).cumcount() + 1
    rows["amount"] = rows["after"].fillna(0.0) - rows["before"].fillna(0.0)
    return frames.US_TRAIL.build(rows)


def _listed(
    state: pd.DataFrame,
    prior: Stands,
    entries: pd.DataFrame,
    members: pd.DataFrame,
    floors: pd.DataFrame,
    period: str,
    book: Book,
) -> pd.DataFrame:
    """The published list: ratings rounded to the nearest whole number, .5 up."""
    rounded = formulas.whole(state["rating"]).astype("int64")
    was = state[SLOT].merge(prior.listed[[*SLOT, "rating"]], on=SLOT, how="left")["rating"].astype("Int64")
    before = state[SLOT].merge(prior.state[[*SLOT, "n"]], on=SLOT, how="left")["n"].fillna(0)
    return frames.US_LIST.build(
        state.assign(
            name=state["player_id"].map(names(prior.listed, entries, members)).astype("str"),
            rating=rounded,
            established=state["n"] > book.standard.established_after.value,
            games=(state["n"] - before).clip(lower=0),
            change=rounded - was,
            floor=floors_of(state, floors, period, book),
        )
    )


def names(listed: pd.DataFrame, entries: pd.DataFrame, members: pd.DataFrame) -> pd.Series:
    """Names by id: as members.csv says, else as on the list before, else as reported last."""
    known = [members.sort_values(["date", "line"], kind="stable"), listed, entries]
    found = [rows.dropna(subset="name").drop_duplicates("player_id", keep="last").set_index("player_id")["name"]
             for rows in known]  # fmt: skip
    joined = pd.concat(found)
    return joined[~joined.index.duplicated()]


def floors_of(state: pd.DataFrame, floors: pd.DataFrame, period: str, book: Book) -> np.ndarray:
    """The floor that holds on the day of the list, rounded up to a whole number."""
    day, rules = (pd.Timestamp(periods.list_date(period)) - EPOCH).days, book.floor
    everybody = pd.Index(state["player_id"]).unique()
    slots = pd.Index(POOLS).get_indexer(state["pool"]) * len(everybody) + everybody.get_indexer(state["player_id"])
    decided = Overrides(floors, everybody).at(slots, np.full(len(slots), float(day)), book)
    earned = formulas.personal_floor(state["wins"], state["draws"], state["events"], rules).to_numpy()
    own = np.where(state["pool"].isin(rules.personal_pools.value), earned, rules.absolute.value)
    peak = np.where(state["pool"].isin(rules.peak_pools.value), formulas.peak_floor(state["peak"], rules), 0.0)
    peak = peak - state["cut"].to_numpy() - decided["lowered"]
    peak = np.where(peak >= rules.peak_least.value, peak, 0.0)
    return np.ceil(np.maximum.reduce([own, peak, state["floor"].to_numpy(), decided["floor"]])).astype("int64")
