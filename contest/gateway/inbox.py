"""What a client writes, each message with the instant it was complete at: whoever is being
answered, and whose next message comes meanwhile, loses no time by it.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from contest.gateway.limits import INBOX, LARGEST_MESSAGE
from contest.gateway.links import Receive

GONE = "websocket.disconnect"


class Inbox:
    """The messages of one connection that wait to be taken; of too many the rest is not read yet.

    An instant is told by ``time.monotonic()``. ``reading`` is done once the client has gone.
    """

    def __init__(self, receive: Receive) -> None:
        self._waiting: asyncio.Queue[tuple[dict[str, Any], float]] = asyncio.Queue()
        self._size = 0
        self.reading = asyncio.ensure_future(self._read(receive))

    async def next(self) -> tuple[dict[str, Any], float]:
        """The message that came first of those that wait, and when."""
        message, arrived = await self._waiting.get()
        self._size -= size_of(message)
        self._waiting.task_done()
        return message, arrived

    def close(self) -> None:
        """Nothing more is read."""
        self.reading.cancel()

    async def _read(self, receive: Receive) -> None:
        message: dict[str, Any] = {}
        while message.get("type") != GONE:
            message = dict(await receive())
            self._waiting.put_nowait((message, time.monotonic()))
            self._size += size_of(message)
            if self._waiting.qsize() >= INBOX or self._size > LARGEST_MESSAGE:
                await self._waiting.join()


def size_of(message: dict[str, Any]) -> int:
    """How long the text or the bytes of a message are."""
    return len(message.get("text") or message.get("bytes") or "")
