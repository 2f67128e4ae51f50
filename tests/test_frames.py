"""Frames: each column declared once; what does not fit is refused by name, never cut off in silence (DESIGN 5)."""

import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ratingrun import contract, frames

CHANGE = {
    "player_id": "0042",
    "n": 5,
    "w_c": 350,
    "we_c": 288,
    "dr_c": 62,
    "rc": 1770,
    "ro": 1850,
    "k_base": 20,
    "k": 20,
    "k_clause": "8.3.3 established",
    "change_c": 1240,
    "scale": 100,
    "change": 12,
    "rn": 1862,
}
LISTED = {
    "player_id": "007",
    "name": "Åsa",
    "federation": "ZZZ",
    "sex": "w",
    "title": None,
    "w_title": None,
    "o_title": "IA,FST",
    "foa_title": None,
    "birth_year": 1990,
    "rating": 1850,
    "k": 20,
    "k_clause": "8.3.3 established",
    "games": 0,
    "games_total": 100,
    "peak": 1900,
    "last_played": pd.Timestamp("2025-10-01"),
    "active": True,
}
UNRATED = LISTED | dict.fromkeys(
    ["sex", "o_title", "birth_year", "rating", "k", "k_clause", "peak", "last_played"], None
) | {"player_id": "100", "active": False}  # fmt: skip


def changes(**fields):
    return frames.CHANGES.build(pd.DataFrame([CHANGE | fields]))


def rating_list(*rows):
    return frames.RATING_LIST.build(pd.DataFrame(rows or [LISTED, UNRATED]))


# --- declarations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", frames.ALL.values(), ids=frames.ALL)
def test_every_frame_and_column_says_what_it_is(frame):
    assert frame.text
    assert len(set(frame.names)) == len(frame.names)
    assert set(frame.key) <= set(frame.names)
    for column in frame.columns:
        assert column.text, column.name
        assert column.name == column.name.lower()
        if column.name.endswith("_c"):
            assert column.unit.startswith("hundredths"), column.name
            assert pa.types.is_integer(column.type), column.name


@pytest.mark.parametrize("frame", frames.ALL.values(), ids=frames.ALL)
def test_the_parquet_schema_carries_descriptions_units_ranges_and_the_key(frame, tmp_path):
    pq.write_table(frame.to_arrow(frame.empty()), tmp_path / "frame.parquet")
    schema = pq.read_schema(tmp_path / "frame.parquet")
    assert schema.names == frame.names
    assert schema.metadata[b"frame"].decode() == frame.name
    assert schema.metadata[b"key"].decode().split(",") == list(frame.key)
    for column in frame.columns:
        written = {key.decode(): value.decode() for key, value in schema.field(column.name).metadata.items()}
        assert written["description"] == column.text
        assert written.get("unit", "") == column.unit
        assert written.get("values", "") == " ".join(column.vocabulary)
        assert ("range" in written) == (column.low is not None)
        assert schema.field(column.name).nullable == column.null


def test_a_range_is_written_out_in_the_schema():
    assert frames.RATING_LIST.schema.field("rating").metadata[b"range"] == b"1..3999"
    assert frames.SIDES.schema.field("dr_c").metadata[b"range"] == b"-10000..10000"  # 1e-4 of a point for a curve


@pytest.mark.parametrize("frame", frames.ALL.values(), ids=frames.ALL)
def test_a_frame_without_rows_goes_through_arrow_and_back(frame):
    empty = frame.empty()
    pd.testing.assert_frame_equal(frame.build(empty), empty)
    pd.testing.assert_frame_equal(frame.from_arrow(frame.to_arrow(empty)), empty)


# --- nothing narrows in silence --------------------------------------------------------------------------------------


def test_40000_does_not_become_minus_25536():
    """Measured on pandas 3.1: Series([40000]).astype("int16") gives -25536 without a word (DESIGN 2.5)."""
    frame = changes(rn=40_000)  # int16 in the file, int64 in memory
    assert frame["rn"].tolist() == [40_000]
    with pytest.raises(pa.ArrowInvalid, match="40000 not in range"):
        frames.CHANGES.to_arrow(frame)


def test_100_times_40_does_not_become_minus_96():
    frame = changes(k=40, dr_c=100)
    assert (frame["k"] * frame["dr_c"]).tolist() == [4000]


@pytest.mark.parametrize("value", [12.5, -0.5, 0.01])
def test_half_a_point_is_not_cut_off(value):
    with pytest.raises(contract.ContractError, match=r"changes\.change: not a whole number"):
        changes(change=value)


def test_whole_numbers_that_a_merge_turned_into_floats_are_taken_back():
    assert changes(n=5.0)["n"].dtype == "int64"
    assert rating_list(LISTED | {"rating": 1850.0}, UNRATED)["rating"].dtype == "Int64"


@pytest.mark.parametrize("value", [None, np.nan, "no"])
def test_no_value_and_a_word_are_not_a_flag(value):
    """pandas' cast to bool makes True of both NaN and "no"."""
    with pytest.raises(contract.ContractError, match=r"rating_list\.active"):
        rating_list(LISTED | {"active": value})


# --- contracts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"player_id": None}, r"changes\.player_id: 1 rows out of contract"),
        ({"n": -1}, r"changes\.n: 1 rows out of contract, first .*0042"),
        ({"ro": 4000}, r"changes\.ro: 1 rows out of contract"),
        ({"ro": 0}, r"changes\.ro"),
        ({"n": None}, r"changes\.n: null where none may be"),
    ],
)
def test_what_breaks_the_declaration_is_named(fields, message):
    with pytest.raises(contract.ContractError, match=message):
        changes(**fields)


def test_a_word_outside_the_vocabulary_is_refused():
    with pytest.raises(contract.ContractError, match=r"rating_list\.sex"):
        rating_list(LISTED | {"sex": "f"})


def test_a_key_may_stand_once():
    with pytest.raises(contract.ContractError, match=r"changes: key .*player_id.* twice"):
        frames.CHANGES.build(pd.DataFrame([CHANGE, CHANGE]))


def test_a_missing_column_is_named_and_an_undeclared_one_left_behind():
    with pytest.raises(contract.ContractError, match="changes: no column k_clause, rn"):
        frames.CHANGES.build(pd.DataFrame([CHANGE]).drop(columns=["rn", "k_clause"]))
    assert list(changes(on_the_way=1)) == frames.CHANGES.names


def test_building_sorts_by_key_and_leaves_its_argument_alone():
    data = pd.DataFrame([CHANGE | {"player_id": "2"}, CHANGE | {"player_id": "10"}, CHANGE | {"player_id": "1"}])
    before = data.copy(deep=True)
    assert frames.CHANGES.build(data)["player_id"].tolist() == ["1", "10", "2"]  # ids are text
    pd.testing.assert_frame_equal(data, before)


def test_null_is_allowed_only_where_declared():
    assert rating_list()["rating"].isna().tolist() == [False, True]
    with pytest.raises(contract.ContractError, match=r"rating_list\.name"):
        rating_list(LISTED | {"name": None})


# --- files and back --------------------------------------------------------------------------------------------------


def test_a_frame_comes_back_from_a_file_as_it_was(tmp_path):
    frame = rating_list()
    pq.write_table(frames.RATING_LIST.to_arrow(frame), tmp_path / "list.parquet")
    back = frames.RATING_LIST.from_arrow(pq.read_table(tmp_path / "list.parquet"))
    pd.testing.assert_frame_equal(back, frame)
    assert back["player_id"].tolist() == ["007", "100"]  # leading zeros kept
    assert back["last_played"].tolist() == [pd.Timestamp("2025-10-01"), pd.NaT]


def test_the_file_holds_the_narrow_types():
    table = frames.RATING_LIST.to_arrow(rating_list())
    assert table.schema.field("rating").type == pa.int16()
    assert table.schema.field("federation").type == pa.dictionary(pa.int32(), pa.string())
    assert table.schema.field("last_played").type == pa.date32()
    assert table.column("last_played").to_pylist() == [dt.date(2025, 10, 1), None]
    assert table.column("sex").to_pylist() == ["w", None]


def test_a_file_without_a_column_or_with_a_null_is_refused():
    table = frames.CHANGES.to_arrow(changes())
    with pytest.raises(contract.ContractError, match="changes: no column rn"):
        frames.CHANGES.from_arrow(table.drop_columns(["rn"]))
    nulls = table.set_column(1, pa.field("n", pa.int16()), pa.array([None], pa.int16()))
    with pytest.raises(contract.ContractError, match=r"changes\.n: null where none may be"):
        frames.CHANGES.from_arrow(nulls)
