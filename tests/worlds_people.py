"""The players of a world: lists of some periods, and games in the pool."""

import pandas as pd
import plain_rules

from ratingrun import periods


def rating(chance, low=1400):
    """A rating: many near the floor `low`, some at the borders of a rule."""
    kind = chance.random()
    if kind < 0.3:
        return chance.randint(low, low + 15)
    if kind < 0.45:
        return chance.choice([1799, 1800, 1801, 2299, 2300, 2399, 2400, 2599, 2600, 2601, 2649, 2650, 2651])
    if kind < 0.75:
        return chance.randint(low, 2000)
    return chance.randint(2000, 2450) if kind < 0.9 else chance.randint(2600, 2800)


def someone(chance, day, rule):
    """A player of a list, with the K that the list must show."""
    years = [None, 1960, 1990, *(day.year - age for age in (12, 16, 17, 18, 19, 20))]
    player = {"birth_year": chance.choice(years), "sex": chance.choice([None, "m", "w"])}
    player |= {"title": chance.choice([None, None, "FM"]), "w_title": chance.choice([None, None, "WFM"])}
    player["games_total"] = chance.choice([0, 5, 20, 28, 29, 30, 100])
    player["last_played"] = day_before(day, chance.choice([0, 0, 0, 3, 10, 11, 12, 14]))
    if chance.random() < 0.25:
        return player | {"rating": None, "k": None, "peak": chance.choice([None, None, 1500, 2410])}
    player["rating"] = rating(chance, rule.floor)
    player["peak"] = max(player["rating"], rating(chance, rule.floor)) if chance.random() < 0.3 else player["rating"]
    return player | {"k": plain_rules.k_of(player, day, rule)}


def day_before(day, count):
    return (pd.Timestamp(day) - pd.DateOffset(months=count)).date()


def some_lists(chance, chapter, names, before):
    """Lists of some periods, newest first: mostly the same from one to the next; not everybody is on each."""
    lists, player = {}, {}
    for of in before:
        day = periods.list_date(of)
        rule = plain_rules.rules(chapter, max(day, chapter[0].since))
        player = {
            name: player[name] if name in player and chance.random() < 0.7 else someone(chance, day, rule)
            for name in names
        }
        lists[of] = {name: row for name, row in player.items() if of == before[0] or chance.random() < 0.95}
    return lists


def pooled_games(chance, world, names, first):
    """Games of the unrated from earlier months, up to the border of 26 months."""
    for number, name in enumerate(names):
        if world.lists[periods.shift(first, -1)][name]["rating"] is None and chance.random() < 0.6:
            weak = chance.random() < 0.3  # of whom the first rating is below the floor
            for event_no in range(chance.randint(1, 2)):
                window = plain_rules.rules(world.chapter, max(world.chapter[0].since, periods.list_date(first))).window
                period = periods.shift(first, -chance.choice([1, 2, 22, 23, 24, 25, 26]))
                world.pooled += [
                    {
                        "player_id": name,
                        "tournament_id": f"before-{number}-{event_no}",
                        "round": round_ + 1,
                        "r_opp": chance.randint(1400, 1430) if weak else rating(chance),
                        "score_c": chance.choice([0, 0, 0, 50]) if weak else chance.choice([0, 0, 0, 50, 100]),
                        "period": period,
                        "expires": periods.shift(period, window - 1),
                    }
                    for round_ in range(chance.randint(1, 5))
                ]
