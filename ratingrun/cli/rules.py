"""ratingrun rules: the rule books in words - all, the one in force, what changed, and checking a federation's own."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ratingrun.cli import exits, options


@click.command(name="rules")
@click.argument("what", nargs=-1, metavar="[PERIOD | diff PERIOD PERIOD | check DIR]")
@options.directory
@options.of_system
@options.rating_type
@options.rulebooks
@click.option("--json", "as_json", is_flag=True, help="For a machine.")
@click.pass_context
def command(ctx, what: tuple[str, ...], root: Path, rating_type: str, rulebooks: Path | None, as_json: bool) -> None:
    """Print the rules: of all lists and dates, of one list in words, or what changed between two lists.

    With PERIOD: the book in force on that list, each rule with its clause and confidence. `diff` compares the books of
    two lists line by line, one-offs between them included. `check` reads every file of a folder of rule books and says
    what is wrong with it (exit code 1) and what to do. With --system uschess all of this of the US Chess books.

    \b
    Examples:
      ratingrun rules
      ratingrun rules 2025-11 --type standard
      ratingrun rules diff 2024-02 2024-03
      ratingrun rules check rulebooks
      ratingrun rules 2025-11 --system uschess
      ratingrun rules diff 2024-12 2025-01 --system uschess
    """
    from ratingrun.rulebooks import RuleBookError, own_books

    verb = what[0] if what else ""
    wanted = {"diff": 3, "check": 2}.get(verb, 1)
    if len(what) > wanted or (verb in ("diff", "check") and len(what) < wanted):
        raise click.UsageError("give a PERIOD, diff PERIOD PERIOD, or check DIR")
    if verb == "check":
        ctx.exit(_check(root / what[1], rating_type, as_json))
    period = options.Period()
    try:
        own = own_books(root, rulebooks)
        if verb == "diff":
            first, last = (period.convert(text, None, ctx) for text in what[1:])
            answer = _diff(own, rating_type, first, last)
        else:
            answer = _book(own, rating_type, period.convert(verb, None, ctx)) if verb else _all(own, rating_type)
    except RuleBookError as error:
        raise click.ClickException(str(error)) from None
    _show(*answer, as_json)


def _show(data: object, text: str, as_json: bool) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=2) if as_json else text)


def _all(own: Path | None, rating_type: str) -> tuple[object, str]:
    from ratingrun import rules_text
    from ratingrun.uschess import rules

    if rating_type == options.US_CHESS:
        rows = rules.overview(own)
        return rows, rules_text.overview_text(rows)
    rows = rules_text.overview(own)
    return rows, rules_text.overview_text(rows) + "\n\nThe US Chess books: --system uschess"


def _book(own: Path | None, rating_type: str, period: str) -> tuple[object, str]:
    from ratingrun import rulebooks, rules_text
    from ratingrun.uschess import rules

    if rating_type == options.US_CHESS:
        return rules.of_list(own, period)
    chapter = rulebooks.chapter(rating_type, own)
    book = rulebooks.book_of_list(chapter, period)
    about = {
        "id": book.id,
        "title": book.title,
        "from": str(book.from_),
        "until": str(book.until),
        "source": book.source,
    }
    data = {**about, "period": period, "rating_type": rating_type, "rules": rules_text.described(book, rating_type)}
    return data, rules_text.description_text(book, rating_type, period)


def _diff(own: Path | None, rating_type: str, first: str, last: str) -> tuple[object, str]:
    from ratingrun import rulebooks, rules_text
    from ratingrun.uschess import rules

    if rating_type == options.US_CHESS:
        return rules.difference(own, first, last)
    chapter = rulebooks.chapter(rating_type, own)
    before, after = (rulebooks.book_of_list(chapter, period) for period in (first, last))
    rows = rules_text.differences(before, after, rating_type)
    one_offs = rules_text.one_offs_between(chapter, first, last)
    data = {"before": before.id, "after": after.id, "rating_type": rating_type, "changes": rows, "one_offs": one_offs}
    return data, rules_text.differences_text(before, after, rows, one_offs, rating_type)


def _check(folder: Path, rating_type: str, as_json: bool) -> int:
    from ratingrun import rules_text
    from ratingrun.uschess import rules

    if not folder.is_dir():
        raise click.UsageError(f"{folder} is not a folder")
    good, bad = (rules if rating_type == options.US_CHESS else rules_text).checked(folder)
    if as_json:
        click.echo(json.dumps({"good": good, "bad": bad}, ensure_ascii=False, indent=2))
    else:
        for line in good:
            click.echo(line)
        for line in bad:
            click.echo(line, err=True)
        click.echo(f"{len(bad)} fault(s)" if bad else "No faults: every file is whole.", err=bool(bad))
    return exits.STOPPED if bad else exits.DONE
