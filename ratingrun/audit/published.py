"""Our recomputation against the published list: each differing player classified, with the evidence.

First what is known: a base or K that the publisher shows (its list before, or its printed calculations) is put in
the place of ours, so that "the base differs" is told apart from "the change differs". Then the explanations of
`trials` are tried, and the one that gives the published rating is named.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

import numpy as np
import pandas as pd

from ratingrun import findings, formulas, pipeline
from ratingrun.audit import trials
from ratingrun.contract import I16 as NUMBER
from ratingrun.contract import TEXT, Column, Frame
from ratingrun.formats import inputs as readers
from ratingrun.frames import RATING_RANGE

# In the order in which they are tried; the first that gives the published rating is the class.
CLASSES = {
    "not_published": "rated by us, not on the published list",
    "not_ours": "on the published list, not on ours",
    "base_differs": "prior-list correction: the base differs",
    "k_differs": "another K",
    "rounding": "rounded otherwise",
    "rule_book": "another book or another reading of it",
    "missing_game": "other games",
    "arithmetic": "the publisher's own figures do not add up",
    "published_k": "the rating agrees, the K of the new list does not",
    "unexplained": "unexplained",
}
COLUMNS = (
    "player_id", "name", "class", "explanation", "ours", "published", "gap", "base", "published_base", "n",
    "published_n", "k", "published_k", "closes", "evidence",
)  # fmt: skip
CALCULATIONS = Frame(
    "calculations",
    "a row a player: what the publisher prints of the calculation",
    ("player_id",),
    (
        Column("player_id", TEXT, "the player's id"),
        Column("base", NUMBER, "Ro: the rating to which the change was added", "points", *RATING_RANGE, null=True),
        Column("k", NUMBER, "K of the list before", low=1, null=True),
        Column("games", NUMBER, "rated games", "games", 0, null=True),
        Column("sum", TEXT, "K x the sum of score - PD, as printed: -1.60", "points", null=True),
        Column("line", NUMBER, "the line of the file", low=0),
    ),
)


@dataclass
class Evidence:
    """What the publisher shows beside the list, by player; empty where nothing is known."""

    base: pd.Series = field(default_factory=lambda: _none())
    k: pd.Series = field(default_factory=lambda: _none())
    games: pd.Series = field(default_factory=lambda: _none())
    sum_c: pd.Series = field(default_factory=lambda: _none())


def _none() -> pd.Series:
    return pd.Series([], dtype="Int64", index=pd.Index([], dtype="str"))


def calculations(path: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The publisher's printed calculations from CSV (CALCULATIONS; `sum` as a decimal), and findings."""
    return readers.read(CALCULATIONS, path)


def evidence(prior: pd.DataFrame | None, printed: pd.DataFrame | None, published: pd.DataFrame) -> Evidence:
    """From the publisher's list before, its printed calculations (these count first) and its list."""
    found = Evidence(games=_by_player(published, "games"))
    if prior is not None:
        found.base, found.k = _by_player(prior, "rating"), _by_player(prior, "k")
    if printed is not None:
        found.base = _by_player(printed, "base").combine_first(found.base)
        found.k = _by_player(printed, "k").combine_first(found.k)
        found.games = _by_player(printed, "games").combine_first(found.games)
        sums = [_hundredths(text) for text in printed["sum"]]
        found.sum_c = pd.Series(pd.array(sums, "Int64"), index=printed["player_id"]).dropna()
    return found


def _by_player(rows: pd.DataFrame, name: str) -> pd.Series:
    return pd.Series(rows[name].astype("Int64").array, index=rows["player_id"]).dropna()


def _hundredths(text: object) -> int | None:
    try:
        return None if pd.isna(text) else int(Decimal(str(text).replace(",", ".")) * formulas.POINT)
    except InvalidOperation:
        return None


def classify(inputs: pipeline.Inputs, published: pd.DataFrame, known: Evidence) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A row a differing player (COLUMNS), and every trial that was made (player_id, trial, rating, closes).

    `published` is the list as `list_tables.read` gives it. The month is recomputed from `inputs`.
    """
    month = pipeline.run(inputs)
    rows = _differing(month, published, known)
    judge = _Judge(rows)
    ours = rows["ours"].notna() | rows["player_id"].isin(month.frames["rating_list"]["player_id"])
    judge.settle(rows["presence"] == "left_only", "not_published", "not on the published list")
    judge.settle(~ours, "not_ours", "not on our list")
    judge.settle(rows["agrees"] & ~rows["other_base"], "published_k", "K of the new list")
    base = month
    if judge.open.any():
        inputs, base = _known_facts(inputs, month, rows, judge)
        judge.settle(rows["agrees"], "base_differs", "the rating agrees all the same")
    if judge.open.any():
        _cheap(inputs, base, rows, judge)
    if judge.open.any():
        with tempfile.TemporaryDirectory(prefix="ratingrun-") as work:
            for trial in trials.under_other_rules(inputs, month.book, Path(work)):
                judge.tried(trial)
    _own_figures(rows, known, judge)
    _hints(inputs, rows, judge)
    judge.settle(judge.open, "unexplained", "")
    return rows[list(COLUMNS)].sort_values(["class", "player_id"], ignore_index=True), judge.table()


class _Judge:
    """The differing players, which of them are still open, and every trial so far."""

    def __init__(self, rows: pd.DataFrame):
        self.rows = rows
        rows["class"], rows["explanation"], rows["closes"], rows["evidence"] = "", "", "", ""
        self._trials: list[pd.DataFrame] = []

    @property
    def open(self) -> pd.Series:
        return self.rows["class"] == ""

    def settle(self, mask: pd.Series, kind: str, explanation: str | pd.Series) -> None:
        """Classifies the open players of the mask."""
        hit = np.asarray(mask, bool) & self.open.to_numpy()
        self.rows.loc[hit, "class"] = kind
        text = explanation[hit] if isinstance(explanation, pd.Series) else explanation
        self.rows.loc[hit, "explanation"] = text

    def note(self, mask: pd.Series, text: str | pd.Series) -> None:
        """Adds evidence for the players of the mask."""
        hit = np.asarray(mask, bool)
        words = self.rows.loc[hit, "evidence"]
        self.rows.loc[hit, "evidence"] = words.where(words == "", words + "; ") + (
            text[hit] if isinstance(text, pd.Series) else text
        )

    def tried(self, trial: trials.Trial, allowed: pd.Series | None = None) -> None:
        """Records a trial for the open players; those whose published rating it gives are classified."""
        rows = self.rows
        given = rows["player_id"].map(trial.ratings).astype("Int64")
        here = rows["player_id"].isin(trial.ratings.index)
        places = trial.ratings.attrs.get("places")
        name = trial.name if places is None else trial.name + " " + rows["player_id"].map(places).astype("str")
        closes = here & _equal(given, rows["published"])
        if allowed is not None:
            closes &= allowed
        was_open = self.open.to_numpy()
        table = rows.loc[here & was_open, ["player_id"]].assign(
            trial=name if isinstance(name, str) else name[here & was_open], rating=given, closes=closes
        )
        self._trials.append(table)
        text = name if isinstance(name, pd.Series) else pd.Series(name, index=rows.index)
        hit = closes.to_numpy() & was_open
        rows.loc[hit, "closes"] = text[hit]
        self.settle(closes, trial.kind, text)

    def table(self) -> pd.DataFrame:
        """Every trial: player_id, trial, rating, closes."""
        empty = pd.DataFrame({"player_id": [], "trial": [], "rating": [], "closes": []})
        return pd.concat(self._trials, ignore_index=True) if self._trials else empty


def _differing(month: pipeline.Month, published: pd.DataFrame, known: Evidence) -> pd.DataFrame:
    """The players whose rating or K is not the published one, with all figures beside each other."""
    ours = month.frames["rating_list"][["player_id", "name", "rating", "k"]]
    theirs = published[["player_id", "name", "rating", "k"]].astype({"rating": "Int64", "k": "Int64"})
    both = ours.merge(theirs, on="player_id", how="outer", suffixes=("", "_theirs"), indicator="presence")
    changes = month.frames["changes"].set_index("player_id")
    first = month.frames["initials"].set_index("player_id")["n"]
    before = month.frames["trail"].sort_values("seq").drop_duplicates("player_id").set_index("player_id")["before"]
    rows = both.assign(
        name=both["name"].fillna(both["name_theirs"]),
        ours=both["rating"].astype("Int64"),
        published=both["rating_theirs"],
        base=both["player_id"].map(changes["ro"]).astype("Int64"),
        n=both["player_id"].map(changes["n"]).astype("Int64").fillna(both["player_id"].map(first).astype("Int64")),
        published_base=both["player_id"].map(known.base).astype("Int64"),
        published_n=both["player_id"].map(known.games).astype("Int64"),
        published_k=both["player_id"].map(known.k).astype("Int64"),
    )
    rows["gap"] = rows["published"] - rows["ours"]
    rows["base"] = rows["base"].fillna(rows["player_id"].map(before).astype("Int64"))
    untouched = rows["base"].isna() & ~rows["player_id"].isin(month.frames["trail"]["player_id"])
    rows["base"] = rows["base"].mask(untouched, rows["ours"])
    other_k = both["k"].notna() & both["k_theirs"].notna() & ~_equal(both["k"].astype("Int64"), both["k_theirs"])
    rows["k"] = rows["player_id"].map(changes["k_base"]).astype("Int64")
    rated = rows["ours"].notna() | rows["published"].notna()
    other_base = rows["published_base"].notna() & rows["base"].notna() & ~_equal(rows["base"], rows["published_base"])
    rows["agrees"] = _equal(rows["ours"], rows["published"])
    rows["other_base"] = other_base
    differs = (~rows["agrees"] | other_k | other_base) & rated
    return rows[differs].reset_index(drop=True)


def _known_facts(
    inputs: pipeline.Inputs, month: pipeline.Month, rows: pd.DataFrame, judge: _Judge
) -> tuple[pipeline.Inputs, pipeline.Month]:
    """Puts the publisher's base and K in the place of ours; who is explained by it is classified.

    Gives the inputs and the month with them, on which the other explanations are tried.
    """
    listed = set(inputs.lists[max(inputs.lists)]["player_id"])
    usable = rows["player_id"].isin(listed)
    for kind, ours, theirs, what in (
        ("base_differs", "base", "published_base", "rating"),
        ("k_differs", "k", "published_k", "k"),
    ):
        other = rows[theirs].notna() & ~_equal(rows[ours], rows[theirs]) & usable & (rows[ours].notna())
        if not other.any():
            continue
        values = pd.Series(rows.loc[other, theirs].array, index=rows.loc[other, "player_id"])
        inputs = trials.with_facts(inputs, what, values, f"the publisher's {ours}")
        text = f"{ours} " + rows[ours].astype("str") + " here, " + rows[theirs].astype("str") + " at the publisher"
        judge.note(other, text)
        month = pipeline.run(inputs)
        judge.tried(trials.Trial(kind, f"the publisher's {ours}", trials.ratings_of(month)), other)
    return inputs, month


def _cheap(inputs: pipeline.Inputs, month: pipeline.Month, rows: pd.DataFrame, judge: _Judge) -> None:
    """The explanations that need no other month. What the publisher shows to be equal is not tried."""
    still = (rows["n"].fillna(0) == 0) & (rows["published_n"] == 0).fillna(False) & judge.open
    judge.note(still, "no games on either side")
    moved = rows["base"].notna() & rows["published"].notna()
    judge.settle(still & moved, "base_differs", "no games, so the rating before was another")
    judge.tried(trials.rounded_by_event(month))
    free = rows["published_k"].isna()
    judge.tried(trials.k_at_start(month, inputs))
    for k in sorted({row.k for row in month.book.k}):
        judge.tried(trials.other_k(month, k), free)
    open_n = rows["published_n"].isna() | ~_equal(rows["n"], rows["published_n"])
    for trial in trials.without_games(month, pd.Index(rows.loc[judge.open & open_n, "player_id"])):
        left = rows["player_id"].map(trial.ratings.attrs["n"]).astype("Int64")
        judge.tried(trial, open_n & (rows["published_n"].isna() | _equal(left, rows["published_n"])))


def _own_figures(rows: pd.DataFrame, known: Evidence, judge: _Judge) -> None:
    """Other games by the count; then whether the publisher's own base and sum give its rating."""
    counted = rows["published_n"].notna() & ~_equal(rows["n"].fillna(0), rows["published_n"])
    text = rows["published_n"].astype("str") + " games published, " + rows["n"].fillna(0).astype("str") + " here"
    judge.note(counted & judge.open, text)
    judge.settle(counted, "missing_game", text)
    sums = rows["player_id"].map(known.sum_c).astype("Int64")
    base = rows["published_base"].fillna(rows["base"])
    given = base + pd.array(formulas.round_half_away(sums.fillna(0).to_numpy("int64")), "Int64")
    wrong = sums.notna() & base.notna() & ~_equal(given, rows["published"])
    said = base.astype("str") + " and the printed sum give " + given.astype("str")
    judge.note(wrong & judge.open, said)
    judge.settle(wrong, "arithmetic", said)


def _hints(inputs: pipeline.Inputs, rows: pd.DataFrame, judge: _Judge) -> None:
    """For the open players whose base is not shown: which base would give the published rating. No proof."""
    listed = set(inputs.lists[max(inputs.lists)]["player_id"])
    free = judge.open & rows["published_base"].isna() & rows["gap"].notna() & rows["base"].notna()
    free &= rows["player_id"].isin(listed)
    if not free.any():
        return
    values = pd.Series((rows["base"] + rows["gap"])[free].array, index=rows.loc[free, "player_id"])
    low, high = RATING_RANGE
    values = values[(values >= low) & (values <= high)]
    ratings = trials.rerun(trials.with_facts(inputs, "rating", values, "tried"))
    if ratings is None:
        return
    closes = free & _equal(rows["player_id"].map(ratings).astype("Int64"), rows["published"])
    judge.note(closes, "a base of " + rows["player_id"].map(values).astype("str") + " would give it")


def _equal(left: pd.Series, right: pd.Series) -> pd.Series:
    """Equal, where two nothings are equal."""
    return (left == right).fillna(False).astype("bool") | (left.isna() & right.isna())


def counts(rows: pd.DataFrame) -> dict[str, int]:
    """How many players each class has, in the order of CLASSES."""
    found = rows["class"].value_counts()
    return {name: int(found[name]) for name in CLASSES if name in found}


def text(rows: pd.DataFrame, title: str, players: int, shown: int = 3) -> str:
    """The summary: a line a class with its count, the first players of each; every unexplained one."""
    lines = [title, f"{players} players compared, {len(rows)} differ"]
    for name, count in counts(rows).items():
        lines.append(f"{count:>8}  {CLASSES[name]}")
        part = rows[rows["class"] == name]
        part = part if name == "unexplained" else part.head(shown)
        for row in part.itertuples():
            ours = "unrated" if pd.isna(row.ours) else row.ours
            theirs = "unrated" if pd.isna(row.published) else row.published
            why = "; ".join(part for part in (row.explanation, row.evidence) if part)
            lines.append(
                findings.printable(f"{'':>12}{row.player_id} {row.name}: {ours} here, {theirs} published: {why}")
            )
    return "\n".join(lines) + "\n"
