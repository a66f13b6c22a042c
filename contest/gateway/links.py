"""One websocket: what waits to be written to it, and how it ends."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from contest.core.packets import LEFT
from contest.gateway.limits import OUTBOX, PATIENCE

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

NORMAL, POLICY, TRY_LATER = 1000, 1008, 1013

log = logging.getLogger("contest.gateway")


@dataclass(eq=False, slots=True)
class Link:
    """A connection. ``holder`` is its name in the leases, ``is_leased`` once it has one;
    ``token`` the key it bears, first that of its address; ``session`` the one it is attached to;
    files that opened after ``seen`` are pushed to it, as moments of the database's clock;
    ``is_displaced`` once a newer one of this process has its place; ``idle`` while nothing that
    its client wrote is being done.
    """

    send: Send
    language: str
    holder: uuid.UUID = field(default_factory=uuid.uuid4)
    participant: int | None = None
    token: str = field(default="", repr=False)
    session: int | None = None
    seen: int = 0
    is_leased: bool = False
    is_displaced: bool = False
    is_gone: bool = False
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    outbox: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(OUTBOX))

    def __post_init__(self) -> None:
        self.idle.set()

    def write(self, *packets: str) -> bool:
        """Put packets into the outbox, and say whether it took all of them.

        A client that reads nothing is dropped.
        """
        for packet in packets:
            if self.is_gone:
                return False
            try:
                self.outbox.put_nowait(packet)
            except asyncio.QueueFull:
                log.warning("connection %s does not read: dropped", self.holder)
                self.drop()
                return False
        return True

    def leave(self, *packets: str) -> None:
        """Say these, leave the namespace and close: the original's clients stay quiet then."""
        self.write(*packets, LEFT)
        self.drop()

    def drop(self) -> None:
        """Close once all that waits is written."""
        if self.is_gone:
            return
        self.is_gone = True
        if self.outbox.full():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)

    async def pump(self) -> None:
        """Write what is put into the outbox, until the connection is dropped or takes nothing."""
        try:
            while (packet := await self.outbox.get()) is not None:
                await asyncio.wait_for(
                    self.send({"type": "websocket.send", "text": packet}), PATIENCE
                )
            await asyncio.wait_for(self.send({"type": "websocket.close", "code": NORMAL}), PATIENCE)
        except (OSError, RuntimeError, TimeoutError):  # its other end is gone
            pass
        finally:
            self.is_gone = True
