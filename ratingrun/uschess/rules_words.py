"""The sentence for each value of a US Chess book. A test holds that every key and every word has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SECTIONS = {
    "effective": "Effective games",
    "special": "The special formula (few games, or all won, or all lost)",
    "standard": "The standard formula",
    "dual": "Dual-rated sections: K in the Regular pool",
    "bonus": "The bonus",
    "floor": "Floors",
    "start": "Start ratings by age",
    "blend": "Start ratings from other ratings",
    "fide": "FIDE ratings on the US Chess scale",
    "cfc": "CFC ratings on the US Chess scale",
    "fide_youth": "FIDE ratings of opponents in foreign youth events",
    "classes": "Pools",
    "match": "Matches of two players",
    "period": "The list",
}
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PLACES = {"otb": "Over the board", "online": "Online"}
NO_CONVERSION = "There is no conversion."

# key -> sentence with {}, or the sentence for each word.
SENTENCES: dict[str, str | dict[str, str]] = {
    "effective.numerator": "N*, the games that a rating counts for at most, is {} / root.",
    "effective.constant": "The root is the square root of {} + factor x (zero - R) squared.",
    "effective.factor": "The factor under the root is {}.",
    "effective.zero_at": "The zero under the root is {}.",
    "effective.up_to": "N* is computed so for ratings up to {}.",
    "effective.most": "For higher ratings N* is {}.",
    "special.games": "A player with {} earlier games or fewer has the special formula.",
    "special.width": "From {} points above the opponent a win is expected for certain, as far below a loss; between, "
    "on a straight line.",
    "special.history_shift": "Who won, or lost, all earlier games has a prior {} points lower, or higher, with all of "
    "its points, or none.",
    "special.history": {
        "rated_games": "Whether all were won, or lost, is asked of the rated games in the pool.",
    },
    "special.first_look_games": "In the first look at a newcomer the start rating counts for {} game.",
    "special.most": "The formula gives {} at most.",
    "special.tolerance": "Sums of scores closer than {} are the same.",
    "standard.k": "K = {} / (effective games + m).",
    "standard.scale": "The expected score of a game is 1 / (1 + 10 to the power of (opponent - R) / {}), whatever the "
    "difference.",
    "standard.established_after": "A rating on more than {} games is established; any other is provisional.",
    "dual.above": "For ratings above {} only a share of K counts.",
    "dual.until": "The share falls on a straight line up to a rating of {}.",
    "dual.intercept": "On that line the share is {} - slope x R.",
    "dual.slope": "The slope of the line is {} a rating point.",
    "dual.least": "From the end of the line on the share is {}.",
    "bonus.multiplier": "What a player gains above {} x the square root of m is added once more.",
    "bonus.effective_by": {
        "section_start": "The number is that of the section's first day.",
    },
    "bonus.least_root": "Under the root m counts for {} at least.",
    "bonus.many_games": "With more than {} games a player may have a bonus.",
    "bonus.many_meetings": "With so many games the most that may be with one opponent: {}.",
    "bonus.few_games": "With just {} games a player may have a bonus, too.",
    "bonus.few_meetings": "With just so many games the most that may be with one opponent: {}.",
    "floor.absolute": "No rating is below {}.",
    "floor.base": "A player's own absolute floor begins at {}.",
    "floor.win": "Points that a win adds to it: {}.",
    "floor.draw": "Points that a draw adds to it: {}.",
    "floor.event": "Points that an event adds to it: {}.",
    "floor.event_games": "Such an event has at least {} rated games of the player.",
    "floor.personal_most": "The own absolute floor is {} at most.",
    "floor.peak_drop": "The floor of the highest established rating, rounded, lies {} points below it.",
    "floor.step": "It is rounded down to a multiple of {}; the floor of a cash prize is rounded up to one.",
    "floor.peak_least": "Below {} there is no floor of the highest rating.",
    "floor.peak_most": "The floor of the highest rating is {} at most.",
    "floor.life_master": "The floor of an original life master is {}.",
    "floor.prize_most": "The floor of a cash prize is {} at most.",
    "floor.prize_least": "A prize below {} dollars gives no floor.",
    "floor.personal_pools": "The own absolute floor holds in: {}.",
    "floor.peak_pools": "The floor of the highest rating holds in: {}.",
    "floor.life_master_pools": "The floor of life masters holds in: {}.",
    "start.year_days": "Age on the section's last day: days since birth / {}.",
    "start.young": "The lowest start rating holds below the age of {}.",
    "start.young_rating": "The lowest start rating is {}.",
    "start.a_year": "From that age on the start rating is {} x age.",
    "start.adult": "The start rating of adults holds above the age of {}.",
    "start.adult_rating": "The start rating of adults is {}; also with an adult membership and no credible birth date.",
    "start.credible": "An age below {} is taken for an error of the birth date.",
    "start.minor_rating": "Without a credible birth date and without an adult membership the start rating is {}.",
    "blend.kind": {
        "weighted": "Who has other ratings starts from their weighted average.",
        "none": "Other ratings do not count for the start: it is by age.",
    },
    "blend.regular_factor": "Weight of a Regular rating: {} games at most.",
    "blend.kindred_factor": "Weight of a Quick or Blitz rating for the same pool online: {} games at most.",
    "blend.other_factor": "Weight of any other US Chess rating: {} games at most.",
    "blend.fide_factor": "Weight of a FIDE rating: {} games.",
    "blend.fide_high_factor": "Weight of a high FIDE rating: {} games.",
    "blend.fide_high_above": "A FIDE rating is high above {}.",
    "blend.cfc_factor": "Weight of a CFC rating: {} games.",
    "blend.decay": "A weight falls with the years since the rating's day: x exp({} x (Z - limit of Z) x years).",
    "blend.z_most": "The limit of Z is {}.",
    "blend.z_scale": "Z = (rating - start rating by age on its day) / {}.",
    "blend.games_most": "The start rating counts for the sum of the weights, rounded up: {} games at most.",
    "match.most_apart": "The two are {} points apart at most.",
    "match.most": "A match gives or takes {} points at most.",
    "match.short_days": "Short span, over which all matches count together: {} days.",
    "match.short_most": "In the short span matches give or take {} points net at most.",
    "match.long_years": "Long span, over which all matches count together: {} years.",
    "match.long_most": "In the long span matches give or take {} points net at most.",
    "match.floor_step": "A result below the floor takes {} points off the floor.",
    "period.closing_weekday": "The list is closed on a {} of the month before.",
    "period.closing_week": "It is no. {} of these days in that month.",
}


def sentence(key: str, value: Any) -> str:
    """What a value says."""
    if key == "classes":
        return _classes(value)
    if key not in SENTENCES:
        return _conversion(value)
    words = SENTENCES[key]
    if isinstance(words, dict):
        return words[value]
    if key == "period.closing_weekday":
        return words.format(DAYS[value])
    return words.format(_pools(value) if isinstance(value, Sequence) else number(value))


def number(value: float) -> str:
    """A number as people write it, without a power of ten: 800, 0.00000739."""
    text = f"{value:.12f}".rstrip("0").rstrip(".")
    return text if float(text) == value else repr(value)


def _pools(names: Iterable[str]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)


def _conversion(lines: Sequence[Mapping[str, Any]]) -> str:
    """The stretches of a conversion: `up to 2000: 0.94 x rating + 180`."""
    if not lines:
        return NO_CONVERSION
    parts = []
    for line in lines:
        ends = {"up_to": "up to", "below": "below"}
        limit = [f"{word} {number(line[end])}: " for end, word in ends.items() if line.get(end) is not None]
        sign = "-" if line["plus"] < 0 else "+"
        times = "" if line["times"] == 1 else f"{number(line['times'])} x "
        rest = "above: " if not limit and len(lines) > 1 else ""
        parts.append(f"{limit[0] if limit else rest}{times}rating {sign} {number(abs(line['plus']))}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _classes(rows: Sequence[Mapping[str, Any]]) -> str:
    """Which pools rate which time control, a part a place."""
    parts = []
    for place in dict.fromkeys(row["place"] for row in rows):
        ours = [_class(row) for row in rows if row["place"] == place]
        parts.append(f"{PLACES.get(place, place)}: {'; '.join(ours)}.")
    return "T is the main minutes + the seconds of delay or increment. " + " ".join(parts)


def _class(row: Mapping[str, Any]) -> str:
    span = f"T {row['from']} or more" if row.get("to") is None else f"T {row['from']} to {row['to']}"
    pools = " and ".join(_pools([name]) for name in row["pools"])
    return f"{span} {pools} ({row['main_least']} minutes at least)"
