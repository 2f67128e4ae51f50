"""Taking back a published list: nothing is deleted; the journal says so, and the next run makes a revision."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ratingrun import journal, publish, run_folder


class NothingToWithdrawError(Exception):
    """There is no published list of the period."""

    exit_code = 1


@dataclass(frozen=True)
class Withdrawn:
    """What was taken back, and the run folders that rest on it and still stand."""

    folder: Path
    later: list[str]


def withdraw(lists: Path, period: str, rating_type: str, reason: str) -> Withdrawn:
    """Withdraws the newest revision of a period, under the lock of its list type. Raises NothingToWithdrawError."""
    with publish.lock(lists, rating_type):
        publish.sweep(lists, rating_type)
        folder = run_folder.newest(lists, period, rating_type)
        if folder is None:
            raise NothingToWithdrawError(f"no published {rating_type} list of {period} in {lists}")
        journal.append(lists, [(folder.name, "withdrawn", reason)])
    return Withdrawn(folder, resting_on(lists, folder.name))


def resting_on(lists: Path, name: str) -> list[str]:
    """The run folders, not withdrawn, that were built on this one, oldest first."""
    gone = journal.withdrawn(lists)
    return [
        place.path.name
        for place in run_folder.everything(lists)
        if place.path.name not in gone and name in run_folder.ancestors(lists, place.path.name)
    ]
