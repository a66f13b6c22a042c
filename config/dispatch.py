"""Which requests a process of the web works on: few at once, unless those before take long.

Python runs one thread at a time, and SQLite lets one write: who holds that turn would have to wait
after each statement until the other threads let it go on, and everybody waits for who holds it. A
request that takes long, for it waits itself or makes something large, holds up nobody behind it:
there are more threads than requests begun at once.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any, Final

from waitress.task import ThreadedTaskDispatcher

LONG: Final = 0.1
"""Seconds after which a request is no longer waited for."""


class Dispatcher(ThreadedTaskDispatcher):
    """Hands requests to threads in the order they came, ``at_once`` of those that are quick."""

    def __init__(self, at_once: int) -> None:
        super().__init__()
        self.at_once = at_once
        self.turns = threading.Lock()
        self.held: deque[Any] = deque()
        self.begun: dict[Begun, float] = {}

    def add_task(self, task: Any) -> None:
        with self.turns:
            self.held.append(task)
            self.begin()

    def ended(self, task: Begun) -> None:
        with self.turns:
            del self.begun[task]
            self.begin()

    def look(self) -> None:
        """Those before may take long by now."""
        with self.turns:
            self.begin()

    def begin(self) -> None:
        now = time.monotonic()
        quick = sum(now < since + LONG for since in self.begun.values())
        for _ in range(min(len(self.held), self.at_once - quick)):
            task = Begun(self.held.popleft(), self)
            self.begun[task] = now
            super().add_task(task)


class Begun:
    """A task of waitress's, of which the dispatcher hears when it has ended."""

    def __init__(self, task: Any, dispatcher: Dispatcher) -> None:
        self.task, self.dispatcher = task, dispatcher

    def service(self) -> None:
        try:
            self.task.service()
        finally:
            self.dispatcher.ended(self)

    def cancel(self) -> None:
        self.task.cancel()
