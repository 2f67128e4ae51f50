"""The rules of the plain engine by date, and its arithmetic: plain Python, fractions, one number after the other.

Written from the regulations and their history (B.02, and the rapid and blitz chapter), not from ratingrun; only the two
printed tables are shared. What a text leaves open is as the rule book says.
"""

import csv
import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import ratingrun

TABLES = Path(ratingrun.__file__).parent / "rulebooks"
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Rules:
    """What changed with the years. Clauses of the standard chapter."""

    since: dt.date
    floor: int = 1400  # 7.2
    capped: str = "every game"  # 8.3.1, or "greatest": one game of a player and event
    free_from: int = 9999  # 8.3.1: own rating from which the true difference counts
    clock: str = "minutes needed"  # 1.1, or "limits" of rapid and blitz, or "unchecked"
    apart: bool = False  # rapid and blitz 7.3.1: 600 points with a player above 2600
    seeds: bool = False  # rapid and blitz 7.2: players start from the standard rating
    longest: int | None = 30  # 4: days of one report
    lists: int | None = 3  # 9.1: lists that may rate a report
    first: str = "draws"  # 8.2.3: two draws against 1800, at most 2200; or "halves": 20 points each half point above
    void: str = "first"  # 8.2.1: the first event without a score, or all "leading" ones
    score: Fraction = HALF  # 8.2.1: in an event, at least
    block: int = 1  # games of an event that count, at least
    needed: int = 5  # 7.1.4: games
    half_point: int = 20  # for each half point above 50 %: half of the highest K
    window: int = 26  # 8.2.2: lists
    closing: int = 3  # 7.1.3: days before the list
    k: tuple = (40, 20, 10)  # 8.3.3: of the new, of all others, of who reached 2400
    top_games: int = 0  # games without which 2400 gives no K 10
    junior: int | None = 18  # 8.3.3: list year - birth year, at most
    kn: int | None = 700  # 8.3.3
    k_of: str = "prior"  # 8.3.3: the list whose K counts, or "start"
    newcomers_in_round_robins: bool = True  # until 2021 by a method that is not known: refused


OLD = {"floor": 1000, "clock": "unchecked", "longest": None, "lists": None, "first": "halves", "void": "leading",
       "kn": None, "k_of": "start", "newcomers_in_round_robins": False}  # fmt: skip
OF_2022 = {"floor": 1000, "capped": "greatest", "clock": "unchecked", "first": "halves"}
QUICK = {"clock": "limits", "seeds": True, "longest": None}
OF_2012 = OLD | {"score": Fraction(1), "block": 3, "needed": 9, "half_point": 15, "window": 24, "closing": 7,
                 "k": (30, 15, 10), "junior": None}  # fmt: skip
STANDARD = (
    Rules(dt.date(2012, 7, 1), **OF_2012 | {"top_games": 30}),
    Rules(dt.date(2013, 7, 1), **OF_2012),
    Rules(dt.date(2014, 7, 1), **OLD | {"junior": 17}),
    Rules(dt.date(2017, 7, 1), **OLD),
    Rules(dt.date(2022, 1, 1), **OF_2022),
    Rules(dt.date(2024, 3, 1)),
    Rules(dt.date(2025, 10, 1), free_from=2650),
)
RAPID_BLITZ = (
    Rules(dt.date(2022, 1, 1), **QUICK | OF_2022),
    Rules(dt.date(2024, 3, 1), **QUICK),
    Rules(dt.date(2024, 12, 1), **QUICK, apart=True),
)
ONE_OFF = dt.date(2024, 3, 1)  # below 2000: 40 % of the way to 2000


def rules(chapter, day):
    """The rules in force on a day."""
    return [one for one in chapter if one.since <= day][-1]


def _rows(name):
    with (TABLES / name).open() as lines:
        return list(csv.DictReader(lines))


PD = [(int(row["d_min"]), Fraction(row["pd_high"])) for row in _rows("pd.csv")]
DP = {Fraction(row["p"]): int(row["dp"]) for row in _rows("dp.csv")}


def follow(one, stands):
    """Whom an id stands for, chains followed."""
    while one in stands:
        one = stands[one]
    return one


def first_of_month(day):
    return day.replace(day=1)


def month_no(day):
    return day.year * 12 + day.month


def half_up(number):
    return (number + HALF).__floor__()


def half_away(number):
    return half_up(number) if number >= 0 else -half_up(-number)


def probability(d):
    """8.1.2: H for the stronger, L for the weaker player."""
    high = [h for lowest, h in PD if abs(d) >= lowest][-1]
    return high if d >= 0 else 1 - high


def k_of(player, list_day, rule):
    """8.3.3, in the order that fits FIDE's lists: `player` has peak, birth_year, games_total."""
    peak, born, (new, others, top) = player["peak"] or 0, player["birth_year"], rule.k
    if peak >= 2400 and player["games_total"] >= rule.top_games:
        return top
    if rule.junior and born and list_day.year - born <= rule.junior and peak < 2300:
        return new
    return new if player["games_total"] < 30 else others


def reduced(k, games, limit):
    """8.3.3: K x games is 700 at most."""
    return k if limit is None or k * games <= limit else max(one for one in range(1, k) if one * games <= limit)


def first_rating(rule, ratings, points):
    """8.2.3: Ru of the opponents' ratings and the points against them."""
    n = len(ratings)
    if rule.first == "draws":
        average = Fraction(sum(ratings) + 2 * 1800, n + 2)
        p = Fraction(half_up((points + 1) / (n + 2) * 100), 100)
        return min(half_up(average + DP[p]), 2200)
    average, above = half_up(Fraction(sum(ratings), n)), points - Fraction(n, 2)
    if above >= 0:
        return average + int(above / HALF) * rule.half_point
    return average + DP[Fraction(half_up(points / n * 100), 100)]


def _seconds(control):
    """Seconds for 60 moves, increments counted, and the moves of a first control that counts them."""
    moves, seconds, first = 60, 0, None
    for number, span in enumerate(control.split(":")):
        count, rest = span.split("/") if "/" in span else (None, span)
        base, increment = rest.split("+") if "+" in rest else (rest, "0")
        here = min(int(count), moves) if count else moves
        if count and number == 0:
            first = int(count)
        if moves > 0:
            seconds += int(base) * 60 + here * int(increment)
        moves -= here
    return seconds, first


def clock_is_rated(rule, event, rating_type, one, other):
    """1.1, 1.2: by the higher of the two ratings; rapid and blitz: equal clocks within the limits."""
    if not event["control"] or rule.clock == "unchecked":
        return True
    clocks = event["control"].split("|")
    seconds, first = _seconds(clocks[0])
    if rule.clock == "limits":
        low, high = {"rapid": (601, 3599), "blitz": (181, 600)}[rating_type]
        return len(set(clocks)) == 1 and low <= seconds <= high
    highest = max(one or 0, other or 0)
    needed = 120 if highest >= 2400 else 90 if highest >= 1800 else 60
    granted = "fast_classic" in event["approvals"] and event["control"] in ("45+30", "60+30")
    return (seconds >= needed * 60 or granted) and (first is None or first >= 30)
