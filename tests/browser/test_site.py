"""The site as people use it, in a browser, from files: search, sort, filter, every player's and tournament's numbers,
hostile names, phone and desk, keyboard, print, accessibility by axe-core. Each page: no console error, no request."""

import os
import re
import shutil
from pathlib import Path

import folders
import pandas as pd
import pytest

from ratingrun import explain, site, texts
from ratingrun.explain import words
from ratingrun.site import folder as place
from ratingrun.site import month

# CI compares everybody and looks at every width and language; `make test` takes every fifth and the main ones.
CI = os.environ.get("RATINGRUN_BROWSER") == "required"
STEP = 1 if CI else 5
LEAGUE = Path(__file__).parents[2] / "sample_data" / "state_league"
MONTHS = ("2025-11", "2025-12", "2026-01")
PHONE, DESK = 390, 1280
PAGES = ("index.html", "players.html", "players.html#000356", "tournaments.html", "tournaments.html#V25-1003/1")
OUTSIDE = """width => [...document.querySelectorAll("main *, header *, footer *")]
    .filter((node) => !node.closest(".wide, .dt-layout-table, .skip, svg"))
    .filter((node) => node.getBoundingClientRect().right > width + 1)
    .map((node) => node.outerHTML.slice(0, 80))"""
BLOCKS = "ids => Promise.all(ids.map(async (id) => ratingrun.playerBlocks(await ratingrun.facts(id))))"
CELLS = "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
HOSTILE = '</script><img src=x onerror="window.hurt=1"><b>\'"&amp;\u2028`${window.hurt=1}'


@pytest.fixture(scope="session")
def sites(browser, year, tmp_path_factory):
    """sites(period, language): the address of the site's folder and its source; made once."""
    made = {}

    def of(period="2025-11", language="en"):
        if (period, language) not in made:
            source, found = month.read(year / f"{period}-standard", None)
            assert not len(found)
            out = tmp_path_factory.mktemp("site") / "site"
            place.write(out, site.build(source, texts.catalogue(language), None, 50), "run")
            made[period, language] = out.as_uri(), source
        return made[period, language]

    return of


@pytest.fixture
def visit(browser):
    """visit(address, width): the page when it is ready; an error, a console message or a request fails the test."""
    contexts, faults = [], []

    def visiting(address, width=DESK, **more):
        context = browser.new_context(viewport={"width": width, "height": 900}, locale="en-GB", **more)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
        page.on("requestfailed", lambda request: faults.append(f"failed: {request.url}"))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or faults.append(request.url))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.goto(address)
        if "index.html" not in address:
            page.wait_for_selector("html[data-ready]")
        return page

    yield visiting
    for context in contexts:
        context.close()
    assert not faults


def row_of(page, player_id):
    """The cells of the player's row, after a search for the id."""
    page.fill("#search", player_id)
    return page.locator("#everybody tbody tr").first.locator("td").all_inner_texts()


# --- the players ------------------------------------------------------------------------------------------------------


def test_search_finds_a_player_by_any_part_of_the_name_or_id(visit, sites):
    page = visit(f"{sites()[0]}/players.html")
    for asked in ("zalmirova", "Žalm", "petra zal", "000356", "ŽALMIROVA, P"):
        page.fill("#search", asked)
        assert page.locator("#everybody tbody tr").count() == 1
        assert page.locator("#everybody tbody td").first.inner_text() == "Žalmirova, Petra"
        assert page.inner_text("#found") == "1 found"
    page.fill("#search", "nobody of this name")
    assert page.inner_text("#everybody tbody") == "Nobody fits. Try a part of the name, or the id."


def test_every_players_row_has_the_numbers_of_the_frames(visit, sites):
    address, source = sites()
    page = visit(f"{address}/players.html")
    listed = source.rows("rating_list").set_index("player_id")
    changes = source.rows("changes").set_index("player_id")
    script = """ids => ids.map(id => {
        const input = document.getElementById("search");
        input.value = id;
        input.dispatchEvent(new Event("input"));
        const rows = document.querySelectorAll("#everybody tbody tr");
        return [rows.length, ...[...rows[0].cells].map(cell => cell.textContent)];
    })"""
    shown = page.evaluate(script, list(listed.index))
    assert len(shown) == 63
    for (count, name, player_id, federation, _, born, before, change, rating, games, k, _), row in zip(
        shown, listed.itertuples(), strict=True
    ):
        assert (count, player_id, name, federation, born) == (
            1,
            row.Index,
            row.name,
            row.federation,
            str(row.birth_year),
        )
        assert (rating, k) == (text(row.rating), text(row.k))
        assert games == str(row.games)
        if row.Index in changes.index:
            moved = changes.loc[row.Index]
            assert before == str(moved["ro"])
            assert change == (f"+{moved['change']}" if moved["change"] > 0 else str(moved["change"]))
        else:
            assert change == ""


def text(value):
    """A cell of a frame as the page shows it."""
    return "" if pd.isna(value) else str(value)


def test_sort(visit, sites):
    page = visit(f"{sites()[0]}/players.html")
    for head, place_, order in (("Rating", 7, "ascending"), ("Change", 6, "ascending"), ("Change", 6, "descending")):
        page.get_by_role("columnheader", name=head, exact=False).first.click()
        page.wait_for_selector(f"#everybody thead th:nth-child({place_ + 1})[aria-sort={order}]")
        cells = page.locator(f"#everybody tbody tr td:nth-child({place_ + 1})").all_inner_texts()
        numbers = [int(cell) for cell in cells if cell]
        assert numbers == sorted(numbers, reverse=order == "descending") and len(numbers) > 30
    page.get_by_role("columnheader", name="Name").click()
    page.wait_for_selector("#everybody thead th:nth-child(1)[aria-sort=ascending]")
    first = page.locator("#everybody tbody td").first.inner_text()
    assert first == "Abendrok, Til"


def test_filters(visit, sites):
    address, source = sites()
    page = visit(f"{address}/players.html")

    def found():
        return int(page.inner_text("#found").split()[0])

    everybody = source.rows("rating_list")
    page.select_option("#group", "played")
    assert found() == len(source.rows("changes")) == 49
    page.select_option("#group", "first")
    assert found() == (source.rows("initials")["outcome"] == "published").sum() == 2
    page.select_option("#group", "juniors")
    assert found() == (everybody["birth_year"] >= 2025 - 18).sum()
    page.select_option("#group", "seniors")
    assert found() == (everybody["birth_year"] <= 2025 - 50).sum()
    page.select_option("#group", "all")
    page.select_option("#sex", "w")
    women = (everybody["sex"] == "w").sum()
    assert found() == women
    page.select_option("#federation", "OSY")
    assert found() == ((everybody["sex"] == "w") & (everybody["federation"] == "OSY")).sum() < women
    page.select_option("#sex", "")
    assert found() == (everybody["federation"] == "OSY").sum()


@pytest.mark.parametrize(
    ("period", "language"), [*((period, "en") for period in MONTHS), ("2025-11", "pt"), ("2025-11", "es")]
)
def test_every_players_panel_says_what_explain_says(visit, sites, period, language):
    address, source = sites(period, language)
    page = visit(f"{address}/players.html")
    say = texts.catalogue(language)
    ids = sorted(set(source.rows("rating_list")["player_id"]) | set(source.rows("trail")["player_id"]))[::STEP]
    for player_id, blocks in zip(ids, page.evaluate(BLOCKS, ids), strict=True):
        same(blocks, words.player(explain.player(source.folder, source.data, player_id), say))


def same(blocks, wanted):
    """The blocks of a panel are those of `ratingrun explain`, text by text."""
    assert [block["title"] for block in blocks] == [block.title for block in wanted]
    for block, one in zip(blocks, wanted, strict=True):
        assert (block["lines"], block["after"]) == (one.lines, one.after)
        assert bool(block["table"]) == bool(one.table)
        if one.table:
            assert block["table"]["heads"] == list(one.table.heads)
            assert block["table"]["rows"] == [list(row) for row in one.table.rows]
            assert set(block["table"]["numbers"]) == one.table.numbers


def test_a_federation_with_a_curve_of_its_own_in_ten_thousandths(visit, tmp_path):
    """sample_data/state_league: expected scores in 1/10000, another K, two-monthly lists."""
    path = tmp_path / "league"
    shutil.copytree(LEAGUE, path, ignore=shutil.ignore_patterns("lists"))
    assert folders.command("adopt", "lists_source/2025-05.csv", "--period", "2025-05", "-C", path).code == 0
    assert folders.command("run", "2025-07", "-C", path).code == 0
    done = folders.command("site", "lists/2025-07-standard", "--out", "site", "-C", path)
    assert (done.code, done.err) == (0, "")
    source, _ = month.read(path / "lists/2025-07-standard", None)
    page = visit(f"{(path / 'site').as_uri()}/players.html")
    ids = list(source.rows("rating_list")["player_id"])
    said = page.evaluate(BLOCKS, ids)
    for player_id, blocks in zip(ids, said, strict=True):
        same(blocks, words.player(explain.player(source.folder, source.data, player_id), texts.catalogue("en")))
    assert "0.2455" in str(said)  # E of Caspar Vey, in the story of the league


def test_a_panel_shows_all_of_it_and_the_curve(visit, sites):
    address, source = sites("2026-01")
    page = visit(f"{address}/players.html#101154")
    said = page.inner_text("#panel")
    for block in words.player(explain.player(source.folder, source.data, "101154"), texts.catalogue("en")):
        for line in [block.title, *block.lines, *block.after]:
            assert line in said
    assert page.title().startswith("Okonjwe, Adaora (101154)")
    curve = page.locator("#panel svg.curve")
    assert "1 January 2026 1680" in curve.get_attribute("aria-label")
    assert page.locator("#panel svg.curve circle").count() == 4
    assert page.evaluate("document.activeElement.tagName") == "H1"


def test_from_the_first_page_to_a_player_and_on_to_an_opponent_and_back(visit, sites):
    page = visit(f"{sites()[0]}/index.html")
    page.fill("#q", "zalmirova")
    page.press("#q", "Enter")
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#everybody tbody tr").count() == 1
    page.press("#search", "Enter")
    page.wait_for_selector("#panel h1")
    assert page.inner_text("#panel h1").startswith("Žalmirova, Petra (000356)")
    page.click("#panel table a >> text=Wendelgast, Hugo")
    page.wait_for_selector("#panel[data-shown='000322']")
    page.go_back()
    page.wait_for_selector("#panel[data-shown='000356']")
    page.click("text=Karsevin Open")
    page.wait_for_selector("#panel h1 >> text=Karsevin Open")
    page.click("text=All tournaments")
    assert page.locator("#everything tbody tr").count() == 11


def test_the_skip_link_leads_to_the_content_and_stays_on_the_panel(visit, sites):
    page = visit(f"{sites()[0]}/players.html#000356")
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    assert page.inner_text("#panel h1").startswith("Žalmirova, Petra")


def test_an_address_that_cannot_be_decoded(visit, sites):
    page = visit(f"{sites()[0]}/players.html#100%")
    assert page.inner_text("#panel h1").startswith("100% is not in this month")
    page = visit(f"{sites()[0]}/tournaments.html#nothing")
    assert page.inner_text("#panel h1") == "nothing is no tournament of this month."


def test_an_adopted_list_in_the_browser(visit, year, tmp_path):
    """No games, no tournaments, no list before: every page stands."""
    assert folders.command("site", year / "2025-10-standard", "--out", tmp_path / "site").code == 0
    for path in ("index.html", "players.html", "players.html#000356", "tournaments.html"):
        page = visit(f"{(tmp_path / 'site').as_uri()}/{path}")
        assert page.locator("h1").first.inner_text()
    assert page.inner_text("#everything tbody") == "No tournament fits."


def test_an_unknown_player_is_said(visit, sites):
    page = visit(f"{sites()[0]}/players.html#999999")
    assert page.inner_text("#panel h1") == "999999 is not in this month: neither on the list nor in a report."


# --- the tournaments --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("period", MONTHS)
def test_every_cross_table_has_the_figures_of_the_sheet(visit, sites, period):
    address, source = sites(period)
    say = texts.catalogue("en")
    page = visit(f"{address}/tournaments.html")
    for row in source.rows("tournaments").itertuples():
        key = f"{row.tournament_id}/{row.part}"
        page.evaluate("id => { location.hash = encodeURIComponent(id) }", key)
        page.wait_for_selector(f"#panel[data-shown='{key}']")
        facts = [one for one in explain.tournament(source.folder, source.data, row.tournament_id)
                 if one["tournament"]["part"] == row.part]  # fmt: skip
        head, players, *lost = words.tournament(facts[0], say)
        assert page.inner_text("#panel h1") == head.title
        for line in head.lines:
            assert line in page.inner_text("#panel")
        cells = page.locator("#panel table.cross tbody tr").evaluate_all(CELLS)
        for shown, (number, _, name, _, r, n, w, we, dr, k, change, became) in zip(
            cells, players.table.rows, strict=True
        ):
            assert shown[0] == number and shown[2].startswith(r)
            assert shown[-1] == became
            figures = [n, w, we, dr, k, change] if n != "-" else [""] * 6
            assert shown[-7:-1] == figures, (key, name)
        if lost:
            rows = page.locator("#panel section:last-child tbody tr").evaluate_all(CELLS)
            assert rows == [list(one) for one in lost[0].table.rows]


def test_a_cell_says_who_what_and_why_not(visit, sites):
    """Karsevin Open, round 2: Žalmirova lost to an unrated player; her cell is struck out and names the reason."""
    page = visit(f"{sites()[0]}/tournaments.html#V25-1003/1")
    row = page.locator("#panel table.cross tr", has_text="Žalmirova, Petra")
    cell = row.locator("td.pairing >> nth=1")
    assert cell.get_attribute("class") == "pairing none"
    assert cell.get_attribute("title") == (
        "Round 2: Stavrenko, Oksa, Black, 0: no: the opponent was unrated at the start (8.3.1)"
    )
    letter = cell.locator("sup").inner_text()
    assert f"{letter}\nno: the opponent was unrated at the start (8.3.1)" in page.inner_text("#panel dl.letters")


def test_tournaments_are_searched_and_sorted(visit, sites):
    page = visit(f"{sites()[0]}/tournaments.html")
    page.fill("#search", "karsevin")
    assert page.locator("#everything tbody tr").count() == 1
    page.fill("#search", "")
    page.get_by_role("columnheader", name="Players").click()
    page.wait_for_selector("#everything thead th[aria-sort=ascending]")
    numbers = [int(cell) for cell in page.locator("#everything tbody td:nth-child(7)").all_inner_texts()]
    assert numbers == sorted(numbers) and len(numbers) == 11


# --- the first page ---------------------------------------------------------------------------------------------------


def test_the_month_in_numbers(visit, sites):
    """The golden summary of November: 220 of 253 games, 9 of 11 reports, 2 first ratings, 4 warnings, 75 notes."""
    page = visit(f"{sites()[0]}/index.html")
    tiles = [re.sub(r"\s+", " ", text) for text in page.locator(".tile").all_inner_texts()]
    assert tiles == [
        "games rated 220 of 253 reported",
        "tournaments rated 9 of 11 reported",
        "players with rated games 49 of 58 rated players",
        "first ratings 2 11 games wait in pools",
        "points: the sum of all changes −18 −0.37 a player with games",
        "errors and warnings 4 and 75 notes",
    ]
    assert page.locator("figure svg").count() == 8
    said = page.inner_text("main")
    for line in ("Harutyan, Vazgen", "+52", "Ferrowhite, Callum", "−63", "match.decided", "the match was decided"):
        assert line in said


# --- names from strangers ---------------------------------------------------------------------------------------------


def test_hostile_names_do_nothing(visit, folder):
    quoted = HOSTILE.replace('"', '""')
    folder.write("players.csv", f'player_id,date,name\n0101,2025-10-01,"{quoted}"\n')
    folder.register(id="<i>T1</i>", file="open.csv", name=HOSTILE, start="2025-10-04", end="2025-10-05")
    folder._parts[0]["name"] = "Open"
    text = folder.path / "register.csv"
    text.write_text(text.read_text().replace(HOSTILE, f'"{quoted}"'), "utf-8")
    folder.report("open.csv", folders.OPEN.replace("Bob,", f'"{quoted}",'))
    assert folder.run().code == 0
    done = folders.command("site", "lists/2025-11-standard", "--out", "site", "-C", folder.path)
    assert done.code == 0, done.err
    address = (folder.path / "site").as_uri()
    shown = re.sub(r"\s+", " ", HOSTILE)
    for path in ("index.html", "players.html", "players.html#0101", "players.html#0102", "tournaments.html",
                 "tournaments.html#%3Ci%3ET1%3C%2Fi%3E/1"):  # fmt: skip
        page = visit(f"{address}/{path}", bypass_csp=True)  # not even without the page's own guard
        assert shown in re.sub(r"\s+", " ", page.locator("main").evaluate("node => node.textContent")), path
        assert page.evaluate("[window.hurt, document.querySelectorAll('main img, main b, main i').length]") == [None, 0]
    page = visit(f"{address}/players.html", bypass_csp=True)
    page.fill("#search", "<img src=x onerror=window.hurt=1>&amp;")
    page.fill("#search", "onerror")
    assert page.locator("#everybody tbody tr").count() == 1
    assert page.evaluate("window.hurt") is None


# --- phone, desk, keyboard, print, accessibility ----------------------------------------------------------------------


@pytest.mark.parametrize("width", (320, PHONE, 768, DESK) if CI else (PHONE, DESK))
def test_nothing_runs_out_of_the_window(visit, sites, width):
    address, _ = sites("2025-11", "pt")
    for path in PAGES:
        page = visit(f"{address}/{path}", width)
        page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")
        assert page.evaluate(OUTSIDE, width) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (PHONE, "dark")] if CI else [(PHONE, "light")])
def test_axe_finds_nothing_serious(visit, sites, axe, width, scheme):
    """axe-core, whole: names, roles, headings, table headers, contrast; nothing serious or critical on any page."""
    address, _ = sites()
    for path in PAGES:
        page = visit(f"{address}/{path}", width, color_scheme=scheme, bypass_csp=True)
        page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")
        found = axe.run(page, options={"preload": False}).response
        grave = [
            (one["id"], one["nodes"][0]["html"])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert grave == [], path
        assert "color-contrast" in {one["id"] for one in found["passes"]}


def test_keyboard_alone(visit, sites):
    """Tab to the search, type, Enter opens; Tab reaches what scrolls; the skip link comes first."""
    page = visit(f"{sites()[0]}/players.html", PHONE)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "search":
            break
    page.keyboard.type("zalmirova")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel[data-shown='000356']")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "wide":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Karsevin Open")
    page.go_back()
    page.wait_for_selector("#list:not([hidden])")
    page.get_by_role("columnheader", name="Rating").focus()


def test_heads_sort_by_keyboard(visit, sites):
    page = visit(f"{sites()[0]}/players.html")
    head = page.locator("#everybody thead th >> nth=7")
    head.locator("[tabindex='0']").first.focus() if head.get_attribute("tabindex") is None else head.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#everybody thead th:nth-child(8)[aria-sort=ascending]")


def test_print_leaves_the_content(visit, sites):
    page = visit(f"{sites()[0]}/players.html#000356")
    page.emulate_media(media="print")
    assert not page.locator("nav").first.is_visible() and not page.locator(".back").is_visible()
    assert page.locator("#panel h1").is_visible() and page.locator("#panel section table").first.is_visible()


@pytest.mark.parametrize("language", texts.LANGUAGES if CI else ["es"])
def test_languages(visit, sites, language):
    address, _ = sites("2025-11", language)
    say = texts.catalogue(language)
    for path in PAGES:
        page = visit(f"{address}/{path}")
        assert page.locator("html").get_attribute("lang") == language
        said = page.inner_text("body")
        assert say("site.players") in said and "undefined" not in said and "site." not in said.replace("website.", "")
        assert not re.search(r"\{\w+\}", said)


def test_a_missing_file_is_named(browser, sites, tmp_path):
    """Somebody mailed half of the folder."""
    shutil.copytree(Path(sites()[0].removeprefix("file://")), tmp_path / "half")
    (tmp_path / "half/data/players-000.js").unlink()
    context = browser.new_context()
    page = context.new_page()
    page.goto((tmp_path / "half/players.html").as_uri() + "#000356")
    page.wait_for_selector("#panel [role=alert]")
    assert page.inner_text("#panel") == (
        "A file of this site is missing: data/players-000.js. Unpack or copy the whole folder."
    )
    context.close()
