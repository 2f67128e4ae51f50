"""Options that several commands share."""

from __future__ import annotations

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
directory = click.option(
    "--directory", "-C", "root", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path(),
    help="The working folder: other paths are seen from there. [default: here]",
)  # fmt: skip
rating_type = click.option(
    "--type", "rating_type", type=click.Choice(["standard"]), default="standard", show_default=True, help="The list."
)

rating_types = click.option(
    "--type", "rating_type", type=click.Choice(["standard", "all"]), default="standard", show_default=True,
    help="The list; all: every type that has one, each by itself.",
)  # fmt: skip


def path(name: str, text: str):
    """A path option with its conventional place in the help."""
    return click.option(f"--{name}", type=PATH, default=None, help=text)
