"""The ratingrun command: one file a command, loaded when it is called, so that --help is quick."""

from __future__ import annotations

import importlib
import sys

import click

from ratingrun import __version__
from ratingrun.cli import exits

# name -> the one line of `ratingrun --help`
COMMANDS = {
    "run": "Make the next list from a month's reports and the list before.",
    "adopt": "Make the first run folder from a list that somebody else published.",
    "explain": "Explain a player's month, or a tournament, in words and numbers.",
    "diff": "Compare two lists or two runs: who, how much, new, gone, through what.",
    "audit": "Check published lists: against the rules, or against a recomputation.",
    "replay": "Make a chain of months again beside the published lists; claims report.",
    "verify": "Recompute a run folder from its recorded inputs and compare every hash.",
    "status": "Show the lists that stand, what waits, what was rejected, what is about to expire.",
    "withdraw": "Take back a published list; nothing is deleted.",
    "calc": "Calculate what a result would do: FIDE, plain Elo, US Chess, performance.",
    "site": "Write a month as a folder of pages: pictures, every player, every cross table.",
    "rules": "Print the rules in words: all dates, one list, what changed; check a federation's own books.",
    "sample": "Write an invented federation of any size, to try things on.",
    "check": "Check report files and lists before the deadline.",
    "convert": "Convert a rating list or a report to another form.",
    "columns": "Print what every column of every frame says: type, unit, range.",
}


class Lazy(click.Group):
    """Commands by name, imported when they are wanted; the list of commands needs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return importlib.import_module(f"ratingrun.cli.{name}").command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy, epilog=exits.EPILOG, context_settings={"max_content_width": 100})
@click.version_option(__version__, prog_name="ratingrun")
def group() -> None:
    """Makes a chess federation's monthly rating list, exactly and with proof.

    \b
    Example, in the folder sample_data of the project:
      ratingrun adopt lists_source/2025-08.csv --period 2025-08
      ratingrun adopt lists_source/2025-09.csv --period 2025-09
      ratingrun adopt lists_source/2025-10.csv --period 2025-10
      ratingrun run 2025-11
    """


def main() -> None:
    """The entry point: exit codes of DESIGN section 7; a bug says where to report it and what it was."""
    sys.exit(exits.guarded(group))
