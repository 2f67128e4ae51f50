"""Reports as the plain engine reads them: which are rated on a list, which are rejected, and the games that they hold.

An event is a registered part with its report: id, part, start, end, received, official, system, control, approvals (a
set), match_games, rounds_from, rounds_to, `entries` (dicts, in the order of their starting numbers; `id` as written,
`who` the player whom it stands for) and `cells`: {(number, round): (opponent's number, colour, result)}.
"""

import datetime as dt
from fractions import Fraction

SCORE = {"1": Fraction(1), "=": Fraction(1, 2), "0": Fraction(0)}
MATCH_POINTS = {"1": 1, "+": 1, "W": 1, "=": Fraction(1, 2), "D": Fraction(1, 2)}


def status(event, list_day, rule):
    """7.1.3, 9.1."""
    number = event["end"].year * 12 + event["end"].month + 2  # month 0 is January: the third list after its end
    last = dt.date(number // 12, number % 12 + 1, 1)
    if rule.lists and (list_day > last or (event["received"] and event["received"] > last)):
        return "too_late"
    if not rule.lists and event["received"] and event["received"] > list_day:
        return "too_late"
    closing = list_day - dt.timedelta(days=1 if event["official"] else rule.closing)
    return "waiting" if event["end"] > closing else "used"


def own(event, number):
    """Whether a round of the file is one of this part."""
    return (event["rounds_from"] or 0) <= number <= (event["rounds_to"] or 9999)


def claims(event, somewhere=False):
    """{own round: {(player, opponent, colour, result)} of its cells that say that a game was played}; of players
    without an entry a dash. `somewhere`: of all rounds of the file."""
    found = {}
    for (no, number), (opponent, colour, result) in event["cells"].items():
        if somewhere or own(event, number):
            said = found.setdefault(number, set())
            if result in SCORE and opponent:
                said.add((who(event, no), who(event, opponent), colour, result))
    return found


def who(event, no):
    """The player of a starting number."""
    return event["entries"][no - 1]["who"] if no <= len(event["entries"]) else "-"


def players(event):
    """Who says that he played, in whatever round."""
    return {said[0] for round_ in claims(event, somewhere=True).values() for said in round_}


def is_excluded(event, number, no, opponent, exclusions):
    """Whether a cell is taken out by decision: of the tournament, the round, the player or his opponent."""
    both = {who(event, no), who(event, opponent) if opponent else None}
    return any(
        row["tournament_id"] == event["id"]
        and row["round"] in (None, number)
        and (row["who"] is None or row["who"] in both)
        for row in exclusions
    )


def games(event, exclusions):
    """({own round: [(White, Black, White's score)]}, codes): both cells must say so; a code for a contradiction."""
    found, wrong, cells = {}, set(), event["cells"]
    for (no, number), (opponent, colour, result) in sorted(cells.items()):
        if not own(event, number):
            continue
        round_ = found.setdefault(number, [])
        if is_excluded(event, number, no, opponent, exclusions) or not opponent:
            continue
        if opponent == no or (opponent, number) not in cells:
            wrong.add("G101" if opponent == no else "G102")
            continue
        if result not in SCORE:
            continue
        back, other, theirs = cells[opponent, number]
        if back != no:
            wrong.add("G103")
        elif theirs not in SCORE or SCORE[result] + SCORE[theirs] != 1:
            wrong.add("G104" if theirs == result else "G105")
        elif other == colour:
            wrong.add("G106")
        elif colour == "w":
            round_.append((who(event, no), who(event, opponent), SCORE[result]))
    return found, wrong


def is_decided(event, number):
    """6.2: whether somebody had more than half the points of a match before a round; forfeits count."""
    points = {}
    for (no, earlier), (_, _, result) in event["cells"].items():
        if earlier < number:
            points[no] = points.get(no, 0) + MATCH_POINTS.get(result, 0)
    waived = event["system"] != "match" or not event["match_games"] or "play_on" in event["approvals"]
    return not waived and max(points.values(), default=0) > Fraction(event["match_games"], 2)


def uncovered(event, parts):
    """Whether the file has a game in a round that no registered part of its tournament covers."""
    limits = [(row["rounds_from"], row["rounds_to"]) for row in parts if row["id"] == event["id"]]
    if (None, None) in limits:
        return False
    said = [number for (_, number), (_, _, result) in event["cells"].items() if result in SCORE]
    return any(not any((low or 0) <= number <= (high or 9999) for low, high in limits) for number in said)


def twins(one, others):
    """Whether the whole report stands under another tournament id: `one` and `others` as (id, start, claims by round,
    approvals)."""
    id_, start, said, approvals = one
    return any(
        other != id_ and start == first and said == there and "distinct" not in approvals | granted
        for other, first, there, granted in others
    )
