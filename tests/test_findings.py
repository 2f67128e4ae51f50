"""Findings: stable codes, pinned texts, one order, and nothing of a stranger's terminal escapes (DESIGN 7)."""

import string
from pathlib import Path

import pandas as pd
import pytest

from ratingrun import findings, frames

PINNED = Path(__file__).parent / "cases" / "finding_texts.txt"


def fields(code):
    return {field for _, field, _, _ in string.Formatter().parse(code.template) if field is not None}


def catalogue_as_text():
    effects = {findings.STOPS: " STOPS", findings.REJECTS: " REJECTS", findings.NOTHING: ""}
    codes = sorted(findings.CATALOGUE.values(), key=lambda code: code.code)
    return "".join(f"{code.code} {code.severity}{effects[code.effect]}: {code.template}\n" for code in codes)


# --- the catalogue ---------------------------------------------------------------------------------------------------


def test_the_texts_are_pinned():
    """People search for these texts and scripts for the codes: a change is made in both places, on purpose."""
    assert catalogue_as_text() == PINNED.read_text("utf-8")


def test_a_code_stands_once():
    assert len(findings.CATALOGUE) == len(findings._CATALOGUE)


@pytest.mark.parametrize("code", findings.CATALOGUE.values(), ids=findings.CATALOGUE)
def test_every_code_says_stage_severity_effect_and_remedy(code):
    assert code.stage in findings.STAGES.values()
    assert code.severity in findings.SEVERITIES.values()
    assert len(code.code) == 4
    assert code.text
    assert code.remedy
    assert (code.effect != findings.NOTHING) == (code.severity == "error")
    assert code.effect in (findings.STOPS, findings.REJECTS, findings.NOTHING)


@pytest.mark.parametrize("code", findings.CATALOGUE)
def test_every_text_can_be_filled_in(code):
    definition = findings.CATALOGUE[code]
    values = {field: f"<{field}>" for field in fields(definition)}
    typed = {"part": 1, "line": 7} | {name: value for name, value in values.items() if name not in ("part", "line")}
    found = findings.of(code, **{name: typed.get(name, values.get(name)) for name in values})
    assert found["text"].tolist() == [definition.template.format(**values)]
    assert found.loc[0, ["code", "severity", "stage"]].tolist() == [code, definition.severity, definition.stage]


# --- rows ------------------------------------------------------------------------------------------------------------

ROWS = pd.DataFrame(
    {
        "file": ["open.trf", "open.trf"],
        "line": [57, 58],
        "tournament_id": ["T1", "T1"],
        "round": [3, 4],
        "start_no": [12, 9],
        "opponent_no": pd.array([8, None], "Int64"),
        "result": ["1", "="],
        "other": ["1", None],
        "not_mentioned": [1, 2],
    },
    index=[10, 4],
)


def test_one_finding_a_row_with_its_place():
    found = findings.of("G104", ROWS)
    assert found["text"].tolist() == [
        "round 3, player 12: reported 1, opponent 8 reports 1 too; correct one line or mark a forfeit (+/-)",
        "round 4, player 9: reported =, opponent - reports - too; correct one line or mark a forfeit (+/-)",
    ]
    assert found["line"].tolist() == [57, 58]
    assert found["player_id"].isna().all()
    assert "not_mentioned" not in found


def test_a_field_given_by_name_goes_for_every_row():
    assert findings.of("G104", ROWS, other="0")["text"].str.contains("reports 0 too").all()


def test_days_are_written_as_in_the_files():
    rows = pd.DataFrame({"end": pd.to_datetime(["2025-10-30"]), "closing": pd.to_datetime(["2025-10-29"])})
    text = findings.of("R301", rows)["text"][0]
    assert text == "waits for the next list: ends on 2025-10-30, after the closing date 2025-10-29; nothing to do"


def test_a_word_of_the_input_is_written_as_it_stands():
    """ "nan" and "None" are words like any other; only what is missing is written as a dash."""
    rows = pd.DataFrame({"value": ["nan", "None", "", None], "column": "start", "line": [1, 2, 3, 4]})
    texts = findings.of("F104", rows)["text"].str.split(";").str[0].tolist()
    assert texts == [f'start: "{word}" is not a date' for word in ("nan", "None", "-", "-")]


def test_a_field_without_a_value_is_a_bug():
    with pytest.raises((KeyError, TypeError)):
        findings.of("G104", ROWS.drop(columns="result"))


def test_no_rows_no_findings():
    assert len(findings.of("G104", ROWS.iloc[:0])) == 0
    assert findings.join([findings.none(), findings.of("G104", ROWS.iloc[:0])]).empty
    assert len(findings.numbered(findings.none())) == 0


# --- the order -------------------------------------------------------------------------------------------------------


def some():
    return findings.join(
        [
            findings.of("R301", file="b.csv", tournament_id="T2", end="2025-10-30", closing="2025-10-29"),
            findings.of("R203", file="b.csv", tournament_id="T2"),
            findings.of("G104", ROWS),
            findings.of("R203", file="a.csv", tournament_id="T9", part=2),
            findings.of("R203", file="a.csv", tournament_id="T9", part=1),
            findings.of("F201", encoding="Windows-1252"),
        ]
    )


def test_errors_first_then_warnings_then_notes_by_code_and_place():
    ordered = findings.numbered(some())
    assert ordered["seq"].tolist() == list(range(1, 8))
    assert ordered["code"].tolist() == ["G104", "G104", "F201", "R203", "R203", "R203", "R301"]
    assert ordered["line"].tolist()[:2] == [57, 58]
    assert ordered["part"].tolist()[3:5] == [1, 2]
    frames.FINDINGS.check(ordered)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_input_makes_no_difference(seed):
    shuffled = some().sample(frac=1, random_state=seed)
    pd.testing.assert_frame_equal(findings.numbered(shuffled), findings.numbered(some()))


def test_the_same_finding_twice_is_said_once():
    assert len(findings.numbered(findings.join([some(), some()]))) == len(some())


# --- effects ---------------------------------------------------------------------------------------------------------


def test_what_stops_the_run_and_what_rejects_a_report():
    found = findings.join([some(), findings.of("F110", file="register.csv")])
    assert findings.stops(found)["code"].tolist() == ["F110"]
    assert findings.rejections(found)["code"].tolist() == ["G104", "G104"]


# --- on the terminal -------------------------------------------------------------------------------------------------


def line(found):
    return findings.line_of(next(found.itertuples()))


def test_one_line_for_the_terminal():
    """The example of DESIGN 7."""
    assert line(findings.of("G104", ROWS)) == (
        "G104 error open.trf:57: round 3, player 12: reported 1, opponent 8 reports 1 too; "
        "correct one line or mark a forfeit (+/-)"
    )
    assert line(findings.of("R203", tournament_id="T9")).startswith("R203 warning tournament T9: no time control")
    assert line(findings.of("R203", file="a.csv")).startswith("R203 warning a.csv: no time control")
    assert line(findings.of("R203")).startswith("R203 warning no time control")


@pytest.mark.parametrize(
    "evil", ["\x1b[2J", "\x1b]0;title\x07", "a\nG104 error", "a\rb", "\u202eabc", "\x00", "\x9b31m"]
)
def test_a_name_cannot_write_on_the_terminal(evil):
    written = line(findings.of("R305", player_id="1", name=f"Tal{evil}"))
    assert written.isprintable()
    assert "Tal" in written


def test_names_in_any_script_stay_as_they_are():
    for name in ("Åsa Öberg", "Гарри", "王皓", "José da Conceição", "حسن"):
        assert findings.printable(name) == name
