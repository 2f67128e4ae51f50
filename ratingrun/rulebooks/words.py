"""The words that a rule book may use, key by key: each of them is a rule that works."""

from __future__ import annotations

POOLS = ("regular", "quick", "blitz", "online_regular", "online_quick", "online_blitz")  # of US Chess

# A value that no code implements is refused. A second word in a row is a named alternative that works.
WORDS: dict[str, tuple[str, ...]] = {
    "expected.opponent": ("each_game", "average_of_event"),
    "time_control.unrated_player": ("lowest_band",),
    "time_control.approval": ("fast_classic", "none"),
    "time_control.clocks": ("equal", "any"),
    "game.difference_kind": ("every_game", "greatest_of_event"),
    "game.own_rating": ("used_in_game",),
    "game.effective_by": ("tournament_start",),
    "game.too_far_apart.rating": ("at_start_or_seed",),
    "match.with_unrated": ("not_rated", "rated"),
    "match.decided": ("more_than_half", "rated"),
    "round_robin.with_unrated": ("as_any_event", "two_passes_not_sourced"),
    "seed.rating_type": ("standard",),
    "seed.base": ("first_event",),
    "seed.k": ("new_to_the_list",),
    "seed.publish": ("at_once",),
    "period.k_list": ("prior", "start"),
    "period.rounding": ("period", "tournament"),
    "period.after_floor": ("keep_games_and_peak",),
    "period.rated_at_start_only": ("pool", "none"),
    "period.one_sided_rating": ("prior",),
    "initial.void_event": ("first_only", "leading", "every"),
    "initial.p_ties": ("half_up", "half_down"),
    "initial.ru_ties": ("half_up",),
    "k_order.order": ("first_match",),
    "k_order.games_counted": ("with_first_rating", "after_first_rating"),
    "k_order.junior_ends": ("end_of_year", "start_of_year"),
    "k_order.unknown_birth_year": ("not_junior",),
    "adopt.peak_of_top_k": ("limit_of_row",),
    "adopt.junior_without_games": ("limit_of_row",),
    "transform.when": ("after_games",),
    "transform.first_ratings": ("not_applied", "applied"),
}
