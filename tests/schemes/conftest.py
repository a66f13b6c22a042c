from __future__ import annotations

import pytest

from tests.factories import PersonFactory


@pytest.fixture
def person():
    return PersonFactory(role="participant")


@pytest.fixture
def browser(log_in, person):
    return log_in(person)


def pytest_itemcollected(item):
    """A test on PostgreSQL asks for it by name: tests/tiers.py counts such tests."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if parameters.get("database") == "postgres":
        item.fixturenames = [*item.fixturenames, "postgres_url"]
