from __future__ import annotations

import os
import subprocess
import sys

import pytest

from config.bootstrap import ROOT

pytestmark = pytest.mark.full

NOTED = """
import os

with open("imports", "a") as imports:
    imports.write(f"{os.environ['PYTEST_XDIST_WORKER']} {__name__}\\n")


def test_sum():
    two = 2
    assert two + two == 5
"""


@pytest.fixture
def two_processes(tmp_path):
    """Run what stands in these files under tests/rewriting.py: what was printed."""

    def run(**files):
        for name, source in files.items():
            (tmp_path / f"{name}.py").write_text(source)
        (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
        plugins = ["-p", "xdist", "-p", "tests.rewriting", "-n2", "--dist=loadgroup"]
        return subprocess.run(
            [sys.executable, "-m", "pytest", *plugins, tmp_path],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        ).stdout

    return run


def test_each_process_begins_at_another_module_and_comes_to_all_once(two_processes, tmp_path):
    printed = two_processes(test_a=NOTED, test_b=NOTED, test_c=NOTED, test_d=NOTED)

    lines = [line.split() for line in (tmp_path / "imports").read_text().splitlines()]
    came = {own: [name for process, name in lines if process == own] for own in ("gw0", "gw1")}
    assert came == {
        "gw0": ["test_a", "test_b", "test_c", "test_d"],
        "gw1": ["test_c", "test_d", "test_a", "test_b"],
    }
    assert "E       assert (2 + 2) == 5" in printed


def test_a_module_that_cannot_be_imported_fails_by_name(two_processes):
    printed = two_processes(test_a="import no_such_module\n", test_b=NOTED)

    assert "ERROR test_a.py" in printed
    assert "ModuleNotFoundError: No module named 'no_such_module'" in printed
