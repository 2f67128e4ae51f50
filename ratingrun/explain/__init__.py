"""explain: one player's month, or one tournament, out of a run folder and nothing else: numbers first, then words.

`player` and `tournament` give plain facts (dictionaries of what the frames say, hundredths as integers: `--json`);
`words` makes sentences and tables of them in a language; `show` writes these as text or as one page of HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from ratingrun import coded, findings, frames, plain, recorded, rulebooks, run_folder

KEY = ["tournament_id", "part"]
READ = (
    "rating_list", "tournaments", "entries", "results", "sides", "cells",
    "event_changes", "changes", "initials", "pool", "trail",
)  # fmt: skip
Facts = dict[str, object]


class NotThereError(LookupError):
    """The run folder has no such player or tournament; the message says what it has."""


def read(
    folder: run_folder.RunFolder, player_id: str | None = None, tournament_id: str | None = None
) -> tuple[Mapping[str, pd.DataFrame], pd.DataFrame]:
    """The frames that explanations need (empty where an adopted folder has none), and F112, F101 findings.

    For one player or one tournament only those rows of the tall frames that its explanation needs.
    """
    data, found = {}, []

    def take(*names: str, **only: Iterable[str]) -> None:
        for name in names:
            data[name], news = frame_of(folder, name, only)
            found.append(news)

    take("tournaments", "entries", "initials")
    if tournament_id is not None:
        take("cells", "sides", "event_changes", tournament_id=[tournament_id])
    elif player_id is not None:
        take("cells", "sides", "event_changes", "changes", "pool", "trail", player_id=[player_id])
        events = data["cells"]["tournament_id"].astype("str").unique()
        take("results", tournament_id=events)
        others = data["entries"].loc[data["entries"]["tournament_id"].isin(events), "player_id"].dropna()
        take("rating_list", player_id={player_id, *others, *data["pool"]["opponent_id"].dropna()})
    else:
        take(*(name for name in READ if name not in data))
    return data, findings.join(found)


def frame_of(
    folder: run_folder.RunFolder, name: str, only: Mapping[str, Iterable[str]] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A frame of a folder, or `only` some of its rows, and the findings; empty where the folder has none."""
    frame = frames.ALL[name]
    if f"{name}.parquet" not in folder.manifest["files"]:
        return frame.empty(), findings.none()
    return folder.frame(frame, only)


def player(folder: run_folder.RunFolder, data: Mapping[str, pd.DataFrame], player_id: str) -> Facts:
    """A player's month: identity, tournaments with every cell, change, first rating, pool, ledger, the new list.

    Raises NotThereError if neither list nor reports know the id.
    """
    own = {name: _of(data[name], player_id=player_id) for name in READ if "player_id" in data[name]}
    if all(own[name].empty for name in ("rating_list", "entries", "trail", "pool")):
        raise NotThereError(player_id)
    listed, trail = _one(own["rating_list"]), own["trail"].sort_values("seq")
    entry = _one(own["entries"])
    person = {name: (listed or entry or {}).get(name) for name in ("name", "federation", "title", "birth_year")}
    before = trail["before"].iloc[0] if len(trail) else (listed or {}).get("rating")
    return {
        **head(folder),
        "player": {"player_id": player_id, **person},
        "prior_rating": plain.value(before),
        "tournaments": _tournaments(data, own, _names(data)),
        "change": _one(own["changes"]),
        "initial": _one(own["initials"]),
        "pool": _with_names(own["pool"], data),
        "ledger": plain.rows(trail),
        "list": listed,
    }


def tournament(folder: run_folder.RunFolder, data: Mapping[str, pd.DataFrame], tournament_id: str) -> list[Facts]:
    """The sheet of each part of a tournament: a row a player, and each cell that does not count.

    Raises NotThereError, naming the tournaments that the run has.
    """
    parts = _of(data["tournaments"], tournament_id=tournament_id)
    if parts.empty:
        raise NotThereError(", ".join(sorted(set(data["tournaments"]["tournament_id"]))) or "none")
    return [{**head(folder), "tournament": row, **_sheet(data, row)} for row in plain.rows(parts)]


def head(folder: run_folder.RunFolder) -> Facts:
    """What stands at the head of every explanation: the list, its state, its rule books and their values."""
    manifest = folder.manifest
    book = recorded.book_of(folder)
    return {
        "period": manifest["period"],
        "rating_type": manifest["rating_type"],
        "list_date": manifest["list_date"],
        "status": manifest["status"],
        "rule_books": list(manifest["rule_books"]),
        "rules": _rules(book) if book else None,
    }


def _rules(book: rulebooks.RuleBook) -> Facts:
    """The values of the book that the words name, with their clauses."""
    return {"id": book.id, "title": book.title} | {
        key: {"value": getattr(stated, "value", None), "clause": None if stated.clause == "silent" else stated.clause}
        for key, stated in book.stated()
    }


def _tournaments(data: Mapping[str, pd.DataFrame], own: Mapping[str, pd.DataFrame], names: pd.Series) -> list[Facts]:
    """The tournaments of a player, by start: what each is, the player's sums, every cell."""
    cells = own["cells"].drop(columns=["player_id", "file", "line"])
    asked = data["results"].drop(columns=["file", "line"])
    cells = cells.merge(asked, on=[*KEY, "start_no", "round"], how="left")
    against = data["entries"][[*KEY, "start_no", "player_id", "name"]].drop_duplicates([*KEY, "start_no"])
    against = against.set_axis([*KEY, "opponent_no", "opponent_id", "opponent_name"], axis=1)
    cells = cells.merge(against.astype({"opponent_no": "Int64"}), on=[*KEY, "opponent_no"], how="left")
    cells["opponent_name"] = cells["opponent_id"].map(names).astype("str").fillna(cells["opponent_name"])
    figures = ["score_c", "r", "r_opp", "d_true", "d", "pd_c", "dr_c", "scale", "reason"]
    sides = own["sides"][[*KEY, "round", *figures]].rename(columns={"reason": "special"})
    cells = cells.merge(sides, on=[*KEY, "round"], how="left")
    cells["reason"] = cells["reason"].fillna(cells["special"])
    cells = cells.drop(columns="special").sort_values([*KEY, "round"])
    about = data["tournaments"].merge(cells[KEY].drop_duplicates(), on=KEY).sort_values(["start", *KEY])
    found = []
    for row in plain.rows(about):
        here = {name: row[name] for name in KEY}
        found.append(
            {
                **{name: row[name] for name in (*KEY, "name", "start", "end", "list_in_force", "book", "status")},
                "sum": _one(_of(own["event_changes"], **here)),
                "games": [{k: v for k, v in cell.items() if k not in KEY} for cell in plain.rows(_of(cells, **here))],
            }
        )
    return found


def _sheet(data: Mapping[str, pd.DataFrame], part: Facts) -> Facts:
    """A tournament part's players with their figures, and its cells that do not count."""
    here = {name: part[name] for name in KEY}
    entries, cells, sides = (_of(data[name], **here) for name in ("entries", "cells", "sides"))
    names = entries.drop_duplicates("start_no").set_index("start_no")["name"]
    rows = entries[["start_no", "player_id", "name", "federation", "reported_rating", "line"]]
    used = sides[sides["r"].notna()].groupby("player_id")["r"].first()
    rows = rows.assign(r=rows["player_id"].map(used).astype("Int64"))
    sums = _of(data["event_changes"], **here).drop(columns=KEY)
    rows = rows.merge(sums, on="player_id", how="left")
    pooled = sides[sides["outcome"] == "pool"].groupby("player_id")["score_c"].agg(["size", "sum"])
    rows["pool_n"] = rows["player_id"].map(pooled["size"]).astype("Int64")
    rows["pool_w_c"] = rows["player_id"].map(pooled["sum"]).astype("Int64")
    rows = rows.merge(data["initials"][["player_id", "ru", "outcome"]], on="player_id", how="left")
    reasons = cells[(cells["outcome"] == "none") & ~cells["reason"].isin(["outside_part"])]
    reasons = reasons.assign(name=reasons["start_no"].map(names)).sort_values(["round", "start_no"])
    counts = cells["outcome"].value_counts()
    return {
        "counts": {name: int(counts.get(name, 0)) for name in ("rated", "pool", "none")},
        "players": plain.rows(rows.sort_values(["start_no", "line"]).drop(columns="line")),
        "not_counted": plain.rows(reasons[["round", "start_no", "player_id", "name", "reason", "line"]]),
    }


def _names(data: Mapping[str, pd.DataFrame]) -> pd.Series:
    return data["rating_list"].set_index("player_id")["name"]


def _with_names(pool: pd.DataFrame, data: Mapping[str, pd.DataFrame]) -> list[Facts]:
    rows = pool.sort_values(["end", "start", *KEY, "round"])
    names = rows["opponent_id"].map(_names(data)).astype("str")
    return plain.rows(rows.assign(opponent_name=names).drop(columns="player_id"))


def _of(frame: pd.DataFrame, **where: object) -> pd.DataFrame:
    for column, value in where.items():
        frame = frame[(frame[column] == value).fillna(False).to_numpy(bool)]
    return coded.plain_frame(frame)


def _one(frame: pd.DataFrame) -> Facts | None:
    rows = plain.rows(frame.head(1))
    return rows[0] if rows else None
