from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.migrated import kept, migrate


def dump(path):
    """All that a database says, but when it was migrated."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT app, name FROM django_migrations ORDER BY id").fetchall()
        said = [line for line in database.iterdump() if '"django_migrations"' not in line]
    return rows, sorted(said)


@pytest.mark.full
def test_the_kept_tables_are_those_that_the_migrations_make(tmp_path):
    migrate(f"sqlite:///{tmp_path / 'anew.sqlite3'}")

    assert dump(kept()) == dump(tmp_path / "anew.sqlite3")
