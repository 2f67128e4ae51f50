"""Asking the command, as people do."""

import json
import shlex

import pytest
from click.testing import CliRunner

from ratingrun import cli

DAY = "--date 2025-11-15"


class Asked:
    """A call of `ratingrun calc`: its answer, or what it said."""

    def __init__(self, line):
        self.result = CliRunner().invoke(cli.group, ["calc", *shlex.split(line)])
        assert self.result.exception is None or isinstance(self.result.exception, SystemExit), self.result.exception

    @property
    def answer(self):
        assert self.result.exit_code == 0, self.result.output
        return json.loads(self.result.stdout)


@pytest.fixture
def ask():
    """ask("game --own 1850 ..."): the answer as plain data; on 15 November 2025 if no date is given."""

    def asking(line):
        line = line if "--date" in line or "--book" in line else f"{line} {DAY}"
        return Asked(f"{line} --json --steps").answer

    return asking


@pytest.fixture
def said():
    """said("game ..."): (exit code, stdout, stderr)."""

    def saying(line):
        result = Asked(line).result
        return result.exit_code, result.stdout, result.stderr

    return saying


@pytest.fixture
def outcome(ask):
    """The only result of a game."""

    def asking(line):
        found = ask(f"game {line}")
        assert len(found["outcomes"]) == 1
        return found | found["outcomes"][0]

    return asking
