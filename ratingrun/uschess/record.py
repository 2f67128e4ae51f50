"""What a run of sections remembers of its calculation, level by level, and the frames that it becomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ratingrun.frames import POOLS
from ratingrun.uschess.starts import BY

KEY = ["event_id", "section"]
PARTS = (
    "before", "n_before", "n_eff", "m", "score", "expected", "k", "gain", "bonus", "first_look", "middle", "final",
    "limited", "floor", "rating", "special", "below",
)  # fmt: skip
GAMES = ("job", "player", "opponent", "round", "score", "reason")


@dataclass(frozen=True)
class Rated:
    """What a run of sections gives: `state` (player_id, pool, columns of STATE), `steps` a row a player, section and
    pool, `sides` a row each side of a game and pool (reason "": rated), `matches` a row a player and match."""

    state: pd.DataFrame
    steps: pd.DataFrame
    sides: pd.DataFrame
    matches: pd.DataFrame


class Record:
    """Grows while sections are rated. A job is a section in a pool."""

    def __init__(self) -> None:
        self.steps: list[dict[str, np.ndarray]] = []
        self.sides: list[dict[str, np.ndarray]] = []
        self.matches: list[tuple[int, int, float]] = []

    def not_rated(self, sides: Mapping[str, np.ndarray], which: np.ndarray) -> None:
        """The sides that are not rated, with their reason."""
        if which.any():
            self.sides.append({name: sides[name][which] for name in GAMES})

    def rated(
        self,
        sides: Mapping[str, np.ndarray],
        job: np.ndarray,
        player: np.ndarray,
        by: np.ndarray,
        book: int,
        found: Mapping[str, np.ndarray],
        entry: np.ndarray,
    ) -> None:
        """The entries of a level (`job`, `player`, start value `by`) with their parts, and their games."""
        parts = {name: found[name] for name in PARTS}
        self.steps.append({"job": job, "player": player, "by": by, "book": np.full(len(job), book), **parts})
        games = {"r": found["before"][entry], "expected": found["game_expected"]}
        games |= {name: found[name] for name in ("r_first", "r_opp")}
        self.sides.append({name: sides[name] for name in GAMES} | games)

    def match(self, job: int, player: int, change: float) -> None:
        """What a match gave a player."""
        self.matches.append((job, player, change))

    def frames(
        self,
        sections: pd.DataFrame,
        place: np.ndarray,
        pool: np.ndarray,
        everybody: pd.Index,
        books: Sequence[str],
        values: Mapping[str, np.ndarray],
    ) -> Rated:
        """The frames, in the order of rating. `place` and `pool` are those of the jobs; `values` has a row a pool."""
        pools, players = np.array(POOLS, object), everybody.to_numpy(object)

        def named(rows: pd.DataFrame) -> pd.DataFrame:
            job, player = rows["job"].to_numpy("int64"), rows["player"].to_numpy("int64")
            facts = {name: sections[name].to_numpy()[place[job]] for name in [*KEY, "start", "end"]}
            facts |= {"pool": pools[pool[job]], "seq": place[job] + 1, "player_id": players[player]}
            return rows.drop(columns=["job", "player"]).assign(**facts)

        steps = _joined(self.steps, ["job", "player", "by", "book", *PARTS])
        steps = steps.sort_values(["job", "player"], kind="stable", ignore_index=True)
        steps["formula"] = np.where(steps["special"].astype(bool), "special", "standard")
        steps["start_by"] = pd.Series([None if by < 0 else BY[int(by)] for by in steps["by"]], dtype="str")
        steps["book"] = pd.Series([books[int(one)] for one in steps["book"]], dtype="str")
        sides = _joined(self.sides, [*GAMES, "r", "r_first", "r_opp", "expected"])
        sides = sides.sort_values(["job", "player", "round", "opponent"], kind="stable", ignore_index=True)
        sides["opponent_id"] = players[sides["opponent"].to_numpy("int64")]
        matches = pd.DataFrame(self.matches, columns=["job", "player", "change"])
        at, who = np.nonzero(~np.isnan(values["rating"]))
        state = pd.DataFrame(
            {"player_id": players[who], "pool": pools[at]} | {n: v[at, who] for n, v in values.items()}
        )
        return Rated(state, named(steps), named(sides), named(matches))


def _joined(parts: Sequence[Mapping[str, np.ndarray]], names: Sequence[str]) -> pd.DataFrame:
    """Arrays of many levels as one frame."""
    columns = {}
    for name in names:
        pieces = [part[name] if name in part else np.full(len(part["job"]), np.nan) for part in parts]
        columns[name] = np.concatenate(pieces) if pieces else np.array([])
    return pd.DataFrame(columns)
