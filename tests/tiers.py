"""What the full tier ran: services as fixtures, and a count of the parts that used them.

Without CI a missing service skips its tests and says why; with CI=true it fails them, and a full
session in which a part ran no test at all fails as a whole.
"""

from __future__ import annotations

import contextlib
import os

import pytest

from tests import browser, services

PARTS = {
    "postgres_url": "PostgreSQL",
    "redis_url": "Redis",
    "worker": "worker",
    "chromium_path": "Chromium",
}
"""Fixture -> the part of the full tier that a test belongs to by asking for it."""


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
    return available(browser.chromium)


def available(find, *arguments):
    try:
        return find(*arguments)
    except services.MissingServiceError as reason:
        return (pytest.fail if in_ci() else pytest.skip)(str(reason))


class Ledger:
    """Collects, in the process that reports, which parts ran."""

    def __init__(self):
        self.tests = dict.fromkeys(PARTS.values(), 0)

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and not report.skipped:
            for name, value in report.user_properties:
                if name == "part":
                    self.tests[value] += 1

    def absent(self):
        return [part for part, count in self.tests.items() if not count]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        if is_full() and in_ci() and self.absent() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        if is_full():
            line = ", ".join(f"{part} {count}" for part, count in self.tests.items())
            terminalreporter.write_line(f"Tests by part: {line}")
            if self.absent() and in_ci():
                terminalreporter.write_line(f"Did not run: {', '.join(self.absent())}", red=True)


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # in the processes of xdist nobody counts
        config.pluginmanager.register(Ledger(), "ledger")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    spread = config.pluginmanager.hasplugin("xdist")
    for item in items:
        asked = [part for fixture, part in PARTS.items() if fixture in item.fixturenames]
        item.user_properties.extend(("part", part) for part in asked)
        if spread and item.get_closest_marker("full"):
            # Tests of the same services share one process: two would disturb each other.
            group = "postgres" if "postgres_url" in item.fixturenames else "full"
            item.add_marker(pytest.mark.xdist_group(group))
