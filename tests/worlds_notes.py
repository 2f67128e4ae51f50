"""What people write about a world: dated facts, corrections, exclusions. Each row has `since`, its first period."""

import datetime as dt

from worlds_people import day_before, rating

from ratingrun import periods


def people(chance, world, size, names, new):
    """Dated facts: who leaves and comes back, who is corrected, who is new, who is two."""
    first = world.periods[0]
    lowest = periods.list_date(periods.shift(first, -2))
    borders = [
        periods.list_date(p) + dt.timedelta(days=n)
        for p in [periods.shift(first, -1), *world.periods]
        for n in (-9, -1, 0, 1)
    ]

    def fact(who, day=None, **said):
        day = day or chance.choice(borders)
        since = chance.choice([first, first, first, chance.choice(world.periods)])
        if not any((row["player_id"], row["date"]) == (who, day) for row in world.players):
            world.players.append({"player_id": who, "date": day, "since": since, **said})
        return day

    if "leave" in size.kinds:
        for who in [chance.choice([*names, *new]) for _ in range(chance.randint(0, 3))]:
            day = fact(who, status=chance.choice(["withdrawn", "withdrawn", "deceased"]))
            if chance.random() < 0.4:
                more = (
                    {"name": f"{who}, back", "federation": "ZZZ", "birth_year": 1990} if chance.random() < 0.7 else {}
                )
                fact(who, day + dt.timedelta(days=chance.choice([1, 9, 30, 31, 62])), status="active", **more)
    if "facts" in size.kinds:
        for who in [chance.choice([*names, *new]) for _ in range(chance.randint(0, 5))]:
            said = {"name": f"{who}, married", "federation": "YYY", "sex": "w", "title": "GM", "w_title": "WGM",
                    "o_title": "IA", "birth_year": chance.choice([1950, 2006, 2007, 2010])}  # fmt: skip
            some = chance.sample(sorted(said), chance.randint(1, 4))
            fact(who, **{name: said[name] for name in some})
    if "merge" in size.kinds and len(names) > 3:
        order = chance.sample([*names, *new], len(names) + len(new))
        for _ in range(chance.randint(0, 2)):
            old, into = sorted(chance.sample(range(len(order)), 2))
            if chance.random() < 0.5:  # rather from a rated player to one who is not
                old, into = min(((old, into), (0, into)), key=lambda one: not listed_rated(world, order[one[0]]))
            fact(order[old], merged_into=order[into])
            if order[into] not in names:
                row = {"player_id": order[into], "name": f"{order[into]}, one", "federation": "ZZZ", "birth_year": 1999}
                world.players.append(row | {"date": lowest, "since": first})


def listed_rated(world, who):
    """Whether somebody has a rating on the list just before the first month."""
    return world.lists[max(world.lists)].get(who, {}).get("rating") is not None


def office(chance, world, size, names, everybody):
    """Corrections of lists, and exclusions."""
    if "corrections" in size.kinds:
        for _ in range(chance.choice([0, 1, 1, 2, 4])):
            correction(chance, world, names)
    if "exclusions" in size.kinds:
        others = [row["player_id"] for row in world.players if "merged_into" in row]
        others = 4 * (others + [row["alias"] for row in world.aliases])
        all_events = [one for coming in world.events.values() for one in coming]
        for _ in range(chance.choice([0, 1, 2]) if all_events else 0):
            world.exclusions.append(
                {
                    "tournament_id": chance.choice(all_events)["id"],
                    "round": chance.choice([None, 1, 2, 3]),
                    "player_id": chance.choice([None, *everybody, *(others or everybody)]),
                    "since": chance.choice([world.periods[0], *world.periods]),
                }
            )


def correction(chance, world, names):
    """One field of one player on one list; on lists made in the world only of players who can't have left."""
    touched = {row["player_id"] for row in world.players}
    steady = [name for name in names if name not in touched]
    lists = [("standard", of) for of in world.seeds] + 2 * [(world.rating_type, of) for of in world.lists]
    lists += [(world.rating_type, of) for of in world.periods[:-1] if steady]
    lists += 4 * [(world.rating_type, max(world.lists))]  # the list just before
    rating_type, of = chance.choice(lists)
    known = world.lists if rating_type == world.rating_type else world.seeds
    who = chance.choice(sorted(known[of]) if of in known else steady)
    old = [row["player_id"] for row in world.players if "merged_into" in row and row["player_id"] in known.get(of, ())]
    who = chance.choice(old) if old and chance.random() < 0.4 else who
    day = periods.list_date(of)
    values = {
        "rating": [rating(chance), rating(chance), rating(chance), None, 1399],
        "k": [10, 20, 40, None],
        "peak": [None, 2400, 2310, 1500],
        "games_total": [0, 29, 30, 31],
        "birth_year": [None, day.year - 18, day.year - 17, 1970],
        "last_played": [None, day_before(day, 10), day_before(day, 12), day],
        "active": [True, False],
        "games": [3],
        "name": ["Corrected"],
        "federation": ["XXX"],
        "title": [None, "IM"],
        "sex": ["m", None],
        "w_title": [None, "WIM"],
        "o_title": [None, "FA"],
        "foa_title": ["ACM"],
    }
    name = chance.choice([*values, "rating", "rating", "rating", "k"])
    row = {"player_id": who, "rating_type": rating_type, "list_date": day, "field": name}
    if any(all(other[key] == row[key] for key in row) for other in world.corrections):
        return
    since = max(chance.choice([world.periods[0], chance.choice(world.periods)]), of)
    world.corrections.append(row | {"value": chance.choice(values[name]), "since": since})
