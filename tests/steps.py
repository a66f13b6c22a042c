"""What the database does for a call, counted in its own steps: no clock is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

counted_by_sqlite = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="it is SQLite that counts its steps"
)


def steps_of(call: Callable[[], object]) -> int:
    """How many hundreds of its steps SQLite takes for a call."""
    steps: list[int] = []
    connection.ensure_connection()
    connection.connection.set_progress_handler(lambda: steps.append(1) and 0, 100)
    try:
        call()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(steps)
