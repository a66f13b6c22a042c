"""The visit of one client of the original, from the websocket's opening to its end."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from django.db import Error
from django.utils import translation

from accounts.models import User
from contest.access import may_exchange
from contest.core.packets import (
    JOINED,
    NAMESPACE,
    PONG,
    WELCOME,
    Join,
    Leave,
    Ping,
    Said,
    Unreadable,
    hello,
    read_packet,
    strange_namespace,
    unreadable,
)
from contest.gateway.hall import Hall, packet, turn_away
from contest.gateway.inbox import GONE, Inbox
from contest.gateway.limits import INTRODUCTION, NONSENSE, UNHEARD
from contest.gateway.links import Link, Receive
from contest.gateway.replies import ANSWER, Reply, Sent, answer, attached
from contest.services.sessions.connecting import connect, disconnect

log = logging.getLogger("contest.gateway")


class Visit:
    """One client of this hall, at the other end of its link.

    ``is_asked_about`` while the database is asked whose the key is that it showed.
    """

    def __init__(self, hall: Hall, link: Link) -> None:
        self.hall, self.link = hall, link
        self.person: User | None = None
        self.is_asked_about = False
        self.unread = 0
        self.left_at: float | None = None
        self.introduced_by = asyncio.get_running_loop().time() + INTRODUCTION

    async def last(self, receive: Receive) -> None:
        """Take what the client writes, one packet after the other, until it goes or is dropped."""
        self.pump, self.inbox = asyncio.ensure_future(self.link.pump()), Inbox(receive)
        self.link.write(hello(secrets.token_hex(10)), WELCOME)
        try:
            while not self.link.is_gone:
                found = await self._next()
                if found is None:
                    break
                await self._done_with(*found)
        except TimeoutError:
            log.info("connection %s fell silent", self.link.holder)
        except Error as error:  # the client comes back by itself
            log.warning("the gateway waits for the database: %s", error)
        finally:
            self.inbox.close()
            self.link.drop()
            try:
                await self._gone()
            finally:
                with suppress(asyncio.CancelledError):
                    await self.pump

    async def _next(self) -> tuple[str, float] | None:
        """What the client writes next, and when it was complete; ``None`` when it, or its
        connection, has gone.
        """
        patience = UNHEARD
        if self.person is None:  # pings of a stranger win it no time
            patience = self.introduced_by - asyncio.get_running_loop().time()
            if patience <= 0:
                raise TimeoutError
        arriving = asyncio.ensure_future(self.inbox.next())
        either: set[asyncio.Future[Any]] = {arriving, self.pump}
        done, _pending = await asyncio.wait(
            either, timeout=patience, return_when=asyncio.FIRST_COMPLETED
        )
        if arriving not in done:
            arriving.cancel()
            if not done:
                raise TimeoutError
            return None
        message, arrived = arriving.result()
        if message["type"] == GONE:
            self.left_at = arrived
            return None
        text = message.get("text")
        if text is None:
            log.info("connection %s sent bytes", self.link.holder)
            self.link.leave(unreadable("text only"))
            return None
        return str(text), arrived

    async def _done_with(self, text: str, arrived: float) -> None:
        self.link.idle.clear()
        try:
            await self._take(text, arrived)
        finally:
            self.link.idle.set()

    async def _take(self, text: str, arrived: float) -> None:
        moment = await self.hall.threads.moment(arrived) if text[:1] == "4" else 0
        found = read_packet(text)
        if isinstance(found, Ping):
            self.link.write(PONG + found.data)
        elif isinstance(found, Join):
            await self._join(found, moment)
        elif isinstance(found, Said):
            await self._said(found, moment)
        elif isinstance(found, Leave):
            self.link.drop()
        elif isinstance(found, Unreadable):
            self._refuse(found.why)

    def _refuse(self, why: str) -> None:
        self.unread += 1
        log.info("connection %s: %s", self.link.holder, why)
        self.link.write(unreadable(why))
        if self.unread >= NONSENSE:
            self.link.leave()

    async def _join(self, join: Join, moment: int) -> None:
        """Let a participant in by its key, wherever it stands (original.md 1.1)."""
        if join.namespace == "/":
            return
        if join.namespace != NAMESPACE:
            self.link.write(strange_namespace(join.namespace))
            return
        if self.person is not None:
            return
        self.link.token = join.token or self.link.token
        self.link.write(JOINED)
        self.is_asked_about = True
        try:
            person = await self._admitted()
        finally:
            self.is_asked_about = False
        if person is None:
            return
        self.person, self.link.participant = person, person.pk
        await self.hall.enter(self.link)
        reply = await self._written(partial(self._attached, moment))
        self.link.is_leased = reply is not None
        self._do(reply)

    async def _admitted(self) -> User | None:
        """Whose key it is by now; ``None`` for who has none that is good, and is turned away."""
        person = await self.hall.keys.owner(self.link.token)
        if person is not None and may_exchange(person):
            return person
        turn_away(self.link, person)
        return None

    def _attached(self, moment: int) -> Reply:
        assert self.person is not None  # noqa: S101 - it has joined
        holder = self.link.holder
        return attached(connect(participant=self.person, holder=holder, moment=moment), moment)

    async def _said(self, said: Said, moment: int) -> None:
        if self.person is None:
            self._refuse("an event before the namespace was joined")
            return
        person = await self._admitted()  # a key may be revoked while its connection stands
        if person is None:
            return

        def answered() -> Reply:
            return answer(person, said.name, said.data, moment)

        if said.name == ANSWER:
            sent = Sent(person, said.data, moment, self.link.language)
            self._do(await self._done(self.hall.sends.take(sent)))
        else:
            reply = await self._written(answered)
            while reply is not None and reply.pause:
                if not await self._stays(reply.pause):
                    return
                moment = await self.hall.threads.moment()
                reply = await self._written(answered)
            self._do(reply)

    async def _stays(self, seconds: float) -> bool:
        """Wait so long; false as soon as the client, or its connection, has gone."""
        ends: set[asyncio.Future[Any]] = {self.pump, self.inbox.reading}
        gone, _pending = await asyncio.wait(
            ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
        )
        return not gone and not self.link.is_gone

    async def _written(self, call: Callable[[], Reply]) -> Reply | None:
        def in_words() -> Reply:
            with translation.override(self.link.language):
                return call()

        return await self._done(self.hall.threads.write(in_words))

    async def _done(self, reply: Awaitable[Reply]) -> Reply | None:
        """``None`` when the database cannot be used just now."""
        try:
            return await reply
        except Error as error:
            log.warning("the gateway waits for the database: %s", error)
            return None

    def _do(self, reply: Reply | None) -> None:
        """Tell the client; without a database it is sent away, and comes back by itself."""
        if reply is None:
            self.link.drop()
            return
        if reply.session is not None:
            self.link.session, self.link.seen = reply.session, reply.seen
            self.hall.wake()
        if reply.leaves:
            self.link.session = None
        self.link.write(*map(packet, reply.says))

    async def _gone(self) -> None:
        """Write that the connection broke, unless a newer one has its place.

        One of this process may be about to take its lease: nothing is written before that.
        """
        if self.person is None or self.link.is_displaced:
            return
        self.hall.links.pop(self.link.holder, None)
        try:
            moment = await self.hall.threads.moment(self.left_at)
            await self.hall.threads.write(disconnect, holder=self.link.holder, moment=moment)
        except Error as error:  # its lease runs out, which tells the same
            log.warning("the gateway waits for the database: %s", error)
