"""ratingrun run --system uschess: from files to the list, with the same proofs as the other engine."""

import json
import shutil
import tomllib
from pathlib import Path

import folders
import pandas as pd
import pyarrow.parquet as pq
import pytest
import us_folders
from us_folders import crosstable

from ratingrun import frames, rulebooks, run_folder
from ratingrun.content_hash import content_hash
from ratingrun.formats import us_upload_writer as writer

PUBLISHED = tomllib.loads(Path(__file__).with_name("published_sections.toml").read_text("utf-8"))["section"]
TURNED = {"W": "1", "D": "=", "L": "0"}


def member(section, row):
    return f"9{section}{row:06}"


def crosstable_of(section, number):
    """The published crosstable in our CSV form; colours are not published: the lower number has White."""
    rows = []
    for row in section["rows"]:
        cells = []
        for cell in row["rounds"].split():
            opponent = int(cell[1:]) if len(cell) > 1 else 0
            colour = "w" if row["row"] < opponent else "b"
            cells.append(f"{opponent}{colour}{TURNED[cell[0]]}" if opponent else "U")
        rows.append((member(number, row["row"]), *cells))
    return crosstable(rows)


def state_of(section, number, pool):
    rows = []
    for row in section["rows"]:
        if row["before"] != "unrated":
            history = {"wins": 5, "draws": 1, "losses": 5}
            games = "" if row["n"] == 1000 else row["n"]
            rows.append({"player_id": member(number, row["row"]), "pool": pool, "rating": row["before"], "n": games})
            rows[-1] |= history
    return rows


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Sections A and B as published, rated: A in both pools, B with its newcomer's fitted start."""
    a, quick, b = PUBLISHED
    us = us_folders.Folder(tmp_path_factory.mktemp("published"))
    us.begin([*state_of(a, 1, "regular"), *state_of(quick, 1, "quick"), *state_of(b, 2, "regular")])
    us.write("members.csv", f"player_id,date,start,start_n\n{member(2, 13)},2025-01-01,406,0\n")
    for event, section in (("A", a), ("B", b)):
        us.section(event, file=f"{event}.csv", start="2025-10-05", end="2025-10-05", time_control="G/30;d5")
        us.report(f"{event}.csv", crosstable_of(section, 1 if event == "A" else 2))
    done = us.run()
    assert done.code == 0, done.err
    return us


def test_the_26_published_results_from_files(published):
    """Every row of both sections within 0.01, regular and quick, from CSV to the run folder."""
    ratings = published.ratings()
    seen = 0
    for section, number, pool in zip(PUBLISHED, (1, 1, 2), ("regular", "quick", "regular"), strict=True):
        for row in section["rows"]:
            assert ratings[member(number, row["row"]), pool] == pytest.approx(row["after"], abs=0.01)
            seen += 1
    assert seen == 26


def test_the_published_list_is_rounded_and_the_state_is_not(published):
    listed = published.frame("us_list").set_index(["player_id", "pool"])
    assert listed.loc[(member(1, 1), "regular"), "rating"] == 657  # 656.85
    assert listed.loc[(member(1, 5), "quick"), ["rating", "n", "established"]].tolist() == [187, 18, False]
    state = published.frame("us_state").set_index(["player_id", "pool"])["rating"]
    assert (state % 1 > 0).any()


def as_upload(section, number):
    """The same as an upload set."""
    players = []
    for row in section["rows"]:
        rounds = {}
        for place, cell in enumerate(row["rounds"].split(), 1):
            opponent = int(cell[1:]) if len(cell) > 1 else None
            rounds[f"D_RND{place:02d}"] = writer.cell(cell[0], opponent, "") if opponent else "U"
        place = {"D_EVENT_ID": "A", "D_SEC_NUM": " 1", "D_PAIR_NUM": f"{row['row']:>4}"}
        players.append(place | {"D_MEM_ID": member(number, row["row"]), "D_NAME": "NAME"} | rounds)
    event = {"H_EVENT_ID": "A", "H_NAME": "A", "H_BEG_DATE": "20251005", "H_END_DATE": "20251005"}
    part = {"S_EVENT_ID": "A", "S_SEC_NUM": " 1", "S_R_SYSTEM": "D", "S_TIMECTL": "G/30;d5", "S_SEC_NAME": "A"}
    return writer.write(event, [part], players)


def test_a_report_as_csv_as_trf_and_as_an_upload_set_give_the_same_bits(published, tmp_path):
    """Without colours, as many sets are; only the file names differ."""
    wanted = published.ratings()
    for form in ("set", "trf"):
        other = us_folders.Folder(tmp_path / form)
        shutil.copytree(published.path, other.path, ignore=shutil.ignore_patterns("lists", "set", "trf"))
        other.adopt()
        report = other.path / "reports/2025-11/A.csv"
        if form == "set":
            for name, raw in as_upload(PUBLISHED[0], 1).items():
                other.report(f"a/{name}", raw)
            sections = (other.path / "sections.csv").read_text().splitlines()
            other.write("sections.csv", "\n".join(line for line in sections if not line.startswith("A,")) + "\n")
        else:
            assert folders.command("convert", report, report.with_suffix(".trf")).code == 0
            text = (other.path / "sections.csv").read_text()
            other.write("sections.csv", text.replace("A.csv", "A.trf"))
        report.unlink()
        done = other.run()
        assert done.code == 0, done.err
        assert other.ratings() == wanted


# --- the folder, its proofs, its refusals ----------------------------------------------------------------------------


@pytest.fixture
def us(tmp_path):
    """The sample, adopted."""
    return us_folders.Folder.sample(tmp_path)


@pytest.fixture
def months(tmp_path):
    """The sample after its two months."""
    return us_folders.Folder.published(tmp_path)


def test_the_sample_months(months):
    """Two months; verify, status, diff on them."""
    us = months
    for period in ("2025-10", "2025-11", "2025-12"):
        done = folders.command("verify", us.path / f"lists/{period}-uschess")
        assert (done.code, done.err) == (0, ""), done.out + done.err
    status = folders.command("status", "-C", us.path)
    assert "2025-12-uschess" in status.out and status.code == 0
    done = folders.command("diff", us.path / "lists/2025-11-uschess", us.path / "lists/2025-12-uschess")
    assert done.code == 0 and "90000031 regular" in done.out
    manifest = json.loads((us.path / "lists/2025-12-uschess/manifest.json").read_text("utf-8"))
    assert manifest["checkpoint"] == "2025-10-uschess"
    assert manifest["prior"]["folder"] == "2025-11-uschess"
    assert [one["folder"] for one in manifest["sources"]["lists"]] == ["2025-10-uschess"]


def test_the_figures_of_the_samples_readme(months):
    """Worked by hand there: start values, the limit of the match, floors."""
    us = months
    steps = us.frame("us_steps").set_index(["tournament_id", "pool", "player_id"]).sort_index()
    duel = steps.loc[("202510080", "regular")]
    assert duel.loc["90000011", "rating"] == pytest.approx(2341.18 - 50)
    assert duel.loc["90000012", ["rating", "bonus"]].tolist() == [pytest.approx(2219.73 + 50), 0]
    started = steps[steps["start_by"].notna()]
    assert started.loc[("202510110", "regular", "90000032"), ["before", "n_before"]].tolist() == [2105, 10]
    assert started.loc[("202510110", "quick", "90000031"), "before"] == pytest.approx(50 * 2965 / 365.25)
    assert started.loc[("202510110", "regular", "90000033"), ["before", "start_by"]].tolist() == [1300, "age"]
    floors = us.frame("us_list").set_index(["player_id", "pool"])["floor"]
    assert (floors["90000016", "regular"], floors["90000014", "regular"], floors["90000012", "regular"]) == (
        1700,
        1700,
        2200,
    )


def test_explain_in_words_in_numbers_and_for_the_arbiter(months):
    us = months
    call = ("explain", "2025-11", "-C", us.path, *us_folders.SYSTEM)
    said = folders.command(*call, "90000011").out
    assert "A match gives no more: 2291.18." in said and "2341.18 -> 2291.18" in said
    assert "Un match no da más: 2291,18." in folders.command(*call, "90000011", "--lang", "es").out
    facts = json.loads(folders.command(*call, "90000011", "--json").out)
    steps = us.frame("us_steps")
    mine = steps[(steps["player_id"] == "90000011") & (steps["pool"] == "regular")].sort_values("seq")
    told = [
        one["steps"]["rating"] for part in facts["sections"] for one in part["rated_in"] if one["pool"] == "regular"
    ]
    assert told == mine["rating"].tolist()
    assert "<html" in folders.command(*call, "90000011", "--html").out
    sheet = folders.command(*call, "--tournament", "202510110")
    assert sheet.code == 0 and "DUNMARROW, STEN" in sheet.out and "no: forfeit" in sheet.out
    rows = folders.command(*call, "--tournament", "202510110", "--csv").out.splitlines()
    assert len(rows) == 1 + 6 + 2 * 6
    for bad in (["nobody"], ["--tournament", "none"]):
        assert folders.command(*call, *bad).code == 1


def test_every_frame_has_its_schema_rows_and_content_hash(months):
    """As in tests/test_run_folder.py; numbers that are real are float64 in the file."""
    folder = months.path / "lists/2025-12-uschess"
    said = json.loads((folder / "manifest.json").read_text("utf-8"))["frames"]
    ours = [name for name in run_folder.WRITTEN if name.startswith("us_")]
    assert set(ours) | {"entries", "results", "games", "cells"} == set(said)
    for name in said:
        table = pq.read_table(folder / f"{name}.parquet")
        assert table.schema.equals(frames.ALL[name].schema, check_metadata=False)
        assert said[name] == {"rows": table.num_rows, "content_hash": content_hash(table)}
    assert str(pq.read_schema(folder / "us_state.parquet").field("rating").type) == "double"


def test_every_cell_ends_in_a_rating_or_a_reason(months):
    us = months
    cells = us.frame("cells")
    assert len(cells) == len(us.frame("results")) == 92
    assert set(cells["outcome"]) == {"rated", "none"}
    assert cells.loc[cells["outcome"] == "none", "reason"].notna().all()


def test_a_published_list_is_never_overwritten_and_a_revision_stands_in(months):
    us = months
    assert us.run().code == 3
    done = folders.command("withdraw", "2025-11", "--reason", "slip", "-C", us.path, *us_folders.SYSTEM)
    assert done.code == 0 and "Rests on it: 2025-12-uschess" in done.out
    assert us.run().code == 0
    assert us.ratings("2025-11-uschess-r2") == us.ratings("2025-11-uschess")
    done = folders.command("verify", us.path / "lists/2025-11-uschess-r2")
    assert done.code == 0 and "stands in for" in done.err


def test_a_provisional_list_is_no_prior(us):
    assert us.run("2025-11", "--provisional").code == 0
    done = us.run("2025-12")
    assert done.code == 1 and "F110" in done.err


def test_verify_finds_a_changed_state(months):
    us = months
    shutil.rmtree(us.path / "lists/2025-12-uschess")
    path = us.path / "lists/2025-11-uschess/us_state.parquet"
    rows = pd.read_parquet(path)
    rows.loc[0, "rating"] += 1e-9
    rows.to_parquet(path)
    done = folders.command("verify", path.parent)
    assert done.code == 4 and "us_state" in done.out
    done = us.run("2025-12")
    assert done.code == 4 and "F112" in done.err


def test_the_order_of_files_is_irrelevant(months, tmp_path_factory):
    other = us_folders.Folder.sample(tmp_path_factory.mktemp("other"))
    sections = (other.path / "sections.csv").read_text().splitlines()
    other.write("sections.csv", "\n".join([sections[0], *reversed(sections[1:])]) + "\n")
    other.run()
    assert months.ratings() == other.ratings()


def test_a_section_after_the_closing_day_waits_and_is_rated_by_itself(us):
    """The third Wednesday of October 2025 is the 15th: Leaf Fall, which ended on the 19th, is December's."""
    leaf = us.path / "reports/2025-12/leaf-fall.trf"
    leaf.rename(us.path / "reports/2025-11/leaf-fall.trf")
    shutil.rmtree(us.path / "reports/2025-12")
    assert us.run("2025-11").code == 0
    rows = us.frame("us_sections").set_index("tournament_id")
    assert rows.loc["202510190", "status"] == "waiting"
    assert any(line.startswith("R301") for line in us.codes())
    assert "202510190 Leaf Fall, ended 2025-10-19, leaf-fall.trf" in folders.command("status", "-C", us.path).out
    done = us.run("2025-12")
    assert done.code == 0, done.err
    assert us.frame("us_sections", "2025-12-uschess").set_index("tournament_id").loc["202510190", "status"] == "used"
    assert folders.command("verify", us.path / "lists/2025-12-uschess").code == 0


def test_no_reports_stop_the_run_unless_said(us):
    shutil.rmtree(us.path / "reports")
    done = us.run()
    assert done.code == 1 and "R112" in done.err
    assert us.run("2025-11", "--no-games").code == 0
    assert us.ratings() == us.ratings("2025-10-uschess")


def test_a_broken_set_is_rejected_with_its_file_and_the_rest_can_be_published(us):
    path = us.path / "reports/2025-11/harbor-open/TDEXPORT.DBF"
    path.write_bytes(path.read_bytes()[:100])
    done = us.run()
    assert done.code == 1 and "Traceback" not in done.err
    assert "F160 error harbor-open/TDEXPORT.DBF" in done.err
    done = us.run("2025-11", "--allow-rejected")
    assert done.code == 0
    assert "202510110" not in set(us.frame("us_sections")["tournament_id"])


def test_sections_that_cannot_be_rated_are_said(us):
    """Each in a line with its file and what to do; nothing is published."""
    wrong = [
        {"time_control": "sixty"},
        {"time_control": "", "rated_as": ""},
        {"time_control": "G/3;d0"},
        {"start": "2025-10-06"},
        {"start": "2016-10-06"},
    ]
    text = (us.path / "reports/2025-11/hill-quads.csv").read_text()
    for number, change in enumerate(wrong):
        us.section(f"X{number}", **({"file": f"x{number}.csv", "start": "2025-10-04", "end": "2025-10-04"} | change))
        us.report(f"x{number}.csv", text.replace("90000", f"9000{number}"))
    done = us.run()
    assert done.code == 1, done.out
    for number, code in enumerate(["U102", "U103", "U104", "U106", "R110"]):
        assert f"{code} error x{number}.csv" in done.err


def test_a_file_that_nobody_entered_and_one_that_is_twice(us):
    us.report("stray.csv", crosstable([("90000011", "2w1"), ("90000013", "1b0")]))
    done = us.run()
    assert done.code == 1 and "U101 error stray.csv" in done.err


def test_aliases_stand_for_members_and_exclusions_take_games_out(us):
    us.write("exclusions.csv", "tournament_id,round,player_id,reason\n202510040,1,90000018,phone\n")
    report = us.path / "reports/2025-11/hill-quads.csv"
    report.write_text(report.read_text().replace("90000018", "OLD18"))
    us.write("aliases.csv", "alias,player_id,reason,source\nOLD18,90000018,old id,office\n")
    assert us.run().code == 0
    assert ("OLD18", "regular") not in us.ratings()
    assert (us.frame("games")["reason"] == "exclusion").sum() == 1


def test_the_next_list_by_itself(us, monkeypatch):
    """2025-12-15: November's list is due, and no list of another type is meant."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1765800000")
    done = folders.command("run", "--next", "--quiet", "-C", us.path, *us_folders.SYSTEM)
    assert done.code == 0 and "2025-11-uschess" in done.out
    assert folders.command("run", "--next", "--type", "all", "-C", us.path).code == 1


def test_a_report_under_two_ids_is_refused_at_once_and_later(us, tmp_path_factory):
    """Nothing is rated twice, whatever it is called."""
    text = (us.path / "reports/2025-11/hill-quads.csv").read_text()
    sections = (us.path / "sections.csv").read_text()
    us.write("sections.csv", sections + "202510049,3,quads-2.csv,Q,2025-10-04,2025-10-04,G/30;d0,,otb,round_robin\n")
    us.report("quads-2.csv", text)
    done = us.run()
    assert done.code == 1 and "U107 error quads-2.csv: the same days, players and games as event 202510040" in done.err
    later = us_folders.Folder.published(tmp_path_factory.mktemp("later"))
    later.write("sections.csv", (us.path / "sections.csv").read_text())
    later.report("quads-2.csv", text, "2026-01")
    done = later.run("2026-01")
    assert done.code == 1 and "U107 error quads-2.csv" in done.err


def test_a_federations_own_books(months):
    """A bonus threshold of 2 from its own folder; the run folder keeps the books and verifies by them."""
    us = months
    shipped = rulebooks.HERE / "uschess" / "2025-01-01.toml"
    text = shipped.read_text("utf-8").replace("multiplier    = { value = 10.0", "multiplier    = { value = 2.0")
    us.write("own/uschess/2025-01-01.toml", text)
    assert folders.command("withdraw", "2025-11", "--reason", "x", "-C", us.path, *us_folders.SYSTEM).code == 0
    done = us.run("2025-11", "--rulebooks", "own")
    assert done.code == 0, done.err
    corvane = ("90000013", "regular")
    assert us.ratings("2025-11-uschess-r2")[corvane] > us.ratings("2025-11-uschess")[corvane]
    assert folders.command("verify", us.path / "lists/2025-11-uschess-r2").code == 0


def test_two_players_are_a_match_whatever_is_said(us):
    text = (us.path / "sections.csv").read_text()
    us.write("sections.csv", text.replace(",otb,match", ",otb,swiss"))
    assert us.run().code == 0
    assert us.frame("us_sections").set_index("tournament_id").loc["202510080", "kind"] == "match"
    assert any(line.startswith("U311 note duel.csv") for line in us.codes())


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        ("floors.csv", "90000013,regular,2025-01-01,floor,,,x,y", "F106 error floors.csv:5: value is empty"),
        (
            "floors.csv",
            "90000013,slow,2025-01-01,floor,1800,,x,y",
            'F105 error floors.csv:5: pool: "slow" is not one of',
        ),
        (
            "members.csv",
            "90000013,2025-01-01,,,,,,-5,,x",
            'F105 error members.csv:10: start: "-5" is not a number from 1',
        ),
        ("members.csv", "90000013,2025-13-01,,,,,,,,x", 'F104 error members.csv:10: date: "2025-13-01"'),
        (
            "sections.csv",
            "E,0,x.csv,N,2025-10-04,2025-10-04,G/30;d0,,otb,swiss",
            'F105 error sections.csv:7: part: "0"',
        ),
        ("sections.csv", "E,1,x.csv,N,2025-10-04,2025-10-04,G/30;d0,,otb,relay", "F105 error sections.csv:7: kind"),
    ],
)
def test_inputs_with_a_slip_stop_the_run_and_say_where(us, file, line, said):
    path = us.path / file
    path.write_text(path.read_text() + line + "\n")
    done = us.run()
    assert done.code == 1 and said in done.err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("90000099,regular,N,99,10,,,,,,,", 'rating: "99.0" is not a rating from 100 on'),
        ("90000099,regular,N,,10,,,,,,,", "rating is empty"),
        ("90000099,regular,N,1500,-3,,,,,,,", 'n: "-3" is not a number from 0'),
        ("90000011,regular,N,1500,30,,,,,,,", "stands twice"),
        ("90000099,regular,N,1500", "the row has 4 cells"),
    ],
)
def test_a_list_with_a_slip_is_not_adopted(us, line, said):
    text = (us.path / "list.csv").read_text()
    us.write("slip.csv", text + line + "\n")
    done = folders.command("adopt", "slip.csv", "--period", "2025-09", "-C", us.path, *us_folders.SYSTEM)
    assert done.code == 1 and said in done.err
    assert not (us.path / "lists/2025-09-uschess").exists()


def test_what_a_list_does_not_say_is_assumed_and_said(tmp_path):
    us = us_folders.Folder(tmp_path)
    done = us.begin([{"player_id": "90000001", "pool": "regular", "rating": 1850.25}])
    assert [line.split()[0] for line in done.out.splitlines() if line.startswith("  U")] == [
        "U320",
        "U321",
        "U322",
        "U323",
    ]
    row = us.frame("us_state", "2025-10-uschess").iloc[0]
    assert (row["rating"], row["n"], row["draws"], row["peak"]) == (1850.25, 50, 1, 1850.25)


def test_commands_of_the_other_engine_say_that_it_is_another_list(months):
    older, folder = (months.path / f"lists/{period}-uschess" for period in ("2025-10", "2025-11"))
    for call in (["site", folder, "--out", months.path / "x"], ["audit", older, folder]):
        done = folders.command(*call)
        assert done.code == 1 and "is a uschess list" in done.err and "Traceback" not in done.err
