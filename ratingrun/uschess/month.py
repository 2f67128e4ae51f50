"""One monthly list of US Chess, top to bottom, from `Inputs` to `Month`: nothing here reads or writes a file.

Sections come in, are put in the order of rating, and are rated one after the other from the newest checkpoint that
no late or corrected section touches; what the last one leaves is the state, and its rounding is the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from ratingrun import findings, frames, invariants, periods, rulebooks
from ratingrun.stages import games, identity
from ratingrun.stages.reports import KEY
from ratingrun.uschess import balance, books, chain, intake, ledger, notes, reported, sections
from ratingrun.uschess.books import Book


@dataclass(frozen=True)
class Checkpoint:
    """A list that stands: its exact state, what it holds, and the sections that led to it from the one before."""

    name: str
    period: str
    state: pd.DataFrame
    matches: pd.DataFrame
    known: pd.DataFrame
    listed: pd.DataFrame
    sections: pd.DataFrame
    entries: pd.DataFrame
    results: pd.DataFrame
    findings: pd.DataFrame = field(default_factory=findings.none)


@dataclass(frozen=True)
class Inputs:
    """What a run reads.

    `candidates`: the sections whose report is at hand (columns of us_sections, as far as reports say them), with their
    `entries` and `results`. `checkpoints`: the newest first; only as many are taken as a change makes necessary.
    `first`: the period of the adopted list. `where` names the reports' folder in messages.
    """

    period: str
    candidates: pd.DataFrame
    entries: pd.DataFrame
    results: pd.DataFrame
    checkpoints: Iterable[Checkpoint]
    first: str
    members: pd.DataFrame = field(default_factory=frames.MEMBERS.empty)
    floors: pd.DataFrame = field(default_factory=frames.FLOORS.empty)
    exclusions: pd.DataFrame = field(default_factory=frames.EXCLUSIONS.empty)
    aliases: pd.DataFrame = field(default_factory=frames.ALIASES.empty)
    read: pd.DataFrame = field(default_factory=findings.none)
    no_games: bool = False
    where: str = "reports"
    books: Path = rulebooks.HERE


@dataclass(frozen=True)
class Month:
    """What a run makes: `frames` by name (empty if it stopped), the books used, the checkpoint that it starts from."""

    period: str
    book: Book
    frames: Mapping[str, pd.DataFrame]
    findings: pd.DataFrame
    books: tuple[str, ...] = ()
    checkpoint: str = ""
    first: str = ""

    @property
    def stopped(self) -> bool:
        """Whether the input stopped the run: no list."""
        return not self.frames

    @property
    def rejected(self) -> pd.DataFrame:
        """The findings by which reports are not used. A section that is not rated on this list is not judged."""
        errors = findings.rejections(self.findings)
        if self.stopped:
            return errors
        rows = self.frames["us_sections"]
        other = rows.loc[~rows["status"].isin(["used", "rejected"]), KEY]
        named = errors[KEY].fillna({"tournament_id": "", "part": 0}).astype({"part": "int64"})
        return errors[~pd.MultiIndex.from_frame(named).isin(pd.MultiIndex.from_frame(other))]


def run(inputs: Inputs, progress: Callable[[str], None] = lambda stage: None) -> Month:
    """The month. Raises RuleBookError before the first book, ContractError on a bug; bad input is in the findings."""
    day = periods.list_date(inputs.period)
    book = books.in_force(day, inputs.books)
    backwards = iter(inputs.checkpoints)
    prior = next(backwards)
    found = [prior.findings, inputs.read]
    if not len(inputs.candidates) and not inputs.no_games:
        found.append(findings.of("R112", rating_type="US Chess", where=inputs.where))
    if len(findings.stops(findings.join(found))):
        return Month(inputs.period, book, {}, findings.numbered(findings.join(found)))

    # What came in, what of it is rated now, and from which checkpoint.
    progress("reports")
    candidates, said = intake.matches(inputs.candidates, inputs.entries)
    found.append(said)
    fresh, news = intake.build(candidates, inputs.period, inputs.first, inputs.books)
    entries, said = identity.resolve(inputs.entries, inputs.aliases, pd.Series(dtype="str"))
    found += [news, said]
    content = chain.contents(fresh, entries, inputs.results)
    twins = chain.twins(fresh[fresh["status"] == "used"], content, prior.known, inputs.results)
    found.append(findings.of("U107", twins))
    fresh = intake.reject(fresh, findings.join(found))
    base, again, news = _base(fresh, content, inputs, prior, backwards)
    found += [*(one.findings for one in again), base.findings, news]
    if len(findings.stops(findings.join(found))):
        return Month(inputs.period, book, {}, findings.numbered(findings.join(found)))
    whole, entries, results = _together(fresh, content, entries, inputs, prior, again)
    found.append(reported.who(whole, entries, results))
    whole = intake.reject(whole, findings.join(found))

    # Games: two half-records become one, as in the other engine; colours do not count.
    progress("games")
    played, whole, news = reported.games_of(whole, entries, results, inputs.exclusions)
    heard_of = pd.concat([whole["tournament_id"], prior.known["tournament_id"]])
    unknown = games.unknown_exclusions(inputs.exclusions, heard_of)
    found += [news, unknown, games.notes(played, reported.nothing_rated(), inputs.exclusions)]

    # The sections in order.
    progress("sections")
    used = whole[whole["status"] == "used"]
    facts = sections.Facts(inputs.members[inputs.members["date"] <= pd.Timestamp(day)], inputs.floors, base.matches)
    state = base.state.rename(columns={"last_rated": "last"})
    state["last"] = ledger.days(state["last"])
    rated = sections.run(_renamed(used), _pairs(played, used, entries), state, facts, folder=inputs.books)

    progress("list")
    once_more = used[used["why"] == "again"]
    content = pd.concat([content, chain.contents(once_more, entries, results)]) if len(once_more) else content
    month = {
        "us_sections": whole,
        "entries": entries,
        "results": results,
        "games": played,
        **ledger.build(rated, base, prior, entries, inputs.members, inputs.floors, inputs.period, book),
        "us_known": chain.known(base.known, prior.known, used, content, inputs.exclusions, inputs.period),
    }
    month["cells"] = invariants.cells(
        {"results": results, "games": played, "sides": balance.one_a_side(month["us_sides"]), "tournaments": whole}
    )
    balance.check(month, prior.state)
    found.append(notes.of(rated, month, inputs, book))
    names = {book.id, *used["book"]}
    return Month(
        inputs.period, book, month, findings.numbered(findings.join(found)), tuple(sorted(names)), base.name,
        inputs.first,
    )  # fmt: skip


def _base(
    fresh: pd.DataFrame, content: pd.Series, inputs: Inputs, prior: Checkpoint, backwards: Iterable[Checkpoint]
) -> tuple[Checkpoint, list[Checkpoint], pd.DataFrame]:
    """The checkpoint to start from, those whose sections are rated again, and U301, U302, U304, U305."""
    ours = fresh[fresh["status"] == "used"]
    changed = chain.changes(ours, content, prior.known, inputs.exclusions)
    first, again, base = chain.earliest(changed), [], prior
    while first is not None and (last := chain.last(base.known)) is not None and last >= first:
        older = next(backwards, None)
        if older is None:
            break
        again.append(base)
        base = older
    end = chain.last(prior.known)
    orders = chain.orders(changed["new"])
    late = changed["new"][[end is not None and order <= end for order in orders]]
    return (
        base,
        again,
        findings.join(
            [
                findings.of("U301", late, base=base.name),
                findings.of("U302", changed["corrected"], base=base.name),
                findings.of("U304", changed["same"]),
                findings.of("U305", changed["excluded"].drop_duplicates("tournament_id"), base=base.name),
            ]
        ),
    )


def _together(
    fresh: pd.DataFrame,
    content: pd.Series,
    entries: pd.DataFrame,
    inputs: Inputs,
    prior: Checkpoint,
    again: list[Checkpoint],
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """All sections of this run with their entries and results: what came in, and what is rated once more."""
    known = prior.known.set_index(KEY)
    index = pd.MultiIndex.from_frame(fresh[KEY])
    was = known["content"].reindex(index)
    before = was.notna().to_numpy(bool)
    same = before & (was.to_numpy(object) == chain.of(content, fresh))
    end = chain.last(prior.known)
    late = pd.Series([end is not None and order <= end for order in chain.orders(fresh)], index=fresh.index, dtype=bool)
    why = pd.Series("new", index=fresh.index).mask(late & ~before, "late").mask(before & ~same, "corrected")
    used = fresh["status"] == "used"
    fresh = fresh.assign(why=why.where(used, "new"), status=fresh["status"].mask(used & same, "already_rated"))
    past = [one.sections[one.sections["status"] == "used"] for one in again]
    old = pd.concat(past) if past else frames.US_SECTIONS.empty()
    replaced = fresh.loc[fresh["status"].isin(["used", "rejected"]), KEY]
    old = old[~pd.MultiIndex.from_frame(old[KEY]).isin(pd.MultiIndex.from_frame(replaced))]
    if len(old):
        old, _ = intake.build(old, inputs.period, inputs.first, inputs.books)
        old = old.assign(why="again")
    fresh = fresh[~pd.MultiIndex.from_frame(fresh[KEY]).isin(pd.MultiIndex.from_frame(old[KEY]))]
    parts = {"entries": [reported.of(entries, fresh)], "results": [reported.of(inputs.results, fresh)]}
    for one in again:
        parts["entries"].append(reported.of(one.entries, old))
        parts["results"].append(reported.of(one.results, old))
    return (
        frames.US_SECTIONS.build(pd.concat([fresh, old])),
        frames.ENTRIES.build(pd.concat(parts["entries"])),
        frames.RESULTS.build(pd.concat(parts["results"])),
    )


def _renamed(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.rename(columns={"tournament_id": "event_id", "part": "section"})


def _pairs(played: pd.DataFrame, used: pd.DataFrame, entries: pd.DataFrame) -> pd.DataFrame:
    """The played games as `sections.run` takes them; in foreign events with the FIDE ratings of the report."""
    rows = played[played["played"]].copy()
    foreign = used.loc[used["kind"].isin(list(sections.FOREIGN)), KEY]
    guests = reported.of(entries, foreign).drop_duplicates([*KEY, "start_no"])
    rating = guests.set_index([*KEY, "start_no"])["reported_rating"]
    for colour in ("white", "black"):
        index = pd.MultiIndex.from_frame(rows[[*KEY, f"{colour}_no"]].astype({f"{colour}_no": "int64"}))
        rows[f"{colour}_fide"] = rating.reindex(index).to_numpy("float64", na_value=float("nan"))
    rows["score"] = rows["white_c"].to_numpy("float64", na_value=0.0) / 100
    names = {"white_id": "white", "black_id": "black"}
    return _renamed(rows.rename(columns=names))[
        ["event_id", "section", "round", "white", "black", "score", "white_fide", "black_fide"]
    ]
