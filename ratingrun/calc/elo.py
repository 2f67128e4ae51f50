"""Plain Elo: a free K, an optional limit to the difference, decimals as wanted."""

from __future__ import annotations

import numpy as np

from ratingrun import elo, formulas
from ratingrun.calc import performance, requests
from ratingrun.calc.requests import Request
from ratingrun.calc.values import Answer, Num, Word, points, real, typed

K = (0.01, 1000)
LIMIT = (1, 4000)
DECIMALS = (0, 4)
OUTCOMES = (100, 50, 0)
EXPECTED = 4  # decimals of an expected score
DEFAULT_K = 20


def settings(request: Request, answer: Answer) -> tuple[float, float | None, int]:
    """K, the limit to the difference (none: no limit) and the decimals of changes and ratings."""
    k = requests.number(request, "k", *K, decimals=True)
    if k is None:
        k = DEFAULT_K
        answer.note("default_k", k=typed(k))
    limit = requests.number(request, "limit", *LIMIT)
    return float(k), limit, int(requests.number(request, "decimals", *DECIMALS, default=2))


def game(request: Request) -> Answer:
    """One game of both players: own, opponent, score (none: all three), k, opponent_k, limit, decimals."""
    answer = Answer({})
    own, opponent = requests.rating(request, "own", True), requests.rating(request, "opponent", True)
    k, limit, decimals = settings(request, answer)
    k_opp = requests.number(request, "opponent_k", *K, decimals=True)
    if k_opp is None:
        k_opp = k
        answer.note("same_k", k=typed(k))
    score = requests.score(request)
    scores = OUTCOMES if score is None else (score,)
    e, e_opp = float(elo.expected(own, opponent, limit)), float(elo.expected(opponent, own, limit))
    counted = _counted(own - opponent, limit)
    answer.data = {
        **{"system": Word("elo"), "own": typed(own), "opponent": typed(opponent), "difference": typed(own - opponent)},
        **{"counted_difference": typed(counted), "expected": real(e, EXPECTED)},
        **{"opponent_expected": real(e_opp, EXPECTED), "k": typed(k), "opponent_k": typed(k_opp), "outcomes": []},
    }
    answer.step("difference", own=typed(own), opponent=typed(opponent), d=typed(own - opponent))
    if counted != own - opponent:
        answer.step("elo_limited", limit=typed(limit), counted=typed(counted))
    answer.step("curve", d=typed(counted), expected=real(e, EXPECTED))
    for score_c in scores:
        change, change_opp = _change(k, score_c, e), _change(k_opp, formulas.POINT - score_c, e_opp)
        row = {
            **{"score": points(score_c), "change": real(change, decimals, True), "new": real(own + change, decimals)},
            "opponent_change": real(change_opp, decimals, True),
            "opponent_new": real(opponent + change_opp, decimals),
        }
        answer.data["outcomes"].append(row)
        answer.step("elo_change", k=typed(k), score=row["score"], expected=real(e, EXPECTED), change=row["change"])
        answer.step("new", base=typed(own), change=row["change"], new=row["new"])
    return answer


def _counted(d: float, limit: float | None) -> float:
    return d if limit is None else float(np.clip(d, -limit, limit))


def _change(k: float, score_c: int, expected: float) -> float:
    return k * (score_c / formulas.POINT - expected)


def event(request: Request) -> Answer:
    """Several games from one rating: own, games, k, limit, decimals."""
    answer = Answer({})
    own = requests.rating(request, "own", True)
    k, limit, decimals = settings(request, answer)
    games = requests.games(request, decimals=True)
    rows, rated = [], []
    for game in games:
        status = status_of(game)
        row: dict[str, object] = {**said(game), "status": Word(status)}
        empty = dict.fromkeys(("difference", "expected", "change"))
        if status == "rated":
            rated.append(game)
            e = float(elo.expected(own, game.r_opp, limit))
            change = real(_change(k, game.score_c, e), decimals, True)
            empty = {"difference": typed(own - game.r_opp), "expected": real(e, EXPECTED), "change": change}
        rows.append(row | empty)
    w_c = int(requests.score_of(rated).sum())
    expected = elo.in_order(elo.expected(own, requests.ratings_of(rated), limit))
    change = k * (w_c / formulas.POINT - expected)
    answer.data = {
        **{"system": Word("elo"), "own": typed(own), "games": rows, "n": typed(len(rated)), "score": points(w_c)},
        **{"expected": real(expected, EXPECTED), "k": typed(k), "change": real(change, decimals, True)},
        **{"new": real(own + change, decimals), **performance.of(request, rated)},
    }
    skipped(answer, games)
    data = answer.data
    answer.step("curve_sum", n=data["n"], expected=data["expected"])
    answer.step("elo_change", k=typed(k), score=data["score"], expected=data["expected"], change=data["change"])
    answer.step("new", base=typed(own), change=data["change"], new=data["new"])
    return answer


def status_of(game: requests.Game) -> str:
    """rated, or why not."""
    return "forfeit" if game.score_c is None else "unrated" if game.r_opp is None else "rated"


def said(game: requests.Game) -> dict[str, Num | Word]:
    """A game as typed: opponent and score."""
    opponent = Word("unrated") if game.r_opp is None else typed(game.r_opp)
    return {"opponent": opponent, "score": Word("forfeit") if game.score_c is None else points(game.score_c)}


def skipped(answer: Answer, games: list[requests.Game]) -> None:
    """Notes on games that do not count."""
    for status in ("unrated", "forfeit"):
        count = sum(status_of(game) == status for game in games)
        if count:
            answer.note(f"{status}_games", n=count)
