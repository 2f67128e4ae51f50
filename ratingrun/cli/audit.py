"""ratingrun audit: two published lists against the rules, or a published list against our recomputation."""

from __future__ import annotations

import click

from ratingrun.cli import exits, options


@click.command(name="audit")
@click.argument("list_a", required=False, type=options.PATH)
@click.argument("list_b", required=False, type=options.PATH)
@options.rating_type
@click.option("--run", "run", type=options.PATH, help="Our run folder, to compare with --published.")
@click.option("--published", type=options.PATH, help="The list that was published for the same period.")
@click.option("--published-prior", type=options.PATH, help="The publisher's list before: shows its bases and K.")
@click.option("--calculations", type=options.PATH, help="Printed calculations, CSV: player_id, base, k, games, sum.")
@options.path("prior", "Run folder of the list before --run. [default: the one of that name beside it]")
@options.rulebooks
@click.option("--period", type=options.Period(), help="Period of LIST_B, if its name does not say it.")
@click.option("--out", "out", type=options.PATH, help="Every finding as a row: FILE.csv, .parquet or .json.")
@click.pass_context
def command(
    ctx, list_a, list_b, rating_type, run, published, published_prior, calculations, prior, rulebooks, period, out
):
    """Check what was published: two consecutive lists, LIST_A and then LIST_B, and nothing else.

    What holds for every list: no change without games, none beyond what K, the games and the table allow; K that can
    follow; the floor; first ratings; activity; ids that vanish or stand twice. Lists in any format that is read, or
    run folders. Exit 4 if anything is found.

    Or a published list against our recomputation: --run FOLDER --published LIST. Each differing player is classified,
    and the explanations are tried: another base or K, rounding, a reading of the rules or a neighbouring rule book,
    a missing or an extra game.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun audit lists_source/2025-09.csv lists_source/2025-10.csv
      ratingrun audit lists/2025-10-standard lists/2025-11-standard --out findings.csv
      ratingrun audit --run lists/2025-11-standard --published lists/2025-11-standard/rating_list.csv
    """
    from ratingrun.audit import report
    from ratingrun.rulebooks import RuleBookError

    if bool(run) != bool(published) or bool(run) == bool(list_a and list_b):
        raise click.UsageError("give two lists, or --run FOLDER and --published LIST")
    try:
        if run:
            done = report.run_and_published(run, published, published_prior, calculations, prior)
        else:
            done = report.two_lists(list_a, list_b, rating_type, period, rulebooks)
    except report.NotReadError as error:
        for line in error.lines:
            click.echo(line, err=True)
        ctx.exit(exits.STOPPED)
    except (RuleBookError, report.PeriodError) as error:
        raise click.ClickException(str(error)) from None
    if out:
        try:
            report.write(done.rows, out)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--out") from None
    click.echo(done.text, nl=False)
    ctx.exit(exits.INTEGRITY if done.found else exits.DONE)
