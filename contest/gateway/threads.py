"""One thread takes answers, one or a few write all else; a few read, one asks for the time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

from django.db import Error, close_old_connections, connection

from contest.services.clock import moment_now

P = ParamSpec("P")
T = TypeVar("T")

READERS: Final = 3
WRITERS: Final = 3
"""On PostgreSQL, beside the one that takes answers: one may wait for a session that is held."""
RESTED: Final = 1.0
"""Seconds after which a connection that was not used is looked at before it is."""

_used = threading.local()


class Threads:
    """Where the work is done while the gateway waits; a connection that rested is looked at."""

    def __init__(self, readers: int = READERS) -> None:
        is_alone = connection.vendor == "sqlite"  # which has one writer at a time
        self._writer = ThreadPoolExecutor(1 if is_alone else WRITERS, "writer")
        self._answers = self._writer if is_alone else ThreadPoolExecutor(1, "answers")
        self._readers = ThreadPoolExecutor(readers, "reader")
        self._clock = ThreadPoolExecutor(1, "clock")
        self._asking = asyncio.Lock()
        self._next: asyncio.Task[int] | None = None

    async def write(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._done(self._writer, call, *args, **kwargs)

    async def answer(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """For what never waits for somebody else: the next ones wait for it."""
        return await self._done(self._answers, call, *args, **kwargs)

    async def read(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._done(self._readers, call, *args, **kwargs)

    async def moment(self) -> int:
        """What the database's clock tells, asked after this call: all who wait share a question."""
        if self._next is None:
            self._next = asyncio.ensure_future(self._ask())
        return await asyncio.shield(self._next)

    def close(self) -> None:
        """What is being written is written to its end."""
        for pool in (self._clock, self._readers):
            pool.shutdown(wait=True, cancel_futures=True)
        for pool in (self._answers, self._writer):
            pool.shutdown(wait=True)

    async def _ask(self) -> int:
        async with self._asking:  # the question before this one has been answered
            self._next = None  # whoever comes from here on shares the next one
            return await self._done(self._clock, moment_now)

    async def _done(
        self, pool: ThreadPoolExecutor, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        def done() -> T:
            if time.monotonic() > getattr(_used, "at", 0.0) + RESTED:
                close_old_connections()
            try:
                return call(*args, **kwargs)
            except Error:
                close_old_connections()
                raise
            finally:
                _used.at = time.monotonic()

        return await asyncio.get_running_loop().run_in_executor(pool, done)
