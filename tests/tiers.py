"""What the full tier ran: services as fixtures, and a count of the parts that used them.

Without CI a missing service skips its tests and says why; with CI=true it fails them, and a full
session in which a part ran no test at all fails as a whole.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import time
import zlib
from pathlib import Path

import pytest

from tests import browser, services
from tests.migrated import one_at_a_time

PARTS = {
    "postgres_url": "PostgreSQL",
    "redis_url": "Redis",
    "worker": "worker",
    "chromium_path": "Chromium",
}
"""Fixture -> the part of the full tier that a test belongs to by asking for it."""
GROUPS = {
    "postgres_url": "services",
    "redis_url": "services",
    "whole_stack": "stack",
    "mortal_postgres": "outages",
    "chromium_path": "screens",
}
"""Fixture -> which tests it shares a process with; the first that a test asks for decides."""
PROCESSES = {"screens": 2}
"""Groups that would be the last to end in one process: their modules are dealt out to so many."""


def in_ci():
    return os.environ.get("CI") == "true"


def is_full():
    return os.environ.get("RAZBOR_TEST_TIER") in ("full", "long")


@pytest.fixture(scope="session")
def postgres_url():
    with contextlib.ExitStack() as stack:
        yield available(stack.enter_context, services.postgres_database())


@pytest.fixture(scope="session")
def redis_url():
    with contextlib.ExitStack() as stack:
        yield available(stack.enter_context, services.redis_address())


@pytest.fixture(scope="session")
def chromium_path():
    with one_at_a_time():  # of two processes that miss it one installs it
        return available(browser.chromium)


def available(find, *arguments):
    try:
        return find(*arguments)
    except services.MissingServiceError as reason:
        return (pytest.fail if in_ci() else pytest.skip)(str(reason))


INCOMPLETE = 8
"""How a full session in CI ends in which a part ran no test, whatever else failed."""
JUDGED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
SLOW = 60.0
"""Seconds from which a test is named as soon as it ends, as one that failed is, for a run that is
cut off."""


class Ledger:
    """Collects, in the process that reports, which parts ran."""

    def __init__(self):
        self.tests = dict.fromkeys(PARTS.values(), 0)
        self.began = time.monotonic()

    def pytest_runtest_logreport(self, report):
        if report.duration > SLOW or (report.failed and is_full()):
            line = f"\n{report.nodeid} ({report.when}) {report.outcome}: {report.duration:.0f} s, "
            sys.stdout.write(f"{line}{time.monotonic() - self.began:.0f} s from the start\n")
        if report.failed and is_full():  # a run that is cut off never gets to its summary
            sys.stdout.write(f"{report.longreprtext[-2000:]}\n")
        if report.when == "call" and not report.skipped:
            for name, value in report.user_properties:
                if name == "part":
                    self.tests[value] += 1

    def absent(self):
        return [part for part, count in self.tests.items() if not count]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        if is_full() and in_ci() and self.absent() and session.exitstatus in JUDGED:
            session.exitstatus = INCOMPLETE

    def pytest_terminal_summary(self, terminalreporter):
        if is_full():
            line = ", ".join(f"{part} {count}" for part, count in self.tests.items())
            terminalreporter.write_line(f"Tests by part: {line}")
            if self.absent() and in_ci():
                terminalreporter.write_line(f"Did not run: {', '.join(self.absent())}", red=True)


def pytest_collection_finish():
    # Ten thousand tests and all modules stay to the end: no need to look through them again.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_configure(config):
    # A file that is named has its folder read anew, and folders in it lose their conftest.py: first
    # what stands above.
    config.args.sort(key=lambda named: len(Path(named.partition("::")[0]).absolute().parts))
    if not hasattr(config, "workerinput"):  # in the processes of xdist nobody counts
        config.pluginmanager.register(Ledger(), "ledger")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    spread = config.pluginmanager.hasplugin("xdist")
    for item in items:
        asked = [part for fixture, part in PARTS.items() if fixture in item.fixturenames]
        item.user_properties.extend(("part", part) for part in asked)
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(0))
        if spread and "module_rows" in item.fixturenames:
            # A module's world is made once: its tests stay in one process.
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
        elif spread and item.get_closest_marker("full"):
            item.add_marker(pytest.mark.xdist_group(group_of(item)))


def group_of(item):
    """Who shares a process: what takes long to start is started once, and nobody disturbs another.

    Tests of PostgreSQL and Redis, of the stack on SQLite, of outages, of screens; else of a module.
    A module is never divided: what it shares is made once.
    """
    module = item.nodeid.partition("::")[0]
    asked = (group for fixture, group in GROUPS.items() if fixture in item.fixturenames)
    group = next(asked, module)
    turn = zlib.crc32(module.encode()) % PROCESSES.get(group, 1)
    return f"{group} {turn + 1}" if group in PROCESSES else group
