"""What must hold in every month, checked on every run. A break is a ContractError: a bug, never the user's input."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyarrow as pa

from ratingrun import coded
from ratingrun.contract import ContractError
from ratingrun.frames import CELLS
from ratingrun.stages import codes
from ratingrun.stages.reports import KEY


def cells(frames: Mapping[str, pd.DataFrame], ids: pd.Series | None = None) -> pd.DataFrame:
    """`cells`: where each reported cell ended - a rated side, a pooled side, or a reason. Frames with the positions
    that the stages leave beside them (`ids` are the players' ids), or without.

    A cell of a report that is not used has the report's status as reason, one of another part's round outside_part.
    """
    if ids is None:
        frames, ids = _with_positions(frames)
    results, sides, tournaments = frames["results"], frames["sides"], frames["tournaments"]
    half = _half(frames["games"], results)
    who, side = half["who"], _sides(sides, results, half["who"])
    outcome, none = _outcomes(sides["outcome"], side)
    # Why not: the game, else the side, else what became of the report; the first that says anything.
    of_side, side_words = codes.encode(sides["reason"])
    status = ("report_" + tournaments["status"]).where(tournaments["status"] != "used", "outside_part")
    of_part, part_words = codes.encode(status)
    why = half["why"]
    beyond = len(half["words"])
    why = np.where((why < 0) & none & (side >= 0), _shifted(of_side, side, beyond), why)
    part = results["at"].to_numpy()
    why = np.where((why < 0) & ~half["in_games"], _shifted(of_part, part, beyond + len(side_words)), why)
    reason = codes.words([*half["words"], *side_words, *part_words], why)
    rows = results[[*KEY, "start_no", "round", "file", "line"]]
    return CELLS.build(rows.assign(player_id=coded.column(who, ids), outcome=outcome, reason=reason))


def _outcomes(outcomes: pd.Series, side: np.ndarray) -> tuple[pd.Series, np.ndarray]:
    """The outcome of each cell by its side, `none` without one; and where it is none."""
    code, known = codes.encode(outcomes)
    at = np.append(code, len(known))[side]
    named = [*known, "none"]
    return codes.words(named, at), np.array([name == "none" for name in named])[at]


def _shifted(code: np.ndarray, at: np.ndarray, beyond: int) -> np.ndarray:
    """The codes at these positions as positions behind `beyond` other words; -1 stays -1."""
    return codes.at(np.where(code >= 0, code + beyond, codes.NONE), at)


def _with_positions(frames: Mapping[str, pd.DataFrame]) -> tuple[dict[str, pd.DataFrame], pd.Series]:
    """Results, games and sides with `at`, the position of their part, who plays, and the rows of results that they
    are; and the ids of the players."""
    games, sides, tournaments = frames["games"], frames["sides"], frames["tournaments"]
    _, ids = codes.encode(pd.concat([games["white_id"], games["black_id"]]))
    who = {f"{colour}_who": codes.place(games[f"{colour}_id"], ids) for colour in ("white", "black")}
    found = {
        "results": frames["results"],
        "games": games.assign(**who),
        "sides": sides.assign(who=codes.place(sides["player_id"], ids)),
    }
    found = {name: frame.assign(at=codes.part(frame, tournaments)) for name, frame in found.items()}
    results, games, sides = found["results"], found["games"], found["sides"]
    for name in ("white", "black"):
        games[f"{name}_cell"] = _rows(games, results, games[f"{name}_no"], results["start_no"])
    half = _half(games, results)
    sides["cell"] = _rows(sides, results, sides["who"], half["who"])
    return {"tournaments": tournaments, **found}, ids


def _rows(frame: pd.DataFrame, results: pd.DataFrame, one: pd.Series, other: pd.Series | np.ndarray) -> np.ndarray:
    """The row of results with the same part, round and third number; -1 where there is no number."""
    third = one.to_numpy("int64", na_value=codes.NONE)
    numbers = third + 1, np.asarray(other, "int64") + 1
    keys, among = codes.joint((frame["at"], results["at"]), (frame["round"], results["round"]), numbers)
    return np.where(third >= 0, codes.match(keys, among), codes.NONE)


def _half(games: pd.DataFrame, results: pd.DataFrame) -> dict[str, np.ndarray | pd.Series]:
    """For each reported cell its half of a game: `in_games` or not, `who` (position of the player), `why` not rated
    (position in `words`).

    Raises ContractError if a half is not the cell that it says, or a cell stands in two games.
    """
    there = games["black_no"].notna().to_numpy()
    cell = np.concatenate([games["white_cell"], games["black_cell"].to_numpy()[there]])
    game = np.concatenate([np.arange(len(games)), np.flatnonzero(there)])
    numbers = np.concatenate([games["white_no"], games["black_no"].to_numpy("int64", na_value=0)[there]])
    _same("game", cell, results, {"at": games["at"].to_numpy()[game], "round": games["round"].to_numpy()[game],
                                  "start_no": numbers})  # fmt: skip
    of_cell = _each_once("game", cell, game, len(results))
    who = np.full(len(results), codes.NONE, "int64")
    who[cell] = np.concatenate([games["white_who"], games["black_who"].to_numpy()[there]])
    why, words = codes.encode(games["reason"])
    return {"in_games": of_cell >= 0, "who": who, "why": codes.at(why, of_cell), "words": words}


def _sides(sides: pd.DataFrame, results: pd.DataFrame, who: np.ndarray) -> np.ndarray:
    """The side of each cell, -1 for none; `who` plays it. Raises ContractError as `_half`."""
    cell = sides["cell"].to_numpy()
    _same("side", cell, results.assign(who=who), {name: sides[name].to_numpy() for name in ("at", "round", "who")})
    return _each_once("side", cell, np.arange(len(sides)), len(results))


def _same(what: str, cell: np.ndarray, results: pd.DataFrame, said: Mapping[str, np.ndarray]) -> None:
    """Raises ContractError unless these rows of results say the same."""
    if (cell < 0).any() or any((results[name].to_numpy()[cell] != values).any() for name, values in said.items()):
        raise ContractError(f"a {what} is not of the cell that it names")


def _each_once(what: str, cell: np.ndarray, row: np.ndarray, count: int) -> np.ndarray:
    """The row that has each of `count` cells, -1 for none; raises ContractError if two have the same."""
    found = np.full(count, codes.NONE, "int64")
    found[cell] = row
    if np.count_nonzero(found >= 0) < len(cell):
        raise ContractError(f"a cell stands in two {what}s")
    return found


def check(frames: Mapping[str, pd.DataFrame], ids: pd.Series, published: pd.DataFrame) -> None:
    """Raises ContractError unless the month closes: cells, sides, sums, players, ledger."""
    sides, games, found = frames["sides"], frames["games"], frames["cells"]
    _equal("played games x 2 and sides", 2 * int(games["played"].sum()), len(sides))
    for outcome in ("rated", "pool"):
        _equal(f"{outcome} cells and sides", (found["outcome"] == outcome).sum(), (sides["outcome"] == outcome).sum())
    unexplained = (found["outcome"] == "none").to_numpy(bool) & found["reason"].isna().to_numpy()
    if unexplained.any():
        raise ContractError(f"a cell is lost: {found[unexplained].iloc[0].to_dict()}")
    _equal("reported cells and cells", len(frames["results"]), len(found))
    rated = (sides["outcome"] == "rated").to_numpy(bool)
    who, ids = codes.narrowed(sides["who"].to_numpy()[rated], ids)
    sums = codes.sums(who, sides["dr_c"].to_numpy("int64", na_value=0)[rated], len(ids))
    sums = pd.DataFrame({"player_id": ids, "sum": sums})
    for name in ("event_changes", "changes"):
        if not _sums(frames[name], "dr_c").equals(sums):
            raise ContractError(f"the sums of sides and {name} differ")
    _ledger(frames["rating_list"], frames["trail"], published)


def _sums(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """The sum of a column by player, in the order of the ids."""
    who, ids = codes.encode(rows["player_id"])
    return pd.DataFrame({"player_id": ids, "sum": codes.sums(who, rows[column].to_numpy("int64"), len(ids))})


def _ledger(rating_list: pd.DataFrame, trail: pd.DataFrame, published: pd.DataFrame) -> None:
    """Prior rating + amounts = next rating, for everybody on one of the two lists; nobody is lost."""
    place = _still_there(published["player_id"], rating_list)
    removed = trail.loc[trail["entry"].isin(["removed", "merge"]), "player_id"]
    lost = published["player_id"][place < 0]
    unsaid = ~codes.isin(lost, removed)
    if unsaid.any():
        raise ContractError(f"player {lost[unsaid].iloc[0]} of the prior list is lost")
    # Everybody: the players of the new list, then those who left it, then nobody's entries.
    moved = _sums(trail, "amount")
    everybody = pd.concat([rating_list["player_id"], lost], ignore_index=True)
    place[place < 0] = len(rating_list) + np.arange(len(lost))
    balance = np.append(-rating_list["rating"].to_numpy("int64", na_value=0), np.zeros(len(lost), "int64"))
    balance[place] += published["rating"].to_numpy("int64", na_value=0)
    at = codes.place(moved["player_id"], everybody)
    balance[at[at >= 0]] += moved["sum"].to_numpy()[at >= 0]
    open_ = [*everybody[balance != 0], *moved.loc[(at < 0) & (moved["sum"] != 0), "player_id"]]
    if open_:
        raise ContractError(f"the ledger of player {open_[0]} does not balance")


def _still_there(published: pd.Series, rating_list: pd.DataFrame) -> np.ndarray:
    """Where the players of the prior list stand on the new one, -1 for who is not on it.

    The list may say of each row where it stood (`was`, -1: new): that is checked and used, else all are looked up.
    """
    if "was" not in rating_list:
        return codes.place(published, rating_list["player_id"])
    was = rating_list["was"].to_numpy()
    now = np.flatnonzero(was >= 0)
    then = was[now]
    place = np.full(len(published), codes.NONE, "int64")
    place[then] = now
    ids, before = coded.arrow(rating_list["player_id"]), coded.arrow(published)
    if np.bincount(then, minlength=1).max() > 1 or not ids.take(pa.array(now)).equals(before.take(pa.array(then))):
        raise ContractError("a player of the new list stood elsewhere on the prior list than it says")
    return place


def _equal(what: str, one: int, other: int) -> None:
    if one != other:
        raise ContractError(f"{what}: {one} and {other}")
