"""The monthly list once more, slowly: dates, fractions, one game after the other.

Written from the regulations (`plain_rules`) and from what README and DESIGN say that the inputs mean, not from
ratingrun. `Federation` holds lists, pool and what was rated; `Federation.month` makes one list. Where the text is
silent, the rule book says so. What is compared with ratingrun is in `worlds_compared.py`.
"""

import datetime as dt
from dataclasses import dataclass, field
from fractions import Fraction

import plain_reports as reports
from plain_rules import (
    ONE_OFF,
    STANDARD,
    clock_is_rated,
    first_of_month,
    first_rating,
    follow,
    half_away,
    half_up,
    k_of,
    month_no,
    probability,
    reduced,
    rules,
)

PERSON = ("name", "federation", "sex", "title", "w_title", "o_title", "foa_title", "birth_year")
LEFT = ("withdrawn", "deceased")
WHOLE = ("rating", "k", "peak", "games_total", "birth_year", "games")
NOBODY = dict.fromkeys(PERSON) | {"rating": None, "k": None, "peak": None, "games": 0, "games_total": 0,
                                  "last_played": None, "active": False}  # fmt: skip


@dataclass
class Notes:
    """What people wrote: rows of players, corrections, exclusions and aliases."""

    players: list
    corrections: list
    exclusions: list
    aliases: list

    def known(self, day):
        """{id: what players.csv says on a day}: the newest filled cell of each column."""
        found = {}
        for row in sorted((row for row in self.players if row["date"] <= day), key=lambda row: row["date"]):
            filled = {name: value for name, value in row.items() if value is not None}
            found[row["player_id"]] = found.get(row["player_id"], {}) | filled
        return found

    def left(self, day):
        return {who for who, said in self.known(day).items() if said.get("status") in LEFT}

    def merged(self, day):
        """{old id: the player who has it now}."""
        into = {who: said["merged_into"] for who, said in self.known(day).items() if "merged_into" in said}
        return {who: follow(who, into) for who in into}

    def person(self, day):
        """The player for whom an id of a report or of exclusions.csv stands: an alias, or an id that was merged."""
        alias, merged = {row["alias"]: row["player_id"] for row in self.aliases}, self.merged(day)
        return lambda written: merged.get(follow(written, alias), follow(written, alias))


@dataclass
class Month:
    """What came out: {(id, part): status}, {(id, part): codes}, sides, {player: ...}."""

    status: dict = field(default_factory=dict)
    codes: dict = field(default_factory=dict)
    sides: list = field(default_factory=list)
    changes: dict = field(default_factory=dict)
    initials: dict = field(default_factory=dict)
    alike: set = field(default_factory=set)


@dataclass
class Federation:
    """`lists` {day: {id: player}} and `seeds`, the standard lists that rapid and blitz start from; a player is a dict
    of the columns of a list. `pool`: a dict a game. `rated`: a dict a round."""

    lists: dict
    chapter: tuple = STANDARD
    rating_type: str = "standard"
    seeds: dict = field(default_factory=dict)
    pool: list = field(default_factory=list)
    rated: list = field(default_factory=list)

    def month(self, day, events, parts, notes):
        """Makes the list of `day` from events (with a report) and the register's `parts`."""
        self.day, self.prior_day, self.notes, self.done = (
            day,
            first_of_month(day - dt.timedelta(days=1)),
            notes,
            Month(),
        )
        self.rule, self.merged = rules(self.chapter, day), notes.merged(day)
        self.known = {who: said for who, said in notes.known(day).items() if who not in self.merged}
        self.left = {who for who, said in self.known.items() if said.get("status") in LEFT}
        self.gone = self.left & notes.left(self.prior_day)
        self.read = {at: self._as_read(one, at, self.rating_type) for at, one in self.lists.items()}
        self.other = {at: self._as_read(one, at, "standard") for at, one in self.seeds.items()}
        self.prior = self.read[self.prior_day]
        for player in self.prior.values():
            if player["rating"] is not None and player["k"] is None:  # rated by a correction only
                player["k"] = k_of(
                    player | {"peak": max(player["peak"] or 0, player["rating"])}, self.prior_day, self.rule
                )
        person = notes.person(day)
        self.exclusions = [
            row | {"who": person(row["player_id"]) if row["player_id"] else None} for row in notes.exclusions
        ]
        for event in events:
            for entry in event["entries"]:
                entry["who"] = person(entry["id"])
        for row in self.rated:
            row["claims"] = frozenset((person(one), person(other), *rest) for one, other, *rest in row["claims"])
        used = self._used(sorted(events, key=lambda event: (event["id"], event["part"])), parts)
        self._sides(used)
        new = self._people(used)
        base = self._enter()
        self._change(new, base)
        entered = {who for who in base if who not in self.prior or self.prior[who]["rating"] is None}
        first = self._first_ratings(new, set(base) | {w for w, p in self.prior.items() if p["rating"] is not None})
        if day == ONE_OFF:
            for who, player in new.items():
                if player["rating"] is not None and player["rating"] < 2000 and who not in first | entered:
                    player["rating"] += half_up(Fraction(2 * (2000 - player["rating"]), 5))
        self._finish(new)
        self.lists[day] = new
        return self.done

    def _as_read(self, listed, at, rating_type):
        """A list with the corrections of its date, and with one row for players who are one."""
        players = {who: dict(player) for who, player in listed.items()}
        for row in self.notes.corrections:
            if (row["list_date"], row["rating_type"]) == (at, rating_type):
                players[row["player_id"]][row["field"]] = row["value"]
        for old in sorted(self.merged):
            if old in players:
                into, other = self.merged[old], players.pop(old)
                players[into] = one(players[into], other) if into in players else other
        return players

    def _start(self, event, who):
        """The rating in force at an event's start, and whether it is that of the standard list."""
        at = first_of_month(event["start"])
        rating = self.read[at][who]["rating"] if who in self.read[at] else None
        if rating is None and self.rule.seeds and who in self.other.get(at, {}):
            rating = self.other[at][who]["rating"]
            return rating, rating is not None
        return rating, False

    def _used(self, events, parts):
        """The events that are rated on this list. Sets status and codes."""
        for event in events:
            key, at, codes = (event["id"], event["part"]), first_of_month(event["start"]), set()
            self.done.status[key] = reports.status(event, self.day, self.rule)
            self.done.codes[key] = codes
            if self.rule.longest and (event["end"] - event["start"]).days > self.rule.longest:
                codes.add("R106")
            elif event["start"] < self.chapter[0].since:
                codes.add("R110")
            elif at not in self.read:
                codes.add("R108")
            if reports.uncovered(event, parts):
                codes.add("R114")
            if self.rule.seeds and at not in self.other and not codes:
                codes.add("R116")
        judged = [event for event in events if self.done.status[event["id"], event["part"]] == "used"]
        sure = self._without(judged)
        newest = max((event["start"] for event in sure), default=None) if self.rule.seeds else None
        self.elsewhere = self.other[first_of_month(newest)] if newest else {}
        for event in sure:
            ids = [entry["who"] for entry in event["entries"]]
            codes = self.done.codes[event["id"], event["part"]]
            codes |= {"R103"} if len(set(ids)) < len(ids) else set()
            codes |= {"R105"} if any(self._is_unknown(entry, event) for entry in event["entries"]) else set()
        self._rated_before(self._without(sure))
        for event in self._without(sure):
            if not rules(self.chapter, event["start"]).newcomers_in_round_robins and event["system"] == "round_robin":
                new = event.get("fresh", set()) & set(event.get("games", {}))
                sitting = {who for n in new for game in event["games"][n] for who in game[:2]}
                unrated = any(self._start(event, who)[0] is None for who in sitting)
                self.done.codes[event["id"], event["part"]] |= {"R115"} if unrated else set()
        used = self._without(sure)
        for event in events:
            key = event["id"], event["part"]
            if event in judged and event not in used:
                self.done.status[key] = "rejected"
            if event not in judged:
                self.done.codes[key] = set()
        for event in used:
            self.rated += [
                {
                    "id": event["id"],
                    "part": event["part"],
                    "round": number,
                    "start": event["start"],
                    "claims": frozenset(said),
                }
                for number, said in reports.claims(event).items()
                if said and number in event["fresh"]
            ]
        return used

    def _without(self, events):
        return [event for event in events if not self.done.codes[event["id"], event["part"]]]

    def _is_unknown(self, entry, event):
        """Whether a player on no list is not known well enough to be a new one (R105); who has left needs nothing."""
        if entry["who"] in self.prior or entry["who"] in self.gone or entry["who"] not in reports.players(event):
            return False
        return any(self._told(entry["who"], entry)[name] is None for name in ("name", "federation", "birth_year"))

    def _told(self, who, entry):
        """What is known of a new player: by players.csv, else by the standard list, else by the report."""
        sources = (self.known.get(who, {}), self.elsewhere.get(who, {}), entry)
        return {name: next((one[name] for one in sources if one.get(name) is not None), None) for name in PERSON}

    def _rated_before(self, events):
        """Sets the `fresh` rounds of each event; R109 a rated round that differs, R107 the same report twice."""
        before = {(row["id"], row["round"]): row["claims"] for row in self.rated}
        whole = {}
        for row in sorted(self.rated, key=lambda row: row["round"]):
            whole.setdefault((row["id"], row["part"], row["start"]), []).append(row["claims"])
        others = [(id_, start, said, set()) for (id_, _, start), said in whole.items()]
        for event in events:
            said = sorted(reports.claims(event).items())
            event["whole"] = (
                event["id"],
                event["start"],
                [frozenset(one) for _, one in said if one],
                event["approvals"],
            )
        others += [event["whole"] for event in events if event["whole"][2]]
        for event in events:
            codes = self.done.codes[event["id"], event["part"]]
            event["games"], wrong = reports.games(event, self.exclusions)
            codes |= wrong
            event["fresh"] = set()
            for number, said in reports.claims(event).items():
                known = before.get((event["id"], number))
                codes |= {"R109"} if known not in (None, said) else set()
                event["fresh"] |= {number} if known is None else set()
            codes |= {"R107"} if event["whole"][2] and reports.twins(event["whole"], others) else set()
        for event in events:
            self.done.alike |= self._alike(event, events)
        self._only_once(self._without(events))

    def _alike(self, event, events):
        """{(id, part, other id)}: tournaments that have a whole round of three games or more in common with an event,
        unless somebody said that both were played, or the whole report is the other's."""
        if "distinct" in event["approvals"] or "R107" in self.done.codes[event["id"], event["part"]]:
            return set()
        mine = [said for said in reports.claims(event).values() if len(said) >= 6]
        rounds = [(row["id"], row["claims"]) for row in self.rated]
        for other in events:
            if "distinct" not in other["approvals"]:
                rounds += [(other["id"], said) for said in reports.claims(other).values()]
        return {(event["id"], event["part"], id_) for id_, said in rounds if id_ != event["id"] and said in mine}

    def _only_once(self, events):
        """A round that stands in two parts of a tournament in the same month: the first has it, if they agree."""
        known = {}
        for event in events:
            said = {
                (event["id"], n): claims
                for n, claims in reports.claims(event).items()
                if claims and n in event["fresh"]
            }
            if any(known.get(key, claims) != claims for key, claims in said.items()):
                self.done.codes[event["id"], event["part"]].add("R109")
                continue
            event["fresh"] -= {number for _, number in said.keys() & known.keys()}
            known |= said

    def _sides(self, used):
        for event in used:
            rule = rules(self.chapter, event["start"])
            for number, games in sorted(event["games"].items()):
                if number not in event["fresh"]:
                    continue
                for white, black, score in games:
                    for who, opponent, mine in ((white, black, score), (black, white, 1 - score)):
                        side = {name: event[name] for name in ("part", "start", "end")}
                        side |= {"event": event["id"], "round": number, "who": who, "score": mine}
                        self.done.sides.append(side | self._judge(rule, event, number, who, opponent))
            mine = [side for side in self.done.sides if (side["event"], side["part"]) == (event["id"], event["part"])]
            for who in {side["who"] for side in mine}:
                rated = [side for side in mine if side["who"] == who and side["outcome"] == "rated"]
                self._expect(rule, rated)

    def _judge(self, rule, event, number, who, opponent):
        """The outcome of one side, and the ratings that it goes by."""
        (start, seeded), (other, _) = self._start(event, who), self._start(event, opponent)
        now = self.prior[who]["rating"] if who in self.prior else None
        none = {"outcome": "none", "r": start, "r_opp": other}
        if not clock_is_rated(rule, event, self.rating_type, start, other):
            return none
        if event["system"] == "match" and (start is None or other is None or reports.is_decided(event, number)):
            return none
        if other is None:
            return none
        if rule.apart and start is not None and abs(start - other) >= 600 and max(start, other) > 2600:
            return none
        if now is None and who in self.gone:
            return none
        if now is None and not seeded:
            return none | {"outcome": "pool"}
        return {
            "outcome": "rated",
            "r": now if start is None else start,
            "r_opp": other,
            "seeded": seeded and now is None,
        }

    @staticmethod
    def _expect(rule, rated):
        """8.3.1: sets `dr` of a player's rated sides of one event."""
        gaps = {side["round"]: side["r"] - side["r_opp"] for side in rated}
        greatest = min((n for n in gaps if abs(gaps[n]) == max(map(abs, gaps.values()))), default=None)
        for side in rated:
            d = gaps[side["round"]]
            if side["r"] < rule.free_from and (rule.capped == "every game" or side["round"] == greatest):
                d = max(-400, min(400, d))
            side["dr"] = side["score"] - probability(d)

    def _people(self, used):
        """Everybody who can be on the new list, with the facts of today."""
        new = {who: dict(player) for who, player in self.prior.items()}
        for event in used:
            for entry in event["entries"]:
                who = entry["who"]
                if who in reports.players(event) and who not in self.gone and who not in new:
                    new[who] = NOBODY | self._told(who, entry)
        for who, said in self.known.items():
            if who not in new and who not in self.left and "name" in said and "federation" in said:
                new[who] = dict(NOBODY)
            if who in new:
                new[who] |= {name: value for name, value in said.items() if name in PERSON}
        return new

    def _enter(self):
        """{player: rating and K to which his change is added}: the list just before; who has no rating on it enters
        with the standard rating of his first event, with K as somebody new to the list (A12)."""
        base = {who: player for who, player in self.prior.items() if player["rating"] is not None}
        seeded = [side for side in self.done.sides if side.get("seeded")]
        for side in sorted(seeded, key=lambda side: (side["start"], side["event"], side["part"]), reverse=True):
            who = side["who"]
            own = self.prior.get(who, NOBODY)
            born = (
                self.known.get(who, {}).get("birth_year")
                or own["birth_year"]
                or self.elsewhere.get(who, {}).get("birth_year")
            )
            player = own | {"rating": side["r"], "birth_year": born}
            base[who] = player | {"k": k_of(player, self.day, self.rule)}
        return base

    def _change(self, new, base):
        """8.3.2 to 8.3.4."""
        for who in new:
            new[who]["games"] = 0
        for who, player in base.items():
            mine = [side for side in self.done.sides if side["who"] == who and side["outcome"] == "rated"]
            if not mine:
                continue
            n, total, k = len(mine), Fraction(0), None
            for side in sorted(mine, key=lambda side: (side["start"], side["event"], side["part"])):
                k = player["k"]
                if self.rule.k_of == "start":
                    k = self.read[first_of_month(side["start"])].get(who, NOBODY)["k"] or k
                k = reduced(k, n, self.rule.kn)
                total += k * side["dr"]
            change = half_away(total)
            self.done.changes[who] = (n, k, change)
            if who in new:
                new[who] |= {
                    "rating": player["rating"] + change,
                    "games": n,
                    "games_total": new[who]["games_total"] + n,
                }

    def _first_ratings(self, new, rated):
        """7.1.4, 8.2. Gives the players whose first rating is published."""
        self.pool += [
            side | {"list": self.day, "window": self.rule.window}
            for side in self.done.sides
            if side["outcome"] == "pool"
        ]
        games = {}
        for game in sorted(self.pool, key=lambda game: game["who"] in self.merged):  # his own before the old id's
            who = self.merged.get(game["who"], game["who"])
            if month_no(self.day) - month_no(game["list"]) < game["window"] and who not in rated | self.left:
                games.setdefault((who, game["event"], game["part"], game["round"]), game | {"who": who})
        self.pool, published = list(games.values()), set()
        for who in sorted({game["who"] for game in self.pool}):
            counted = self._counted([game for game in self.pool if game["who"] == who])
            n, points = len(counted), sum((game["score"] for game in counted), Fraction(0))
            ru = first_rating(self.rule, [game["r_opp"] for game in counted], points) if n >= self.rule.needed else None
            self.done.initials[who] = (n, ru)
            if ru is not None and ru >= self.rule.floor:
                new[who] |= {"rating": ru, "games": n, "games_total": new[who]["games_total"] + n}
                self.pool = [game for game in self.pool if game["who"] != who]
                published.add(who)
        return published

    def _counted(self, mine):
        """8.2.1: without the first event, or the leading ones, in which the player scored too little; of events with
        too few games, which are no blocks, none counts or is the first."""
        events = {}
        for game in sorted(mine, key=lambda g: (g["end"], g["start"], g["event"], g["part"])):
            events.setdefault((game["event"], game["part"]), []).append(game)
        found = [event for event in events.values() if len(event) >= self.rule.block]
        while found and sum(game["score"] for game in found[0]) < self.rule.score:
            found = found[1:]
            if self.rule.void == "first":
                break
        return [game for event in found for game in event]

    def _finish(self, new):
        """Leaving, floor, highest rating, activity, K of the new list."""
        played = {side["who"] for side in self.done.sides if side["outcome"] != "none"}
        for who in self.left & set(new):
            del new[who]
        for who, player in new.items():
            if who in played:
                player["last_played"] = self.day
            if player["rating"] is not None and player["rating"] < self.rule.floor:
                player["rating"] = None
            if player["rating"] is not None:
                player["peak"] = max(player["peak"] or 0, player["rating"])
            player["k"] = k_of(player, self.day, self.rule) if player["rating"] is not None else None
            last = player["last_played"]
            player["active"] = last is not None and month_no(self.day) - month_no(last) < 12


def one(own, other):
    """Two rows of a list that are of one player: he keeps his rating, or has the other's; games are added up."""
    both = own | {name: other[name] for name in PERSON if own[name] is None}
    if own["rating"] is None:
        both |= {"rating": other["rating"], "k": other["k"]}
    both["games_total"] = own["games_total"] + other["games_total"]
    for name in ("peak", "last_played"):
        both[name] = max((row[name] for row in (own, other) if row[name] is not None), default=None)
    return both
