"""The page as people use it: keyboard alone, phone and desk, languages, what is kept, what is wrong."""

import pytest

PHONE, DESK = 390, 1280


def headline(page):
    return page.locator("#headline").inner_text().split("\n")[0]


def test_keyboard_alone(opened):
    """The 1850 player's event typed without a mouse: Tab, arrows, digits, Enter."""
    page = opened()
    page.keyboard.press("Tab")  # language
    page.keyboard.press("Tab")  # system: FIDE
    page.keyboard.press("Tab")  # calculation: one game
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "event"
    page.keyboard.press("Tab")
    page.keyboard.type("1850")
    page.keyboard.press("Tab")
    page.keyboard.type("20")
    page.keyboard.press("Tab")
    for rating, score in [("1720", "1"), ("2015", "0"), ("1905", "="), ("1420", "1"), ("1790", "1"), ("", "1")]:
        page.keyboard.type(rating)
        page.keyboard.press("Tab")
        page.keyboard.type(score)
        page.keyboard.press("Enter")
    assert headline(page) == "1862"
    assert page.locator("#rows li").count() == 7
    focus = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert focus == "solid"


def test_what_was_typed_is_kept_on_the_device(opened):
    page = opened()
    page.check("input[value=elo]")
    page.fill("input[name=own]", "1600")
    page.fill("input[name=opponent]", "1400")
    page.select_option("select[name=score]", "1")
    page.check("input[value=event]")
    page.fill('[data-row="0"] [data-part=rating]', "1400")
    page.select_option('[data-row="0"] [data-part=score]', "1")
    page.select_option("#language", "es")
    page.reload()
    assert page.locator("html").get_attribute("lang") == "es"
    assert page.input_value("input[name=own]") == "1600"
    assert page.input_value('[data-row="0"] [data-part=rating]') == "1400"
    assert headline(page) == "1604,81"
    page.click("#clear")
    page.reload()
    assert page.input_value("input[name=own]") == ""
    assert page.input_value('[data-row="0"] [data-part=rating]') == ""


def test_works_where_nothing_can_be_kept(opened):
    page = opened()
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused'); }})")
    page.reload()
    page.fill("input[name=own]", "1850")
    page.fill("input[name=opponent]", "1720")
    assert page.locator("table.rows tbody tr").count() == 3


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ("en", "Chess rating calculator"),
        ("pt", "Calculadora de rating de xadrez"),
        ("es", "Calculadora de valoración de ajedrez"),
    ],
)
def test_languages(opened, code, title):
    page = opened()
    page.select_option("#language", code)
    assert page.title() == page.locator("h1").inner_text() == title
    for system in ("fide", "elo", "uschess"):
        page.check(f"input[value={system}]")
        for calculator in page.locator("input[name=calculator]").evaluate_all("nodes => nodes.map((n) => n.value)"):
            page.check(f"input[value={calculator}]")
            assert "undefined" not in page.inner_text("body")
            assert "calc." not in page.inner_text("body")


def test_what_is_missing_is_a_hint_and_what_is_wrong_is_marked(opened):
    page = opened()
    assert page.inner_text("#message") == "own rating is missing"
    page.fill("input[name=own]", "1850x")
    assert page.inner_text("#message") == '! own rating: "1850x" is not a whole number'
    assert "wrong" in page.locator("#message").get_attribute("class")
    assert page.locator("#answer").inner_text() == ""


def test_the_chosen_is_marked_without_colour(opened):
    page = opened()
    for value, mark in (("fide", "✓"), ("elo", "none")):
        node = page.locator(f"input[value={value}] + span")
        assert mark in node.evaluate("node => getComputedStyle(node, '::before').content")


@pytest.mark.parametrize("width", [320, PHONE, 768, DESK])
def test_nothing_runs_out_of_the_window(opened, width):
    page = opened(width)
    page.select_option("#language", "pt")
    for system in ("fide", "elo", "uschess"):
        page.check(f"input[value={system}]")
        page.check("input[value=event]")
        page.fill("input[name=own]", "1850")
        page.fill('[data-row="0"] [data-part=rating]', "1720")
        page.select_option('[data-row="0"] [data-part=score]', "1")
        assert page.locator("table.rows tbody tr").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_fingers_find_their_fields(opened):
    page = opened(PHONE)
    page.check("input[value=event]")
    for node in page.locator("#form input[name=own], #form select:visible, #form button").all():
        assert node.bounding_box()["height"] >= 43


def test_every_field_has_a_name(opened):
    page = opened()
    for system in ("fide", "uschess"):
        page.check(f"input[value={system}]")
        page.check("input[value=event]")
        named = "n.labels?.length || n.ariaLabel || n.textContent.trim()"
        nameless = page.locator("input, select, button").evaluate_all(
            f"nodes => nodes.filter((n) => !({named})).map((n) => n.outerHTML)"
        )
        assert nameless == []


def test_an_opponent_met_twice(opened):
    """US Chess: three games, one opponent twice: no bonus."""
    page = opened()
    page.check("input[value=uschess]")
    page.check("input[value=event]")
    page.fill("input[name=own]", "1500")
    for i in range(3):
        page.fill(f'[data-row="{i}"] [data-part=rating]', "2000")
        page.select_option(f'[data-row="{i}"] [data-part=score]', "1")
    with_bonus = headline(page)
    page.click("#more summary")
    page.check("input[name=repeats]")
    for i in range(3):
        page.fill(f'[data-row="{i}"] [data-part=name]', "AAB"[i])
    assert float(headline(page)) < float(with_bonus)
    assert "no bonus" in page.inner_text("#steps")


def test_removing_a_game(opened):
    page = opened()
    page.check("input[value=performance]")
    for i, rating in enumerate(("1700", "1800", "1900")):
        page.fill(f'[data-row="{i}"] [data-part=rating]', rating)
        page.select_option(f'[data-row="{i}"] [data-part=score]', "=")
    page.click('[data-remove="2"]')
    assert headline(page) == "1750"
