from __future__ import annotations

import os
import subprocess
import sys

import pytest

from config.bootstrap import ROOT
from tests.tiers import INCOMPLETE

pytestmark = pytest.mark.full

PARTS = """
    import os
    import pytest

    @pytest.fixture
    def worker():
        return "worker"

    @pytest.fixture(scope="session")
    def chromium_path():
        return "chromium"

    @pytest.fixture(scope="session")
    def postgres_url():
        return "postgres"

    @pytest.mark.full
    def test_page(chromium_path, worker):
        pass

    @pytest.mark.full
    def test_rows(postgres_url):
        pass

    @pytest.mark.full
    def test_queue(redis_url):
        assert redis_url == "redis://elsewhere"
"""
WITHOUT_REDIS = PARTS.replace("redis_url", "worker").replace('worker == "redis://elsewhere"', "1")
NO_BROWSER = """
    import pytest
    from tests import browser
    from tests.services import MissingServiceError

    @pytest.fixture(autouse=True, scope="session")
    def empty_machine():
        def search():
            raise MissingServiceError("no Chromium anywhere")
        browser.chromium = search

    @pytest.mark.full
    def test_page(empty_machine, chromium_path):
        pass
"""


@pytest.fixture
def session(tmp_path):
    """Run a small test file of its own under tests/tiers.py; the exit code and what was printed."""

    def run(source, *files, processes=0, **environment):
        lines = source.splitlines()
        (tmp_path / "test_sample.py").write_text("\n".join(line[4:] for line in lines))
        (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = full\n")
        plugins = ["-p", "xdist", "-p", "tests.tiers", f"-n{processes}", "--dist=loadgroup"]
        finished = subprocess.run(
            [sys.executable, "-m", "pytest", "-rs", *plugins, *(files or [tmp_path])],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={
                **{name: value for name, value in os.environ.items() if name != "CI"},
                "PYTHONPATH": str(ROOT),
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                "RAZBOR_TEST_REDIS": "redis://elsewhere",
                "RAZBOR_TEST_TIER": "full",
                **environment,
            },
        )
        return finished.returncode, finished.stdout

    return run


def test_a_full_session_counts_its_parts(session):
    code, said = session(PARTS, processes=2, CI="true")

    assert "Tests by part: PostgreSQL 1, Redis 1, worker 1, Chromium 1" in said
    assert "Did not run" not in said
    assert code == 0


def test_in_ci_a_part_without_tests_fails_the_session(session):
    code, said = session(WITHOUT_REDIS, CI="true")

    assert "3 passed" in said
    assert "Did not run: Redis" in said
    assert code == INCOMPLETE


@pytest.mark.parametrize(
    "environment", [{}, {"CI": "true", "RAZBOR_TEST_TIER": "fast"}], ids=["by hand", "fast tier"]
)
def test_elsewhere_a_part_may_be_absent(session, environment):
    assert session(WITHOUT_REDIS, **environment)[0] == 0


def test_a_missing_service_skips_its_tests_by_hand_and_fails_them_in_ci(session):
    code, said = session(NO_BROWSER)
    assert (code, "1 skipped" in said, "no Chromium anywhere" in said) == (0, True, True)

    code, said = session(NO_BROWSER, CI="true")
    assert (code, "1 error" in said, "no Chromium anywhere" in said) == (INCOMPLETE, True, True)


def test_files_of_one_folder_may_be_named_about_one_that_stands_above_it(session, tmp_path):
    folder = tmp_path / "above" / "room"
    folder.mkdir(parents=True)
    (folder / "conftest.py").write_text(
        "import pytest\n\n@pytest.fixture\ndef key():\n    return 1\n"
    )
    names = ["room/test_first.py", "test_above.py", "room/test_last.py"]
    for name in names:
        asks = "key" if "/" in name else ""
        (tmp_path / "above" / name).write_text(f"def test_it({asks}):\n    pass\n")
    for package in (folder, folder.parent):
        (package / "__init__.py").write_text("")

    for processes in (0, 1):
        code, said = session("", *(f"above/{name}" for name in names), processes=processes)
        assert (code, "3 passed" in said) == (0, True), said


def test_screens_are_shared_out_by_modules_to_two_processes(session, tmp_path):
    source = "import os, pytest\n\n@pytest.fixture(scope='session')\ndef chromium_path():\n"
    source += "    return os.environ['PYTEST_XDIST_WORKER']\n\n@pytest.mark.full\n"
    source += (
        "@pytest.mark.parametrize('number', range(4))\ndef test_page(chromium_path, number):\n"
    )
    source += (
        "    with open(f'{__name__}.{number}', 'w') as told:\n        told.write(chromium_path)\n"
    )
    for name in "abcdef":
        (tmp_path / f"test_{name}.py").write_text(source)

    code, said = session("", processes=4)

    told = {
        name: {file.read_text() for file in tmp_path.glob(f"test_{name}.*[0-9]")}
        for name in "abcdef"
    }
    assert (code, "24 passed" in said) == (0, True), said
    assert {name: len(processes) for name, processes in told.items()} == dict.fromkeys("abcdef", 1)
    assert len(set.union(*told.values())) == 2


@pytest.mark.xdist_group("together")
def test_what_belongs_together_is_known_to_the_processes_of_xdist(request):
    is_spread = hasattr(request.config, "workerinput")

    assert ("together" in request.node.nodeid.partition("@")[2]) == is_spread
