"""identity: who stands behind an id. Aliases of reports, and players merged into another on the list.

A merge has stated rules. The survivor keeps his rating, and has the other's if he has none; games_total is the sum of
both, peak the higher, last_played the later; pooled games go over to him. What was his alone (name, federation, titles,
year of birth) stays, and is filled from the other where it is empty. The old id leaves the list, with an entry `merge`
in the trail of both, and keeps resolving: in reports, in the pool and in earlier lists it stands for the survivor.
"""

from __future__ import annotations

import pandas as pd

from ratingrun import coded, findings
from ratingrun.frames import POOL, TRAIL
from ratingrun.rulebooks import RuleBook
from ratingrun.stages import codes

TAKEN = ("federation", "sex", "title", "w_title", "o_title", "foa_title", "birth_year")  # filled where empty


def standing(facts: pd.DataFrame, known: pd.Series) -> tuple[pd.Series, pd.DataFrame]:
    """Old id -> id of the player it was merged into, chains followed to their end; and F118 for merges that lead
    nowhere: into oneself, round in a circle, or to nobody on the list or in players.csv."""
    into = facts["merged_into"].dropna().astype("str")
    if into.empty:
        return into, findings.none()
    final = follow(into)
    there = (final.isin(known) | final.isin(facts.index[facts["merged_into"].isna()])) & ~final.isin(into.index)
    lost = into[~there]
    rows = pd.DataFrame({"player_id": lost.index, "value": lost.to_numpy()})
    return final[there], findings.of("F118", rows, file="players.csv")


def _mapped(ids: pd.Series, stands: pd.Series) -> pd.Series:
    """Ids, or what they stand for."""
    return ids.map(stands).astype("str").fillna(ids)


def follow(stands: pd.Series) -> pd.Series:
    """A mapping of ids, each to the end of its chain (as far as there is one: a circle ends after as many steps)."""
    final = stands
    for _ in range(len(stands)):
        following = _mapped(final, stands)
        if following.equals(final):
            break
        final = following
    return final


BESIDE = ["reported", "before"]  # other ids that stand beside the entries


def resolve(entries: pd.DataFrame, aliases: pd.DataFrame, merged: pd.Series) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The entries with the ids of today, and a note R307 for each that stood under another: aliases.csv, or a merge.
    Where there may be such ones, `reported` holds the ids as reported, and `before` the ids under which these players
    stood otherwise: an alias or the old id (of several the first)."""
    if aliases.empty and merged.empty:
        return entries, findings.none()
    stands = _standing_for(aliases)
    first = entries["player_id"].map(stands).astype("str")
    final = _mapped(first.fillna(entries["player_id"]), merged)
    changed = (final != entries["player_id"]) & entries["player_id"].notna()
    why = first.notna().map({True: "aliases.csv", False: "a merge in players.csv"})
    rows = entries.assign(reported=entries["player_id"], player_id=final, why=why)[changed]
    others = pd.concat([_mapped(stands, merged), merged])
    old = pd.Series(others.index, index=others.to_numpy(), dtype="str")
    before = _mapped(final, old[~old.index.duplicated()])
    if not before.equals(entries["player_id"]) or changed.any():
        entries = entries.assign(reported=entries["player_id"], before=before, player_id=final)
    return entries, findings.of("R307", rows)


def excluded(exclusions: pd.DataFrame, aliases: pd.DataFrame, merged: pd.Series) -> pd.DataFrame:
    """The exclusions with the ids of today: who stands under another id in a report may do so here."""
    if aliases.empty and merged.empty:
        return exclusions
    return exclusions.assign(player_id=_mapped(_mapped(exclusions["player_id"], _standing_for(aliases)), merged))


def corrected(patches: pd.DataFrame, merged: pd.Series) -> pd.DataFrame:
    """The corrections of a list with those of a merged player under the survivor's id, after his own."""
    if merged.empty:
        return patches
    own = ~patches["player_id"].isin(merged.index)
    return pd.concat([patches[own], patches[~own].assign(player_id=patches.loc[~own, "player_id"].map(merged))])


def _standing_for(aliases: pd.DataFrame) -> pd.Series:
    """Alias -> the id that it stands for, chains followed."""
    return follow(pd.Series(aliases["player_id"].to_numpy(), index=aliases["alias"], dtype="str"))


def merge(rating_list: pd.DataFrame, merged: pd.Series) -> pd.DataFrame:
    """A list on which merged players are one: the survivor's row by the rules above, the old id's row gone.

    If the survivor is not on that list, the old row stands under his id.
    """
    if merged.empty:
        return rating_list
    old = pd.Series(codes.isin(rating_list["player_id"], merged.index), index=rating_list.index)
    if not old.any():
        return rating_list
    plain = {name: coded.plain(rating_list[name]) for name in rating_list}
    rows = pd.DataFrame({**plain, "own": ~old, "player_id": _mapped(rating_list["player_id"], merged)})
    rows = rows.sort_values(["player_id", "own"], ascending=[True, False], kind="stable")
    together = rows[rows.duplicated("player_id", keep=False)].groupby("player_id")
    first = rows.drop_duplicates("player_id").set_index("player_id")
    for name in ("games", "games_total"):
        first[name] = together[name].sum().reindex(first.index).fillna(first[name]).astype(first[name].dtype)
    for name in ("peak", "last_played", "active"):
        first[name] = together[name].max().reindex(first.index).fillna(first[name]).astype(first[name].dtype)
    unrated = first["rating"].isna()
    for name in ("rating", "k", "k_clause"):
        first.loc[unrated, name] = together[name].first().reindex(first.index)[unrated]
    for name in TAKEN:
        first[name] = first[name].fillna(together[name].first().reindex(first.index)).astype(first[name].dtype)
    data = first.drop(columns="own").reset_index()[list(rating_list)]
    return data.astype(rating_list.dtypes.to_dict()).sort_values("player_id", kind="stable", ignore_index=True)


def pool(before: pd.DataFrame, merged: pd.Series) -> pd.DataFrame:
    """The pool with merged players under one id; of a game that both had, the survivor's row."""
    if merged.empty:
        return before
    own = before.iloc[codes.isin(before["player_id"], merged.index).argsort(kind="stable")]
    rows = own.assign(player_id=_mapped(own["player_id"], merged))
    return POOL.build(rows.drop_duplicates(list(POOL.key)))


def trail(
    after: pd.DataFrame, published: pd.DataFrame, merged: pd.Series, book: RuleBook
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The trail with the entries `merge` in front, of old ids and survivors on the published list; and notes L305."""
    if merged.empty or not codes.isin(published["player_id"], merged.index).any():
        return after, findings.none()
    was = published.set_index("player_id")["rating"]
    now = merge(published, merged).set_index("player_id")["rating"]
    old = was.index[was.index.isin(merged.index)]
    ids = old.append(pd.Index(merged[old].unique()))
    before, then = was.reindex(ids), now.reindex(ids)
    amount = then.fillna(0) - before.fillna(0)
    source = [f"merged into {merged[one]}" if one in merged.index else "another id merged into this" for one in ids]
    rows = {"player_id": ids, "entry": "merge", "amount": amount.to_numpy("int64"), "before": before.array,
            "after": then.array, "book": book.id, "clause": "players.csv", "source": source, "seq": 0}  # fmt: skip
    both = pd.concat([pd.DataFrame(rows), after]).sort_values(["player_id", "seq"], kind="stable")
    both["seq"] = both.groupby("player_id").cumcount() + 1
    notes = pd.DataFrame({"player_id": old, "into": merged[old].to_numpy()})
    return TRAIL.build(both), findings.of("L305", notes, file="players.csv")


def unknown(tournaments: pd.DataFrame, entries: pd.DataFrame, who: pd.DataFrame) -> pd.DataFrame:
    """R308: each id that stays unknown (R105 names it) once, with every place where it stands in the reports used."""
    ids = who.loc[who["code"] == "R105", "player_id"].dropna().unique()
    used = tournaments.loc[tournaments["status"] == "used", ["tournament_id", "part"]]
    rows = entries[entries["player_id"].isin(ids)].merge(used, on=["tournament_id", "part"])
    places = rows["file"] + ":" + rows["line"].astype("str")
    listed = places.groupby(rows["player_id"]).agg(", ".join).rename("places").reset_index()
    return findings.of("R308", listed)
