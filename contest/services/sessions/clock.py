"""The moment of an event is the database's, taken when its message is complete.

Before anything is parsed and before any lock: whoever waits for one loses no time by it.
"""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import connection

from contest.core.moments import moment_of


def microseconds(seconds: float) -> int:
    """The same time as moments count it."""
    return round(seconds * 1_000_000)


def moment_now() -> int:
    """What the database's clock tells, in microseconds since 1970."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')")
            return moment_of(datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC))
        cursor.execute("SELECT clock_timestamp()")
        return moment_of(cursor.fetchone()[0])
