"""What a rule book may say: its sections, its values, and the named kinds of rules that have a shape of their own.

Every value stands with its unit, its clause (or source; "silent" where the text says nothing), a confidence and a note.
A rule that changes its shape through time is a kind: another set of keys, chosen by `kind`, done by a function of that
name. Nothing is optional but confidence, note and the conditions of K.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Literal

import msgspec

CONDITIONS = ("peak_from", "peak_below", "age_until", "games_from", "games_below")
RatingType = Literal["standard", "rapid", "blitz"]


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Unknown keys are refused, at every level."""


class Stated(Strict, kw_only=True):
    """What stands beside each value."""

    clause: str
    confidence: Literal["A", "B", "C"] = "A"
    note: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether the text is silent about the value, or its confidence is below A."""
        return self.clause == "silent" or self.confidence != "A"


class Number(Stated, kw_only=True):
    value: int
    unit: str


class Limit(Stated, kw_only=True):
    """A number, or "none" where there is no such limit."""

    value: int | Literal["none"]
    unit: str

    @property
    def number(self) -> int | None:
        return None if self.value == "none" else self.value


class Word(Stated, kw_only=True):
    value: str


class Shape(Stated, tag_field="kind", kw_only=True):
    """A rule of a kind: its keys depend on `kind`, and clause, confidence and note stand for the kind itself."""

    @property
    def value(self) -> str:
        return self.__struct_config__.tag


class Whole(Strict):
    """A file as a whole: its values by key."""

    def stated(self) -> Iterator[tuple[str, Stated]]:
        """Each value with its key, in the order of the file; a kind as `initial.kind`, a row of K as `k.junior`."""
        return _stated(self)

    def is_doubtful(self, key: str) -> bool:
        """Whether the text is silent about a value, or its confidence is below A."""
        return dict(self.stated())[key].is_doubtful


def _stated(value: msgspec.Struct, path: str = "") -> Iterator[tuple[str, Stated]]:
    for name in value.__struct_fields__:
        part, key = getattr(value, name), f"{path}.{name}".lstrip(".")
        if isinstance(part, tuple) and part and isinstance(part[0], Stated):
            yield from ((f"{key}.{row.name}", row) for row in part)
        elif isinstance(part, Number | Limit | Word):
            yield key, part
        elif isinstance(part, msgspec.Struct):
            if isinstance(part, Shape):
                yield f"{key}.kind", part
            yield from _stated(part, key)


# --- read at the tournament's start ----------------------------------------------------------------------------------


class Table(Shape, tag="table"):
    """Expected score by table 8.1.2, in hundredths of a point."""

    opponent: Word


class Curve(Shape, tag="curve"):
    """Expected score 1 / (1 + odds ^ (-D / spread)), in whole parts of a point."""

    parts: Number
    odds: Number
    spread: Number
    opponent: Word


class Minutes(Strict):
    """Minutes that each player needs if a player of the game is rated at least `rated_from` (1.1)."""

    rated_from: int
    minutes: int


class Seconds(Strict):
    """The seconds of a rating type: more than, less than."""

    rating_type: RatingType
    more_than: int
    less_than: int


class Unchecked(Shape, tag="unchecked"):
    """Time controls are not checked."""


class Minimum(Shape, tag="minimum"):
    """Each player needs a time at least, by the higher rating of the game (1.1, 1.2)."""

    moves: Number
    first_control_moves: Number
    bands: tuple[Minutes, ...]
    unrated_player: Word
    approved: tuple[str, ...]
    approval: Word


class Between(Shape, tag="between"):
    """Each player's time lies between two limits, and both have the same."""

    moves: Number
    limits: tuple[Seconds, ...]
    clocks: Word


class AnyDistance(Shape, tag="none"):
    """No game is left out for the difference of its ratings."""


class Apart(Shape, tag="difference"):
    """Games of players too far apart are not rated, if one of them is above a rating."""

    difference_from: Number
    rated_above: Number
    rating: Word


class Game(Strict):
    """The difference of two ratings (8.3.1)."""

    max_difference: Number
    max_difference_below: Number
    difference_kind: Word
    own_rating: Word
    effective_by: Word
    too_far_apart: AnyDistance | Apart


class Match(Strict):
    """Matches (6)."""

    with_unrated: Word
    decided: Word


class RoundRobin(Strict):
    """Round robins with unrated players."""

    with_unrated: Word


class NoSeed(Shape, tag="none"):
    """A player without a rating on the list is unrated."""


class OtherList(Shape, tag="other_list"):
    """A player without a rating on this list is rated with the rating of another list, if there is one."""

    rating_type: Word
    base: Word
    k: Word
    publish: Word


# --- read at the list date -------------------------------------------------------------------------------------------


class Period(Strict):
    """Lists, closing, change, floor, activity."""

    months: Number
    first_month: Number
    closing_days: Number
    official_closing_days: Number
    late_lists: Limit
    max_days: Limit
    max_kn: Limit
    k_list: Word
    rounding: Word
    floor: Number
    after_floor: Word
    rated_at_start_only: Word
    one_sided_rating: Word
    inactive_after: Number


class Initial(Shape):
    """First ratings: what all kinds have (7.1.4, 8.2)."""

    min_games: Number
    min_event_games: Number
    max_rating: Limit
    min_rating: Number
    pool_periods: Number
    void_below: Number
    void_event: Word
    p_ties: Word
    ru_ties: Word


class AddedDraws(Initial, tag="added_draws"):
    """Ra and p with drawn games against invented opponents added; Ru = Ra + dp (2024)."""

    draws: Number
    draws_against: Number


class HalfPoints(Initial, tag="half_points"):
    """Ru = Ra at 50 %, so much more for each half point above, Ra + dp below (until 2024)."""

    per_half_point: Number


class K(Stated, kw_only=True):
    """Read whenever a list is written: one row, the first that matches gives K (8.3.3)."""

    name: str
    k: int
    peak_from: int | None = None
    peak_below: int | None = None
    age_until: int | None = None
    games_from: int | None = None
    games_below: int | None = None

    @property
    def value(self) -> int:
        return self.k

    @property
    def conditions(self) -> dict[str, int]:
        """The conditions of the row that are filled in."""
        return {name: getattr(self, name) for name in CONDITIONS if getattr(self, name) is not None}


class KOrder(Strict):
    """How the K rows are read."""

    order: Word
    games_counted: Word
    junior_ends: Word
    unknown_birth_year: Word


class Adopt(Strict):
    """What `adopt` assumes of a list that somebody else published."""

    peak_of_top_k: Word
    junior_without_games: Word


class Tables(Strict):
    """The tables, as files beside the books."""

    pd: str
    dp: str
    clause: str


# --- a one-off -------------------------------------------------------------------------------------------------------


class Towards(Shape, tag="towards"):
    """Ratings below `below` move towards it by `share`."""

    below: Number
    share: Number
    when: Word
    first_ratings: Word


class OneOff(Whole, rename={"list_": "list"}):
    """A transform of all ratings of one list."""

    id: str
    title: str
    list_: dt.date
    source: str
    systems: tuple[str, ...]
    transform: Towards
