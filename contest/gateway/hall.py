"""Everybody who waits in this process, and the one look-out that wakes them.

Once a second, and when the next file opens, one question to the database tells what opened and
what ended for all connections; no connection asks for itself.
"""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from django.db import Error
from django.utils import translation

from accounts.models import User
from accounts.services.tokens import owners_of_tokens
from contest.access import may_exchange
from contest.core.moments import at, moment_of
from contest.core.packets import event
from contest.gateway.keys import Keys
from contest.gateway.limits import RENEWAL, SOONEST, TURN
from contest.gateway.links import Link
from contest.gateway.replies import Reply, Say, available, closing, displaced, turned_away
from contest.gateway.sends import Sends
from contest.gateway.threads import Threads
from contest.gateway.waiters import Waiter, Waiters
from contest.models import ExchangeSession, SessionFile
from contest.services.sessions.asking import Handed, note_deliveries
from contest.services.sessions.beating import beat
from contest.services.sessions.connecting import renew, with_leases

log = logging.getLogger("contest.gateway")


@dataclass(frozen=True, slots=True)
class News:
    """What opened, what ended, and when the next file opens, of the sessions asked about."""

    opened: tuple[SessionFile, ...] = ()
    ended: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    next_at: int | None = None


def news(seen: Mapping[int, int], until: int) -> News:
    """Of sessions, each with the moment since which it is told, what happened up to ``until``."""
    if not seen:
        return News()
    slots = SessionFile.objects.order_by("opens_at", "position")
    fresh = slots.filter(opens_at__gt=at(min(seen.values())), opens_at__lte=at(until))
    ended = ExchangeSession.objects.filter(pk__in=seen).exclude(closed_at=None)
    later = slots.filter(session__in=seen, opens_at__gt=at(until))
    next_at = later.values_list("opens_at", flat=True).first()
    return News(
        tuple(
            slot
            for slot in fresh.select_related("essay", "session")
            if moment_of(opening(slot)) > seen.get(slot.session_id, until)
            and not is_over_before(slot)
        ),
        {
            pk: (state, why)
            for pk, state, why in ended.values_list("pk", "state", "stopped_because")
        },
        None if next_at is None else moment_of(next_at),
    )


def opening(slot: SessionFile) -> datetime:
    """When a file opened that has opened."""
    assert slot.opens_at is not None  # noqa: S101 - it was found by this column
    return slot.opens_at


def is_over_before(slot: SessionFile) -> bool:
    """Whether the session had ended when a file was to open: nobody is given it."""
    closed_at = slot.session.closed_at
    return closed_at is not None and closed_at < opening(slot)


class Hall:
    """The connections of this process, by the names of their leases."""

    def __init__(self, threads: Threads, name: str) -> None:
        self.threads, self.name = threads, name
        self.keys, self.sends = Keys(threads), Sends(threads)
        self.links: dict[uuid.UUID, Link] = {}
        self.waiters = Waiters()
        self.pushed: list[tuple[int, int]] = []
        """Hand-outs that are not written down yet: the slot, and when it was pushed."""
        self._renewed = 0
        self._beside: dict[str, asyncio.Task[None]] = {}
        self._woken = asyncio.Event()

    async def enter(self, link: Link) -> None:
        """A participant's newest connection is the only one: a former one here leaves.

        What the former one said before is done before anything more is written of the newer one:
        the log never goes back, and an answer that waits still would become late by it.
        """
        former = self._displaced_by(link)
        self.links[link.holder] = link
        for other in former:
            await other.idle.wait()

    def _displaced_by(self, link: Link) -> list[Link]:
        former = []
        for other in list(self.links.values()):
            if other.participant == link.participant and other is not link:
                self.links.pop(other.holder)
                other.is_displaced = True
                say_goodbye(other, displaced)
                former.append(other)
        return former

    def wake(self) -> None:
        """Look out at once: a session was opened."""
        self._woken.set()

    async def watch(self) -> None:
        """Look out again and again, whatever happens: all connections hang on it."""
        while True:
            pause = TURN
            self._woken.clear()  # who is opened during the look is looked for at once after it
            try:
                pause = await self.look()
            except Error as error:
                log.warning("the gateway waits for the database: %s", error)
            except Exception:
                log.exception("the look-out failed, and goes on")
            try:
                await asyncio.wait_for(self._woken.wait(), pause)
            except TimeoutError:
                continue

    async def look(self) -> float:
        """Tell everybody what happened; returns the seconds until the next look."""
        moment = await self.threads.moment()
        if moment - self._renewed >= RENEWAL:
            self._renewed = moment
            self._leave("leases", partial(self._renew, moment))
        attached = {link.session: link for link in self.links.values() if link.session}
        seen = {number: link.seen for number, link in attached.items()}
        waiting = sorted(self.waiters.waiting(), key=lambda each: each.seen, reverse=True)
        waited = {each.session: each.seen for each in waiting}
        found = await self.threads.read(news, waited | seen, moment)
        opened_to = {slot.session_id for slot in found.opened}
        await self._check([link for number, link in attached.items() if number in opened_to])
        self._push([slot for slot in found.opened if slot.session_id in attached], attached, moment)
        self._hand_over(found.opened, waiting, moment)
        self._close(found.ended, attached)
        if self.pushed:
            self._leave("hand-outs", self.note)
        if found.next_at is None:
            return TURN
        return min(TURN, max(SOONEST, (found.next_at - moment) / 1_000_000))

    async def note(self) -> None:
        """Write down what was pushed; what cannot be written now is kept for the next time."""
        pushed, self.pushed = self.pushed, []
        if not pushed:
            return
        try:
            await self.threads.write(note_deliveries, pushed=pushed)
        except BaseException:  # also when the server stops meanwhile
            self.pushed = pushed + self.pushed
            raise

    def _leave(self, what: str, writing: Callable[[], Awaitable[object]]) -> None:
        """Have it written beside the look-out, unless it still is: no file waits for its turn."""
        if what not in self._beside:
            task = self._beside[what] = asyncio.ensure_future(self._written(writing))
            task.add_done_callback(lambda _: self._beside.pop(what))

    async def _written(self, writing: Callable[[], Awaitable[object]]) -> None:
        try:
            await writing()
        except Error as error:
            log.warning("the gateway waits for the database: %s", error)
        except Exception:
            log.exception("something of the look-out was not written")

    def _push(
        self, slots: Iterable[SessionFile], attached: Mapping[int, Link], moment: int
    ) -> None:
        for slot in slots:
            link = attached[slot.session_id]
            is_news = link.session == slot.session_id and moment_of(opening(slot)) > link.seen
            if is_news and link.write(packet(available(slot))):
                self.pushed.append((slot.pk, moment))
        for number, link in attached.items():
            if link.session == number:  # it may have opened another one meanwhile
                link.seen = max(link.seen, moment)

    def _hand_over(
        self, slots: Iterable[SessionFile], waiting: Iterable[Waiter], moment: int
    ) -> None:
        """Give requests that wait the file that opened, the first one if there are several."""
        first: dict[int, SessionFile] = {}
        for slot in slots:
            first.setdefault(slot.session_id, slot)
        given = set()
        for waiter in waiting:
            opened = first.get(waiter.session)
            is_news = opened is not None and moment_of(opening(opened)) > waiter.seen
            waiter.seen = max(waiter.seen, moment)
            if is_news and waiter.is_waiting and opened is not None and opened.due_at is not None:
                waiter.handed = Handed(opened, moment_of(opened.due_at), moment)
                waiter.woken.set()
                given.add(opened.pk)
        self.pushed += [(number, moment) for number in given]

    def _close(self, ended: Mapping[int, tuple[str, str]], attached: Mapping[int, Link]) -> None:
        for number, (state, why) in ended.items():
            link = attached.get(number)
            if link is None or not link.idle.is_set():  # first what it is being answered
                continue
            with translation.override(link.language):
                said = closing(number, state, why)
            if link.session == number:
                link.session = None
                if said is not None:
                    link.write(packet(said))
        for waiter in self.waiters.waiting():
            if waiter.session in ended:
                waiter.woken.set()

    async def _check(self, links: Sequence[Link]) -> None:
        """Turn away whose key was revoked since, or whose account was closed."""
        if not links:
            return
        keys = {link.token for link in links}
        people, _stale = await self.threads.read(owners_of_tokens, keys)
        for link in links:
            person = people.get(link.token)
            if person is None or not may_exchange(person):
                turn_away(link, person)
                self.links.pop(link.holder, None)

    async def _renew(self, moment: int) -> None:
        await self.threads.write(beat, name=self.name, moment=moment)
        await self._check(list(self.links.values()))
        leased = [holder for holder, link in self.links.items() if link.is_leased]
        standing = await self.threads.write(renew, holders=leased, moment=moment)
        await self._let_go(set(leased) - standing)

    async def _let_go(self, holders: Collection[uuid.UUID]) -> None:
        """Close connections that have no lease by now: another gateway has the participant, or it
        ran out while nobody could renew it; then the client is told nothing and comes back.
        """
        if not holders:
            return
        people = [link.participant for holder, link in self.links.items() if holder in holders]
        elsewhere = await self.threads.read(with_leases, people)
        for holder in holders:
            link = self.links.pop(holder, None)
            if link is not None and link.participant in elsewhere:
                say_goodbye(link, displaced)
            elif link is not None:
                link.drop()


def turn_away(link: Link, person: User | None) -> None:
    """Tell a client why it may not stay, and close."""
    say_goodbye(link, partial(turned_away, person))


def say_goodbye(link: Link, last: Callable[[], Reply]) -> None:
    """Tell a client the last in its language, and close."""
    with translation.override(link.language):
        says = last().says
    link.leave(*map(packet, says))


def packet(said: Say) -> str:
    return event(*said)
