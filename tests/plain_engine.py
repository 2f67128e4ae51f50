"""The monthly list once more, slowly: plain Python, dates, fractions, one game after the other.

Written from the regulations (B.02 clauses 1, 5 to 8 and the defaults for what they leave open), not from ratingrun;
only the two printed tables are shared. `Federation` holds lists and pool; `Federation.month` makes one list. What is
compared with ratingrun is in `test_invariants.py`.
"""

import csv
import datetime as dt
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import ratingrun

TABLES = Path(ratingrun.__file__).parent / "rulebooks"
WIN, DRAW, LOSS = Fraction(1), Fraction(1, 2), Fraction(0)
OVER_THE_BOARD = {"1": WIN, "=": DRAW, "0": LOSS}
MATCH_POINTS = {"1": WIN, "+": WIN, "W": WIN, "=": DRAW, "D": DRAW}


def _rows(name):
    with (TABLES / name).open() as lines:
        return list(csv.DictReader(lines))


PD = [(int(row["d_min"]), Fraction(row["pd_high"])) for row in _rows("pd.csv")]
DP = {Fraction(row["p"]): int(row["dp"]) for row in _rows("dp.csv")}


def month_no(day):
    return day.year * 12 + day.month


def half_up(number):
    return (number + Fraction(1, 2)).__floor__()


def half_away(number):
    return half_up(number) if number >= 0 else -half_up(-number)


def probability(d):
    """8.1.2: H for the stronger, L for the weaker player."""
    high = [h for lowest, h in PD if abs(d) >= lowest][-1]
    return high if d >= 0 else 1 - high


def k_of(player, list_day):
    """8.3.3, in the order that fits FIDE's lists."""
    if player["peak"] is not None and player["peak"] >= 2400:
        return 10
    if player["born"] and list_day.year - player["born"] <= 18 and (player["peak"] or 0) < 2300:
        return 40
    return 40 if player["games_total"] < 30 else 20


def minutes_needed(one, other):
    """1.1: by the higher of the two ratings."""
    highest = max(one or 0, other or 0)
    return 120 if highest >= 2400 else 90 if highest >= 1800 else 60


def minutes_given(control):
    """Minutes for 60 moves, increments counted, and the moves of a first control that counts them."""
    moves, minutes, first = 60, Fraction(0), None
    for number, span in enumerate(control.split(":")):
        count, rest = span.split("/") if "/" in span else (None, span)
        base, increment = rest.split("+") if "+" in rest else (rest, "0")
        here = min(int(count), moves) if count else moves
        if count and number == 0:
            first = int(count)
        if moves > 0:
            minutes += int(base) + Fraction(here * int(increment), 60)
        moves -= here
    return minutes, first


@dataclass
class Federation:
    """`lists`: {day: {id: player}}, a player a dict of rating, k, games, games_total, peak, born, played (a day).

    `pool`: a dict a game. `rated`: what was rated: (event id, round).
    """

    lists: dict
    pool: list = field(default_factory=list)
    rated: set = field(default_factory=set)

    def month(self, list_day, events, corrections=(), exclusions=(), withdrawn=(), gone=()):
        """Makes the list of `list_day`; returns what happened: sides, statuses, changes, initials.

        `withdrawn` have left by the day of the list, `gone` of them had left by the day of the list before.
        """
        prior_day = (list_day - dt.timedelta(days=1)).replace(day=1)
        lists = {day: {who: dict(player) for who, player in players.items()} for day, players in self.lists.items()}
        for day, who, rating in corrections:
            if day in lists:
                lists[day][who]["rating"] = rating
        for player in lists[prior_day].values():
            if player["rating"] is not None:
                player["k"] = player["k"] or k_of(player | {"peak": player["peak"] or player["rating"]}, prior_day)
        done = {"sides": [], "status": {}, "changes": {}, "initials": {}}
        prior, people = lists[prior_day], {}
        for event in events:
            done["status"][event["id"]] = status = self._status(event, list_day)
            if status == "used":
                people |= {who: born for who, born in event["born"].items() if self._plays(event, who)}
                done["sides"] += self._event(event, lists, prior, exclusions, gone)
                self.rated |= {(event["id"], r) for r, games in self._played(event).items() if games}
        for side in done["sides"]:
            if side["outcome"] == "pool":
                self.pool.append(side | {"list": list_day})
        new = {who: dict(player) for who, player in prior.items()}
        for who, born in people.items():
            new.setdefault(who, {"rating": None, "k": None, "games": 0, "games_total": 0, "peak": None,
                                 "born": born, "played": None})  # fmt: skip
        self._change(new, prior, done)
        self._first_ratings(new, prior, done, list_day, withdrawn)
        for who in withdrawn:
            new.pop(who, None)
        for who, player in new.items():
            if any(side["who"] == who and side["outcome"] != "none" for side in done["sides"]):
                player["played"] = list_day
            if player["rating"] is not None and player["rating"] < 1400:
                player["rating"] = None
            if player["rating"] is not None:
                player["peak"] = max(player["peak"] or 0, player["rating"])
            player["k"] = k_of(player, list_day) if player["rating"] is not None else None
            player["active"] = player["played"] is not None and month_no(list_day) - month_no(player["played"]) < 12
        self.lists[list_day] = new
        return done

    @staticmethod
    def _status(event, list_day):
        """7.1.3, 9.1."""
        last = month_no(event["end"]) + 3
        due = dt.date((last - 1) // 12, (last - 1) % 12 + 1, 1)
        if month_no(list_day) > last or (event["received"] and event["received"] > due):
            return "too_late"
        closing = list_day - dt.timedelta(days=1 if event["official"] else 3)
        return "waiting" if event["end"] > closing else "used"

    @staticmethod
    def _played(event):
        """{round: the games over the board, as (White, Black, White's score)}: both cells must say so."""
        games = {}
        for (who, number), (opponent, colour, result) in event["cells"].items():
            games.setdefault(number, [])
            if colour == "w" and result in OVER_THE_BOARD:
                games[number].append((who, opponent, OVER_THE_BOARD[result]))
        return games

    def _plays(self, event, who):
        return any(who in game for games in self._played(event).values() for game in games)

    def _event(self, event, lists, prior, exclusions, gone):
        start_list, sides = lists[event["start"].replace(day=1)], []
        points = dict.fromkeys(event["players"], Fraction(0))

        def at_start(who):
            return start_list[who]["rating"] if who in start_list else None

        def before(who):
            return prior[who]["rating"] if who in prior else None

        for number, games in sorted(self._played(event).items()):
            decided = event["match_games"] and max(points.values()) > Fraction(event["match_games"], 2)
            for (who, r), (_, _, result) in event["cells"].items():
                if r == number:
                    points[who] += MATCH_POINTS.get(result, 0)
            if (event["id"], number) in self.rated:
                continue
            for white, black, score in games:
                if any(
                    (event["id"] == one and (r is None or r == number) and (who is None or who in (white, black)))
                    for one, r, who in exclusions
                ):
                    continue
                for who, opponent, mine in ((white, black, score), (black, white, 1 - score)):
                    side = {"who": who, "opponent": opponent, "event": event["id"], "round": number, "score": mine,
                            "start": event["start"], "end": event["end"], "r_opp": at_start(opponent)}  # fmt: skip
                    sides.append(
                        side
                        | self._judge(event, at_start(who), at_start(opponent), before(who), mine, decided, who in gone)
                    )
        return sides

    def _judge(self, event, start, opponent, now, score, decided, gone):
        if event["control"]:
            given, first = minutes_given(event["control"])
            granted = event["fast_classic"] and event["control"] in ("45+30", "60+30")
            if (given < minutes_needed(start, opponent) and not granted) or (first is not None and first < 30):
                return {"outcome": "none"}
        if event["system"] == "match" and (start is None or opponent is None or decided):
            return {"outcome": "none"}
        if opponent is None:
            return {"outcome": "none"}
        if now is None:
            return {"outcome": "none" if gone else "pool"}
        own = now if start is None else start
        d = own - opponent
        free = own >= 2650 and event["start"] >= dt.date(2025, 10, 1)
        d = d if free else max(-400, min(400, d))
        return {"outcome": "rated", "dr": score - probability(d)}

    @staticmethod
    def _change(new, prior, done):
        """8.3.2 to 8.3.4."""
        for who, player in new.items():
            player["games"] = 0
            mine = [side["dr"] for side in done["sides"] if side["who"] == who and side["outcome"] == "rated"]
            if mine:
                k = prior[who]["k"]
                k = k if k * len(mine) <= 700 else max(k for k in range(1, 41) if k * len(mine) <= 700)
                change = half_away(k * sum(mine))
                done["changes"][who] = (len(mine), k, change)
                player["rating"] += change
                player["games"] = len(mine)
                player["games_total"] += len(mine)

    def _first_ratings(self, new, prior, done, list_day, withdrawn):
        """7.1.4, 8.2."""
        rated = {who for who, player in prior.items() if player["rating"] is not None}
        self.pool = [
            game for game in self.pool
            if month_no(list_day) - month_no(game["list"]) <= 25 and game["who"] not in rated | set(withdrawn)
        ]  # fmt: skip
        for who in sorted({game["who"] for game in self.pool}):
            mine = sorted((g for g in self.pool if g["who"] == who), key=lambda g: (g["end"], g["start"], g["event"]))
            first = [game for game in mine if game["event"] == mine[0]["event"]]
            counted = mine if sum(game["score"] for game in first) else [g for g in mine if g not in first]
            n, points = len(counted), sum((game["score"] for game in counted), Fraction(0))
            if n < 5:
                done["initials"][who] = (n, None)
                continue
            average = Fraction(sum(game["r_opp"] for game in counted) + 2 * 1800, n + 2)
            p = Fraction(half_up((points + 1) / (n + 2) * 100), 100)
            ru = min(half_up(average + DP[p]), 2200)
            done["initials"][who] = (n, ru)
            if ru >= 1400:
                new[who] |= {"rating": ru, "games": n, "games_total": new[who]["games_total"] + n}
                self.pool = [game for game in self.pool if game["who"] != who]
