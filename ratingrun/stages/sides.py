"""sides: games + lists -> sides. Each played game seen from each player: rated, pooled or neither, and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ratingrun import coded, findings, formulas
from ratingrun.frames import SIDES
from ratingrun.rulebooks import RuleBook
from ratingrun.stages import clocks, codes, differences
from ratingrun.stages.lists import Lists, Places
from ratingrun.stages.reports import KEY

POINTS_C = {"1": 100, "+": 100, "W": 100, "=": 50, "D": 50}  # what a cell adds to a match score (6.2)
OUTCOMES = ("rated", "pool", "none")
COLOURS = ("b", "w")


def build(
    tournaments: pd.DataFrame,
    results: pd.DataFrame,
    games: pd.DataFrame,
    ids: pd.Series,
    lists: Lists,
    places: Places,
    prior_day: dt.date,
    left: pd.Index,
    books: Mapping[str, RuleBook],
    book: RuleBook,
    seeds: Lists | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """`sides` of the played games, and findings (a note for each side that is not rated, or by a special rule).

    Games as `games.build` makes them, with the players' positions in `ids`; `at`, `who` and `cell`, the row of
    `results`, stand beside the sides. `lists` are the lists in force at the starts and, of `prior_day`, the list just
    before (all corrected), and `places` say where the players stand on them; `left` the ids that left the list before
    it and stay away. `books` (by id) decide by the tournament's start, `book` by the list date. `seeds`, where the book
    takes ratings from another list, are the ratings (of all players who have one) by tournament start.
    """
    rows, opponent = _both_sides(games, ids, tournaments, books)
    who = rows["who"].to_numpy()
    at = rows["at"].to_numpy()
    tables = {day: _ratings_of(lists[day], places[day]) for day in lists}
    others = {day: _ratings_of(one, codes.place(ids, one["player_id"])) for day, one in (seeds or {}).items()}
    start, seeded = _ratings(tournaments, at, tables, others, who)
    r_opp, _ = _ratings(tournaments, at, tables, others, opponent)
    for name, values in (("r_start", start), ("seeded", seeded), ("r_opp", r_opp), ("r_prior", tables[prior_day][who])):
        _set(rows, name, values)
    gone = codes.isin(ids, left.to_series())[who]
    clocked, found = clocks.check(rows, tournaments, books)
    news = _classify(rows, tournaments, _decided(rows, tournaments, results), gone, clocked.index, books, book)
    _calculate(rows, books, book)
    found += [news, _notes(rows, tournaments, clocked)]
    return SIDES.build(rows, keep=("at", "who", "cell")), findings.join(found)


def _both_sides(
    games: pd.DataFrame, ids: pd.Series, tournaments: pd.DataFrame, books: Mapping[str, RuleBook]
) -> tuple[pd.DataFrame, np.ndarray]:
    """One row each player of each played game, in the order of `sides`; and each one's opponent (position in `ids`).

    `at` is the position of the part in `tournaments`, `book_at` that of its book in `books`."""
    played = np.flatnonzero(games["played"].to_numpy())
    white, black = games["white_who"].to_numpy()[played], games["black_who"].to_numpy()[played]
    who, opponent, game = np.append(white, black), np.append(black, white), np.append(played, played)
    part, round_ = games["at"].to_numpy()[game], games["round"].to_numpy()[game]
    order = np.argsort(codes.joint((part,), (round_,), (who,))[0], kind="stable")
    who, opponent, game, at, is_black = who[order], opponent[order], game[order], part[order], order >= len(played)
    score, line = games["white_c"].to_numpy("int64", na_value=0), games["white_line"].to_numpy()
    other = games["black_line"].to_numpy("int64", na_value=0)
    rows = {name: codes.take(games[name], game) for name in ("tournament_id", "part", "round", "file")}
    rows |= {name: codes.take(tournaments[name], at) for name in ("start", "end")}
    rows["book"] = codes.take(coded.coded(tournaments["book"]), at)
    people = coded.dtype_of(ids)
    rows |= {"player_id": coded.column(who, people), "opponent_id": coded.column(opponent, people)}
    rows["colour"] = coded.column((~is_black).astype("int8"), pd.Series(COLOURS, dtype="str"))
    rows["score_c"] = np.where(is_black, formulas.POINT - score[game], score[game])
    rows["line"] = np.where(is_black, other[game], line[game])
    rows["book_at"] = codes.place(tournaments["book"], pd.Series(list(books), dtype="str"))[at]
    cell = np.where(is_black, games["black_cell"].to_numpy()[game], games["white_cell"].to_numpy()[game])
    beside = {"at": codes.carried(at), "who": codes.carried(who), "cell": cell}
    return pd.DataFrame({**rows, **beside}, copy=False), opponent


def _set(rows: pd.DataFrame, name: str, values: np.ndarray | pd.api.extensions.ExtensionArray) -> None:
    """Sets a column without a copy of it."""
    rows[name] = pd.Series(values, copy=False)


def _ratings_of(rating_list: pd.DataFrame, place: np.ndarray) -> np.ndarray:
    """The ratings of players on a list by where they stand, 0 for the unrated and for who is not on it."""
    return np.append(rating_list["rating"].to_numpy("int64", na_value=0), 0)[place]


def _ratings(
    tournaments: pd.DataFrame,
    at: np.ndarray,
    tables: Mapping[dt.date, np.ndarray],
    others: Mapping[dt.date, np.ndarray],
    who: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Ratings on the list in force at the start of each row's event, 0 for the unrated; and which come from another
    list. `who` says whose, by position; `at` the positions of the events."""
    found = []
    for days, known in ((tournaments["list_in_force"], tables), (tournaments["start"], others)):
        ratings = np.zeros(len(at), "int64")
        for day, table in known.items():
            here = (days == pd.Timestamp(day)).to_numpy()
            ratings = table[who] if here.all() else np.where(here[at], table[who], ratings) if here.any() else ratings
        found.append(ratings)
    seeded = (found[0] == 0) & (found[1] > 0)
    return np.where(seeded, found[1], found[0]) if seeded.any() else found[0], seeded


def _decided(rows: pd.DataFrame, tournaments: pd.DataFrame, results: pd.DataFrame) -> np.ndarray:
    """Whether one player of a match of fixed length had more than half of its points before the round (6.2).

    All rounds of the report count, forfeits too. approvals=play_on waives the rule.
    """
    fixed = (tournaments["system"] == "match") & tournaments["match_games"].notna()
    fixed &= ~tournaments["approvals"].fillna("").str.contains(r"\bplay_on\b")
    decided = fixed.to_numpy(bool)[rows["at"]]
    if not decided.any():
        return decided
    matches = rows[decided].merge(tournaments[[*KEY, "match_games"]], on=KEY)
    cells = results.merge(matches[KEY].drop_duplicates(), on=KEY).sort_values("round", kind="stable")
    cells["points"] = cells["result"].astype("str").map(POINTS_C).fillna(0).astype("int64")
    player = cells.groupby([*KEY, "start_no"])["points"]
    cells["before"] = player.cumsum() - cells["points"]
    best = cells.groupby([*KEY, "round"])["before"].max().rename("before").reset_index()
    ahead = matches[[*KEY, "round"]].merge(best, on=[*KEY, "round"], how="left")["before"].fillna(0)
    half = matches["match_games"].to_numpy("int64") * (formulas.POINT // 2)
    decided[decided] = ahead.to_numpy("int64") > half
    return decided


def _classify(
    rows: pd.DataFrame,
    tournaments: pd.DataFrame,
    decided: np.ndarray,
    gone: np.ndarray,
    bad_clock: np.ndarray,
    books: Mapping[str, RuleBook],
    book: RuleBook,
) -> pd.DataFrame:
    """Sets outcome, reason and r (0: none) of each side, the first rule that applies; returns B301 notes."""
    start, opponent, prior = (rows[name].to_numpy() for name in ("r_start", "r_opp", "r_prior"))
    clocked = np.zeros(len(rows), bool)
    clocked[bad_clock] = True
    unrated_match, decided = _match_rules(rows, tournaments, decided, books)
    far = differences.too_far_apart(rows, books)
    pooled_when_fallen = book.period.rated_at_start_only.value == "pool"
    cases = {
        "time_control": (clocked, "none"),
        "match_unrated": (unrated_match, "none"),
        "match_decided": (decided, "none"),
        "opponent_unrated": (opponent == 0, "none"),
        "too_far_apart": (far, "none"),
        "left_list": (gone & (prior == 0), "none"),
        "": ((start > 0) & (prior > 0), "rated"),
        "one_sided": ((start == 0) & (prior > 0), "rated"),
        "seeded": (rows["seeded"].to_numpy(), "rated"),
        "rated_at_start_only": (start > 0, "pool" if pooled_when_fallen else "none"),
    }
    # The case of each side; none of them: a game of the unrated against the rated, pooled.
    case = np.select([mask for mask, _ in cases.values()], range(len(cases)), len(cases))
    outcomes = [*(outcome for _, outcome in cases.values()), "pool"]
    rows["outcome"] = codes.words(outcomes, case)
    rows["reason"] = codes.words([*cases, ""], case)
    _set(rows, "is_rated", np.array([outcome == "rated" for outcome in outcomes])[case])
    number = {name: place for place, name in enumerate(cases)}
    one_sided = case == number["one_sided"]
    _set(rows, "r", np.where(one_sided, prior, start))
    later = {
        "period.one_sided_rating": one_sided.sum(),
        "period.rated_at_start_only": (case == number["rated_at_start_only"]).sum(),
    }
    found = [_rests_on(rows, books, "match.decided", decided)]
    found += [findings.rests_on(book, key, count) for key, count in later.items()]
    return findings.join([*found, _limits(rows, books, book)])


def _limits(rows: pd.DataFrame, books: Mapping[str, RuleBook], book: RuleBook) -> pd.DataFrame:
    """Sets d; returns B301 notes on whose rating and which day's book decided it."""
    rated = rows["is_rated"].to_numpy()
    r, prior = rows["r"].to_numpy("int64"), rows["r_prior"].to_numpy("int64")
    d = differences.limited(rows, rated, books, r)
    _set(rows, "d", d)
    counts = {}
    if (rows["book"] != book.id).any():
        today = np.zeros_like(r)
        today[rated] = differences.by_book(rows, rated, book, r[rated])
        counts["game.effective_by"] = rated & (d != today)
    if (rated & (r != prior)).any():
        counts["game.own_rating"] = rated & (d != differences.limited(rows, rated, books, prior))
    return findings.join(_rests_on(rows, books, key, mask) for key, mask in counts.items())


def _rests_on(rows: pd.DataFrame, books: Mapping[str, RuleBook], key: str, mask: np.ndarray) -> pd.DataFrame:
    """B301 for each book of a tournament's start by which one of these sides was decided."""
    counts = np.bincount(rows["book_at"].to_numpy()[mask], minlength=len(books))
    return findings.join(findings.rests_on(books[name], key, n) for name, n in zip(books, counts, strict=True))


def _match_rules(
    rows: pd.DataFrame, tournaments: pd.DataFrame, decided: np.ndarray, books: Mapping[str, RuleBook]
) -> tuple[np.ndarray, np.ndarray]:
    refuse = np.array([one.match.with_unrated.value == "not_rated" for one in books.values()])
    stop = np.array([one.match.decided.value == "more_than_half" for one in books.values()])
    match, book_at = (tournaments["system"] == "match").to_numpy(bool)[rows["at"]], rows["book_at"].to_numpy()
    unrated = ((rows["r_start"] == 0) | (rows["r_opp"] == 0)).to_numpy()
    return match & unrated & refuse[book_at], match & decided & stop[book_at]


def _calculate(rows: pd.DataFrame, books: Mapping[str, RuleBook], book: RuleBook) -> None:
    """Sets d_true, d, pd_c, dr_c and scale of the rated sides, and makes ratings of the unrated null.

    One scale for the whole month, so that sums are exact: the finest of its books.
    """
    rated = rows["is_rated"].to_numpy()
    r, r_opp = rows["r"].to_numpy("int64"), rows["r_opp"].to_numpy("int64")
    used = [one for one, n in zip(books.values(), np.bincount(rows["book_at"], minlength=len(books)), strict=True) if n]
    scale = max(book.scale, *(one.scale for one in used), formulas.POINT)
    pd_c = differences.expected(rows, rated, books, scale)
    dr_c = rows["score_c"].to_numpy("int64") * (scale // formulas.POINT) - pd_c
    columns = {"d_true": r - r_opp, "d": rows["d"].to_numpy(), "pd_c": pd_c, "dr_c": dr_c, "scale": scale + 0 * r}
    for column, value in columns.items():
        _set(rows, column, codes.narrow(value, ~rated))
    _set(rows, "r", codes.narrow(r, r == 0))
    _set(rows, "r_opp", codes.narrow(r_opp, r_opp == 0))


def _notes(rows: pd.DataFrame, tournaments: pd.DataFrame, clocked: pd.DataFrame) -> pd.DataFrame:
    reasons = {
        "opponent_unrated": "S301",
        "match_unrated": "S303",
        "match_decided": "S304",
        "one_sided": "S305",
        "rated_at_start_only": "S306",
        "left_list": "S307",
        "too_far_apart": "S312",
    }
    found = [findings.of(code, rows[(rows["reason"] == reason).to_numpy(bool)]) for reason, code in reasons.items()]
    out = rows.loc[clocked.index].assign(**clocked)
    out["time_control"] = codes.take(tournaments["time_control"], out["at"].to_numpy()).array
    out = out[(out["reason"] == "time_control").to_numpy(bool)]
    for clock, code in {"short": "S302", "unequal": "S310", "outside": "S311"}.items():
        found.append(findings.of(code, out[(out["clock"] == clock).to_numpy(bool)]))
    control = out[out["clock"] == "control"].drop(columns="needed").rename(columns={"needed_moves": "needed"})
    seeded = rows[(rows["reason"] == "seeded").to_numpy(bool)].drop_duplicates(["player_id", *KEY])
    return findings.join([*found, findings.of("S308", control), findings.of("S309", seeded)])


def seeds(rows: pd.DataFrame) -> pd.DataFrame:
    """The players who enter the list with a rating of another list: player_id, rating, start of their first event.

    Of several events of the period the first by first day and id gives the base (A12).
    """
    seeded = coded.plain_frame(rows[(rows["reason"] == "seeded").to_numpy(bool)])
    seeded = seeded.sort_values(["start", "tournament_id", "part"], kind="stable")
    first = seeded.drop_duplicates("player_id")[["player_id", "r", "start", "tournament_id"]]
    return first.rename(columns={"r": "rating"}).sort_values("player_id", ignore_index=True)
