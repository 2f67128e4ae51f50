"""ratingrun status: the newest lists, what waits, what was rejected, what is about to expire."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ratingrun.cli import options


@click.command(name="status")
@options.directory
@options.path("lists", "Folder of the run folders. [default: lists]")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def command(root: Path, lists: Path | None, as_json: bool) -> None:
    """Show the lists that stand, reports that wait for the next one, rejected reports, and pools about to expire.

    \b
    Example, in the folder sample_data of the project:
      ratingrun status
    """
    from ratingrun import status

    state = status.of(root / (lists or "lists"))
    click.echo(json.dumps(state, indent=2, ensure_ascii=False) if as_json else status.text(state))
