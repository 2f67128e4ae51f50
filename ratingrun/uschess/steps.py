"""The five steps for many sections at once: start values stand in `before`, then a first look, two passes, floors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratingrun.uschess import formulas
from ratingrun.uschess.books import Book

# What is known of a player in a pool, before and after each section. rating is nan while unrated; `peak` is the
# highest established rating (0: none), `floor` and `ceiling` were taken over with an adopted list (0, inf: none),
# `cut` are points off the peak floor after matches, `last` the last day of the newest section rated.
STATE = {
    **{"rating": np.nan, "n": 0.0, "wins": 0.0, "draws": 0.0, "losses": 0.0, "events": 0.0},
    **{"peak": 0.0, "floor": 0.0, "ceiling": np.inf, "cut": 0.0, "last": np.nan},
}
WINS = {"wins": 1.0, "draws": 0.5, "losses": 0.0}


@dataclass(frozen=True)
class Entries:
    """A row a player of a section in a pool; no player and pool stands twice. `before` has the columns of STATE, with
    start values where `unrated`. `personal` and `peaks` say whether the pool has these floors; `floor`, `ceiling`,
    `lowered` are decisions; `low` and `high` limit the change (matches). Games, a row each side: `entry` (place in
    these rows), `opponent` (place; -1: none), `number` (tells opponents apart), `score`, `fixed` (the opponent's
    strength where no pass moves it; nan: the passes do)."""

    before: dict[str, np.ndarray]
    unrated: np.ndarray
    dual: np.ndarray
    match: np.ndarray
    personal: np.ndarray
    peaks: np.ndarray
    floor: np.ndarray
    ceiling: np.ndarray
    lowered: np.ndarray
    low: np.ndarray
    high: np.ndarray
    end: np.ndarray
    entry: np.ndarray
    opponent: np.ndarray
    number: np.ndarray
    score: np.ndarray
    fixed: np.ndarray

    def against(self, strength: np.ndarray) -> np.ndarray:
        """The opponents' strength in each game, from the entries' strength."""
        if not len(strength):
            return self.fixed
        return np.where(np.isnan(self.fixed), strength[self.opponent], self.fixed)


def rate(e: Entries, book: Book) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """(the parts of the calculation a row an entry, and r_first, r_opp, expected a row a game; the new state)."""
    r, n, rules = e.before["rating"], e.before["n"], book.special
    won_all = (e.before["wins"] > 0) & (e.before["draws"] == 0) & (e.before["losses"] == 0)
    lost_all = (e.before["losses"] > 0) & (e.before["draws"] == 0) & (e.before["wins"] == 0)
    n_eff = formulas.effective_games(n, r, book.effective)  # step 2
    least = float(book.floor.absolute.value)

    # Step 3: newcomers without a game, by the special formula, their start rating counting as one game.
    new = e.unrated & (n == 0)
    once, no = np.full(len(r), float(rules.first_look_games.value)), np.zeros(len(r), bool)
    look = np.maximum(_special_of(new, e, r, once, no, no, e.against(r), book), least)
    strength = np.where(new, look, r)

    # Steps 4 and 5: everybody, from the rating before the event; only the opponents' strength changes.
    meetings = formulas.most_meetings(e.entry, e.number, len(r))
    special = formulas.is_special(n, won_all, lost_all, rules)

    def one_pass(r_opp: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        parts = formulas.standard(r, n_eff, e.entry, r_opp, e.score, meetings, book, e.dual, e.match)
        straight = _special_of(special, e, r, n_eff, won_all, lost_all, r_opp, book)
        return np.maximum(np.where(special, straight, parts["rating"]), least), parts

    first = e.against(strength)
    middle, _ = one_pass(first)
    second = e.against(middle)
    final, parts = one_pass(second)
    after, floors = _bounded(e, final, parts["m"], book)
    shown = {name: np.where(special, np.nan, parts[name]) for name in ("expected", "k", "gain", "bonus")}
    found = {
        **{"before": r, "n_before": n, "n_eff": n_eff, "special": special, "m": parts["m"]},
        **{"score": formulas.sums(e.entry, e.score, len(r)), **shown, "first_look": np.where(new, look, np.nan)},
        **{"middle": middle, "final": final, **floors, "rating": after["rating"]},
    }
    expected = formulas.curve_expected(r[e.entry], second, book.standard.scale.value)
    games = {"r_first": first, "r_opp": second, "game_expected": np.where(special[e.entry], np.nan, expected)}
    return found | games, after


def _bounded(
    e: Entries, final: np.ndarray, m: np.ndarray, book: Book
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """The new state: counts of games, the rating after the limits of matches, floors and ceiling; and how it came."""
    before, r, rules = e.before, e.before["rating"], book.floor
    after = {name: before[name] + formulas.sums(e.entry, e.score == value, len(r)) for name, value in WINS.items()}
    after["events"] = before["events"] + (m >= rules.event_games.value)
    limited = np.where(e.match, np.clip(final, r + e.low, r + e.high), final)
    least = float(rules.absolute.value)
    personal = formulas.personal_floor(after["wins"], after["draws"], after["events"], rules)
    own = np.where(e.personal, personal, least)
    peak = np.where(e.peaks, formulas.peak_floor(before["peak"], rules), 0.0) - before["cut"] - e.lowered
    peak = np.where(peak >= rules.peak_least.value, peak, 0.0)
    usual = np.maximum.reduce([own, peak, before["floor"], e.floor])
    floor = np.where(e.match, least, usual)  # not automatic after matches: a result below takes a step off the floor
    ceiling = np.minimum(before["ceiling"], e.ceiling)
    rating = np.minimum(np.maximum(limited, floor), ceiling)
    below = e.match & (limited < np.maximum(peak, e.floor))
    after |= {"rating": rating, "n": before["n"] + m, "floor": before["floor"], "ceiling": before["ceiling"]}
    after["cut"] = before["cut"] + np.where(below, book.match.floor_step.value, 0.0)
    established = after["n"] > book.standard.established_after.value
    after["peak"] = np.where(established, np.maximum(before["peak"], rating), before["peak"])
    after["last"] = e.end
    return after, {"limited": limited, "floor": floor, "below": below, "ceiling": ceiling}


def _special_of(
    who: np.ndarray,
    e: Entries,
    r: np.ndarray,
    n_eff: np.ndarray,
    won_all: np.ndarray,
    lost_all: np.ndarray,
    r_opp: np.ndarray,
    book: Book,
) -> np.ndarray:
    """The special formula for the entries `who`, and their own rating for the others."""
    result, games = r.copy(), who[e.entry]
    place = np.cumsum(who) - 1
    prior = (r[who], n_eff[who], won_all[who], lost_all[who])
    result[who] = formulas.special(*prior, place[e.entry[games]], r_opp[games], e.score[games], book.special)
    return result
