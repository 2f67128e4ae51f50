"""The records of a TRF file that are no player's: what the event is, when, under which clock; and what was skipped.

The rating type is in no record but 222 (TRF26). What cannot be read is a finding; the register says it then.
"""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ratingrun import findings
from ratingrun.formats import dates, trf26
from ratingrun.formats.trf_columns import PLAYER_ID
from ratingrun.formats.trf_lines import BLANK, Lines

READ = ("012", "022", "032", "042", "052", "102", "192", "222", *trf26.RECORDS)
ONCE = ("012", "022", "032", "042", "052")
# Known, and of no use for rating: counts, arbiters, round dates, teams, pairing and tie-break settings, comments.
PASSED = (
    *("013", "062", "072", "082", "092", "112", "122", "132", "142", "152", "172", "202", "212", "250", "260", "352"),
    *("362", "801", "802", "###", "XXR", "XXZ", "XXC", "XXP"),
)
# These say that points are counted otherwise, so that points cannot be checked.
OTHER_POINTS = ("162", "299", "250", "XXA", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU")
NATIONAL = re.compile(r"([A-Z]{3}) ([ 0-9]{4}) ")  # a federation's own record of a player
SYSTEMS = (("TEAM", "team"), ("ROBIN", "round_robin"), ("SCHEV", "round_robin"), ("SCHILLER", "round_robin"),
           ("FIDE_", "swiss"), ("SWISS", "swiss"))  # fmt: skip
_SECONDS = 60
_CLOCK = re.compile(r"(?:(\d{1,3})/)?(\d{1,5})(?:\+(\d{1,3}))?")
LICHESS, LICHESS_SITE = "lichess", "lichess.org"  # in 032, in 022 or 102
_UNEQUAL = re.compile(r"W(.+)-B(.+)")
_MANY = 6  # spellings of skipped lines that the note names


National = tuple[int, str, int]  # starting number, federation/number, line


@dataclass
class Head:
    """What the header of one file says; None or empty where it says nothing. `start`, `end`: every reading."""

    name: str | None = None
    federation: str | None = None
    start: tuple[dt.date, ...] = ()
    end: tuple[dt.date, ...] = ()
    time_control: str | None = None
    system: str | None = None
    other_points: bool = False
    declared: list[trf26.Said] = field(default_factory=list)
    national: list[National] = field(default_factory=list)
    findings: list[pd.DataFrame] = field(default_factory=list)


def _key(name: str) -> int:
    return ord(name[0]) << 16 | ord(name[1]) << 8 | ord(name[2])


_IDS = {_key(name): name for name in (*READ, *PASSED, *OTHER_POINTS)}
_WANTED = np.array([_key(name) for name in (*READ, *OTHER_POINTS)])
_KNOWN = np.array(list(_IDS))
_OTHER_POINTS, _OUTSIDE = frozenset(OTHER_POINTS), frozenset(trf26.RECORDS)
_NOTHING = (None, "")


def heads(lines: Lines, which: np.ndarray, names: list[str], order: str = "") -> list[Head]:
    """The head of every file, from its lines `which` that are no player's; F159, F222, F223, F227, F228, F320, F321.

    `order` settles days with more than one reading."""
    sign = np.minimum(lines.block(which, 4), 255).astype("i4")
    key = sign[:, 0] << 16 | sign[:, 1] << 8 | sign[:, 2]
    record = (sign[:, 3] == BLANK) & (key != _key("   "))
    wanted = record & np.isin(key, _WANTED)
    at = which[wanted]
    columns = zip(*(column.tolist() for column in (key[wanted], lines.line[at], at)), strict=True)
    records = [(_IDS[one], line, lines.text(place)) for one, line, place in columns]
    limits = np.searchsorted(lines.file[at], np.arange(len(names) + 1)).tolist()
    found = [_head(records[a:b], name, order) for name, a, b in zip(names, limits, limits[1:], strict=False)]
    rest = which[~wanted & ~(record & np.isin(key, _KNOWN))]
    skipped: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for at in rest[lines.end[rest] > lines.start[rest]]:
        line = lines.text(at)
        if own := NATIONAL.match(line):
            _national(found[lines.file[at]], line, int(lines.line[at]), *own.group(1, 2))
        elif line.strip() and not line.startswith("###"):
            skipped[lines.file[at]].append((int(lines.line[at]), line))
    for number, some in skipped.items():
        kinds = list(dict.fromkeys(line.strip()[:3] for _, line in some))
        what = ", ".join(kinds[:_MANY]) + (" ..." if len(kinds) > _MANY else "")
        place = {"file": names[number], "line": some[0][0]}
        found[number].findings.append(findings.of("F321", count=len(some), what=what, **place))
    return found


def _head(records: list[tuple[str, int, str]], file: str, order: str) -> Head:
    head, first = Head(), {}
    for record, line, text in records:
        if record not in first and (value := text[4:].strip()):
            first[record] = (line, value)
    if not records:
        return head
    if "012" in first:
        head.name = first["012"][1]
    ids = [record for record, _, _ in records]
    seen = set(ids)
    head.other_points = not _OTHER_POINTS.isdisjoint(seen)
    if len(seen) < len(ids):
        for record in sorted(record for record in seen.intersection(ONCE) if ids.count(record) > 1):
            place = {"file": file, "line": first.get(record, (None,))[0]}
            head.findings.append(findings.of("F320", record=record, count=ids.count(record), **place))
    _federation(head, first, file)
    _days(head, first, file, order)
    _clock_and_system(head, first, file)
    if not _OUTSIDE.isdisjoint(seen):
        head.declared = trf26.declared(records)
    return head


def _national(head: Head, text: str, line: int, federation: str, start_no: str) -> None:
    """A federation's own record of a player (FRA, IND ...): the national number in the columns of the FIDE id."""
    first, last = PLAYER_ID
    number = text[first - 1 : last].strip()
    if start_no.strip().isdigit() and number.isalnum() and number.strip("0"):
        head.national.append((int(start_no), f"{federation}/{number}", line))


def _federation(head: Head, first: dict[str, tuple[int, str]], file: str) -> None:
    """032: three letters, or a warning; a Lichess file is refused (F159)."""
    line, value = first.get("032", _NOTHING)
    if len(value) == 3 and value.isalpha():
        head.federation = value.upper()
    elif value and value.lower() != LICHESS:
        head.findings.append(findings.of("F227", file=file, line=line, value=value[:60]))
    if value.lower() == LICHESS or any(LICHESS_SITE in first.get(record, _NOTHING)[1] for record in ("022", "102")):
        head.findings.append(findings.of("F159", file=file, line=line))


def _days(head: Head, first: dict[str, tuple[int, str]], file: str, order: str) -> None:
    """042 and 052: the days that they can mean; F222 for what is no date, F223 if it has more than one reading."""
    start, end = first.get("042", _NOTHING), first.get("052", _NOTHING)
    head.start, head.end = dates.event(start[1], end[1], order)
    if len(head.start) == len(head.end) == 1:
        return
    for record, (line, value), days in (("042", start, head.start), ("052", end, head.end)):
        place = {"file": file, "line": line, "record": record, "value": value[:60]}
        if value and not days:
            head.findings.append(findings.of("F222", **place))
        elif len(days) > 1:
            head.findings.append(findings.of("F223", readings=" or ".join(map(str, days)), **place))


def _clock_and_system(head: Head, first: dict[str, tuple[int, str]], file: str) -> None:
    """222 as the register writes time controls (F228 if it cannot be), 192 as a system of play."""
    if "222" in first:
        line, value = first["222"]
        head.time_control = time_control(value)
        if head.time_control is None:
            head.findings.append(findings.of("F228", file=file, line=line, value=value[:60]))
    if "192" in first:
        coded = first["192"][1].upper()
        head.system = next((system for part, system in SYSTEMS if part in coded), None)


@functools.lru_cache(maxsize=1024)
def time_control(coded: str) -> str | None:
    """A coded time control in seconds (40/6000+30:1500+30) as the register writes it (40/100+30:25+30), or None.

    W300-B240 is two unequal clocks: 5|4. Seconds that are not whole minutes cannot be written so.
    """
    coded = coded.replace(" ", "")
    if match := _UNEQUAL.fullmatch(coded):
        both = [time_control(clock) for clock in match.groups()]
        return "|".join(both) if all(both) else None
    periods = []
    for part in coded.split(":"):
        match = _CLOCK.fullmatch(part)
        if not match or int(match[2]) % _SECONDS:
            return None
        minutes = str(int(match[2]) // _SECONDS)
        periods.append((f"{match[1]}/" if match[1] else "") + minutes + (f"+{match[3]}" if match[3] else ""))
    return ":".join(periods)
