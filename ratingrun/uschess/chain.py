"""The chain of checkpoints: a late or corrected section is rated where it belongs, and all after it once more.

Every run folder is a checkpoint: the exact state after its last section, and the sections that led to it from the
checkpoint before. The next run starts from the newest one whose sections all come before the earliest change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun.frames import US_KNOWN
from ratingrun.stages.reports import KEY, PLAYED

ORDER = ["end", "start", *KEY]
FACTS = ["start", "end", "pools", "dual", "kind"]
Order = tuple[pd.Timestamp, pd.Timestamp, str, int]


def last(known: pd.DataFrame) -> Order | None:
    """The place in the order of the last section that a state holds; None: it holds none."""
    if not len(known):
        return None
    return next(known.sort_values(ORDER)[ORDER].tail(1).itertuples(index=False, name=None))


def orders(rows: pd.DataFrame) -> list[Order]:
    """The place of each section in the order of rating."""
    return list(rows[ORDER].itertuples(index=False, name=None))


def contents(sections: pd.DataFrame, entries: pd.DataFrame, results: pd.DataFrame) -> pd.Series:
    """A sha256 of each section (by its key): its facts and its played games, in any order of rows."""
    who = entries.drop_duplicates([*KEY, "start_no"])[[*KEY, "start_no", "player_id", "reported_rating"]]
    cells = results[results["result"].isin(PLAYED)].merge(who, on=[*KEY, "start_no"], how="left")
    foreign = cells[KEY].merge(sections[[*KEY, "kind"]], on=KEY, how="left")["kind"].isin(["fide", "fide_youth"])
    rating = cells["reported_rating"].astype("str").fillna("").where(foreign.to_numpy(bool), "")
    against = who.set_axis([*KEY, "opponent_no", "opponent_id", "opponent_rating"], axis=1)
    cells = cells.assign(rating=rating.to_numpy()).merge(
        against.astype({"opponent_no": "Int64"}), on=[*KEY, "opponent_no"], how="left"
    )
    words = [
        cells[name].astype("str").fillna("-") for name in ("round", "player_id", "opponent_id", "result", "rating")
    ]
    lines = cells[KEY].assign(text=words[0].str.cat(words[1:], sep="|")).sort_values([*KEY, "text"], kind="stable")
    texts = lines.groupby(KEY, sort=False)["text"].agg("\n".join)
    facts = (
        sections[FACTS[0]].astype("str").str.cat([sections[n].astype("str").fillna("-") for n in FACTS[1:]], sep="|")
    )
    index = pd.MultiIndex.from_frame(sections[KEY])
    games = texts.reindex(index).fillna("") if len(texts) else pd.Series("", index=index)
    whole = facts.astype("str").to_numpy(object) + "\n" + games.to_numpy(object)
    return pd.Series([hashlib.sha256(one.encode()).hexdigest() for one in whole], index=index, dtype="str")


def of(content: pd.Series, sections: pd.DataFrame) -> np.ndarray:
    """The contents of these sections; None where there is none."""
    found = content.reindex(pd.MultiIndex.from_frame(sections[KEY]))
    return found.astype(object).where(found.notna(), None).to_numpy(object)


def twins(fresh: pd.DataFrame, content: pd.Series, known: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """Sections of `fresh` whose days and games are all those of another one; `other` says of which."""
    played = results[results["result"].isin(PLAYED)]
    ours = fresh[pd.MultiIndex.from_frame(fresh[KEY]).isin(pd.MultiIndex.from_frame(played[KEY]))]
    ours = ours.assign(content=of(content, ours))
    stand = pd.concat([known[[*KEY, "content"]], ours[[*KEY, "content"]]], ignore_index=True).drop_duplicates(KEY)
    pairs = ours.merge(stand.reset_index(names="place"), on="content", suffixes=("", "_other"))
    same = (pairs["tournament_id"] == pairs["tournament_id_other"]) & (pairs["part"] == pairs["part_other"])
    first = pairs.groupby(KEY)["place"].transform("min")
    again = pairs[~same & (pairs["place"] == first)]
    return again.assign(
        other="event " + again["tournament_id_other"] + ", section " + again["part_other"].astype("str")
    )


def excluded(sections: pd.DataFrame, exclusions: pd.DataFrame) -> pd.Series:
    """A sha256 of the exclusions that hold for each section's event; "" for none."""
    rows = exclusions[exclusions["tournament_id"].isin(sections["tournament_id"])]
    text = rows["round"].astype("str").fillna("") + "|" + rows["player_id"].astype("str").fillna("")
    lines = rows.assign(text=text).sort_values(["tournament_id", "text"])
    joined = lines.groupby("tournament_id")["text"].agg("\n".join)
    hashed = {event: hashlib.sha256(one.encode()).hexdigest() for event, one in joined.items()}
    return sections["tournament_id"].map(hashed).astype("str").fillna("")


def changes(
    fresh: pd.DataFrame, content: pd.Series, known: pd.DataFrame, exclusions: pd.DataFrame
) -> Mapping[str, pd.DataFrame]:
    """What differs from what was rated: `new`, `corrected`, `same` sections of `fresh` (status used), and `excluded`,
    the known sections whose exclusions changed."""
    rows = fresh.assign(content=of(content, fresh)).merge(
        known[[*KEY, "content", "period", "start", "end"]], on=KEY, how="left", suffixes=("", "_was")
    )
    there = rows["content_was"].notna().to_numpy(bool)
    same = there & (rows["content"] == rows["content_was"]).to_numpy(bool)
    other = (excluded(known, exclusions) != known["exclusions"]).to_numpy(bool)
    return {"new": rows[~there], "corrected": rows[there & ~same], "same": rows[same], "excluded": known[other]}


def earliest(changed: Mapping[str, pd.DataFrame]) -> Order | None:
    """The place of the earliest change; a corrected section counts where it stood and where it stands now."""
    corrected = changed["corrected"]
    was = corrected.drop(columns=["start", "end"]).rename(columns={"start_was": "start", "end_was": "end"})
    found = [order for rows in (changed["new"], corrected, was, changed["excluded"]) for order in orders(rows)]
    return min(found, default=None)


def known(
    before: pd.DataFrame,
    prior: pd.DataFrame,
    sections: pd.DataFrame,
    content: pd.Series,
    exclusions: pd.DataFrame,
    period: str,
) -> pd.DataFrame:
    """`us_known` after a run: what the checkpoint held (`before`), and the sections used now.

    A section that is rated again keeps its period, as the list before has it (`prior`).
    """
    now = sections.assign(content=of(content, sections), exclusions=excluded(sections, exclusions), period=period)
    periods = prior.set_index(KEY)["period"].reindex(pd.MultiIndex.from_frame(now[KEY]))
    again = (now["why"] == "again").to_numpy(bool)
    now["period"] = np.where(again, periods.to_numpy(object), period)
    kept = before[~pd.MultiIndex.from_frame(before[KEY]).isin(pd.MultiIndex.from_frame(now[KEY]))]
    return US_KNOWN.build(pd.concat([kept, now[US_KNOWN.names]]))
