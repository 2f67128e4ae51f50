"""ratingrun withdraw: take back a published list."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import options


@click.command(name="withdraw")
@click.argument("period", type=options.Period())
@click.option("--reason", required=True, help="Why; it stands in the journal and in every status.")
@options.directory
@options.of_system
@options.rating_type
@options.path("lists", "Folder of the run folders. [default: lists]")
def command(period: str, reason: str, root: Path, rating_type: str, lists: Path | None) -> None:
    """Take back the published list of PERIOD. Its folder stays as it is; the journal says that it is withdrawn.

    Run the period again afterwards: the new folder is a revision (-r2), and its manifest says what it stands in for.
    Lists that were built on the withdrawn one are named; withdraw and run them again too.

    \b
    Example, in the folder sample_data of the project, after ratingrun run 2025-11:
      ratingrun withdraw 2025-11 --reason "Karsevin Open: round 3 was entered twice"
    """
    from ratingrun import withdrawal

    done = withdrawal.withdraw(root / (lists or "lists"), period, rating_type, reason)
    click.echo(f"Withdrawn: {done.folder}")
    for name in done.later:
        click.echo(f"Rests on it: {name}; withdraw it too, then run both again, the oldest first")
