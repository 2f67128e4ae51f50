"""ratingrun verify: a run folder recomputed from its recorded inputs, every hash compared."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import exits, options


@click.command(name="verify")
@click.argument("run", metavar="RUN", type=options.PATH)
@options.path("prior", "Run folder of the list before. [default: the one of that name beside RUN]")
@options.path("lists", "Folder with the earlier lists. [default: the folder of RUN]")
@options.path("earlier", "For an adopted list: the folder of older lists that was given then.")
@options.path("signers", "Allowed signers (OpenSSH's file): the manifest must be signed by one of them.")
@click.pass_context
def command(ctx, signers: Path | None, run: Path, prior: Path | None, lists: Path | None, earlier: Path | None) -> None:
    """Recompute the run folder RUN from the inputs that it keeps, and compare every hash.

    The first difference is said first, in the order in which a month is made. Exit 0 if there is none, 4 if there is.

    \b
    Example, in the folder sample_data of the project:
      ratingrun verify lists/2025-11-standard
    """
    from ratingrun import findings, recorded, rulebooks, signature, summary
    from ratingrun import verify as verification

    folder, found = recorded.open_folder(run)
    for line in summary.lines_for_terminal(found):
        click.echo(line, err=True)
    if folder is None:
        ctx.exit(exits.STOPPED)
    try:
        result = verification.verify(folder, prior, lists, earlier)
    except rulebooks.RuleBookError as error:
        raise click.ClickException(str(error)) from None
    for line in result.notes:
        click.echo(findings.printable(line), err=True)
    for line in result.differences:
        click.echo(findings.printable(line))
    compared = f"{result.files} files, {result.frames} frames"
    signed, said = signature.check(folder.path, signers) if signers else (True, "")
    if said:
        click.echo(f"{run.name}: {findings.printable(said)}")
    if result.differences:
        click.echo(f"{run.name}: {result.verdict} ({compared} compared)")
        ctx.exit(exits.INTEGRITY)
    click.echo(f"{run.name}: {result.verdict} ({compared})")
    ctx.exit(exits.DONE if signed else exits.INTEGRITY)
