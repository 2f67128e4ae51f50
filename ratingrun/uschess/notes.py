"""Notes on what a run of sections did: start values, matches, foreign events, prizes, doubtful values of the book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import pandas as pd

from ratingrun import findings
from ratingrun.stages.reports import KEY
from ratingrun.uschess import formulas
from ratingrun.uschess.books import Book
from ratingrun.uschess.record import Rated

WORDS = {
    "match_players": "a match has two players",
    "match_not_established": "both must be established and published",
    "match_too_far_apart": "the ratings are too far apart",
    "not_established": "the member has no established rating",
    "opponent_unrated": "the opponent has no FIDE rating",
}
OTHER = ("not_established", "opponent_unrated")  # in foreign events


class Given(Protocol):
    """What is asked of the inputs."""

    floors: pd.DataFrame


def of(rated: Rated, month: Mapping[str, pd.DataFrame], inputs: Given, book: Book) -> pd.DataFrame:
    """U303 start values; U306, U309 games that are not rated; U307, U308 matches; U310 prizes; B301 doubtful values."""
    steps = rated.steps.rename(columns={"event_id": "tournament_id", "section": "part"})
    where = month["us_sections"][[*KEY, "file"]]
    steps = steps.merge(where, on=KEY, how="left")
    sides = month["us_sides"].merge(where, on=KEY, how="left")
    lost = sides[(sides["outcome"] == "none") & (sides["player_id"] < sides["opponent_id"])]
    foreign = sides[(sides["outcome"] == "none") & sides["reason"].isin(OTHER)]
    lost = lost[~lost["reason"].isin(OTHER)]
    new = steps[steps["start_by"].notna()]
    limited = steps[(steps["limited"] - steps["final"]).abs() > 0]
    below = steps[steps["below"].astype(bool)]
    by_history = steps["special"].astype(bool) & (steps["n_before"] > book.special.games.value)
    floors = inputs.floors
    small = floors[(floors["kind"] == "prize") & (floors["amount"] < book.floor.prize_least.value).fillna(False)]
    peaks = int((formulas.peak_floor(month["us_state"]["peak"].to_numpy(), book.floor) > 0).sum())
    return findings.join(
        [
            findings.of("U303", new.assign(start=_points(new["before"]), n=new["n_before"].astype("int64"),
                                           by=new["start_by"])),
            findings.of("U306", lost.assign(why=lost["reason"].map(WORDS))),
            findings.of("U309", foreign.assign(why=foreign["reason"].map(WORDS))),
            findings.of("U307", limited.assign(raw=_points(limited["final"]), limited=_points(limited["limited"]))),
            findings.of("U308", below.assign(rating=_points(below["rating"])), step=book.match.floor_step.value),
            findings.of("U310", small, file="floors.csv", least=book.floor.prize_least.value),
            _rests_on(book, "floor.peak_pools", peaks),
            _rests_on(book, "bonus.effective_by", int((steps["bonus"] > 0).sum())),
            _rests_on(book, "special.history", int(by_history.sum())),
        ]
    )  # fmt: skip


def _points(values: pd.Series) -> pd.Series:
    return pd.Series(np.char.mod("%.2f", values.to_numpy("float64")), index=values.index, dtype="str")


def _rests_on(book: Book, key: str, count: int) -> pd.DataFrame:
    """B301 if figures rest on a value of the book that the specification does not say."""
    value = dict(book.stated())[key]
    if not count or value.confidence == "A":
        return findings.none()
    said = value.value if isinstance(value.value, str) else ",".join(value.value)
    return findings.of("B301", book=book.id, key=key, count=count, value=said, clause=value.clause,
                       confidence=value.confidence, note=value.note)  # fmt: skip
