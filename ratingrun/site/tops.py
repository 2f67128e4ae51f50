"""The biggest movers and the top lists."""

from __future__ import annotations

import pandas as pd

from ratingrun import plain
from ratingrun.site.month import Source

SHOWN = 10
FACTS = ["player_id", "name", "federation", "title", "birth_year", "rating", "before", "change", "games"]


def junior_age(source: Source) -> int | None:
    """The age up to which the rule book knows juniors (its K rows), in the year of the list; None if it knows none."""
    ages = [row.age_until for row in source.book.k if row.age_until is not None] if source.book else []
    return max(ages) if ages else None


def movers(source: Source) -> dict[str, list[dict[str, object]]]:
    """The biggest gains and losses by games: equal changes by id."""
    rows = source.rows("changes").merge(source.rows("rating_list", "player_id", "name"), on="player_id", how="left")
    found = {}
    for name, chosen, up in (("gains", rows["change"] > 0, False), ("losses", rows["change"] < 0, True)):
        ordered = rows[chosen].sort_values(["change", "player_id"], ascending=[up, True], kind="stable")
        found[name] = plain.rows(ordered.head(SHOWN)[["player_id", "name", "ro", "change", "rn", "n"]])
    return found


def lists(
    source: Source, people: pd.DataFrame, juniors: int | None, seniors: int
) -> dict[str, tuple[int | None, list[dict[str, object]]]]:
    """The active rated players, highest first: open, women, juniors, seniors; with the year of birth that decides.

    `juniors`: up to this age in the year of the list (None: no such list); `seniors`: from this age on. Players whose
    ratings are equal have the same place.
    """
    rated = people[people["listed"] & people["active"] & people["rating"].notna()]
    born, year = rated["birth_year"].astype("Int64"), source.day.year
    chosen: dict[str, tuple[int | None, pd.Series]] = {
        "open": (None, pd.Series(True, rated.index)),
        "women": (None, rated["sex"].eq("w")),
    }
    if juniors is not None:
        chosen["juniors"] = (year - juniors, born.ge(year - juniors).fillna(False))
    chosen["seniors"] = (year - seniors, born.le(year - seniors).fillna(False))
    return {name: (limit, _ranked(rated[mask.to_numpy(bool)])) for name, (limit, mask) in chosen.items()}


def _ranked(rows: pd.DataFrame) -> list[dict[str, object]]:
    shown = rows.head(SHOWN)
    place = shown["rating"].rank(method="min", ascending=False).astype("int64")
    return plain.rows(shown[FACTS].assign(place=place))
