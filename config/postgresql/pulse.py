"""Does a database server still answer anybody? A frozen one says nothing, and its kernel acks."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any, Final

from psycopg import Error, OperationalError
from psycopg.errors import ConnectionTimeout

SILENCE: Final = 2.0
"""Seconds a statement may be silent before the server is asked whether it is there."""
GONE: Final = 2.0
"""Seconds for which a server that did not answer is not asked again."""
WORDS: Final = "the server does not answer"

Waiting = Generator[Any, Any, Any]


class Pulse:
    """What a process knows of one server: ``greet`` makes a new connection and closes it."""

    def __init__(self, greet: Callable[[], None]) -> None:
        self.greet = greet
        self.missed = float("-inf")

    def expect(self) -> None:
        """Raises ``OperationalError`` where nobody would answer just now."""
        if time.monotonic() < self.missed + GONE:
            raise OperationalError(WORDS)

    def miss(self) -> None:
        self.missed = time.monotonic()

    def feel(self) -> None:
        """Ask the server whether it is there. Raises ``OperationalError`` when it keeps silent."""
        self.expect()
        try:
            self.greet()
        except ConnectionTimeout:
            self.miss()
            raise OperationalError(WORDS) from None
        except Error:  # it answers, if only that it has no room
            return

    def watch(self, waiting: Waiting) -> Waiting:
        """The same wait, ended when the server has become silent for everybody.

        A slow statement goes on: how long it may last, the server is told by ``statement_timeout``.
        """
        self.expect()
        try:
            state, heard = next(waiting), time.monotonic()
            while True:
                ready = yield state
                if not ready and time.monotonic() > heard + SILENCE:
                    self.feel()
                    ready, heard = 0, time.monotonic()
                elif ready:
                    heard = time.monotonic()
                state = waiting.send(ready)
        except StopIteration as end:
            return end.value
