"""Time controls as US Chess writes them, and the pools that rate them (section 1.1 of the reference)."""

import pytest

from ratingrun.uschess import books, clocks

CLASSES = books.books()[-1].classes


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("G/60;d5", (60, 5)),
        ("G/60 d5", (60, 5)),
        ("g/60+30", (60, 30)),
        ("G/90;+30", (90, 30)),
        ("Game/30; inc5", (30, 5)),
        ("40/90,SD/30;d10", (120, 10)),
        ("40/90, SD/30; +30", (120, 30)),
        ("40/80,20/40,SD/30;d5", (150, 5)),
        ("G/5;d0", (5, 0)),
        ("60+5", (60, 5)),
        ("40/90+30:30+30", (120, 30)),
        ("G/25", (25, 0)),
        ("sixty", None),
        ("", None),
        ("G/", None),
        ("d5", None),
    ],
)
def test_time_controls(text, wanted):
    assert clocks.parse(text) == wanted


@pytest.mark.parametrize(
    ("text", "place", "pools"),
    [
        ("G/3;+2", "otb", ("blitz",)),
        ("G/10;d0", "otb", ("blitz",)),
        ("G/11;d0", "otb", ("quick",)),
        ("G/24;d5", "otb", ("quick",)),
        ("G/25;d5", "otb", ("regular", "quick")),
        ("G/60;d5", "otb", ("regular", "quick")),
        ("G/61;d5", "otb", ("regular",)),
        ("40/90,SD/30;d5", "otb", ("regular",)),
        ("G/5;d0", "online", ("online_blitz",)),
        ("G/25;d4", "online", ("online_quick",)),
        ("G/45;d5", "online", ("online_regular",)),  # online nothing is rated twice
        ("G/4;d0", "otb", None),
        ("G/2;+3", "otb", None),  # rule 5C: three main minutes at least
        ("G/4;+10", "otb", None),  # and five for quick
    ],
)
def test_pools(text, place, pools):
    """Blitz 5 to 10, quick more than 10 and less than 30, regular from 30; over the board 30 to 65 are dual rated."""
    found = clocks.of_clock(clocks.parse(text), place, CLASSES)
    assert (found and found.pools) == pools


def test_a_class_by_its_name():
    assert clocks.of_name("dual", "otb", CLASSES).pools == ("regular", "quick")
    assert clocks.of_name("dual", "online", CLASSES).pools == ("online_regular",)
    assert clocks.of_name("none", "otb", CLASSES) is None
