"""What a book of the US Chess system may say: a class a section, strict at every level."""

from __future__ import annotations

import msgspec

from ratingrun import rulebooks
from ratingrun.rulebooks import Number, Word


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Unknown keys are refused, at every level."""


class Real(rulebooks.Number, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number that need not be whole."""

    value: float


class Words(Strict, kw_only=True):
    """Words of a vocabulary, for example pools."""

    value: tuple[str, ...]
    clause: str
    confidence: str = "A"
    note: str = ""


class Effective(Strict):
    """Effective games: N* = numerator / sqrt(constant + factor x (zero_at - R)^2), `most` above `up_to`."""

    numerator: Real
    constant: Real
    factor: Real
    zero_at: Real
    up_to: Real
    most: Real


class Special(Strict):
    """The special formula: who gets it, the width of its straight line, the prior of an all-won or all-lost history."""

    games: Number
    width: Real
    history_shift: Real
    history: Word
    first_look_games: Number
    most: Real
    tolerance: Real


class Standard(Strict):
    """The standard formula: K = k / (N' + m); the curve's scale."""

    k: Real
    scale: Real
    established_after: Number


class Dual(Strict):
    """K of dual-rated events in the Regular pool: full up to `above`, a line to `until`, `least` x K from there on."""

    above: Real
    until: Real
    intercept: Real
    slope: Real
    least: Real


class Bonus(Strict):
    """The bonus: max(0, change - multiplier x sqrt(max(m, least_root))), and who may have it."""

    multiplier: Real
    effective_by: Word
    least_root: Number
    many_games: Number
    many_meetings: Number
    few_games: Number
    few_meetings: Number


class Floor(Strict):
    """Floors: absolute, personal, by the highest established rating, life master, cash prize."""

    absolute: Number
    base: Number
    win: Number
    draw: Number
    event: Number
    event_games: Number
    personal_most: Number
    peak_drop: Number
    step: Number
    peak_least: Number
    peak_most: Number
    life_master: Number
    prize_most: Number
    prize_least: Number
    personal_pools: Words
    peak_pools: Words
    life_master_pools: Words


class Start(Strict):
    """Start rating by age."""

    year_days: Real
    young: Real
    young_rating: Real
    a_year: Real
    adult: Real
    adult_rating: Real
    credible: Real
    minor_rating: Real


class Blend(Strict):
    """Start rating from other ratings: weight = factor x exp(decay x (min(z_most, (X - P) / z_scale) - z_most) x t)."""

    kind: Word
    regular_factor: Number
    kindred_factor: Number
    other_factor: Number
    fide_factor: Number
    fide_high_factor: Number
    fide_high_above: Number
    cfc_factor: Number
    decay: Real
    z_most: Real
    z_scale: Real
    games_most: Number


class Line(Strict):
    """A stretch of a conversion: plus + times x rating, for ratings up to `up_to`, or below `below`, or all."""

    plus: float
    times: float
    up_to: float | None = None
    below: float | None = None


class Conversion(Strict):
    """The stretches of a conversion; the first that holds a rating decides. None: no conversion under this book."""

    lines: tuple[Line, ...]
    clause: str
    confidence: str = "A"
    note: str = ""


class Class(Strict, kw_only=True, rename={"from_": "from"}):
    """A class of time controls: T = main minutes + seconds of delay or increment, from .. to (None: open)."""

    name: str
    place: str
    from_: int
    to: int | None = None
    main_least: int
    pools: tuple[str, ...]


class Classes(Strict):
    """The classes of time controls; in a class of two pools the first has the reduced K of dual-rated events."""

    rows: tuple[Class, ...]
    clause: str
    confidence: str = "A"
    note: str = ""


class Match(Strict):
    """Matches of two players: who may play one, and how much it may give."""

    most_apart: Real
    most: Real
    short_days: Number
    short_most: Real
    long_years: Number
    long_most: Real
    floor_step: Number


class Period(Strict):
    """The monthly list: which weekday (Monday 0) of the month before closes it, and the how manieth of that month."""

    closing_weekday: Number
    closing_week: Number
