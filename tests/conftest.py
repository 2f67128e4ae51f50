"""Options of the test run."""

from __future__ import annotations


def pytest_addoption(parser):
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden files anew (make golden)")
