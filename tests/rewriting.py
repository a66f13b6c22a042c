"""Processes that begin together share the rewriting of asserts, two thirds of what a start takes.

Each would begin at the same module, so that all of them rewrite all: each begins elsewhere, and
finds what the others have rewritten.
"""

from __future__ import annotations

import contextlib
import importlib

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    if own := getattr(session.config, "workerinput", None):
        found = modules(session.config)
        begin = len(found) * int(own["workerid"].removeprefix("gw")) // own["workercount"]
        for name in [*found[begin:], *found[:begin]]:
            with contextlib.suppress(Exception, pytest.skip.Exception):  # its collection says why
                importlib.import_module(name)


def modules(config):
    folders = [config.invocation_params.dir / named for named in config.args]
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    return [".".join(file.relative_to(config.rootpath).with_suffix("").parts) for file in files]
