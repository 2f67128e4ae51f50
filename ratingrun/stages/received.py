"""received: the files that came in, and which registered part each is of; nothing dropped."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ratingrun import findings
from ratingrun.formats import Report, content
from ratingrun.frames import ENTRIES, RESULTS
from ratingrun.stages import codes
from ratingrun.stages.reports import KEY


def assemble(
    register: pd.DataFrame, everything: pd.DataFrame, reports: Sequence[Report]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Entries and results of all registered parts (raw, with tournament_id and part), and the readers' findings.

    A file that holds several parts gives its rows to each of them; `games` tells a part's rounds from the others'. What
    is registered for another list only (`everything` is the whole register) is that list's business.
    """
    parts = register[[*KEY, "file"]]
    elsewhere = set(everything["file"]) - set(register["file"])
    whole = [report for report in reports if report.collection]
    single = [report for report in reports if not report.collection]
    found = content.joined([report for report in single if report.file not in elsewhere], "findings")
    found += [_of_parts(report.findings, parts) for report in whole if report.file not in elsewhere]
    rows = []
    for name, frame in (("entries", ENTRIES), ("results", RESULTS)):
        plain = pd.concat([frame.empty().drop(columns=KEY), *content.joined(single, name)], ignore_index=True)
        many = [_joined(getattr(report, name), parts[parts["file"] == report.file], KEY[0]) for report in whole]
        several = [_joined(plain, parts, "file"), *many]
        several = [some for some in several if len(some)] or several[:1]
        rows.append(pd.concat(several, ignore_index=True) if len(several) > 1 else several[0])
    return rows[0], rows[1], findings.join(found)


def _joined(rows: pd.DataFrame, parts: pd.DataFrame, key: str) -> pd.DataFrame:
    """The rows with the part that they are of; once for each part where several share a key."""
    if parts[key].duplicated().any():
        parts = parts if key == "file" else parts.drop(columns="file")
        # Of a collection many tournaments have the same file: their rows are joined by the tournament.
        return rows.merge(parts[parts[key].isin(rows[key].unique())], on=key)
    at = codes.place(rows[key], parts[key])
    rows = rows if (at >= 0).all() else rows[at >= 0].reset_index(drop=True)
    at = at[at >= 0]
    return rows.assign(**{name: codes.take(parts[name], at) for name in KEY if name != key})


def _of_parts(found: pd.DataFrame, parts: pd.DataFrame) -> pd.DataFrame:
    """What a reader found in a collection: of a tournament it concerns each of its parts, else the whole file."""
    named = found["tournament_id"].notna()
    each = found[named].drop(columns="part").merge(parts, on=["file", "tournament_id"])
    return findings.join([found[~named], each[list(found)]])


def current(register: pd.DataFrame, rated: pd.DataFrame) -> pd.DataFrame:
    """The register without parts that were rated before and whose file name another tournament has now.

    A register goes on from month to month, and next month's report may have the name of an old one.
    """
    known = codes.part(register, rated) >= 0
    if not known.any():
        return register
    fresh = register.loc[~known, ["file", "tournament_id"]].drop_duplicates()
    owners = fresh.groupby("file")["tournament_id"].agg(["first", "size"]).reindex(register["file"])
    same = owners["first"].to_numpy(object) == register["tournament_id"].to_numpy(object)
    other = owners["size"].notna().to_numpy() & ~((owners["size"] == 1).to_numpy() & same)
    return register[~(known & other)]


def files(
    register: pd.DataFrame, reports: Sequence[Report], rating_type: str, rated: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Findings about files: R101 not registered, R303 a copy, R111 registered for two tournaments; R117 a tournament of
    a collection that is neither registered nor `rated`."""
    known = register.drop_duplicates("file").set_index("file")
    registered = {report.sha256: report.file for report in reports if report.file in known.index}
    found = []
    for report in sorted(reports, key=lambda report: report.file):
        if report.file not in known.index:
            other = registered.get(report.sha256)
            found.append(
                findings.of("R303", file=report.file, other=other) if other else findings.of("R101", file=report.file)
            )
    collections = [report.file for report in reports if report.collection]
    found += [_strangers(report, known, register, rated) for report in reports if report.collection]
    ours = register[(register["rating_type"] == rating_type) & ~register["file"].isin(collections)]
    owners = ours.groupby("file")["tournament_id"].agg(lambda ids: ", ".join(sorted(set(ids))))
    at_hand = ours["file"].isin([report.file for report in reports])
    shared = ours[(ours["file"].map(owners) != ours["tournament_id"]) & at_hand]
    found.append(findings.of("R111", shared.assign(other=shared["file"].map(owners)).drop(columns="line")))
    return findings.join(found)


def _strangers(report: Report, known: pd.DataFrame, register: pd.DataFrame, rated: pd.DataFrame | None) -> pd.DataFrame:
    """R117 for each tournament of a collection that is not registered with it; none if the whole file is not."""
    if report.file not in known.index:
        return findings.none()
    rows = report.entries.drop_duplicates("tournament_id")
    ours = register.loc[register["file"] == report.file, "tournament_id"]
    heard_of = ours if rated is None else pd.concat([ours, rated["tournament_id"]])
    return findings.of("R117", rows[~codes.isin(rows["tournament_id"], heard_of)])
