"""The text layouts of FIDE's rating lists, 2001 to now: a table, chosen by the lines' length and the first players.

A layout is data: where each field stands (columns from 1, both ends included). Headers are no guide: in some lists
their words do not stand above their columns, and some lists have none. Measured on the lists themselves; `reported`
marks the two that rest on another program's table. Several layouts of one length are told apart by the first players'
lines: where the rating, the federation and the birthday must stand.
"""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True)
class Layout:
    """One layout: its name, the length of its lines, where each field stands. `birthday` is a full date or a year."""

    name: str
    length: int
    fields: dict[str, Span]
    reported: bool = False


def _layout(called: str, length: int, /, reported: bool = False, **fields: Span) -> Layout:
    return Layout(called, length, fields, reported)


_HEAD = {"player_id": (1, 15), "name": (16, 76), "federation": (77, 79), "sex": (81, 81), "title": (85, 88)}
_HEAD |= {"w_title": (90, 93), "o_title": (95, 109)}

LAYOUTS = (
    _layout("2001-01", 75, player_id=(1, 10), name=(13, 44), title=(46, 47), federation=(52, 54), rating=(60, 63),
            games=(66, 68), flag=(72, 74)),
    _layout("2001-04", 86, player_id=(1, 11), name=(13, 44), title=(46, 47), federation=(52, 54), rating=(61, 64),
            games=(68, 70), birthday=(72, 81), flag=(83, 85)),
    _layout("2001-07", 90, player_id=(1, 11), name=(13, 44), title=(46, 47), federation=(52, 54), rating=(61, 64),
            games=(68, 70), birthday=(72, 81), sex=(83, 83), flag=(87, 89)),
    _layout("2002-01", 85, player_id=(1, 10), name=(13, 44), title=(46, 47), federation=(52, 54), rating=(60, 63),
            games=(66, 68), birthday=(72, 79), flag=(81, 83)),
    _layout("2002-10", 77, player_id=(1, 8), name=(11, 42), title=(45, 47), federation=(49, 51), rating=(54, 57),
            games=(60, 62), birthday=(65, 72), flag=(75, 76)),
    _layout("2003-01", 79, player_id=(1, 8), name=(11, 42), title=(45, 47), federation=(49, 51), rating=(54, 57),
            games=(60, 62), birthday=(65, 72), flag=(77, 78)),
    _layout("legacy", 74, reported=True, player_id=(1, 9), name=(11, 44), title=(45, 47), federation=(49, 51),
            rating=(54, 57), games=(60, 62), birthday=(65, 68), flag=(71, 72)),
    _layout("2012-09", 132, **_HEAD, rating=(110, 113), games=(116, 118), k=(120, 121), birthday=(123, 126),
            flag=(129, 130)),
    _layout("current", 136, reported=True, **_HEAD, foa_title=(110, 112), rating=(114, 117), games=(120, 122),
            k=(124, 125), birthday=(127, 130), flag=(133, 134)),
    _layout("combined", 162, **_HEAD, foa_title=(110, 112), standard_rating=(114, 117), standard_games=(120, 122),
            standard_k=(124, 125), rapid_rating=(127, 130), rapid_games=(133, 135), rapid_k=(137, 138),
            blitz_rating=(140, 143), blitz_games=(146, 148), blitz_k=(150, 151), birthday=(153, 156), flag=(159, 160)),
)  # fmt: skip
WRITTEN = {"single": next(layout for layout in LAYOUTS if layout.name == "current"),
           "combined": next(layout for layout in LAYOUTS if layout.name == "combined")}  # fmt: skip
LABELS = {"player_id": "ID Number", "name": "Name", "federation": "Fed", "sex": "Sex", "title": "Tit",
          "w_title": "WTit", "o_title": "OTit", "foa_title": "FOA", "rating": "Rtng", "games": "Gms", "k": "K",
          "standard_rating": "SRtng", "standard_games": "SGm", "standard_k": "SK", "rapid_rating": "RRtng",
          "rapid_games": "RGm", "rapid_k": "Rk", "blitz_rating": "BRtng", "blitz_games": "BGm", "blitz_k": "BK",
          "birthday": "B-day", "flag": "Flag"}  # fmt: skip
RIGHT = frozenset(("rating", "standard_rating", "rapid_rating", "blitz_rating"))  # fields that hold a number in full


def by_length(length: int) -> list[Layout]:
    """The layouts whose lines may have this length: trailing blanks are sometimes trimmed, or one too many."""
    near = [layout for layout in LAYOUTS if layout.length == length]
    return near or sorted((one for one in LAYOUTS if abs(one.length - length) <= 1 or one.length > length),
                          key=lambda one: abs(one.length - length))  # fmt: skip
