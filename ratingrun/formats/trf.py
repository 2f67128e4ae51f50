"""TRF, the FIDE tournament report file: TRF06, TRF16, TRF26 and the engines' TRF(x), read by columns.

A line is a record only if its first three characters are an id and the fourth is a blank; other lines and unknown
records are passed over and said in one note. Many files are read at once (`read_many`): a few array operations for all
of them, no loop over lines. Nothing is guessed; see `trf_players` for what refuses a report and what is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from ratingrun import findings
from ratingrun.formats import content, inputs, trf_cells, trf_header, trf_lines, trf_players, trf_shift
from ratingrun.formats import trf_columns as tc
from ratingrun.formats.content import Content
from ratingrun.formats.trf_header import Head
from ratingrun.formats.trf_lines import Lines

MOST_ROUNDS, MOST_PLAYERS = 999, 9999
SPARE = 4  # columns behind the last cell, for lines that stand to the left
PLAYER = np.array([ord(sign) for sign in "001"])
SHORTEST = 84  # a line 001 without a blank behind it is a player's, if it is as long as one
UNFINISHED = "*"


@dataclass(frozen=True)
class Batch:
    """Many reports: entries, results and findings of all (column `file`), and the head of each file."""

    entries: pd.DataFrame
    results: pd.DataFrame
    findings: pd.DataFrame
    heads: dict[str, Head]


def read(raw: bytes, file: str) -> Content:
    """The report in these bytes: name (012), federation (032), days, clock, players and cells (001).

    Findings F150, F153, F156-F159, F201, F220-F229, F320-F323. Every player has as many rounds as the widest line has
    cells. A player whose starting number cannot be read is left out; a cell that cannot be read stands in `results` as
    it is written, without opponent and colour.
    """
    return contents([raw], [file])[file]


def contents(raws: Sequence[bytes], files: Sequence[str], workers: int = 1, order: str = "") -> dict[str, Content]:
    """Many reports at once, each by itself in the end."""
    if not files:
        return {}
    batch = read_many(raws, files, workers, order)
    whole = content.Together.build(batch.entries, batch.results, batch.findings, files)
    said = ("name", "federation", "start", "end", "time_control", "system")
    heads = {file: batch.heads.get(file, Head()) for file in files}
    return {file: whole.alone(file, **{name: getattr(head, name) for name in said}) for file, head in heads.items()}


def read_many(raws: Sequence[bytes], files: Sequence[str], workers: int = 1, order: str = "") -> Batch:
    """Many reports at once, as `read` reads one. The files' names must differ. More `workers` share large batches.

    `order` (dmy, mdy or ymd) settles dates with more than one reading.
    """
    found, texts = [], {"u1": [], "<u4": []}
    for raw, file in zip(raws, files, strict=True):
        codes, how = trf_lines.decode(raw)
        if codes is None:
            found.append(findings.of("F150", file=file, line=how.line, why=how.why))
            continue
        if how.encoding:
            found.append(inputs.encoding(how, file))
        texts["u1" if codes.itemsize == 1 else "<u4"].append((codes, file))
    parts = content.in_batches(partial(_read, order=order), texts.values(), workers)
    heads = {name: head for part in parts for name, head in part.heads.items()}
    entries = [part.entries for part in parts if len(part.entries)] or [content.no_entries()]
    results = [part.results for part in parts if len(part.results)] or [content.no_results()]
    return Batch(
        entries[0] if len(entries) == 1 else pd.concat(entries, ignore_index=True),
        results[0] if len(results) == 1 else pd.concat(results, ignore_index=True),
        findings.join([*found, *(part.findings for part in parts)]),
        heads,
    )


def _read(texts: list[tuple[np.ndarray, str]], order: str) -> Batch:
    names = [file for _, file in texts]
    lines = trf_lines.split([codes for codes, _ in texts], room=tc.FIRST_ROUND + tc.PITCH * (MOST_ROUNDS + 1) + SPARE)
    sign = lines.block(np.arange(len(lines.start)), 4)
    like = (sign[:, :3] == PLAYER).all(axis=1)
    player = like & ((sign[:, 3] == tc.BLANK) | (lines.end - lines.start >= SHORTEST))
    first = lines.start.copy()
    indented = _indented(lines, sign, first)
    plain = np.bincount(lines.file[player], minlength=len(names))
    player |= indented
    heads = trf_header.heads(lines, np.flatnonzero(~player), names, order)
    found = [_indents(lines, indented, first, plain, names)]
    which, news = _plausible(lines, np.flatnonzero(player), first, names)
    found.append(news)
    entries, results, parts = [], [], []
    for some in _groups(lines, which, first):
        records, news = _records(lines, some, first, names)
        parts.append(news)
        one, cells, news = trf_players.read(records)
        entries.append(one)
        results.append(cells)
        parts.append(_checkable(news, heads, names))
    cells = pd.concat(results, ignore_index=True) if len(results) > 1 else (results or [content.no_results()])[0]
    cells, news = _declared(cells, heads, names)
    people = pd.concat(entries, ignore_index=True) if len(entries) > 1 else (entries or [content.no_entries()])[0]
    people, numbered = _national(people, heads, names)
    return Batch(
        people,
        cells,
        findings.join([*found, *parts, news, numbered, *(part for head in heads for part in head.findings)]),
        dict(zip(names, heads, strict=True)),
    )


def _indented(lines: Lines, sign: np.ndarray, first: np.ndarray) -> np.ndarray:
    """The mask of player lines that do not begin in column 1; their beginning is set in `first`."""
    found = np.zeros(len(lines.start), bool)
    for at in np.flatnonzero((sign[:, 0] == tc.BLANK) & (lines.end > lines.start)):
        line = lines.text(at)
        inner = line.lstrip()
        if inner.startswith("001 "):
            found[at] = True
            first[at] += len(line) - len(inner)
    return found


def _indents(
    lines: Lines, indented: np.ndarray, first: np.ndarray, plain: np.ndarray, names: list[str]
) -> pd.DataFrame:
    """F220 where all player lines of a file are indented by the same; F156 for single ones, which are read all the same
    so that nothing is lost, but not used."""
    if not indented.any():
        return findings.none()
    rows = pd.DataFrame({"file": lines.file, "line": lines.line, "shift": first - lines.start})[indented]
    same = (rows.groupby("file")["shift"].transform("nunique") == 1) & (plain[rows["file"]] == 0)
    whole = rows[same].groupby("file").agg(line=("line", "min"), shift=("shift", "min"), count=("line", "size"))
    whole = whole.reset_index()
    single = rows[~same]
    why = "a blank before the record 001"
    named = np.array(names)
    return findings.join(
        [
            findings.of("F220", whole.assign(file=named[whole["file"]]), column=1),
            findings.of("F156", single.assign(file=named[single["file"]]), column="1", why=why),
        ]
    )


def _plausible(lines: Lines, which: np.ndarray, first: np.ndarray, names: list[str]) -> tuple[np.ndarray, pd.DataFrame]:
    """The player lines of the files that can be tournaments; F157 for files without players, F150 for too many."""
    count = np.bincount(lines.file[which], minlength=len(names))
    longest = np.zeros(len(names), "i8")
    np.maximum.at(longest, lines.file[which], lines.end[which] - first[which])
    wide = np.flatnonzero(longest >= tc.FIRST_ROUND + tc.PITCH * MOST_ROUNDS)
    for file in wide:  # blanks at the end are no rounds
        ours = which[lines.file[which] == file]
        longest[file] = max(len(lines.text(at).rstrip()) for at in ours)
    wide, many = longest >= tc.FIRST_ROUND + tc.PITCH * MOST_ROUNDS, count > MOST_PLAYERS
    found = [findings.of("F157", file=names[file]) for file in np.flatnonzero(count == 0)]
    for file in np.flatnonzero(many | wide):
        why = f"it holds {count[file]} players, more than {MOST_PLAYERS}" if many[file] else ""
        why = why or f"a player's line holds more than {MOST_ROUNDS} rounds"
        found.append(findings.of("F150", file=names[file], why=why))
    return which[~(many | wide)[lines.file[which]]], findings.join(found)


def _groups(lines: Lines, which: np.ndarray, first: np.ndarray) -> Iterator[np.ndarray]:
    """The player lines in groups of whole files whose widest lines are of like width, so that no matrix is mostly
    blanks."""
    if not len(which):
        return
    length = lines.end[which] - first[which]
    longest = np.zeros(lines.file[which].max() + 1, "i8")
    np.maximum.at(longest, lines.file[which], length)
    kind = np.ceil(np.log2(np.maximum(longest, 2 * tc.FIRST_ROUND))).astype("i8")[lines.file[which]]
    for one in np.unique(kind):
        some = which[kind == one]
        step = max(1, content.BATCH * 4 // (1 << one))
        cuts = np.flatnonzero(np.diff(lines.file[some], prepend=-1))
        begin = 0
        for cut, following in zip(cuts, [*cuts[1:], len(some)], strict=True):
            if following - begin > step and cut > begin:
                yield some[begin:cut]
                begin = cut
        yield some[begin:]


def _records(
    lines: Lines, which: np.ndarray, first: np.ndarray, names: list[str]
) -> tuple[trf_players.Records, pd.DataFrame]:
    """The records as a matrix of whole cells, put right where all lines of a file stand wrong by the same (F220)."""
    longest = int((lines.end[which] - first[which]).max())
    letters = lines.block(which, _width(longest), first[which])
    file, line = lines.file[which], lines.line[which]
    cells = trf_cells.read(letters)
    gaps = _gaps(letters)
    if not cells.bad.any() and not gaps.any():
        return trf_players.Records(letters, file, line, np.array(names), cells, gaps), findings.none()
    doubtful, found = cells.bad.any(axis=1) | gaps.any(axis=1), []
    letters = lines.block(which, _width(longest + SPARE), first[which])
    for number in np.unique(file[doubtful]):
        ours = np.flatnonzero(file == number)
        block = letters[ours]
        if block.itemsize > 1 and len(moved := np.flatnonzero(trf_shift.by_bytes(block))):
            letters[ours] = block
            place = {"file": names[number], "line": int(line[ours[moved[0]]])}
            found.append(findings.of("F229", count=len(moved), **place))
        if repair := trf_shift.repaired(block):
            letters[ours], column, shift = repair
            place = {"file": names[number], "line": int(line[ours[0]])}
            found.append(findings.of("F220", count=len(ours), column=column, shift=shift, **place))
    records = trf_players.Records(letters, file, line, np.array(names), trf_cells.read(letters), _gaps(letters))
    return records, findings.join(found)


def _width(longest: int) -> int:
    """The columns of whole cells that hold lines of this length."""
    return tc.FIRST_ROUND - 1 + max(0, -(-(longest - tc.FIRST_ROUND + 1) // tc.PITCH)) * tc.PITCH


def _gaps(letters: np.ndarray) -> np.ndarray:
    """The mask of the columns BLANKS that are not blank, a row a line."""
    return letters[:, np.array(tc.BLANKS) - 1] != tc.BLANK


def _checkable(found: pd.DataFrame, heads: list[Head], names: list[str]) -> pd.DataFrame:
    """The findings without those on points of files that count points otherwise."""
    other = [name for name, head in zip(names, heads, strict=True) if head.other_points]
    return found[~((found["code"] == "F221") & found["file"].isin(other))] if other else found


def _declared(cells: pd.DataFrame, heads: list[Head], names: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The cells with what TRF26 records say of blank ones in `declared`, and a note F322 a file."""
    said = [(name, *one) for name, head in zip(names, heads, strict=True) for one in head.declared]
    if not said:
        return cells, findings.none()
    table = pd.DataFrame(said, columns=["file", "start_no", "round", "declared", "from"])
    table = table.drop_duplicates(["file", "start_no", "round"])
    columns = list(cells)
    merged = cells.drop(columns="declared").merge(
        table.astype({"declared": "str"}), on=["file", "start_no", "round"], how="left"
    )
    blank = (merged["result"] == "") & merged["opponent_no"].isna()
    merged["declared"] = merged["declared"].where(blank)
    hits = merged[merged["declared"].notna()]
    notes = hits.groupby("file").agg(count=("line", "size"), line=("from", "min")).reset_index()
    return merged[columns], findings.of("F322", notes.astype({"line": "int64"}))


def _national(entries: pd.DataFrame, heads: list[Head], names: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The entries in which players without an id have the number of their federation's record (as FRA/12057, so that it
    never is somebody's FIDE id), and a note F323 a file."""
    said = [(name, *one) for name, head in zip(names, heads, strict=True) for one in head.national]
    if not said:
        return entries, findings.none()
    table = pd.DataFrame(said, columns=["file", "start_no", "number", "from"]).drop_duplicates(["file", "start_no"])
    merged = entries.merge(table.astype({"number": "str", "file": "str"}), on=["file", "start_no"], how="left")
    lacks = merged["player_id"].isna() & merged["number"].notna()
    hits = merged[lacks].drop(columns="line")
    notes = hits.groupby("file").agg(count=("from", "size"), line=("from", "min"), number=("number", "first"))
    entries = entries.assign(player_id=merged["player_id"].fillna(merged["number"]))
    return entries, findings.of("F323", notes.reset_index().astype({"line": "int64"}))
