"""The worked examples of cases/*.toml, run through the whole pipeline. How to write one: cases/README.md."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from cases import months

from ratingrun import pipeline, rulebooks

HERE = Path(__file__).parent / "cases"

# What a name under `expect` means: the columns that find the row.
ROW = {
    "tournaments": ["tournament_id", "part"],
    "games": ["tournament_id", "round", "white_id"],
    "sides": ["tournament_id", "round", "player_id"],
    "event_changes": ["player_id", "tournament_id"],
    "changes": ["player_id"],
    "initials": ["player_id"],
    "pool": ["player_id", "tournament_id", "round"],
    "rating_list": ["player_id"],
    "trail": ["player_id", "entry"],
}
KNOWN = {
    *("name", "clause", "source", "period", "lists", "event", "month", "expect", "book"),
    *("pool", "corrections", "exclusions", "players"),
}


def read(path):
    """The cases of a file; source and clause of the file go for each that does not say its own."""
    file = tomllib.loads(path.read_text("utf-8"))
    common = {name: file[name] for name in ("source", "clause") if name in file}
    return {f"{path.stem}: {case['name']}": common | case for case in file["case"]}


CASES = {}
for path in sorted(HERE.glob("*.toml")):
    CASES |= read(path)


def books(changes, folder):
    """A folder with copies of the rule books in which some words or numbers are others."""
    (folder / rulebooks.FIDE_STANDARD).mkdir(parents=True)
    for path in (rulebooks.HERE / rulebooks.FIDE_STANDARD).glob("*.toml"):
        text, section = [], ""
        left = dict(changes)
        for line in path.read_text("utf-8").splitlines():
            section = line.split("]")[0].strip("[") if line.startswith("[") else section
            key = f"{section}.{line.split('=')[0].strip()}"
            if key in left:
                value = left.pop(key)
                old = tomllib.loads(line)[key.split(".")[1]]["value"]
                written = [f'value = "{word}"' if isinstance(word, str) else f"value = {word}" for word in (old, value)]
                assert written[0] in line
                line = line.replace(*written)
            text.append(line)
        assert not left, f"no such key: {left}"
        (folder / rulebooks.FIDE_STANDARD / path.name).write_text("\n".join(text), "utf-8")
    return folder


def check(frame, name, expected, where):
    """One line of `expect`: the row exists ("none": it does not) and says what is expected."""
    rows = frame
    for column, value in zip(ROW[where], name.split(), strict=False):
        rows = rows[rows[column].astype("str") == value]
    if expected == "none":
        assert rows.empty, f"{where}: {name}: {rows.iloc[0].to_dict()}"
        return
    assert len(rows) == 1, f"{where}: {len(rows)} rows of {name}"
    row = rows.iloc[0]
    found = {column: "none" if pd.isna(row[column]) else row[column] for column in expected}
    found = {column: str(value)[:10] if isinstance(value, pd.Timestamp) else value for column, value in found.items()}
    assert found == expected, f"{where}: {name}"


def check_all(month, expect):
    for where, rows in expect.items():
        if where == "findings":
            counts = month.findings["code"].value_counts()
            assert {code: int(counts.get(code, 0)) for code in rows} == rows
            continue
        for name, expected in rows.items():
            check(month.frames[where], name, expected, where)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_case(case, tmp_path):
    assert set(case) <= KNOWN, set(case) - KNOWN
    assert case["clause"]
    assert case["source"]
    lists, pooled, rated = dict(case["lists"]), None, None
    folder = books(case["book"], tmp_path) if "book" in case else rulebooks.HERE
    given = {name: case.get(name, ()) for name in ("corrections", "exclusions", "players")}
    for part in case.get("month", [case]):
        assert part["expect"]
        inputs = months.inputs(
            part["period"], lists, part.get("event", []), pooled=case.get("pool", ()), books=folder, **given
        )
        if pooled is not None:  # a later month: the state of the month before
            inputs = replace(inputs, pool=pooled, rated=rated)
        month = pipeline.run(replace(inputs, no_games=not part.get("event")))
        assert not month.stopped, month.findings["text"].tolist()
        check_all(month, part["expect"])
        lists[part["period"]] = month.frames["rating_list"]
        pooled, rated = month.frames["pool"], month.frames["rated"]
