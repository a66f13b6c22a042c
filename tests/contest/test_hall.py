"""Connections that say nothing: what reaches them, who may stay, and what is written of it."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
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
from contest.models import ConnectionLease, Delivery, SessionEvent
from contest.services.sessions.asking import note_deliveries
from contest.services.sessions.clock import moment_now
from contest.services.sessions.connecting import connect, expire_leases
from contest.services.sessions.ending import stop
from tests.contest.world import Client, Door, marked_set, played
from tests.factories import PersonFactory
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db


class Silent:
    """A client that joins and says nothing more; its files open one after the other at once."""

    def __init__(self, interval=0.5, limit=60, moment=None):
        rules = {"interval": interval, "limit": limit}
        self.client = Client(door=Door.SOCKETIO, moment=moment, rules=rules)
        self.token = issue_token(user=self.client.person, name="program")
        self.written = []

    @asynccontextmanager
    async def connected(self, hall):
        said = self.said = asyncio.Queue()
        self.say("40/pku,")
        visit = Visit(hall, Link(self.take, "en", token=self.token))
        stay = asyncio.ensure_future(visit.last(said.get))
        await self.until(lambda: visit.link.session is not None)
        yield visit.link
        said.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(stay, PATIENCE)

    def say(self, text):
        self.said.put_nowait({"type": "websocket.receive", "text": text})

    async def take(self, message):
        self.written.append(message.get("text", message["type"]))

    async def until(self, condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0)

    async def look_until(self, hall, condition):
        async with asyncio.timeout(PATIENCE):
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
    silent = Silent(3600)

    async def story(hall):
        async with silent.connected(hall) as former:
            await silent.until(former.outbox.empty)
            silent.written.clear()
            await hall.enter(Link(silent.take, "en", participant=former.participant))
            await silent.until(lambda: "websocket.close" in silent.written)
        return await hall.threads.read(lambda: ConnectionLease.objects.get().holder), former.holder

    holder, former = played(story)

    assert holder == former  # it is the newer one that takes it over
    assert silent.log == ["open"]
    assert silent.events() == ["connection-auth-error", LEFT, "websocket.close"]
    assert "only the newest connection stays" in silent.written[0]


@pytest.mark.usefixtures("essays")
def test_whose_place_another_gateway_has_given_away_is_told_so(monkeypatch):
    monkeypatch.setattr("contest.gateway.hall.RENEWAL", 0)
    silent = Silent(3600)

    def come_to_another():
        connect(participant=silent.client.person, holder=uuid.uuid4(), moment=moment_now())

    async def story(hall):
        await hall.look()
        async with silent.connected(hall) as former:
            await silent.until(former.outbox.empty)
            silent.written.clear()
            await hall.threads.write(come_to_another)
            await silent.look_until(hall, lambda: former.is_gone)
            await silent.until(lambda: "websocket.close" in silent.written)

    played(story)

    assert silent.log == ["open"]
    assert silent.events() == ["connection-auth-error", LEFT, "websocket.close"]
    assert "only the newest connection stays" in silent.written[0]


@pytest.mark.usefixtures("essays")
def test_whose_lease_ran_out_while_nobody_could_renew_it_is_told_nothing_and_comes_back(
    monkeypatch,
):
    monkeypatch.setattr("contest.gateway.hall.RENEWAL", 0)
    silent = Silent(3600)

    def run_out():
        ConnectionLease.objects.update(until=at(0))
        expire_leases()

    async def story(hall):
        await hall.look()
        async with silent.connected(hall) as link:
            await silent.until(link.outbox.empty)
            silent.written.clear()
            await hall.threads.write(run_out)
            await silent.look_until(hall, lambda: link.is_gone)
            await silent.until(lambda: "websocket.close" in silent.written)
        silent.written.clear()
        async with silent.connected(hall):
            return await hall.threads.read(lambda: silent.log)

    assert played(story) == ["open", "disconnect", "connect"]


@pytest.mark.usefixtures("essays")
def test_such_a_connection_is_closed_without_a_word_of_another_program(monkeypatch):
    monkeypatch.setattr("contest.gateway.hall.RENEWAL", 0)
    silent = Silent(3600)

    async def story(hall):
        await hall.look()
        async with silent.connected(hall) as link:
            await silent.until(link.outbox.empty)
            silent.written.clear()
            await hall.threads.write(ConnectionLease.objects.all().delete)
            await silent.look_until(hall, lambda: link.is_gone)
            await silent.until(lambda: "websocket.close" in silent.written)

    played(story)

    assert silent.events() == ["websocket.close"]


@pytest.mark.usefixtures("essays")
def test_a_file_that_was_to_open_after_the_end_of_its_session_is_handed_to_nobody():
    client = Client(door=Door.SOCKETIO, rules={"interval": 10, "limit": 60})
    number = client.session.pk
    stop(session_id=number, reason="A flood", actor=None, moment=client.moment(5))

    found = news({number: client.moment(-1)}, client.moment(11))

    assert [slot.position for slot in found.opened] == [1]
    assert found.ended == {number: ("stopped", "A flood")}


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
                silent.say("2probe")
                await asyncio.sleep(0.1)
            await silent.until(lambda: silent.written.count("3probe") == 20)
            return link.is_gone

    assert played(story) is False


@pytest.mark.usefixtures("essays")
def test_what_is_said_while_something_else_is_answered_counts_from_when_it_was_said():
    silent, said = Silent(3600), []

    async def story(hall):
        async with silent.connected(hall):
            await asyncio.sleep(0.5)
            name = await hall.threads.read(lambda: silent.client.session.files.earliest("pk").name)
            busy = asyncio.ensure_future(hall.threads.write(time.sleep, 1))
            for content in ("one", "another"):
                data = {
                    "sessionId": silent.client.session.pk,
                    "fileId": name,
                    "content": content,
                }
                packet = f"42/pku,{json.dumps(['session-file-send', data])}"
                silent.say(packet)
                said.append(time.time())
                await asyncio.sleep(0.2)
            await busy
            await silent.until(lambda: silent.events()[-2:].count("session-file-send-error") == 2)

    played(story)

    sends = SessionEvent.objects.filter(what="send").order_by("number")
    waited = [event.at.timestamp() - at for event, at in zip(sends, said, strict=True)]
    assert [abs(each) < 0.1 for each in waited] == [True, True]


@pytest.mark.usefixtures("essays")
def test_an_answer_that_waits_is_written_before_a_newer_connection_is():
    silent = Silent(3600)

    async def story(hall):
        async with silent.connected(hall) as former:
            name = await hall.threads.read(lambda: silent.client.session.files.earliest("pk").name)
            busy = asyncio.ensure_future(hall.threads.write(time.sleep, 0.3))
            data = {"sessionId": silent.client.session.pk, "fileId": name, "content": "one"}
            packet = f"42/pku,{json.dumps(['session-file-send', data])}"
            silent.say(packet)
            await silent.until(lambda: not former.idle.is_set())
            newer = Link(silent.take, "en", participant=former.participant)
            await hall.enter(newer)
            written = await hall.threads.read(lambda: silent.log)
            await busy
        return written

    assert played(story) == ["open", "send"]


@pytest.mark.usefixtures("essays")
def test_the_end_of_a_session_is_told_after_what_its_client_is_being_answered():
    silent = Silent(3600)
    person = PersonFactory(role="organiser")

    async def story(hall):
        async with silent.connected(hall) as link:
            await silent.until(link.outbox.empty)
            silent.written.clear()
            link.idle.clear()
            moment = await hall.threads.moment()
            await hall.threads.write(
                stop,
                session_id=silent.client.session.pk,
                reason="A flood",
                actor=person,
                moment=moment,
            )
            await hall.look()
            link.write("the answer")
            link.idle.set()
            await silent.look_until(hall, lambda: link.session is None)
            await silent.until(link.outbox.empty)

    played(story)

    assert silent.events()[:2] == ["the answer", "session-abort"]


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
