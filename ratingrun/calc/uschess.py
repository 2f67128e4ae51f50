"""US Chess: one player's estimate, by the functions of the batch engine.

One pass: the opponents' ratings before the event stand for those after it, which the official second pass uses. Every
answer says so.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import numpy as np

from ratingrun import frames
from ratingrun.calc import elo, performance, requests
from ratingrun.calc.requests import Game, Request
from ratingrun.calc.values import Answer, RequestError, Word, points, real, typed, whole
from ratingrun.uschess import books, formulas
from ratingrun.uschess.books import Book

PLAYED = (0, 99_999)
EXPECTED, GAMES, K = 4, 4, 4  # decimals
HISTORIES = ("mixed", "won", "lost")


def book_of(request: Request) -> Book:
    """The book of the request's name, or of its date (the section's first day)."""
    name = requests.text(request, "book")
    if name is None:
        return books.in_force(requests.day(request, "date"))
    known = {book.id: book for book in books.books()}
    if name not in known:
        raise RequestError("book", value=name, choices=", ".join(known))
    return known[name]


def _one(value: float) -> np.ndarray:
    return np.array([value], float)


class _Player:
    """What the estimate needs of a player: rating, earlier games, how they ended."""

    def __init__(self, rating: float, played: float, history: str = "mixed"):
        self.r, self.n = _one(rating), _one(played)
        self.won, self.lost = np.array([history == "won"]), np.array([history == "lost"])


def _established(request: Request, name: str, book: Book, answer: Answer) -> float:
    """The earlier games; if nothing was typed, as many as a long-established player has."""
    played = requests.number(request, name, *PLAYED)
    if played is None:
        answer.note("established", games=whole(int(book.effective.most.value)))
        return book.effective.most.value
    return played


def _rate(player: _Player, games: Sequence[Game], book: Book, dual: bool, match: bool) -> dict[str, object]:
    """The rating before floors, and what it was made of: formula, n_eff, m, and the parts of that formula."""
    place = np.zeros(len(games), "int64")
    names = [game.name or f"game {number}" for number, game in enumerate(games)]
    numbers = np.array([names.index(name) for name in names], "int64")
    r_opp, score = requests.ratings_of(games), requests.score_of(games) / 100
    n_eff = formulas.effective_games(player.n, player.r, book.effective)
    meetings = formulas.most_meetings(place, numbers, 1)
    found = formulas.standard(player.r, n_eff, place, r_opp, score, meetings, book, dual, match)
    special = bool(formulas.is_special(player.n, player.won, player.lost, book.special)[0])
    rating = found["rating"]
    if special:
        prior = (player.r, n_eff, player.won, player.lost)
        rating = formulas.special(*prior, place, r_opp, score, book.special)
    share = formulas.dual_share(player.r, book.dual)[0] if dual else 1.0
    allowed = bool(formulas.may_have_bonus(found["m"], meetings, match, book.bonus)[0])
    least = float(np.sqrt(np.maximum(found["m"][0], book.bonus.least_root.value)))
    return {
        **{name: float(found[name][0]) for name in ("expected", "k", "gain", "bonus")},
        **{"m": len(games), "score_c": int(requests.score_of(games).sum()), "special": special, "share": float(share)},
        **{"n_eff": float(n_eff[0]), "rating": float(rating[0]), "allowed": allowed},
        "threshold": book.bonus.multiplier.value * least,
    }


def _floor(request: Request, games: Sequence[Game], book: Book) -> float:
    """The highest floor that the request's facts give: absolute, personal, peak, life master, prize.

    `wins`, `draws`, `events` are those before the event: its own are added.
    """
    rules, floors = book.floor, [float(book.floor.absolute.value)]
    facts = [requests.number(request, name, *PLAYED) for name in ("wins", "draws", "events")]
    if any(fact is not None for fact in facts):
        scores = requests.score_of(games)
        now = ((scores == 100).sum(), (scores == 50).sum(), int(len(games) >= rules.event_games.value))
        wins, draws, events = (_one((fact or 0) + new) for fact, new in zip(facts, now, strict=True))
        floors.append(float(formulas.personal_floor(wins, draws, events, rules)[0]))
    peak = requests.number(request, "peak", *frames.RATING_RANGE, decimals=True)
    if peak is not None:
        floors.append(float(formulas.peak_floor(_one(peak), rules)[0]))
    if requests.flag(request, "life_master"):
        floors.append(float(rules.life_master.value))
    prize = requests.number(request, "prize", *frames.RATING_RANGE)
    if prize is not None:
        floors.append(float(formulas.prize_floor(_one(prize), rules)[0]))
    return max(floors)


def _steps(answer: Answer, player: _Player, found: dict, book: Book, dual: bool) -> None:
    """The formula written out with its numbers."""
    r, n_eff, m = typed(player.r[0]), real(found["n_eff"], GAMES), whole(found["m"])
    score, rating = points(found["score_c"]), real(found["rating"])
    answer.step("effective", n=typed(player.n[0]), own=r, n_eff=n_eff, clause=book.effective.numerator.clause)
    if found["special"]:
        history = "won" if player.won[0] else "lost" if player.lost[0] else "mixed"
        centre, prior_score = formulas.prior(player.r, _one(found["n_eff"]), player.won, player.lost, book.special)
        if history == "mixed":
            answer.step("special", n=typed(player.n[0]), limit=whole(book.special.games.value))
        else:
            answer.step("special_history", history=Word(f"history_{history}"))
        prior = {"centre": real(centre[0]), "prior_score": real(prior_score[0], GAMES)}
        answer.step("special_prior", n_eff=n_eff, **prior)
        answer.step("special_zero", m=m, score=score, rating=rating)
        return
    k, expected = real(found["k"], K), real(found["expected"], EXPECTED)
    answer.step("k_uschess", k0=typed(book.standard.k.value), n_eff=n_eff, m=m, k=k)
    if dual:
        answer.step("dual", share=real(found["share"], K))
    gain = real(found["gain"], 2, True)
    answer.step("gain", k=k, score=score, expected=expected, gain=gain)
    limit = {"multiplier": typed(book.bonus.multiplier.value), "threshold": real(found["threshold"])}
    if found["allowed"]:
        answer.step("bonus", gain=gain, bonus=real(found["bonus"], 2, True), **limit)
    else:
        answer.step("no_bonus")
    answer.step("new_uschess", own=r, gain=gain, bonus=real(found["bonus"], 2, True), rating=rating)


def _outcome(request: Request, games: Sequence[Game], found: dict, book: Book) -> dict[str, float]:
    floor = _floor(request, games, book)
    new = max(found["rating"], floor)
    return {"floor": floor, "new": new, "published": float(np.floor(new + 0.5))}


def game(request: Request) -> Answer:
    """One game: own, opponent, score (none: all three), played, opponent_played, history, dual, floors' facts, date."""
    answer, book = Answer({}), book_of(request)
    own, opponent = requests.rating(request, "own", True), requests.rating(request, "opponent", True)
    dual = requests.flag(request, "dual")
    history = requests.chosen(request, "history", HISTORIES, "mixed")
    player = _Player(own, _established(request, "played", book, answer), history)
    other = _Player(opponent, _established(request, "opponent_played", book, answer))
    score = requests.score(request)
    answer.note("estimate")
    scale = book.standard.scale.value
    e = float(formulas.curve_expected(own, opponent, scale))
    e_opp = float(formulas.curve_expected(opponent, own, scale))
    first = _rate(player, [Game(opponent, 0)], book, dual, False)
    answer.data = {
        **{"system": Word("uschess"), "book": book.id, "own": typed(own), "opponent": typed(opponent)},
        **{"expected": real(e, EXPECTED), "opponent_expected": real(e_opp, EXPECTED), "played": typed(player.n[0])},
        **{"effective_games": real(first["n_eff"], GAMES), "formula": _formula(first), "outcomes": []},
    }
    if not first["special"]:
        answer.data["k"] = real(first["k"], K)
    for score_c in elo.OUTCOMES if score is None else (score,):
        played = [Game(opponent, score_c)]
        found = _rate(player, played, book, dual, False)
        result = _outcome(request, played, found, book)
        theirs = _rate(other, [Game(own, 100 - score_c)], book, dual, False)["rating"]
        theirs = max(theirs, float(book.floor.absolute.value))
        _steps(answer, player, found, book, dual)
        _floor_step(answer, found, result)
        row = {
            **{"score": points(score_c), "change": real(result["new"] - own, 2, True), "new": real(result["new"])},
            **{"published": whole(result["published"]), "opponent_change": real(theirs - opponent, 2, True)},
            "opponent_new": real(theirs),
        }
        answer.data["outcomes"].append(row)
    return answer


def _formula(found: dict) -> Word:
    return Word("special" if found["special"] else "standard_formula")


def _floor_step(answer: Answer, found: dict, result: dict) -> None:
    if result["new"] > found["rating"]:
        answer.step("floor_uschess", rating=real(found["rating"]), floor=real(result["floor"]))


def event(request: Request) -> Answer:
    """Several games: own, games, played, history, dual, match, the floors' facts, date."""
    answer, book = Answer({}), book_of(request)
    own = requests.rating(request, "own", True)
    played = _established(request, "played", book, answer)
    player = _Player(own, played, requests.chosen(request, "history", HISTORIES, "mixed"))
    answer.data = {"system": Word("uschess"), "book": book.id, "own": typed(own)}
    _estimate(request, answer, player, book)
    return answer


def _estimate(request: Request, answer: Answer, player: _Player, book: Book) -> None:
    """The games, the sums and the new rating, added to an answer that says where the player starts."""
    games = requests.games(request, decimals=True)
    dual, match = requests.flag(request, "dual"), requests.flag(request, "match")
    rated = [game for game in games if elo.status_of(game) == "rated"]
    answer.note("estimate")
    elo.skipped(answer, games)
    own = float(player.r[0])
    found = _rate(player, rated, book, dual, match)
    rows = []
    for game in games:
        status = elo.status_of(game)
        e = None
        if status == "rated" and not found["special"]:
            e = real(float(formulas.curve_expected(own, game.r_opp, book.standard.scale.value)), EXPECTED)
        rows.append({**elo.said(game), "status": Word(status), "expected": e})
    result = _outcome(request, rated, found, book)
    if not rated:
        result = {"floor": result["floor"], "new": own, "published": float(np.floor(own + 0.5))}
    answer.data |= {"games": rows, "n": whole(len(rated)), "score": points(found["score_c"])}
    answer.data |= {"played": typed(player.n[0]), "effective_games": real(found["n_eff"], GAMES)}
    answer.data |= {"formula": _formula(found)}
    if rated and not found["special"]:
        answer.data |= {"expected": real(found["expected"], EXPECTED), "k": real(found["k"], K)}
        answer.data |= {"gain": real(found["gain"], 2, True), "bonus": real(found["bonus"], 2, True)}
    answer.data |= {"floor": real(result["floor"], 0), "change": real(result["new"] - own, 2, True)}
    answer.data |= {"new": real(result["new"]), "published": whole(result["published"])}
    answer.data |= performance.of(request | {"book": None}, rated)
    if rated:
        _steps(answer, player, found, book, dual)
        _floor_step(answer, found, result)


# --- a player without a rating ---------------------------------------------------------------------------------------


def _days(first: dt.date | None, last: dt.date) -> np.ndarray:
    return _one(np.nan if first is None else (last - first).days)


def initial(request: Request) -> Answer:
    """A first event: birth_date, adult, fide, fide_date, cfc, cfc_date, games, date (the event's last day)."""
    answer, book = Answer({}), book_of(request)
    day, born = requests.day(request, "date"), requests.day(request, "birth_date", "")
    if born is not None and born > day:
        raise RequestError("born_later", value=str(born))
    adult = np.array([requests.flag(request, "adult")])
    by_age = float(formulas.age_rating(_days(born, day), adult, book.start)[0])
    answer.data = {"system": Word("uschess"), "book": book.id, "start_by_age": real(by_age)}
    answer.step("start_by_age", rating=real(by_age), clause=book.start.a_year.clause)
    values, weights = [], []
    for system in ("fide", "cfc"):
        given = requests.number(request, system, *frames.RATING_RANGE)
        if given is None:
            continue
        value, weight = _source(request, system, given, day, born, adult, book)
        values.append(value)
        weights.append(weight)
        fields = {"given": whole(given), "rating": real(value), "weight": real(weight, GAMES)}
        answer.step("source", system=Word(system), **fields)
    start, n = by_age, 0.0
    if values:
        place = np.zeros(len(values), "int64")
        starts, counts = formulas.blend(place, np.array(values), np.array(weights), 1, book.blend)
        start, n = float(starts[0]), float(counts[0])
    answer.data |= {"start": real(start), "start_games": typed(n)}
    answer.step("start", rating=real(start), n=typed(n))
    facts = {name: request.get(name) or "0" for name in ("wins", "draws", "events")}
    _estimate(request | facts, answer, _Player(start, n), book)
    return answer


def _source(
    request: Request, system: str, given: int, day: dt.date, born: dt.date | None, adult: np.ndarray, book: Book
) -> tuple[float, float]:
    """(converted rating, weight) of a FIDE or CFC rating."""
    on = requests.day(request, f"{system}_date", "") or day
    if on > day:
        raise RequestError("source_later", name=Word(system), value=str(on))
    if book.blend.kind.value == "none" or not getattr(book, system).lines:
        raise RequestError("no_conversion", name=Word(system), book=book.id)
    rating = formulas.converted(_one(given), getattr(book, system))
    factor = formulas.fide_factor(_one(given), book.blend) if system == "fide" else _one(book.blend.cfc_factor.value)
    then = formulas.age_rating(_days(born, on), adult, book.start)
    weight = formulas.source_weight(factor, rating, then, _days(on, day), book)
    return float(rating[0]), float(weight[0])
