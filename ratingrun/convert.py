"""A rating list or a tournament report into another form; what the form cannot hold is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ratingrun import check, findings
from ratingrun.formats import list_writers, rating_lists, read_report, report_writers

COMBINED = ("fide-combined", "fide-xml")


class NoSuchFormError(Exception):
    """The form cannot be written for this kind of file."""

    exit_code = 2


@dataclass(frozen=True)
class Converted:
    """What was read and written: kind (list or report), rows, form; `written` is False if an error stopped it."""

    kind: str
    rows: int
    form: str
    written: bool
    findings: pd.DataFrame


def run(
    source: Path, target: Path, form: str | None, rating_type: str, others: Mapping[str, Path] | None = None
) -> Converted:
    """Reads `source`, whatever it is, and writes `target`. Raises NoSuchFormError. Errors write nothing.

    `others`: lists of other types by type, for a combined list. Of a report the findings that only a rated run minds
    (a Lichess file) do not stop it.
    """
    kind = "list" if check.is_list(source) else "report"
    forms = list_writers.BY_SUFFIX if kind == "list" else report_writers.FORMS
    form = form or forms.get(target.suffix.lower())
    known = list_writers.FORMS if kind == "list" else tuple(report_writers.FORMS.values())
    if form not in known:
        raise NoSuchFormError(f"a {kind} cannot be written so; forms are {', '.join(known)}: choose one by --form")
    if others and (kind != "list" or form not in COMBINED):
        raise NoSuchFormError(f"lists of other types go only into a list as {' or '.join(COMBINED)}")
    more = {}
    if kind == "list":
        data, found = rating_lists.read(source, rating_type)
        for name, path in (others or {}).items():
            more[name], news = rating_lists.read(path, name)
            found = findings.join([found, news])
        rows = len(pd.concat([data, *more.values()])["player_id"].drop_duplicates())
    else:
        data = read_report(source, source.name)
        found, rows = data.findings, len(data.entries)
    grave = (found["severity"] == "error") & (found["code"] != "F159")
    if grave.any():
        return Converted(kind, rows, form, False, findings.numbered(found))
    if kind == "list":
        news = list_writers.write(data, target, form, rating_type, more)
    else:
        news = report_writers.write(data, target, form)
    return Converted(kind, rows, form, True, findings.numbered(findings.join([found, news])))
