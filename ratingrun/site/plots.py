"""The pictures, as SVG to stand inside the page: matplotlib, the same bytes for the same numbers.

Matplotlib was chosen among libraries that draw in Python: it is the best kept, has no JavaScript, and writes the same
SVG again when `svg.hashsalt` is fixed and no date is written. Colours become variables of the page's style, so that
the pictures follow light and dark; text stays text and takes the page's font.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ratingrun.site.groups import Group
from ratingrun.site.inflation import Gap

SIZE = (4.4, 2.8)  # inches: near the width of a phone in CSS pixels, so that the text is as large as the page's
# What is drawn with -> the variable of the page's style.
COLOURS = {"#010101": "ink", "#020202": "quiet", "#030303": "line", "#040404": "paper", "#050505": "one",
           "#060606": "two", "#070707": "up", "#080808": "down"}  # fmt: skip
INK, QUIET, LINE, PAPER, ONE, TWO, UP, DOWN = COLOURS
STYLE = {
    "svg.fonttype": "none", "font.size": 9, "font.family": "DejaVu Sans", "text.color": INK, "axes.labelcolor": QUIET,
    "axes.edgecolor": LINE, "axes.facecolor": "none", "figure.facecolor": "none", "savefig.facecolor": "none",
    "xtick.color": LINE, "ytick.color": LINE, "xtick.labelcolor": QUIET, "ytick.labelcolor": QUIET,
    "grid.color": LINE, "grid.linewidth": 0.6, "axes.grid": True, "axes.grid.axis": "y", "axes.axisbelow": True,
    "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False, "legend.frameon": False,
    "xtick.major.size": 3, "ytick.major.size": 0, "axes.unicode_minus": True, "text.parse_math": False,
}  # fmt: skip
RATINGS, CHANGES = 50, 5  # widths of the bars of the two histograms, in rating points
WIDEST = 60  # bars at most; wider ones if there would be more

Draw = Callable[[object], None]


def picture(name: str, draw: Draw, height: float = SIZE[1]) -> str:
    """One picture; `name` makes the ids in it its own among the pictures of a page."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": f"ratingrun-{name}"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font")  # the browser has a font that has it
        figure = Figure(figsize=(SIZE[0], height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _inside(out.getvalue(), name)


def _inside(svg: str, name: str) -> str:
    """The SVG element alone, in the page's colours and font, hidden from readers that have the table beside it."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    for colour, variable in COLOURS.items():
        svg = svg.replace(colour, f"var(--{variable})")
    svg = re.sub(r"font: (?:normal )?([\d.]+)px [^;\"]+", r"font-size: \1px", svg)
    svg = re.sub(r"font-family: [^;\"]+;? ?", "", svg)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\1{name}-", svg).replace("xlink:href", "href")
    svg = re.sub(
        r'<svg[^>]* viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true" focusable="false">', svg, count=1
    )
    return re.sub(r"\n\s*", "\n", svg).strip()


def ratings(before: np.ndarray, after: np.ndarray, said: dict[str, str]) -> Draw:
    """Two distributions of ratings: the list before as an outline, the new one filled."""
    edges = _edges(np.concatenate([before, after]), RATINGS)

    def draw(axes) -> None:
        axes.hist(after, edges, histtype="stepfilled", color=ONE, alpha=0.45, label=said["after"])
        if len(before):
            axes.hist(before, edges, histtype="step", color=INK, linewidth=1.1, label=said["before"])
        axes.set(xlabel=said["x"], ylabel=said["y"])
        axes.legend(loc="upper right")

    return draw


def changes(change: np.ndarray, said: dict[str, str]) -> Draw:
    """The distribution of the changes: losses to the left, gains to the right, between them what is about nothing."""
    edges = _edges(change, CHANGES)
    edges = edges - (edges[1] - edges[0]) / 2

    def draw(axes) -> None:
        _, _, bars = axes.hist(change, edges, color=UP, rwidth=0.92)
        for bar, low, high in zip(bars, edges, edges[1:], strict=False):
            bar.set_facecolor(DOWN if high < 0 else UP if low > 0 else ONE)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set(xlabel=said["x"], ylabel=said["y"])

    return draw


def _edges(values: np.ndarray, width: int) -> np.ndarray:
    """Edges of bars on multiples of the width, of twice the width or more if there are too many."""
    if not len(values):
        return np.array([0, width])
    low, high = int(values.min()), int(values.max())
    while (high - low) / width > WIDEST:
        width *= 2
    return np.arange(low // width, high // width + 3) * width


def boxes(groups: Sequence[Group], labels: Sequence[str], said: dict[str, str]) -> Draw:
    """The changes of groups side by side: the middle half as a box, the middle 80 of 100 as a line, the median."""
    stats = [
        {"whislo": g.quantiles[0], "q1": g.quantiles[1], "med": g.quantiles[2], "q3": g.quantiles[3],
         "whishi": g.quantiles[4], "fliers": (), "label": label}
        for g, label in zip(groups, labels, strict=True)
    ]  # fmt: skip

    def draw(axes) -> None:
        axes.bxp(
            stats[::-1], orientation="horizontal", showfliers=False, patch_artist=True, widths=0.6,
            boxprops={"facecolor": ONE, "alpha": 0.45, "edgecolor": "none"}, medianprops={"color": INK, "linewidth": 2},
            whiskerprops={"color": QUIET}, capprops={"color": QUIET},
        )  # fmt: skip
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", visible=True)
        axes.set(xlabel=said["x"], ylim=(0.4, len(stats) + 0.6))

    return draw


def bands(groups: Sequence[Group], said: dict[str, str]) -> Draw:
    """The mean change by band of ratings."""

    def draw(axes) -> None:
        averages = [group.average for group in groups]
        axes.bar(range(len(groups)), averages, color=[UP if one >= 0 else DOWN for one in averages], width=0.7)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xticks(range(len(groups)), [group.label.partition("–")[0] for group in groups])
        axes.set(xlabel=said["x"], ylabel=said["y"])

    return draw


def gaps(found: Sequence[Gap], sure: float, said: dict[str, str]) -> Draw:
    """What the higher-rated scored by gap, with the margin of chance, beside what the book expects."""

    def draw(axes) -> None:
        x = np.arange(len(found))
        axes.plot(x, [gap.expected * 100 for gap in found], color=ONE, linewidth=2.2, label=said["expected"], zorder=2)
        judged = np.array([gap.away is not None for gap in found])
        actual, error = (np.array([getattr(gap, name) * 100 for gap in found]) for name in ("actual", "error"))
        look = {"markersize": 5, "linestyle": "none", "marker": "o", "zorder": 3}
        axes.plot(x[~judged], actual[~judged], **look, markerfacecolor=PAPER, color=QUIET, label=said["few"])
        axes.errorbar(
            x[judged], actual[judged], error[judged] * sure, **look, color=INK, ecolor=INK, capsize=2.5, elinewidth=1,
            label=said["actual"],
        )  # fmt: skip
        axes.set_xticks(x, [str(gap.low) if gap.high is not None else f"{gap.low}+" for gap in found])
        axes.set(xlabel=said["x"], ylabel=said["y"])
        axes.set_ylim(min(45, axes.get_ylim()[0]), 105)
        axes.legend(loc="lower right")

    return draw
