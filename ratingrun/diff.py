"""diff: two lists or two runs side by side: who, how much, new, gone, by size; of two runs also through what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import coded, findings, frames, recorded, run_folder
from ratingrun.formats import rating_lists

GAME = ["tournament_id", "part", "round", "player_id"]
# What can make two runs differ, in the order in which a month is made. texts: cause.NAME
CAUSES = ("list", "games", "own", "opponent", "rule", "base", "k", "rounding", "initial", "ledger")
COLUMNS = (
    "player_id", "name", "presence", "rating_a", "rating_b", "change", "k_a", "k_b", "games_a", "games_b", "causes",
    "where",
)  # fmt: skip
SIZES = (1, 5, 10, 20, 50, 100)  # lower ends of the bands of the summary
OTHER = ("correction", "one_off", "floor", "removed", "seed", "merge")
READ = ("sides", "changes", "initials", "trail")


@dataclass(frozen=True)
class Source:
    """A list or a run: its name, the list, and the frames that say how it came about (empty for a list)."""

    label: str
    rating_list: pd.DataFrame
    data: Mapping[str, pd.DataFrame]
    folder: run_folder.RunFolder | None = None


def read(path: Path) -> tuple[Source | None, pd.DataFrame]:
    """A run folder, or a list in any format that can be read; findings if it cannot."""
    if not path.is_dir():
        listed, found = rating_lists.read(path)
        if len(findings.stops(found)):
            return None, found
        return Source(path.as_posix(), listed, {}), found
    folder, found = recorded.open_folder(path)
    if folder is None:
        return None, found
    if folder.rating_type == run_folder.US_CHESS:
        listed, news = folder.frame(frames.US_LIST)
        source = Source(path.as_posix(), _by_pool(listed), {}, folder)
        return (None if len(findings.stops(news)) else source), news
    listed, news = folder.frame(frames.RATING_LIST)
    data, parts = {}, [found, news]
    for name in READ:
        if f"{name}.parquet" in folder.manifest["files"]:
            data[name], news = folder.frame(frames.ALL[name])
            parts.append(news)
    found = findings.join(parts)
    source = Source(path.as_posix(), listed, data if set(READ) <= set(data) else {}, folder)
    return (None if len(findings.stops(found)) else source), found


def _by_pool(listed: pd.DataFrame) -> pd.DataFrame:
    """A US Chess list as one with a row a player: the id with its pool, no K."""
    player = listed["player_id"] + " " + listed["pool"].str.replace("_", " ")
    return listed.assign(player_id=player, k=pd.array([pd.NA] * len(listed), "Int64"))


def build(a: Source, b: Source) -> pd.DataFrame:
    """A row a player of either list that differs in rating, K, games or presence (COLUMNS), by player_id.

    `change` is rating_b - rating_a where both have one. `causes` (words of CAUSES) and `where` (tournaments, rounds)
    are filled for two runs of one period, for the players whose rating differs.
    """
    kept = ["player_id", "name", "rating", "k", "games"]
    both = a.rating_list[kept].merge(
        b.rating_list[kept], on="player_id", how="outer", suffixes=("_a", "_b"), indicator="side", validate="1:1"
    )
    sides = {"left_only": "gone", "right_only": "new", "both": "both"}
    rows = both.assign(
        presence=both["side"].astype("str").map(sides).astype("str"), name=both["name_b"].fillna(both["name_a"])
    )
    for name in ("rating", "k", "games"):
        for side in "ab":
            rows[f"{name}_{side}"] = rows[f"{name}_{side}"].astype("Int64")
    rows["change"] = rows["rating_b"] - rows["rating_a"]
    differs = rows["presence"] != "both"
    for name in ("rating", "k", "games"):
        differs = differs | unequal(rows[f"{name}_a"], rows[f"{name}_b"])
    rows = rows[differs.to_numpy(bool)].sort_values("player_id", ignore_index=True)
    rows["causes"], rows["where"] = "", ""
    if comparable(a, b):
        _explain(rows, a.data, b.data)
    return rows[list(COLUMNS)]


def comparable(a: Source, b: Source) -> bool:
    """Whether both are runs of one period and type with their calculation."""
    if not (a.data and b.data):
        return False
    keys = ("period", "rating_type")
    return all(a.folder.manifest[key] == b.folder.manifest[key] for key in keys)


def unequal_sides(a: Mapping[str, pd.DataFrame], b: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The rated or pooled sides that two runs do not have alike: GAME, opponent_id, start, cause, r_opp_a, r_opp_b.

    `cause`: games (in one run only, or another score or outcome), own (another own rating), opponent (another rating
    of the opponent), rule (another d or PD from the same ratings). The first that applies.
    """
    columns = [*GAME, "opponent_id", "start", "score_c", "outcome", "r", "r_opp", "d", "pd_c"]
    counted = [coded.plain_frame(frame["sides"].loc[frame["sides"]["outcome"] != "none", columns]) for frame in (a, b)]
    rows = side_by_side(*counted, GAME)
    tests = {
        "games": (rows["side"] != "both") | any_unequal(rows, "score_c", "outcome", "opponent_id"),
        "own": any_unequal(rows, "r"),
        "opponent": any_unequal(rows, "r_opp"),
        "rule": any_unequal(rows, "d", "pd_c"),
    }
    rows["cause"] = np.select([test.to_numpy(bool) for test in tests.values()], list(tests), "")
    for name in ("opponent_id", "start"):
        rows[name] = rows[f"{name}_b"].fillna(rows[f"{name}_a"])
    found = rows[rows["cause"] != ""]
    return found[[*GAME, "opponent_id", "start", "cause", "r_opp_a", "r_opp_b"]].reset_index(drop=True)


def _explain(rows: pd.DataFrame, a: Mapping[str, pd.DataFrame], b: Mapping[str, pd.DataFrame]) -> None:
    """Sets causes and where of the rows whose rating differs."""
    sides = unequal_sides(a, b)
    rounds = sides.sort_values(["start", *GAME]).drop_duplicates(GAME).astype({"round": "str"})
    rounds = rounds.groupby(["player_id", "tournament_id"], sort=False)["round"].agg(", ".join).reset_index()
    rounds["place"] = rounds["tournament_id"] + " (" + rounds["round"] + ")"
    where = rounds.groupby("player_id")["place"].agg(", ".join)
    hit = {cause: set(sides.loc[sides["cause"] == cause, "player_id"]) for cause in CAUSES}
    changes = side_by_side(a["changes"], b["changes"], ["player_id"])
    changes = changes[changes["side"] == "both"]
    hit["base"] = _other_bases(a["trail"], b["trail"])
    hit["k"] = set(changes.loc[any_unequal(changes, "k").to_numpy(bool), "player_id"])
    same = ~any_unequal(changes, "change_c") & any_unequal(changes, "change")
    hit["rounding"] = set(changes.loc[same.to_numpy(bool), "player_id"])
    initials = side_by_side(a["initials"], b["initials"], ["player_id"])
    hit["initial"] = set(initials.loc[any_unequal(initials, "ru", "outcome").to_numpy(bool), "player_id"])
    hit["ledger"] = other_entries(a["trail"], b["trail"])
    hit["list"] = set(rows.loc[rows["presence"] != "both", "player_id"])
    moved = (unequal(rows["rating_a"], rows["rating_b"]) | (rows["presence"] != "both")).to_numpy(bool)
    words = pd.Series("", index=rows.index, dtype="str")
    for cause in CAUSES:
        here = rows["player_id"].isin(hit[cause]).to_numpy() & moved
        words = words.mask(here, words + " " + cause)
    rows["causes"] = words.str.strip()
    rows["where"] = rows["player_id"].map(where).astype("str").where(moved).fillna("")


def _other_bases(a: pd.DataFrame, b: pd.DataFrame) -> set[str]:
    """The players in both ledgers whose published rating before the month differs."""
    first = [trail.sort_values(["player_id", "seq"]).drop_duplicates("player_id") for trail in (a, b)]
    rows = side_by_side(*first, ["player_id"])
    return set(rows.loc[((rows["side"] == "both") & any_unequal(rows, "before")).to_numpy(bool), "player_id"])


def other_entries(a: pd.DataFrame, b: pd.DataFrame, entries: Sequence[str] = OTHER) -> set[str]:
    """The players whose entries of the ledger differ, of the kinds that are no games: corrections, floor, one-offs."""
    key = ["player_id", "entry"]
    parts = [trail[trail["entry"].isin(entries)] for trail in (a, b)]
    rows = side_by_side(*parts, key)
    return set(rows.loc[((rows["side"] != "both") | any_unequal(rows, "amount")).to_numpy(bool), "player_id"])


def side_by_side(a: pd.DataFrame, b: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """Both frames by key, the other columns with _a and _b, and `side`: left_only, right_only, both."""
    if a.empty and b.empty:  # pandas 3.1 cannot merge two columns of text without a chunk
        others = [f"{name}_{side}" for side in "ab" for name in a if name not in key]
        return pd.DataFrame({name: pd.Series([], dtype="object") for name in [*key, *others, "side"]})
    return a.merge(b, on=key, how="outer", suffixes=("_a", "_b"), indicator="side")


def any_unequal(rows: pd.DataFrame, *names: str) -> pd.Series:
    """Whether one of the columns differs between _a and _b."""
    found = pd.Series(False, index=rows.index)
    for name in names:
        found = found | unequal(rows[f"{name}_a"], rows[f"{name}_b"])
    return found


def unequal(left: pd.Series, right: pd.Series) -> pd.Series:
    """Unequal, where two nothings are equal."""
    return (left != right).fillna(True).astype("bool") & ~(left.isna() & right.isna())


def counts(rows: pd.DataFrame, a: Source, b: Source) -> dict[str, int]:
    """The figures of the summary (texts: diff.NAME)."""
    together = len(set(a.rating_list["player_id"]) & set(b.rating_list["player_id"]))
    here = rows["presence"] == "both"
    changed = here & rows["change"].fillna(0).ne(0)
    first = here & rows["rating_a"].isna() & rows["rating_b"].notna()
    lost = here & rows["rating_a"].notna() & rows["rating_b"].isna()
    found = {
        "both": together,
        "new": (rows["presence"] == "new").sum(),
        "gone": (rows["presence"] == "gone").sum(),
        "changed": changed.sum(),
        "same": together - int(changed.sum()) - int(first.sum()) - int(lost.sum()),
        "first": first.sum(),
        "lost": lost.sum(),
    }
    return {name: int(count) for name, count in found.items()}


def by_size(rows: pd.DataFrame) -> list[tuple[str, int, int]]:
    """(points, players up, players down) for each band of the change."""
    change = rows["change"].fillna(0).to_numpy("int64")
    bands = []
    for low, high in zip(SIZES, (*SIZES[1:], None), strict=True):
        size = np.abs(change)
        here = (size >= low) & (size < high if high else True)
        label = f"{low}-{high - 1}" if high else f"{low}+"
        bands.append((label, int((here & (change > 0)).sum()), int((here & (change < 0)).sum())))
    return bands


def by_cause(rows: pd.DataFrame) -> dict[str, int]:
    """How many players differ through each cause; a player may have several."""
    words = rows["causes"].str.split().explode().dropna()
    found = words[words != ""].value_counts()
    return {cause: int(found[cause]) for cause in CAUSES if cause in found}
