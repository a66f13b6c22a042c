"""The ORM of the test process on a stack's database, from as many threads as a test wants."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection, connections

from config.env import env_database


@contextlib.contextmanager
def connected(url):
    """Within this block every connection of this process is one to this database."""
    kept, kept_settings = connections["default"], connections.settings["default"]
    fresh = {"default": env_database("", url)}
    connections.settings["default"] = connections.configure_settings(fresh)["default"]
    del connections["default"]
    try:
        yield connections["default"]
    finally:
        connections["default"].close()
        connections.settings["default"] = kept_settings
        connections["default"] = kept


WRITERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend' AND xact_start IS NOT NULL
"""


def nobody_writes():
    """Is no process within a transaction that writes? A stopped one stays in its own."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(WRITERS)
            return cursor.fetchone() == (0,)
    file = connection.settings_dict["NAME"]
    with contextlib.closing(sqlite3.connect(file, timeout=1, isolation_level=None)) as probe:
        try:
            probe.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        probe.execute("ROLLBACK")
        return True


def together(*calls):
    """Do all this at the same instant, each in a thread of its own; what each gave or raised."""
    barrier = threading.Barrier(len(calls))

    def run(call):
        barrier.wait(60)
        try:
            return call()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
