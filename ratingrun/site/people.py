"""Everybody of the month, a row a player, and the data of the players' page: the index and each one's explanation.

The numbers are those that `explain.player` gives, built for all players at once (tests compare the two).
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ratingrun import explain
from ratingrun.site import chunks
from ratingrun.site.month import Source

KEY = explain.KEY
BLOCK = 250  # players in a piece of a chunk
INDEX = ("player_id", "name", "federation", "sex", "title", "birth_year", "before", "change", "rating", "games", "k",
         "active", "state")  # fmt: skip
LISTED = ("k_clause", "games_total", "peak")  # what the panel says of the new list, beside the index
INDEX_ROWS = 15_000  # players in a file of the index
STATES = ("new", "returned", "idle", "left", "first", "floor")


def build(source: Source) -> pd.DataFrame:
    """Everybody whom `explain` knows: on the list, in the ledger, in a pool or in a report; highest rating first.

    Columns: those of the list, `listed`, `before` and `change` (Ro and the change of `changes`; without games the
    rating before), `state` (one of STATES, or nothing), `p`, the place in this order.
    """
    listed = source.rows("rating_list")
    known = _from_reports(source)
    rest = known[~known["player_id"].isin(listed["player_id"])]
    people = pd.concat([listed.assign(listed=True), rest.assign(listed=False)], ignore_index=True)
    people["listed"] = people["listed"].astype(bool)
    people["active"] = people["active"].astype("boolean").fillna(False).astype(bool)
    people["games"] = people["games"].astype("Int64").fillna(0)
    trail = source.rows("trail").sort_values(["player_id", "seq"]).drop_duplicates("player_id")
    ids = people["player_id"]
    before = ids.map(trail.set_index("player_id")["before"]).astype("Int64")
    people["before"] = before.where(ids.isin(trail["player_id"]), people["rating"])
    changes = source.rows("changes").set_index("player_id")
    people["before"] = ids.map(changes["ro"]).astype("Int64").fillna(people["before"])
    people["change"] = ids.map(changes["change"]).astype("Int64")
    people["state"] = _states(people, source)
    people = people.sort_values(["rating", "name", "player_id"], ascending=[False, True, True], kind="stable")
    return people.reset_index(drop=True).assign(p=range(len(people)))


def _from_reports(source: Source) -> pd.DataFrame:
    """Ids in reports, ledger and pools, each with the first name and facts that a report has for it."""
    facts = ["player_id", "name", "federation", "sex", "title", "birth_year"]
    entries = source.rows("entries", *facts).dropna(subset="player_id").drop_duplicates("player_id")
    others = [source.rows(name, "player_id") for name in ("trail", "pool")]
    ids = pd.concat([entries[["player_id"]], *others]).drop_duplicates()
    return ids.merge(entries, on="player_id", how="left")


def _states(people: pd.DataFrame, source: Source) -> pd.Series:
    """What is new about a player on this list; new and returned need the list before."""
    ids, state = people["player_id"], pd.Series(None, index=people.index, dtype="str")
    trail, initials = source.rows("trail"), source.rows("initials")
    floor = ids.isin(trail.loc[trail["entry"] == "floor", "player_id"]) & people["rating"].isna()
    state = state.mask(floor, "floor").mask(~people["listed"] & people["before"].notna(), "left")
    if source.prior is not None:
        was = ids.map(source.prior.set_index("player_id")["active"])
        state = state.mask(people["listed"] & was.isna(), "new")
        state = state.mask(people["listed"] & people["active"] & was.eq(False), "returned")
        state = state.mask(people["listed"] & ~people["active"] & was.eq(True), "idle")
        state = state.mask(~people["listed"] & was.notna(), "left")
    return state.mask(ids.isin(initials.loc[initials["outcome"] == "published", "player_id"]), "first")


def index(people: pd.DataFrame) -> dict[str, str]:
    """The scripts with what can be searched, filtered and sorted, in the order of `p`."""
    columns = chunks.Columns(people[[*INDEX, "listed", "p"]], "p")
    starts = range(0, max(len(people), 1), INDEX_ROWS)
    parts = [columns.part(start, start + INDEX_ROWS, "p") for start in starts]
    return {f"index-{number:03d}": chunks.script(f"index-{number:03d}", part) for number, part in enumerate(parts)}


def panels(source: Source, people: pd.DataFrame, parts: pd.DataFrame) -> tuple[dict[str, str], list[int]]:
    """The scripts with each player's explanation and rating curve, BLOCK players a piece; each piece's chunk.

    `parts`: tournament_id, part and their number `t`; games are with the tournaments.
    """
    place = people.set_index("player_id")["p"]
    tables = {name: chunks.Columns(rows, "p") for name, rows in _tables(source, place, parts).items()}
    tables["list"] = chunks.Columns(people[["p", *LISTED]], "p")
    tables["curve"] = chunks.Columns(_curves(source, people), "p")
    whole = ("list", "curve")
    pieces = (
        {"from": start}
        | {
            name: columns.part(start, start + BLOCK, *(("p",) if name in whole else ()))
            for name, columns in tables.items()
        }
        for start in range(0, len(people), BLOCK)
    )
    return chunks.scripts("players", pieces)


def _tables(source: Source, place: pd.Series, parts: pd.DataFrame) -> Mapping[str, pd.DataFrame]:
    """The frames of an explanation with the player's place `p` instead of the id."""
    names = source.rows("rating_list").set_index("player_id")["name"]
    pool = source.rows("pool").sort_values(["player_id", "end", "start", *KEY, "round"])
    pool = pool.assign(opponent_name=pool["opponent_id"].map(names).astype("str")).drop(
        columns=["part", "start", "end"]
    )
    cells = source.rows("cells", *KEY, "player_id").dropna(subset="player_id").drop_duplicates()
    played = cells.merge(parts, on=KEY).sort_values(["player_id", "t"])[["player_id", "t"]]
    found = {
        "played": played,
        "change": source.rows("changes").drop(columns="rc"),
        "initial": source.rows("initials"),
        "pool": pool,
        "ledger": source.rows("trail").sort_values(["player_id", "seq"]).drop(columns=["seq", "book"]),
    }
    return {
        name: rows.assign(p=rows["player_id"].map(place).to_numpy("int64")).drop(columns="player_id")
        for name, rows in found.items()
    }


def _curves(source: Source, people: pd.DataFrame) -> pd.DataFrame:
    """A column a list, oldest first, with the ratings; the last is this list."""
    ids = people["player_id"]
    columns = {
        day: ids.map(rows.set_index("player_id")["rating"]).astype("Int64") for day, rows in source.earlier.items()
    }
    return pd.DataFrame({"p": people["p"], **columns, str(source.day): people["rating"]})
