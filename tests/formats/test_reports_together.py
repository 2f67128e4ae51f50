"""Reports of a month are read together; each is what it is by itself, whatever the others are (README, Architecture).

What a single report must be stands in test_report_tables, test_collections and test_trf; that of csv in Python's csv.
"""

import io
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
import test_any_bytes as any_bytes
import test_collections as collections
import test_report_tables as single
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingrun.formats import content, csv_sheets, read_report, read_reports, text

OPEN = single.OPEN
HEAD, ONE, TWO, THREE = OPEN.splitlines()
WIDE = "start_no," + ",".join(f"round_{number}" for number in range(1, 20)) + "\n1" + ",h" * 19 + "\n"
KINDS = {
    "semicolon": '﻿start_no;name;round_1\n1;"A; ""B""";2w1\n2;C;1b0\n',
    "tab": "start_no\tround_2\tround_1\n1\t2w1\t\n2\t1b0\t-\n",
    "crlf": OPEN.replace("\n", "\r\n") + "\r\n",
    "cr": OPEN.replace("\n", "\r"),
    "order": "round_5,start_no,round_12\n2w1,1,\n1b0,2,\n",
    "capitals": "Start_No, ROUND_1\n1,-\n",
    "no end": OPEN.rstrip(),
    "blank lines": f"\n{HEAD}\n\n{ONE}\n{',' * 9}\n  \n{TWO}\n{THREE}\n\n",
    "blank columns": "start_no,,round_1,\n1,,-,\n",
    "named by nobody": "start_no,,round_1\n1,x,-\n",
    "long rows": "start_no,round_1\n1,-,,\n2,-\n",
    "ragged": "start_no,round_1\n1,-,x\n2\n3,-\n",
    "only ragged": "start_no,round_1\n1,-,x\n",
    "twice": "start_no,round_1,round_2\n2,-,h\n1,-,1\n2,H,f\n",
    "downwards": "start_no,round_1\n3,-\n2,1w1\n1,2b0\n",
    "no number": "start_no,round_1\nx,-\n,h\n3,-\n",
    "none has a number": "start_no,round_1\nx,-\n",
    "quote inside": 'start_no,name,round_1\n1,a"b"c,-\n2, "d",-\n',
    "quote behind": 'start_no,name,round_1\n1,"a"b,-\n',
    "quote open": 'start_no,name,round_1\n1,"a,-\n2,b,-\n',
    "two lines": 'start_no,name,round_1\n1,"a\nb",-\n2,c,x\n',
    "mark inside": "start_no,round_1\n\ufeff1,-\n",
    "other spaces": "start_no,name,round_1\n1,\x85 a\xa0\u2028,\x1c-\n",
    "everything wrong": "start_no,sex,birth_year,reported_rating,round_1\n0,u,90,-5,bye\n1,m,1990,x,12\n",
    "wide": WIDE,
    "a round far away": "start_no,round_999\n1,h\n",
    "long cell": f"start_no,name,round_1\n1,{'x' * csv_sheets.LONGEST},-\n",
    "cell too long": f"start_no,name,round_1\n1,{'x' * (csv_sheets.LONGEST + 1)},-\n",
    "collection": collections.TWO,
    "collection with errors": collections.TWO.replace("2w1,2b=", "2w1,2x9")
    .replace("B,2,", "B,x,")
    .replace("A,2", ",2"),
    "only a header": ",,\n,,\n",
    **{f"error {number}": said for number, (said, _) in enumerate(single.FINDINGS)},
}


def parquet(source: str) -> bytes:
    buffer = io.BytesIO()
    pd.read_csv(io.StringIO(source), dtype={"player_id": "str"}).to_parquet(buffer)
    return buffer.getvalue()


def same(one, other):
    """Everything that a report says, but for what it was read with."""
    for field in fields(one):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if field.name in content.NOTHING:
            pd.testing.assert_frame_equal(mine, theirs)
        elif field.name != "together":
            assert mine == theirs, field.name
    assert one.collection == other.collection


def read_together(folder: Path, raws: dict[str, bytes]):
    paths = [folder / name for name in raws]
    for path, raw in zip(paths, raws.values(), strict=True):
        path.write_bytes(raw)
    return read_reports(paths, list(raws))


def compared(folder: Path, raws: dict[str, bytes]):
    """These files, read together and one by one."""
    many = read_together(folder, raws)
    for report in many:
        same(report, read_report(folder / report.file, report.file))
    return many


def everything() -> dict[str, bytes]:
    raws = {f"{name}.csv": said.encode() for name, said in KINDS.items()}
    raws |= {f"open {number}.csv": OPEN.replace("Al", f"Al{number}").encode() for number in range(3)}
    raws |= {"cp1252.csv": OPEN.encode("cp1252"), "utf16.csv": OPEN.encode("utf-16"), "neither.csv": b"a\n\x81\xff"}
    raws |= {"a.parquet": parquet(OPEN), "b.parquet": parquet(collections.TWO), "c.parquet": b"PAR1 no", "d.pdf": b"x"}
    return raws | {"a.trf": any_bytes.TRF.encode(), "b.txt": b"nothing"}


def test_every_kind_of_report_at_once(tmp_path):
    raws = everything()
    many = compared(tmp_path, raws)
    for some in (many, many[::2]):
        for name in content.NOTHING:
            rows = pd.concat(part for part in content.joined(some, name) if len(part))
            assert rows.groupby("file").size().to_dict() == {
                one.file: len(getattr(one, name)) for one in some if len(getattr(one, name))
            }
    codes = {code for one in many for code in one.findings["code"]}
    assert codes >= {"F150", "F151", "F152", "F153", "F154", "F155", "F157", "F201"}


def test_in_whatever_order_and_batches(tmp_path, monkeypatch):
    raws = everything()
    many = read_together(tmp_path, raws)
    monkeypatch.setattr(content, "BATCH", 300)
    monkeypatch.setattr(csv_sheets, "BLOCK", 300)
    backwards = read_reports([tmp_path / name for name in raws][::-1], list(raws)[::-1], workers=2)
    for one, other in zip(many, backwards[::-1], strict=True):
        same(one, other)


def test_crosstables_of_like_width_lie_in_one_frame(tmp_path):
    """Those with a slip, too; a few wide ones do not widen the rest."""
    many = {one.file: one.together for one in read_together(tmp_path, everything())}
    assert (
        len({id(many[f"{name}.csv"]) for name in ("open 0", "open 1", "crlf", "blank lines", "cp1252", "twice")}) == 1
    )
    assert many["long rows.csv"] is many["ragged.csv"] is many["quote inside.csv"]
    assert many["wide.csv"] is not many["open 0.csv"]
    assert many["collection.csv"] is many["b.parquet"] is None


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(
            any_bytes.changed(any_bytes.CROSSTABLE),
            any_bytes.changed(collections.TWO),
            st.sampled_from([said for said in KINDS.values() if len(said) < 1000])
            .map(str.encode)
            .flatmap(any_bytes.changed),
        ),
        min_size=2,
        max_size=6,
    )
)
def test_changed_reports(raws):
    with TemporaryDirectory() as folder:
        compared(Path(folder), {f"{number}.csv": raw for number, raw in enumerate(raws)})


def facts(sheet):
    cells = [column.to_pylist() for column in sheet.cells.columns]
    said = [sheet.line.tolist(), list(sheet.ragged), sheet.header_line, sheet.why, sheet.at]
    return [cells, sheet.cells.column_names, *said]


ROW = st.lists(
    st.sampled_from(["", "a", '"b"', '"c,""d"";"', " ", "e;f", '"', 'g"h', "\ufeff", "é", "\x0b", "\r"]), max_size=4
)


@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.tuples(st.lists(ROW, max_size=5), st.sampled_from(["\n", "\n", "\r\n"]), st.sampled_from(["", "\n"])))
)
def test_rows_read_at_once_are_those_of_python_csv(drawn):
    """Half of the texts have one header, so that what differs from csv would move the rows of the others."""
    texts = [end.join(["A,b", *map(",".join, rows)]) + last for rows, end, last in drawn]
    texts += [end.join(map(",".join, rows)) + last for rows, end, last in drawn]
    for sheet, content_ in zip(csv_sheets.read(texts), texts, strict=True):
        assert facts(sheet) == facts(text.sheet(content_))


def test_what_programs_write_is_read_at_once():
    """Quoted names, quoted headers, blank lines behind: `breaks` is set where a text was left to Python's csv."""
    quoted = '"a","b"\n"1","x, ""y"""\n"",""\n'
    sheets = csv_sheets.read([quoted, quoted + "\n\n", quoted.replace("\n", "\r\n").rstrip()])
    assert [sheet.breaks for sheet in sheets] == [False] * 3
    assert [sheet.cells.to_pydict() for sheet in sheets] == [{"a": ["1", ""], "b": ['x, "y"', ""]}] * 3
    assert [sheet.breaks for sheet in csv_sheets.read(['a,b\n1,"2\n3"\n'])] == [True]
