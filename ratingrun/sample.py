"""An invented federation of any size: a list, a register and months of reports, the same for the same seed.

Made to look like FIDE's month from a distance: a tenth of the players is active, events of 10 to 300 players by
strength, juniors, newcomers, forfeits and byes. Nobody in it exists.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ratingrun import periods, rulebooks
from ratingrun.stages import lists

FEDERATIONS = ("VLM", "OSY", "KRT", "ULD")
SYLLABLES = (
    "an", "bel", "cor", "dun", "er", "fal", "gar", "hol", "is", "jun", "kal", "lor", "mir",
    "nov", "or", "pel", "quin", "ras", "sel", "tor", "ul", "var", "wen", "yor", "zan",
)  # fmt: skip
ACTIVE_SHARE = 10  # one player in ten plays in a month
MEDIAN_SIZE, SMALLEST, LARGEST = 25, 10, 300
ROUNDS = (5, 6, 7, 7, 8, 9, 9, 9)
HALF_POINTS = {"1": 2, "+": 2, "U": 2, "=": 1, "H": 1}  # what a cell adds to the points of a report
NEWCOMERS, FORFEITS, BYES = 0.04, 0.012, 0.006  # shares of entries and of games


@dataclass(frozen=True)
class Federation:
    """What was made: the list before the first month, the register, and each month's crosstables in one table."""

    listed: pd.DataFrame
    register: pd.DataFrame
    months: dict[str, pd.DataFrame]


def build(players: int, games: int, months: int, seed: int, first: str = "2025-11") -> Federation:
    """A federation of `players` with about `games` games in each of `months` periods from `first` on.

    `months` maps a period to a table of crosstables: tournament_id, start_no, player_id, name, federation, sex,
    birth_year, reported_rating, round_1 ...
    """
    dice = np.random.default_rng(seed)
    listed = _players(dice, players, periods.list_date(periods.shift(first, -1)))
    registers, tables = [], {}
    for number in range(months):
        period = periods.shift(first, number)
        register, tables[period] = _month(dice, listed, games, period)
        registers.append(register)
    return Federation(listed, pd.concat(registers, ignore_index=True), tables)


def _players(dice: np.random.Generator, count: int, day: dt.date) -> pd.DataFrame:
    book = rulebooks.in_force(rulebooks.FIDE_STANDARD, day)
    rating = np.clip(dice.normal(1780, 240, count).round(), book.period.floor.value, 2850).astype("int64")
    born = day.year - np.clip(dice.gamma(4.0, 9.0, count), 7, 90).astype("int64")
    played = np.clip(dice.lognormal(4.2, 1.2, count), 5, 4000).astype("int64")
    peak = rating + dice.gamma(1.2, 25, count).astype("int64")
    known = pd.DataFrame({"rating": rating, "peak": peak, "birth_year": born, "games_total": played}, dtype="Int64")
    k, _ = lists.published_k(known, book, day)
    idle = dice.random(count) < 0.55
    return pd.DataFrame(
        {
            "player_id": pd.Series(np.arange(1_000_001, 1_000_001 + count)).astype("str"),
            "name": _names(dice, count),
            "federation": np.array(FEDERATIONS)[dice.integers(0, len(FEDERATIONS), count)],
            "sex": np.where(dice.random(count) < 0.11, "w", "m"),
            "birth_year": born,
            "rating": rating,
            "k": k["k"],
            "games": 0,
            "games_total": played,
            "peak": peak,
            "flag": np.where(idle, "i", None),
        }
    )


def _names(dice: np.random.Generator, count: int) -> pd.Series:
    parts = np.array(SYLLABLES, dtype=object)[dice.integers(0, len(SYLLABLES), (5, count))]
    family = pd.Series(parts[0] + parts[1] + parts[2]).str.capitalize()
    return family + ", " + pd.Series(parts[3] + parts[4]).str.capitalize()


def _month(
    dice: np.random.Generator, listed: pd.DataFrame, games: int, period: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    sizes, rounds = _events(dice, games)
    event = np.repeat(np.arange(len(sizes)), sizes)
    entries = _entries(dice, listed, event, period)
    entries["start_no"] = np.arange(len(event)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
    names = np.array([f"{period[2:4]}{period[5:]}-{number:05d}" for number in range(1, len(sizes) + 1)], dtype=object)
    entries.insert(0, "tournament_id", names[event])
    for number in range(1, max(ROUNDS) + 1):
        entries[f"round_{number}"] = _round(dice, entries, event, sizes, rounds, number)
    list_day = pd.Timestamp(periods.list_date(period))
    start = list_day - pd.to_timedelta(dice.integers(9, 28, len(sizes)), "D")
    end = np.minimum(start + pd.to_timedelta(rounds, "D"), list_day - pd.Timedelta(4, "D"))
    register = pd.DataFrame(
        {
            "tournament_id": names,
            "name": [f"Open {name}" for name in names],
            "rating_type": "standard",
            "system": "swiss",
            "start": start.strftime("%Y-%m-%d"),
            "end": end.strftime("%Y-%m-%d"),
            "time_control": "90+30",
        }
    )
    return register, entries.drop(columns=["latent"])


def _events(dice: np.random.Generator, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and rounds of events until their games reach `games`."""
    count = max(2, int(2 * games / (MEDIAN_SIZE * 6)) + 8)
    sizes = np.clip(dice.lognormal(np.log(MEDIAN_SIZE), 0.7, count), SMALLEST, LARGEST).astype("int64")
    rounds = np.minimum(np.array(ROUNDS)[dice.integers(0, len(ROUNDS), count)], sizes - 1)
    needed = int(np.searchsorted(np.cumsum(sizes // 2 * rounds), games)) + 1
    return sizes[:needed], rounds[:needed]


def _entries(dice: np.random.Generator, listed: pd.DataFrame, event: np.ndarray, period: str) -> pd.DataFrame:
    """Who plays: active players in passes, each pass by strength with some noise, and newcomers with new ids.

    A pass deals every active player once, so nobody stands twice in one event unless it spans two passes: the seam
    is filled with newcomers.
    """
    active = dice.choice(len(listed), max(len(listed) // ACTIVE_SHARE, LARGEST), replace=len(listed) < LARGEST * 2)
    active = np.unique(active)
    passes = -(-len(event) // len(active))
    rating = listed["rating"].to_numpy()
    order = [
        active[np.argsort(rating[active] + dice.normal(0, 180, len(active)), kind="stable")] for _ in range(passes)
    ]
    who = np.concatenate(order)[: len(event)]
    seam = pd.DataFrame({"event": event, "who": who}).duplicated().to_numpy()
    new = seam | (dice.random(len(event)) < NEWCOMERS)
    rows = listed.iloc[who]
    number = np.cumsum(new) + 1
    latent = np.where(new, np.clip(rating[who] - 150, 1100, None), rating[who])
    ids = pd.Series("9" + period[2:4] + period[5:] + pd.Series(number).astype("str").str.zfill(6))
    return pd.DataFrame(
        {
            "player_id": np.where(new, ids, rows["player_id"].to_numpy()),
            "name": rows["name"].to_numpy(),
            "federation": rows["federation"].to_numpy(),
            "sex": rows["sex"].to_numpy(),
            "birth_year": rows["birth_year"].to_numpy(),
            "reported_rating": pd.array(np.where(new, 0, rating[who]), "Int64"),
            "latent": latent,
        }
    )


def _round(
    dice: np.random.Generator,
    entries: pd.DataFrame,
    event: np.ndarray,
    sizes: np.ndarray,
    rounds: np.ndarray,
    number: int,
) -> pd.Series:
    """The cells of one round: pairs by the circle method (nobody meets twice), results by the ratings.

    In round r of n players (n made even) i meets j with i + j = r modulo n - 1; who would meet himself meets the last.
    """
    size = sizes[event]
    even = size + size % 2
    place = entries["start_no"].to_numpy() - 1
    other = (number - place) % (even - 1)
    meets_last = other == place
    last_meets = ((number % (even - 1)) * even // 2) % (even - 1)
    other = np.where(place == even - 1, last_meets, np.where(meets_last, even - 1, other))
    first = (np.cumsum(sizes) - sizes)[event]
    absent = other >= size
    partner = first + np.where(absent, place, other)
    owns = place < other  # the lower place owns the dice of the game
    colour, luck, fate = dice.random((3, len(place)))[:, first + np.minimum(place, other)]
    mine = np.where(owns, luck, 1 - luck)
    gap = entries["latent"].to_numpy() - entries["latent"].to_numpy()[partner]
    expected = 1 / (1 + 10 ** (-gap / 400))
    draw = 0.36 * (1 - np.abs(2 * expected - 1))
    result = np.where(mine < expected - draw / 2, "1", np.where(mine > expected + draw / 2, "0", "="))
    result = np.where(fate < FORFEITS, np.where(mine < 0.5, "+", "-"), result)
    white = (colour < 0.5) == owns
    cell = pd.Series(other + 1).astype("str") + np.where(white, "w", "b") + result
    cell = cell.mask(fate > 1 - BYES, "H").mask(absent, "U")
    return cell.mask(number > rounds[event], "")


def write(federation: Federation, out: Path, shape: str) -> Path:
    """Writes a working folder: lists_source, register.csv and the reports. Gives the path of the list to adopt.

    `shape` parquet: one file a month with all crosstables in it; csv and trf: a file a tournament.
    """
    first = min(federation.months)
    source = out / "lists_source" / f"{periods.shift(first, -1)}.{'parquet' if shape == 'parquet' else 'csv'}"
    source.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pandas(federation.listed, preserve_index=False)
    pq.write_table(table, source) if shape == "parquet" else pa_csv.write_csv(table, source)
    for period, crosstables in federation.months.items():
        folder = out / "reports" / period
        folder.mkdir(parents=True, exist_ok=True)
        if shape == "parquet":
            pq.write_table(pa.Table.from_pandas(crosstables, preserve_index=False), folder / f"{period}.parquet")
        else:
            _files(crosstables, federation.register, folder, shape)
    part = federation.register
    names = "20" + part["tournament_id"].str[:2] + "-" + part["tournament_id"].str[2:4] + ".parquet"
    file = names if shape == "parquet" else part["tournament_id"] + f".{shape}"
    part.assign(file=file).to_csv(out / "register.csv", index=False)
    return source


def _files(crosstables: pd.DataFrame, register: pd.DataFrame, folder: Path, shape: str) -> None:
    """A file a tournament."""
    head = register.set_index("tournament_id")
    lines = _trf_lines(crosstables) if shape == "trf" else None
    for name, rows in crosstables.groupby("tournament_id", sort=False):
        if lines is None:
            used = [column for column in rows if not column.startswith("round_") or (rows[column] != "").any()]
            rows[used].drop(columns="tournament_id").to_csv(folder / f"{name}.csv", index=False)
            continue
        part = head.loc[name]
        records = [f"012 {part['name']}", "022 Velmora", "032 VLM", f"042 {part['start']}", f"052 {part['end']}"]
        text = "\n".join([*records, "092 Individual: Swiss-System", *lines[rows.index]]) + "\n"
        (folder / f"{name}.trf").write_text(text, "utf-8", newline="\n")


def _trf_lines(crosstables: pd.DataFrame) -> np.ndarray:
    """The 001 record of each row, in the columns of TRF16."""

    def text(name: str, width: int, left: bool = False) -> pd.Series:
        cells = crosstables[name].astype("str").fillna("").replace("0", "")
        return cells.str.slice(0, width).str.pad(width, "right" if left else "left")

    line = "001 " + text("start_no", 4) + " " + text("sex", 1) + "    " + text("name", 33, left=True) + " "
    line += text("reported_rating", 4) + " " + text("federation", 3) + " " + text("player_id", 11) + " "
    rounds = [name for name in crosstables if name.startswith("round_")]
    halves = sum(crosstables[name].str[-1:].map(HALF_POINTS).fillna(0).astype("int64") for name in rounds)
    points = (halves // 2).astype("str") + "." + (halves % 2 * 5).astype("str")
    line += text("birth_year", 4) + "/00/00 " + points.str.pad(4) + " " + "    "
    for column in rounds:
        parts = crosstables[column].str.extract(r"^(\d*)([wb]?)([^\d]|\d)?$").fillna("")
        line += "  " + parts[0].replace("", "    ").str.pad(4) + " " + parts[1].str.pad(1).replace("", " ")
        line += " " + parts[2].replace("", " ")
    return line.str.rstrip().to_numpy(dtype=object)
