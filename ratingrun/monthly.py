"""What the commands `run` and `adopt` do: read the working folder, make the month, publish it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

from ratingrun import engines, findings, frames, periods, publish, run_folder, summary, working_folder


@dataclass(frozen=True)
class Done:
    """What a command shows: messages for stderr, the summary for stdout, the folder if one was written."""

    exit_code: int
    summary: str
    messages: list[str]
    folder: Path | None = None
    verdict: str = ""
    findings: pd.DataFrame = field(default_factory=frames.FINDINGS.empty)

    @property
    def line(self) -> str:
        """The run in one line, for a log."""
        counts = self.findings["severity"].value_counts()
        said = ", ".join(f"{counts.get(name, 0)} {name}s" for name in ("error", "warning", "note"))
        return f"{self.folder or self.verdict} ({said})"


class NoListError(Exception):
    """There is no run folder to go on from."""

    exit_code = 1


def next_period(lists: Path, rating_type: str, today: dt.date, own: Path | None = None) -> str | None:
    """The period after the newest list that stands; None if its list date has not come. Raises NoListError."""
    newest = run_folder.newest(lists, None, rating_type)
    if newest is None:
        raise NoListError(f"no {rating_type} list in {lists} to go on from; begin with ratingrun adopt")
    period = newest.name[:7]
    following = engines.of(rating_type).after(period, rating_type, own)
    return following if periods.list_date(following) <= today else None


def types_at(lists: Path) -> list[str]:
    """The rating types that have a run folder, in the order of the frames."""
    known = {place.rating_type for place in run_folder.everything(lists)}
    return [name for name in frames.RATING_TYPES if name in known]


def run(
    root: Path,
    period: str,
    rating_type: str = "standard",
    given: dict[str, Path | None] | None = None,
    provisional: bool = False,
    no_games: bool = False,
    allow_rejected: bool = False,
    sign_with: Path | None = None,
    watch: Callable = lambda paths: paths,
    stage: Callable[[str], None] = lambda name: None,
    replay: bool = False,
) -> Done:
    """Makes and publishes the list of a period. Exit code 0, 1 (nothing published) or 4 (a hash does not match).

    `replay` marks it as part of a replay, beside the published lists.

    Raises AlreadyPublishedError, LockedError, RuleBookError; OSError if the disk fails.
    """
    engine = engines.of(rating_type)
    at = working_folder.places(root, period, given or {}, engine.files)
    with publish.lock(at.out, rating_type):
        swept = publish.sweep(at.out, rating_type)
        folder = publish.target(at.out, period, rating_type, provisional)
        loaded = engine.load(at, period, rating_type, no_games, watch)
        if loaded.inputs is None:
            return _stopped(findings.numbered(loaded.findings))
        with publish.draft(folder) as draft:
            draft.begin_inputs(loaded.kept)
            month = make(loaded, rating_type, stage, draft.begin)
            loaded = replace(loaded, inputs=None)  # the lists before are not needed any more
            found = month.findings
            if month.stopped:
                return _stopped(found)
            status = "replay" if replay else "provisional" if provisional else "published"
            text = engine.text(month, status, rating_type)
            messages = [*swept, *summary.lines_for_terminal(found)]
            if len(month.rejected) and not allow_rejected:
                count = _rejected(month.rejected, month.frames[engine.tournaments])
                verdict = f"Nothing published: {count} report(s) rejected. Correct them, or use --allow-rejected."
                return Done(1, text, messages, verdict=verdict, findings=found)
            facts = {
                "period": period,
                "rating_type": rating_type,
                "list_date": str(periods.list_date(period)),
                "status": status,
                "rule_books": list(month.books),
                **engine.facts(month),
                "prior": loaded.prior.reference() if loaded.prior else None,
                "sources": loaded.sources,
                "supersedes": publish.supersedes(folder),
            }
            key = root / sign_with if sign_with else None
            draft.publish(month.frames, found, facts, text, loaded.kept, key)
    return Done(0, text, messages, folder, findings=found)


def _rejected(errors: pd.DataFrame, tournaments: pd.DataFrame) -> int:
    """How many reports are not used: the rejected tournaments, and the files that no tournament stands for."""
    strangers = set(errors["file"].dropna()) - set(tournaments["file"].dropna())
    return max(int((tournaments["status"] == "rejected").sum()) + len(strangers), 1)


def make(
    loaded: working_folder.Loaded,
    rating_type: str,
    stage: Callable[[str], None] = lambda name: None,
    ready: Callable[[str, pd.DataFrame], None] = lambda name, frame: None,
) -> engines.Month:
    """The month of loaded inputs, with the findings of reading them among its own."""
    month = engines.of(rating_type).make(loaded.inputs, stage, ready)
    if not len(loaded.findings):
        return month
    found = findings.numbered(findings.join([loaded.findings, month.findings.drop(columns="seq")]))
    return replace(month, findings=found)


def adopt(
    root: Path,
    list_file: Path,
    period: str,
    rating_type: str,
    out: Path | None = None,
    earlier: Path | None = None,
    books: Path | None = None,
) -> Done:
    """Makes a run folder from somebody else's list. Raises as `run` does."""
    lists, path = root / (out or "lists"), root / list_file
    if earlier and not (root / earlier).is_dir():
        return _stopped(findings.numbered(findings.of("F110", file=earlier.name)))
    older = sorted((root / earlier).iterdir()) if earlier else []
    older = [other for other in older if other.is_file() and not other.name.startswith(".")]
    with publish.lock(lists, rating_type):
        folder = publish.target(lists, period, rating_type, provisional=False)
        own = working_folder.own_books(root, books)
        made = engines.of(rating_type).adopted(path, period, older, rating_type, own)
        if made.frames is None:
            return _stopped(made.findings)
        facts = {
            "period": period,
            "rating_type": rating_type,
            "list_date": str(periods.list_date(period)),
            "status": "adopted",
            "rule_books": [made.book],
            "prior": None,
            "sources": {
                "list": path.name,
                "earlier": [{"file": other.name, "sha256": run_folder.sha256(other)} for other in older],
            },
        }
        kept = {path.name: path.read_bytes(), **made.kept}
        with publish.draft(folder) as draft:
            draft.publish(made.frames, made.findings, facts, made.text, kept)
    return Done(0, made.text, [], folder, findings=made.findings)


def _stopped(found: pd.DataFrame) -> Done:
    """Nothing published: what stopped the run, on stderr. A hash that does not match has an exit code of its own."""
    code = 4 if (found["code"] == "F112").any() else 1
    verdict = "Nothing published: the input stops the run."
    return Done(code, "", summary.lines_for_terminal(found), verdict=verdict, findings=found)
