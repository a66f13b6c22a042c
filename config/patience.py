"""How long a request of the web waits for a database that others hold.

A turn to write is waited for by a few requests of a process; while nobody gets one, all others
are told at once that the database does not answer: threads that wait serve nobody.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

PATIENT: Final = 3
"""Requests of a process that wait as long as the connection does: fewer than it has threads."""
MOMENT: Final = 1.0
"""Seconds without a turn for anybody after which the others wait no more."""
STEP: Final = 50
"""Milliseconds SQLite waits by itself before it is asked whether it may go on."""
LOCK_SECONDS: Final = 5
STATEMENT_SECONDS: Final = 20
BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

Execute = Callable[[str, Any, bool, dict[str, Any]], Any]


class Line:
    """Those of this process who wait for a turn to write, in the order they came."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting: list[object] = []
        self.moved = 0.0

    def join(self, who: object) -> None:
        with self.lock:
            if not self.waiting:
                self.moved = time.monotonic()
            self.waiting.append(who)

    def leave(self, who: object, *, served: bool) -> None:
        with self.lock:
            self.waiting.remove(who)
            if served:
                self.moved = time.monotonic()

    def may_stay(self, who: object) -> bool:
        with self.lock:
            is_patient = who in self.waiting[:PATIENT]
            return is_patient or time.monotonic() < self.moved + MOMENT


LINE: Final = Line()


def in_line(execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Execute a statement of SQLite that may have to wait: outside a transaction, that is."""
    raw = context["connection"].connection
    if raw.in_transaction or sql.startswith("PRAGMA"):  # which may set the very timeout
        return execute(sql, params, many, context)
    (patience,) = raw.execute("PRAGMA busy_timeout").fetchone()
    raw.execute(f"PRAGMA busy_timeout = {min(STEP, patience)}")
    try:
        return wait(lambda: execute(sql, params, many, context), patience / 1000)
    finally:
        raw.execute(f"PRAGMA busy_timeout = {patience}")


def wait(attempt: Callable[[], Any], patience: float) -> Any:
    """Try until it succeeds, the patience is over or others wait enough."""
    try:
        return attempt()
    except OperationalError as error:
        if not is_busy(error):
            raise
    who, deadline, served = object(), time.monotonic() + patience, False
    LINE.join(who)
    try:
        while True:
            try:
                found = attempt()
            except OperationalError as error:
                late = time.monotonic() >= deadline
                if late or not is_busy(error) or not LINE.may_stay(who):
                    raise
            else:
                served = True
                return found
    finally:
        LINE.leave(who, served=served)


def is_busy(error: OperationalError) -> bool:
    code = getattr(error.__cause__, "sqlite_errorcode", 0)
    return code & 0xFF in BUSY


def limit(connection: BaseDatabaseWrapper, **_: object) -> None:
    """A connection of the web was opened."""
    if connection.vendor == "sqlite":
        if in_line not in connection.execute_wrappers:
            connection.execute_wrappers.append(in_line)
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        cursor.execute(f"SET statement_timeout = '{STATEMENT_SECONDS}s'")


def install() -> None:
    """From now on in this process, for it answers the web."""
    connection_created.connect(limit, dispatch_uid="config.patience")
