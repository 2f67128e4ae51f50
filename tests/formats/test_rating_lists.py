"""Rating lists in every form: FIDE's text in each layout, XML, .zip, and out again. Invented players."""

import io
import zipfile

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratingrun.formats import fide_layouts, list_tables, list_writers, rating_lists

PLAYERS = [
    {"player_id": "100017", "name": "Tarv, Oskar", "federation": "VLM", "title": "GM", "rating": "2668", "games": "7",
     "k": "10", "sex": "M", "flag": "", "year": "1988", "o_title": "", "foa_title": ""},
    {"player_id": "100023", "name": "Beli, Ida", "federation": "KRS", "title": "WIM", "rating": "2101", "games": "0",
     "k": "20", "sex": "F", "flag": "wi", "year": "1991", "o_title": "FT,NA", "foa_title": ""},
    {"player_id": "100035", "name": "Odd", "federation": "VLM", "title": "", "rating": "", "games": "", "k": "",
     "sex": "M", "flag": "i", "year": "0000", "o_title": "", "foa_title": "AFM"},
]  # fmt: skip
OLD = {"GM": "g", "WIM": "wm", "": ""}


def line(layout, player):
    """A player's line in a layout."""
    dotted = layout.fields.get("birthday", (0, 0))
    width = dotted[1] - dotted[0] + 1
    year = player["year"]
    born = year if width == 4 else f"01.02.{year if width == 10 else year[-2:]}" if year != "0000" else "  .  ."
    text = [" "] * layout.length
    for name, (first, last) in layout.fields.items():
        kind, _, what = name.partition("_")
        key = name if name in player else what if kind == "standard" else None
        value = born if name == "birthday" else player.get(key, "") if key else ""
        value = OLD.get(value, value) if name == "title" and layout.length < 100 else value
        right = name in ("rating", "standard_rating") or (name == "player_id" and layout.length < 100)
        side = str.rjust if right else str.ljust
        text[first - 1 : last] = side(value, last - first + 1)[: last - first + 1]
    return "".join(text)


def values(frame, *names):
    rows = frame[list(names)].astype(object)
    return rows.where(rows.notna(), None).to_numpy().tolist()


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("layout", fide_layouts.LAYOUTS, ids=lambda layout: layout.name)
def test_every_layout_of_the_table(file_of, said, layout, end, header):
    lines = [line(layout, player) for player in PLAYERS]
    head = ["ID_NUMBER NAME   TITLE".ljust(layout.length)] if header else [""]
    raw = end.join([*head, *lines, "\x1a" if layout.length < 100 else ""])
    found, notes = rating_lists.read(file_of("list.txt", raw))
    assert [text for text in said(notes) if " error " in text] == []
    assert values(found, "player_id", "name", "federation", "title", "rating", "flag") == [
        ["100017", "Tarv, Oskar", "VLM", "GM", 2668, None],
        ["100023", "Beli, Ida", "KRS", "WIM", 2101, "wi"],
        ["100035", "Odd", "VLM", None, None, "i"],
    ]
    assert found["line"].tolist() == [2, 3, 4]
    if "birthday" in layout.fields:
        assert values(found, "birth_year") == [[1988], [1991], [None]]


def current(*changes):
    layout = fide_layouts.WRITTEN["single"]
    return ["ID Number".ljust(layout.length), *(line(layout, PLAYERS[0] | change) for change in changes)]


def test_a_title_that_overflows_into_what_follows(file_of, said):
    """`LSI,FI,SI,SLI,NA` is one longer than its field; the rest of the line stands one to the right."""
    plain, wide = current({}, {"player_id": "100018"})[1:]
    wide = wide[:94] + "LSI,FI,SI,SLI,NA" + " " + wide[110:]
    wide = wide[:94] + "LSI,FI,SI,SLI,NA" + plain[109:]
    found, notes = rating_lists.read(file_of("list.txt", "\r\n".join([*current(), plain, wide, ""])))
    assert said(notes) == []
    assert values(found, "rating", "o_title", "birth_year") == [[2668, None, 1988], [2668, "LSI,FI,SI,SLI,NA", 1988]]


def test_what_is_missing_twice_or_unreadable_is_found(file_of, said):
    again = {"player_id": "100018"}
    rows = current({"name": ""}, again, again, again | {"k": "20"},
                   {"player_id": "100019", "rating": "A194"},
                   {"player_id": "100020", "rating": "0", "k": "0"})  # fmt: skip
    found, notes = rating_lists.read(file_of("list.txt", "\n".join([*rows, ""])))
    texts = said(notes)
    assert [text.split(";")[0] for text in texts] == [
        'F105 error list.txt:6: rating: "A194" is not a number, 0 or blank',
        "F108 error list.txt:5: player_id 100018 stands twice, first on line 3",
        'F231 warning list.txt:2: 1 players have no name: "?" stands for it',
        "F232 warning list.txt:4: 1 rows stand twice, word for word",
    ]
    assert values(found, "player_id", "name", "rating", "k")[-1] == ["100020", "Tarv, Oskar", None, None]


def test_two_code_pages_in_one_list(file_of, said):
    """Lists of 2001-2004 mix CP850 and Latin-1 and say neither: the letters decide, name by name."""
    rows = [row.encode() for row in current({}, {"player_id": "100018"})]
    rows[1] = rows[1].replace(b"Oskar", b"O\xa4kar")
    rows[2] = rows[2].replace(b"Oskar", b"\xd1skar")
    found, notes = rating_lists.read(file_of("list.txt", b"\n".join([*rows, b""])))
    assert found["name"].tolist() == ["Tarv, Oñkar", "Tarv, Ñskar"]
    assert said(notes)[0].startswith("F230 warning list.txt: 2 names are not ASCII")


XML = """<?xml version="1.0"?><playerslist>
<player><fideid>100017</fideid><name>Tarv &amp; Co, Oskar</name><country>VLM</country><sex>M</sex><title>GM</title>
<w_title></w_title><o_title/><rating>2668</rating><games>7</games><k>10</k>{more}<birthday>1988</birthday><flag/></player>
</playerslist>"""
RAPID = (
    "<rapid_rating>2500</rapid_rating><rapid_games>1</rapid_games><rapid_k>20</rapid_k><blitz_rating>0</blitz_rating>"
)


@pytest.mark.parametrize(
    ("more", "rating_type", "rating"),
    [
        ("", "standard", 2668),
        ("", "rapid", 2668),
        (RAPID, "standard", 2668),
        (RAPID, "rapid", 2500),
        (RAPID, "blitz", None),
    ],
)
def test_xml_single_and_combined(file_of, said, more, rating_type, rating):
    found, notes = rating_lists.read(file_of("list.xml", XML.format(more=more)), rating_type)
    assert said(notes) == []
    assert values(found, "player_id", "name", "rating", "birth_year") == [["100017", "Tarv & Co, Oskar", rating, 1988]]


def test_xml_with_the_id_as_an_attribute(file_of, said):
    text = '<playerslist><player FIDEID="7"><NAME>A</NAME><COUNTRY>VLM</COUNTRY><TITLE>wf</TITLE><RATING>1900</RATING>'
    text += "<BIRTHDAY>13.02.1970</BIRTHDAY></player></playerslist>"
    found, _notes = rating_lists.read(file_of("list.xml", text))
    assert values(found, "player_id", "title", "rating", "birth_year") == [["7", "WFM", 1900, 1970]]


def zipped(content, name="list.txt", level=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", level) as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


def test_straight_from_a_zip(file_of, said):
    found, notes = rating_lists.read(file_of("list.zip", zipped("\n".join([*current({}), ""]))))
    assert said(notes) == [] and len(found) == 1
    found, _ = rating_lists.read(file_of("x.zip", zipped(XML.format(more=""), "list.xml")))
    assert len(found) == 1


BOMB = (
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><playerslist>&b;</playerslist>'
)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.zip", zipped(b"\0" * 60_000_000), "the .zip would unpack to 60000000 bytes, more than a list has"),
        ("a.zip", zipped("x", "a.exe"), "the .zip holds 0 lists (.txt or .xml), not one"),
        ("a.zip", b"PK\x03\x04 and no more", "the .zip cannot be opened"),
        ("a.xml", BOMB, "it holds a document type, which no list does"),
        ("a.xml", "<playerslist><player>", "it is no XML list"),
        ("a.xml", "<playerslist/>", "it holds no players"),
    ],
)
def test_archives_and_documents_that_are_refused(file_of, said, name, content, why):
    found, notes = rating_lists.read(file_of(name, content))
    assert len(found) == 0
    assert why in said(notes)[0] and said(notes)[0].startswith("F101 error")


# --- out and in again ------------------------------------------------------------------------------------------------

NAME = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='"'), min_size=1, max_size=30)
PLAYER = st.fixed_dictionaries(
    {
        "name": NAME.filter(lambda text: text not in ("?",)),
        "federation": st.sampled_from(["VLM", "KRS"]),
        "sex": st.sampled_from(["m", "w"]),
        "title": st.sampled_from(["GM", "IM", "WFM", None]),
        "o_title": st.sampled_from(["FT", "NA,FI", "LSI,FI,SI,SLI,NA", None]),
        "foa_title": st.sampled_from(["AFM", None]),
        "birth_year": st.one_of(st.none(), st.integers(1900, 2020)),
        "rating": st.one_of(st.none(), st.integers(1, 3999)),
        "k": st.sampled_from([10, 20, 40, None]),
        "games": st.integers(0, 999),
    }
)
LISTS = st.dictionaries(st.integers(1, 99_999_999).map(str), PLAYER, min_size=1, max_size=12)


@pytest.mark.parametrize("form", list_writers.FORMS)
def test_a_list_comes_back_from_every_form(tmp_path, form):
    """FIDE's forms hold the columns below; the rest (games_total, peak ...) only our own."""
    suffix = {"parquet": ".parquet", "csv": ".csv", "fide-xml": ".xml"}.get(form, ".txt")

    @settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
    @given(LISTS)
    def check(players):
        rows = pd.DataFrame([{"player_id": key, **player} for key, player in players.items()])
        shape = list_tables.nothing()
        rows = rows.reindex(columns=shape.columns).assign(line=1)
        rows["flag"] = rows["sex"].map({"w": "w"})
        rows = rows.astype(shape.dtypes.to_dict()).sort_values("player_id", ignore_index=True)
        path = tmp_path / f"list{suffix}"
        list_writers.write(rows, path, form, "standard")
        again, notes = rating_lists.read(path)
        assert len(notes) == 0, notes["text"].tolist()
        names = [name for name in rows if name != "line"]
        pd.testing.assert_frame_equal(again[names], rows[names])

    check()


@pytest.mark.parametrize("form", ["fide-combined", "fide-xml"])
def test_a_combined_list_of_all_types(tmp_path, form):
    """Who is on one list only is there, and unrated in the others; names are those of the first list that has him."""
    path = tmp_path / ("list.xml" if form == "fide-xml" else "list.txt")

    def listed(**ratings):
        ratings = {key[1:]: rating for key, rating in ratings.items()}
        rows = pd.DataFrame({"player_id": list(ratings), "name": [f"Player {key}" for key in ratings]})
        shape = list_tables.nothing()
        rows = rows.assign(rating=list(ratings.values()), games=3, k=20, federation="VLM").reindex(
            columns=shape.columns
        )
        return rows.assign(line=1).astype(shape.dtypes.to_dict())

    others = {"rapid": listed(p12=1700, p13=1650), "blitz": listed(p11=1500)}
    list_writers.write(listed(p11=2000, p12=1900), path, form, "standard", others)
    found = {kind: rating_lists.read(path, kind) for kind in ("standard", "rapid", "blitz")}
    assert [len(notes) for _, notes in found.values()] == [0, 0, 0]
    ratings = {kind: values(rows, "player_id", "rating", "k") for kind, (rows, _) in found.items()}
    assert ratings == {
        "standard": [["11", 2000, 20], ["12", 1900, 20], ["13", None, None]],
        "rapid": [["11", None, None], ["12", 1700, 20], ["13", 1650, 20]],
        "blitz": [["11", 1500, 20], ["12", None, None], ["13", None, None]],
    }


def test_names_in_ascii_are_said(tmp_path):
    rows = list_tables.nothing()
    rows.loc[0, ["player_id", "name", "federation"]] = ["1", "Müß, Łucja Ørn", "VLM"]
    notes = list_writers.write(rows.assign(line=1), tmp_path / "a.txt", "fide", "standard")
    assert notes["code"].tolist() == ["F236"]
    assert rating_lists.read(tmp_path / "a.txt")[0]["name"].tolist() == ["Muess, Lucja Orn"]


def test_formulas_in_a_csv_are_text(tmp_path):
    rows = list_tables.nothing()
    rows.loc[0, ["player_id", "name", "federation"]] = ["1", "=HYPERLINK(1)", "VLM"]
    list_writers.write(rows.assign(line=1), tmp_path / "a.csv", "csv", "standard")
    assert (
        ",1,'=" in "," + (tmp_path / "a.csv").read_text().replace("\n", ",")
        or "'=HYPERLINK" in (tmp_path / "a.csv").read_text()
    )
    assert list_tables.read(tmp_path / "a.csv")[0]["name"].tolist() == ["=HYPERLINK(1)"]


@given(st.lists(st.none() | st.text(max_size=8) | st.sampled_from(["Müller, Jörg", "Łukasz", "Šír", "Ann", ""])))
def test_names_in_ascii_all_at_once(names):
    """Only what is not ASCII is looked at: the same as each by itself; nothing is an empty text."""
    found = list_writers.ascii_names(pd.Series(names, dtype="str")).tolist()
    assert found == [list_writers.ascii_name(name or "") for name in names]
