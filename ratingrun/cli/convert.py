"""ratingrun convert: a list or a report into another form."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import options

FORMS = ("parquet", "csv", "fide", "fide-combined", "fide-xml", "trf")


@click.command(name="convert")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("target", metavar="OUT", type=options.PATH)
@click.option("--form", type=click.Choice(FORMS), default=None, help="The form of OUT. [default: by its suffix]")
@click.option("--type", "rating_type", type=click.Choice(["standard", "rapid", "blitz"]), default="standard",
              show_default=True, help="Of a combined list: which ratings.")  # fmt: skip
@click.option(
    "--with",
    "others",
    type=(click.Choice(["standard", "rapid", "blitz"]), options.PATH),
    multiple=True,
    metavar="TYPE LIST",
    help="A list of another type, into one combined list (fide-combined, fide-xml).",
)
@click.pass_context
def command(ctx, source: Path, target: Path, form: str | None, rating_type: str, others: tuple) -> None:
    """Convert IN, a rating list or a tournament report in any form that is read, to OUT.

    Lists: .parquet, .csv, .txt (FIDE, 136 columns; --form fide-combined for 162), .xml (FIDE). Reports: .trf (TRF16),
    .csv, .parquet. What a form cannot hold is said on stderr. OUT is not overwritten.

    \b
    Examples:
      ratingrun convert standard_rating_list.zip list.csv
      ratingrun convert lists/2025-11-standard/rating_list.csv all.txt --form fide-combined --with rapid rapid.csv
      ratingrun convert reports/2025-12/lake-open.trf lake-open.csv
    """
    from ratingrun import convert, findings

    if target.exists():
        raise click.ClickException(f"{target} exists; nothing is overwritten")
    done = convert.run(source, target, form, rating_type, dict(others))
    for row in done.findings.itertuples():
        click.echo(findings.line_of(row), err=True)
    if not done.written:
        click.echo("Nothing written: correct the errors.", err=True)
        ctx.exit(1)
    click.echo(f"{target}: {done.kind} of {done.rows} players as {done.form}")
