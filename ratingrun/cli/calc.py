"""ratingrun calc: what would this result do? FIDE, plain Elo, US Chess."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

ANSWER = ("lang", "form", "steps", "file")  # options that are not part of the question


@click.group(name="calc", invoke_without_command=True)
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write the calculator as one HTML page.")
@click.pass_context
def command(ctx: click.Context, page: Path | None) -> None:
    """Calculate what a result would do, by the same functions and rule books as the monthly run.

    The HTML page holds the same calculator for people who prefer one: it works from a file, without a network.

    \b
    Examples:
      ratingrun calc game --own 1850 --opponent 1720
      ratingrun calc event --own 1850 --k 20 1720:1 2015:0 1905:= unrated:1
      ratingrun calc --page calculator.html
    """
    if ctx.invoked_subcommand:
        if page:
            raise click.UsageError("--page stands alone: ratingrun calc --page calculator.html")
        return
    if not page:
        raise click.UsageError("give a calculator (game, event, initial, performance, target, table) or --page FILE")
    from ratingrun import calc_page

    page.write_text(calc_page.build(), encoding="utf-8", newline="\n")
    click.echo(f"Written: {page}")


def _options(*options):
    def decorate(function):
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _text(name: str, text: str, **more):
    return click.option(f"--{name}", name.replace("-", "_"), metavar=more.pop("metavar", "N"), help=text, **more)


def _flag(name: str, text: str):
    return click.option(f"--{name}", name.replace("-", "_"), is_flag=True, flag_value="yes", default=None, help=text)


answer = _options(
    click.option("--steps", is_flag=True, help="Write out every step of the formula."),
    click.option("--json", "form", flag_value="json", help="The numbers, as JSON."),
    click.option("--lang", type=click.Choice(["en", "pt", "es"]), default="en", show_default=True, help="Language."),
)
rules = _options(
    click.option(
        "--system", type=click.Choice(["fide", "elo", "uschess"]), default="fide", show_default=True, help="The system."
    ),
    _text("date", "First day of the event: it picks the rule book. [default: today]", metavar="YYYY-MM-DD"),
    _text("book", "A rule book by its id, instead of the one in force.", metavar="ID"),
    click.option("--type", type=click.Choice(["standard", "rapid", "blitz"]), help="FIDE list. [default: standard]"),
    _text("list", "FIDE: the list that rates the event. [default: the next one]", metavar="YYYY-MM"),
)
player = _options(
    _text("own", "Own rating.", required=True),
    _text("k", "K. [FIDE: by the rule; Elo: 20]"),
    _text("games", "Games played so far: decides K (FIDE), or the formula (US Chess)."),
    _text("birth-year", "Year of birth: decides K (FIDE)."),
    _text("peak", "Highest rating so far: decides K (FIDE), or the floor (US Chess: highest established)."),
    _text("limit", "Elo: differences beyond it count as so much, for example 400."),
    _text("decimals", "Elo: decimals of changes and ratings. [default: 2]"),
)
uschess = _options(
    click.option(
        "--history", type=click.Choice(["mixed", "won", "lost"]), help="US Chess: all games so far won or lost."
    ),
    _flag("dual", "US Chess: the Regular rating of a dual-rated event."),
    _text("wins", "US Chess: wins so far, for the floor."),
    _text("draws", "US Chess: draws so far."),
    _text("events", "US Chess: events of three or more games so far."),
    _text("prize", "US Chess: a cash prize was won in a section under N."),
    _flag("life-master", "US Chess: original life master."),
)
many = _options(
    click.argument("games_played", metavar="[GAME]...", nargs=-1),
    click.option("--file", type=click.File("r", encoding="utf-8"), help="Games from a file, one a line; - is stdin."),
)


@command.command(name="game")
@player
@_text("opponent", "Opponent's rating.", required=True)
@_text("score", "1, 0.5 or 0. [default: all three]", metavar="S")
@_text("opponent-k", "Opponent's K. [default: the same]")
@_text("opponent-games", "US Chess: games the opponent played so far.")
@uschess
@rules
@answer
def game(**options) -> None:
    """One game: expected score, change and new rating of both players.

    \b
    Examples:
      ratingrun calc game --own 1850 --opponent 1720 --date 2025-11-15
      ratingrun calc game --own 1650 --opponent 1720 --score 1 --k 20 --steps
      ratingrun calc game --system elo --own 1600 --opponent 1400 --score 1 --k 20
      ratingrun calc game --system uschess --own 1500 --opponent 1600 --games 30
    """
    _answer("game", options)


@command.command(name="event")
@many
@player
@_text("base", "FIDE: the rating on the list just before, if it is another than in the games.")
@_flag("match", "US Chess: a match of two players.")
@uschess
@rules
@answer
def event(**options) -> None:
    """Several games: each GAME is opponent:score (1720:1, 1905:=, unrated:0, 1800:+ for a forfeit).

    US Chess: name an opponent who is met again (1500:1:Ann).

    \b
    Examples:
      ratingrun calc event --own 1850 --k 20 1720:1 2015:0 1905:= 1420:1 1790:1 unrated:1
      ratingrun calc event --own 1850 --k 20 --file games.txt --steps --lang es
      ratingrun calc event --system uschess --own 1300 --games 45 1250:1 1400:1 1500:1 1550:=
    """
    _answer("event", options)


@command.command(name="initial")
@many
@_text("birth-date", "US Chess: date of birth.", metavar="YYYY-MM-DD")
@_flag("adult", "US Chess: an adult member.")
@_text("fide", "US Chess: a FIDE rating.")
@_text("fide-date", "Its date. [default: the event's]", metavar="YYYY-MM-DD")
@_text("cfc", "US Chess: a CFC rating.")
@_text("cfc-date", "Its date. [default: the event's]", metavar="YYYY-MM-DD")
@_flag("dual", "US Chess: the Regular rating of a dual-rated event.")
@rules
@answer
def initial(**options) -> None:
    """A first rating: Ra, p, dp and Ru with every step, and what is missing. US Chess: --date is the event's last day.

    \b
    Examples:
      ratingrun calc initial 1850:1 1650:1 1720:= 1580:1 1500:0 1600:0 --steps
      ratingrun calc initial --system uschess --birth-date 2012-05-01 --fide 1500 1400:1 1500:0
    """
    _answer("initial", options)


@command.command(name="performance")
@many
@rules
@answer
def performance(**options) -> None:
    """Performance ratings of games: FIDE's table, linear, true.

    \b
    Example:
      ratingrun calc performance 1700:1 1800:1 1900:1 2000:0
    """
    _answer("performance", options)


@command.command(name="target")
@many
@player
@_text("target", "The rating wanted.", required=True)
@click.option("--remaining", multiple=True, metavar="N", help="Rating of an opponent still to play; once for each.")
@_text("rounds", "Rounds still to play, if the opponents are not known.")
@_text("base", "FIDE: the rating on the list just before, if it is another than in the games.")
@rules
@answer
def target(**options) -> None:
    """What it takes to reach a rating: the points from known opponents, or the opponents for a number of rounds.

    Each GAME is one already played, as in event.

    \b
    Examples:
      ratingrun calc target --own 1850 --k 20 --target 1870 --remaining 1900 --remaining 1850 --remaining 2000
      ratingrun calc target --own 1850 --k 20 --target 1870 --rounds 5 1720:1
    """
    _answer("target", options)


@command.command(name="table")
@_text("k", "K for what an upset is worth. [default: 20]")
@rules
@answer
def table(**options) -> None:
    """Expected score by gap, FIDE's table and the curve side by side, and what an upset is worth.

    \b
    Example:
      ratingrun calc table --k 40
    """
    _answer("table", options)


def _answer(calculator: str, options: dict) -> None:
    """Asks, and prints the answer; one line and exit code 2 for a question that makes no sense."""
    import json

    from ratingrun import calc, rulebooks, texts
    from ratingrun.calc import words

    request = {name: value for name, value in options.items() if name not in ANSWER and value not in (None, ())}
    renamed = {"games": "played", "opponent_games": "opponent_played", "games_played": "games"}
    request = {renamed.get(name, name): value for name, value in request.items()}
    if options.get("file"):
        request["games"] = [*request.get("games", ()), *options["file"].read().splitlines()]
    request |= {"calculator": calculator, "today": dt.date.today().isoformat()}
    say = texts.catalogue(options["lang"])
    try:
        found = calc.answer(request)
    except calc.RequestError as error:
        raise click.UsageError(words.error(error, say)) from None
    except rulebooks.RuleBookError as error:
        raise click.UsageError(str(error)) from None
    if options["form"] == "json":
        click.echo(json.dumps(words.plain(found, say, options["steps"]), ensure_ascii=False, indent=2))
        return
    for line in words.lines(found, say, options["steps"]):
        click.echo(line)
