"""ratingrun audit: two published lists against the rules, or a published list against our recomputation."""

from __future__ import annotations

import click

from ratingrun.cli import exits, options


@click.command(name="audit")
@click.argument("list_a", required=False, type=options.PATH)
@click.argument("list_b", required=False, type=options.PATH)
@options.rating_type
@click.option("--period", type=options.Period(), help="Period of LIST_B, if its name does not say it.")
@click.option("--out", "out", type=options.PATH, help="Every finding as a row: FILE.csv, .parquet or .json.")
@click.pass_context
def command(ctx, list_a, list_b, rating_type, period, out) -> None:
    """Check what was published: two consecutive lists, LIST_A and then LIST_B, and nothing else.

    What holds for every list: no change without games, none beyond what K, the games and the table allow; K that can
    follow; the floor; first ratings; activity; ids that vanish or stand twice. Lists in any format that is read, or
    run folders. Exit 4 if anything is found.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun audit lists_source/2025-09.csv lists_source/2025-10.csv
      ratingrun audit lists/2025-10-standard lists/2025-11-standard --out findings.csv
    """
    from ratingrun import rulebooks
    from ratingrun.audit import report

    if not (list_a and list_b):
        raise click.UsageError("give two lists")
    try:
        done = report.two_lists(list_a, list_b, rating_type, period)
    except report.NotReadError as error:
        for line in error.lines:
            click.echo(line, err=True)
        ctx.exit(exits.STOPPED)
    except (rulebooks.RuleBookError, report.PeriodError) as error:
        raise click.ClickException(str(error)) from None
    if out:
        try:
            report.write(done.rows, out)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--out") from None
    click.echo(done.text, nl=False)
    ctx.exit(exits.INTEGRITY if done.found else exits.DONE)
