from __future__ import annotations

import re

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from config.bootstrap import ROOT

FOLDERS = ["", "tests"]
PIN = re.compile(r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\]+))? \\$")


def wanted(folder):
    lines = (ROOT / folder / "requirements.in").read_text().splitlines()
    words = (line.partition("#")[0].strip() for line in lines)
    return [Requirement(word) for word in words if word and not word.startswith("-")]


def pinned(folder):
    """Name -> versions; a package may have one for old Pythons and one for new."""
    pins = {}
    for line in (ROOT / folder / "requirements.txt").read_text().splitlines():
        if found := PIN.match(line):
            pins.setdefault(canonicalize_name(found[1]), set()).add(found[2])
    return pins


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_requirement_is_pinned_to_what_it_allows(folder):
    pins = pinned(folder)

    unmet = [
        str(requirement)
        for requirement in wanted(folder)
        if not pins.get(canonicalize_name(requirement.name))
        or not all(
            requirement.specifier.contains(Version(version))
            for version in pins[canonicalize_name(requirement.name)]
        )
    ]

    assert unmet == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_is_pinned_without_hashes(folder):
    text = (ROOT / folder / "requirements.txt").read_text()
    entries = re.split(r"\n(?=\S)", text)
    bare = [entry for entry in entries if entry[0] != "#" and "--hash=sha256:" not in entry]

    assert bare == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_line_of_a_lock_is_understood(folder):
    lines = (ROOT / folder / "requirements.txt").read_text().splitlines()
    strange = [line for line in lines if not re.match(r"\s|#", line) and not PIN.match(line)]

    assert strange == []


def test_tests_run_on_the_pins_of_the_runtime():
    runtime, tests = pinned(""), pinned("tests")

    assert {name: tests[name] for name in tests if name in runtime} == {
        name: runtime[name] for name in tests if name in runtime
    }


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_lock_says_how_it_was_made(folder):
    head = (ROOT / folder / "requirements.txt").read_text().splitlines()[1]

    assert "uv pip compile --universal --python-version 3.11 --generate-hashes" in head
