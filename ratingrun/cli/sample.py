"""ratingrun sample: an invented federation of any size, to try things on."""

from __future__ import annotations

from pathlib import Path

import click

from ratingrun.cli import options


@click.command(name="sample")
@click.argument("out", type=options.PATH)
@click.option("--players", type=click.IntRange(400), default=2000, show_default=True, help="Players on the list.")
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="Games a month, about.")
@click.option("--months", type=click.IntRange(1, 60), default=1, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same bytes.")
@click.option("--shape", type=click.Choice(["parquet", "csv", "trf"]), default="csv", show_default=True)
@click.option("--first", type=options.Period(), default="2025-11", show_default=True, help="The first list to make.")
def command(out: Path, players: int, games: int, months: int, seed: int, shape: str, first: str) -> None:
    """Write a working folder OUT with an invented federation: list, register and reports.

    \b
    Example:
      ratingrun sample big --players 5000 --games 3000
    """
    from ratingrun import sample

    if out.exists():
        raise click.ClickException(f"{out} exists; name a new folder")
    federation = sample.build(players, games, months, seed, first)
    source = sample.write(federation, out, shape)
    entries = sum(map(len, federation.months.values()))
    click.echo(f"{players} players, {len(federation.register)} tournaments, {entries} entries in {out}. Next:")
    click.echo(f"  ratingrun adopt -C {out} {source.relative_to(out)} --period {source.stem}")
    click.echo(f"  ratingrun run -C {out} {first}")
