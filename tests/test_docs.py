"""What the documents say about tests, files and names is true."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from config.floors import FOLDERS

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
ROWS = {
    name: re.findall(
        r"^\| (\d+(?:\.\d+)?) [^|]+\|([^|]*)\|$",
        (ROOT / "docs" / name).read_text("utf-8"),
        flags=re.MULTILINE,
    )
    for name in ("marking.md", "comparison.md", "sessions.md", "runs.md", "running-a-contest.md")
}
POINTS = [(f"{name} {point}", tests) for name, rows in ROWS.items() for point, tests in rows]
WAY = re.findall(
    r"^\| (\d+) \|[^|]+\|([^|]*)\|$",
    (ROOT / "CONTRIBUTING.md").read_text("utf-8"),
    flags=re.MULTILINE,
)
PLAN = [f"3.{number}" for number in range(1, 10)]
BETTER = [str(number) for number in (*range(1, 10), *range(17, 21))]
KEPT = [f"4.{number}" for number in range(1, 11)]
SECOND = [f"13.{number}" for number in range(1, 36)]
SESSIONS = [f"14.{number}" for number in range(1, 28)]
RUNS = [f"15.{number}" for number in range(1, 20)]
CONTESTS = [f"16.{number}" for number in range(1, 32)]


@cache
def names_in(path):
    """The names of the tests in a file that is collected."""
    assert re.fullmatch(r"test_\w+\.py", path.name)
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_point_of_the_marking_screen_stands_in_the_map_once():
    assert [point for point, _tests in ROWS["marking.md"]] == PLAN + BETTER + KEPT + SECOND


def test_every_point_of_the_sessions_stands_in_the_map_once():
    assert [point for point, _tests in ROWS["sessions.md"]] == SESSIONS


def test_every_point_of_score_runs_stands_in_the_map_once():
    assert [point for point, _tests in ROWS["runs.md"]] == RUNS


def test_every_point_of_contests_stands_in_the_map_once():
    assert [point for point, _tests in ROWS["running-a-contest.md"]] == CONTESTS


def test_rows_without_a_number_name_tests_that_exist_too():
    text = "".join((ROOT / "docs" / name).read_text("utf-8") for name in ROWS)

    named = re.findall(r"`(tests/[^`]+)::(test_\w+)`", text)
    assert [each for each in named if each[1] not in names_in(ROOT / each[0])] == []


def test_no_point_stands_twice_in_a_map():
    named = [point for point, _tests in POINTS]

    assert sorted(set(named)) == sorted(named)


@pytest.mark.parametrize("where", [where for _step, where in WAY], ids=[step for step, _ in WAY])
def test_every_file_on_the_way_of_an_essay_is_there(where):
    """A bare name stands in a folder of a path before it."""
    folders, missing = [ROOT], []
    for cited in re.findall(r"`([^`:]+)[^`]*`", where):
        found = [folder / cited for folder in folders if (folder / cited).exists()]
        missing += [] if found else [cited]
        folders += [parent for path in found[:1] for parent in path.parents if parent != ROOT]

    assert missing == []


@pytest.mark.parametrize(("point", "tests"), POINTS, ids=[point for point, _tests in POINTS])
def test_every_point_has_tests_that_exist(point, tests):
    named = re.findall(r"`([^`]+)::(test_\w+)`", tests)

    assert named
    assert len(named) == tests.count("`") / 2, f"{point} names something that is no test"
    assert [f"{path}::{name}" for path, name in named if name not in names_in(ROOT / path)] == []


def test_the_glossary_names_files_that_are_there():
    cited = re.findall(r"`((?:\w+/)+[\w.*]*)", GLOSSARY)

    assert [each for each in cited if not list(ROOT.glob(each))] == []


def test_the_glossary_names_classes_that_are_there():
    cited = re.findall(r"`([A-Z][a-z]\w*)[`(.]", GLOSSARY)
    sources = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    stated = re.compile(r"^(?: *class )?(\w+)(?:\(|:| =)", re.MULTILINE)
    known = {name for path in sources for name in stated.findall(path.read_text("utf-8"))}

    assert [each for each in cited if each not in known] == []
