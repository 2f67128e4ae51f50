"""ratingrun check: the linter for reports and lists."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ratingrun.cli import exits, options


@click.command(name="check")
@click.argument("paths", metavar="FILE|DIR...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@options.system
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
def command(ctx, paths: tuple[Path, ...], system: str, prior: Path | None, order: str | None, as_json: bool) -> None:
    """Check report files and lists before the deadline: findings by file, and a line of counts each.

    Exit code 1 if anything would keep a report out of a run.

    With --system uschess the reports are those of sections: CSV, TRF and the upload set (THEXPORT, TSEXPORT and
    TDEXPORT.DBF; one of them stands for the three). What only sections.csv says (the days, clock and pool of a CSV or
    TRF report, online, a foreign FIDE event) is not asked. A rating in a report is compared with all of the member's.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun check reports/2025-12 --prior lists_source/2025-10.csv
      ratingrun check us_chess/reports --system uschess --prior us_chess/list.csv
    """
    from ratingrun import findings

    checker = importlib.import_module("ratingrun.uschess.check" if system == options.US_CHESS else "ratingrun.check")
    listed = None
    if prior is not None:
        listed, news = checker.listed(prior)
        for row in news[news["severity"] == "error"].itertuples():
            raise click.ClickException(findings.line_of(row))
    files = checker.files_in(paths)
    if system != options.US_CHESS:
        files = _without_sets(paths, files)
    if not files:
        click.echo("Nothing to check: no report or list among these files.", err=True)
        ctx.exit(exits.USAGE)
    done = checker.run(files, listed, order or "")
    errors = bool((done.findings["severity"] == "error").any())
    if as_json:
        rows = done.findings.astype(object).where(done.findings.notna(), None).to_dict("records")
        click.echo(json.dumps({"files": done.files, "findings": rows}, ensure_ascii=False, default=int, indent=1))
        ctx.exit(int(errors))
    for one in done.files:
        ours = done.findings[done.findings["file"].isin(one.get("holds", [one["file"]]))]
        click.echo(findings.printable(f"{one['file']}: {_counts(one)}; {_gravity(ours)}"))
        for row in ours.itertuples():
            click.echo("  " + findings.line_of(row))
    ctx.exit(int(errors))


def _counts(one: dict[str, Any]) -> str:
    """The counts of a file in words."""
    if one["kind"] == "list":
        return f"{one['players']} players, a rating list"
    words = [] if "sections" not in one else [f"{one['sections']} section{'' if one['sections'] == 1 else 's'}"]
    return ", ".join([*words, *(f"{one[name]} {name}" for name in ("players", "rounds", "games"))])


def _gravity(found: Any) -> str:
    """How many findings of each gravity."""
    counts = found["severity"].value_counts()
    return ", ".join(f"{counts.get(name, 0)} {name}s" for name in ("error", "warning", "note"))


def _without_sets(paths: Sequence[Path], files: list[Path]) -> list[Path]:
    """The files without those of US Chess upload sets, which one line on stderr points to."""
    from ratingrun import check
    from ratingrun.formats import us_upload

    found = check.files_in(paths, [us_upload.SUFFIX])
    sets = [path for path in found if path.suffix.lower() == us_upload.SUFFIX]
    if sets:
        click.echo(f"{sets[0]}: not checked; a US Chess upload set is read with --system uschess", err=True)
    return [path for path in files if path not in sets]
