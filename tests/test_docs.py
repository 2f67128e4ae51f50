"""The generated parts of the README are what the code says; what the README promises exists."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ratingrun
from ratingrun import findings
from ratingrun.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_generated_parts_are_current():
    """`make docs` has nothing to rewrite."""
    done = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", "README.md"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr + "run: make docs"


def test_first_screen_holds_the_two_commands():
    first = README.splitlines()[:24]
    assert any("make demo" in line for line in first) and any("make test" in line for line in first)


def test_make_targets_of_the_readme_exist_and_have_help():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"`?make ([a-z]+)\b", README)):
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE), target


def test_commands_of_the_readme_exist():
    for command in set(re.findall(r"^\s*ratingrun ([a-z]+)", README, re.MULTILINE)):
        assert command in COMMANDS


def test_codes_of_the_case_table_exist():
    cases = README.split("## What happens to a case")[1].split("## ")[0]
    for code in re.findall(r"\b[A-Z]\d{3}\b", cases):
        assert code in findings.CATALOGUE, code


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not on this machine")
def test_systemd_units_of_the_readme_are_valid(tmp_path):
    units = re.findall(r"```ini\n# (ratingrun\.\w+)\n(.*?)```", README, re.DOTALL)
    assert [name for name, _ in units] == ["ratingrun.service", "ratingrun.timer"]
    for name, text in units:
        (tmp_path / name).write_text(text, "utf-8")
    paths = [str(tmp_path / name) for name, _ in units]
    done = subprocess.run(["systemd-analyze", "verify", *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_python_example_of_the_readme_names_the_public_api():
    for name in re.search(r"```python\nfrom ratingrun import (.*)", README)[1].split(", "):
        assert name in ratingrun.__all__
