"""Threads that do what they are asked for in turn, and keep no connection while they rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from django.db import Error, connection

T = TypeVar("T")
Asked = tuple[Future[Any], Callable[[], Any]]

RESTED: Final = 0.5
"""Seconds without work after which a thread closes its connection to the database."""


class Crew:
    """So many threads, for a loop that waits meanwhile."""

    def __init__(self, name: str, size: int = 1) -> None:
        self._asked: SimpleQueue[Asked | None] = SimpleQueue()
        self._is_closed = False
        self._threads = [
            Thread(target=self._work, name=f"{name}-{number}", daemon=True)
            for number in range(size)
        ]
        for thread in self._threads:
            thread.start()

    async def do(self, call: Callable[[], T]) -> T:
        """What the call returns, once it is its turn."""
        if self._is_closed:
            raise RuntimeError("Nothing more is done here.")
        future: Future[T] = Future()
        self._asked.put((future, call))
        return await asyncio.wrap_future(future)

    def close(self, *, drops: bool = False) -> None:
        """Let the threads end when all that waits is done; where it ``drops``, it is not."""
        self._is_closed = True
        with suppress(Empty):
            while drops and (asked := self._asked.get_nowait()) is not None:
                asked[0].cancel()
        for _thread in self._threads:
            self._asked.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (asked := self._next()) is not None:
            future, call = asked
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except Error as error:
                connection.close_if_unusable_or_obsolete()
                future.set_exception(error)
            except BaseException as error:
                future.set_exception(error)
        _let_go()

    def _next(self) -> Asked | None:
        """What is to be done next; ``None``: nothing ever."""
        if connection.connection is not None:
            try:
                return self._asked.get(timeout=RESTED)
            except Empty:
                _let_go()
        return self._asked.get()


def _let_go() -> None:
    with suppress(Error):
        connection.close()
