"""Options that several commands share."""

from __future__ import annotations

import functools
from pathlib import Path

import click

from ratingrun import periods


class Period(click.ParamType):
    """A rating period, YYYY-MM."""

    name = "YYYY-MM"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            periods.month_number(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return value


PATH = click.Path(path_type=Path)
TYPES = ("standard", "rapid", "blitz")
directory = click.option(
    "--directory", "-C", "root", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path(),
    help="The working folder: other paths are seen from there. [default: here]",
)  # fmt: skip
rating_type = click.option(
    "--type", "rating_type", type=click.Choice(TYPES), default="standard", show_default=True, help="The list."
)

rating_types = click.option(
    "--type", "rating_type", type=click.Choice([*TYPES, "all"]), default="standard", show_default=True,
    help="The list; all: every type that has one, each by itself.",
)  # fmt: skip

US_CHESS = "uschess"
SYSTEMS = ("fide", US_CHESS)
system = click.option(
    "--system", type=click.Choice(SYSTEMS), default="fide", show_default=True, help="uschess: sections of US Chess."
)


def of_system(function):
    """`--system uschess`: one list for all pools of US Chess, in place of `--type`. Goes above the rating type."""

    @functools.wraps(function)
    def with_system(*args, system: str, rating_type: str, **given):
        return function(*args, rating_type=US_CHESS if system == US_CHESS else rating_type, **given)

    return click.option(
        "--system", type=click.Choice(SYSTEMS), default="fide", show_default=True,
        help="uschess: the list of all US Chess pools; --type has no meaning then.",
    )(with_system)  # fmt: skip


rulebooks = click.option(
    "--rulebooks", type=PATH, default=None, metavar="DIR",
    help="Folder of the federation's own rule books. [default: rulebooks, if there; else FIDE's]",
)  # fmt: skip


def path(name: str, text: str):
    """A path option with its conventional place in the help."""
    return click.option(f"--{name}", type=PATH, default=None, help=text)
