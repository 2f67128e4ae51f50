"""ratingrun columns: the contract of the frames, as declared."""

from __future__ import annotations

import click


@click.command(name="columns")
@click.argument("frame", required=False)
@click.option("--markdown", is_flag=True, help="As a Markdown table.")
def command(frame: str | None, markdown: bool) -> None:
    """Print the columns of FRAME (rating_list, sides, register ...), or the names of all frames.

    \b
    Examples:
      ratingrun columns
      ratingrun columns rating_list
    """
    from ratingrun import columns_text, frames

    if frame is None:
        click.echo(columns_text.index(frames.ALL.values()))
    elif frame in frames.ALL:
        click.echo(columns_text.table(frames.ALL[frame], markdown))
    else:
        raise click.BadParameter(f"{frame} is none of {', '.join(frames.ALL)}", param_hint="FRAME")
