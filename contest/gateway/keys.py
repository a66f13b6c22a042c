"""Whose keys these are, asked at every event: all who wait share a question."""

from __future__ import annotations

import asyncio
import logging

from django.db import Error

from accounts.models import User
from accounts.services.tokens import note_uses, owners_of_tokens
from contest.gateway.threads import Threads

log = logging.getLogger("contest.gateway")


class Keys:
    """What the database says of keys by now; their use is written where all is written."""

    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self._asking = asyncio.Lock()
        self._wanted: set[str] = set()
        self._next: asyncio.Task[dict[str, User]] | None = None
        self._noting: set[asyncio.Task[None]] = set()

    async def owner(self, token: str) -> User | None:
        """Whose key it is, asked after this call; ``None`` for one that opens nothing."""
        self._wanted.add(token)
        if self._next is None:
            self._next = asyncio.ensure_future(self._ask())
        return (await asyncio.shield(self._next)).get(token)

    async def _ask(self) -> dict[str, User]:
        async with self._asking:  # the question before this one has been answered
            self._next, wanted, self._wanted = None, self._wanted, set()
            people, stale = await self.threads.read(owners_of_tokens, wanted)
        if stale:  # nobody waits for this
            task = asyncio.ensure_future(self._note(stale))
            self._noting.add(task)
            task.add_done_callback(self._noting.discard)
        return people

    async def _note(self, stale: list[int]) -> None:
        try:
            await self.threads.write(note_uses, stale)
        except Error as error:
            log.warning("the use of keys was not written: %s", error)
