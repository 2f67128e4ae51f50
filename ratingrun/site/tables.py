"""DataTables out of itables, as a plain script that works from a file.

itables carries DataTables as one ES module; a page that was opened from a file may not import modules, so the one
export statement at its end becomes an assignment to the global `ratingrunTables` (.DataTable, .jQuery).
"""

from __future__ import annotations

import importlib.resources
import re

GLOBAL = "ratingrunTables"
EXPORT = re.compile(r"export\s*\{([^}]*)\}\s*;?")


def script() -> str:
    """The script, licences kept. ValueError if itables changed the shape of its bundle: a bug of this module."""
    bundle = importlib.resources.files("itables").joinpath("html", "dt_bundle.js").read_text("utf-8")
    found = EXPORT.findall(bundle)
    if len(found) != 1:
        raise ValueError("itables' bundle does not end in one export statement")
    pairs = (part.split(" as ") for part in found[0].split(","))
    names = {public.strip(): local.strip() for local, public in pairs}
    given = f"window.{GLOBAL}={{DataTable:{names['default']},jQuery:{names['jQuery']}}};"
    return f"(()=>{{\n{EXPORT.sub(given, bundle)}\n}})();\n"
