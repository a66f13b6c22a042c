"""Tables as they were at a moment of their history: only what leads there is migrated."""

from __future__ import annotations

import contextlib

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.e2e.database import connected
from tests.services import database_beside

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
            opened.callback(ContentType.objects.clear_cache)
            opened.enter_context(django_db_blocker.unblock())
            opened.enter_context(connected(address))
            ContentType.objects.clear_cache()
            yield

    return made


def go(*moments):
    """Migrate there, back or forward; give what finds a model of then."""
    for moment in moments:
        call_command("migrate", *moment, verbosity=0)
    found = [moment for moment in moments if moment[1] != "zero"]
    return MigrationExecutor(connection).loader.project_state(found).apps.get_model
