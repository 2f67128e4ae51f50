"""Others on the same data: only the bare job, a list and 600,000 games in, the next list out.

    python peers.py pandas|sqlite|elote|riix BARE OUT

BARE holds list.parquet (player_id, rating, k) and games.parquet (white, black, score: 1, 0.5, 0): the rated games of a
run. Out comes the list as Parquet and as CSV. pandas and sqlite rate by FIDE's table, difference and K x n included,
as a script of a page does: no reports, no reasons, no ledger, no checks, no first ratings. elote and riix rate game
after game by their own Elo formula, with one K.
"""

from __future__ import annotations

import csv
import datetime as dt
import sqlite3
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ratingrun import rulebooks

BOOK = rulebooks.book_of_list(rulebooks.Chapter(rulebooks.FIDE_STANDARD), "2025-11")
D_FROM, HIGH_C = BOOK.pd_table
LIMIT, BELOW, MAX_KN = BOOK.game.max_difference.value, BOOK.game.max_difference_below.value, BOOK.period.max_kn.number


def by_pandas(bare: Path, out: Path) -> None:
    listed, games = pd.read_parquet(bare / "list.parquet"), pd.read_parquet(bare / "games.parquet")
    other = games.rename(columns={"white": "black", "black": "white"}).assign(score=1 - games["score"])
    sides = pd.concat([games, other]).merge(listed, left_on="white", right_on="player_id")
    sides = sides.merge(listed, left_on="black", right_on="player_id", suffixes=("", "_opp"))
    d = sides["rating"] - sides["rating_opp"]
    d = d.where(sides["rating"] >= BELOW, d.clip(-LIMIT, LIMIT)).astype("int64")
    table = pd.DataFrame({"from": D_FROM, "high": HIGH_C}).astype("int64")
    sides = sides.assign(d=d, size=d.abs()).sort_values("size")
    sides = pd.merge_asof(sides, table, left_on="size", right_on="from")
    expected = sides["high"].where(sides["d"] >= 0, 100 - sides["high"])
    sides["dr"] = (sides["score"] * 100).astype("int64") - expected
    players = sides.groupby("white").agg(n=("dr", "size"), dr=("dr", "sum"), k=("k", "first"))
    k = players["k"].where(players["k"] * players["n"] <= MAX_KN, MAX_KN // players["n"])
    c = (k * players["dr"]).astype("int64")
    change = (c.abs() + 50) // 100 * c.map(lambda one: (one > 0) - (one < 0))
    listed["rating"] = listed["rating"] + listed["player_id"].map(change).fillna(0).astype("int64")
    listed.to_parquet(out / "next.parquet")
    listed.to_csv(out / "next.csv", index=False)


def by_sqlite(bare: Path, out: Path) -> None:
    base = sqlite3.connect(out / "bare.sqlite")
    base.executescript("pragma journal_mode=off; pragma synchronous=off;"
                       "create table list(player_id text primary key, rating int, k int) without rowid;"
                       "create table games(white text, black text, score real);"
                       "create table pd(d int primary key, high int);")  # fmt: skip
    for name, count in (("list", 3), ("games", 3)):
        columns = pq.read_table(bare / f"{name}.parquet").to_pydict().values()
        base.executemany(f"insert into {name} values ({','.join('?' * count)})", zip(*columns, strict=True))
    high = dict(zip(D_FROM.tolist(), HIGH_C.tolist(), strict=True))
    now, rows = 0, []
    for d in range(4000):
        now = high.get(d, now)
        rows.append((d, now))
    base.executemany("insert into pd values (?, ?)", rows)
    base.executescript(f"""
        create table next as
        with sides as (select white me, black other, score from games
                       union all select black, white, 1 - score from games),
        rated as (select me, a.k k, score, a.rating r, case when a.rating >= {BELOW} then a.rating - b.rating
                         else max(-{LIMIT}, min({LIMIT}, a.rating - b.rating)) end d
                  from sides join list a on a.player_id = me join list b on b.player_id = other),
        scored as (select me, k, cast(score * 100 as int) - case when rated.d >= 0 then high else 100 - high end dr
                   from rated join pd on pd.d = abs(rated.d)),
        players as (select me, min(k) k, count(*) n, sum(dr) dr from scored group by me),
        changes as (select me, dr * case when k * n > {MAX_KN} then {MAX_KN} / n else k end c from players)
        select player_id, rating + coalesce(sign(c) * ((abs(c) + 50) / 100), 0) rating, k
        from list left join changes on me = player_id order by player_id;""")
    rows = base.execute("select * from next").fetchall()
    with (out / "next.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([("player_id", "rating", "k"), *rows])
    pq.write_table(pa.table(list(zip(*rows, strict=True)), names=["player_id", "rating", "k"]), out / "next.parquet")


def _numbered(bare: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    listed, games = pd.read_parquet(bare / "list.parquet"), pd.read_parquet(bare / "games.parquet")
    return listed, games


def _written(listed: pd.DataFrame, out: Path) -> None:
    listed.to_parquet(out / "next.parquet")
    listed.to_csv(out / "next.csv", index=False)


def by_elote(bare: Path, out: Path) -> None:
    from elote import EloCompetitor

    listed, games = _numbered(bare)
    players = dict(zip(listed["player_id"], map(EloCompetitor, listed["rating"].tolist()), strict=True))
    for white, black, score in zip(games["white"], games["black"], games["score"], strict=True):
        one, other = players[white], players[black]
        one.beat(other) if score == 1 else other.beat(one) if score == 0 else one.tied(other)
    _written(listed.assign(rating=[one.rating for one in players.values()]), out)


def by_riix(bare: Path, out: Path) -> None:
    import polars as pl
    from riix.models.elo import Elo
    from riix.utils.data_utils import MatchupDataset

    listed, games = _numbered(bare)
    day = pl.Series("day", [dt.datetime(2025, 10, 1)], dtype=pl.Datetime("ms"))
    frame = pl.DataFrame({name: games[name].to_numpy(object) for name in ("white", "black")})
    frame = frame.with_columns(pl.Series("score", games["score"].to_numpy()), day.new_from_index(0, len(games)))
    data = MatchupDataset(frame, ["white", "black"], "score", datetime_col="day", verbose=False)
    model = Elo(data.competitors, update_method="iterative", k=20.0)
    rating = dict(zip(listed["player_id"], listed["rating"], strict=True))
    model.ratings[:] = [rating[one] for one in data.competitors]
    model.fit_dataset(data)
    new = dict(zip(data.competitors, model.ratings, strict=True))
    _written(listed.assign(rating=[new.get(one, old) for one, old in rating.items()]), out)


if __name__ == "__main__":
    function = {"pandas": by_pandas, "sqlite": by_sqlite, "elote": by_elote, "riix": by_riix}[sys.argv[1]]
    function(Path(sys.argv[2]), Path(sys.argv[3]))
