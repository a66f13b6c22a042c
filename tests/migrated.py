"""The tables of the tests: migrated once, and copied from then on.

SQLite's are kept in var and copied into memory; `migrate` still runs afterwards: what is kept
spares it the work, not the look. PostgreSQL's are kept while the session lasts.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest
from django.db import connection

from config.bootstrap import ROOT
from tests import services

KEPT = ROOT / "var" / "tests"
SOURCES = ("requirements.txt", "*/migrations/*.py", "*/triggers.py")
"""What tables are made of: those of Django and its libraries by their versions."""


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, request):  # noqa: ARG001
    """What pytest-django asks for last before it migrates: the tables are there by then."""
    name = connection.creation._get_test_db_name()
    in_memory = connection.vendor == "sqlite" and connection.creation.is_in_memory_db(name)
    if not in_memory or request.config.getoption("nomigrations"):
        yield
        return
    with closing(sqlite3.connect(name, uri=True)) as memory:
        with closing(sqlite3.connect(kept())) as tables:
            tables.backup(memory)
        yield  # what is in memory is forgotten with its last connection


@pytest.fixture(scope="session")
def postgres_tables(postgres_url):
    """A PostgreSQL database with empty tables, for `services.copy_of`: nobody is to use it."""
    with services.database_beside(postgres_url) as address:
        migrate(address)
        yield address


def kept():
    """A file with empty tables, migrated if nobody has done so yet."""
    path = KEPT / f"{digest()}.sqlite3"
    with one_at_a_time():
        if not path.exists():
            for former in KEPT.glob("*.sqlite3"):
                former.unlink()
            unfinished = path.with_suffix(".unfinished")
            unfinished.unlink(missing_ok=True)
            migrate(f"sqlite:///{unfinished}")
            with closing(sqlite3.connect(unfinished)) as tables:  # one file, whatever the journal
                tables.execute("PRAGMA journal_mode = DELETE")
            unfinished.replace(path)
    return path


def digest():
    found = sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
    texts = [(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in found]
    return hashlib.sha256(repr(texts).encode()).hexdigest()[:16]


@contextmanager
def one_at_a_time():
    """Of several processes one migrates, and the others wait for what it keeps."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def migrate(address):
    environment = {
        "DATABASE_URL": address,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "RAZBOR_BOOTSTRAP": "off",
    }
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--run-syncdb", "--verbosity=0"],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=True,
    )
