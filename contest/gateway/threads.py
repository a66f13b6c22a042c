"""One thread writes, a few read, one asks for the time; nobody waits for what somebody holds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from django.db import OperationalError, connection

from contest.gateway.crews import Crew
from contest.services.sessions.clock import microseconds, moment_now

P = ParamSpec("P")
T = TypeVar("T")

READERS: Final = 3
IMPATIENCE: Final = 10
"""Milliseconds the writer waits for a row that somebody else holds, on PostgreSQL."""
PAUSE: Final = 0.1
"""Seconds after which what was to wait longer is tried again, the others having been served."""
HELD: Final = 30.0
"""Seconds for which it is tried again."""
LOCK_NOT_AVAILABLE: Final = "55P03"


class Threads:
    """Where the work is done while the gateway waits."""

    def __init__(self, readers: int = READERS) -> None:
        self._writer = Crew("writer")
        self._readers = Crew("reader", readers)
        self._clock = Crew("clock")
        self._asking = asyncio.Lock()
        self._next: asyncio.Task[tuple[int, float]] | None = None

    async def write(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """For what is one transaction: where somebody holds what it needs, it is tried again."""
        loop = asyncio.get_running_loop()
        until = loop.time() + HELD
        while True:
            try:
                return await self._done(self._writer, impatient, call, *args, **kwargs)
            except OperationalError as error:
                if not is_held(error) or loop.time() > until:
                    raise
            await asyncio.sleep(PAUSE)

    async def write_once(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """For whoever has another way where somebody holds what is needed."""
        return await self._done(self._writer, impatient, call, *args, **kwargs)

    async def read(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._done(self._readers, call, *args, **kwargs)

    async def moment(self, arrived: float | None = None) -> int:
        """What the database's clock told at an instant of ``time.monotonic()``, by default now.

        It is asked after this call, and all who wait share a question.
        """
        if self._next is None:
            self._next = asyncio.ensure_future(self._ask())
        told, asked = await asyncio.shield(self._next)
        return told if arrived is None else told - microseconds(asked - arrived)

    def close(self) -> None:
        """What is to be written is written to its end."""
        self._clock.close(drops=True)
        self._readers.close(drops=True)
        self._writer.close()

    async def _ask(self) -> tuple[int, float]:
        async with self._asking:  # the question before this one has been answered
            self._next = None  # whoever comes from here on shares the next one
            return await self._done(self._clock, clock_read)

    async def _done(self, crew: Crew, call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        return await crew.do(partial(call, *args, **kwargs))


def clock_read() -> tuple[int, float]:
    """The database's moment, and the instant at which it was asked for."""
    asked = time.monotonic()
    return moment_now(), asked


def impatient(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do this on a connection that waits for no lock; SQLite has one for all, and no choice."""
    if connection.vendor == "postgresql" and connection.connection is None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {IMPATIENCE}")
    return call(*args, **kwargs)


def is_held(error: OperationalError) -> bool:
    """Whether it was a lock that was not to be had in time."""
    return getattr(error.__cause__, "sqlstate", None) == LOCK_NOT_AVAILABLE
