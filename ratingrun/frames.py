"""Every frame and every column of ratingrun, declared once. What a declaration means and checks: contract.py."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pyarrow as pa

from ratingrun.contract import CODE, DAY, FLAG, I16, I32, REAL, TEXT, Column, Frame
from ratingrun.rulebooks.words import POOLS

SCHEMA_VERSION = 2  # of manifests: 2 has the content hash of content_hash.py
RATING_TYPES = ("standard", "rapid", "blitz")
SYSTEMS = ("swiss", "round_robin", "team", "match")
RATING_RANGE = (1, 3999)  # a plausible rating of any list; the floor is a matter of the rule book
BIRTH_RANGE = (1850, 2100)
FINEST = 10000  # parts of a point, at most

# --- columns that stand in several frames -----------------------------------------------------------------------------

_PLAYER = Column("player_id", TEXT, "the federation's or FIDE's id of the player; text, leading zeros kept")
_TOURNAMENT = Column("tournament_id", TEXT, "the tournament's id in the register")
_PART = Column("part", I16, "the part of a tournament that is reported in parts (a league's month); else 1", low=1)
_ROUND = Column("round", I16, "the round, counted over all parts of the tournament", low=1, high=999)
_START_NO = Column("start_no", I16, "the player's starting number in the report", low=1, high=9999)
_FILE = Column("file", CODE, "the input file, as the register names it")
_LINE = Column("line", I32, "the line of that file, from 1", low=0)
_START = Column("start", DAY, "first day of the tournament part: it picks the list in force and the book of its games")
_END = Column("end", DAY, "last day of the tournament part: it decides the first list that may rate it (7.1.3)")
_PERIOD = Column("period", CODE, "the list, YYYY-MM, for which it was rated")
_BOOK = Column("book", CODE, "id of the rule book that decided")
_N = Column("n", I16, "rated games", "games", low=0)
_W = Column("w_c", I32, "score", "hundredths of a point", low=0)
_WE = Column("we_c", I32, "expected score: the sum of PD", "hundredths of a point, or see scale", low=0)
_DR = Column("dr_c", I32, "score minus expected score", "hundredths of a point, or see scale")
_SCALE = Column("scale", I16, "parts of a point in we_c, dr_c and change_c: 100 = hundredths", "", 100, FINEST)
_NAME = Column("name", TEXT, "the player's name: for people, never a key")
_REASON = Column("reason", CODE, "why it is not rated; null if it is", null=True)


def _rating(name: str, text: str, null: bool = False) -> Column:
    return Column(name, I16, text, "rating points", *RATING_RANGE, null=null)


def _identity(null: bool) -> tuple[Column, ...]:
    return (
        Column("federation", CODE, "three letters", null=null),
        Column("sex", CODE, "m or w; null if it was never said", null=True, vocabulary=("m", "w")),
        Column("title", CODE, "GM IM FM CM WGM WIM WFM WCM, or as given", null=True),
        Column("birth_year", I16, "year of birth; null if unknown", "year", *BIRTH_RANGE, null=True),
    )


def _frame(name: str, text: str, key: str, *columns: Column, coded: tuple[pa.DataType, ...] = ()) -> Frame:
    """`coded`: the types of text that are coded in memory; if all are, it is a tall frame."""
    tall = coded == (TEXT, CODE)
    columns = tuple(replace(one, coded=one.type in coded, narrow=tall) for one in columns)
    return Frame(name, text, tuple(key.split()), columns)


# --- inputs that people write -----------------------------------------------------------------------------------------

REGISTER = _frame(
    "register",
    "a row a tournament part: what a report cannot say of itself",
    "tournament_id part",
    _TOURNAMENT,
    _PART,
    _FILE,
    Column("name", TEXT, "the tournament's name", null=True),
    Column("federation", CODE, "the federation that registered it", null=True),
    Column("rating_type", CODE, "the list that it is rated on", vocabulary=RATING_TYPES),
    Column("system", CODE, "how it is played: decides which special rules apply", vocabulary=SYSTEMS),
    _START,
    _END,
    Column("received", DAY, "the day the report came in (9.1)", null=True),
    Column(
        "time_control", TEXT, "minutes+seconds a move: 90+30 or 40/90+30:30+30; unequal clocks: 10+5|5+5", null=True
    ),
    Column("rounds_from", I16, "first round of this part; empty: the report's first", null=True, low=1, high=999),
    Column("rounds_to", I16, "last round of this part; empty: the report's last", null=True, low=1, high=999),
    Column("match_games", I16, "scheduled games of a match of fixed length (6.2)", "games", 1, 999, null=True),
    Column("fide_official", FLAG, "an official FIDE event: it may end as late as the day before the list (7.1.3)"),
    Column("approvals", TEXT, "words for exceptions granted: fast_classic, play_on, distinct", null=True),
    Column("line", I32, "the line of the register", low=0),
)
PLAYERS = _frame(
    "players",
    "dated facts about players: a row sets its filled cells from its date on; an unknown id is a new player",
    "player_id date line",
    _PLAYER,
    Column("date", DAY, "the day from which the row holds"),
    Column("name", TEXT, "the player's name", null=True),
    *_identity(null=True),
    Column("w_title", CODE, "women's title", null=True),
    Column("o_title", TEXT, "other titles, comma separated (arbiter, trainer)", null=True),
    Column("foa_title", CODE, "arena title", null=True),
    Column(
        "status",
        CODE,
        "withdrawn and deceased leave the list; active comes back",
        null=True,
        vocabulary=("active", "withdrawn", "deceased"),
    ),
    Column("merged_into", TEXT, "the player whose second id this is: from its date on they are one", null=True),
    Column("source", TEXT, "where the fact comes from", null=True),
    Column("line", I32, "the line of players.csv", low=0),
)
CORRECTIONS = _frame(
    "corrections",
    "an explicit change to one field of one player on one dated list, wherever that list is read",
    "player_id rating_type list_date field",
    _PLAYER,
    Column("rating_type", CODE, "the list's type", vocabulary=RATING_TYPES),
    Column("list_date", DAY, "the day of the list that is patched"),
    Column("field", CODE, "a column of rating_list"),
    Column("value", TEXT, "the right value; empty: unrated, none", null=True),
    Column("reason", TEXT, "why"),
    Column("source", TEXT, "on whose word"),
    Column("line", I32, "the line of corrections.csv", low=0),
)
ALIASES = _frame(
    "aliases",
    "ids in reports that stand for a player's id: national numbers, old ids",
    "alias",
    Column("alias", TEXT, "the id as reports have it"),
    _PLAYER,
    Column("reason", TEXT, "why"),
    Column("source", TEXT, "on whose word"),
    Column("line", I32, "the line of aliases.csv", low=0),
)
EXCLUSIONS = _frame(
    "exclusions",
    "games taken out by decision: of a tournament, of a round, of a player, or one game",
    "line",
    _TOURNAMENT,
    Column("round", I16, "the round; empty: all", null=True, low=1, high=999),
    Column("player_id", TEXT, "one of the two players; empty: all", null=True),
    Column("reason", TEXT, "why: fair play, force majeure, claim ..."),
    Column("line", I32, "the line of exclusions.csv", low=0),
)

# --- stages -----------------------------------------------------------------------------------------------------------

TOURNAMENTS = _frame(
    "tournaments",
    "a row a tournament part of this run: what it is and whether it is used",
    "tournament_id part",
    _TOURNAMENT,
    _PART,
    Column("name", TEXT, "the tournament's name", null=True),
    Column("federation", CODE, "the federation that registered it", null=True),
    *(column for column in REGISTER.columns if column.name in ("rating_type", "system", "start", "end", "received")),
    Column("time_control", TEXT, "as registered; null: not checked", null=True),
    *(column for column in REGISTER.columns if column.name in ("rounds_from", "rounds_to")),
    *(column for column in REGISTER.columns if column.name in ("match_games", "fide_official", "approvals")),
    Column("list_in_force", DAY, "day of the list in force at the start: its ratings count in the games"),
    _BOOK,
    Column(
        "status",
        CODE,
        "used, or waiting for the next list, too_late ever to be rated, rejected",
        vocabulary=("used", "waiting", "too_late", "rejected"),
    ),
    _FILE,
    Column("sha256", TEXT, "hash of the report file"),
)
ENTRIES = _frame(
    "entries",
    "a row a player of a report, as reported; only a rejected report has a starting number twice",
    "tournament_id part start_no line",
    _TOURNAMENT,
    _PART,
    _START_NO,
    Column("player_id", TEXT, "the player's id as reported; null if none", null=True),
    Column("name", TEXT, "as reported", null=True),
    *_identity(null=True),
    Column("reported_rating", I16, "the rating in the report: kept beside what is used, never used", null=True),
    _FILE,
    _LINE,
)
RESULTS = _frame(
    "results",
    "a row a cell of a report (a player's round), as reported; nothing dropped",
    "tournament_id part start_no round line",
    _TOURNAMENT,
    _PART,
    _START_NO,
    _ROUND,
    Column("opponent_no", I16, "the opponent's starting number; null if none", null=True, low=0, high=9999),
    Column("colour", CODE, "w or b; null if none", null=True, vocabulary=("w", "b")),
    Column(
        "result",
        CODE,
        "the code as written: 1 = 0 played, + - forfeit, W D L, H F U Z, * not finished; empty: no pairing",
    ),
    Column(
        "declared",
        CODE,
        "what the report says of an empty cell elsewhere: H F Z U + - (TRF26 240, 320, 330)",
        null=True,
    ),
    _FILE,
    _LINE,
    coded=(TEXT, CODE),
)
GAMES = _frame(
    "games",
    "a row a game or bye: two half-records become one game, played, or the reason why not",
    "tournament_id part round white_no black_no",
    _TOURNAMENT,
    _PART,
    _ROUND,
    Column("white_no", I16, "starting number of White, or of the player with a bye", low=1),
    Column("black_no", I16, "starting number of Black; null: one side only", null=True, low=1),
    Column("white_id", TEXT, "player id of White", null=True),
    Column("black_id", TEXT, "player id of Black", null=True),
    Column("white_c", I16, "White's score: 0, 50, 100; null if not played", "hundredths", 0, 100, null=True),
    Column("played", FLAG, "played over the board, and counted"),
    Column("reason", CODE, "why it does not count: forfeit, bye, absent, exclusion ...; null if played", null=True),
    _FILE,
    Column("white_line", I32, "the report's line of White", low=0),
    Column("black_line", I32, "the report's line of Black", null=True, low=0),
    coded=(TEXT, CODE),
)
SIDES = _frame(
    "sides",
    "a row each player of each played game: rated, pooled or neither, and why",
    "tournament_id part round player_id",
    _TOURNAMENT,
    _PART,
    _ROUND,
    _PLAYER,
    Column("opponent_id", TEXT, "the opponent's id"),
    _START,
    _END,
    Column("colour", CODE, "w or b", vocabulary=("w", "b")),
    Column("score_c", I16, "0, 50 or 100", "hundredths of a point", 0, 100),
    _rating("r", "own rating in the game: of the list in force at the start (8.2.4: of the prior list)", null=True),
    _rating("r_opp", "the opponent's rating on the list in force at the start", null=True),
    Column("d_true", I16, "r - r_opp", "rating points", null=True),
    Column("d", I16, "the difference after the 400-point rule (8.3.1)", "rating points", null=True),
    Column(
        "pd_c",
        I16,
        "scoring probability by table 8.1.2, or by the book's curve",
        "hundredths of a point, or see scale",
        0,
        FINEST,
        null=True,
    ),
    Column("dr_c", I16, "score - PD", "hundredths of a point, or see scale", -FINEST, FINEST, null=True),
    Column(
        "scale",
        I16,
        "parts of a point in pd_c and dr_c: 100, hundredths, but for a book with a curve",
        "parts of a point",
        100,
        FINEST,
        null=True,
    ),
    _BOOK,
    Column("outcome", CODE, "rated, pool (counts to a first rating), none", vocabulary=("rated", "pool", "none")),
    Column("reason", CODE, "why neither; or the special rule by which it is rated (one_sided) or pooled", null=True),
    _FILE,
    _LINE,
    coded=(TEXT, CODE),
)
CELLS = _frame(
    "cells",
    "a row a reported cell: where it ended. Nothing is lost is checked on this frame",
    "tournament_id part start_no round line",
    _TOURNAMENT,
    _PART,
    _START_NO,
    _ROUND,
    Column("player_id", TEXT, "the player's id", null=True),
    Column("outcome", CODE, "rated, pool, none", vocabulary=("rated", "pool", "none")),
    Column("reason", CODE, "why it is neither rated nor pooled", null=True),
    _FILE,
    _LINE,
    coded=(TEXT, CODE),
)
EVENT_CHANGES = _frame(
    "event_changes",
    "a row a rated player and tournament part: its share of the change",
    "player_id tournament_id part",
    _PLAYER,
    _TOURNAMENT,
    _PART,
    _N,
    _W,
    _WE,
    _DR,
    Column("k", I16, "K used, after the K x n rule", low=1),
    Column("change_c", I32, "K x dr_c", "hundredths of a point, or see scale"),
    _SCALE,
)
CHANGES = _frame(
    "changes",
    "a row a rated player with games: from Ro to Rn",
    "player_id",
    _PLAYER,
    _N,
    _W,
    _WE,
    _DR,
    _rating("rc", "average of the opponents' ratings, for people"),
    _rating("ro", "rating on the list just before, to which the change is added"),
    Column("k_base", I16, "K published on the list just before", low=1),
    Column("k", I16, "K used: k_base, or the largest whole K with K x n within the limit (8.3.3)", low=1),
    Column("k_clause", CODE, "clause and row of the book that gave K"),
    Column("change_c", I32, "K x the sum of score - PD", "hundredths of a point, or see scale"),
    _SCALE,
    Column("change", I16, "rounded once, .5 away from zero (8.3.4)", "rating points"),
    Column("rn", I16, "ro + change, before the floor", "rating points"),
)
INITIALS = _frame(
    "initials",
    "a row an unrated player with pooled games: first rating, or why not yet (8.2)",
    "player_id",
    _PLAYER,
    _N,
    _W,
    Column("ra_c", I32, "average rating of the opponents, with the book's added draws", "hundredths", null=True),
    Column("p_c", I16, "share of the points, two decimals", "hundredths", 0, 100, null=True),
    Column("dp", I16, "table 8.1.1", "rating points", null=True),
    _rating("ru", "initial rating after the cap", null=True),
    Column(
        "outcome",
        CODE,
        "published, too_few_games, below_floor, no_score (all games in a dropped first event)",
        vocabulary=("published", "too_few_games", "below_floor", "no_score"),
    ),
)
POOL = _frame(
    "pool",
    "a row a pooled game of an unrated player; rows with status carried or zero_event go on to the next list",
    "player_id tournament_id part round",
    _PLAYER,
    _TOURNAMENT,
    _PART,
    _ROUND,
    Column("opponent_id", TEXT, "the opponent's id"),
    _rating("r_opp", "the opponent's rating in the game"),
    Column("score_c", I16, "0, 50 or 100", "hundredths of a point", 0, 100),
    _START,
    _END,
    _PERIOD,
    Column("expires", CODE, "the last list, YYYY-MM, that may use it (26 periods)"),
    Column(
        "status",
        CODE,
        "carried on; used in a first rating on this list; zero_event: a dropped first event; expired; removed",
        vocabulary=("carried", "used", "zero_event", "expired", "removed"),
    ),
)
RATED = _frame(
    "rated",
    "a row a round of a tournament part that was ever rated, so that nothing is rated twice",
    "tournament_id part round",
    _TOURNAMENT,
    _PART,
    _ROUND,
    _START,
    Column("fingerprint", TEXT, "sha256 of the round's played games as reported"),
    _PERIOD,
)
RATING_LIST = _frame(
    "rating_list",
    "a row a player: the published list (7.1.2) and the facts that the next one needs",
    "player_id",
    _PLAYER,
    _NAME,
    *_identity(null=False)[:1],
    *_identity(null=True)[1:3],
    Column("w_title", CODE, "women's title", null=True),
    Column("o_title", TEXT, "other titles, comma separated", null=True),
    Column("foa_title", CODE, "arena title", null=True),
    _identity(null=True)[3],
    _rating("rating", "published rating; null: unrated", null=True),
    Column("k", I16, "K for the next period, before the K x n rule; null if unrated", low=1, null=True),
    Column("k_clause", CODE, "clause and row of the book that gave K", null=True),
    Column("games", I16, "rated games in the period; on a first list the games of the first rating", low=0),
    Column("games_total", I32, "rated games on this list ever, first-rating games included", low=0),
    _rating("peak", "highest rating ever published on this list", null=True),
    Column("last_played", DAY, "day of the newest list that counted a game of the player", null=True),
    Column("active", FLAG, "a game within the book's number of lists (7.2.3)"),
    coded=(CODE,),
)
TRAIL = _frame(
    "trail",
    "the ledger: prior rating + the sum of amounts = next rating, for each player (unrated counts as 0)",
    "player_id seq",
    _PLAYER,
    Column("seq", I16, "order of the player's entries", low=1),
    Column(
        "entry",
        CODE,
        "what moved the rating",
        vocabulary=("correction", "change", "initial", "one_off", "floor", "removed", "seed", "merge"),
    ),
    Column("amount", I16, "added to the rating", "rating points"),
    Column("before", I16, "rating before the entry; null: unrated", "rating points", null=True),
    Column("after", I16, "rating after the entry; null: unrated", "rating points", null=True),
    _BOOK,
    Column("clause", CODE, "clause of the book, or the input that decided"),
    Column("source", TEXT, "where to look: tournaments, corrections line, on whose word"),
)
# --- US Chess: the second engine. Floats by its specification; a tournament is an event, a part is a section ----------

_POOL = Column("pool", CODE, "the pool", vocabulary=POOLS)
_MEMBER = Column("player_id", TEXT, "the member's id; text, leading zeros kept")
_EVENT = Column("tournament_id", TEXT, "the event's id")
_SECTION = Column("part", I16, "the section's number", low=1)
_FIRST = Column("start", DAY, "first day of the section: it picks the rule book")
_LAST = Column("end", DAY, "last day of the section: it decides the order of rating and the list")


def _real(name: str, text: str, unit: str = "rating points", null: bool = True, low: int | None = None) -> Column:
    return Column(name, REAL, text, unit, low, RATING_RANGE[1] if low == RATING_RANGE[0] else None, null)


SECTIONS = _frame(
    "sections",
    "a row a section: what a report cannot say of itself (the US Chess upload set says it all)",
    "tournament_id part",
    _EVENT,
    _SECTION,
    _FILE,
    Column("name", TEXT, "the section's name", null=True),
    _FIRST,
    _LAST,
    Column("time_control", TEXT, "G/60;d5, 40/90,SD/30;+30, or 60+5; empty: see rated_as", null=True),
    Column(
        "rated_as",
        CODE,
        "the class, if the time control does not say it",
        null=True,
        vocabulary=("regular", "dual", "quick", "blitz"),
    ),
    Column("place", CODE, "over the board, or online", vocabulary=("otb", "online")),
    Column(
        "kind",
        CODE,
        "match: two players only; fide, fide_youth: a foreign FIDE event, whose opponents count by their FIDE ratings",
        vocabulary=("swiss", "round_robin", "match", "fide", "fide_youth"),
    ),
    Column("line", I32, "the line of sections.csv", low=0),
)
MEMBERS = _frame(
    "members",
    "dated facts about members: a row sets its filled cells; the newest row that is not after the list counts",
    "player_id date line",
    _MEMBER,
    Column("date", DAY, "the day of the facts; of a FIDE or CFC rating, the rating's date"),
    Column("name", TEXT, "the member's name", null=True),
    Column("birth_date", DAY, "for the start rating by age", null=True),
    Column("adult", CODE, "whether the membership implies an adult", null=True, vocabulary=("yes", "no")),
    Column("fide", I16, "FIDE rating on that day", "rating points", *RATING_RANGE, null=True),
    Column("cfc", I16, "CFC rating on that day", "rating points", *RATING_RANGE, null=True),
    _real("start", "start rating given by the office, in place of the computed one", low=RATING_RANGE[0]),
    Column("start_n", I16, "games that it counts for", "games", 0, 50, null=True),
    Column("source", TEXT, "where the fact comes from", null=True),
    Column("line", I32, "the line of members.csv", low=0),
)
FLOORS = _frame(
    "floors",
    "floors and ceilings by decision, a row each, from a day on",
    "player_id pool date kind",
    _MEMBER,
    _POOL,
    Column("date", DAY, "sections that end on this day or later have it"),
    Column(
        "kind",
        CODE,
        "floor: set by the office; lowered: points off the floor of the highest rating; ceiling; prize: value is the "
        "limit of the class won; life_master",
        vocabulary=("floor", "lowered", "ceiling", "prize", "life_master"),
    ),
    Column("value", I16, "rating points; none for life_master", "rating points", 0, 3999, null=True),
    Column("amount", I32, "of a prize", "dollars", low=0, null=True),
    Column("reason", TEXT, "why"),
    Column("source", TEXT, "on whose word"),
    Column("line", I32, "the line of floors.csv", low=0),
)
US_SECTIONS = _frame(
    "us_sections",
    "a row a section of this run, re-rated ones too: what it is and whether it is used",
    "tournament_id part",
    _EVENT,
    _SECTION,
    Column("name", TEXT, "the section's name", null=True),
    _FIRST,
    _LAST,
    Column("time_control", TEXT, "as reported", null=True),
    *(column for column in SECTIONS.columns if column.name in ("rated_as", "place", "kind")),
    Column("pools", CODE, "the pools that rate it, with a blank between; null: none", null=True),
    Column("dual", FLAG, "rated in two pools: K of high ratings is reduced in the first, as the book says"),
    _BOOK,
    Column(
        "status",
        CODE,
        "used; waiting for the next list; too_late: before the first list; already_rated, with the same content; "
        "rejected",
        vocabulary=("used", "waiting", "too_late", "already_rated", "rejected"),
    ),
    Column(
        "why",
        CODE,
        "new; late or corrected: the sections after it are rated again; again: rated before, rated once more",
        vocabulary=("new", "late", "corrected", "again"),
    ),
    _FILE,
    Column("sha256", TEXT, "hash of the report file"),
)
US_SIDES = _frame(
    "us_sides",
    "a row each player of each played game and pool: what it was rated with, or why it is not",
    "tournament_id part pool round player_id",
    _EVENT,
    _SECTION,
    _POOL,
    _ROUND,
    _MEMBER,
    Column("opponent_id", TEXT, "the opponent's id"),
    _real("score", "0, 0.5 or 1", "points", null=False),
    _real("r", "own rating before the section, or the start value"),
    _real("r_first", "the opponent's strength in the first pass (step 4)"),
    _real("r_opp", "the opponent's strength in the second pass (step 5): after step 4"),
    _real("expected", "expected score by the standard formula, if that rates the player", "points"),
    Column("outcome", CODE, "rated, or none", vocabulary=("rated", "none")),
    Column("reason", CODE, "why not", null=True),
)
US_STEPS = _frame(
    "us_steps",
    "a row a player, section and pool: the five steps",
    "tournament_id part pool player_id",
    _EVENT,
    _SECTION,
    _POOL,
    _MEMBER,
    Column("seq", I32, "place of the section in the order of rating", low=1),
    Column("start_by", CODE, "of an unrated player: age, blend or given; null: rated", null=True),
    _real("before", "rating before the section, or the start value (step 1)", null=False),
    _real("n_before", "games before the section, or those of the start value", "games", null=False),
    _real("n_eff", "effective games (step 2)", "games", null=False),
    Column("formula", CODE, "of steps 4 and 5", vocabulary=("special", "standard")),
    Column("m", I16, "rated games in the section", "games", low=1),
    _real("score", "score of these games", "points", null=False),
    _real("expected", "expected score, standard formula", "points"),
    _real("k", "K, standard formula"),
    _real("gain", "K x (score - expected)"),
    _real("bonus", "bonus"),
    _real("first_look", "a newcomer's strength for step 4 (step 3)"),
    _real("middle", "after the first pass (step 4)", null=False),
    _real("final", "after the second pass (step 5), not below the absolute floor", null=False),
    _real("limited", "after the limits of matches", null=False),
    _real("floor", "the floor that holds", null=False),
    _real("rating", "the new rating, after floor and ceiling", null=False),
    _BOOK,
)
US_STATE = _frame(
    "us_state",
    "a row a player and pool: exact, after the last section; what the next list starts from",
    "player_id pool",
    _MEMBER,
    _POOL,
    _real("rating", "the exact rating", null=False, low=RATING_RANGE[0]),
    _real("n", "rated games ever", "games", null=False, low=0),
    _real("wins", "won", "games", null=False, low=0),
    _real("draws", "drawn", "games", null=False, low=0),
    _real("losses", "lost", "games", null=False, low=0),
    _real("events", "sections with at least three rated games", "sections", null=False, low=0),
    _real("peak", "highest established rating; 0: none", null=False, low=0),
    _real("floor", "a floor taken over with an adopted list; 0: none", null=False, low=0),
    _real("ceiling", "a ceiling taken over with an adopted list", low=RATING_RANGE[0]),
    _real("cut", "points off the floor of the highest rating, from matches", null=False, low=0),
    Column("last_rated", DAY, "last day of the newest section rated", null=True),
)
US_LIST = _frame(
    "us_list",
    "a row a player and pool: the published list, rounded",
    "player_id pool",
    _MEMBER,
    _POOL,
    Column("name", TEXT, "the member's name: for people, never a key", null=True),
    Column("rating", I16, "published rating", "rating points", 1, 3999),
    Column("established", FLAG, "rests on more than 25 games; else provisional"),
    Column("n", I32, "rated games ever", "games", low=0),
    Column("games", I16, "rated games since the list before", "games", low=0),
    Column("change", I16, "published rating less that of the list before; null: new", "rating points", null=True),
    Column("floor", I16, "the floor that holds on the list's day", "rating points", low=0),
    Column("last_rated", DAY, "last day of the newest section rated", null=True),
)
US_TRAIL = _frame(
    "us_trail",
    "the ledger: each entry begins where the one before ended; from the state before to the state after",
    "player_id pool seq",
    _MEMBER,
    _POOL,
    Column("seq", I32, "order of the player's entries in the pool", low=1),
    Column(
        "entry",
        CODE,
        "rerate: the chain up to the list before, rated again; start value; section; match_limit; floor; ceiling",
        vocabulary=("rerate", "start", "section", "match_limit", "floor", "ceiling"),
    ),
    _real("amount", "added to the rating (unrated counts as 0)", null=False),
    _real("before", "rating before the entry; null: unrated"),
    _real("after", "rating after the entry; null: unrated"),
    Column("tournament_id", TEXT, "the event", null=True),
    Column("part", I16, "the section", null=True, low=1),
    Column("book", CODE, "id of the rule book that decided", null=True),
    Column("source", TEXT, "where to look"),
)
US_MATCHES = _frame(
    "us_matches",
    "a row a player and match: its change, for the limits over 180 days and three years",
    "player_id pool tournament_id part",
    _MEMBER,
    _POOL,
    _EVENT,
    _SECTION,
    _LAST,
    _real("change", "points that the match gave", null=False),
)
US_KNOWN = _frame(
    "us_known",
    "a row a section that the state holds: what was ever rated, so that nothing is rated twice",
    "tournament_id part",
    _EVENT,
    _SECTION,
    _FIRST,
    _LAST,
    Column("content", TEXT, "sha256 of the section's facts and played games as reported"),
    Column("exclusions", TEXT, "sha256 of the exclusions that held; empty: none"),
    _PERIOD,
)
US_RERATED = _frame(
    "us_rerated",
    "a row a player and pool whose rating on the list before comes out differently after late or corrected sections",
    "player_id pool",
    _MEMBER,
    _POOL,
    _real("was", "exact rating of the list before; null: unrated"),
    _real("now", "the same, rated again; null: unrated"),
    _real("n_was", "games then", "games"),
    _real("n_now", "games now", "games"),
)

FINDINGS = _frame(
    "findings",
    "a row a finding: what was met in the input, where, and what to do",
    "seq",
    Column("seq", I32, "order in the report", low=1),
    Column(
        "code", CODE, "stable code: R reports, G games, S sides, C changes, I initials, L list, F formats, U US Chess"
    ),
    Column("severity", CODE, "error, warning, note", vocabulary=("error", "warning", "note")),
    Column("stage", CODE, "the stage that found it"),
    Column("file", TEXT, "the input file", null=True),
    Column("line", I32, "its line", null=True, low=0),
    Column("tournament_id", TEXT, "the tournament", null=True),
    Column("part", I16, "its part", null=True),
    Column("player_id", TEXT, "the player", null=True),
    Column("text", TEXT, "what was found and what to do"),
)

ALL: dict[str, Frame] = {
    frame.name: frame
    for frame in (
        REGISTER, PLAYERS, CORRECTIONS, EXCLUSIONS, ALIASES, TOURNAMENTS, ENTRIES, RESULTS, GAMES, SIDES, CELLS,
        EVENT_CHANGES, CHANGES, INITIALS, POOL, RATED, RATING_LIST, TRAIL, FINDINGS,
        SECTIONS, MEMBERS, FLOORS, US_SECTIONS, US_SIDES, US_STEPS, US_STATE, US_LIST, US_TRAIL, US_MATCHES, US_KNOWN,
        US_RERATED,
    )
}  # fmt: skip


def get(names: Iterable[str]) -> list[Frame]:
    """The declared frames of these names, in this order."""
    return [ALL[name] for name in names]
