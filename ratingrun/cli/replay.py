"""ratingrun replay: a chain of months made again beside the published lists, and the claims report."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import exits, options


@click.command(name="replay")
@click.argument("first", metavar="FROM", type=options.Period())
@click.argument("last", metavar="TO", type=options.Period())
@click.option("--out", type=options.PATH, required=True, help="The replay's own folder, for example replay/claim-7.")
@options.directory
@options.rating_type
@click.option("--set", "changes", multiple=True, metavar="PATH=VALUE", help="What if: a value of the rule books.")
@click.option("--book", "rulebooks", type=options.PATH, metavar="DIR", help="What if: other rule books.")
@options.path("reports", "Folder with a folder of reports a month. [default: reports]")
@options.path("lists", "Folder with the published run folders. [default: lists]")
@options.path("prior", "Run folder of the list before FROM. [default: the newest published]")
@options.path("register", "Tournament parts. [default: register.csv]")
@options.path("players", "Dated facts about players. [default: players.csv, if there]")
@options.path("corrections", "Corrections of dated lists. [default: corrections.csv, if there]")
@options.path("exclusions", "Games taken out by decision. [default: exclusions.csv, if there]")
@click.option("--no-games", is_flag=True, help="Make a month's list although there are no reports.")
@click.option("--allow-rejected", is_flag=True, help="Go on without rejected reports.")
@click.option("--lang", type=click.Choice(["en", "pt", "es"]), default="en", show_default=True, help="Language.")
@click.pass_context
def command(ctx, first, last, out, root, rating_type, changes, no_games, allow_rejected, lang, **given: Path | None):
    """Make the months FROM to TO again from the reports, beside the published lists and never in place of them.

    Goes on where it stopped, and makes months anew only from the first whose inputs changed. Then the claims report:
    for each player whose rating on the last list differs, old, new and the games along which the difference reached
    him; claims.csv, claims.txt, and corrections.csv for the next run, all in the replay's folder. The published lists
    stay as they are.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun replay 2025-11 2026-01 --out replay/late-report
      ratingrun replay 2025-11 2026-01 --out replay/floor --set period.floor=1200
      ratingrun diff lists/2026-01-standard replay/floor/2026-01-standard
    """
    from ratingrun import publish, replay, rulebooks

    order = replay.Order(root, first, last, root / out, rating_type, _changes(changes), given, no_games, allow_rejected)
    made = kept = 0
    try:
        for step in replay.run(order):
            for line in step.messages if step.exit_code else ():
                click.echo(line, err=True)
            if step.exit_code:
                click.echo(f"{step.period}: stopped; correct it and start again: it goes on from here", err=True)
                ctx.exit(step.exit_code)
            made, kept = made + step.made, kept + (not step.made)
            click.echo(f"{step.period}: {'made' if step.made else 'as it was'}", err=True)
    except publish.LockedError as error:
        click.echo(str(error), err=True)
        ctx.exit(exits.LOCKED)
    except (rulebooks.RuleBookError, replay.NotAReplayError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{made} months made, {kept} as they were: {order.out}")
    if not _claims(order, lang):
        ctx.exit(exits.INTEGRITY)


def _changes(changes: tuple[str, ...]) -> dict[str, str]:
    pairs = [change.partition("=") for change in changes]
    for key, equals, value in pairs:
        if not (key and equals and value):
            raise click.BadParameter(f'"{key}" is not PATH=VALUE, for example period.floor=1200', param_hint="--set")
    return {key.strip(): value.strip() for key, _, value in pairs}


def _claims(order, lang: str) -> bool:
    """The claims report and the corrections, written and said; False if a published list cannot be read."""
    from ratingrun import claims, findings, frames, run_folder, summary, texts, working_folder
    from ratingrun.explain import claimed, show
    from ratingrun.formats import inputs

    found, corrections, news = claims.build(order.published, order.out, order.first, order.last, order.rating_type)
    for line in summary.lines_for_terminal(findings.numbered(news)):
        click.echo(line, err=True)
    if len(findings.stops(news)):
        return False
    say = texts.catalogue(lang)
    said = (found, order.first, order.last, say)
    (order.out / "claims.txt").write_text(show.text(claimed.blocks(*said)), "utf-8", newline="\n")
    (order.out / "claims.csv").write_text(show.rows_csv(claimed.rows(found, say)), "utf-8", newline="\n")
    click.echo(show.text(claimed.blocks(*said, shown=20)), nl=False)
    if not len(corrections):
        return True
    at = working_folder.places(order.root, order.last, dict(order.given, reports=None, lists=None))
    ours = inputs.corrections(at.corrections)[0] if at.corrections else frames.CORRECTIONS.empty()
    path = order.out / "corrections.csv"
    claimed.write_corrections(claims.merged(ours, corrections), path)
    click.echo("\n" + say("claims.written", path=path.as_posix(), n=len(corrections)))
    published = run_folder.newest(order.published, order.last, order.rating_type)
    ids = claims.not_by_correction(found, published)
    if ids:
        click.echo(say("claims.manual", ids=", ".join(ids)))
    return True
