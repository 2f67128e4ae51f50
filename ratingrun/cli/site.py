"""ratingrun site: a run folder as a folder of pages, for the web space or for a mail."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import exits, options

EARLIER = "A run folder for the rating curves; again for more. [default: those that RUN rests on, beside it]"
JUNIORS = "Juniors: up to this age in the year of the list. [default: as the rule book's K rows say]"
SENIORS = "Seniors: from this age on in the year of the list; no rating rule names one."
NEEDED = ("itables", "matplotlib")


@click.command(name="site")
@click.argument("run", type=options.PATH)
@options.directory
@click.option("--out", type=options.PATH, required=True, metavar="DIR", help="Where to; a site there is replaced.")
@click.option("--earlier", type=options.PATH, multiple=True, metavar="RUN", help=EARLIER)
@click.option("--lang", type=click.Choice(["en", "pt", "es"]), default="en", show_default=True, help="Language.")
@click.option("--juniors", type=click.IntRange(1), metavar="AGE", help=JUNIORS)
@click.option("--seniors", type=click.IntRange(1), metavar="AGE", default=50, show_default=True, help=SENIORS)
@click.pass_context
def command(ctx, run: Path, root: Path, out: Path, earlier, lang: str, juniors: int | None, seniors: int) -> None:
    """Write a site from the run folder RUN: the month in pictures, every player's explanation, every cross table.

    The pages open from a file, without a network or a server; start with DIR/index.html. Nothing is written into RUN.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun site lists/2025-11-standard --out site
      ratingrun site lists/2025-12-standard --earlier lists/2025-11-standard --lang es --out site-es
    """
    import importlib.util

    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise click.ClickException(f"the site needs {', '.join(missing)}: pip install 'ratingrun[site]'")
    from ratingrun import site, summary, texts
    from ratingrun.site import folder, month

    source, found = month.read(root / run, [root / path for path in earlier] or None)
    for line in summary.lines_for_terminal(found):
        click.echo(line, err=True)
    if source is None:
        ctx.exit(exits.INTEGRITY if (found["code"] == "F112").any() else exits.STOPPED)
    place = root / out
    try:
        folder.check(place, root / run)
    except folder.NoPlaceError as error:
        raise click.ClickException(str(error)) from None
    files = site.build(source, texts.catalogue(lang), juniors, seniors)
    size = folder.write(place, files, source.folder.path.resolve().name)
    click.echo(f"Written: {place / 'index.html'} ({len(files)} files, {size / 1e6:.1f} MB)")
