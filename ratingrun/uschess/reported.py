"""What section reports say, whatever list they come for: who plays, and which games both rows tell alike."""

from __future__ import annotations

import pandas as pd

from ratingrun import findings, frames
from ratingrun.stages import games
from ratingrun.stages.reports import KEY, PLAYED, is_plausible, twice
from ratingrun.uschess import intake, sections


def of(rows: pd.DataFrame, some: pd.DataFrame) -> pd.DataFrame:
    """The rows of some sections."""
    return rows[pd.MultiIndex.from_frame(rows[KEY]).isin(pd.MultiIndex.from_frame(some[KEY]))]


def who(whole: pd.DataFrame, entries: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """R102 and R103 (a number, a member twice), R104 (no plausible id, but played; foreign events need none)."""
    used = whole.loc[whole["status"] == "used", [*KEY, "kind"]]
    rows = entries.merge(used, on=KEY)
    cells = results[results["result"].isin(PLAYED) & results["opponent_no"].notna()]
    plays = pd.MultiIndex.from_frame(rows[[*KEY, "start_no"]]).isin(pd.MultiIndex.from_frame(cells[[*KEY, "start_no"]]))
    plausible = is_plausible(rows["player_id"])
    nobody = rows[~plausible & plays & ~rows["kind"].isin(list(sections.FOREIGN)).to_numpy()]
    return findings.join(
        [
            twice("R102", rows, [*KEY, "start_no"]),
            twice("R103", rows[rows["player_id"].notna()], [*KEY, "player_id"]),
            findings.of("R104", nobody.assign(value=nobody["player_id"]).drop(columns="player_id")),
        ]
    )


def nothing_rated() -> pd.DataFrame:
    """`already` of the games stage: sections are rated again as a whole, so no round of them counts as rated."""
    rows = pd.DataFrame({name: [] for name in (*KEY, "round", "period")}).astype({"part": "int64", "round": "int64"})
    return rows.astype({"tournament_id": "str"})


def games_of(
    whole: pd.DataFrame, entries: pd.DataFrame, results: pd.DataFrame, exclusions: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`games` of the sections that are used in the end, these sections, and the G1xx, G201 of the games stage.

    Colours do not count. A player without an id (in a foreign event) stands under event, section and number.
    """
    parts = whole.assign(rounds_from=pd.NA, rounds_to=pd.NA).astype({"rounds_from": "Int64", "rounds_to": "Int64"})
    stranger = entries["player_id"].isna()
    number = entries["tournament_id"] + "/" + entries["part"].astype("str") + "/" + entries["start_no"].astype("str")
    named = entries.assign(player_id=entries["player_id"].mask(stranger, number))
    played, news = games.build(parts, named, results, exclusions, nothing_rated(), colours=False)
    whole = intake.reject(whole, news)
    return frames.GAMES.build(of(played, whole[whole["status"] == "used"])), whole, news
