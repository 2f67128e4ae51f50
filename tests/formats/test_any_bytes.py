"""Whatever the bytes: no exception, only findings; and a report without an error has every player's every round."""

import io
import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingrun import frames
from ratingrun.formats import inputs, list_tables, read_report

CROSSTABLE = """start_no,player_id,name,federation,sex,title,birth_year,reported_rating,round_1,round_2
2,0012,"Bó, B",krs,F,g,1990,1850,1b0,3 w ½
1,11,"Al, A",KRS,m,1N,,0,2w1,h
3,,,,,,0,,-,2b1/2
"""
TRF = (
    "012 Spring Open\r\n032 KRS\r\n"
    "001    1 m  g Al, Ann                           1850 KRS       12345 1990/00/00  1.5    1     2 w 1     3 w = \r\n"
    "001    2 f wg Bó, Berta                         1750 KRS       12346 1990/01/02  0.0    3     1 b 0  0000 - H \r\n"
    "001    3                                                                         0.5    2               1 b =\r\n"
)
INPUTS = {
    "register": "tournament_id,file,rating_type,system,start,end,part,rounds_from,rounds_to,time_control\n"
    'T1,"a.csv",standard,swiss,2025-10-04,2025-10-12,1,1,3,90+30\nT2,b.csv,rapid,match,2025-10-04,2025-10-12,,,,\n',
    "players": "player_id,date,name,federation,sex,birth_year\n007,2025-10-01,Blé,KRS,f,1990\n8,2025-10-01,,,,\n",
    "corrections": "player_id,rating_type,list_date,field,value,reason,source\n7,standard,2025-10-01,rating,1850,a,b\n"
    "7,standard,2025-10-01,last_played,2025-09-01,a,b\n7,standard,2025-10-01,active,yes,a,b\n",
    "exclusions": "tournament_id,round,player_id,reason\nT1,1,,x\nT2,,7,y\n",
}
LIST = "player_id,name,rating,k,active,flag,last_played\n1,A,1850,20,yes,wi,2025-10-01\n2,B,,,,,\n"
FILES = [("a.csv", CROSSTABLE), ("a.trf", TRF), ("a.txt", CROSSTABLE), ("a.trf", CROSSTABLE), ("a.csv", TRF)]
PIECES = [
    "",
    "\n",
    "\r",
    "\r\n",
    '"',
    ",",
    ";",
    "\t",
    " ",
    "0",
    "9999",
    "-1",
    "1e5",
    "½",
    "é",
    "001 ",
    "\x85",
    "nan",
    "1w1",
]
run = settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))


def parquet(text):
    buffer = io.BytesIO()
    pd.read_csv(io.StringIO(text), dtype="str").to_parquet(buffer)
    return buffer.getvalue()


@st.composite
def changed(draw, text):
    """The bytes of a good file with a few pieces put in or taken out, in one encoding or the other."""
    raw = text if isinstance(text, bytes) else text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "cp1252"])))
    piece = st.one_of(st.binary(max_size=4), st.sampled_from(PIECES).map(str.encode))
    for _ in range(draw(st.integers(0, 4))):
        place, length = draw(st.integers(0, len(raw))), draw(st.integers(0, 6))
        raw = raw[:place] + draw(piece) + raw[place + length :]
    return raw


def check_report(name, raw):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(raw)
        report = read_report(path, name)
    assert report.raw == raw
    for frame, found in ((frames.ENTRIES, report.entries), (frames.RESULTS, report.results)):
        frame.build(found.assign(tournament_id="T", part=1, line=range(len(found))))
    errors = report.findings[report.findings["severity"] == "error"]
    assert (report.findings["file"] == name).all()
    assert len(errors) or len(report.entries)
    if not len(errors):
        assert len(report.results) == len(report.entries) * report.results["round"].nunique()
        assert report.results["result"].isin([*"1=0+-WDLHFUZ", ""]).all()


@run
@given(name=st.sampled_from(["a.csv", "a.trf", "a.txt", "a.parquet"]), raw=st.binary(max_size=300))
def test_any_bytes_as_a_report(name, raw):
    check_report(name, raw)


@pytest.mark.parametrize(("name", "text"), FILES)
def test_changed_reports(name, text):
    run(given(raw=changed(text))(lambda raw: check_report(name, raw)))()


def test_changed_parquet_reports():
    run(given(raw=changed(parquet(CROSSTABLE)))(lambda raw: check_report("a.parquet", raw)))()


@pytest.mark.parametrize("name", list(INPUTS))
def test_changed_inputs(name):
    frame = frames.ALL[name]

    def check(raw):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{name}.csv"
            path.write_bytes(raw)
            found, notes = getattr(inputs, name)(path)
        frame.check(found)
        frame.to_arrow(found)
        assert (notes["file"] == f"{name}.csv").all()

    run(given(raw=st.one_of(changed(INPUTS[name]), st.binary(max_size=100)))(check))()


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_changed_lists(name):
    source = LIST if name == "a.csv" else parquet(LIST)

    def check(raw):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(raw)
            found, notes = list_tables.read(path)
            list_tables.read_parquet(frames.RATING_LIST, path)
        assert list(found) == [*frames.RATING_LIST.names, "flag", "line"]
        assert found["player_id"].is_unique
        assert (notes["file"] == name).all()

    run(given(raw=st.one_of(changed(source), st.binary(max_size=100)))(check))()
