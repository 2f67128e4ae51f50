"""ratingrun adopt: the first run folder, from somebody else's list."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import options


@click.command(name="adopt")
@click.argument("list_file", metavar="LIST", type=options.PATH)
@click.option("--period", type=options.Period(), required=True, help="The list's period: 2025-10 is 1 October 2025.")
@options.directory
@options.of_system
@options.rating_type
@options.path("out", "Folder for the run folder. [default: lists]")
@click.option(
    "--earlier", type=options.PATH, default=None, help="Folder of older lists, whose games and highest ratings count."
)
@options.rulebooks
@click.pass_context
def command(ctx, list_file: Path, period: str, root: Path, rating_type: str, out, earlier, rulebooks) -> None:
    """Make a run folder from LIST (CSV, Parquet, FIDE's text or XML, or a .zip), to be the next month's prior.

    LIST needs player_id, name and rating; k, games, birth_year, federation, flag, peak, games_total and the other
    columns of the rating list are taken where they are there. What is missing is assumed by stated rules, each a
    finding. With --system uschess LIST has a row a player and pool: player_id, pool and rating, with its decimals;
    n, wins, draws, losses, events, peak, floor, ceiling and last_rated are taken where they are there.

    \b
    Example, in the folder sample_data of the project:
      ratingrun adopt lists_source/2025-10.csv --period 2025-10
      ratingrun adopt list.csv --period 2025-10 --system uschess -C us_chess
    """
    from ratingrun import monthly

    done = monthly.adopt(root, list_file, period, rating_type, out, earlier, rulebooks)
    for line in done.messages:
        click.echo(line, err=True)
    click.echo(done.summary, nl=False)
    click.echo(f"\nWritten: {done.folder}" if done.folder else done.verdict, err=not done.folder)
    ctx.exit(done.exit_code)
