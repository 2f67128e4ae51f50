"""ratingrun diff: two lists or two runs."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import exits, options


@click.command(name="diff")
@click.argument("a", type=options.PATH)
@click.argument("b", type=options.PATH)
@click.option("--csv", "csv_file", type=options.PATH, help="Every player that differs, as CSV.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON on stdout.")
@click.option("--lang", type=click.Choice(["en", "pt", "es"]), default="en", show_default=True, help="Language.")
@click.pass_context
def command(ctx, a: Path, b: Path, csv_file: Path | None, as_json: bool, lang: str) -> None:
    """Compare A and B, each a list (any format that is read) or a run folder: who differs, by how much, new, gone.

    Of two runs of one period also through what: other games, a rating of an opponent, the rule, K, rounding.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun diff lists/2025-11-standard lists/2025-12-standard
      ratingrun diff lists_source/2025-10.csv lists/2025-11-standard --csv moved.csv
    """
    import json

    from ratingrun import diff, findings, plain, recorded, summary, texts
    from ratingrun.explain import compare, show

    sources = []
    for path in (a, b):
        source, found = diff.read(path)
        for line in summary.lines_for_terminal(findings.numbered(found)):
            click.echo(line, err=True)
        if source is None:
            ctx.exit(exits.INTEGRITY if (found["code"] == "F112").any() else exits.STOPPED)
        sources.append(source)
    rows = diff.build(*sources)
    if csv_file:
        csv_file.write_text(show.rows_csv(rows), "utf-8", newline="\n")
    if as_json:
        facts = {"a": sources[0].label, "b": sources[1].label, "counts": diff.counts(rows, *sources)}
        if diff.comparable(*sources):
            facts["rules"] = recorded.other_rules(*(source.folder for source in sources))
        click.echo(json.dumps(facts | {"players": plain.rows(rows)}, ensure_ascii=False, indent=2))
        return
    click.echo(show.text(compare.blocks(rows, *sources, texts.catalogue(lang))), nl=False)
