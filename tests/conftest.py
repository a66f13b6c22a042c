from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.operations import BaseDatabaseOperations
from django.test import Client
from django.utils import timezone, translation
from hypothesis import settings

from accounts.models import User
from tests.examples import examples
from tests.factories import PersonFactory

pytest_plugins = [
    "tests.migrated",
    "tests.moments",
    "tests.rewriting",
    "tests.room",
    "tests.tiers",
    "tests.weights",
]

# a shell has what it runs in the background ignore Ctrl+C, tests and all that they start
signal.signal(signal.SIGINT, signal.default_int_handler)

# a shared machine may hold any example up: what is slow, growth tests and benchmarks say
settings.register_profile("razbor", deadline=None, max_examples=examples(100))
settings.load_profile("razbor")


@pytest.fixture
def log_in() -> Any:
    """A browser of somebody who is logged in: ``log_in(user)``."""

    def browser(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return browser


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """A request leaves its language behind in the thread: not for the next test."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:  # noqa: ARG001
    """Rows made under this fixture are there for the whole module, and gone after it.

    A test has its own savepoint within (the fixture ``db``), so that what it does goes with it.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def web_clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Move the clock of the web server by so many seconds; the database's stays."""

    def move(seconds: float) -> None:
        now, told = time.time, timezone.now
        monkeypatch.setattr(time, "time", lambda: now() + seconds)
        monkeypatch.setattr(timezone, "now", lambda: told() + timedelta(seconds=seconds))

    return move


@pytest.fixture
def people(db: None) -> dict[str, User]:  # noqa: ARG001 - the rows need the database
    """One person of every role."""
    return {role: PersonFactory(role=role) for role in User.Role.values}


@pytest.fixture(autouse=True, scope="session")
def _emptied_tables_may_be_append_only() -> Iterator[None]:
    """After a test with real transactions the tables are emptied, also those that only grow.

    Their triggers refuse it, row by row on SQLite: they step aside for that moment. For the whole
    session, since the tables are emptied after the fixtures of the test have ended.
    """
    flush = BaseDatabaseOperations.execute_sql_flush
    BaseDatabaseOperations.execute_sql_flush = lambda ops, statements: _empty(
        ops.connection, partial(flush, ops, statements)
    )
    yield
    BaseDatabaseOperations.execute_sql_flush = flush


def _empty(connection: BaseDatabaseWrapper, flush: Callable[[], None]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")
            flush()
            cursor.execute("SET session_replication_role = origin")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        flush()
        for _name, sql in triggers:
            cursor.execute(sql)
