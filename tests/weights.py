"""What the fast tier leaves to the full one: the tests that took most of its CPU when weighed.

They stand in heavy.txt, which `python3 manage.py test --weigh` writes anew; a tenth of the tests is
two thirds of the work. Who names a file or a folder gets all of it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pytest

from tests.examples import is_fast

HEAVY = Path(__file__).parent / "heavy.txt"
SHARE = 0.65
"""Of the CPU seconds of all fast tests, what the fewest and heaviest that are listed take."""
BEGAN = pytest.StashKey[float]()


def pytest_addoption(parser):
    parser.addoption("--weigh", action="store_true", help="run the heavy ones too, and list them")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if not leaves_out(config):
        return
    heavy = listed()
    left = [item for item in items if function_of(item.nodeid) in heavy]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if function_of(item.nodeid) not in heavy]


def leaves_out(config):
    return is_fast() and not config.option.file_or_dir and not config.option.weigh


def listed():
    return frozenset(HEAVY.read_text("utf-8").split())


def function_of(nodeid):
    """Without the parameters and the group of xdist."""
    return nodeid.partition("[")[0].partition("@")[0]


def heaviest(costs, share=SHARE):
    """Of functions with the CPU seconds of each of their tests: the fewest tests of that share."""
    left = share * sum(map(sum, costs.values()))
    found = []
    for name, seconds in sorted(costs.items(), key=lambda each: -sum(each[1]) / len(each[1])):
        if left <= 0:
            break
        found.append(name)
        left -= sum(seconds)
    return sorted(found)


def cpu_seconds():
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    item.stash[BEGAN] = cpu_seconds()
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item, call):
    if call.when == "teardown":  # what a test took goes out with its last report
        item.user_properties.append(("cpu", cpu_seconds() - item.stash[BEGAN]))


class Scale:
    """Weighs, in the process that reports, each test; lists the heaviest if all of them passed."""

    def __init__(self):
        self.costs = defaultdict(list)

    def pytest_runtest_logreport(self, report):
        if report.when == "teardown":
            self.costs[function_of(report.nodeid)].extend(
                value for name, value in report.user_properties if name == "cpu"
            )

    def pytest_sessionfinish(self, exitstatus):
        if exitstatus == pytest.ExitCode.OK:
            HEAVY.write_text("".join(f"{name}\n" for name in heaviest(self.costs)), "utf-8")


def pytest_configure(config):
    if config.option.weigh and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Scale(), "scale")
