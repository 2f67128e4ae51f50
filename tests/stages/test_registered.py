"""Reports that say of themselves what a register row says (TRF26: 042, 052, 192, 222), and what both say together."""

import datetime as dt

import folders
import pandas as pd
import pytest

from ratingrun import frames
from ratingrun.formats import Report, content
from ratingrun.stages import registered

HEAD = ["012 Quick Open", "042 2025/10/04", "052 2025/10/05", "192 FIDE_DUTCH_2025", "222 5400+30"]
CELLS = {
    ("0101", "Ann"): ("   2 w 1", "   3 b ="),
    ("0102", "Bob"): ("   1 b 0", "   4 w 1"),
    ("0103", "Cat"): ("   4 w 1", "   1 w ="),
    ("0104", "Dan"): ("   3 b 0", "   2 b 0"),
}


def open_as_trf(head=HEAD):
    """folders.OPEN in TRF."""
    rows = [
        f"001 {no:>4} {'':4} {name:33} {'':4} ZZZ {player_id:>11} {'':10} {'':4} {'':4}  {'  '.join(cells)}"
        for no, ((player_id, name), cells) in enumerate(CELLS.items(), 1)
    ]
    return "\n".join([*head, *rows]) + "\n"


@pytest.fixture
def folder(tmp_path):
    found = folders.Folder(tmp_path)
    for period in folders.LISTS:
        found.write(f"lists_source/{period}.csv", folders.LIST)
        assert folders.command("adopt", f"lists_source/{period}.csv", "--period", period, "-C", tmp_path).code == 0
    return found


def report(file="open.trf", **said):
    return Report(file, "0" * 64, None, None, content.no_entries(), content.no_results(),
                  registered.findings.none(), b"", **said)  # fmt: skip


def test_a_report_that_says_it_all_needs_no_register(folder):
    folder.report("quick-open.trf", open_as_trf())
    done = folder.run()
    assert done.code == 0, done.err
    assert folder.ratings() == folders.AFTER_OPEN
    (row,) = folder.frame("tournaments").to_dict("records")
    assert (row["tournament_id"], row["system"], row["time_control"]) == ("quick-open-2025-10-04", "swiss", "90+30")
    wanted = "R309 note quick-open.trf: not in register.csv; registered by what it says itself: quick-open-2025-10-04, "
    assert f"{wanted}standard, swiss, 2025-10-04 to 2025-10-05, 90+30; nothing to do, or add a row to register.csv" in (
        folder.findings()
    )
    verified = folders.command("verify", folder.path / "lists/2025-11-standard")
    assert verified.code == 0, verified.out + verified.err


LACKS = {1: "its first day (042)", 2: "its last day (052)", 3: "its system (192)", 4: "its clock (222)"}


@pytest.mark.parametrize("missing", LACKS)
def test_a_report_that_lacks_a_fact_needs_the_register(folder, missing):
    """Without first day, last day, system or clock: no register at all stops the run, one without the file R101; what
    is lacking is said both times."""
    said = (
        f"R206 warning quick-open.trf: it needs a row in register.csv, for it does not say of itself {LACKS[missing]}; "
        "register it, or complete the report"
    )
    folder.report("quick-open.trf", open_as_trf([line for place, line in enumerate(HEAD) if place != missing]))
    done = folder.run()
    assert (done.code, done.found[0][:4]) == (1, "F110")
    assert said in done.found
    folder.register(id="T9", file="other.csv", start="2025-10-04", end="2025-10-05")
    done = folder.run()
    assert done.code == 1
    assert any(line.startswith("R101 error quick-open.trf") for line in done.found)
    assert said in done.found


@pytest.mark.parametrize(
    ("wrong", "lacks"),
    [
        ("042 04/05/2025", "which first day (042) it is: 2025-04-05 or 2025-05-04"),
        ("052 2025/10/01", "a last day (052) after the first: 2025-10-01, 2025-10-04"),
        # a minute for all moves: neither standard nor rapid nor blitz
        ("222 60", "a clock (222) that the rules of 2025-10-04 give to one list alone: 1"),
    ],
)
def test_what_a_report_says_in_vain_is_named(folder, wrong, lacks):
    folder.report("quick-open.trf", open_as_trf([*(line for line in HEAD if line[:3] != wrong[:3]), wrong]))
    folder.register(id="T9", file="other.csv", start="2025-10-04", end="2025-10-05")
    (said,) = [line for line in folder.run().found if line.startswith("R206")]
    start = "R206 warning quick-open.trf: it needs a row in register.csv, for it does not say of itself"
    assert said.startswith(f"{start} {lacks};")


def test_of_a_copy_nothing_is_asked(folder):
    """R303: another name for a report that is registered."""
    for name in ("quick-open.trf", "copy.trf"):
        folder.report(name, open_as_trf(HEAD[:3]))
    folder.register(id="T1", file="quick-open.trf", start="2025-10-04", end="2025-10-05")
    assert [line[:4] for line in folder.run().found if line[:4] in ("R206", "R101")] == []


def test_the_register_decides(folder):
    """Its days and clock are used, and what the report says otherwise is a warning."""
    folder.report(
        "quick-open.trf", open_as_trf([*HEAD[:1], "042 04/05/2025", "052 07/05/2025", *HEAD[3:4], "222 1800"])
    )
    folder.register(id="T1", file="quick-open.trf", start="2025-10-04", end="2025-10-05")
    done = folder.run()
    assert (done.code, folder.ratings()) == (0, folders.AFTER_OPEN)
    place = "quick-open.trf: the report says"
    said = [
        f"{place} start 2025-04-05 or 2025-05-04, register.csv 2025-10-04",
        f"{place} end 2025-05-07 or 2025-07-05, register.csv 2025-10-05",
        f"{place} time_control 30, register.csv 90+30",
    ]
    found = folder.findings()
    assert [line for line in found if line[:4] in ("F222", "F223")] == []
    for text in said:
        assert f"R204 warning {text}, which is used; correct the wrong one of the two" in found


def test_a_day_with_two_readings_is_settled_by_the_register(folder):
    head = [*HEAD[:1], "042 10/04/2025", "052 10/05/2025", *HEAD[3:]]
    folder.report("quick-open.trf", open_as_trf(head))
    folder.register(id="T1", file="quick-open.trf", start="2025-10-04", end="2025-10-05")
    done = folder.run()
    assert (done.code, folder.ratings()) == (0, folders.AFTER_OPEN)
    assert [line for line in folder.findings() if line[:4] in ("F222", "F223", "R204")] == []


@pytest.mark.parametrize(
    ("clock", "start", "rating_type"),
    [
        # 1.1: 120 minutes from 2400 up, 90 from 1800, 60 below: an hour is the least for a standard game
        ("90+30", dt.date(2025, 10, 4), "standard"), ("60", dt.date(2025, 10, 4), "standard"),
        # Rapid: more than 10 and less than 60 minutes; blitz: more than 3, not more than 10 (60 moves)
        ("15+10", dt.date(2025, 10, 4), "rapid"), ("59", dt.date(2025, 10, 4), "rapid"),
        ("3+2", dt.date(2025, 10, 4), "blitz"), ("1", dt.date(2025, 10, 4), None),
        # before March 2024 our books do not check clocks
        ("90+30", dt.date(2023, 10, 4), None),
    ],
)  # fmt: skip
def test_the_clock_gives_the_rating_type(clock, start, rating_type):
    one = report(start=(start,), end=(start,), time_control=clock, system="swiss")
    register, _, found = registered.complete(frames.REGISTER.empty(), [one])
    assert register["rating_type"].tolist() == ([rating_type] if rating_type else [])
    assert found["code"].tolist() == (["R309"] if rating_type else ["R206"])


def test_an_empty_clock_of_the_register_is_the_reports():
    row = {"tournament_id": "T1", "part": 1, "file": "open.trf", "rating_type": "standard", "system": "swiss",
           "start": "2025-10-04", "end": "2025-10-05", "fide_official": False, "line": 2}  # fmt: skip
    register = frames.REGISTER.build(pd.DataFrame([row]).reindex(columns=frames.REGISTER.names))
    register, _, found = registered.complete(register, [report(time_control="90+30")])
    assert register["time_control"].tolist() == ["90+30"]
    assert found.empty
