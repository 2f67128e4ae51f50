"""First ratings of FIDE: Ra, p, dp, Ru, and what is missing (8.2)."""

from __future__ import annotations

import numpy as np

from ratingrun import formulas
from ratingrun.calc import fide, requests
from ratingrun.calc.requests import Request
from ratingrun.calc.values import Answer, Word, hundredths, points, typed, whole
from ratingrun.rulebooks import RuleBook, shapes


def build(request: Request) -> Answer:
    """A first rating from games against rated opponents: Ra, p, dp, Ru, and what is missing; date or book."""
    answer, books = Answer({}), fide.chosen_books(request)
    book, games = books.list, requests.games(request)
    found = fide.statuses(games, None, books)
    fide.skipped(answer, found, books)
    rated = [game for game, status in zip(games, found, strict=True) if status == "rated"]
    n, w_c = len(rated), int(requests.score_of(rated).sum())
    rules = book.initial
    answer.data = {"system": Word("fide"), "book": book.id, "n": whole(n), "score": points(w_c)}
    if n:
        answer.note("first_event_without_score", clause=rules.void_event.clause)
    if w_c < rules.void_below.value:
        answer.data |= {"outcome": Word("no_score"), "games_missing": whole(rules.min_games.value)}
        return answer
    r_sum = int(sum(game.r_opp for game in rated))
    values = {name: int(value[0]) for name, value in first_rating(n, w_c, r_sum, book).items()}
    ru = values["ru"] if rules.max_rating.number is None else min(values["ru"], rules.max_rating.number)
    missing = max(0, rules.min_games.value - n)
    outcome = "too_few_games" if missing else "below_floor" if ru < rules.min_rating.value else "published"
    answer.data |= {
        **{"average": hundredths(values["ra_c"]), "p": hundredths(values["p_c"]), "dp": whole(values["dp"], True)},
        **{"raw": whole(values["ru"]), "initial": whole(ru), "outcome": Word(outcome), "games_missing": whole(missing)},
    }
    _initial_steps(answer, n, w_c, r_sum, ru, book)
    return answer


def first_rating(n: int, w_c: int, r_sum: int, book: RuleBook) -> dict[str, np.ndarray]:
    """ra_c, p_c, dp and ru before the cap, by the book's kind; n at least 1."""
    rules, arrays = book.initial, (np.array([n]), np.array([w_c]), np.array([r_sum]))
    if isinstance(rules, shapes.HalfPoints):
        per, ties = rules.per_half_point.value, rules.p_ties.value
        return formulas.initial_rating_by_half_points(*arrays, per, book.dp_by_p, ties)
    draws, against = rules.draws.value, rules.draws_against.value
    return formulas.initial_rating(*arrays, draws, against, book.dp_by_p, rules.p_ties.value)


def _initial_steps(answer: Answer, n: int, w_c: int, r_sum: int, ru: int, book: RuleBook) -> None:
    rules, data = book.initial, answer.data
    fields = {"n": whole(n), "score": points(w_c), "sum": whole(r_sum), "average": data["average"], "p": data["p"]}
    if isinstance(rules, shapes.HalfPoints):
        above = 2 * w_c // formulas.POINT - n
        answer.step("ra_mean", clause=rules.clause, **{name: fields[name] for name in ("n", "sum", "average")})
        per = typed(rules.per_half_point.value / formulas.POINT)
        if above > 0:
            answer.step("half_points", above=whole(above), per=per, dp=data["dp"], clause=rules.per_half_point.clause)
        else:
            answer.step("share", score=fields["score"], n=fields["n"], p=data["p"])
            answer.step("dp", p=data["p"], dp=data["dp"], clause=book.tables.clause)
    else:
        draws = {"draws": whole(rules.draws.value), "against": whole(rules.draws_against.value)}
        answer.step("ra_draws", clause=rules.draws.clause, **draws, **{k: fields[k] for k in ("n", "sum", "average")})
        answer.step("p_draws", draws=draws["draws"], **{name: fields[name] for name in ("n", "score", "p")})
        answer.step("dp", p=data["p"], dp=data["dp"], clause=book.tables.clause)
    answer.step("ru", average=data["average"], dp=data["dp"], raw=data["raw"])
    if ru < int(data["raw"].text):
        answer.step("ru_cap", limit=whole(rules.max_rating.number), clause=rules.max_rating.clause)
    least, games = rules.min_rating, rules.min_games
    if int(data["games_missing"].text):
        answer.step("games_missing", needed=whole(games.value), n=data["games_missing"], clause=games.clause)
    elif ru < least.value:
        answer.step("initial_below", initial=whole(ru), floor=whole(least.value), clause=least.clause)
    else:
        answer.step("initial_published", initial=whole(ru))
