"""Who moved and by how much: distributions of ratings and changes, and the same by K, age, sex, federation, band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ratingrun.site.month import Source

DECADE = 10  # years of an age group
OLDEST = 70  # from this age on one group
BAND = 200  # rating points of a band
GROUPS = 12  # federations shown by themselves; the others together
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
UNKNOWN, OTHERS = "?", "+"  # labels that the page puts into words


@dataclass(frozen=True)
class Group:
    """The players of one group: rated ones on the list and their mean, those with games, how their ratings moved."""

    label: str
    listed: int
    mean: float | None
    players: int
    games: int
    total: int
    average: float
    up: int
    down: int
    quantiles: tuple[float, ...]


def moved(source: Source, people: pd.DataFrame) -> pd.DataFrame:
    """The players with rated games: ro, change, n, dr (score - expected, in points), and the labels of their groups."""
    changes = source.rows("changes")
    facts = people.set_index("player_id")[["sex", "federation", "birth_year"]]
    rows = changes.join(facts, on="player_id")
    return labelled(rows.assign(dr=rows["dr_c"] / rows["scale"], k_before=rows["k_base"]), source)


def labelled(rows: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Rows with columns k_before, birth_year, sex, federation, ro: with labels `by_k` ... `by_band` and their order."""
    age = source.day.year - rows["birth_year"].astype("Int64")
    decade = (age.clip(0, OLDEST) // DECADE * DECADE).astype("Int64")
    last = decade + DECADE - 1
    ages = decade.astype("str") + "–" + last.astype("str")
    band = (rows["ro"].astype("Int64") // BAND) * BAND
    return rows.assign(
        by_k=rows["k_before"].astype("Int64").astype("str").fillna(UNKNOWN),
        by_age=ages.mask(decade == OLDEST, f"{OLDEST}+").fillna(UNKNOWN),
        by_sex=rows["sex"].astype("str").fillna(UNKNOWN),
        by_federation=rows["federation"].astype("str").fillna(UNKNOWN),
        by_band=(band.astype("str") + "–" + (band + BAND - 1).astype("str")).fillna(UNKNOWN),
    )


def table(rows: pd.DataFrame, listed: pd.DataFrame, by: str) -> list[Group]:
    """The groups of one label in their order, federations by their players. `listed`: the list's rated, labelled."""
    rows, listed = (_few(part, by, rows) for part in (rows, listed))
    on_list = listed.groupby(by)["rating"].agg(["size", "mean"])
    found = []
    for label, group in rows.groupby(by):
        change = group["change"]
        there = label in on_list.index
        found.append(
            Group(
                label=str(label),
                listed=int(on_list.loc[label, "size"]) if there else 0,
                mean=float(on_list.loc[label, "mean"]) if there else None,
                players=len(group),
                games=int(group["n"].sum()),
                total=int(change.sum()),
                average=float(change.mean()),
                up=int((change > 0).sum()),
                down=int((change < 0).sum()),
                quantiles=tuple(float(value) for value in np.quantile(change.to_numpy("float64"), QUANTILES)),
            )
        )
    return sorted(found, key=_order(by))


def _few(part: pd.DataFrame, by: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Federations beyond the first GROUPS together."""
    if by != "by_federation":
        return part
    big = rows[by].value_counts()
    kept = big.sort_index().sort_values(ascending=False, kind="stable").index[:GROUPS]
    return part.assign(**{by: part[by].where(part[by].isin(kept), OTHERS)})


def _order(by: str):
    def place(group: Group) -> tuple[int, float, str]:
        if group.label in (UNKNOWN, OTHERS):
            return 1, 0, group.label
        if by in ("by_k", "by_age", "by_band"):
            return 0, int(group.label.partition("–")[0].rstrip("+")), ""
        return 0, -group.players if by == "by_federation" else 0, group.label

    return place
