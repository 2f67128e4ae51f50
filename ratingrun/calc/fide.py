"""FIDE and whoever rates like FIDE: games, events and first ratings under the book of a date.

The arithmetic is that of `formulas`; K comes from the stage that writes the lists.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ratingrun import formulas, frames, periods, rulebooks
from ratingrun.calc import elo, performance, requests
from ratingrun.calc.requests import Game, Request
from ratingrun.calc.values import Answer, Num, RequestError, Word, hundredths, points, whole
from ratingrun.rulebooks import RuleBook, shapes
from ratingrun.stages import lists

K = (1, 100)
GAMES = (0, 99_999)


@dataclass(frozen=True)
class Books:
    """The books of an event: of its start, of the list that rates it, of the list before, whose day is `prior`."""

    game: RuleBook
    list: RuleBook
    before: RuleBook
    prior: dt.date


def chosen_books(request: Request) -> Books:
    """By `book` (an id), or by `date`, the event's first day; `list` (YYYY-MM) where not the next one; `type`."""
    chapter = rulebooks.chapter(requests.chosen(request, "type", frames.RATING_TYPES, "standard"))
    name, day = requests.text(request, "book"), requests.day(request, "date")
    if name is not None:
        known = {book.id: book for book in rulebooks.books(chapter.system, chapter.folder)}
        if name not in known:
            raise RequestError("book", value=name, choices=", ".join(known))
        return Books(known[name], known[name], known[name], dt.date(day.year, day.month, 1))
    game = rulebooks.in_force(chapter.system, day, chapter.folder)
    prior = rulebooks.list_in_force(chapter, day)
    wanted = requests.text(request, "list")
    if wanted is None:
        before = rulebooks.in_force(chapter.system, prior, chapter.folder) if prior >= _first(chapter) else game
        list_day = periods.list_date(periods.shift(periods.of_date(prior), before.period.months.value))
        return Books(game, rulebooks.in_force(chapter.system, list_day, chapter.folder), before, prior)
    try:
        book = rulebooks.book_of_list(chapter, wanted)
    except ValueError as error:
        raise RequestError("list", value=wanted, text=str(error)) from None
    prior = periods.list_date(periods.shift(wanted, -book.period.months.value))
    if periods.list_date(wanted) <= day:
        raise RequestError("list_too_early", value=wanted, date=str(day))
    return Books(game, book, rulebooks.in_force(chapter.system, max(prior, _first(chapter)), chapter.folder), prior)


def _first(chapter: rulebooks.Chapter) -> dt.date:
    return rulebooks.books(chapter.system, chapter.folder)[0].from_


def k_of(request: Request, own: int, books: Books, answer: Answer) -> tuple[int, str]:
    """K and the clause that gave it: as typed, or by the rule from played, birth_year and peak.

    What was not typed: enough games for no newcomer, no junior, and the own rating as the highest.
    """
    typed_k = requests.number(request, "k", *K)
    if typed_k is not None:
        return typed_k, ""
    book = books.before
    limits = [row.games_below or row.games_from or 0 for row in book.k]
    played = requests.number(request, "played", *GAMES)
    born = requests.number(request, "birth_year", *frames.BIRTH_RANGE)
    peak = requests.number(request, "peak", *frames.RATING_RANGE)
    if played is None:
        answer.note("games_not_given", games=whole(max(limits)))
    row = {"rating": own, "peak": max(peak or 0, own), "birth_year": born, "games_total": played}
    row["games_total"] = max(limits) if played is None else played
    one = pd.DataFrame({name: pd.array([value], "Int64") for name, value in row.items()})
    found, _ = lists.published_k(one, book, books.prior)
    return int(found["k"].iloc[0]), str(found["k_clause"].iloc[0])


def own_rating(request: Request, books: Books, name: str = "own") -> int:
    """The own rating; below the floor there is none."""
    own, floor = requests.rating(request, name), books.before.period.floor.value
    if own < floor:
        raise RequestError("below_floor", value=str(own), floor=str(floor))
    return own


def statuses(games: Sequence[Game], own: int | None, books: Books) -> list[str]:
    """rated, unrated, forfeit, below_floor or too_far of each game."""
    floor, rule = books.before.period.floor.value, books.game.game.too_far_apart
    found = []
    for game in games:
        status = elo.status_of(game)
        if status == "rated" and game.r_opp < floor:
            status = "below_floor"
        if status == "rated" and own is not None and isinstance(rule, shapes.Apart):
            far = abs(own - game.r_opp) >= rule.difference_from.value
            status = "too_far" if far and max(own, game.r_opp) > rule.rated_above.value else status
        found.append(status)
    return found


def differences(own: int, r_opp: np.ndarray, book: RuleBook) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(d_true, d, pd_c) of the rated games of one event."""
    rules, r = book.game, np.full(len(r_opp), own)
    d_true = r - r_opp
    d = formulas.limited_difference(d_true, r, rules.max_difference.value, rules.max_difference_below.value)
    if rules.difference_kind.value == "greatest_of_event":
        one = formulas.greatest(d_true, np.zeros(len(d_true), "int64"), np.arange(len(d_true)))
        d = np.where(one, d, d_true)
    return d_true, d, formulas.scoring_probability_c(d, *book.pd_table)


def skipped(answer: Answer, found: Sequence[str], books: Books) -> None:
    """Notes on games that do not count."""
    fields = {"below_floor": {"floor": whole(books.before.period.floor.value)}}
    for status in ("unrated", "forfeit", "below_floor", "too_far"):
        count = found.count(status)
        if count:
            answer.note(f"{status}_games", n=count, **fields.get(status, {}))


def _difference_steps(answer: Answer, own: int, r_opp: int, d_true: int, d: int, pd_c: int, book: RuleBook) -> None:
    rules = book.game
    answer.step("difference", own=whole(own), opponent=whole(r_opp), d=whole(d_true))
    limit, below = whole(rules.max_difference.value), whole(rules.max_difference_below.value)
    if d != d_true:
        answer.step("limited", limit=limit, counted=whole(d), clause=rules.max_difference.clause)
    elif abs(d_true) > rules.max_difference.value:
        if own >= rules.max_difference_below.value:
            answer.step("unlimited", own=whole(own), below=below, clause=rules.max_difference_below.clause)
        else:
            answer.step("limit_used", limit=limit, clause=rules.difference_kind.clause)
    answer.step("table", d=whole(d), expected=hundredths(pd_c), clause=book.expected.clause)


def _k_step(answer: Answer, k: int, clause: str) -> None:
    if clause:
        answer.step("k", k=whole(k), clause=clause)
    else:
        answer.step("k_given", k=whole(k))


def game(request: Request) -> Answer:
    """One game of both players: own, opponent, score (none: all three), k or its facts, opponent_k, date or book."""
    answer, books = Answer({}), chosen_books(request)
    own, opponent = own_rating(request, books), requests.rating(request, "opponent")
    k, clause = k_of(request, own, books, answer)
    score = requests.score(request)
    k_opp = requests.number(request, "opponent_k", *K)
    if k_opp is None:
        k_opp = k
        answer.note("same_k", k=whole(k))
    answer.data = {"system": Word("fide"), "book": books.game.id, "own": whole(own), "opponent": whole(opponent)}
    status = statuses([Game(opponent, 0)], own, books)[0]
    if status != "rated":
        skipped(answer, [status], books)
        answer.data |= {"status": Word(status)}
        return answer
    d_true, d, pd_c = (int(values[0]) for values in differences(own, np.array([opponent]), books.game))
    pd_opp = int(differences(opponent, np.array([own]), books.game)[2][0])
    answer.data |= {
        **{"difference": whole(d_true), "counted_difference": whole(d), "expected": hundredths(pd_c)},
        **{"opponent_expected": hundredths(pd_opp), "k": whole(k), "k_clause": clause or None},
        **{"opponent_k": whole(k_opp), "outcomes": []},
    }
    _difference_steps(answer, own, opponent, d_true, d, pd_c, books.game)
    _k_step(answer, k, clause)
    for score_c in elo.OUTCOMES if score is None else (score,):
        dr_c, dr_opp = score_c - pd_c, formulas.POINT - score_c - pd_opp
        rounded, rounded_opp = (int(formulas.round_half_away(np.array(c))) for c in (k * dr_c, k_opp * dr_opp))
        row = {
            **{"score": points(score_c), "dr": hundredths(dr_c, True), "change": hundredths(k * dr_c, True)},
            **{"rounded": whole(rounded, True), "new": whole(own + rounded)},
            **{"opponent_change": hundredths(k_opp * dr_opp, True), "opponent_new": whole(opponent + rounded_opp)},
        }
        answer.data["outcomes"].append(row)
        answer.step("dr", score=row["score"], expected=hundredths(pd_c), dr=row["dr"])
        _change_steps(answer, k, row, own, books.list)
    _floor_note(answer, [own + int(row["rounded"].text) for row in answer.data["outcomes"]], books.list)
    return answer


def _change_steps(answer: Answer, k: int, row: dict[str, Num], base: int, book: RuleBook) -> None:
    clause = book.period.rounding.clause
    answer.step("change", k=whole(k), dr=row["dr"], change=row["change"], rounded=row["rounded"], clause=clause)
    answer.step("new", base=whole(base), change=row["rounded"], new=row["new"])


def _floor_note(answer: Answer, new: list[int], book: RuleBook) -> None:
    floor = book.period.floor
    if any(rating < floor.value for rating in new):
        answer.note("new_below_floor", floor=whole(floor.value), clause=floor.clause)


def totals(request: Request, answer: Answer, books: Books) -> dict[str, object]:
    """The sums of an event as plain integers, with its rows: what `event` and `target` build on.

    Keys: own, base, games, status, pd_c, d_true, d (each of the rated games), n, w_c, we_c, dr_c, k_base, k, clause.
    """
    own = own_rating(request, books)
    base = own_rating(request, books, "base") if requests.text(request, "base") else own
    games = requests.games(request) if request.get("games") else []
    found = statuses(games, own, books)
    rated = [game for game, status in zip(games, found, strict=True) if status == "rated"]
    d_true, d, pd_c = differences(own, np.array([game.r_opp for game in rated], "int64"), books.game)
    scores = requests.score_of(rated)
    k_base, clause = k_of(request, base, books, answer)
    return {
        **{"own": own, "base": base, "games": games, "rated": rated, "status": found, "pd_c": pd_c},
        **{"d_true": d_true, "d": d, "n": len(rated), "w_c": int(scores.sum()), "we_c": int(pd_c.sum())},
        **{"dr_c": int((scores - pd_c).sum()), "k_base": k_base, "clause": clause},
    }


def event(request: Request) -> Answer:
    """Several games: own, base (where the list before differs), games, k or its facts, date, list or book."""
    answer, books = Answer({}), chosen_books(request)
    if not request.get("games"):
        raise RequestError("no_games")
    sums = totals(request, answer, books)
    n, k, base = sums["n"], sums["k_base"], sums["base"]
    if n:
        k = int(formulas.reduced_k(np.array([k]), np.array([n]), books.list.period.max_kn.number)[0])
    change_c = k * sums["dr_c"]
    rounded = int(formulas.round_half_away(np.array(change_c)))
    answer.data = {"system": Word("fide"), "book": books.game.id, "list_book": books.list.id, "own": whole(sums["own"])}
    if base != sums["own"]:
        answer.data |= {"base": whole(base)}
    row = {"dr": hundredths(sums["dr_c"], True), "change": hundredths(change_c, True)}
    row |= {"rounded": whole(rounded, True), "new": whole(base + rounded)}
    answer.data |= {
        **{"games": _rows(sums, k), "n": whole(n), "score": points(sums["w_c"]), "expected": hundredths(sums["we_c"])},
        **{"dr": row["dr"], "k_base": whole(sums["k_base"]), "k": whole(k), "k_clause": sums["clause"] or None},
        **{name: row[name] for name in ("change", "rounded", "new")},
        **performance.of(request, sums["rated"]),
    }
    skipped(answer, sums["status"], books)
    _event_steps(answer, sums, k, books)
    if n:
        _change_steps(answer, k, row, base, books.list)
    _floor_note(answer, [base + rounded], books.list)
    return answer


def _rows(sums: dict, k: int) -> list[dict[str, object]]:
    """A row a game; what it was worth: K x (score - PD)."""
    place, rows = 0, []
    for game, status in zip(sums["games"], sums["status"], strict=True):
        row: dict[str, object] = {**elo.said(game), "status": Word(status)}
        names = ("difference", "counted_difference", "expected", "dr", "change")
        values: tuple[Num | None, ...] = (None,) * len(names)
        if status == "rated":
            d_true, d, pd_c = (int(sums[name][place]) for name in ("d_true", "d", "pd_c"))
            dr_c = game.score_c - pd_c
            values = (whole(d_true), whole(d), hundredths(pd_c), hundredths(dr_c, True), hundredths(k * dr_c, True))
            place += 1
        rows.append(row | dict(zip(names, values, strict=True)))
    return rows


def _event_steps(answer: Answer, sums: dict, k: int, books: Books) -> None:
    for place, game in enumerate(sums["rated"]):
        d_true, d, pd_c = (int(sums[name][place]) for name in ("d_true", "d", "pd_c"))
        _difference_steps(answer, sums["own"], game.r_opp, d_true, d, pd_c, books.game)
        score = points(game.score_c)
        answer.step("dr", score=score, expected=hundredths(pd_c), dr=hundredths(game.score_c - pd_c, True))
    score, dr = points(sums["w_c"]), hundredths(sums["dr_c"], True)
    answer.step("sum", n=whole(sums["n"]), score=score, expected=hundredths(sums["we_c"]), dr=dr)
    _k_step(answer, sums["k_base"], sums["clause"])
    if k != sums["k_base"]:
        limit = books.list.period.max_kn
        fields = {"k": whole(sums["k_base"]), "n": whole(sums["n"]), "reduced": whole(k)}
        answer.step("kn", limit=whole(limit.number), clause=limit.clause, **fields)
