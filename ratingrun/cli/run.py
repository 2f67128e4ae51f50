"""ratingrun run: reports and prior list -> the next published list."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path

import click

from ratingrun.cli import exits, options

ARENA_MAX = -8  # of mallopt, as malloc.h has it


@click.command(name="run")
@click.argument("period", type=options.Period(), required=False)
@click.option("--next", "go_on", is_flag=True, help="The period after the newest list, if its day has come.")
@options.directory
@options.of_system
@options.rating_types
@options.path("reports", "Folder of the month's reports. [default: reports/PERIOD]")
@options.path("prior", "Run folder of the list before. [default: the newest in the folder of lists]")
@options.path("lists", "Folder with earlier run folders, for events that began under them. [default: as --out]")
@options.path("out", "Folder for the new run folder. [default: lists]")
@options.path("register", "Tournament parts. [default: register.csv; US Chess: sections.csv]")
@options.path("players", "Dated facts about players. [default: players.csv, if there; US Chess: members.csv]")
@options.path("corrections", "Corrections of dated lists. [default: corrections.csv, if there; US Chess: floors.csv]")
@options.path("exclusions", "Games taken out by decision. [default: exclusions.csv, if there]")
@options.path("aliases", "Ids in reports that stand for another. [default: aliases.csv, if there]")
@options.rulebooks
@click.option("--provisional", is_flag=True, help="Write a folder to circulate; it is never accepted as a prior.")
@click.option("--no-games", is_flag=True, help="Make a list although there are no reports.")
@click.option("--allow-rejected", is_flag=True, help="Publish without the rejected reports, and list them.")
@click.option("--sign-with", type=options.PATH, default=None, help="Private OpenSSH key that signs the manifest.")
@click.option("--quiet", "-q", is_flag=True, help="One summary line; errors on stderr.")
@click.option("--json-log", is_flag=True, help="A JSON object a line on stderr, findings and outcome; nothing else.")
@click.pass_context
def command(ctx, period, go_on, root, rating_type, quiet, json_log, **given) -> None:
    """Make the list of PERIOD (2025-11: the list of 1 November 2025) and write its run folder.

    The summary goes to stdout; errors, warnings and progress go to stderr. Nothing is written if a report is rejected.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun run 2025-11
      ratingrun run 2025-11 --provisional
      ratingrun run 2025-11 --reports reports/2025-11 --prior lists/2025-10-standard --out lists
      ratingrun run 2025-11 --type rapid
      ratingrun run --next --type all --quiet
      ratingrun run 2025-11 --system uschess -C us_chess
    """
    _one_heap()
    from ratingrun import monthly

    if bool(period) == go_on:
        raise click.UsageError("give a PERIOD, for example 2025-11, or --next")
    lists = root / (given["out"] or "lists")
    types = monthly.types_at(lists) if rating_type == "all" else [rating_type]
    if not types:
        raise click.ClickException(f"no list of any type in {lists}; begin with ratingrun adopt")
    show = _Show(quiet, json_log)
    codes = [_one(show, lists, root, one, period, given) for one in types]
    ctx.exit(exits.worst(codes))


def _one_heap() -> None:
    """One heap for all threads and for Arrow, which looks here when it is loaded (glibc): what one has freed, another
    uses again. Of 1,000,000 players a run needs 250 MB less than with a heap for each."""
    if sys.platform == "linux" and (set_option := getattr(ctypes.CDLL(None), "mallopt", None)):
        set_option(ARENA_MAX, 1)
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def _one(show: _Show, lists: Path, root: Path, rating_type: str, period: str | None, given: dict) -> int:
    """One list, one transaction. A refusal (locked, published) is the code of this list, not the end of the others."""
    from ratingrun import journal, monthly, working_folder

    flags = {name: given[name] for name in ("provisional", "no_games", "allow_rejected", "sign_with")}
    paths = {name: path for name, path in given.items() if name not in flags}
    try:
        period = period or monthly.next_period(
            lists, rating_type, journal.now().date(), working_folder.own_books(root, given["rulebooks"])
        )
        if period is None:
            show.nothing_to_do(rating_type)
            return exits.DONE
        done = monthly.run(root, period, rating_type, paths, **flags, watch=show.watch, stage=show.stage)
    except Exception as error:
        code = exits.refusal(error)
        if code is None:
            raise
        show.refused(rating_type, period, str(error), code)
        return code
    show.done(rating_type, period, done)
    return done.exit_code


class _Show:
    """How a run is shown: for a person, quietly, or as a log for machines."""

    def __init__(self, quiet: bool, json_log: bool):
        self.quiet, self.json_log = quiet, json_log

    def watch(self, paths):
        if self.quiet or self.json_log:
            yield from paths
            return
        with click.progressbar(paths, label="Reading reports", file=sys.stderr) as bar:
            yield from bar

    def stage(self, name: str) -> None:
        if sys.stderr.isatty() and not self.quiet and not self.json_log:
            click.echo(f"  {name} ...", err=True)

    def nothing_to_do(self, rating_type: str) -> None:
        text = f"{rating_type}: nothing to do, the next list's day has not come"
        if self.json_log:
            self._log(event="nothing_to_do", rating_type=rating_type, exit=exits.DONE, text=text)
        else:
            click.echo(text)

    def refused(self, rating_type: str, period: str | None, text: str, code: int) -> None:
        if self.json_log:
            self._log(event="refused", rating_type=rating_type, period=period, exit=code, text=text)
        else:
            click.echo(f"Error: {text}", err=True)

    def done(self, rating_type: str, period: str, done) -> None:
        if self.json_log:
            for row in done.findings.to_dict("records"):
                self._log(event="finding", **{key: value for key, value in row.items() if value == value})
            folder = str(done.folder) if done.folder else None
            self._log(
                event="done", rating_type=rating_type, period=period, exit=done.exit_code, folder=folder, text=done.line
            )
            return
        shown = [line for line in done.messages if not self.quiet or " error " in line]
        for line in shown:
            click.echo(line, err=True)
        if self.quiet:
            click.echo(f"{period} {rating_type}: {done.line}", err=not done.folder)
            return
        click.echo(done.summary, nl=False)
        click.echo(f"\nWritten: {done.folder}" if done.folder else done.verdict, err=not done.folder)

    def _log(self, **fields: object) -> None:
        from ratingrun import journal

        line = {"time": journal.now().isoformat(), **fields}
        click.echo(json.dumps(line, ensure_ascii=False, default=_plain), err=True)


def _plain(value: object) -> object:
    """A value of a frame as JSON has it."""
    return None if str(value) == "<NA>" else int(value)
