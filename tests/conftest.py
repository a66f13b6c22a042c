from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from hypothesis import settings

from accounts.models import User
from tests.factories import PersonFactory

pytest_plugins = ["tests.tiers"]

# a shared machine may hold any example up: what is slow, growth tests and benchmarks say
settings.register_profile("razbor", deadline=None)
settings.load_profile("razbor")


@pytest.fixture
def log_in() -> Any:
    """A browser of somebody who is logged in: ``log_in(user)``."""

    def browser(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return browser


@pytest.fixture
def people(db: None) -> dict[str, User]:  # noqa: ARG001 - the rows need the database
    """One person of every role."""
    return {role: PersonFactory(role=role) for role in User.Role.values}


@pytest.fixture(autouse=True)
def emptied_tables_may_be_append_only(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test with real transactions the tables are emptied, also those that only grow.

    SQLite does it row by row, which their triggers refuse: they step aside for that moment.
    """
    marker = request.node.get_closest_marker("django_db")
    if connection.vendor != "sqlite" or not (marker and marker.kwargs.get("transaction")):
        yield
        return
    request.getfixturevalue("transactional_db")
    execute = connection.ops.execute_sql_flush
    connection.ops.execute_sql_flush = lambda sql_list: _flush(execute, sql_list)
    yield
    connection.ops.execute_sql_flush = execute


def _flush(execute: Any, sql_list: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        execute(sql_list)
        for _name, sql in triggers:
            cursor.execute(sql)
