"""ratingrun run: reports and prior list -> the next published list."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ratingrun.cli import exits, options


@click.command(name="run")
@click.argument("period", type=options.Period())
@options.directory
@options.rating_type
@options.path("reports", "Folder of the month's reports. [default: reports/PERIOD]")
@options.path("prior", "Run folder of the list before. [default: the newest in the folder of lists]")
@options.path("lists", "Folder with earlier run folders, for events that began under them. [default: as --out]")
@options.path("out", "Folder for the new run folder. [default: lists]")
@options.path("register", "Tournament parts. [default: register.csv]")
@options.path("players", "Dated facts about players. [default: players.csv, if there]")
@options.path("corrections", "Corrections of dated lists. [default: corrections.csv, if there]")
@options.path("exclusions", "Games taken out by decision. [default: exclusions.csv, if there]")
@click.option("--provisional", is_flag=True, help="Write a folder to circulate; it is never accepted as a prior.")
@click.option("--no-games", is_flag=True, help="Make a list although there are no reports.")
@click.option("--allow-rejected", is_flag=True, help="Publish without the rejected reports, and list them.")
@click.pass_context
def command(ctx, period, root, rating_type, provisional, no_games, allow_rejected, **given: Path | None) -> None:
    """Make the list of PERIOD (2025-11: the list of 1 November 2025) and write its run folder.

    The summary goes to stdout; errors, warnings and progress go to stderr. Nothing is written if a report is rejected.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun run 2025-11
      ratingrun run 2025-11 --provisional
      ratingrun run 2025-11 --reports reports/2025-11 --prior lists/2025-10-standard --out lists
    """
    from ratingrun import monthly, publish, rulebooks

    def watch(paths):
        with click.progressbar(paths, label="Reading reports", file=sys.stderr) as bar:
            yield from bar

    def stage(name: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"  {name} ...", err=True)

    try:
        done = monthly.run(root, period, rating_type, given, provisional, no_games, allow_rejected, watch, stage)
    except publish.AlreadyPublishedError as error:
        click.echo(f"{error}; a published list is never overwritten", err=True)
        ctx.exit(exits.PUBLISHED)
    except publish.LockedError as error:
        click.echo(str(error), err=True)
        ctx.exit(exits.LOCKED)
    except rulebooks.RuleBookError as error:
        raise click.ClickException(str(error)) from None
    for line in done.messages:
        click.echo(line, err=True)
    click.echo(done.summary, nl=False)
    if done.folder:
        click.echo(f"\nWritten: {done.folder}")
    else:
        click.echo(done.verdict, err=True)
    ctx.exit(done.exit_code)
