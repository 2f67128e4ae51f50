"""Sections, rated one after the other: start values, a first look at newcomers, two passes, floors (the five steps).

`run` takes sections in the order of rating and carries each player's state from one to the next. Sections without
common players do not touch each other, so all sections of a level are rated at once: a section's level is one more
than the highest level of its players' sections before it. The result is that of strict order, bit for bit.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import rulebooks
from ratingrun.uschess import books, formulas
from ratingrun.uschess.books import Book

# What is known of a player in a pool, before and after each section. rating is nan while unrated; `peak` is the
# highest established rating (0: none), `floor` one set by the office, a prize or a life master's title (0: none).
STATE = {
    **{"rating": np.nan, "n": 0.0, "wins": 0.0, "draws": 0.0, "losses": 0.0, "events": 0.0},
    **{"peak": 0.0, "floor": 0.0, "ceiling": np.inf},
}
ORDER = ["end", "start", "event_id", "section"]
KEY = ["event_id", "section"]


def in_order(sections: pd.DataFrame) -> pd.DataFrame:
    """The sections in the order of rating: last day, first day, event id, section number."""
    return sections.sort_values(ORDER, kind="stable", ignore_index=True)


def levels(section: np.ndarray, player: np.ndarray) -> np.ndarray:
    """The level of each section, 0, 1, ...; `section` (its place in the order) and `player` are those of the games."""
    pairs = np.unique(np.column_stack([section, player]), axis=0)
    found, last = np.zeros(int(section.max()) + 1 if len(section) else 0, "int64"), {}
    starts = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
    for first, after in zip(starts, [*starts[1:], len(pairs)], strict=True):
        players = pairs[first:after, 1].tolist()
        level = 1 + max(last.get(one, -1) for one in players)
        found[pairs[first, 0]] = level
        last.update(dict.fromkeys(players, level))
    return found


def run(
    sections: pd.DataFrame,
    games: pd.DataFrame,
    state: pd.DataFrame,
    starts: pd.DataFrame | None = None,
    parallel: bool = True,
    folder: Path = rulebooks.HERE,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """(state after all sections, results: a row a player and section with the parts of the calculation).

    `sections`: event_id, section, start, end, dual, match. `games`: event_id, section, round, white, black, score
    (White's: 0, 0.5, 1), rated games only. `state`: a row a player (index), columns of STATE. `starts`: start rating
    and games (start, start_n) by event_id, section, player_id, for players who are unrated then. Raises KeyError for
    an unrated player without a start.
    """
    sections = in_order(sections).reset_index(names="place")
    rows = games.merge(sections[[*KEY, "place"]], on=KEY, validate="m:1").sort_values(["place", "round"], kind="stable")
    everybody = pd.Index(pd.unique(pd.concat([pd.Series(state.index), rows["white"], rows["black"]])))
    state = state.reindex(everybody).astype("float64").fillna(STATE)
    white, black = everybody.get_indexer(rows["white"]), everybody.get_indexer(rows["black"])
    place, score = rows["place"].to_numpy(), rows["score"].to_numpy(float)
    sides = pd.DataFrame(
        {
            **{"place": np.concatenate([place, place]), "round": np.tile(rows["round"], 2)},
            **{"player": np.concatenate([white, black]), "opponent": np.concatenate([black, white])},
            "score": np.concatenate([score, 1 - score]),
        }
    ).sort_values(["place", "player", "round", "opponent"], kind="stable", ignore_index=True)
    level = levels(sides["place"].to_numpy(), sides["player"].to_numpy()) if parallel else np.arange(len(sections))
    begun = _starts(starts, sections, everybody)
    values, found = {name: state[name].to_numpy(copy=True) for name in STATE}, []
    facts = sections.assign(book=[books.in_force(day.date(), folder).id for day in pd.to_datetime(sections["start"])])
    known = {book.id: book for book in books.books(folder)}
    sides["level"] = level[sides["place"].to_numpy()] if len(sides) else 0
    sides["book"] = facts["book"].to_numpy()[sides["place"].to_numpy()]
    for (_, name), part in sides.groupby(["level", "book"], sort=True):
        found.append(_rate_level(part, facts, values, begun, known[name]))
    results = pd.concat(found, ignore_index=True) if found else pd.DataFrame({"place": [], "player": []})
    results = results.sort_values(["place", "player"], kind="stable", ignore_index=True)
    results.insert(0, "player_id", everybody[results["player"].astype("int64")])
    results = sections[["place", *KEY]].merge(results, on="place", how="right", validate="1:m")
    return pd.DataFrame(values, index=everybody), results.drop(columns=["place", "player"])


def _starts(starts: pd.DataFrame | None, sections: pd.DataFrame, everybody: pd.Index) -> dict[tuple[int, int], tuple]:
    if starts is None:
        return {}
    rows = starts.merge(sections[[*KEY, "place"]], on=KEY, validate="m:1")
    keys = zip(rows["place"].tolist(), everybody.get_indexer(rows["player_id"]).tolist(), strict=True)
    return dict(zip(keys, zip(rows["start"].tolist(), rows["start_n"].tolist(), strict=True), strict=True))


def _rate_level(
    sides: pd.DataFrame, facts: pd.DataFrame, values: dict[str, np.ndarray], begun: dict, book: Book
) -> pd.DataFrame:
    """Rates the sections of one level under one book, writes the new state into `values`, gives the results."""
    pairs, entry = np.unique(sides[["place", "player"]].to_numpy(), axis=0, return_inverse=True)
    entry = entry.reshape(-1)
    place, player = pairs[:, 0], pairs[:, 1]
    of = pd.Series(np.arange(len(pairs)), index=pd.MultiIndex.from_arrays([place, player]))
    opponent = of.reindex(pd.MultiIndex.from_frame(sides[["place", "opponent"]])).to_numpy("int64")
    before = {name: values[name][player] for name in STATE}
    unrated = np.isnan(before["rating"])
    for i in np.flatnonzero(unrated):
        before["rating"][i], before["n"][i] = begun[int(place[i]), int(player[i])]
    flags = {name: facts[name].to_numpy(bool)[place] for name in ("dual", "match")}
    found = rate(before, unrated, entry, opponent, sides["score"].to_numpy(float), flags["dual"], flags["match"], book)
    for name in STATE:
        values[name][player] = found["after"][name]
    columns = {name: column for name, column in found.items() if name != "after"}
    return pd.DataFrame({"place": place, "player": player, "unrated": unrated, **columns})


def rate(
    before: dict[str, np.ndarray],
    unrated: np.ndarray,
    entry: np.ndarray,
    opponent: np.ndarray,
    score: np.ndarray,
    dual: np.ndarray,
    match: np.ndarray,
    book: Book,
) -> dict[str, np.ndarray]:
    """The five steps for entries that share no player: parts, steps 3 to 5, floor, rating; `after`: the new state.

    `before` has the columns of STATE for each entry, with start values (step 1) where `unrated`; `entry`, `opponent`
    (places of entries) and `score` are those of the games, a row each side.
    """
    r, n, rules = before["rating"], before["n"], book.special
    won_all = (before["wins"] > 0) & (before["draws"] == 0) & (before["losses"] == 0)
    lost_all = (before["losses"] > 0) & (before["draws"] == 0) & (before["wins"] == 0)
    n_eff = formulas.effective_games(n, r, book.effective)  # step 2
    least = float(book.floor.absolute.value)

    # Step 3: newcomers without a game, by the special formula, their start rating counting as one game.
    new = unrated & (n == 0)
    once, no = np.full(len(r), float(rules.first_look_games.value)), np.zeros(len(r), bool)
    look = np.maximum(_special_of(new, r, once, no, no, entry, r[opponent], score, book), least)
    strength = np.where(new, look, r)

    # Steps 4 and 5: everybody, from the rating before the event; only the opponents' strength changes.
    meetings = formulas.most_meetings(entry, opponent, len(r))
    special = formulas.is_special(n, won_all, lost_all, rules)

    def one_pass(strength: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        parts = formulas.standard(r, n_eff, entry, strength[opponent], score, meetings, book, dual, match)
        straight = _special_of(special, r, n_eff, won_all, lost_all, entry, strength[opponent], score, book)
        return np.maximum(np.where(special, straight, parts["rating"]), least), parts

    middle, _ = one_pass(strength)
    final, parts = one_pass(middle)

    counts = {name: formulas.sums(entry, score == value, len(r)) for name, value in WINS.items()}
    after = {name: before[name] + counts[name] for name in WINS}
    after["events"] = before["events"] + (parts["m"] >= book.floor.event_games.value)
    personal = formulas.personal_floor(after["wins"], after["draws"], after["events"], book.floor)
    peak = formulas.peak_floor(before["peak"], book.floor)
    floor = np.maximum.reduce([personal, peak, before["floor"]])
    rating = np.minimum(np.maximum(final, floor), before["ceiling"])
    after |= {"rating": rating, "n": n + parts["m"], "floor": before["floor"], "ceiling": before["ceiling"]}
    established = after["n"] > book.standard.established_after.value
    after["peak"] = np.where(established, np.maximum(before["peak"], rating), before["peak"])
    shown = {name: np.where(special, np.nan, parts[name]) for name in ("expected", "k", "gain", "bonus")}
    return {
        **{"before": r, "n_before": n, "n_eff": n_eff, "special": special, "m": parts["m"]},
        **{"score": formulas.sums(entry, score, len(r)), **shown, "first_look": np.where(new, look, np.nan)},
        **{"middle": middle, "final": final, "floor_used": floor, "rating": rating, "after": after},
    }


WINS = {"wins": 1.0, "draws": 0.5, "losses": 0.0}


def _special_of(
    who: np.ndarray,
    r: np.ndarray,
    n_eff: np.ndarray,
    won_all: np.ndarray,
    lost_all: np.ndarray,
    entry: np.ndarray,
    r_opp: np.ndarray,
    score: np.ndarray,
    book: Book,
) -> np.ndarray:
    """The special formula for the entries `who`, and their own rating for the others."""
    result, games = r.copy(), who[entry]
    place = np.cumsum(who) - 1
    prior = (r[who], n_eff[who], won_all[who], lost_all[who])
    result[who] = formulas.special(*prior, place[entry[games]], r_opp[games], score[games], book.special)
    return result
