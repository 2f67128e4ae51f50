"""ratingrun check: the linter for reports and lists."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ratingrun.cli import options


@click.command(name="check")
@click.argument("paths", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--prior", type=options.PATH, default=None, help="A list (any form, or a run folder) to compare with.")
@click.option(
    "--dates",
    "order",
    type=click.Choice(["dmy", "mdy", "ymd"]),
    default=None,
    help="How dates are read that have more than one reading.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.pass_context
def command(ctx, paths: tuple[Path, ...], prior: Path | None, order: str | None, as_json: bool) -> None:
    """Check report files and lists before the deadline: findings by file, and a line of counts each.

    Exit code 1 if anything would keep a report out of a run.

    \b
    Example, in the folder sample_data of the project:
      ratingrun check reports/2025-12 --prior lists_source/2025-10.csv
    """
    from ratingrun import check, findings
    from ratingrun.formats import rating_lists

    listed = None
    if prior is not None:
        path = prior / "rating_list.parquet" if prior.is_dir() else prior
        listed, news = rating_lists.read(path)
        for row in news[news["severity"] == "error"].itertuples():
            raise click.ClickException(findings.line_of(row))
    done = check.run(check.files_in(paths), listed, order or "")
    errors = bool((done.findings["severity"] == "error").any())
    if as_json:
        rows = done.findings.astype(object).where(done.findings.notna(), None).to_dict("records")
        click.echo(json.dumps({"files": done.files, "findings": rows}, ensure_ascii=False, default=int, indent=1))
        ctx.exit(int(errors))
    for one in done.files:
        ours = done.findings[done.findings["file"] == one["file"]]
        counts = ours["severity"].value_counts()
        said = ", ".join(f"{counts.get(name, 0)} {name}s" for name in ("error", "warning", "note"))
        what = f"{one['players']} players"
        what += f", {one['rounds']} rounds, {one['games']} games" if one["kind"] == "report" else ", a rating list"
        click.echo(findings.printable(f"{one['file']}: {what}; {said}"))
        for row in ours.itertuples():
            click.echo("  " + findings.line_of(row))
    ctx.exit(int(errors))
