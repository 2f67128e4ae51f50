"""The site: a month as a folder of pages that opens from a file, without a network or a server.

`build` makes the files from a source (`month.read`), `folder.write` puts them where they belong. Everything from the
data is escaped by Jinja2 or is JSON in a script file; pages build their cells from text nodes.
"""

from __future__ import annotations

from pathlib import Path

from ratingrun import __version__, explain, run_folder
from ratingrun.site import chunks, people, summary_page, tables, tops, tournaments
from ratingrun.site.month import Source
from ratingrun.texts import Catalogue

HERE = Path(__file__).parent
SCRIPTS = ("site.js", "browse.js", "explain.js", "month.js", "curve.js", "players.js", "tournaments.js")
# The sentences that the scripts say.
SPOKEN = ("number.", "date.", "word.", "head.", "player.", "event.", "counted.", "reason.", "change.", "k_row.",
          "initial.", "pool.", "ledger.", "list.", "sheet.", "site.table.", "site.state.", "site.panel.",
          "site.event.")  # fmt: skip
ALSO = ("site.thousands", "site.numbers", "site.m", "site.w")


def build(source: Source, say: Catalogue, juniors: int | None = None, seniors: int = 0) -> dict[str, str]:
    """The files of the site by their path in it: three pages, `assets/`, `data/`.

    `juniors`: up to this age a junior (None: as the rule book's K rows say); `seniors`: from this age on a senior.
    """
    import jinja2

    juniors = tops.junior_age(source) if juniors is None else juniors
    everybody = people.build(source)
    parts = tournaments.numbered(source)
    loader = jinja2.FileSystemLoader(HERE / "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    pages = environment.globals | {"say": say}
    first = summary_page.context(source, everybody, say, juniors, seniors)
    files = {}
    for page, template, more in (("month", "index", first), ("players", "browse", {}), ("tournaments", "browse", {})):
        name = "index.html" if page == "month" else f"{page}.html"
        text = environment.get_template(f"{template}.html.j2").render(
            pages | _head(source, say) | more | {"page": page}
        )
        files[name] = text + "\n"
    return files | _assets() | _data(source, say, everybody, parts, source.day.year, juniors, seniors)


def _head(source: Source, say: Catalogue) -> dict[str, object]:
    """What every page says of the run folder."""
    kind = say(f"site.{source.folder.rating_type}")
    return {
        "title": say("site.title", rating_type=kind, day=say.day(source.day)),
        "version": __version__,
        "folder": source.folder.path.resolve().name,
        "sha256": run_folder.sha256(source.folder.path / run_folder.MANIFEST),
        "status": source.folder.manifest["status"],
        "withdrawn": source.withdrawn,
        "book": source.book.title if source.book else ", ".join(source.folder.manifest["rule_books"]),
    }


def _assets() -> dict[str, str]:
    own = {f"assets/{name}": (HERE / "assets" / name).read_text("utf-8") for name in (*SCRIPTS, "site.css")}
    return own | {"assets/tables.js": tables.script()}


def _data(source, say: Catalogue, everybody, parts, year: int, juniors: int | None, seniors: int) -> dict[str, str]:
    """The script chunks, and `site`: what the pages need to find their way in them."""
    index = people.index(everybody)
    panels, player_chunks = people.panels(source, everybody, parts[[*explain.KEY, "t"]])
    sheets, tournament_chunks = tournaments.sheets(source, parts)
    head = explain.head(source.folder)
    spoken = {key: text for key, text in say.texts.items() if key.startswith(SPOKEN) or key in ALSO}
    about = {
        "rating_type": head["rating_type"],
        "list_date": head["list_date"],
        "rule_books": head["rule_books"],
        "rules": head["rules"],
        "juniors": None if juniors is None else year - juniors,
        "seniors": year - seniors,
        "texts": spoken,
        "index": list(index),
        "index_rows": people.INDEX_ROWS,
        "block": people.BLOCK,
        "player_chunks": player_chunks,
        "tournament_chunks": tournament_chunks,
        "tournaments": tournaments.index(source, parts),
    }
    named = {"site": chunks.script("site", about)} | index | panels | sheets
    return {f"data/{name}.js": text for name, text in named.items()}
