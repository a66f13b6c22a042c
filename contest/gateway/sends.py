"""Answers of all connections: one thread takes them, those that wait at a time together."""

from __future__ import annotations

import asyncio
import logging

from django.utils import translation

from contest.gateway.limits import ANSWERS
from contest.gateway.replies import Reply, Sent, take, take_together
from contest.gateway.threads import Threads

log = logging.getLogger("contest.gateway")


class Sends:
    """What waits to be taken. Nothing waits for company: whoever comes first is taken at once."""

    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self._waiting: list[tuple[Sent, asyncio.Future[Reply | None]]] = []
        self._taking: asyncio.Task[None] | None = None

    async def take(self, sent: Sent) -> Reply:
        """The reply to an answer, once it is committed.

        Alone, among all else that is written, where its session is held by somebody else, or
        where the transaction came to nothing: by whomever it did, the others are taken.
        """
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((sent, future))
        if self._taking is None:
            self._taking = asyncio.ensure_future(self._take_all())
        reply = await future
        return await self.threads.write(alone, sent) if reply is None else reply

    async def _take_all(self) -> None:
        while self._waiting:
            batch = self._next()
            replies: list[Reply | None]
            try:
                replies = await self.threads.write_once(take_together, [sent for sent, _ in batch])
            except Exception as error:
                log.warning("%d answers are taken one by one: %s", len(batch), error)
                replies = [None] * len(batch)
            for (_sent, future), reply in zip(batch, replies, strict=True):
                if not future.done():  # its connection may have gone meanwhile
                    future.set_result(reply)
        self._taking = None

    def _next(self) -> list[tuple[Sent, asyncio.Future[Reply | None]]]:
        """Those that wait longest, of a participant one: the order of a session stays."""
        chosen: dict[int, tuple[Sent, asyncio.Future[Reply | None]]] = {}
        later = []
        for each in self._waiting:
            person = each[0].person.pk
            if len(chosen) < ANSWERS and person not in chosen:
                chosen[person] = each
            else:
                later.append(each)
        self._waiting = later
        return list(chosen.values())


def alone(sent: Sent) -> Reply:
    """Take one answer that was tried before, in the words of its sender's language."""
    with translation.override(sent.language):
        return take(sent.person, sent.data, sent.moment, is_again=True)
