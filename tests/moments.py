"""Tables as they were at a moment of their history: only what leads there is migrated."""

from __future__ import annotations

import contextlib
import shutil

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.e2e.database import connected
from tests.migrated import kept
from tests.services import copy_of, database_beside

BACKENDS = ("sqlite", "postgres")


@pytest.fixture(scope="module")
def empty_database(request, tmp_path_factory, django_db_blocker):
    """Within a block every connection is one to a database without tables: ``with (backend)``."""

    @contextlib.contextmanager
    def made(backend):
        with contextlib.ExitStack() as opened:
            if backend == "postgres":
                server = request.getfixturevalue("postgres_url")
                address = opened.enter_context(database_beside(server))
            else:
                address = f"sqlite:///{tmp_path_factory.mktemp('old') / 'old.sqlite3'}"
            opened.enter_context(used(address, django_db_blocker))
            yield

    return made


@pytest.fixture(params=BACKENDS)
def todays_database(request, tmp_path, django_db_blocker):
    """Every connection is one to a database with the tables of today, on each backend.

    To a late moment it is less far back from them than forward from none.
    """
    with contextlib.ExitStack() as opened:
        if request.param == "postgres":
            tables = request.getfixturevalue("postgres_tables")
            address = opened.enter_context(copy_of(tables))
        else:
            address = f"sqlite:///{shutil.copyfile(kept(), tmp_path / 'today.sqlite3')}"
        opened.enter_context(used(address, django_db_blocker))
        yield


def pytest_itemcollected(item):
    """Where tables of PostgreSQL are copied, they are those of the tests of services."""
    backend = getattr(item, "callspec", None) and item.callspec.params.get("todays_database")
    if backend == "postgres":
        item.fixturenames = [*item.fixturenames, "postgres_url"]


@contextlib.contextmanager
def used(address, blocker):
    """Within this block every connection is one to this database."""
    with contextlib.ExitStack() as opened:
        opened.callback(ContentType.objects.clear_cache)
        opened.enter_context(blocker.unblock())
        opened.enter_context(connected(address))
        ContentType.objects.clear_cache()
        yield


def go(*moments):
    """Migrate there, back or forward; give what finds a model of the tables there are then."""
    for moment in moments:
        call_command("migrate", *moment, verbosity=0)
    loader = MigrationExecutor(connection).loader
    return loader.project_state([*loader.applied_migrations]).apps.get_model
