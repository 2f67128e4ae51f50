"""Every finding: its stable code, severity, effect, text and remedy; and the one way to make rows of them.

Bad input is a value: a stage returns a findings frame beside its result. A bug raises. The first letter of a code is
the stage: R reports, G games, S sides, C changes, I initials, L list, F formats, B rule books, U US Chess. Codes are
never reused.
The numbers say how grave: 1xx errors, 2xx warnings, 3xx notes.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ratingrun import coded
from ratingrun.frames import FINDINGS

STAGES = {
    "R": "reports",
    "G": "games",
    "S": "sides",
    "C": "changes",
    "I": "initials",
    "L": "rating_list",
    "F": "formats",
    "B": "rulebooks",
    "A": "audit",
    "U": "uschess",
}
SEVERITIES = {"1": "error", "2": "warning", "3": "note"}
STOPS, REJECTS, NOTHING = "the run stops", "the report is not used", ""
BREAKS = "the audited list breaks a rule"


@dataclass(frozen=True)
class Code:
    """One finding code. `text` and `remedy` hold the fields to fill in; `effect` is what an error leads to."""

    code: str
    text: str
    remedy: str
    effect: str = NOTHING

    @property
    def severity(self) -> str:
        return SEVERITIES[self.code[1]]

    @property
    def stage(self) -> str:
        return STAGES[self.code[0]]

    @property
    def template(self) -> str:
        return f"{self.text}; {self.remedy}" if self.remedy else self.text


_CATALOGUE = (
    # --- formats: a file as such ---
    Code("F101", "cannot be read: {why}", "save it again as UTF-8 text or Parquet", STOPS),
    Code("F102", "unknown column {column}", "known are {known}", STOPS),
    Code("F103", "column {column} is missing", "add it; needed are {known}", STOPS),
    Code("F104", '{column}: "{value}" is not a date', "write YYYY-MM-DD, for example 2025-10-31", STOPS),
    Code("F105", '{column}: "{value}" is not {wanted}', "correct the cell", STOPS),
    Code("F106", "{column} is empty", "fill it in; it must not be empty", STOPS),
    Code("F107", "the row has {count} cells, the header {wanted}", "correct the commas of this line", STOPS),
    Code("F108", "{what} stands twice, first on line {first}", "keep one of the two lines", STOPS),
    Code("F109", "the end {end} is before the start {start}", "correct the dates", STOPS),
    Code("F110", "there is no file or folder of this name", "name one that exists, or leave the option out", STOPS),
    Code("F111", "the prior list is the list of {found}, not of {wanted}", "give the run folder of {wanted}", STOPS),
    Code("F112", "the recorded hash does not match: {what} was changed after it was written",
         "restore the folder as it was published", STOPS),
    Code("F113", "is a provisional folder, which is never a prior", "give the published run folder", STOPS),
    Code("F114", 'field "{value}" cannot be corrected', "one of {known}", STOPS),
    Code("F115", "rounds_from {first} is after rounds_to {last}", "correct the rounds", STOPS),
    Code("F116", "player {player_id} is not on the list of {wanted}", "correct the id or the list date", STOPS),
    Code("F117", "is a {found} list, not {wanted}", "give the run folder of the right type", STOPS),
    Code("F118", "merged_into {value} leads to no player on the list or in players.csv", "correct it", STOPS),
    Code("F201", "read as {encoding}: it is not UTF-8", "check the names; save it as UTF-8"),
    Code("F203", "rests on {other}, which was withdrawn ({why})", "withdraw it too and run it again"),
    Code("F220", "{count} player lines stand {shift} columns off from column {column} on and are read so",
         "check a few of them; ask for a file with the fixed columns"),
    Code("F221", "no. {start_no}: {points} points, but the results give {own}; {count} such lines",
         "check the results: points do not count for rating"),
    Code("F222", '{record}: "{value}" is not a date that can be read', "the register decides"),
    Code("F223", '{record}: "{value}" can be {readings}', "the register decides: enter the right day there"),
    Code("F224", "round {round}: the bye {result} has an opponent, {opponent_no}; it is no game",
         "if it was played, write its result"),
    Code("F225", "column {column}: {why}; the line stands in its columns and is read", "restore the blank"),
    Code("F226", 'columns 49-52: "{value}" is no rating and is left out', "nothing to do: it does not count"),
    Code("F227", '032: "{value}" is not a federation of three letters', "enter it in register.csv"),
    Code("F228", '222: "{value}" is not a time control in seconds that can be read', "enter it in register.csv"),
    Code("F229", "{count} lines count their columns in bytes and are read so", "save it again as ASCII or fixed UTF-8"),
    Code("F230", "{count} names are not ASCII, and the list does not say its code page: read as CP850 or Windows-1252 "
         "by their letters", "check these names"),
    Code("F231", '{count} players have no name: "?" stands for it', "nothing to do, or add it by players.csv"),
    Code("F232", "{count} rows stand twice, word for word; one of each is used", "nothing to do"),
    Code("F233", "{count} flags hold letters other than i and w, which are left out", "nothing to do"),
    Code("F234", "{count} years of birth have two digits and could be of either century: left out",
         "nothing to do, or add them by players.csv"),
    Code("F235", "{count} cells of {column} are longer than its {width} columns and were cut", "use Parquet or CSV"),
    Code("F236", "{count} names were written in ASCII, as FIDE does", "use Parquet or CSV for the names as given"),
    Code("F240", "player {player_id} ({name}) is not on the list; {hint}", "check the id: a name proves nothing"),
    Code("F241", "player {player_id} is {name} here and {other} on the list", "check the id"),
    Code("F242", "player {player_id}: born in {birth_year} here and {other} on the list", "check the id"),
    Code("F243", "player {player_id}: rating {reported_rating} here and {other} on the list",
         "nothing to do: the list counts"),
    Code("F320", "record {record} stands {count} times; the first with content is used", "nothing to do"),
    Code("F321", "{count} lines are no records of a tournament report and are skipped: {what}", "nothing to do"),
    Code("F322", "{count} blank cells are explained by records 240, 320 or 330", "nothing to do"),
    Code("F323", "{count} players without an id have the number of their federation's record, as {number}",
         "say in aliases.csv whose it is"),
    # --- formats: a report's own text; the report is not used ---
    Code("F150", "the report cannot be read: {why}", "save it again as UTF-8 text or Parquet", REJECTS),
    Code("F151", "the report has an unknown column {column}", "known are {known}", REJECTS),
    Code("F152", "the report has no column {column}", "add it", REJECTS),
    Code("F153", '{column}: "{value}" is not {wanted}', "correct the cell", REJECTS),
    Code("F154", "the row has {count} cells, the header {wanted}", "correct the commas of this line", REJECTS),
    Code("F155", 'round {round}: "{value}" is not a result',
         "write for example 12w1, 5b=, 7w+, -, H, F, U, Z", REJECTS),
    Code("F156", "column {column}: {why}", "restore the fixed columns of the line", REJECTS),
    Code("F157", "no players: no line of the report holds a starting number", "send the whole report", REJECTS),
    Code("F158", 'column {column}, round {round}: "{value}" is not a result',
         "one of 1 = 0 + - W D L H F U Z or a blank", REJECTS),
    Code("F159", "a report from Lichess: its players are user names, without ids and federations",
         "it cannot be rated; take it out", REJECTS),
    # --- formats: the US Chess upload set ---
    Code("F160", "the dBase file cannot be read: {why}", "export the set once more", REJECTS),
    Code("F161", "not used: {why}", "THEXPORT, TSEXPORT and TDEXPORT.DBF of one event lie in one folder", REJECTS),
    Code("F162", '{column}: "{value}" is not {wanted}', "correct the record and export the set once more", REJECTS),
    Code("F163", "the record stands twice: its event and section are those of another", "keep one of the two", REJECTS),
    Code("F164", "H_EVENT_ID is empty", "fill it in, or put the set in a folder of its own, whose name stands for it",
         REJECTS),
    Code("F165", '{what} "{value}" is in no other file of the set', "export the set once more", REJECTS),
    Code("F166", 'round {round}: "{value}" is not a result', "write for example W  12B, X  12, H, B, U", REJECTS),
    Code("F167", "the section has no players in TDEXPORT", "export the set once more", REJECTS),
    Code("F325", "{count} records are marked as deleted and skipped", "nothing to do"),
    Code("F326", "H_EVENT_ID is empty: the folder's name {name} stands for it", "nothing to do"),
    # --- US Chess ---
    Code("U101", "the file is not in sections.csv, so nothing of it is used",
         "enter it there, or take it out of the folder", REJECTS),
    Code("U102", 'time control "{value}" cannot be read, and no class is given',
         "write for example G/60;d5, or fill in rated_as", REJECTS),
    Code("U103", "neither a time control nor a class", "fill in time_control, or rated_as", REJECTS),
    Code("U104", 'no pool rates the time control "{value}" {place}: {minutes} main minutes + {seconds} seconds',
         "correct the time control, or take the section out", REJECTS),
    Code("U105", "the same section of event {tournament_id} stands in {other} too", "keep one of the two", REJECTS),
    Code("U106", "the end {end} is before the start {start}", "correct the dates", REJECTS),
    Code("U107", "the same days, players and games as {other}", "take one of the two out", REJECTS),
    Code("U108", "a column tournament_id: the file holds many events, which sections.csv cannot name one by one",
         "send a file a section, or the upload set", REJECTS),
    Code("U201", 'rated as {rated_as} by its time control "{value}", although the report says {said}',
         "correct the report if that is wrong"),
    Code("U202", "not rated: it ended on {end}, and the adopted list of {first} is taken to hold it",
         "nothing to do, or adopt an older list and run the months again"),
    Code("U203", "listed, but there is no report in the folder", "ask for it"),
    Code("U301", "late: it comes before sections that were rated; rated again from {base}", "see us_rerated"),
    Code("U302", "differs from what was rated for {period} and replaces it; rated again from {base}",
         "see us_rerated"),
    Code("U303", "player {player_id} starts in {pool} with {start} from {n} games: {by}", "nothing to do (step 1)"),
    Code("U304", "was rated for {period} with the same content: skipped", "nothing to do"),
    Code("U305", "the exclusions for event {tournament_id} changed after it was rated; rated again from {base}",
         "see us_rerated"),
    Code("U306", "round {round}: {player_id} - {opponent_id} not rated in {pool}: {why}", "nothing to do (matches)"),
    Code("U307", "player {player_id}: {raw} after the match in {pool}, limited to {limited}",
         "nothing to do (matches)"),
    Code("U308", "player {player_id}: {rating} after the match in {pool} is below a floor, which is lowered by {step}",
         "nothing to do (matches)"),
    Code("U309", "round {round}: {player_id} - {opponent_id} not rated in {pool}: {why}",
         "nothing to do (foreign events)"),
    Code("U310", "player {player_id}: prize of {amount} dollars, less than {least}: no floor",
         "nothing to do (floors)"),
    Code("U311", "two players: rated as a match", "nothing to do (matches)"),
    Code("U320", "{count} rows without a number of games are taken as established, with {n} games",
         "nothing to do, or fill in n"),
    Code("U321", "{count} rows without wins, draws and losses: a mixed history is assumed, one draw",
         "nothing to do, or fill them in"),
    Code("U322", "{count} established rows without a highest rating: the rating on this list is taken",
         "nothing to do, or fill in peak"),
    Code("U323", "{count} rows without a day: the day of the list is taken", "nothing to do, or fill in last_rated"),
    # --- reports ---
    Code("R101", "the file is not in register.csv, so nothing of it is used",
         "register it, or take it out of the folder",
         REJECTS),
    Code("R102", "starting number {start_no} stands twice, first on line {first}",
         "correct the starting numbers", REJECTS),
    Code("R103", "player {player_id} stands twice, first on line {first}", "correct the ids", REJECTS),
    Code("R104", 'no. {start_no} has no plausible player id ("{value}") but played', "fill in the id", REJECTS),
    Code("R105", "player {player_id} is not on the prior list, and {missing} is not known",
         "add a line to players.csv, or fill it in in the report", REJECTS),
    Code("R106", "the event lasts {days} days, reported as one; more than {limit} must be reported in parts",
         "register its parts with their start dates and rounds", REJECTS),
    Code("R107", "the same report as {other}", "take one of them out; approvals=distinct if both were played", REJECTS),
    Code("R108", "the list of {wanted}, in force at the start, is not at hand",
         "give --lists DIR with that run folder", REJECTS),
    Code("R109", "round {round} differs from what was rated for {period}",
         "a changed report is never rated twice: take it out and make the correction by corrections.csv", REJECTS),
    Code("R110", "started on {start}, before the first rule book ({first})", "take it out", REJECTS),
    Code("R111", "the file is registered for {other} too", "one file, one tournament: correct register.csv", REJECTS),
    Code("R112", "no reports: not one file for {rating_type} in {where}",
         "add the reports, or use --no-games for a list without games", STOPS),
    Code("R113", '{column}: "{value}" is not known', "one of {known}", STOPS),
    Code("R114", "the report holds round {round}, which no part of the tournament covers",
         "register a part for it, or correct rounds_from and rounds_to", REJECTS),
    Code("R115", "a round robin with unrated players ({players}): {book} computes them first and then the others "
         "against that rating, by a formula that is not sourced, so the report is refused",
         "rate it by hand, or take it out", REJECTS),
    Code("R116", "the {other} list of {wanted}, from which players without a rating start, is not at hand",
         "give --lists DIR with that run folder", REJECTS),
    Code("R117", "tournament {tournament_id} is not in register.csv, so nothing of it is used",
         "register it with this file, or take it out of the collection", REJECTS),
    Code("R201", "never rated: ended on {end}, its third and last list was {last}", "no remedy (9.1)"),
    Code("R202", "registered and ended on {end}, but there is no report",
         "ask for it; its last list is {last}"),
    Code("R203", "no time control, so it was not checked", "fill in time_control in register.csv"),
    Code("R204", "the report says {column} {said}, register.csv {registered}, which is used",
         "correct the wrong one of the two"),
    Code("R205", "{rounds} rounds with the same {games} games, colours and results as {other}: are they rated twice?",
         "take one of them out; approvals=distinct if both were played"),
    Code("R206", "it needs a row in register.csv, for it does not say of itself {lacks}",
         "register it, or complete the report"),
    Code("R301", "waits for the next list: ends on {end}, after the closing date {closing}", "nothing to do"),
    Code("R302", "rated late: it ended on {end}, in time for the list of {first}", "nothing to do"),
    Code("R303", "the file is a copy of {other} and is ignored", "nothing to do"),
    Code("R304", "not a report by its name, ignored", "known are {known}"),
    Code("R305", "player {player_id} ({name}) is new: taken from the report", "nothing to do, or add to players.csv"),
    Code("R306", "the report waited since {period} and is read from that run's folder", "nothing to do"),
    Code("R307", "no. {start_no}: id {reported} stands for player {player_id} ({why})", "nothing to do"),
    Code("R308", "id {player_id} is on no list; it stands in {places}", "add it to players.csv, or to aliases.csv"),
    Code("R309", "not in register.csv; registered by what it says itself: {tournament_id}, {rating_type}, {system}, "
         "{start} to {end}, {time_control}", "nothing to do, or add a row to register.csv"),
    # --- games ---
    Code("G101", "round {round}: player {start_no} has himself as opponent", "correct the opponent's number", REJECTS),
    Code("G102", "round {round}, player {start_no}: opponent {opponent_no} is not in the file",
         "correct the opponent's number", REJECTS),
    Code("G103", "round {round}: player {start_no} reports a game with {opponent_no}, who does not report it",
         "correct one line, or exclude the game in exclusions.csv", REJECTS),
    Code("G104", "round {round}, player {start_no}: reported {result}, opponent {opponent_no} reports {other} too",
         "correct one line or mark a forfeit (+/-)", REJECTS),
    Code("G105", "round {round}, player {start_no}: reported {result}, opponent {opponent_no} reports {other}",
         "correct one line or mark a forfeit (+/-)", REJECTS),
    Code("G106", "round {round}: players {start_no} and {opponent_no} both have {colour}",
         "correct one colour", REJECTS),
    Code("G107", "round {round}, player {start_no}: a result without a colour", "write w or b", REJECTS),
    Code("G108", "round {round}, player {start_no}: a result without an opponent",
         "write the opponent's number, or a bye (H F U Z)", REJECTS),
    Code("G109", 'round {round}, player {start_no}: "{result}" is not a result',
         "one of 1 = 0 + - W D L H F U Z", REJECTS),
    Code("G201", "no game, round or tournament matches this exclusion", "correct it, or take the line out"),
    Code("G301", "round {round}: {white} - {black} not rated: forfeit", "nothing to do (5.1)"),
    Code("G302", "round {round}: {white} not rated: bye", "nothing to do (5.1)"),
    Code("G303", "round {round}: {white} not rated: no pairing", "nothing to do (5.1)"),
    Code("G304", "round {round}: {white} - {black} not rated: less than one move", "nothing to do (5.1)"),
    Code("G305", "round {round}: {white} - {black} not rated: excluded by decision ({why})", "see exclusions.csv"),
    Code("G307", "round {round}: {white} - {black} not rated: not finished (*)", "send the report when it is (5.1)"),
    Code("G306", "round {round} was rated for {period} already: {games} games skipped", "nothing to do"),
    # --- sides ---
    Code("S301", "round {round}: {player_id} - {opponent_id} not rated: the opponent is unrated",
         "nothing to do (8.3.1)"),
    Code("S302", "round {round}: {player_id} - {opponent_id} not rated: {minutes} minutes, {needed} needed",
         "nothing to do (1.1)"),
    Code("S303", "round {round}: {player_id} - {opponent_id} not rated: a match with an unrated player",
         "nothing to do (6.1)"),
    Code("S304", "round {round}: {player_id} - {opponent_id} not rated: the match was decided", "nothing to do (6.2)"),
    Code("S305", "round {round}: {player_id} is rated now, but was unrated at the start: rated with {r}; "
         "for {opponent_id} still unrated", "nothing to do (8.2.4)"),
    Code("S306", "round {round}: {player_id} was rated at the start, but not on the prior list: the game is pooled",
         "nothing to do"),
    Code("S307", "round {round}: {player_id} - {opponent_id} not rated: {player_id} has left the list",
         "nothing to do"),
    Code("S308", "round {round}: {player_id} - {opponent_id} not rated: first control {moves} moves, {needed} needed",
         "nothing to do (1.2)"),
    Code("S309", "player {player_id} has no rating on this list and plays with {r}, the rating of the other list "
         "in force at the start", "nothing to do (6.2)"),
    Code("S310", "round {round}: {player_id} - {opponent_id} not rated: unequal clocks ({time_control})",
         "nothing to do (1.1)"),
    Code("S311", "round {round}: {player_id} - {opponent_id} not rated: {minutes} minutes; {limits} is rated",
         "nothing to do (1.1)"),
    Code("S312", "round {round}: {player_id} - {opponent_id} not rated: {r_start} and {r_opp} are too far apart",
         "nothing to do (7.3.1)"),
    # --- changes, initials, list ---
    Code("C301", "player {player_id}: {n} games, K {k_base} reduced to {k}", "nothing to do (8.3.3)"),
    Code("C302", "player {player_id}: K differs between the tournaments of the period, by the lists at their starts",
         "see event_changes"),
    Code("I301", "player {player_id}: first rating {ru} from {n} games", "nothing to do (8.2)"),
    Code("I302", "player {player_id}: {n} games, {needed} are needed; carried on", "nothing to do (7.1.4)"),
    Code("I303", "player {player_id}: {ru} is below {floor}; carried on", "nothing to do (7.1.4)"),
    Code("I304", "player {player_id}: no points in the first event {tournament_id}, which is dropped",
         "nothing to do (8.2.1)"),
    Code("I305", "player {player_id}: game of {period} in {tournament_id} left the pool", "nothing to do (8.2.2)"),
    Code("L201", "player {player_id} is unknown and the row does not say {missing}", "fill it in"),
    Code("L301", "player {player_id}: {rating} is below {floor}: unrated from this list on", "nothing to do (7.2.1)"),
    Code("L302", "player {player_id} ({name}) left the list: {status}", "nothing to do"),
    Code("L304", "{count} players: one-off {one_off}", "nothing to do"),
    Code("L305", "player {player_id} is merged into {into}", "nothing to do"),
    Code("L303", "player {player_id} is corrected on the list of {period}: {field} {old} -> {new}", "nothing to do"),
    # --- adopt ---
    Code("L210", "{count} players have K {k} and no count of games: {games} games assumed",
         "give --earlier DIR with older lists, or correct games_total by corrections.csv"),
    Code("L310", "{count} players: peak {peak} assumed: K {k}", "nothing to do; correct by corrections.csv"),
    Code("L311", "{count} players: {games} games assumed: K {k}", "nothing to do; correct by corrections.csv"),
    Code("L312", "{count} players: last game assumed on this list", "nothing to do"),
    Code("L313", "{count} players are inactive by the flag of the list", "nothing to do"),
    Code("L314", "the pool starts empty: first-rating games before this list are not known", "nothing to do"),
    Code("L315", "{count} players: K is not in the list and follows the rule book", "nothing to do"),
    Code("L316", "{count} players are below the floor {floor} and unrated from here on", "nothing to do (7.2.1)"),
    Code("L317", "{count} players: peak {peak} assumed: the rating on this list", "nothing to do"),
    # --- audit of two published lists: impossible by the rule book ---
    Code("A101", "rating {rating_a} -> {rating_b} without a game", "ask for the games, or for the correction", BREAKS),
    Code("A102", "{change} points in {games} games; {limit} at most, with K {k_a} on the list before",
         "ask for the calculation (8.3.1 to 8.3.3)", BREAKS),
    Code("A103", "K {k_a} -> {k_b}; possible: {possible}",
         "K goes up on re-entry or with another birth year only", BREAKS),
    Code("A104", "K {k_a} -> {k_b} at {rating_b}; possible: {possible}", "ask which row of 8.3.3 gave it", BREAKS),
    Code("A105", "K stays {k_b} at {rating_b}; possible: {possible}", "ask which row of 8.3.3 gave it", BREAKS),
    Code("A110", "rated {rating_b}, below the floor {limit}", "shown as unrated by the rule", BREAKS),
    Code("A111", "first rating {rating_b} from {games} games; {limit} are needed", "ask for the games", BREAKS),
    Code("A112", "first rating {rating_b}; {limit} at most", "ask for the calculation", BREAKS),
    Code("A113", "first rating {rating_b} with K {k_b}; possible: {possible}",
         "ask which row of 8.3.3 gave it", BREAKS),
    Code("A114", "inactive, with {games} games on this list", "a game makes active (7.2)", BREAKS),
    Code("A115", "active again without a game on this list", "ask for the games", BREAKS),
    Code("A116", "inactive without a year's pause: games on the list before", "ask for the reason", BREAKS),
    Code("A120", "rated {rating_a} and no longer on the list", "ask for the reason", BREAKS),
    Code("A121", "rated {rating_a}, now unrated; {lowest} at the least after {games} games, the floor is {limit}",
         "ask for the calculation", BREAKS),
    Code("A122", "list {list}: {what}", "one row a player", BREAKS),
    Code("A123", "rated {rating_b}, without a K", "fill it in", BREAKS),
    Code("A124", "K {k_b}, which the rule book does not have; known: {known}", "ask which rule gave it", BREAKS),
    Code("A130", "the games column cannot be used: {count} ratings changed and nobody has a game",
         "changes and first ratings were not checked by games", BREAKS),
    Code("A131", "not a full list: {count} of the {wanted} rated players of the list before",
         "get the full list", BREAKS),
    Code("A201", "K {k_a} -> {k_b} of a junior at {rating_b}",
         "right only if the junior limit was reached within the first games (8.3.3)"),
    Code("A301", "rated {rating_a} and no longer on the list, which has no unrated players; may be below the floor",
         "nothing to do"),
    # --- rule books ---
    Code("B301", "{book}: {key} = {value} ({clause}, confidence {confidence}); figures that rest on it: {count}",
         "{note}"),
)  # fmt: skip

CATALOGUE: dict[str, Code] = {code.code: code for code in _CATALOGUE}
_COLUMNS = {column.name: column.dtype for column in FINDINGS.columns if column.name != "seq"}
_NONE = FINDINGS.empty().drop(columns="seq")
_PLACE = [name for name in _COLUMNS if name not in ("code", "severity", "stage", "text")]
_NO = {dtype: pd.array(pd.Series([None]).astype(dtype)) for dtype in set(_COLUMNS.values())}


def none() -> pd.DataFrame:
    """No findings."""
    return _NONE.copy(deep=False)


def of(code: str, rows: pd.DataFrame | None = None, **fields: object) -> pd.DataFrame:
    """Findings of one code: one for each row of `rows`, or one in all without it.

    The text's fields come from the columns of `rows` and from `fields`; so do file, line, tournament_id, part and
    player_id, where given. Whole columns are joined at once: no loop over rows.
    """
    definition = CATALOGUE[code]
    if rows is not None and rows.empty:
        return none()
    count = 1 if rows is None else len(rows)
    same = {"code": code, "severity": definition.severity, "stage": definition.stage, **fields}

    def written(name: str) -> pa.Array | pa.Scalar:
        if name in fields or rows is None:
            return pa.scalar(_word(fields[name]), coded.WIDE)
        return _written(rows[name])

    parts = []
    for literal, field, _, _ in string.Formatter().parse(definition.template):
        parts += [pa.scalar(literal, coded.WIDE)] + ([written(field)] if field is not None else [])
    found = {}
    for name, dtype in _COLUMNS.items():
        if name == "text":
            text = pc.binary_join_element_wise(*parts, pa.scalar("", coded.WIDE))
            found[name] = pd.Series([text.as_py()] * count if isinstance(text, pa.Scalar) else text, dtype="str")
        elif name in same or rows is None or name not in rows:
            one = _NO[dtype] if same.get(name) is None else pd.array(pd.Series([same[name]]).astype(dtype))
            found[name] = pd.Series(one if count == 1 else one.take(np.zeros(count, "int64")))
        else:
            found[name] = _cast(rows[name], dtype).set_axis(pd.RangeIndex(count))
    return pd.DataFrame(found, copy=False)


def join(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """One findings frame (without seq) from several."""
    parts = [part for part in parts if len(part)]
    return pd.concat(parts, ignore_index=True) if parts else none()


class Book(Protocol):
    """What `rests_on` asks of a rule book or one-off."""

    id: str

    def stated(self) -> Iterable[tuple[str, Any]]: ...

    def is_doubtful(self, key: str) -> bool: ...


def rests_on(book: Book, key: str, count: int) -> pd.DataFrame:
    """A note if `count` numbers rest on a value of the book about which the text is silent or the source is weak."""
    value = dict(book.stated())[key]
    if not count or not value.is_doubtful:
        return none()
    said = {name: getattr(value, name) for name in ("value", "clause", "confidence", "note")}
    return of("B301", book=book.id, key=key, count=int(count), **said)


def numbered(found: pd.DataFrame) -> pd.DataFrame:
    """The `findings` frame in its final order: by severity, code, place and text, whatever the order of the input; what
    says the same stands once."""
    rank = pc.index_in(
        coded.arrow(found["severity"]).cast(coded.WIDE), pa.array(SEVERITIES.values(), coded.WIDE)
    ).to_numpy()
    keys = [rank, *(_ranked(found[name]) for name in ("code", "file", "tournament_id", "part", "line"))]
    order = np.lexsort(keys[::-1])
    same = np.logical_and.reduce([key[order][1:] == key[order][:-1] for key in keys])
    # Few stand in the same place: only these are compared by player and text.
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same)) if len(order) else order
    group = np.append(0, np.cumsum(~same))[tied]
    some = found.iloc[order[tied]]
    late = [_ranked(some[name]) for name in ("player_id", "text")]
    inner = np.lexsort([*late[::-1], group])
    order[tied] = order[tied][inner]
    again = np.logical_and.reduce([key[inner][1:] == key[inner][:-1] for key in (group, *late)])
    order = np.delete(order, tied[1:][again]) if len(tied) else order
    return FINDINGS.build({**found.take(order).reset_index(drop=True), "seq": np.arange(1, len(order) + 1)})


def _ranked(values: pd.Series) -> np.ndarray:
    """Whole numbers in the order of the values, null after all others."""
    found = coded.arrow(values)
    if not pa.types.is_integer(found.type):
        found = found.cast(coded.WIDE).dictionary_encode()
        place = np.empty(len(found.dictionary), "int64")
        place[pc.array_sort_indices(found.dictionary).to_numpy()] = np.arange(len(place))
        found = pa.array(place).take(found.indices)
    return pc.fill_null(found, np.iinfo("int64").max).to_numpy()


def stops(found: pd.DataFrame) -> pd.DataFrame:
    """The findings that stop the run."""
    return found[found["code"].isin([code.code for code in _CATALOGUE if code.effect == STOPS])]


def rejections(found: pd.DataFrame) -> pd.DataFrame:
    """The findings by which a report is not used."""
    return found[found["code"].isin([code.code for code in _CATALOGUE if code.effect == REJECTS])]


def line_of(row: Any) -> str:
    """One finding as one line for the terminal: `G104 error open.trf:57: text`, without control characters."""
    place = "" if pd.isna(row.file) else f"{row.file}" + ("" if pd.isna(row.line) else f":{row.line}")
    where = place or ("" if pd.isna(row.tournament_id) else f"tournament {row.tournament_id}")
    return printable(f"{row.code} {row.severity} {where}{': ' if where else ''}{row.text}")


def printable(text: str) -> str:
    """The text with control characters (line breaks, terminal escapes) replaced: names come from strangers."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else "�" for letter in text)


def _cast(values: pd.Series, dtype: str) -> pd.Series:
    """Values of another type."""
    return (coded.plain(values) if dtype == "str" else values).astype(dtype)


def _written(values: pd.Series) -> pa.Array:
    """Values as they stand in a text: days as YYYY-MM-DD, nothing as a dash."""
    if pd.api.types.is_datetime64_dtype(values):
        values = values.dt.strftime("%Y-%m-%d")
    found = pc.fill_null(coded.arrow(_cast(values, "str")).cast(coded.WIDE), "")
    return pc.if_else(pc.equal(found, ""), "-", found)


def _word(value: object) -> str:
    """A value as `_written` writes it."""
    if isinstance(value, str | int):
        return str(value) or "-"
    return _written(pd.Series([value]))[0].as_py()
