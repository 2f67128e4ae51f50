"""Sections, rated one after the other: each begins from what the ones before it left (the order of the chain).

`run` takes sections in the order of rating and carries each player's state from one to the next. Sections without
common players do not touch each other, so all sections of a level are rated at once: a section's level is one more
than the highest level of its players' sections before it. The result is that of strict order, bit for bit. A section
that is rated in two pools is rated in both from what stood before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import frames, rulebooks
from ratingrun.frames import POOLS
from ratingrun.uschess import books, formulas, matches, starts, steps
from ratingrun.uschess.books import Book
from ratingrun.uschess.overrides import Overrides
from ratingrun.uschess.record import KEY, Rated, Record
from ratingrun.uschess.steps import STATE

ORDER = ["end", "start", "event_id", "section"]
FOREIGN = {
    "fide": "fide",
    "fide_youth": "fide_youth",
}  # kinds of sections whose opponents have FIDE ratings: their book


@dataclass(frozen=True)
class Facts:
    """What else decides: members (start values), floors by decision, what matches gave before."""

    members: pd.DataFrame = field(default_factory=frames.MEMBERS.empty)
    floors: pd.DataFrame = field(default_factory=frames.FLOORS.empty)
    matches: pd.DataFrame = field(default_factory=frames.US_MATCHES.empty)


def in_order(sections: pd.DataFrame) -> pd.DataFrame:
    """The sections in the order of rating: last day, first day, event id, section number."""
    return sections.sort_values(ORDER, kind="stable", ignore_index=True)


def levels(section: np.ndarray, player: np.ndarray) -> np.ndarray:
    """The level of each section, 0, 1, ...; `section` (its place in the order) and `player` are those of the games."""
    if not len(section):
        return np.zeros(0, "int64")
    pairs = np.unique(np.column_stack([section, player]), axis=0)
    found, last = np.zeros(int(section.max()) + 1, "int64"), {}
    begins = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
    for first, after in zip(begins, [*begins[1:], len(pairs)], strict=True):
        players = pairs[first:after, 1].tolist()
        level = 1 + max(last.get(one, -1) for one in players)
        found[pairs[first, 0]] = level
        last.update(dict.fromkeys(players, level))
    return found


def run(
    sections: pd.DataFrame,
    games: pd.DataFrame,
    state: pd.DataFrame,
    facts: Facts | None = None,
    parallel: bool = True,
    folder: Path = rulebooks.HERE,
) -> Rated:
    """Rates the sections in order.

    `sections`: event_id, section, start, end, pools (with a blank between), dual, kind. `games`: event_id, section,
    round, white, black, score (White's: 0, 0.5, 1), played games only; white_fide, black_fide in foreign events.
    `state`: player_id, pool and columns of STATE, what is missing as in STATE.
    """
    sections = in_order(sections)
    rows = games.merge(sections[KEY].assign(place=sections.index), on=KEY, validate="m:1")
    everybody = pd.Index(pd.concat([state["player_id"], rows["white"], rows["black"]])).unique().sort_values()
    chain = _Chain(sections, everybody, state, facts or Facts(), folder)
    sides = chain.sides(rows)
    level = levels(sides["place"], sides["player"]) if parallel else np.arange(len(sections))
    step, book = level[sides["place"]], chain.book_of[sides["place"]]
    order = np.lexsort((np.arange(len(step)), book, step))
    sides = {name: column[order] for name, column in sides.items()}
    both = np.column_stack([step[order], book[order]])
    cuts = [*np.flatnonzero((np.diff(both, axis=0, prepend=-1) != 0).any(axis=1)).tolist(), len(both)]
    for first, after in pairwise(cuts):
        chain.rate({name: column[first:after] for name, column in sides.items()}, int(both[first, 1]))
    state = {name: column.reshape(len(POOLS), -1) for name, column in chain.held.items()}
    return chain.record.frames(
        sections, chain.job_place, chain.job_pool, everybody, [one.id for one in chain.books], state
    )


class _Chain:
    """The state while sections are rated. A slot is a player in a pool: pool x players + player."""

    def __init__(self, sections: pd.DataFrame, everybody: pd.Index, state: pd.DataFrame, facts: Facts, folder: Path):
        self.sections, self.everybody, self.players = sections, everybody, len(everybody)
        self.books = books.books(folder)
        names = {day: books.in_force(day.date(), folder) for day in pd.to_datetime(sections["start"]).unique()}
        self.book_of = np.array([self.books.index(names[day]) for day in pd.to_datetime(sections["start"])], "int64")
        self.end = starts.day_numbers(sections["end"])
        self.kind, self.dual = sections["kind"].to_numpy(object), sections["dual"].to_numpy(bool)
        pools = [text.split() for text in sections["pools"]]
        self.job_place = np.repeat(np.arange(len(pools)), [len(one) for one in pools])
        self.job_pool = np.array([POOLS.index(name) for one in pools for name in one], "int64")
        self.first_job = np.searchsorted(self.job_place, np.arange(len(pools)))
        self.held = {name: np.full(len(POOLS) * self.players, value) for name, value in STATE.items()}
        slots = pd.Index(POOLS).get_indexer(state["pool"]) * self.players + everybody.get_indexer(state["player_id"])
        for name in self.held.keys() & set(state.columns):
            given = state[name].to_numpy("float64", na_value=np.nan)
            self.held[name][slots] = np.where(np.isnan(given), STATE[name], given)
        self.published = ~np.isnan(self.held["rating"])
        self.known = starts.people(facts.members, everybody)
        self.overrides = Overrides(facts.floors, everybody)
        past = facts.matches[facts.matches["player_id"].isin(everybody)]
        at = pd.Index(POOLS).get_indexer(past["pool"]) * self.players + everybody.get_indexer(past["player_id"])
        self.ledger = matches.Ledger(at, starts.day_numbers(past["end"]), past["change"].to_numpy("float64"))
        self.record = Record()

    def sides(self, rows: pd.DataFrame) -> dict[str, np.ndarray]:
        """Each side of each game in each pool, as arrays: place, job, player, opponent, round, score, fixed."""
        white, black = self.everybody.get_indexer(rows["white"]), self.everybody.get_indexer(rows["black"])
        score, place = rows["score"].to_numpy("float64"), rows["place"].to_numpy("int64")
        none = np.full(len(rows), np.nan)
        fide = [rows[f"{one}_fide"].to_numpy("float64", na_value=np.nan) if f"{one}_fide" in rows else none
                for one in ("black", "white")]  # fmt: skip
        found = {
            **{"place": np.tile(place, 2), "round": np.tile(rows["round"].to_numpy("int64"), 2)},
            **{"player": np.concatenate([white, black]), "opponent": np.concatenate([black, white])},
            **{"score": np.concatenate([score, 1 - score]), "fixed": np.concatenate(fide)},
        }
        pools = np.diff(self.first_job, append=len(self.job_place))
        again = pools[found["place"]]
        at = np.repeat(np.arange(len(again)), again)
        nth = np.arange(len(at)) - np.repeat(np.cumsum(again) - again, again)
        found = {name: column[at] for name, column in found.items()}
        found["job"] = self.first_job[found["place"]] + nth
        order = np.lexsort((found["opponent"], found["round"], found["player"], found["job"]))
        return {name: column[order] for name, column in found.items()}

    def rate(self, sides: dict[str, np.ndarray], number: int) -> None:
        """Rates sections that share no player, under the book of this number: new state, steps, sides, matches."""
        book = self.books[number]
        slot = self.job_pool[sides["job"]] * self.players + sides["player"]
        sides = sides | {"slot": slot, "reason": np.full(len(slot), "", object)}
        kept = self._foreign(sides, book)
        who, entry = np.unique(sides["job"] * self.players + sides["player"], return_inverse=True)
        job, player = who // self.players, who % self.players
        kept &= ~self._refused(sides, job, player, entry, book)
        self.record.not_rated(sides, ~kept)
        if not kept.any():
            return
        sides = {name: column[kept] for name, column in sides.items()}
        who, entry = np.unique(sides["job"] * self.players + sides["player"], return_inverse=True)
        job, player = who // self.players, who % self.players
        slot = self.job_pool[job] * self.players + player
        against = sides["job"] * self.players + sides["opponent"]
        opponent = np.minimum(np.searchsorted(who, against), len(who) - 1)
        unrated = np.isnan(self.held["rating"][slot])
        before, by = self._before(job, player, slot, unrated, book)
        e = self._entries(before, unrated, job, slot, entry, opponent, sides, book)
        found, after = steps.rate(e, book)
        for name in STATE:
            self.held[name][slot] = after[name]
        self.record.rated(sides, job, player, by, number, found, entry)
        for one in np.flatnonzero(e.match):
            change = float(found["rating"][one] - found["before"][one])
            self.ledger.add(int(slot[one]), float(e.end[one]), change)
            self.record.match(int(job[one]), int(player[one]), change)

    def _foreign(self, sides: dict[str, np.ndarray], book: Book) -> np.ndarray:
        """Which sides are rated at all: of foreign events only those of established members against FIDE-rated
        opponents, whose ratings are converted here."""
        kept, kind = np.ones(len(sides["job"]), bool), self.kind[sides["place"]]
        fixed = np.full(len(kept), np.nan)
        for name, key in FOREIGN.items():
            here = kind == name
            if here.any():
                fixed[here] = formulas.converted(sides["fixed"][here], getattr(book, key))
        foreign = np.isin(kind, list(FOREIGN))
        stranger = foreign & ~(self.held["n"][sides["slot"]] > book.standard.established_after.value)
        lacks = foreign & np.isnan(fixed) & ~stranger
        sides["reason"][stranger], sides["reason"][lacks] = "not_established", "opponent_unrated"
        sides["fixed"] = fixed
        return kept & ~stranger & ~lacks

    def _refused(
        self, sides: dict[str, np.ndarray], job: np.ndarray, player: np.ndarray, entry: np.ndarray, book: Book
    ) -> np.ndarray:
        """Which sides belong to matches that are not rated."""
        here = self.kind[self.job_place[job]] == matches.MATCH
        if not here.any():
            return np.zeros(len(entry), bool)
        slot = self.job_pool[job[here]] * self.players + player[here]
        values = (self.held["rating"][slot], self.held["n"][slot], self.published[slot])
        reasons = matches.refused(job[here], *values, book)
        why = np.array([reasons.get(one, "") for one in sides["job"].tolist()], object)
        sides["reason"][why != ""] = why[why != ""]
        return why != ""

    def _before(
        self, job: np.ndarray, player: np.ndarray, slot: np.ndarray, unrated: np.ndarray, book: Book
    ) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """The state before the section, with start values where there is no rating (step 1), and how these came."""
        before = {name: self.held[name][slot] for name in STATE}
        by, new = np.full(len(slot), -1), np.flatnonzero(unrated)
        if len(new):
            pool, end = self.job_pool[job[new]], self.end[self.job_place[job[new]]]
            others = np.arange(len(POOLS))[:, None] * self.players + player[new]
            elsewhere = (self.held[name][others] for name in ("rating", "n", "last"))
            found = starts.values(player[new], pool, end, *elsewhere, self.known, book)
            before["rating"][new], before["n"][new], by[new] = found
        return before, by

    def _entries(
        self,
        before: dict[str, np.ndarray],
        unrated: np.ndarray,
        job: np.ndarray,
        slot: np.ndarray,
        entry: np.ndarray,
        opponent: np.ndarray,
        sides: dict[str, np.ndarray],
        book: Book,
    ) -> steps.Entries:
        place, pool = self.job_place[job], self.job_pool[job]
        end, match = self.end[place], self.kind[place] == matches.MATCH
        decided = self.overrides.at(slot, end, book)
        low, high = np.full(len(job), -np.inf), np.full(len(job), np.inf)
        for one in np.flatnonzero(match):
            low[one], high[one] = self.ledger.room(int(slot[one]), float(end[one]), book)
        return steps.Entries(
            before=before,
            unrated=unrated,
            dual=self.dual[place] & (job == self.first_job[place]),
            match=match,
            personal=np.isin(pool, [POOLS.index(name) for name in book.floor.personal_pools.value]),
            peaks=np.isin(pool, [POOLS.index(name) for name in book.floor.peak_pools.value]),
            **decided,
            low=low,
            high=high,
            end=end,
            entry=entry,
            opponent=opponent,
            number=sides["opponent"],
            score=sides["score"],
            fixed=sides["fixed"],
        )
