from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import translation

from accounts.services import limits
from tests.factories import PersonFactory
from tests.services import free_port as find_free_port


class Clock:
    """The time the limits see: it stands still until a test moves it."""

    def __init__(self):
        self.now = 1_800_000_000.0

    def time(self):
        return self.now

    def move(self, seconds):
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """No window of a limit ends in the middle of a test."""
    clock = Clock()
    monkeypatch.setattr(limits, "time", SimpleNamespace(time=clock.time))
    return clock


@pytest.fixture(autouse=True)
def _english():
    """A request leaves its language behind in the thread: not for the next test."""
    with translation.override("en"):
        yield


@pytest.fixture
def coordinator(db):  # noqa: ARG001 - the row needs the database
    return PersonFactory(username="coordinator", role="coordinator")


@pytest.fixture
def administrator(db):  # noqa: ARG001
    return PersonFactory(username="administrator", role="administrator")


@pytest.fixture
def free_port():
    """A port of this machine where nobody listens."""
    return find_free_port()
