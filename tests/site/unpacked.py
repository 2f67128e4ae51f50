"""Reads the script chunks of a site back: what the browser has, as plain rows."""

import json
import re

CALL = re.compile(r'ratingrun\.take\("([^"]+)",(.*)\);\n', re.DOTALL)


def chunk(text):
    return json.loads(CALL.fullmatch(text)[2])


def named(files, prefix):
    """The chunks of a kind, in their order."""
    return [chunk(text) for name, text in sorted(files.items()) if name.startswith(f"data/{prefix}-")]


def cells(column):
    if isinstance(column, list):
        return column
    return [column["all"]] * column["rows"] if "all" in column else [column["of"][place] for place in column["at"]]


def rows(columns):
    """Packed columns as a list of dictionaries."""
    lists = {name: cells(column) for name, column in columns.items()}
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
