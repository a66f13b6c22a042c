"""Connections that say nothing: what reaches them, who may stay, and what is written of it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import asynccontextmanager

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from accounts.models import ApiToken, User
from accounts.services.tokens import issue_token, revoke_token
from contest.core.moments import at
from contest.core.packets import LEFT
from contest.gateway.hall import news
from contest.gateway.links import Link
from contest.gateway.visits import Visit
from contest.models import ConnectionLease, Delivery
from contest.services.sessions.asking import note_deliveries
from contest.services.sessions.clock import moment_now
from tests.contest.world import Client, Door, marked_set, played

pytestmark = pytest.mark.django_db


class Silent:
    """A client that joins and says nothing more; its files open one after the other at once."""

    def __init__(self, interval=0.5):
        rules = {"interval": interval, "limit": 60}
        self.client = Client(door=Door.SOCKETIO, rules=rules)
        self.token = issue_token(user=self.client.person, name="program")
        self.written = []

    @asynccontextmanager
    async def connected(self, hall):
        said = self.said = asyncio.Queue()
        said.put_nowait({"type": "websocket.receive", "text": "40/pku,"})
        visit = Visit(hall, Link(self.take, "en", token=self.token))
        stay = asyncio.ensure_future(visit.last(said.get))
        await self.until(lambda: visit.link.session is not None)
        yield visit.link
        said.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(stay, 10)

    async def take(self, message):
        self.written.append(message.get("text", message["type"]))

    async def until(self, condition):
        async with asyncio.timeout(10):
            while not condition():
                await asyncio.sleep(0)

    async def look_until(self, hall, condition):
        async with asyncio.timeout(10):
            while not condition():
                await hall.look()

    def events(self):
        """The names of the events it was told, and other packets as they are."""
        read = [text.removeprefix("42/pku,") for text in self.written]
        return [json.loads(text)[0] if text.startswith("[") else text for text in read]

    @property
    def log(self):
        return list(self.client.session.log.order_by("number").values_list("what", flat=True))


@pytest.fixture
def essays():
    marked_set(10)


def revoke(person):
    revoke_token(token=ApiToken.objects.get(user=person), actor=None)


def close(person):
    User.objects.filter(pk=person.pk).update(is_active=False)


def make_judge(person):
    User.objects.filter(pk=person.pk).update(role="judge")


@pytest.mark.parametrize("end", [revoke, close, make_judge])
@pytest.mark.parametrize("interval", [0.5, 3600], ids=["as a file opens", "as leases are renewed"])
@pytest.mark.usefixtures("essays")
def test_whose_key_is_none_any_more_gets_nothing_and_is_turned_away(monkeypatch, end, interval):
    monkeypatch.setattr("contest.gateway.hall.RENEWAL", 0 if interval > 60 else 10**12)
    silent = Silent(interval)

    async def story(hall):
        await hall.look()
        async with silent.connected(hall) as link:
            await silent.until(link.outbox.empty)
            silent.written.clear()
            await hall.threads.write(end, silent.client.person)
            await silent.look_until(hall, lambda: link.is_gone)
            await silent.until(lambda: "websocket.close" in silent.written)

    played(story)

    assert silent.events() == ["connection-auth-error", LEFT, "websocket.close"]
    assert silent.log == ["open", "disconnect"]
    assert not ConnectionLease.objects.exists()


@pytest.mark.usefixtures("essays")
def test_who_is_displaced_writes_nothing_even_before_the_newer_one_has_the_lease():
    silent = Silent()

    async def story(hall):
        async with silent.connected(hall) as former:
            hall.enter(Link(silent.take, "en", participant=former.participant))
            await silent.until(lambda: "websocket.close" in silent.written)
        return await hall.threads.read(lambda: ConnectionLease.objects.get().holder), former.holder

    holder, former = played(story)

    assert holder == former  # it is the newer one that takes it over
    assert silent.log == ["open"]


@pytest.mark.usefixtures("essays")
def test_a_client_that_says_nothing_for_long_is_gone_and_its_connection_broke(monkeypatch):
    monkeypatch.setattr("contest.gateway.visits.UNHEARD", 0.2)
    silent = Silent(3600)

    async def story(hall):
        async with silent.connected(hall):
            await silent.until(lambda: "websocket.close" in silent.written)

    played(story)

    assert silent.log == ["open", "disconnect"]
    assert not ConnectionLease.objects.exists()


@pytest.mark.usefixtures("essays")
def test_a_client_that_pings_only_is_answered_and_stays(monkeypatch):
    monkeypatch.setattr("contest.gateway.visits.UNHEARD", 1.0)
    silent = Silent(3600)

    async def story(hall):
        async with silent.connected(hall) as link:
            for _ in range(20):
                silent.said.put_nowait({"type": "websocket.receive", "text": "2probe"})
                await asyncio.sleep(0.1)
            await silent.until(lambda: silent.written.count("3probe") == 20)
            return link.is_gone

    assert played(story) is False


class Lost:
    """A database that does not take hand-outs for a while."""

    is_down, refused = True, 0

    def __call__(self, execute, sql, *rest):
        if self.is_down and sql.startswith('INSERT INTO "contest_delivery"'):
            self.refused += 1
            raise OperationalError("the database has gone away")
        return execute(sql, *rest)


@pytest.mark.usefixtures("essays")
def test_what_was_pushed_is_written_down_once_also_if_it_could_not_be_at_first():
    silent, database = Silent(), Lost()

    async def story(hall):
        async with silent.connected(hall):
            await silent.look_until(hall, lambda: database.refused and hall.pushed)
            database.is_down = False
            once = tuple(hall.pushed)
            await hall.look()
            await hall.threads.write(note_deliveries, pushed=once)
            await silent.until(lambda: len(silent.written) >= 3 + len(once))
        return once

    with connection.execute_wrapper(database):
        once = played(story)

    assert once
    for slot, moment in once:
        assert Delivery.objects.get(slot=slot).at == at(moment)
    assert Delivery.objects.count() == Counter(silent.events())["session-file-available"]


def test_what_opened_is_found_by_its_moment_and_not_among_all_files():
    moment = moment_now()

    with CaptureQueriesContext(connection) as asked:
        news(dict.fromkeys(range(1, 101), moment), moment)
    (fresh,) = [each["sql"] for each in asked if 'JOIN "annotator_essay"' in each["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {fresh}")
        plan = " ".join(str(row) for row in cursor.fetchall())

    assert "files_by_opening (opens_at>? AND opens_at<?)" in plan
