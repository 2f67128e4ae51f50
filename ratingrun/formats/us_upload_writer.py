"""Writes a US Chess upload set (format 2C): for samples and tests; the reader is `us_upload`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from ratingrun.formats import dbase
from ratingrun.formats.us_upload import DETAIL, HEADER, SECTION

WIDTHS = {
    HEADER: {"H_FORMAT": 5, "H_PROGRAM": 10, "H_EVENT_ID": 12, "H_NAME": 35, "H_TOT_SECT": 2, "H_BEG_DATE": 8,
             "H_END_DATE": 8, "H_AFF_ID": 8, "H_CITY": 21, "H_STATE": 2, "H_ZIPCODE": 10, "H_COUNTRY": 21,
             "H_SENDCROS": 1, "H_CTD_ID": 8, "H_ATD_ID": 8, "H_OTHER_TD": 255},
    SECTION: {"S_EVENT_ID": 12, "S_SEC_NUM": 2, "S_SEC_NAME": 30, "S_R_SYSTEM": 1, "S_TIMECTL": 40, "S_CTD_ID": 8,
              "S_ATD_ID": 8, "S_TRN_TYPE": 1, "S_TOT_RNDS": 2, "S_LST_PAIR": 4, "S_BEG_DATE": 8, "S_END_DATE": 8,
              "S_SCH_LVL": 1, "S_GR_PRIX": 1, "S_GP_PTS": 3, "S_FIDE": 1},
    DETAIL: {"D_EVENT_ID": 12, "D_SEC_NUM": 2, "D_PAIR_NUM": 4, "D_MEM_ID": 8, "D_NAME": 30, "D_STATE": 2,
             "D_RATING": 4},
}  # fmt: skip


def write(event: Mapping[str, str], sections: Sequence[Mapping[str, str]], players: Sequence[Mapping[str, str]]):
    """The three files of a set, by name; rows have the fields' own names, days as YYYYMMDD, rounds as D_RND01 ..."""
    rounds = {name: 7 for row in players for name in row if name.startswith("D_RND")}
    wanted = {HEADER: [event], SECTION: sections, DETAIL: players}
    files = {}
    for kind, rows in wanted.items():
        widths = WIDTHS[kind] | (dict(sorted(rounds.items())) if kind == DETAIL else {})
        fields = [(name, "D" if name.endswith("_DATE") else "C", width) for name, width in widths.items()]
        files[f"{kind}.DBF"] = dbase.write(fields, rows)
    return files


def cell(result: str, opponent: int | None = None, colour: str = "") -> str:
    """A round as the set writes it: `W   4B`."""
    return f"{result}{opponent or '':>4}{colour.upper()}" if opponent else result


def day(value: dt.date) -> str:
    """A day as the set writes it."""
    return f"{value:%Y%m%d}"
