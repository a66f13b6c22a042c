"""Tests have room for their frames: they call deeply, and take a quarter less processor time so."""

from __future__ import annotations

import pytest
from _pytest import runner

from config.room import with_room


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    return with_room(runner.pytest_runtest_protocol, item, nextitem)
