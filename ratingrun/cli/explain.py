"""ratingrun explain: one player's month, or one tournament, in words and numbers."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import exits, options


@click.command(name="explain")
@click.argument("period", type=options.Period())
@click.argument("player", required=False)
@options.directory
@options.of_system
@options.rating_type
@click.option("--tournament", metavar="ID", help="The sheet of a tournament, for its arbiter, instead of a player.")
@options.path("lists", "Folder with the run folders. [default: lists]")
@click.option("--run", "run", type=options.PATH, help="The run folder itself (a replay's, a provisional one).")
@click.option("--lang", type=click.Choice(["en", "pt", "es"]), default="en", show_default=True, help="Language.")
@click.option("--json", "form", flag_value="json", help="The numbers, as JSON.")
@click.option("--html", "form", flag_value="html", help="One page to print or to mail.")
@click.option("--csv", "form", flag_value="csv", help="With --tournament: a row a player.")
@click.pass_context
def command(ctx, period, player, root: Path, rating_type, tournament, lists, run, lang, form) -> None:
    """Explain PLAYER's month on the list of PERIOD: every game, why one did not count, K, rounding, the ledger.

    Reads the run folder and nothing else.

    \b
    Examples, in the folder sample_data of the project:
      ratingrun explain 2025-11 000356
      ratingrun explain 2025-11 000356 --html --lang es > 000356.html
      ratingrun explain 2025-11 --tournament V25-1003 --csv
      ratingrun explain 2025-11 90000020 --system uschess -C us_chess
    """
    import json

    from ratingrun import recorded, run_folder, summary, texts
    from ratingrun.explain import NotThereError, show

    explain, words = _engine(rating_type)

    if bool(player) == bool(tournament):
        raise click.UsageError("give a PLAYER, or --tournament ID")
    if form == "csv" and not tournament:
        raise click.UsageError("--csv is for the sheet of a tournament: give --tournament ID")
    say = texts.catalogue(lang)
    path = root / run if run else run_folder.newest(root / (lists or "lists"), period, rating_type)
    path = path or root / (lists or "lists") / run_folder.name(period, rating_type)
    folder, found = recorded.open_folder(path)
    data, news = explain.read(folder, player, tournament) if folder else ({}, found)
    for line in summary.lines_for_terminal(news):
        click.echo(line, err=True)
    if len(news):
        ctx.exit(exits.INTEGRITY if (news["code"] == "F112").any() else exits.STOPPED)
    try:
        if player:
            facts = explain.player(folder, data, player)
            blocks = words.player(facts, say)
        else:
            facts = explain.tournament(folder, data, tournament)
            blocks = [block for part in facts for block in words.tournament(part, say)]
    except NotThereError as error:
        text = say("player.unknown", player_id=player) if player else ""
        raise click.ClickException(
            text or say("sheet.unknown", tournament_id=tournament, known=error.args[0])
        ) from None
    if form == "json":
        click.echo(json.dumps(facts, ensure_ascii=False, indent=2))
    elif form == "csv":
        sheet = words.sheet_csv if rating_type == options.US_CHESS else show.sheet_csv
        click.echo(sheet(facts), nl=False)
    else:
        click.echo(show.html(blocks, lang) if form == "html" else show.text(blocks), nl=False)


def _engine(rating_type: str):
    """The facts and the words of an engine."""
    if rating_type == options.US_CHESS:
        from ratingrun.uschess import explain, words
    else:
        from ratingrun import explain
        from ratingrun.explain import words
    return explain, words
