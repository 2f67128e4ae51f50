"""What every run checks of itself: a month in which something is wrong does not get past, and each break is named."""

import numpy as np
import pandas as pd
import pytest
from cases import months

from ratingrun import invariants, pipeline
from ratingrun.contract import ContractError

PLAYERS = {"Ann": 2000, "Bob": 1900, "Cat": 1800, "Dan": 1700, "Eva": {"rating": None}}
LISTS = dict.fromkeys(("2025-08", "2025-09", "2025-10"), PLAYERS)
OPEN = {
    "id": "T",
    "start": "2025-10-04",
    "end": "2025-10-05",
    "games": "Ann 1-0 Bob\nCat = Dan\nBob +/- Dan\nEva 0-1 Cat",
}
LATE = {"id": "W", "start": "2025-10-25", "end": "2025-10-31", "games": "Ann 1-0 Dan"}
SHORT = {"id": "S", "start": "2025-10-04", "end": "2025-10-05", "time_control": "60+0", "games": "Ann 1-0 Dan"}
LEAGUE = {"id": "L", "start": "2025-10-04", "end": "2025-10-05", "rounds_from": 2, "games": "Ann 1-0 Cat\nAnn = Cat"}


@pytest.fixture
def seen(monkeypatch):
    """What the two checks are given in a month: the arguments of `cells` and of `check`."""
    given = {}
    for name, check in {"cells": invariants.cells, "check": invariants.check}.items():

        def watched(*arguments, name=name, function=check):
            given[name] = arguments
            return function(*arguments)

        monkeypatch.setattr(invariants, name, watched)
    given["month"] = pipeline.run(months.inputs("2025-11", LISTS, [OPEN, LATE, SHORT, LEAGUE]))
    monkeypatch.undo()
    return given


def changed(frames, name, **columns):
    return {**frames, name: frames[name].assign(**columns)}


def test_cells_end_where_their_keys_say(seen):
    """Found by tournament, part, round and number, without the positions that the stages leave: the same."""
    frames = seen["month"].frames
    found = invariants.cells({name: frames[name] for name in ("results", "games", "sides", "tournaments")})
    pd.testing.assert_frame_equal(found, frames["cells"])
    reasons = found.dropna(subset="reason").groupby("tournament_id", observed=True)["reason"].agg(set).to_dict()
    assert reasons == {
        "T": {"forfeit", "absent", "opponent_unrated"},  # Eva's side is pooled
        "W": {"report_waiting"},
        "S": {"time_control"},  # 60 minutes; from 1800 up 90 are needed (1.1)
        "L": {"report_rejected"},  # R114: its first round is of no part
    }


@pytest.mark.parametrize(
    ("name", "column", "change", "said"),
    [
        ("games", "white_cell", lambda cell: np.roll(cell, 1), "a game is not of the cell that it names"),
        ("games", "white_no", lambda number: number + 1, "a game is not of the cell that it names"),
        ("games", "white_cell", lambda cell: cell * 0 - 1, "a game is not of the cell that it names"),
        ("sides", "cell", lambda cell: np.roll(cell, 1), "a side is not of the cell that it names"),
        ("sides", "who", lambda who: np.roll(who, 1), "a side is not of the cell that it names"),
    ],
)
def test_a_position_that_is_not_its_own(seen, name, column, change, said):
    frames, ids = seen["cells"]
    with pytest.raises(ContractError, match=said):
        invariants.cells(changed(frames, name, **{column: change(frames[name][column].to_numpy())}), ids)


@pytest.mark.parametrize("name", ["games", "sides"])
def test_a_cell_that_stands_twice(seen, name):
    frames, ids = seen["cells"]
    twice = pd.concat([frames[name], frames[name].iloc[:1]], ignore_index=True)
    with pytest.raises(ContractError, match=f"a cell stands in two {name}"):
        invariants.cells({**frames, name: twice}, ids)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("sides", lambda rows: rows.iloc[1:], "played games x 2 and sides"),
        ("results", lambda rows: rows.iloc[1:], "reported cells and cells"),
        ("cells", lambda rows: rows.assign(reason=None), "a cell is lost"),
        ("cells", lambda rows: rows.assign(outcome="none", reason="forfeit"), "rated cells and sides"),
        ("changes", lambda rows: rows.assign(dr_c=rows["dr_c"] + 1), "the sums of sides and changes differ"),
        ("event_changes", lambda rows: rows.assign(dr_c=0), "the sums of sides and event_changes differ"),
        ("rating_list", lambda rows: rows.iloc[1:], "player Ann of the prior list is lost"),
        (
            "rating_list",
            lambda rows: rows.assign(rating=rows["rating"] + 1),
            "the ledger of player Ann does not balance",
        ),
        ("rating_list", lambda rows: rows.assign(was=np.roll(rows["was"], 1)), "stood elsewhere on the prior list"),
        ("trail", lambda rows: rows.iloc[1:], "the ledger of player Ann does not balance"),
    ],
)
def test_a_month_that_does_not_close(seen, name, change, said):
    frames, ids, published = seen["check"]
    invariants.check(frames, ids, published)
    with pytest.raises(ContractError, match=said):
        invariants.check({**frames, name: change(frames[name])}, ids, published)
