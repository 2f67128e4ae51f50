"""The site as files: where it may be written, that it is whole, small, the same again, and holds nothing private."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import folders
import pytest
import unpacked

from ratingrun import site, texts
from ratingrun.cli import exits
from ratingrun.site import folder as place
from ratingrun.site import month as months
from ratingrun.site import tables

SAMPLE = Path(__file__).parents[2] / "sample_data"
RUN = "lists/2025-11-standard"
FIRST_PAGE, ANY_FILE = 1_000_000, 3_000_000
VOID = {"meta", "link", "input", "br"}
DRAWN = {"path", "use", "rect", "line", "circle"}


def made(folder, *more, out="site"):
    return folders.command("site", RUN, "--out", out, "-C", folder.path, *more)


@pytest.fixture
def published(month):
    assert month.run().code == 0
    return month


# --- where ----------------------------------------------------------------------------------------------------------


def test_a_site_is_written_and_replaced(published):
    done = made(published)
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(r"Written: \S+/site/index.html \(\d+ files, \d\.\d MB\)\n", done.out)
    names = {path.name for path in (published.path / "site").iterdir()}
    assert names == {"index.html", "players.html", "tournaments.html", "assets", "data", "site.json"}
    assert made(published, "--lang", "es").code == 0
    assert 'lang="es"' in (published.path / "site/index.html").read_text("utf-8")
    assert not list(published.path.glob(".site*"))


def test_the_run_folder_is_left_as_it_was(published):
    def content():
        return {path: path.read_bytes() for path in (published.path / RUN).rglob("*") if path.is_file()}

    before = content()
    assert made(published).code == 0
    assert content() == before


@pytest.mark.parametrize(
    ("out", "says"),
    [
        (RUN, "lies in the run folder 2025-11-standard, which is never changed"),
        (f"{RUN}/site", "lies in the run folder 2025-11-standard, which is never changed"),
        ("lists", "holds the run folder itself"),
        (".", "holds the run folder itself"),
        ("reports", "is not empty and no site of ratingrun"),
        ("register.csv", "is a file"),
    ],
)
def test_refused_places(published, out, says):
    done = made(published, out=out)
    assert done.code == 1 and says in done.err and "Traceback" not in done.err
    assert done.err.count("\n") == 1


def test_a_site_with_something_else_in_it_is_not_replaced(published):
    assert made(published).code == 0
    mine = published.path / "site" / "data" / "mine.txt"
    mine.write_text("do not lose this")
    done = made(published)
    assert done.code == 1 and "holds data/mine.txt, which is not of the site" in done.err
    assert mine.read_text() == "do not lose this"


def test_what_only_looks_like_a_site_is_not_replaced(published):
    other = published.path / "other"
    other.mkdir()
    (other / "index.html").write_text("somebody's page")
    for mark in ("", "[]", '{"generator": "something else", "files": ["index.html"]}'):
        (other / "site.json").write_text(mark)
        assert made(published, out="other").code == 1
    assert (other / "index.html").read_text() == "somebody's page"


def test_a_site_that_cannot_be_written_leaves_the_old_one(published, monkeypatch):
    assert made(published).code == 0
    before = (published.path / "site/index.html").read_bytes()

    def full(self, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    done = made(published, "--lang", "pt")
    assert done.code == exits.IO_FAILED and "No space left" in done.err
    assert (published.path / "site/index.html").read_bytes() == before
    assert not list(published.path.glob(".site*"))


def test_an_interrupted_rename_brings_the_old_site_back(tmp_path, monkeypatch):
    place.write(tmp_path / "site", {"index.html": "old"}, "run")
    rename = Path.rename

    def fails(self, target):
        if self.name == "new":
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(OSError, match="Input/output"):
        place.write(tmp_path / "site", {"index.html": "new"}, "run")
    assert (tmp_path / "site/index.html").read_text() == "old"


# --- what cannot be read --------------------------------------------------------------------------------------------


def test_a_changed_run_folder_makes_no_site(published):
    with (published.path / RUN / "changes.parquet").open("ab") as stream:
        stream.write(b"x")
    done = made(published)
    assert done.code == exits.INTEGRITY and [line[:4] for line in done.found] == ["F112"]
    assert not (published.path / "site").exists()


def test_no_run_folder(published):
    done = folders.command("site", "lists/2030-01-standard", "--out", "site", "-C", published.path)
    assert done.code == exits.STOPPED and done.found[0].startswith("F110")


def test_earlier_lists_of_another_type_are_refused(published):
    text = folders.LIST.replace(",20,100", ",20,100")
    published.write("rapid.csv", text)
    assert (
        folders.command("adopt", "rapid.csv", "--period", "2025-10", "--type", "rapid", "-C", published.path).code == 0
    )
    done = made(published, "--earlier", "lists/2025-10-rapid")
    assert done.code == exits.STOPPED and done.found[0].startswith("F117")
    assert made(published, "--earlier", "lists/2025-08-standard", "--earlier", "lists/2025-09-standard").code == 0
    said = unpacked.chunk((published.path / "site/data/players-000.js").read_text("utf-8"))
    assert list(said[0]["curve"]) == ["2025-08-01", "2025-09-01", "2025-11-01"]


def test_a_list_of_us_chess_has_no_site_yet(tmp_path):
    shutil.copytree(SAMPLE / "us_chess", tmp_path / "us")
    adopted = folders.command("adopt", "list.csv", "--period", "2025-10", "--system", "uschess", "-C", tmp_path / "us")
    assert adopted.code == 0
    done = folders.command("site", "lists/2025-10-uschess", "--out", "site", "-C", tmp_path / "us")
    assert done.code == exits.STOPPED
    assert done.found == ["F117 error 2025-10-uschess: is a uschess list, not standard or rapid or blitz; "
                          "give the run folder of the right type"]  # fmt: skip


def test_without_the_extra_one_line_says_what_to_install(published, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "itables" else real(name))
    done = made(published)
    assert done.code == 1
    assert done.err == "Error: the site needs itables: pip install 'ratingrun[site]'\n"


# --- every kind of run folder ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rating_type", ["rapid", "blitz"])
def test_rapid_and_blitz(folder, rating_type):
    folder.write("quick.csv", folders.LIST)
    for period in folders.LISTS:
        more = ("--period", period, "--type", rating_type, "-C", folder.path)
        assert folders.command("adopt", "quick.csv", *more).code == 0
    clock = {"rapid": "15+10", "blitz": "3+2"}[rating_type]
    folder.register(
        id="Q1",
        file="q.csv",
        name="Quick",
        start="2025-10-04",
        end="2025-10-05",
        rating_type=rating_type,
        time_control=clock,
    )
    folder.report("q.csv", folders.OPEN)
    assert folder.run("2025-11", "--type", rating_type).code == 0
    done = folders.command("site", f"lists/2025-11-{rating_type}", "--out", "site", "-C", folder.path)
    assert (done.code, done.err) == (0, "")
    page = (folder.path / "site/index.html").read_text("utf-8")
    assert f"<h1>{rating_type.capitalize()} rating list of 1 November 2025</h1>" in page


@pytest.mark.parametrize("language", ["en", "pt"])
def test_an_adopted_list_has_no_games_and_says_so(folder, language):
    done = folders.command("site", "lists/2025-10-standard", "--out", "site", "--lang", language, "-C", folder.path)
    assert (done.code, done.err) == (0, "")
    page = (folder.path / "site/index.html").read_text("utf-8")
    assert texts.catalogue(language)("site.adopted") in page
    assert "Arden, Ann" in page  # the top lists are there


def test_provisional_and_withdrawn_lists_say_so(month):
    assert month.run("2025-11", "--provisional").code == 0
    run = next((month.path / "lists").glob("*provisional*"))
    assert folders.command("site", run, "--out", month.path / "p").code == 0
    assert texts.catalogue("en")("site.provisional") in (month.path / "p/index.html").read_text("utf-8")
    assert month.run().code == 0
    assert folders.command("withdraw", "2025-11", "--reason", "wrong file", "-C", month.path).code == 0
    assert made(month).code == 0
    assert texts.catalogue("en")("site.withdrawn") in (month.path / "site/players.html").read_text("utf-8")


def test_a_month_without_games(folder):
    folder.register(id="T1", file="open.csv", start="2025-12-04", end="2025-12-05")  # for the next month
    assert folder.run("2025-11", "--no-games").code == 0
    assert made(folder).code == 0


# --- the same again, small, without a network -----------------------------------------------------------------------


def test_the_same_run_makes_the_same_bytes(published, year):
    """In processes of their own, with other seeds of Python's hashes; sample_data has every kind of row."""
    trees = []
    for seed in ("1", "2"):
        out = published.path / f"site-{seed}"
        command = [sys.executable, "-m", "ratingrun", "site", str(year / "2025-12-standard"), "--out", str(out)]
        subprocess.run(
            command, check=True, capture_output=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        )
        trees.append({path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()})
    assert trees[0] == trees[1] and len(trees[0]) > 10


def loaded(page):
    """What a page names to be loaded."""
    return re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"', page)


def test_sizes(built):
    """Of 20,000 players: make bench."""
    files = built("2025-12")
    named = [name for name in loaded(files["index.html"]) if not name.startswith("data:")]
    assert len((files["index.html"] + "".join(files[name] for name in named)).encode()) <= FIRST_PAGE
    assert max(len(text.encode()) for text in files.values()) <= ANY_FILE


def test_pages_load_only_what_lies_beside_them(built):
    for name, text in built("2025-12").items():
        if name.endswith(".html"):
            assert set(loaded(text)) - {"data:,"} <= set(built("2025-12"))
            assert "default-src 'none'" in text
        if not name.startswith("assets/tables"):
            assert not re.search(r"https?://(?!www\.w3\.org/)", text), name
        assert "fetch(" not in text or name == "assets/tables.js", name


class Balanced(HTMLParser):
    """Every element is closed, in order; ids once; headings without a gap."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.headings = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID | DRAWN:
            self.open.append(tag)
        self.ids += [value for name, value in attrs if name == "id"]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag):
        if tag not in VOID | DRAWN:
            assert self.open.pop() == tag


@pytest.mark.parametrize("page", ["index.html", "players.html", "tournaments.html"])
def test_pages_are_well_formed(built, page):
    parser = Balanced()
    parser.feed(built("2025-12")[page])
    assert parser.open == [] and len(parser.ids) == len(set(parser.ids))
    assert parser.headings[0] == 1 and parser.headings.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(parser.headings, parser.headings[1:], strict=False))


def test_datatables_is_a_plain_script_with_its_licences():
    script = tables.script()
    assert f"window.{tables.GLOBAL}=" in script and not re.search(r"^export\b", script, re.M)
    assert "datatables.net/license" in script


# --- names from strangers, and what is nobody's business ------------------------------------------------------------

HOSTILE = "</script><script>alert(1)</script>"


def test_hostile_names_stay_data(month):
    month.write(
        "players.csv", f'player_id,date,name\n0101,2025-10-01,"{HOSTILE}"\n0102,2025-10-01,"A\u2028B & \'C\'"\n'
    )
    assert month.run().code == 0
    source, _ = months.read(month.path / RUN, None)
    files = site.build(source, texts.catalogue("en"), None, 50)
    for name, text in files.items():
        assert HOSTILE not in text, name
        if name.startswith("data/"):
            assert "<" not in text and "\u2028" not in text, name
    assert "&lt;/script&gt;" in files["index.html"]
    names = unpacked.cells(unpacked.chunk(files["data/index-000.js"])["name"])
    assert HOSTILE in names and "A\u2028B & 'C'" in names


def test_a_hostile_federation_in_a_picture(month):
    """Its code stands in the SVG, which goes into the page as it is: no markup, no formula, letters of any script."""
    codes = {"0101": "<b>", "0102": "$x", "0103": "漢字", "0104": "&$$"}
    rows = [f'{player_id},2025-10-01,"{code}"' for player_id, code in codes.items()]
    month.write("players.csv", "\n".join(["player_id,date,federation", *rows]) + "\n")
    assert month.run().code == 0
    done = made(month)
    assert (done.code, done.err) == (0, "")
    page = (month.path / "site/index.html").read_text("utf-8")
    assert "<b>" not in page.lower()
    for shown in ("&lt;B&gt; (1)", "$X (1)", "漢字 (1)", "&amp;$$ (1)"):
        assert shown in page


TRF = """\
012 Open
042 2025/10/04
052 2025/10/05
001    1 w    Ann                               2000 ZZZ        0101 1990/03/17  1.0    1     2 w 1
001    2 m    Bob                               1900 ZZZ        0102 1990/05/23  0.0    2     1 b 0
"""


def test_birth_years_yes_dates_no_and_no_reasons(folder):
    folder.register(id="T1", file="open.trf", name="Open", start="2025-10-04", end="2025-10-05")
    folder.register(id="T2", file="two.csv", name="Two", start="2025-10-11", end="2025-10-12")
    folder.report("open.trf", TRF)
    dated = "start_no,player_id,name,birth_year,round_1\n1,0103,Cat,1990-03-17,2w1\n2,0104,Dan,1990,1b0\n"
    folder.report("two.csv", dated)
    folder.write("exclusions.csv", "tournament_id,round,player_id,reason\nT1,1,0101,suspected of cheating\n")
    assert folder.run("2025-11", "--allow-rejected").code == 0
    whole = (folder.path / RUN / "findings.csv").read_text("utf-8")
    assert "1990-03-17" in whole and "suspected" in whole  # the run says it to the officer
    assert made(folder).code == 0
    for path in (folder.path / "site").rglob("*"):
        if path.is_file() and path.name != "tables.js":
            text = path.read_text("utf-8")
            for secret in ("03-17", "03/17", "05/23", "05-23", "suspected"):
                assert secret not in text, (path.name, secret)
    page = (folder.path / "site/index.html").read_text("utf-8")
    assert "F153" in page and "G305" in page  # that it was met is said
    assert json.loads((folder.path / "site/site.json").read_text())["run"] == "2025-11-standard"
