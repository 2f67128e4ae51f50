"""replay: a chain of months made again, beside the published lists and never in place of them.

The chain starts from the published list before its first month. It goes on where it stopped, and makes a month anew
only from the first one whose inputs changed: reports, rows of the inputs that concern it, rule books, the list before.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from ratingrun import __version__, frames, monthly, periods, rulebooks, run_folder, what_if, working_folder
from ratingrun.formats import REPORT_READERS, inputs

STATE = "replay.json"


class NotAReplayError(Exception):
    """The folder that should hold the replay holds something else."""


@dataclass
class Step:
    """One month of a replay: whether it was made now or kept, its folder, and what stopped it."""

    period: str
    made: bool
    folder: Path | None
    messages: list[str] = field(default_factory=list)
    exit_code: int = 0


@dataclass(frozen=True)
class Order:
    """What to replay: months, where to, what-if values, and the options of `run`."""

    root: Path
    first: str
    last: str
    out: Path
    rating_type: str = "standard"
    changes: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Path | None] = field(default_factory=dict)
    no_games: bool = False
    allow_rejected: bool = False

    @property
    def published(self) -> Path:
        """The folder of the published lists."""
        return self.root / (self.given.get("lists") or "lists")

    def places(self, period: str, books: Path | None) -> dict[str, Path | None]:
        """The paths of one month's run."""
        reports = self.root / (self.given.get("reports") or "reports")
        notes = {name: self.given.get(name) for name in working_folder.NOTES}
        prior = self.given.get("prior") if period == self.first else None
        own = books or self.given.get("rulebooks")
        return {
            **{name: path.absolute() if path else None for name, path in notes.items()},
            "reports": (reports / period).absolute(),
            "out": self.out.absolute(),
            "lists": self.out.absolute(),
            "published": self.published.absolute(),
            "prior": prior,
            "rulebooks": own.absolute() if own else None,
        }


def run(order: Order, progress: Callable[[str], None] = lambda text: None) -> Iterator[Step]:
    """Makes the months in turn; the last step has an exit code if something stopped it.

    Raises NotAReplayError, RuleBookError (no such value to set, no book in force), LockedError.
    """
    state = _state(order)
    books = _books(order)
    own = books or working_folder.own_books(order.root, order.given.get("rulebooks"))
    chapter = rulebooks.chapter(order.rating_type, own)
    period, fresh = order.first, False
    while period <= order.last:
        print_ = _fingerprint(order, period, books, chapter)
        folder = order.out / run_folder.name(period, order.rating_type)
        fresh = fresh or not _as_recorded(folder, state["months"].get(period), print_)
        progress(period)
        if fresh:
            step = _make(order, period, books, folder)
            if step.exit_code:
                yield step
                return
            manifest = run_folder.sha256(folder / run_folder.MANIFEST)
            state["months"][period] = {"fingerprint": print_, "manifest_sha256": manifest}
            _save(order, state)
            yield step
        else:
            yield Step(period, made=False, folder=folder)
        months = rulebooks.book_of_list(chapter, period).period.months.value
        period = periods.shift(period, months)


def _make(order: Order, period: str, books: Path | None, folder: Path) -> Step:
    """Makes one month; it and the later ones of the replay are taken away first."""
    for place in run_folder.everything(order.out):
        if place.rating_type == order.rating_type and place.period >= period:
            shutil.rmtree(place.path)
    done = monthly.run(
        order.root,
        period,
        order.rating_type,
        order.places(period, books),
        no_games=order.no_games or _was_without_games(order, period),
        allow_rejected=order.allow_rejected,
        replay=True,
    )
    messages = [*done.messages, *([done.verdict] if done.exit_code else [])]
    return Step(period, made=True, folder=done.folder, messages=messages, exit_code=done.exit_code)


def _was_without_games(order: Order, period: str) -> bool:
    """Whether the published list of the month was made without reports."""
    folder = run_folder.newest(order.published, period, order.rating_type)
    if folder is None:
        return False
    manifest = json.loads((folder / run_folder.MANIFEST).read_text("utf-8"))
    return bool(manifest.get("sources", {}).get("no_games"))


def _state(order: Order) -> dict:
    """What the replay has made so far; an empty state for a new one, or for other what-if values."""
    path = order.out / STATE
    facts = {"rating_type": order.rating_type, "changes": dict(order.changes), "first": order.first}
    if path.is_file():
        state = json.loads(path.read_text("utf-8"))
        if {name: state.get(name) for name in facts} == facts:
            return state
    elif order.out.is_dir() and any(order.out.iterdir()):
        raise NotAReplayError(f"{order.out} holds something else than a replay; choose another --out")
    order.out.mkdir(parents=True, exist_ok=True)
    state = {**facts, "months": {}}
    _save(order, state)
    return state


def _save(order: Order, state: dict) -> None:
    text = json.dumps(state, indent=2, ensure_ascii=False) + "\n"
    (order.out / STATE).write_text(text, "utf-8", newline="\n")


def _books(order: Order) -> Path | None:
    """The what-if books, written into the replay's folder; None if nothing is changed."""
    to = order.out / rulebooks.FOLDER
    shutil.rmtree(to, ignore_errors=True)
    if not order.changes:
        return None
    own = working_folder.own_books(order.root, order.given.get("rulebooks"))
    chapter = rulebooks.chapter(order.rating_type, own)
    return what_if.altered(chapter.folder, chapter.system, order.changes, to)


def _as_recorded(folder: Path, known: dict | None, print_: str) -> bool:
    """Whether the month is there as it was made, from the inputs as they are now."""
    manifest = folder / run_folder.MANIFEST
    return bool(
        known
        and manifest.is_file()
        and known["fingerprint"] == print_
        and known["manifest_sha256"] == run_folder.sha256(manifest)
    )


def _fingerprint(order: Order, period: str, books: Path | None, chapter: rulebooks.Chapter) -> str:
    """A hash of everything that the month reads: another one means that it must be made again.

    Of files that go on from month to month only the rows count that can concern this one.
    """
    at = working_folder.places(order.root, period, order.places(period, books))
    digest = hashlib.sha256(f"{__version__} {period} {order.allow_rejected} {order.no_games}".encode())
    names = []
    for path in sorted(at.reports.rglob("*")) if at.reports.is_dir() else ():
        if path.is_file() and not path.name.startswith("."):
            names.append(path.relative_to(at.reports).as_posix())
            known = path.suffix.lower() in REPORT_READERS
            digest.update(f"{names[-1]} {run_folder.sha256(path) if known else ''}\n".encode())
    for path in sorted((chapter.folder / chapter.system).glob("*.toml")):
        digest.update(path.read_bytes())
    for rows in _rows_of(at, period, names):
        digest.update(rows.to_csv(index=False).encode())
    prior = periods.of_date(rulebooks.list_before(chapter, period))
    for number in range(LISTS_READ):
        folder = at.prior if number == 0 and at.prior else at.newest(periods.shift(prior, -number), order.rating_type)
        if folder and (folder / run_folder.MANIFEST).is_file():
            digest.update(run_folder.sha256(folder / run_folder.MANIFEST).encode())
    return digest.hexdigest()


LISTS_READ = 12  # older lists than these cannot be in force at the start of what is rated


def _rows_of(at: working_folder.Places, period: str, names: list[str]) -> Iterator[pd.DataFrame]:
    """The rows of register, players, corrections and exclusions that can concern the month, without line numbers."""
    day = pd.Timestamp(periods.list_date(period))
    read = {}
    for name in working_folder.NOTES:
        path = getattr(at, name)
        read[name] = getattr(inputs, name)(path)[0] if path else frames.ALL[name].empty()
    register = read["register"]
    ours = register[(register["end"] < day) | register["file"].isin(names)]
    yield ours.drop(columns="line")
    yield read["players"][read["players"]["date"] <= day].drop(columns="line")
    yield read["corrections"][read["corrections"]["list_date"] < day].drop(columns="line")
    exclusions = read["exclusions"]
    yield exclusions[exclusions["tournament_id"].isin(ours["tournament_id"])].drop(columns="line")
