"""Any well-formed tournament, written as TRF16 (or as our crosstable) and read again, has the same games (issue 3)."""

import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingrun import findings
from ratingrun.formats import Report, content, read_report, report_writers

MIRROR = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "W": "L", "D": "D", "L": "W", "*": "*"}
NAME = st.text(st.characters(categories=["L"], max_codepoint=0x2FF), min_size=1, max_size=20)


@st.composite
def tournaments(draw):
    """A report of 2 to 12 players and 1 to 11 rounds: each round pairs some, the others have byes or nothing."""
    numbers = sorted(draw(st.lists(st.integers(1, 9999), min_size=2, max_size=12, unique=True)))
    cells = []
    for number in range(1, draw(st.integers(1, 11)) + 1):
        order = draw(st.permutations(numbers))
        for white, black in zip(order[::2], order[1::2], strict=False):
            code = draw(st.sampled_from(list(MIRROR)))
            cells += [(white, number, black, "w", code), (black, number, white, "b", MIRROR[code])]
        if len(order) % 2:
            cells.append((order[-1], number, None, None, draw(st.sampled_from([*"HFUZ", ""]))))
    results = pd.DataFrame(cells, columns=["start_no", "round", "opponent_no", "colour", "result"])
    players = {
        "start_no": numbers,
        "player_id": [draw(st.one_of(st.none(), st.integers(1, 10**9).map(str))) for _ in numbers],
        "name": [draw(NAME) for _ in numbers],
        "federation": [draw(st.sampled_from(["VLM", None])) for _ in numbers],
        "sex": [draw(st.sampled_from(["m", "w", None])) for _ in numbers],
        "title": [draw(st.sampled_from(["GM", "WFM", None])) for _ in numbers],
        "birth_year": [draw(st.one_of(st.none(), st.integers(1900, 2020))) for _ in numbers],
        "reported_rating": [draw(st.one_of(st.none(), st.integers(1, 3999))) for _ in numbers],
        "file": ["a"] * len(numbers),
        "line": list(range(len(numbers))),
    }
    results = results.astype({"opponent_no": "Int64"}).assign(file="a", line=1)
    results = results.sort_values(["start_no", "round"], ignore_index=True)
    entries = content.entries(pd.DataFrame(players))
    return Report("a", "", "Open", "VLM", entries, content.results(results), findings.none(), b"")


def facts(frame, drop):
    rows = frame.drop(columns=["file", "line", "declared"], errors="ignore").astype(object)
    rows = rows.where(rows.notna(), None)
    return [row for row in rows.to_numpy().tolist() if not (drop and row[2] is None and row[4] == "")]


@pytest.mark.parametrize("form", ["trf", "csv", "parquet"])
def test_a_tournament_comes_back(form):
    @settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
    @given(tournaments())
    def check(report):
        if form != "trf":  # a crosstable cell has no * yet
            report.results["result"] = report.results["result"].replace("*", "=")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"a.{form}"
            assert len(report_writers.write(report, path, form)) == 0
            again = read_report(path, "a")
        assert not len(again.findings), again.findings["text"].tolist()
        assert facts(again.results, drop=True) == facts(report.results, drop=True)
        assert facts(again.entries, drop=False) == facts(report.entries, drop=False)

    check()


def test_a_report_of_more_than_64_mib_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "a.trf"
    with path.open("wb") as stream:
        stream.truncate((64 << 20) + 1)  # a hole: nothing is written, nothing must be read
    report = read_report(path, "a.trf")
    assert report.raw == b""
    assert report.findings["text"][0].startswith("the report cannot be read: it is larger than 64 MiB")
