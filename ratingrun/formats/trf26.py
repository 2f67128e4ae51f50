"""What TRF26 says of a round outside the players' lines: byes (240), team byes (320), forfeited matches (330).

A cell that a player's line leaves blank is explained by these records; a cell with something in it stands as written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

RECORDS = ("240", "300", "310", "320", "330")
BYES = "FHZ"
TEAM_BYE = "U"
_TEAM_PLAYERS, _TEAM_NO = 73, slice(4, 7)  # 310: where the players begin, the team's number
_ROUND_TEAMS, _PITCH = 14, 4  # 320: a team for each round

Said = tuple[int, int, str, int]


def declared(records: Iterable[tuple[str, int, str]]) -> list[Said]:
    """(starting number, round, code, line) for each player whose round one of these records explains.

    `records`: id, line, text. In a team event (310) the numbers of 240 are teams'. Of a forfeited match the players
    of the line-up (300) have + and -; without a line-up nobody is named, and nobody is guessed.
    """
    by_id: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for record, line, text in records:
        by_id[record].append((line, text))
    teams = {_number(text[_TEAM_NO]): _numbers(text[_TEAM_PLAYERS - 1 :]) for _, text in by_id["310"]}
    found = []
    for line, text in by_id["240"]:
        kind, *rest = text[4:].split() or [""]
        number, *ids = _numbers(" ".join(rest)) or [0]
        who = [player for team in ids for player in teams.get(team, ())] if teams else ids
        found += [(player, number, kind, line) for player in who if kind in BYES and number]
    for line, text in by_id["320"]:
        for place in range(_ROUND_TEAMS, len(text), _PITCH):
            team, number = _number(text[place : place + 3]), (place - _ROUND_TEAMS) // _PITCH + 1
            found += [(player, number, TEAM_BYE, line) for player in teams.get(team, ())]
    lineups = _lineups(by_id["300"])
    for line, text in by_id["330"]:
        found += _forfeited(line, text, lineups)
    return found


def _lineups(records: list[tuple[int, str]]) -> dict[tuple[int, int], list[int]]:
    """(round, team) -> the players of its line-up."""
    rows = [_numbers(text[4:]) for _, text in records]
    return {(row[0], row[1]): [player for player in row[3:] if player] for row in rows if len(row) > 2}


def _forfeited(line: int, text: str, lineups: dict[tuple[int, int], list[int]]) -> list[Said]:
    signs, *rest = text[4:].split() or [""]
    numbers = _numbers(" ".join(rest))
    if len(signs) != 2 or not set(signs) <= set("+-") or len(numbers) < 3:
        return []
    sides = zip(signs, numbers[1:3], strict=True)
    return [(who, numbers[0], sign, line) for sign, team in sides for who in lineups.get((numbers[0], team), ())]


def _number(word: str) -> int:
    word = word.strip()
    return int(word) if word.isascii() and word.isdigit() else 0


def _numbers(text: str) -> list[int]:
    return [_number(word) for word in text.split()]
