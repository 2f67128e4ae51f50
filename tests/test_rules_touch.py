"""One value of a book changes: only the players that this value can touch come out differently (issue 4, acceptance 5).

TOUCHES is the table key -> (another value, whom it can touch). It is tried on a month made so that every value touches
somebody, and on months drawn at random.
"""

import functools
import random
import tomllib

import pandas as pd
import pytest
from cases import months

from ratingrun import pipeline, rulebooks
from ratingrun.rulebooks import compare

PERIOD, SYSTEM = "2025-11", "fide_standard"
SHIPPED = rulebooks.HERE / SYSTEM / "2025-10-01.toml"
COMPARED = {
    "rating_list": ["rating", "k", "active", "games", "games_total", "peak"],
    "sides": ["tournament_id", "round", "outcome", "reason", "d", "pd_c", "dr_c"],
    "changes": ["n", "w_c", "we_c", "dr_c", "k_base", "k", "change_c", "change", "rn"],
    "initials": ["n", "w_c", "ra_c", "p_c", "dp", "ru", "outcome"],
    "trail": ["entry", "amount"],
    "pool": ["tournament_id", "round", "expires", "status"],
}


# --- whom a value can touch: sets of player ids, from the frames of the month under the book as it is -----------------


def sides(where):
    return lambda month: set(rows_where(month["sides"], where)["player_id"])


def rows_where(frame, where):
    return frame[where(frame).fillna(False).astype(bool)]


def far(rows, points):
    return (rows["d_true"].abs() > points).fillna(False)


def of_events(where):
    """The players of the games of tournaments."""

    def touched(month):
        wanted = rows_where(month["tournaments"], where)["tournament_id"]
        entries = month["entries"]
        return set(entries.loc[entries["tournament_id"].isin(wanted), "player_id"])

    return touched


def in_frame(name, where=lambda rows: rows["player_id"].notna()):
    return lambda month: set(rows_where(month[name], where)["player_id"])


def several(frame, where):
    """Players with at least two such rows in one tournament."""

    def touched(month):
        rows = rows_where(month[frame], where)
        counts = rows.groupby(["player_id", "tournament_id"]).size()
        return set(counts[counts > 1].index.get_level_values("player_id"))

    return touched


def events_of(month):
    counts = month["event_changes"].groupby("player_id").size()
    return set(counts[counts > 1].index)


def days(rows, name):
    return (pd.Timestamp("2025-11-01") - rows[name]).dt.days


def pooled(where=lambda rows: rows["player_id"].notna()):
    return in_frame("pool", where)


def listed(where):
    return in_frame("rating_list", where)


def with_k(row):
    return listed(lambda rows: rows["k_clause"].str.endswith(f" {row}"))


born_2007 = listed(lambda rows: rows["birth_year"] == 2007)  # 18 in 2025
first = in_frame("initials", lambda rows: rows["n"] >= 4)
zero = pooled(lambda rows: rows["score_c"] < 100)

TOUCHES = {
    "expected.opponent": ("average_of_event", several("sides", lambda rows: rows["outcome"] == "rated")),
    "time_control.moves": (40, of_events(lambda rows: rows["time_control"].str.contains(r"\+"))),
    "time_control.first_control_moves": (41, of_events(lambda rows: rows["time_control"].str.contains("/"))),
    "time_control.approval": ("none", of_events(lambda rows: rows["approvals"].str.contains("fast"))),
    "game.max_difference": (350, sides(lambda rows: far(rows, 350))),
    "game.max_difference_below": (2600, sides(lambda rows: far(rows, 400) & rows["r"].between(2600, 2649))),
    "game.difference_kind": ("greatest_of_event", several("sides", lambda rows: far(rows, 400))),
    "match.with_unrated": ("rated", of_events(lambda rows: rows["system"] == "match")),
    "match.decided": ("rated", of_events(lambda rows: rows["system"] == "match")),
    "round_robin.with_unrated": ("two_passes_not_sourced", of_events(lambda rows: rows["system"] == "round_robin")),
    "period.closing_days": (6, of_events(lambda rows: days(rows, "end").between(3, 5))),
    "period.official_closing_days": (2, of_events(lambda rows: rows["fide_official"] & (days(rows, "end") == 1))),
    "period.late_lists": (2, of_events(lambda rows: days(rows, "end") > 61)),
    "period.max_days": (20, of_events(lambda rows: (rows["end"] - rows["start"]).dt.days > 20)),
    "period.max_kn": (500, in_frame("changes", lambda rows: rows["k_base"] * rows["n"] > 500)),
    "period.k_list": ("start", of_events(lambda rows: days(rows, "start") > 31)),
    "period.rounding": ("tournament", events_of),
    "period.floor": (1450, listed(lambda rows: rows["rating"] < 1450)),
    "period.rated_at_start_only": ("none", sides(lambda rows: rows["reason"] == "rated_at_start_only")),
    "period.inactive_after": (3, listed(lambda rows: rows["last_played"] < "2025-09-01")),
    "initial.draws": (3, first),
    "initial.draws_against": (1700, first),
    "initial.min_games": (6, in_frame("initials", lambda rows: rows["n"] == 5)),
    "initial.min_event_games": (3, pooled()),
    "initial.max_rating": (2100, in_frame("initials", lambda rows: rows["ru"] > 2100)),
    "initial.min_rating": (1500, in_frame("initials", lambda rows: rows["ru"] < 1500)),
    "initial.pool_periods": (2, pooled()),
    "initial.void_below": (100, zero),
    "initial.void_event": ("leading", zero),
    "initial.p_ties": ("half_down", in_frame("initials", lambda rows: (rows["n"] + 2) % 4 == 0)),
    "k_order.games_counted": ("after_first_rating", in_frame("initials", lambda rows: rows["outcome"] == "published")),
    "k_order.junior_ends": ("start_of_year", born_2007),
    "k.reached 2400.k": (12, with_k("reached 2400")),
    "k.reached 2400.peak_from": (2300, listed(lambda rows: rows["peak"].between(2300, 2399))),
    "k.junior.k": (38, with_k("junior")),
    "k.junior.age_until": (17, born_2007),
    "k.junior.peak_below": (2200, listed(lambda rows: rows["peak"].between(2200, 2299))),
    "k.new.k": (36, with_k("new")),
    "k.new.games_below": (40, listed(lambda rows: rows["games_total"].between(30, 39))),
    "k.established.k": (18, with_k("established")),
}
# Values that no single month can show: what they move is which list is made, or they have no second value.
ELSEWHERE = {
    "rating_types": "which list the book makes: test_rules_own_books",
    "period.months": "which lists there are: test_rules_history",
    "period.first_month": "which lists there are: test_rules_history",
    "expected.kind": "test_rules_own_books",
    "time_control.kind": "test_rules_rapid_blitz",
    "time_control.bands": "test_cases, time_control",
    "time_control.approved": "test_cases, time_control",
    "game.too_far_apart.kind": "test_rules_rapid_blitz",
    "seed.kind": "test_rules_rapid_blitz",
    "initial.kind": "test_rules_published",
    "k": "the order of the rows: test_rulebooks",
    "tables.pd": "test_rulebooks",
    "tables.dp": "test_rulebooks",
}


def test_every_value_is_in_the_table():
    book = rulebooks.in_force(SYSTEM, rulebooks.dt.date(2025, 11, 1))
    known = {key for key in compare.values(book) if not key.startswith("k.")}
    known |= {f"k.{row.name}.{name}" for row in book.k for name in ("k", *row.conditions)}
    alone = {key for key in known if len(rulebooks.WORDS.get(key, ())) == 1}
    assert set(TOUCHES) | set(ELSEWHERE) == known - alone
    assert not set(TOUCHES) & set(ELSEWHERE)


# --- the two books ---------------------------------------------------------------------------------------------------


def changed(key, value):
    """The book's text with one value another."""
    section, _, name = key.rpartition(".")
    row = section[2:] if section.startswith("k.") else None
    here, lines = "", []
    done = False
    for line in SHIPPED.read_text("utf-8").splitlines():
        if line.startswith("["):
            here = line.split("]")[0].strip("[")
        if row and line.startswith("name"):
            here = f"k.{tomllib.loads(line)['name']}"
        if not done and here == section and line.split("=")[0].strip() == name:
            said = tomllib.loads(line)[name]
            old, new = (
                f'"{one}"' if isinstance(one, str) else str(one) for one in (said if row else said["value"], value)
            )
            line, done = line.replace(old, new, 1), True
        lines.append(line)
    assert done, key
    return "\n".join(lines)


@functools.cache
def folder_of(key, root):
    path = root / (key or "as_it_is").replace(" ", "_") / SYSTEM
    path.mkdir(parents=True)
    for shipped in SHIPPED.parent.glob("*.toml"):
        text = shipped.read_text("utf-8")
        (path / shipped.name).write_text(changed(key, TOUCHES[key][0]) if key and shipped == SHIPPED else text, "utf-8")
    return path.parent


@functools.cache
def month_under(make, key, root):
    done = pipeline.run(make(folder_of(key, root)))
    assert not done.stopped
    return done.frames


def touched(before, after):
    """The players who differ in any compared column of any row."""
    ids = set()
    for name, columns in COMPARED.items():
        said = []
        for frames in (before, after):
            rows = frames[name][["player_id", *columns]].astype("str").fillna("-")
            said.append({tuple(row) for row in rows.to_numpy()})
        ids |= {row[0] for row in said[0] ^ said[1]}
    return ids


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("books")


# --- the months ------------------------------------------------------------------------------------------------------

JUNIOR = {"birth_year": 2010, "k": 40}


def made(books):
    """A month in which every value of the table touches somebody."""
    october = {
        **{f"A{number}": 1500 + 100 * number for number in range(10)},
        "Top": {"rating": 2640, "k": 10, "peak": 2640},
        "Was2350": {"rating": 2310, "peak": 2350},
        "Young": {"rating": 1600, **JUNIOR, "games_total": 12},
        "Eighteen": {"rating": 1700, "birth_year": 2007, "k": 40},
        "Young2250": {"rating": 2210, "peak": 2250, **JUNIOR},
        "New": {"rating": 1800, "k": 40, "games_total": 10},
        "Games35": {"rating": 1800, "games_total": 35},
        "Low": 1410,
        "Resting": {"rating": 1900, "last_played": pd.Timestamp("2025-06-01")},
        "Other K": {"rating": 1900, "k": 20},
        "Unrated": "none",
    }
    october["Fell"] = {"rating": None}
    september = {**october, "Other K": {"rating": 1900, "k": 40}, "Fell": {"rating": 1405}}
    august = dict(october)
    october["Unrated"] = september["Unrated"] = august["Unrated"] = {"rating": None}
    plain = {"start": "2025-10-04", "end": "2025-10-05"}
    events = [
        {"id": "far", **plain, "games": "A9 1-0 A5\nA9 1-0 A4\nA9 = 1900\nTop 1-0 A5\nA8 1-0 1920"},
        {"id": "increment", **plain, "time_control": "60+30", "games": "A5 1-0 A4\nA6 = A5"},
        {"id": "moves", **plain, "time_control": "40/90+30:30+30", "games": "A6 1-0 A7"},
        {"id": "fast", **plain, "time_control": "60+30", "approvals": "fast_classic", "games": "Top 1-0 A9"},
        {"id": "match", "system": "match", "match_games": 2, **plain, "games": "A3 1-0 A4 x2\nA3 1-0 A4"},
        {"id": "unrated match", "system": "match", **plain, "games": "Unrated 1-0 A4"},
        {"id": "robin", "system": "round_robin", **plain, "games": "Unrated 1-0 A2\nA2 1-0 A1"},
        {"id": "closing", "start": "2025-10-20", "end": "2025-10-28", "games": "A1 1-0 A2"},
        {"id": "official", "start": "2025-10-20", "end": "2025-10-31", "fide_official": True, "games": "A1 1-0 A3"},
        {"id": "late", "start": "2025-08-09", "end": "2025-08-10", "games": "A1 1-0 A4"},
        {"id": "long", "start": "2025-10-02", "end": "2025-10-28", "games": "A2 1-0 A4"},
        {"id": "many", **plain, "games": "Young = A1\nNew = A3\n" + "Young = 1600 x13\nNew = 1800 x14\nLow 0-1 1410"},
        {
            "id": "september",
            "start": "2025-09-30",
            "end": "2025-10-05",
            "games": "Other K 1-0 A4\nFell 1-0 A1\nFell = A2",
        },
        *({"id": f"tie {name}", **plain, "games": f"A7 = {rating}"} for name, rating in (("a", 2240), ("b", 2246))),
        {"id": "five", **plain, "games": "Five 1-0 2300 x4\nFive = 2300"},
        {"id": "four", **plain, "games": "Weak 0-1 1450 x4\nWeak 1-0 1450 x2"},
        {"id": "six", **plain, "games": "Tied 1-0 1700 x4\nTied 0-1 1700 x2"},
        {"id": "nought 1", "start": "2025-10-04", "end": "2025-10-04", "games": "Nought 0-1 1700 x2"},
        {"id": "nought 2", "start": "2025-10-05", "end": "2025-10-05", "games": "Nought 0-1 1700 x2"},
        {"id": "nought 3", "start": "2025-10-06", "end": "2025-10-06", "games": "Nought 1-0 1700 x4\nNought 0-1 1700"},
        {"id": "half", "start": "2025-10-04", "end": "2025-10-04", "games": "Half = 1700\nHalf 0-1 1700"},
        {"id": "whole", "start": "2025-10-06", "end": "2025-10-06", "games": "Half = 1700 x5"},
    ]
    for event in events:
        event["id"] = event["id"].replace(" ", "_")
        event["games"] = event["games"].replace("Other K", "Other_K")
    lists = {"2025-10": october, "2025-09": september, "2025-08": august}
    lists = {of: {name.replace(" ", "_"): said for name, said in one.items()} for of, one in lists.items()}
    pooled = [{"player_id": "Old", "period": "2025-08", "r_opp": 1700, "score_c": 100} for _ in range(5)]
    lists["2025-10"]["Old"] = {"rating": None}
    return months.inputs(PERIOD, lists, events, pooled=pooled, books=books)


def drawn(seed):
    """A month drawn at random: 30 players, some of them unrated, 6 events of different kinds and dates."""

    def make(books):
        draw = random.Random(seed)
        october = {}
        for number in range(30):
            rating = draw.choice([None, *range(1380, 2720, 10)])
            k, peak = draw.choice([20, 40]), rating and max(rating, draw.choice([0, 2290, 2350, 2410]))
            said = {
                "rating": rating,
                "birth_year": draw.choice([1980, 2007, 2010]),
                "games_total": draw.choice([5, 35, 90]),
            }
            said["last_played"] = pd.Timestamp(draw.choice(["2025-10-01", "2025-06-01", "2024-11-01"]))
            october[f"P{number}"] = said | ({"k": k, "peak": peak} if rating else {"games_total": 0})
        september = {name: said | ({"k": 40} if said["rating"] else {}) for name, said in october.items()}
        events = []
        for number in range(6):
            start = draw.choice(["2025-09-30", "2025-10-02", "2025-10-18"])
            event = {"id": f"E{number}", "start": start, "end": draw.choice(["2025-10-25", "2025-10-28"])}
            event["system"] = draw.choice(["swiss", "round_robin", "match"])
            event["time_control"] = draw.choice(["90+30", "60+30", "40/90+30:30+30", "120"])
            players = draw.sample(sorted(october), 8)
            pairs = [(round_, one, other) for round_ in range(1, 6) for one, other in pairing(players, round_)]
            event["rounds"] = [(*pair, draw.choice(["1-0", "=", "0-1"])) for pair in pairs]
            events.append(event)
        return months.inputs(PERIOD, {"2025-10": october, "2025-09": september}, events, books=books)

    return make


def pairing(players, round_):
    """Round of an all-play-all: nobody twice."""
    turned = [players[0], *(players[1:][round_:] + players[1:][:round_])]
    return list(zip(turned[:4], turned[:3:-1], strict=True))


SEEDS = {seed: drawn(seed) for seed in (1,)}


@pytest.mark.parametrize("key", TOUCHES)
def test_the_made_month_only_these_and_at_least_one(key, root):
    before = month_under(made, None, root)
    differ = touched(before, month_under(made, key, root))
    assert differ, "nobody is touched"
    assert differ <= TOUCHES[key][1](before), "somebody else is touched"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", [key for key in TOUCHES if key.split(".")[0] in ("expected", "game", "k", "k_order")])
def test_a_month_drawn_at_random_only_these(key, seed, root):
    before = month_under(SEEDS[seed], None, root)
    differ = touched(before, month_under(SEEDS[seed], key, root))
    assert differ <= TOUCHES[key][1](before), "somebody else is touched"
