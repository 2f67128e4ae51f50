"""The sentence for each value of a rule book. A test holds that every key and every word has one."""

from __future__ import annotations

from ratingrun import formulas
from ratingrun.rulebooks import shapes

MINUTE = 60
HIGHEST = 3999  # no rating is higher

# key -> sentence with {}, or the sentence for each word or kind ("none" where there is no limit).
SENTENCES: dict[str, str | dict[str, str]] = {
    "rating_types": "The book makes these lists: {}.",
    "tables.pd": "Scoring probabilities by rating difference are those of the table {}.",
    "tables.dp": "Rating differences by share of points are those of the table {}.",
    "tables.clause": "",
    "expected.kind": {
        "table": "The expected score of a game is read from the table, in hundredths of a point.",
        "curve": "The expected score of a game is computed from a logistic curve.",
    },
    "expected.parts": "Expected scores are counted in {}ths of a point.",
    "expected.odds": "The odds that the curve multiplies by: {} to 1.",
    "expected.spread": "A difference of {} points multiplies the odds once.",
    "expected.opponent": {
        "each_game": "Each game is expected against the rating of its opponent.",
        "average_of_event": "All games of a tournament are expected against the average rating of its opponents.",
    },
    "time_control.kind": {
        "unchecked": "Time controls are not checked.",
        "minimum": "Each player needs a time at least, by the higher of the two ratings.",
        "between": "The time of a player must lie between two limits.",
    },
    "time_control.moves": "Times are counted for {} moves, increments included.",
    "time_control.first_control_moves": "A first control that counts moves has at least {} of them.",
    "time_control.unrated_player": {"lowest_band": "An unrated player asks for the time of the lowest band."},
    "time_control.approved": "With an approval, {} may be rated too.",
    "time_control.approval": {
        "fast_classic": "The approval is the word fast_classic in the register.",
        "none": "No time control may be approved.",
    },
    "time_control.clocks": {
        "equal": "Both players must have the same time.",
        "any": "The two players may have different times.",
    },
    "game.max_difference": "A difference of more than {0} points counts as {0}.",
    "game.max_difference_below": "That holds for players rated below {} themselves.",
    "game.difference_kind": {
        "every_game": "It holds in every game.",
        "greatest_of_event": "It holds in one game of a player in a tournament, the one with the greatest difference.",
    },
    "game.own_rating": {"used_in_game": "The player's own rating that decides this is the one used in the game."},
    "game.effective_by": {
        "tournament_start": "The book binds tournaments that start while it is in force; lists by their own date."
    },
    "game.too_far_apart.kind": {
        "none": "No game is left out for the distance of its ratings.",
        "difference": "A game of two players too far apart is not rated, for either of them.",
    },
    "game.too_far_apart.difference_from": "Too far apart: {} points or more.",
    "game.too_far_apart.rated_above": "Only if one of the two is rated above {}.",
    "game.too_far_apart.rating": {
        "at_start_or_seed": "The ratings are those of the tournament's start, or what stands in for them."
    },
    "match.with_unrated": {
        "not_rated": "A match with an unrated player is not rated.",
        "rated": "A match with an unrated player is treated as any event.",
    },
    "match.decided": {
        "more_than_half": "Games of a match of fixed length are not rated once a player has more than half the points.",
        "rated": "Games of a decided match are rated.",
    },
    "round_robin.with_unrated": {
        "as_any_event": "A round robin with unrated players is treated as any event.",
        "two_passes_not_sourced": "A round robin with unrated players was computed in two passes by a formula that is "
        "not sourced: such a report is refused.",
    },
    "seed.kind": {
        "none": "A player without a rating on this list is unrated.",
        "other_list": "A player without a rating on this list is rated with that of another list, if there is one.",
    },
    "seed.rating_type": "That other list is the {} list in force at the tournament's start.",
    "seed.base": {"first_event": "The change is added to the rating at the start of the first event of the period."},
    "seed.k": {"new_to_the_list": "K is that of somebody new to the list."},
    "seed.publish": {"at_once": "The rating is published with the first list, however few games there are."},
    "period.months": "The months from one list to the next: {}.",
    "period.first_month": "Lists are counted from month {} of the year.",
    "period.closing_days": "A tournament must end {} days before the list, or earlier.",
    "period.official_closing_days": "Official FIDE events may end as late as {} day(s) before the list.",
    "period.late_lists": {
        "": "A report that misses list no. {} after the end of the tournament is never rated.",
        "none": "A report may come in as late as it likes.",
    },
    "period.max_days": {
        "": "A tournament that lasts more than {} days is reported in parts.",
        "none": "A tournament of any length is reported as one.",
    },
    "period.max_kn": {
        "": "If K x games of the period is above {0}, K becomes the largest whole number for which it is not.",
        "none": "K does not depend on the number of games in the period.",
    },
    "period.k_list": {
        "prior": "K is the one published on the list just before.",
        "start": "K is the one of the list in force at the tournament's start.",
    },
    "period.rounding": {
        "period": "The change of the whole period is rounded once, .5 away from zero.",
        "tournament": "The change of each tournament is rounded, .5 away from zero.",
    },
    "period.floor": "A player whose rating falls below {} is unrated from that list on.",
    "period.after_floor": {"keep_games_and_peak": "The count of games and the highest published rating stay."},
    "period.rated_at_start_only": {
        "pool": "Who was rated at the start but not on the list just before: the own games count to a first rating.",
        "none": "Who was rated at the start but not on the list just before: the own games are not rated.",
    },
    "period.one_sided_rating": {
        "prior": "Who was unrated at the start but is on the list just before plays with the rating of that list; "
        "for the opponents that player is unrated."
    },
    "period.inactive_after": "A player is inactive after {} lists without a rated game.",
    "initial.kind": {
        "added_draws": "Drawn games against invented opponents are added; the rating is the average of the opponents "
        "plus the table's difference for the share of points.",
        "half_points": "The rating is the average of the opponents at 50 %, more for each half point above, and the "
        "table's difference less below.",
    },
    "initial.draws": "Drawn games added: {}.",
    "initial.draws_against": "Rating of the added opponents: {}.",
    "initial.per_half_point": "Points for each half point above 50 %: {}.",
    "initial.min_games": "At least {} games against rated opponents are needed.",
    "initial.min_event_games": "Of an event, at least {} games against rated opponents; fewer do not count.",
    "initial.max_rating": {
        "": "A first rating is {} at most.",
        "none": "A first rating has no upper limit.",
    },
    "initial.min_rating": "A first rating below {} is not published; the games stay.",
    "initial.pool_periods": "Games of {} rating periods are counted together.",
    "initial.void_below": "An event with fewer than {} points is void.",
    "initial.void_event": {
        "first_only": "That holds for the first event only.",
        "leading": "That holds for all events up to the first that is not void.",
        "every": "That holds for every event.",
    },
    "initial.p_ties": {
        "half_up": "A share of points between two hundredths is rounded up.",
        "half_down": "A share of points between two hundredths is rounded down.",
    },
    "initial.ru_ties": {"half_up": "A first rating between two whole numbers is rounded up."},
    "k_order.order": {"first_match": "The first row that matches decides."},
    "k_order.games_counted": {
        "with_first_rating": "The games counted include those of the first rating.",
        "after_first_rating": "The games counted are those after the first rating.",
    },
    "k_order.junior_ends": {
        "end_of_year": "An age lasts to the end of the calendar year in which it is reached.",
        "start_of_year": "An age no longer counts in the year in which it is reached: only years of birth are known.",
    },
    "k_order.unknown_birth_year": {"not_junior": "Without a year of birth nobody is a junior."},
    "k": "The rows: {}.",
    "adopt.peak_of_top_k": {
        "limit_of_row": "A published K tells of the highest rating: at least the limit of its row."
    },
    "adopt.junior_without_games": {"limit_of_row": "A published K tells of the games: at least the limit of its row."},
}
CONDITIONS = {
    "peak_from": "whose highest published rating is {} or more",
    "peak_below": "whose published rating never reached {}",
    "age_until": "up to the age of {}",
    "games_from": "with {} games or more",
    "games_below": "with fewer than {} games",
}
HUNDREDTHS = ("initial.per_half_point", "initial.void_below")


def sentence(key: str, value: object, rating_type: str) -> str:
    """What a value says; empty if it says nothing about this list."""
    if key == "time_control.bands":
        return " ".join(f"{row['minutes']} minutes from a rating of {row['rated_from']} up." for row in value)
    if key == "time_control.limits":
        return " ".join(_limits(row) for row in value if row["rating_type"] == rating_type)
    if key == "game.max_difference_below" and value > HIGHEST:
        return "That holds for every player."
    if isinstance(value, dict):
        return _k(key, value)
    words = SENTENCES[key]
    if isinstance(words, dict):
        return words[value] if value in words else words[""].format(value)
    return words.format(_written(key, value))


def _written(key: str, value: object) -> str:
    if key in HUNDREDTHS:
        return points(value)
    return ", ".join(value) if isinstance(value, list | tuple) else str(value)


def _limits(row: dict[str, object]) -> str:
    low, high = (f"{row[name] // MINUTE}:{row[name] % MINUTE:02d}" for name in ("more_than", "less_than"))
    return f"{row['rating_type'].capitalize()}: more than {low} and less than {high} minutes."


def _k(key: str, row: dict[str, int]) -> str:
    conditions = [CONDITIONS[name].format(limit) for name, limit in row.items() if name != "k"]
    who = ", ".join(conditions) if conditions else "who matches no row above"
    return f"K {row['k']} for a player {who} ({key.partition('.')[2]})."


def one_off(one: shapes.OneOff) -> str:
    """A one-off in a sentence."""
    rules = one.transform
    newcomers = "keep" if rules.first_ratings.value == "not_applied" else "move like the others"
    return (
        f"Every rating R below {rules.below.value} becomes R + {points(rules.share.value)} x ({rules.below.value} - R),"
        f" after the games of the period. First ratings of that list {newcomers}. [{rules.clause}]"
    )


def points(hundredths: int) -> str:
    """Hundredths as people write them: 1250 is 12.5."""
    whole, rest = divmod(hundredths, formulas.POINT)
    return f"{whole}.{rest:02d}".rstrip("0") if rest else str(whole)
