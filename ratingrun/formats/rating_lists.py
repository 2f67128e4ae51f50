"""A rating list by anybody, in any form: CSV, Parquet, FIDE's text and XML, and these from a .zip.

What a file is, its first bytes say, not its name. A .zip is opened within bounds, so that no archive fills the disk.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import pandas as pd

from ratingrun import findings
from ratingrun.formats import fide_lists, fide_txt, fide_xml, list_tables, text

LARGEST = 2 << 30  # bytes of a list: five times the largest there is
DENSEST = 200  # bytes out of a .zip for a byte in it: real lists have under 20
ARCHIVE, MARK = b"PK\x03\x04", b"\xef\xbb\xbf"
ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError, ValueError)

Found = tuple[pd.DataFrame, pd.DataFrame]


def read(path: Path, rating_type: str = "standard") -> Found:
    """The list in a file and the findings, as `list_tables.read` gives them, whatever its form.

    A combined list gives the numbers of `rating_type`. F101 for what is no list, with the reason.
    """
    path = Path(path)
    file = path.name
    if path.suffix.lower() in list_tables.PARQUET or not path.is_file():
        return list_tables.read(path)
    if path.stat().st_size > LARGEST:
        return fide_lists.nothing(), findings.of("F101", file=file, why="it is larger than 2 GiB")
    with path.open("rb") as stream:
        head = stream.read(1 << 16)
    if not head.startswith(ARCHIVE) and not is_fide(head):
        return list_tables.read(path)
    raw, why = text.load(path)
    if not why and head.startswith(ARCHIVE):
        raw, why = unpacked(raw)
    if why:
        return fide_lists.nothing(), findings.of("F101", file=file, why=why)
    if raw.removeprefix(MARK).lstrip()[:1] == b"<":
        return fide_xml.read(raw, file, rating_type)
    return fide_txt.read(raw, file, rating_type)


def is_fide(head: bytes) -> bool:
    """Whether a file that begins so is one of FIDE's lists, as text or XML."""
    begin = head.removeprefix(MARK).lstrip()
    return begin[:1] == b"<" or fide_txt.recognised(head.rstrip(fide_txt.END_OF_FILE)) is not None


def unpacked(raw: bytes) -> tuple[bytes, str]:
    """The one list in a .zip, or why there is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = [one for one in archive.infolist() if one.filename.lower().endswith((".txt", ".xml"))]
            if len(members) != 1:
                return b"", f"the .zip holds {len(members)} lists (.txt or .xml), not one"
            size = members[0].file_size
            if size > LARGEST or size > DENSEST * max(members[0].compress_size, 1):
                return b"", f"the .zip would unpack to {size} bytes, more than a list has"
            with archive.open(members[0]) as stream:
                found = stream.read(size + 1)
            return (b"", "the .zip says a wrong size") if len(found) > size else (found, "")
    except ZIP_ERRORS as error:
        return b"", f"the .zip cannot be opened ({text.first_line(error)})"
