"""A run folder as a record: opening any of them - published, adopted, provisional, of a replay."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd

from ratingrun import findings, run_folder

NEEDED = ("period", "rating_type", "list_date", "status", "rule_books", "frames", "files")


def open_folder(path: Path) -> tuple[run_folder.RunFolder | None, pd.DataFrame]:
    """The run folder at a path, whatever its period and status; F110 no such folder, F101 no manifest to read."""
    if not path.is_dir():
        return None, findings.of("F110", file=path.name)
    try:
        manifest = json.loads((path / run_folder.MANIFEST).read_text("utf-8"))
        missing = [key for key in NEEDED if key not in manifest]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, TypeError) as error:
        missing = [type(error).__name__]
    if missing:
        why = f"it is not a run folder ({', '.join(missing)} in {run_folder.MANIFEST})"
        return None, findings.of("F101", file=path.name, why=why)
    return run_folder.RunFolder(path, manifest), findings.none()
