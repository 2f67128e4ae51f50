"""reports: report files and register -> tournaments, entries, results as reported; nothing dropped."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from ratingrun import coded, findings, periods, rulebooks
from ratingrun.formats import Report
from ratingrun.frames import TOURNAMENTS
from ratingrun.rulebooks import RuleBook
from ratingrun.rulebooks.shapes import Unchecked
from ratingrun.stages import codes
from ratingrun.stages.lists import Lists

PLAYED = ("1", "=", "0")
PLAUSIBLE_ID = r"^[0-9A-Za-z][0-9A-Za-z./_-]{0,15}$"  # letters and digits as federations use them
KEY = ["tournament_id", "part"]


@dataclass(frozen=True)
class Calendar:
    """The dates of one list: which events it may rate (7.1.3, 9.1). Days as datetime64."""

    period: str
    book: RuleBook

    @property
    def list_date(self) -> pd.Timestamp:
        return pd.Timestamp(periods.list_date(self.period))

    def closing(self, official: np.ndarray) -> np.ndarray:
        """The last day on which an event may end for this list."""
        rules = self.book.period
        days = np.where(official, rules.official_closing_days.value, rules.closing_days.value)
        return self.list_date.to_datetime64() - days.astype("timedelta64[D]")

    def first_list(self, end: pd.Series, official: np.ndarray) -> np.ndarray:
        """Month number of the first list that may rate an event that ends on `end`."""
        rules = self.book.period
        days = np.where(official, rules.official_closing_days.value, rules.closing_days.value)
        return self._list_after(end + pd.to_timedelta(days - 1, "D"))

    def last_list(self, end: pd.Series) -> np.ndarray:
        """Month number of the last list that may rate it: the third after its end (9.1); this one, if there is none."""
        lists = self.book.period.late_lists.number
        if lists is None:
            return np.full(len(end), periods.month_number(self.period))
        return self._list_after(end) + (lists - 1) * self.book.period.months.value

    def _list_after(self, day: pd.Series) -> np.ndarray:
        """Month number of the first list dated after `day`."""
        months = self.book.period.months.value
        number = periods.month_numbers(day)
        return number + months - (number - periods.month_number(self.period)) % months


def _at_hand(register: pd.DataFrame, reports: Sequence[Report]) -> pd.Series:
    """Whether the report of each registered part is at hand: the file, and in a collection the tournament."""
    found = register["file"].isin([report.file for report in reports])
    for report in reports:
        if report.collection:
            found &= (register["file"] != report.file) | register["tournament_id"].isin(
                report.entries["tournament_id"].unique()
            )
    return found


def build(
    register: pd.DataFrame,
    reports: Sequence[Report],
    calendar: Calendar,
    chapter: rulebooks.Chapter,
    lists: Lists,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`tournaments` from the register's rows (one rating type) whose report is at hand, and findings.

    Findings: R106 too long for one report, R108 no list of the start, R110 before the first book, R201 too late,
    R203 no time control, R301 waits.
    """
    read = pd.DataFrame(
        [(report.file, report.sha256, report.name, report.federation) for report in reports],
        columns=["file", "sha256", "report_name", "report_federation"],
        dtype="str",
    )
    rows = register[_at_hand(register, reports)].merge(read, on="file", validate="m:1")
    for name in ("name", "federation"):
        rows[name] = rows[name].fillna(rows[f"report_{name}"])
    rows["book"], rows["list_in_force"] = None, rows["start"]
    first = rulebooks.books(*chapter)[0].from_
    for start in rows["start"].drop_duplicates():
        here = rows["start"] == start
        day = max(start.date(), first)
        rows.loc[here, "list_in_force"] = pd.Timestamp(rulebooks.list_in_force(chapter, day))
        rows.loc[here, "book"] = rulebooks.in_force(chapter.system, day, chapter.folder).id
    unchecked = [book.id for book in rulebooks.books(*chapter) if isinstance(book.time_control, Unchecked)]
    rows["checks"] = ~rows["book"].isin(unchecked)
    status, found = _statuses(rows, calendar, lists, first)
    return TOURNAMENTS.build(rows.assign(status=status)), found


def _statuses(
    rows: pd.DataFrame, calendar: Calendar, lists: Lists, first_book: dt.date
) -> tuple[np.ndarray, pd.DataFrame]:
    rules, at = calendar.book.period, rows.drop(columns="line")
    official = rows["fide_official"].to_numpy(bool)
    now = periods.month_number(calendar.period)
    last = calendar.last_list(rows["end"])
    closing = calendar.closing(official)
    last_period = pd.Series(last, index=rows.index).map(periods.from_month_number).astype("str")
    deadline = pd.to_datetime(last_period + "-01")
    too_late = (last < now) | (rows["received"] > deadline).to_numpy()
    waiting = ~too_late & (rows["end"].to_numpy() > closing)
    used = ~too_late & ~waiting
    days = (rows["end"] - rows["start"]).dt.days
    too_long = used & (days > (rules.max_days.number or days.max())).to_numpy(bool)
    too_early = used & (rows["start"] < pd.Timestamp(first_book)).to_numpy()
    at_hand = rows["list_in_force"].isin([pd.Timestamp(day) for day in lists]).to_numpy()
    no_list = used & ~too_early & ~at_hand & ~too_long
    named = at.assign(
        days=days,
        closing=closing,
        last=[periods.from_month_number(number) for number in last],
        wanted=rows["list_in_force"].dt.strftime("%Y-%m"),
    )
    found = [
        findings.of("R201", named[too_late]),
        findings.of("R301", named[waiting]),
        findings.of("R106", named[too_long], limit=rules.max_days.value),
        findings.of("R110", named[too_early], first=str(first_book)),
        findings.of("R108", named[no_list]),
        findings.of("R203", named[used & rows["time_control"].isna().to_numpy() & rows["checks"].to_numpy()]),
        findings.rests_on(calendar.book, "period.max_days", too_long.sum()),
    ]
    return np.select([too_late, waiting], ["too_late", "waiting"], "used"), findings.join(found)


def late(tournaments: pd.DataFrame, rounds: pd.DataFrame, calendar: Calendar) -> pd.DataFrame:
    """R302 for each used part with rounds to rate now that an earlier list might have rated."""
    at = np.unique(codes.part(rounds, tournaments))
    rows = tournaments.take(at[at >= 0])
    first = calendar.first_list(rows["end"], rows["fide_official"].to_numpy(bool))
    names = [periods.from_month_number(number) for number in first]
    return findings.of("R302", rows.assign(first=names)[first < periods.month_number(calendar.period)])


def missing(register: pd.DataFrame, tournaments: pd.DataFrame, rated: pd.DataFrame, calendar: Calendar) -> pd.DataFrame:
    """R202 for each registered part that has ended, may still be rated, and has neither report nor rating."""
    known = pd.concat([tournaments[KEY], rated[KEY]], ignore_index=True)
    rows = register[codes.part(register, known) < 0]
    ended = rows["end"].to_numpy() <= calendar.closing(rows["fide_official"].to_numpy(bool))
    last = calendar.last_list(rows["end"])
    open_ = ended & (last >= periods.month_number(calendar.period))
    names = [periods.from_month_number(number) for number in last[open_]]
    return findings.of("R202", rows[open_].drop(columns="line").assign(last=names))


def rounds(register: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """R114 for each round with games that no registered part of its tournament covers."""
    whole = register.loc[register[["rounds_from", "rounds_to"]].isna().all(axis=1), "tournament_id"]
    limited = register.loc[~codes.isin(register["tournament_id"], whole), "tournament_id"]
    if limited.empty:
        return findings.none()
    rows = results[codes.isin(results["tournament_id"], limited)]
    played = rows[rows["result"].isin(PLAYED)].drop_duplicates(["tournament_id", "round", "part"])
    parts = register[["tournament_id", "rounds_from", "rounds_to"]]
    pairs = played.merge(parts, on="tournament_id")
    covered = (pairs["round"] >= pairs["rounds_from"].fillna(0)) & (pairs["round"] <= pairs["rounds_to"].fillna(9999))
    inside = pairs[covered.to_numpy(bool)].drop_duplicates(["tournament_id", "round"])[["tournament_id", "round"]]
    marked = played.merge(inside, on=["tournament_id", "round"], how="left", indicator=True)
    return findings.of("R114", marked[marked["_merge"] == "left_only"].drop(columns="line"))


def who(
    tournaments: pd.DataFrame,
    entries: pd.DataFrame,
    results: pd.DataFrame,
    ids: pd.Series,
    place: np.ndarray,
    facts: pd.DataFrame,
    left: pd.Index,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The unknown players of the used reports, and findings on who plays: R102, R103, R104, R105.

    Entries, results and `ids` as `located`; `place` is where these players stand on the prior list. Unknown: entries
    with games of players that are not on it and have not `left` it. An entry that played no game needs no id.
    """
    used = (tournaments["status"] == "used").to_numpy(bool)[entries["at"]]
    games = (results["result"].isin(PLAYED) & results["opponent_no"].notna()).to_numpy(bool)
    played = np.zeros(len(entries) + 1, bool)
    played[results["entry"].to_numpy()[games]] = True
    rows, played, who = entries[used], played[:-1][used], entries["who"].to_numpy()[used]
    plausible = np.append(is_plausible(ids), False)[who]
    listed = np.append(place >= 0, False)[who]
    nobody = rows[~plausible & played]
    unlisted = rows[plausible & played & ~listed]
    unlisted = unlisted[~codes.isin(unlisted["player_id"], left)]
    incomplete = _incomplete(unlisted, facts)
    found = [
        twice("R102", rows, ["at", "start_no"]),
        twice("R103", rows[who >= 0], ["at", "who"]),
        findings.of("R104", nobody.assign(value=nobody["player_id"]).drop(columns="player_id")),
        findings.of("R105", incomplete),
    ]
    return unlisted, findings.join(found)


def is_plausible(ids: pd.Series) -> np.ndarray:
    """Which texts can be a player's id: letters and digits as federations use them, and not only zeros."""
    texts = coded.arrow(ids)
    good, zeros = (pc.match_substring_regex(texts, pattern) for pattern in (PLAUSIBLE_ID, "^0+$"))
    return pc.fill_null(pc.and_not(good, zeros), False).to_numpy(zero_copy_only=False)


def _incomplete(unlisted: pd.DataFrame, facts: pd.DataFrame) -> pd.DataFrame:
    """The rows for which neither players nor the entry gives name, federation and birth year; `missing` says what."""
    told = facts.reindex(unlisted["player_id"]).set_axis(unlisted.index)
    missing = pd.Series("", index=unlisted.index, dtype="str")
    for name in ("name", "federation", "birth_year"):
        lacks = unlisted[name].isna() & told[name].isna()
        missing = missing.mask(lacks, missing + ", " + name)
    return unlisted.assign(missing=missing.str.removeprefix(", "))[missing != ""]


def newcomers(
    unknown: pd.DataFrame, tournaments: pd.DataFrame, facts: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The unknown players of the reports that are used in the end, one row each, as reported.

    Findings: a note R305 for each whom `facts` does not name.
    """
    rows = unknown.merge(tournaments.loc[tournaments["status"] == "used", KEY], on=KEY)
    rows = rows.sort_values([*KEY, "start_no"], kind="stable").drop_duplicates("player_id")
    new = rows[~codes.isin(rows["player_id"], facts.index[facts["name"].notna()])]
    return rows[["player_id", "name", "federation", "sex", "title", "birth_year"]], findings.of("R305", new)


def located(
    entries: pd.DataFrame, results: pd.DataFrame, tournaments: pd.DataFrame, others: pd.Series | None = None
) -> tuple[pd.DataFrame, pd.DataFrame, pd.Series]:
    """Entries and results with positions beside them, so that no text is looked up again; and the player ids.

    `at`: the part in `tournaments`; `who`: the player in the ids, which are sorted (those of `others` are among them);
    `entry`: the player's entry; `rival`: the opponent's. -1 is none.
    """
    everybody = pd.concat([entries["player_id"], others]) if others is not None else entries["player_id"]
    who, ids = codes.encode(everybody)
    entries = entries.assign(at=codes.part(entries, tournaments), who=who[: len(entries)])
    at = codes.part(results, tournaments)
    against = results["opponent_no"].to_numpy("int64", na_value=0)
    numbers = (entries["start_no"], results["start_no"], against)
    everybody, own, other = codes.joint((entries["at"], at, at), numbers)
    rival = np.where(against > 0, codes.match(other, everybody), codes.NONE)
    places = {"at": at, "entry": codes.match(own, everybody), "rival": rival}
    return entries, results.assign(**{name: codes.carried(place) for name, place in places.items()}), ids


def own_rounds(results: pd.DataFrame, tournaments: pd.DataFrame) -> tuple[pd.DataFrame, np.ndarray]:
    """The located results of the tournament parts that are used, own rounds only; and which rows of all they are."""
    at = results["at"].to_numpy()
    used = (tournaments["status"] == "used").to_numpy(bool)
    low, high = tournaments["rounds_from"].fillna(0), tournaments["rounds_to"].fillna(9999)
    low, high = (np.append(limit.to_numpy("int64"), 0)[at] for limit in (low, high))
    number = results["round"].to_numpy()
    own = (at >= 0) & np.append(used, False)[at] & (number >= low) & (number <= high)
    which = np.flatnonzero(own)
    return (results if len(which) == len(own) else results.take(which).reset_index(drop=True)), which


def twice(code: str, rows: pd.DataFrame, key: list[str]) -> pd.DataFrame:
    """A finding for each row whose key stood before (R102, R103)."""
    again = rows.duplicated(key)
    if not again.any():
        return findings.none()
    first = rows.groupby(key)["line"].transform("min")
    return findings.of(code, rows[again].assign(first=first[again]))


def reject(tournaments: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """The tournaments, with status rejected wherever a finding says that the report is not used."""
    errors = findings.rejections(found)
    if errors.empty:
        return tournaments
    named = pd.MultiIndex.from_frame(errors.loc[errors["tournament_id"].notna(), KEY])
    whole = errors.loc[errors["tournament_id"].isna(), "file"]
    hit = pd.MultiIndex.from_frame(tournaments[KEY]).isin(named) | tournaments["file"].isin(whole).to_numpy()
    # A report that is not rated on this list anyway is not judged yet.
    hit &= (tournaments["status"] == "used").to_numpy()
    return tournaments.assign(status=tournaments["status"].mask(hit, "rejected"))
