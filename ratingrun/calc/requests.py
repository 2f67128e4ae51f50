"""Reading requests: what people type becomes numbers, games and dates, or a RequestError that says what is wrong."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ratingrun import frames
from ratingrun.calc.values import RequestError, Word

Request = Mapping[str, object]

SCORES = {
    **dict.fromkeys(("1", "1.0", "w", "1-0"), 100),
    **dict.fromkeys(("0", "0.0", "l", "0-1"), 0),
    **dict.fromkeys(("=", "0.5", ".5", "0,5", "½", "1/2", "d"), 50),
}
FORFEITS = ("+", "-")
UNRATED = ("u", "unrated", "?")
MOST_GAMES = 999
WHOLE, DECIMAL = re.compile(r"[0-9]{1,6}"), re.compile(r"[0-9]{1,6}([.,][0-9]{1,2})?")


@dataclass(frozen=True)
class Game:
    """A game as typed: the opponent's rating (none: unrated), the score (none: a forfeit), the opponent's name."""

    r_opp: float | None
    score_c: int | None
    name: str | None = None


def text(request: Request, name: str) -> str | None:
    """What was typed in a field; none if nothing."""
    value = request.get(name)
    return None if value is None or str(value).strip() == "" else str(value).strip()


def number(
    request: Request, name: str, low: float, high: float, decimals: bool = False, default: float | None = None
) -> float | int | None:
    """A number within its range; `default` if nothing was typed. `decimals`: up to two may be given."""
    typed = text(request, name)
    if typed is None:
        return default
    return parsed(typed, name, low, high, decimals)


def parsed(typed: str, name: str, low: float, high: float, decimals: bool = False) -> float | int:
    """The number of a text, or RequestError: not a number, or out of range."""
    if not (DECIMAL if decimals else WHOLE).fullmatch(typed):
        raise RequestError("decimal" if decimals else "whole", name=Word(name), value=typed)
    value = float(typed.replace(",", ".")) if decimals else int(typed)
    if not low <= value <= high:
        raise RequestError("range", name=Word(name), value=typed, low=str(low), high=str(high))
    return value


def needed(request: Request, name: str, low: float, high: float, decimals: bool = False) -> float | int:
    """As `number`, of a field that must be there."""
    value = number(request, name, low, high, decimals)
    if value is None:
        raise RequestError("missing", name=Word(name))
    return value


def rating(request: Request, name: str, decimals: bool = False) -> float | int:
    """A rating that must be there."""
    return needed(request, name, *frames.RATING_RANGE, decimals)


def score(request: Request, name: str = "score") -> int | None:
    """A score in hundredths; none if nothing was typed."""
    typed = text(request, name)
    if typed is None:
        return None
    if typed.lower() not in SCORES:
        raise RequestError("score", value=typed)
    return SCORES[typed.lower()]


def chosen(request: Request, name: str, choices: Sequence[str], default: str) -> str:
    """One of some words."""
    typed = text(request, name) or default
    if typed not in choices:
        raise RequestError("choice", name=Word(name), value=typed, choices=", ".join(choices))
    return typed


def flag(request: Request, name: str) -> bool:
    """Yes or no."""
    return text(request, name) in ("yes", "true", "1", "True")


def day(request: Request, name: str, default: str = "today") -> dt.date | None:
    """A date, YYYY-MM-DD; `request["today"]` if nothing was typed, or none without a default."""
    typed = text(request, name) or (text(request, default) if default else None)
    if typed is None:
        if default:
            raise RequestError("missing", name=Word(name))
        return None
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", typed):
            raise ValueError
        return dt.date.fromisoformat(typed)
    except ValueError:
        raise RequestError("date", name=Word(name), value=typed) from None


def games(request: Request, decimals: bool = False) -> list[Game]:
    """The games, one or more: lines "1720 1", "unrated 0", "1850 +" (a forfeit), "1905 = Name"."""
    lines = [str(line).strip() for line in request.get("games") or ()]
    found = [_game(line, decimals) for line in lines if line and not line.startswith("#")]
    if not found:
        raise RequestError("no_games")
    if len(found) > MOST_GAMES:
        raise RequestError("too_many_games", most=str(MOST_GAMES))
    return found


def _game(line: str, decimals: bool) -> Game:
    parts = re.split(r"[\s;:]+|,(?=\D)|,(?=[01](?:[\s;:,.]|$))", line)
    parts = [part for part in parts if part]
    if len(parts) < 2:
        raise RequestError("game", value=line)
    opponent, result = parts[0].lower(), parts[1].lower()
    name = " ".join(parts[2:]) or None
    r_opp = None if opponent in UNRATED else parsed(opponent, "opponent", *frames.RATING_RANGE, decimals)
    if result in FORFEITS:
        return Game(r_opp, None, name)
    if result not in SCORES:
        raise RequestError("score", value=parts[1])
    return Game(r_opp, SCORES[result], name)


def score_of(games: Sequence[Game]) -> np.ndarray:
    """The scores in hundredths."""
    return np.array([game.score_c for game in games], "int64")


def ratings_of(games: Sequence[Game]) -> np.ndarray:
    """The opponents' ratings as floats."""
    return np.array([game.r_opp for game in games], float)
