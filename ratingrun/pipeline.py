"""One rating period, top to bottom. READ THIS FIRST.

`run` takes what the officer has (`Inputs`: register, reports, lists, facts, state of the month before) and calls the
stages in order; what comes out (`Month`) is every frame of the run folder. Nothing here reads or writes a file.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from ratingrun import coded, findings, frames, invariants, periods, rulebooks
from ratingrun.formats import Report
from ratingrun.rulebooks.shapes import OtherList
from ratingrun.stages import (
    basis,
    changes,
    chapters,
    codes,
    games,
    identity,
    initials,
    lists,
    players,
    rated,
    rating_list,
    received,
    reports,
    sides,
)

T = TypeVar("T")
STANDARD = rulebooks.Chapter(rulebooks.FIDE_STANDARD)


@dataclass(frozen=True)
class Inputs:
    """What a run reads. `lists` holds the published lists by day, the list just before among them.

    `no_games` makes a list without reports; `where` names the reports' folder in messages; `books` is the folder of
    the rule books and `system` the chapter. `seeds` are the lists of another type by day, for a chapter in which
    players without a rating start from them; `seed_chapter` says which of them is in force when.
    """

    period: str
    register: pd.DataFrame
    reports: Sequence[Report]
    lists: Mapping[dt.date, pd.DataFrame]
    rating_type: str = "standard"
    players: pd.DataFrame = field(default_factory=frames.PLAYERS.empty)
    corrections: pd.DataFrame = field(default_factory=frames.CORRECTIONS.empty)
    exclusions: pd.DataFrame = field(default_factory=frames.EXCLUSIONS.empty)
    pool: pd.DataFrame = field(default_factory=frames.POOL.empty)
    rated: pd.DataFrame = field(default_factory=frames.RATED.empty)
    aliases: pd.DataFrame = field(default_factory=frames.ALIASES.empty)
    no_games: bool = False
    where: str = "reports"
    system: str = rulebooks.FIDE_STANDARD
    books: Path = rulebooks.HERE
    seeds: Mapping[dt.date, pd.DataFrame] = field(default_factory=dict)
    seed_chapter: rulebooks.Chapter = STANDARD


@dataclass(frozen=True)
class Month:
    """What a run makes: `frames` by name (empty if it stopped), the book of the list date, the books used."""

    period: str
    book: rulebooks.RuleBook
    frames: Mapping[str, pd.DataFrame]
    findings: pd.DataFrame
    books: tuple[str, ...] = ()

    @property
    def stopped(self) -> bool:
        """Whether the input stopped the run: no list."""
        return not self.frames

    @property
    def rejected(self) -> pd.DataFrame:
        """The findings by which reports are not used. A report that is not rated on this list anyway is not judged."""
        errors = findings.rejections(self.findings)
        if self.stopped:
            return errors
        rows = self.frames["tournaments"]
        judged = rows.loc[rows["status"].isin(["used", "rejected"]), "file"]
        return errors[~errors["file"].isin(set(rows["file"]) - set(judged))]


def run(
    inputs: Inputs,
    progress: Callable[[str], None] = lambda stage: None,
    ready: Callable[[str, pd.DataFrame], None] = lambda name, frame: None,
) -> Month:
    """The month; `ready` is told of large frames as soon as nothing changes them any more.

    Raises RuleBookError before the first book, ContractError on a bug; bad input is in the findings.
    """
    day = periods.list_date(inputs.period)
    chapter = rulebooks.Chapter(inputs.system, inputs.books)
    book = rulebooks.book_of_list(chapter, inputs.period)
    books = {one.id: one for one in rulebooks.books(*chapter)}
    calendar = reports.Calendar(inputs.period, book)
    prior_day = rulebooks.list_before(chapter, inputs.period)
    everything = received.current(inputs.register, inputs.rated)
    register = everything[everything["rating_type"] == inputs.rating_type]

    # Lists as they are read: with the corrections of their dates.
    progress("lists")
    corrected, news = lists.correct(inputs.lists, inputs.corrections, inputs.rating_type)
    found = [news, _absent(inputs, register)]
    if len(found[-1]):
        found.append(received.files(everything, inputs.reports, inputs.rating_type, inputs.rated))
    if len(findings.stops(findings.join(found))):
        return Month(inputs.period, book, {}, findings.numbered(findings.join(found)))
    # Players who are one from now on: on every list that is read, in the pool, in the reports.
    facts = players.as_of(inputs.players, day)
    merged, news = identity.standing(facts, inputs.lists[prior_day]["player_id"])
    found.append(news)
    if len(findings.stops(news)):
        return Month(inputs.period, book, {}, findings.numbered(findings.join(found)))
    facts = facts[facts["merged_into"].isna()]
    corrected = {at: identity.merge(one, merged) for at, one in corrected.items()}
    published, pool_before = identity.merge(inputs.lists[prior_day], merged), identity.pool(inputs.pool, merged)
    prior = _complete(corrected[prior_day], book, prior_day)
    away = players.away(inputs.players, prior_day, day)

    # Reports: what came in, and what of it is rated on this list.
    progress("reports")
    entries, results, news = received.assemble(register, everything, inputs.reports)
    found += [news, received.files(everything, inputs.reports, inputs.rating_type, inputs.rated)]
    entries, news = identity.resolve(entries, inputs.aliases, merged)
    found.append(news)
    tournaments, news = reports.build(register, inputs.reports, calendar, chapter, corrected)
    found += [news, reports.missing(register, tournaments, inputs.rated, calendar)]
    exclusions = identity.excluded(inputs.exclusions, inputs.aliases, merged)
    beside = [name for name in identity.BESIDE if name in entries]
    entries, results = frames.ENTRIES.build(entries, keep=beside), frames.RESULTS.build(results)
    found.append(reports.rounds(register, results))
    entries, results, ids = reports.located(entries, results, tournaments, pool_before["player_id"])
    ready("results", results)
    ready("entries", entries)
    places = {at: codes.place(ids, one["player_id"]) for at, one in corrected.items()}
    tournaments = reports.reject(tournaments, findings.join(found))
    printed = _beside(rated.fingerprints, tournaments, entries, results)
    elsewhere, _ = lists.correct(inputs.seeds, inputs.corrections, _seed_type(book))
    elsewhere = {at: identity.merge(one, merged) for at, one in elsewhere.items()}
    seeds, news = chapters.seed_lists(tournaments, books, inputs.seed_chapter, elsewhere)
    found.append(news)
    tournaments = reports.reject(tournaments, news)
    told = chapters.known_elsewhere(facts, seeds)
    unknown, news = reports.who(tournaments, entries, results, ids, places[prior_day], told, away)
    found += [news, identity.unknown(tournaments, entries, news)]
    tournaments = reports.reject(tournaments, news)

    # Games: two half-records become one. If rounds were rated before or reports drop out, they are built once more.
    progress("games")
    played, news = games.build(tournaments, entries, results, exclusions, rated.NONE, ids)
    rounds, already, seen_before = rated.build(tournaments, printed.result(), inputs.rated, inputs.period)
    sound = reports.reject(tournaments, findings.join([news, seen_before]))
    rounds, already, clash = rated.once(sound, rounds, already, inputs.period)
    found += [seen_before, clash, reports.late(tournaments, rounds, calendar)]
    fewer = reports.reject(tournaments, findings.join([seen_before, clash]))
    if len(already) or not fewer["status"].equals(tournaments["status"]):
        tournaments = fewer
        played, news = games.build(tournaments, entries, results, exclusions, already, ids)
    heard_of = pd.concat([inputs.register["tournament_id"], inputs.rated["tournament_id"]])
    found += [news, games.unknown_exclusions(exclusions, heard_of)]
    tournaments = reports.reject(tournaments, news)
    ratings = {**corrected, prior_day: prior}
    news = chapters.refused(tournaments, played, ratings, books)
    found.append(news)
    tournaments = reports.reject(tournaments, news)
    still = (tournaments["status"] == "used").to_numpy(bool)[played["at"]]
    played = played if still.all() else played[still]
    already, rounds = (_used(frame, tournaments) for frame in (already, rounds))
    ready("games", played)
    newcomers, news = reports.newcomers(unknown, tournaments, told)
    newcomers = players.as_known(newcomers, told)
    people = _beside(rating_list.candidates, prior, facts, newcomers)
    found += [news, games.notes(played, already, exclusions)]

    # Sides, changes, first ratings, the list.
    progress("sides")
    seen, news = sides.build(tournaments, results, played, ids, ratings, places, prior_day, away, books, book, seeds)
    ready("sides", seen)
    # Where each cell ended is known from here on: found beside the rest.
    so_far = {"tournaments": tournaments, "results": results, "games": played, "sides": seen}
    ended = _beside(invariants.cells, so_far, ids)
    entering = sides.seeds(seen)
    sources = (facts.reset_index(), prior, told.reset_index(), newcomers)
    born = _born(*sources) if len(entering) else pd.Series(dtype="Int64")
    base, doubts = lists.enter(prior, entering, born, book, day)
    found += [news, doubts]
    progress("changes")
    place = places[prior_day] if base is prior else codes.place(ids, base["player_id"])
    events, change, news = changes.build(seen, ids, base, place, book, tournaments, ratings)
    ready("event_changes", events)
    found += [news, changes.k_at_start(seen, tournaments, ratings, places, prior_day, book)]
    left = facts.index[facts["status"].isin(players.LEFT)]
    initial, pool, news = initials.build(seen, pool_before, ids, base, place, left, book, inputs.period)
    found.append(news)
    progress("rating list")
    found_cells = ended.result()
    ready("cells", found_cells)
    one_off = rulebooks.one_off(chapter, day)
    patches = inputs.corrections[
        (inputs.corrections["rating_type"] == inputs.rating_type)
        & (inputs.corrections["list_date"] == pd.Timestamp(prior_day))
    ]
    patches = identity.corrected(patches, merged)
    listed, trail, news = rating_list.build(
        published, prior, patches, facts, people.result(), ids, places[prior_day], change, events, initial, pool, seen,
        book, inputs.period, entering, one_off,
    )  # fmt: skip
    ready("rating_list", listed)
    trail, merges = identity.trail(trail, inputs.lists[prior_day], merged, book)
    found += [news, merges]

    month = {
        "tournaments": tournaments,
        "entries": entries,
        "results": results,
        "games": played,
        "sides": seen,
        "event_changes": events,
        "changes": change,
        "initials": initial,
        "pool": pool,
        "rated": frames.RATED.build(pd.concat([inputs.rated, rounds])),
        "rating_list": listed,
        "trail": trail,
        "cells": found_cells,
    }
    if published is not inputs.lists[prior_day]:  # merged players: the rows are others
        month["rating_list"] = listed.drop(columns="was")
    invariants.check(month, ids, inputs.lists[prior_day])
    month = {name: frame[frames.ALL[name].names] for name, frame in month.items()}
    found.append(basis.notes(month, book, books))
    used = {book.id, *([one_off.id] if one_off else []), *tournaments.loc[tournaments["status"] == "used", "book"]}
    return Month(inputs.period, book, month, findings.numbered(findings.join(found)), tuple(sorted(used)))


def _beside(work: Callable[..., T], *arguments: object) -> Future[T]:
    """A stage by a thread of its own."""
    with_one = ThreadPoolExecutor(1)
    begun = with_one.submit(work, *arguments)
    with_one.shutdown(wait=False)
    return begun


def _born(*people: pd.DataFrame) -> pd.Series:
    """Years of birth by player id, from the first that knows."""
    known = pd.concat([rows.set_index("player_id")["birth_year"].dropna() for rows in people])
    return known[~known.index.duplicated()]


def _seed_type(book: rulebooks.RuleBook) -> str:
    """The rating type of the list from which players without a rating start; none for most chapters."""
    return book.seed.rating_type.value if isinstance(book.seed, OtherList) else ""


def _absent(inputs: Inputs, register: pd.DataFrame) -> pd.DataFrame:
    """R112 if there is not one report for the list and nobody said that there are no games."""
    at_hand = register["file"].isin([report.file for report in inputs.reports])
    if inputs.no_games or at_hand.any():
        return findings.none()
    return findings.of("R112", rating_type=inputs.rating_type, where=inputs.where)


def _complete(prior: pd.DataFrame, book: rulebooks.RuleBook, day: dt.date) -> pd.DataFrame:
    """The corrected list with the K of players whose rating is there only by a correction."""
    lacks = prior["rating"].notna() & prior["k"].isna()
    if not lacks.any():
        return prior
    peaks = prior["peak"].fillna(0).clip(lower=prior["rating"].fillna(0))  # the corrected rating is a published one
    k, _ = lists.published_k(prior.assign(peak=peaks), book, day)
    clause = coded.plain(prior["k_clause"]).fillna(coded.plain(k["k_clause"]))
    return prior.assign(k=prior["k"].fillna(k["k"]), k_clause=coded.coded(clause))


def _used(frame: pd.DataFrame, tournaments: pd.DataFrame) -> pd.DataFrame:
    """The rows of the tournaments that are used."""
    used = np.append((tournaments["status"] == "used").to_numpy(bool), False)
    return frame[used[codes.part(frame, tournaments)]]
