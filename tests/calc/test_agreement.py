"""What `calc` says is what a run publishes, exactly: random events through the whole pipeline, under every book."""

import datetime as dt
import random
from dataclasses import replace

import pandas as pd
import pytest
from cases import months

from ratingrun import calc, periods, pipeline, rulebooks
from ratingrun.calc.values import Num

BOOKS = rulebooks.books(rulebooks.FIDE_STANDARD)
UNDER = [
    pytest.param(name, book, id=f"{name} {book.id}")
    for name in ("standard", "rapid", "blitz")
    for book in rulebooks.books(rulebooks.chapter(name).system)
]
TIME = {"standard": "90+30", "rapid": "15+10", "blitz": "3+2"}
RESULT = {"1": "1-0", "=": "=", "0": "0-1"}
PLAYERS = 18


def ask(calculator, **request):
    return calc.answer({"calculator": calculator, "system": "fide", **request}).data


def c(number):
    """A shown number in hundredths."""
    assert isinstance(number, Num)
    return round(100 * number.plain)


def start_under(book):
    """A day on which the book holds, and holds on the list before and the list that rates the event too."""
    return (book.from_ + dt.timedelta(days=70)).replace(day=10)


def random_month(name, book, seed):
    """Players with one event each against invented opponents of any rating: (period, start, inputs, players)."""
    rng, start, chapter = random.Random(seed), start_under(book), rulebooks.chapter(name)
    prior = rulebooks.list_in_force(chapter, start)
    months_between = rulebooks.in_force(chapter.system, prior).period.months.value
    period = periods.shift(periods.of_date(prior), months_between)
    floor, rating_type = book.period.floor.value, name
    players, events, listed = {}, [], {}
    for number in range(PLAYERS):
        rated = number % 4 > 0
        name, n = f"P{number:02d}", rng.choice([1, 5, 9, 9, 19, 40])
        own = rng.choice([rng.randint(floor, 2900), rng.randint(2640, 2660)])
        games = [(rng.randint(floor, 2900), rng.choice("1=0")) for _ in range(n)]
        rounds = []
        for i, (r_opp, result) in enumerate(games, 1):
            listed[f"{name}-{i}"] = r_opp
            rounds.append((i, name, f"{name}-{i}", RESULT[result]))
        k = rng.choice([10, 20, 40]) if own >= 2400 else rng.choice([20, 40])
        if rated:
            listed[name] = {"rating": own, "k": k}
        players[name] = (own if rated else None, k, games)
        end = start + dt.timedelta(days=9)
        event = {"id": name, "start": start.isoformat(), "end": end.isoformat(), "rounds": rounds}
        events.append(event | {"time_control": TIME[rating_type]})
    lists = {periods.of_date(prior): listed}
    inputs = months.inputs(period, lists, events, system=chapter.system, rating_type=rating_type)
    register = inputs.register.assign(rating_type=rating_type)
    seeds = {prior: months.rating_list({"somebody": 1800}, prior)}
    return period, start, replace(inputs, register=register, seeds=seeds), players


@pytest.mark.parametrize(("rating_type", "book"), UNDER)
def test_event_and_first_rating_are_those_of_a_run(rating_type, book):
    period, start, inputs, players = random_month(rating_type, book, seed=f"{rating_type} {book.id}")
    month = pipeline.run(inputs)
    assert not month.stopped and month.rejected.empty, month.findings["text"].tolist()
    changes = month.frames["changes"].set_index("player_id")
    initials = month.frames["initials"].set_index("player_id")
    sides = {(row["player_id"], row["round"]): row for row in month.frames["sides"].to_dict("records")}
    for number, (name, (own, k, games)) in enumerate(players.items()):
        rule = {"date": start.isoformat(), "type": rating_type}
        rule |= ({"book": book.id}, {"list": period}, {})[number % 3]  # by name, by list, by date alone
        lines = [f"{r_opp} {score}" for r_opp, score in games]
        if own is None:
            agrees_with_initial(ask("initial", games=lines, **rule), initials.loc[name], games)
            continue
        found = ask("event", own=own, k=k, games=lines, **rule)
        if not found["n"].plain:
            assert name not in changes.index
            continue
        row = changes.loc[name]
        numbers = {
            **{"n": found["n"].plain, "w_c": c(found["score"]), "we_c": c(found["expected"]), "dr_c": c(found["dr"])},
            **{"ro": found["own"].plain, "k_base": found["k_base"].plain, "k": found["k"].plain},
            **{"change_c": c(found["change"]), "change": found["rounded"].plain, "rn": found["new"].plain},
        }
        assert numbers == {column: row[column] for column in numbers}, name
        for i, game in enumerate(found["games"], 1):
            side = sides[name, i]
            assert (game["status"].code == "rated") == (side["outcome"] == "rated"), (name, i)
            if game["status"].code != "rated":
                continue
            shown = (game["difference"].plain, game["counted_difference"].plain, c(game["expected"]), c(game["dr"]))
            assert shown == (side["d_true"], side["d"], side["pd_c"], side["dr_c"]), (name, i)


def agrees_with_initial(found, row, games):
    assert (found["n"].plain, c(found["score"])) == (len(games), sum({"1": 100, "=": 50, "0": 0}[s] for _, s in games))
    assert found["outcome"].code == row["outcome"]
    if row["outcome"] in ("published", "below_floor"):
        numbers = (c(found["average"]), c(found["p"]), found["dp"].plain, found["initial"].plain)
        assert numbers == (row["ra_c"], row["p_c"], row["dp"], row["ru"])


def test_k_by_the_rule_is_the_published_one():
    """The K that a run writes on the new list, asked of the calculator with the facts of that list."""
    book = BOOKS[-1]
    period, _, inputs, _ = random_month("standard", book, seed=5)
    listed = pipeline.run(inputs).frames["rating_list"]
    rated = listed[listed["rating"].notna() & (listed["rating"] >= book.period.floor.value)].head(120)
    assert rated["k"].nunique() == 3
    day = periods.list_date(period).replace(day=15).isoformat()
    for row in rated.itertuples():
        facts = {"own": row.rating, "played": row.games_total, "peak": row.peak, "date": day, "opponent": 2000}
        found = ask("game", **facts | ({} if pd.isna(row.birth_year) else {"birth_year": row.birth_year}))
        assert (found["k"].plain, found["k_clause"]) == (row.k, row.k_clause), row.player_id
