"""What it takes to reach a rating: points from known opponents, or opponents for a number of rounds."""

from __future__ import annotations

import numpy as np

from ratingrun import formulas, frames
from ratingrun.calc import elo as plain
from ratingrun.calc import fide, requests
from ratingrun.calc.requests import Game, Request
from ratingrun.calc.values import Answer, RequestError, Word, points, real, typed, whole

ROUNDS = (1, 99)
HALF = formulas.POINT // 2


def build(request: Request) -> Answer:
    """`target` from `own`: with `remaining` (the opponents' ratings) the fewest points; with `rounds` alone the lowest
    average of the opponents for each score. `games` are those already played in the period."""
    answer = Answer({})
    if request["system"] == "fide":
        return _fide(request, answer)
    return _elo(request, answer)


def _remaining(request: Request, decimals: bool) -> list[Game]:
    lines = [str(line).strip() for line in request.get("remaining") or ()]
    return [Game(requests.parsed(line, "remaining", *frames.RATING_RANGE, decimals), 0) for line in lines if line]


def _scores(n: int) -> np.ndarray:
    """Every score of n games, hundredths."""
    return np.arange(2 * n + 1) * HALF


def _fide(request: Request, answer: Answer) -> Answer:
    books = fide.chosen_books(request)
    sums = fide.totals(request, answer, books)
    target = requests.rating(request, "target")
    remaining = _remaining(request, False)
    found = fide.statuses(remaining, sums["own"], books)
    fide.skipped(answer, found, books)
    rated = [game for game, status in zip(remaining, found, strict=True) if status == "rated"]
    rounds = len(rated) if remaining else requests.needed(request, "rounds", *ROUNDS)
    n = sums["n"] + rounds
    if not rounds:
        raise RequestError("no_rated_games")
    k = int(formulas.reduced_k(np.array([sums["k_base"]]), np.array([n]), books.list.period.max_kn.number)[0])
    answer.data = {
        **{"system": Word("fide"), "book": books.game.id, "own": whole(sums["own"]), "target": whole(target)},
        **{"n": whole(sums["n"]), "remaining": whole(rounds), "k": whole(k)},
    }
    scores = _scores(rounds)

    def new(dr_c: np.ndarray) -> np.ndarray:
        return sums["base"] + formulas.round_half_away(k * dr_c)

    if remaining:
        _, _, pd_c = fide.differences(sums["own"], np.array([game.r_opp for game in rated]), books.game)
        _points(answer, scores, new(sums["dr_c"] + scores - int(pd_c.sum())), target, whole)
        return answer
    ratings = np.arange(books.before.period.floor.value, frames.RATING_RANGE[1] + 1)
    _, _, pd_c = fide.differences(sums["own"], ratings, books.game)
    ratings = ratings[np.array([fide.statuses([Game(r, 0)], sums["own"], books)[0] == "rated" for r in ratings])]
    _, _, pd_c = fide.differences(sums["own"], ratings, books.game)
    rows = [(score, ratings[new(sums["dr_c"] + score - rounds * pd_c) >= target]) for score in scores]
    _opponents(answer, [(score, int(found[0]) if len(found) else None) for score, found in rows], whole)
    return answer


def _points(answer: Answer, scores: np.ndarray, new: np.ndarray, target: float, shown) -> None:
    """The fewest points that reach the target, or that it is out of reach; and the new rating of every score."""
    enough = np.flatnonzero(new >= target)
    answer.data["points_needed"] = points(int(scores[enough[0]])) if len(enough) else Word("impossible")
    answer.data["best"] = shown(new[-1])
    answer.data["scores"] = [
        {"score": points(int(score)), "new": shown(rating), "reached": Word("yes" if rating >= target else "no")}
        for score, rating in zip(scores, new, strict=True)
    ]
    if not len(enough):
        answer.note("out_of_reach", best=shown(new[-1]))


def _opponents(answer: Answer, rows: list[tuple[int, float | None]], shown) -> None:
    """For each score the lowest rating of opponents, all alike, that reaches the target."""
    answer.data["scores"] = [
        {"score": points(int(score)), "opponents": Word("impossible") if r is None else shown(r)} for score, r in rows
    ]
    answer.note("opponents_alike")
    if all(r is None for _, r in rows):
        answer.note("no_opponents_enough")


def _elo(request: Request, answer: Answer) -> Answer:
    own, target = requests.rating(request, "own", True), requests.rating(request, "target", True)
    k, limit, decimals = plain.settings(request, answer)
    games = requests.games(request, True) if request.get("games") else []
    rated = [game for game in games if plain.status_of(game) == "rated"]
    plain.skipped(answer, games)
    gained = requests.score_of(rated).sum() / formulas.POINT
    gained -= plain.elo.in_order(plain.elo.expected(own, requests.ratings_of(rated), limit))
    remaining = _remaining(request, True)
    rounds = len(remaining) or requests.needed(request, "rounds", *ROUNDS)
    answer.data = {
        **{"system": Word("elo"), "own": typed(own), "target": typed(target), "n": whole(len(rated))},
        **{"remaining": whole(rounds), "k": typed(k)},
    }

    def shown(value: float):
        return real(value, decimals)

    def new(dr: np.ndarray) -> np.ndarray:
        return np.array([shown(value).plain for value in own + k * (gained + dr)], float)

    scores = _scores(rounds)
    if remaining:
        expected = plain.elo.in_order(plain.elo.expected(own, requests.ratings_of(remaining), limit))
        _points(answer, scores, new(scores / formulas.POINT - expected), target, shown)
        return answer
    ratings = np.arange(frames.RATING_RANGE[0], frames.RATING_RANGE[1] + 1)
    expected = rounds * plain.elo.expected(own, ratings.astype(float), limit)
    rows = [(score, ratings[new(score / formulas.POINT - expected) >= target]) for score in scores]
    _opponents(answer, [(score, int(found[0]) if len(found) else None) for score, found in rows], whole)
    return answer
