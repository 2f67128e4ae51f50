"""Small invented files, and findings as the lines that a person reads."""

import pytest

from ratingrun import findings


@pytest.fixture
def said():
    """Findings as lines of text, in their order."""
    return lambda found: [findings.line_of(row) for row in findings.numbered(found).itertuples()]


@pytest.fixture
def file_of(tmp_path):
    """Writes a file of this name from text or bytes and gives its path."""

    def write(name, content, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write
