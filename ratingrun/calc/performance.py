"""Performance ratings, and the expected score by gap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ratingrun import elo, formulas, rulebooks
from ratingrun.calc import requests
from ratingrun.calc.requests import Game, Request
from ratingrun.calc.values import Answer, Num, Word, hundredths, points, real, typed, whole

GAPS = range(0, 801, 50)
EXPECTED = 4  # decimals of an expected score by the curve
K = (1, 1000)
DEFAULT_K = 20


def table_book(request: Request) -> rulebooks.RuleBook:
    """The FIDE book of the request's date or name: its tables stand behind performances of every system."""
    from ratingrun.calc import fide

    return fide.chosen_books(request).game


def of(request: Request, games: Sequence[Game]) -> dict[str, Num | Word | None]:
    """average, performance_fide, performance_linear, linear_rule, performance_linear_fide, performance_true of games.

    All none without games. `performance_linear_fide` is linear, but FIDE's table at 0 and 100 %, as linear_rule says.
    """
    names = ("average", "performance_fide", "performance_linear", "performance_linear_fide", "linear_rule")
    if not games:
        return {**dict.fromkeys(names), "performance_true": None}
    book = table_book(request)
    ratings, w_c, n = requests.ratings_of(games), int(requests.score_of(games).sum()), len(games)
    r_c = np.round(ratings * formulas.POINT).astype("int64")
    p_c = elo.share_c(w_c, n, book.initial.p_ties.value)
    fide, linear = elo.by_table(r_c, p_c, book.dp_by_p), elo.linear_c(r_c, w_c)
    extreme = w_c in (0, n * formulas.POINT)
    true = elo.true(ratings, w_c / formulas.POINT)
    return {
        "average": hundredths(elo.average_c(r_c)),
        "performance_fide": whole(fide),
        "performance_linear": hundredths(linear),
        "performance_linear_fide": hundredths(formulas.POINT * fide if extreme else linear),
        "linear_rule": Word("fide_extremes" if extreme else "linear"),
        "performance_true": None if true is None else real(true),
    }


def build(request: Request) -> Answer:
    """Performance of games: n, score, average, p, dp, and the ratings of `of`. FIDE's table by date or book."""
    answer = Answer({})
    games = requests.games(request, decimals=True)
    counted = [game for game in games if game.score_c is not None and game.r_opp is not None]
    from ratingrun.calc.elo import skipped

    skipped(answer, games)
    if not counted:
        raise requests.RequestError("no_rated_games")
    book = table_book(request)
    w_c, n = int(requests.score_of(counted).sum()), len(counted)
    p_c = elo.share_c(w_c, n, book.initial.p_ties.value)
    dp = int(book.dp_by_p[p_c])
    found = of(request, counted)
    answer.data = {
        **{"book": book.id, "n": typed(n), "score": points(w_c), "average": found["average"]},
        **{"p": hundredths(p_c), "dp": whole(dp, True)},
        **{name: found[name] for name in found if name != "average"},
    }
    answer.step("average", n=typed(n), average=found["average"])
    answer.step("share", score=points(w_c), n=typed(n), p=hundredths(p_c))
    answer.step("dp", p=hundredths(p_c), dp=whole(dp, True), clause=book.tables.clause)
    answer.step("performance_fide", average=found["average"], dp=whole(dp, True), rating=found["performance_fide"])
    half = whole(elo.SCALE)
    difference = points(2 * w_c - formulas.POINT * n)
    linear = found["performance_linear"]
    answer.step("performance_linear", average=found["average"], scale=half, d=difference, n=typed(n), rating=linear)
    if found["performance_true"] is None:
        answer.note("no_true_performance")
    else:
        answer.step("performance_true", rating=found["performance_true"], score=points(w_c))
    if found["linear_rule"].code == "fide_extremes":
        answer.note("fide_extremes", rating=found["performance_linear_fide"])
    return answer


def table(request: Request) -> Answer:
    """Expected score by gap, table 8.1.2 and curve side by side, and what the lower player's win is worth at K."""
    k = requests.number(request, "k", *K, default=DEFAULT_K)
    book = table_book(request)
    gaps = np.array(GAPS)
    high = formulas.scoring_probability_c(gaps, *book.pd_table)
    curve = elo.expected(gaps.astype(float), 0.0)
    answer = Answer({"book": book.id, "k": whole(k), "table": []})
    for gap, high_c, e in zip(GAPS, high.tolist(), curve.tolist(), strict=True):
        answer.data["table"].append(
            {
                **{"gap": whole(gap), "fide_higher": hundredths(high_c), "fide_lower": hundredths(100 - high_c)},
                **{"curve_higher": real(e, EXPECTED), "curve_lower": real(1 - e, EXPECTED)},
                **{"upset_fide": hundredths(k * high_c, True), "upset_curve": real(k * e, 2, True)},
            }
        )
    answer.note("table_without_limit")
    return answer
