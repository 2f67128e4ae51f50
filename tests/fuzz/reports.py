"""make fuzz: a bounded campaign of mutated report files. Nothing raises, the cells close, and a slip outside the result
cells and the line structure leaves all games intact in at least 95 % of the files."""

from __future__ import annotations

import argparse
import random
import sys
import time

from ratingrun import findings
from ratingrun.formats import trf

PLAYERS = [(1, "Al, Ann", 1850), (2, "Bó, Berta", 1750), (3, "Cy, Cid", 1650), (4, "Do, Dan", 0)]
CELLS = {
    1: ["   2 w 1", "   3 b =", "   4 w 1", "0000 - H"],
    2: ["   1 b 0", "   4 w 1", "   3 b 0", "   4 - +"],
    3: ["   4 w =", "   1 w =", "   2 w 1", "0000 - U"],
    4: ["   3 b =", "   2 b 0", "   1 b 0", "   2 - -"],
}
HEAD = ["012 Spring Open", "022 Town", "032 VLM", "042 2025/10/04", "052 2025/10/07", "122 90+30"]
BATCH, SHARE = 500, 0.95
ROW_START, ROW_CELLS = 9, 89  # bytes of a player's line between starting number and cells, from 0
BLANKS = (8, 13, 47, 52, 56, 68, 79, 84, 89, 90)


def report(end: str = "\n") -> bytes:
    """A small open in TRF16 with every kind of cell."""
    lines = list(HEAD)
    for number, name, rating in PLAYERS:
        head = f"001 {number:>4} m  g {name:33} {rating:>4} VLM {10_000 + number:>11} 1990/01/0{number}"
        lines.append(f"{head}  2.5    1  {'  '.join(CELLS[number])}  ")
    return (end.join([*lines, "XXR 4"]) + end).encode()


def mutated(raw: bytes, generator: random.Random) -> tuple[bytes, bool]:
    """A mutated file, and whether the slip lies outside the result cells and the structure of the lines."""
    kind = generator.choice(
        ("flip", "flip", "cut", "shift", "encoding", "swap", "drop", "double", "outside", "outside")
    )
    data = bytearray(raw)
    lines = raw.split(b"\n")
    at = generator.randrange(len(data))
    if kind == "flip":
        data[at] = generator.randrange(256)
    elif kind == "cut":
        del data[at : at + generator.randrange(1, 40)]
    elif kind == "shift":
        data[at:at] = b" " * generator.randrange(1, 4)
    elif kind == "encoding":
        text = raw.decode()
        return generator.choice([text.encode("cp1252"), text.encode("utf-8-sig"), raw.replace(b"\n", b"\r")]), True
    elif kind == "swap":
        one, other = (92 + 10 * generator.randrange(4) for _ in range(2))
        row = generator.randrange(len(HEAD), len(HEAD) + 4)
        line = lines[row]
        lines[row] = line[:one] + line[other : other + 8] + line[one + 8 :]
        return b"\n".join(lines), False
    elif kind == "drop":
        del lines[generator.randrange(len(lines))]
        return b"\n".join(lines), False
    elif kind == "double":
        lines.insert(generator.randrange(len(lines)), generator.choice(lines))
        return b"\n".join(lines), False
    else:
        row = generator.randrange(len(HEAD) + 4)
        line = bytearray(lines[row])
        places = range(4, len(line)) if row < len(HEAD) else [p for p in range(ROW_START, ROW_CELLS) if p not in BLANKS]
        for _ in range(generator.randrange(1, 4)):
            line[generator.choice(places)] = generator.choice([*range(33, 256)])
        lines[row] = bytes(line)
        return b"\n".join(lines), True
    return bytes(data), False


def games(results) -> list[tuple]:
    rows = results[["start_no", "round", "opponent_no", "colour", "result"]].astype(object)
    return [tuple(row) for row in rows.where(rows.notna(), None).to_numpy().tolist()]


def campaign(count: int, seed: int) -> tuple[int, int, list[str]]:
    """How many slips lie outside cells and structure, how many of them leave all games, and what went wrong."""
    generator, good = random.Random(seed), report()
    whole = games(trf.read(good, "a.trf").results)
    outside = intact = 0
    wrong: list[str] = []
    refusing = {code.code for code in findings.CATALOGUE.values() if code.effect == findings.REJECTS}
    for begin in range(0, count, BATCH):
        files = [mutated(good, generator) for _ in range(min(BATCH, count - begin))]
        names = [f"{number}.trf" for number in range(len(files))]
        batch = trf.read_many([raw for raw, _ in files], names)
        refused = set(batch.findings.loc[batch.findings["code"].isin(refusing), "file"])
        players = batch.entries.groupby("file").size()
        closing = batch.results.groupby("file").agg(cells=("round", "size"), rounds=("round", "nunique"))
        open_ = closing[closing["cells"] != closing["rounds"] * players.reindex(closing.index)]
        wrong += [f"{begin}: {name} does not close" for name in open_.index]
        own = dict(tuple(batch.results.groupby("file")))
        for name, (_, harmless) in zip(names, files, strict=True):
            if harmless:
                outside += 1
                intact += name not in refused and name in own and games(own[name]) == whole
    return outside, intact, wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    began = time.perf_counter()
    outside, intact, wrong = campaign(chosen.files, chosen.seed)
    share = intact / max(outside, 1)
    took = time.perf_counter() - began
    print(f"{chosen.files} mutated files in {took:.0f} s, no exception; {len(wrong)} do not close; "
          f"{intact} of {outside} slips outside cells and structure leave all games ({share:.2%})")  # fmt: skip
    sys.exit(bool(wrong) or share < SHARE)
