"""The calculators: what would this result do? The same functions as the batch, so that the two can't disagree.

`answer(request)` takes a request as people type it (a dictionary of texts) and gives an `Answer`: plain data, notes
and the steps of the formula. `words.py` turns an answer into sentences, tables or JSON.
"""

from __future__ import annotations

from collections.abc import Mapping

from ratingrun.calc.values import Answer, RequestError

SYSTEMS = ("fide", "elo", "uschess")
CALCULATORS = ("game", "event", "initial", "performance", "target", "table")

__all__ = ["CALCULATORS", "SYSTEMS", "Answer", "RequestError", "answer"]


def answer(request: Mapping[str, object]) -> Answer:
    """The answer to a request; raises RequestError for what makes no sense, RuleBookError before the first book.

    `request["calculator"]` and `request["system"]` choose; what else it may hold is said by the functions.
    """
    from ratingrun.calc import elo, fide, initial, performance, target, uschess

    calculator, system = str(request["calculator"]), str(request["system"])
    known = {
        ("game", "fide"): fide.game,
        ("event", "fide"): fide.event,
        ("initial", "fide"): initial.build,
        ("game", "elo"): elo.game,
        ("event", "elo"): elo.event,
        ("game", "uschess"): uschess.game,
        ("event", "uschess"): uschess.event,
        ("initial", "uschess"): uschess.initial,
        ("target", "fide"): target.build,
        ("target", "elo"): target.build,
        **{("performance", name): performance.build for name in SYSTEMS},
        **{("table", name): performance.table for name in SYSTEMS},
    }
    if (calculator, system) not in known:
        raise RequestError("not_there", calculator=calculator, system=system)
    return known[calculator, system](request)
