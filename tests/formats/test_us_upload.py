"""The US Chess upload set: sections, players, cells as the three files have them; what is wrong is a finding."""

import random

import pandas as pd
import pytest

from ratingrun import findings
from ratingrun.formats import us_upload, us_upload_writer
from ratingrun.formats.us_upload_writer import cell

EVENT = {"H_EVENT_ID": "202510110", "H_NAME": "HARBOR", "H_BEG_DATE": "20251010", "H_END_DATE": "20251012"}
SECTION = {"S_EVENT_ID": "202510110", "S_SEC_NUM": " 1", "S_SEC_NAME": "OPEN"}
SECTION |= {"S_R_SYSTEM": "D", "S_TIMECTL": "G/60;d5"}


def player(number, member, *cells, section=1):
    rounds = {f"D_RND{i:02d}": written for i, written in enumerate(cells, 1)}
    place = {"D_EVENT_ID": "202510110", "D_SEC_NUM": f"{section:>2}", "D_PAIR_NUM": f"{number:>4}"}
    return place | {"D_MEM_ID": member, "D_NAME": f"NAME, {number}", "D_RATING": "1200"} | rounds


PLAYERS = [
    player(1, "90000001", cell("W", 2, "W"), cell("D", 3, "B"), cell("X", 4, "W")),
    player(2, "90000002", cell("L", 1, "B"), "B", cell("Z", 3)),
    player(3, "90000003", "H", cell("D", 1, "W"), cell("Z", 2)),
    player(4, "90000004", "U", "", cell("F", 1, "B")),
]


def files(event=None, sections=None, players=None, folder="harbor/"):
    written = us_upload_writer.write(event or EVENT, sections or [SECTION], players or PLAYERS)
    return {folder + name: raw for name, raw in written.items()}


def codes(upload):
    return [findings.line_of(row) for row in upload.findings.itertuples()]


def test_a_set():
    upload = us_upload.read(files())
    assert codes(upload) == []
    row = upload.sections.iloc[0]
    assert (row["tournament_id"], row["part"], row["name"]) == ("202510110", 1, "HARBOR: OPEN")
    assert (row["start"], row["end"]) == (pd.Timestamp("2025-10-10"), pd.Timestamp("2025-10-12"))
    assert (row["time_control"], row["rated_as"], row["place"], row["kind"]) == ("G/60;d5", "dual", "otb", "swiss")
    assert upload.entries["player_id"].tolist() == ["90000001", "90000002", "90000003", "90000004"]
    rows = upload.results.astype(object).where(upload.results.notna(), None)
    read = {(row.start_no, row.round): (row.result, row.opponent_no, row.colour) for row in rows.itertuples()}
    assert read[1, 1] == ("1", 2, "w")
    assert read[2, 1] == ("0", 1, "b")
    assert read[1, 2] == ("=", 3, "b")
    assert [read[1, 3], read[4, 3]] == [("+", 4, "w"), ("-", 1, "b")]
    assert [read[2, 3], read[3, 3]] == [("-", 3, None), ("-", 2, None)]
    assert [read[2, 2][0], read[3, 1][0], read[4, 1][0], read[4, 2][0]] == ["F", "H", "Z", ""]


def test_own_days_of_a_section_and_a_match():
    two = [player(1, "90000001", cell("W", 2)), player(2, "90000002", cell("L", 1))]
    dated = SECTION | {"S_BEG_DATE": "20251011", "S_END_DATE": "20251011"}
    upload = us_upload.read(files(sections=[dated], players=two))
    assert (upload.sections["start"] == pd.Timestamp("2025-10-11")).all()
    assert upload.sections["kind"].tolist() == ["match"]
    assert upload.results["colour"].isna().all()


def test_a_set_without_an_event_id_is_named_by_its_folder():
    sections, players = [SECTION | {"S_EVENT_ID": ""}], [row | {"D_EVENT_ID": ""} for row in PLAYERS]
    upload = us_upload.read(files(EVENT | {"H_EVENT_ID": ""}, sections, players))
    assert upload.sections["tournament_id"].tolist() == ["harbor"]
    assert [line.split()[0] for line in codes(upload)] == ["F326"]
    upload = us_upload.read(files(EVENT | {"H_EVENT_ID": ""}, sections, players, folder=""))
    assert [line.split()[0] for line in codes(upload)] == ["F164"]


@pytest.mark.parametrize(
    ("event", "section", "players", "code"),
    [
        ({}, {}, [player(1, "90000001", "W"), *PLAYERS[1:]], "F166"),
        ({}, {}, [player(1, "90000001", "$   2W"), *PLAYERS[1:]], "F166"),
        ({}, {}, [*PLAYERS, player(5, "90000005", "U", section=2)], "F165"),
        ({}, {}, [PLAYERS[0] | {"D_PAIR_NUM": "ABC"}, *PLAYERS[1:]], "F162"),
        ({}, {}, [PLAYERS[0] | {"D_EVENT_ID": "OTHER"}, *PLAYERS[1:]], "F165"),
        ({"H_END_DATE": "20251340"}, {}, PLAYERS, "F162"),
        ({}, {"S_R_SYSTEM": "K"}, PLAYERS, "F162"),
        ({}, {"S_BEG_DATE": "20251201"}, PLAYERS, "F162"),
        ({}, {"S_SEC_NUM": "0"}, PLAYERS, "F162"),
    ],
)
def test_what_is_wrong_is_a_finding_with_file_and_record(event, section, players, code):
    upload = us_upload.read(files(EVENT | event, [SECTION | section], players))
    found = upload.findings[upload.findings["code"] == code]
    assert len(found) and found["file"].str.endswith(".DBF").all()
    assert len(findings.rejections(found))


def test_a_section_twice_and_one_without_players():
    upload = us_upload.read(files(sections=[SECTION, SECTION, SECTION | {"S_SEC_NUM": " 2"}]))
    assert {"F163", "F167"} <= set(upload.findings["code"])


def test_half_a_set_and_other_names():
    whole = files()
    upload = us_upload.read({name: raw for name, raw in whole.items() if "THEXPORT" not in name})
    assert set(upload.findings["code"]) == {"F161"} and not len(upload.sections)
    upload = us_upload.read({"club.dbf": b"x"})
    assert upload.findings["code"].tolist() == ["F161"]
    upload = us_upload.read(whole | {"harbor/thexport.dbf": b"x"})
    assert set(upload.findings["code"]) == {"F161"}
    upload = us_upload.read({name: raw[:50] if "TS" in name else raw for name, raw in whole.items()})
    assert upload.findings["code"].tolist() == ["F160"]


def test_any_bytes_are_read_or_said():
    """Mutated sets: no exception, and what is not read is a finding that rejects."""
    dice, whole = random.Random(3), files()
    for _ in range(60):
        broken = dict(whole)
        name = dice.choice(list(broken))
        raw = bytearray(broken[name])
        for _ in range(dice.randint(1, 6)):
            raw[dice.randrange(len(raw))] = dice.choice([dice.randrange(256), ord(dice.choice("0129 WLDXHU"))])
        broken[name] = bytes(raw)
        upload = us_upload.read(broken)
        lost = len(upload.entries) < len(PLAYERS) or len(upload.sections) < 1
        assert not lost or len(findings.rejections(upload.findings)) or "F325" in set(upload.findings["code"])
