"""The threads of the gateway: what they wait for, and what they keep while they rest."""

from __future__ import annotations

import asyncio
import contextlib
import threading

import pytest
from django.db import OperationalError, connection, transaction

from contest.gateway import crews, threads
from contest.gateway.crews import Crew
from contest.gateway.threads import Threads
from contest.services.sessions.clock import moment_now
from contest.services.sessions.holding import hold
from contest.services.sessions.opening import open_session
from tests.contest.world import Client, Door, Holder, answer, marked_set, team, wish
from tests.e2e.database import connected
from tests.patience import PATIENCE
from tests.services import copy_of


@pytest.fixture(scope="module")
def server(postgres_tables, django_db_blocker):
    """A PostgreSQL with our tables: there a row is really held."""
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        marked_set(4)
        yield


@pytest.fixture
def file(tmp_path, django_db_blocker):
    """A database of SQLite that is a file, as those of platforms are."""
    with django_db_blocker.unblock(), connected(f"sqlite:///{tmp_path}/rested.sqlite3"):
        yield


def held_here(work):
    """What ``work(threads)`` comes to, and the threads are closed."""

    async def story():
        ours = Threads()
        try:
            async with asyncio.timeout(PATIENCE):
                return await work(ours)
        finally:
            await asyncio.to_thread(ours.close)

    return asyncio.run(story())


def is_connected():
    return connection.connection is not None


async def rests(ours):
    await ours.read(moment_now)
    await ours.write(moment_now)
    at_work = [await ours.write(is_connected), await ours.moment() > 0]
    await asyncio.sleep(4 * crews.RESTED)
    return at_work, await ours.write(is_connected), await ours.read(is_connected)


@pytest.mark.usefixtures("file")
def test_a_thread_that_rests_keeps_no_connection(monkeypatch):
    monkeypatch.setattr(crews, "RESTED", 0.1)

    assert held_here(rests) == ([True, True], False, False)


def number_at_the_server():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def are_there(numbers):
    """How many of these connections the server has still; asked by one that is closed again."""
    with contextlib.closing(connection), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)", [numbers])
        return cursor.fetchone()[0]


@pytest.mark.full
@pytest.mark.usefixtures("server")
def test_at_rest_the_server_has_no_connection_of_the_gateway():
    async def work(ours):
        numbers = [await ask(number_at_the_server) for ask in (ours.write, ours.read)]
        at_work = await asyncio.to_thread(are_there, numbers)
        while await asyncio.to_thread(are_there, numbers):
            await asyncio.sleep(0.05)
        return at_work

    assert held_here(work) == 2


@pytest.mark.full
@pytest.mark.usefixtures("server")
def test_of_all_that_is_written_nothing_waits_for_a_row_that_somebody_holds():
    waits, calm = (Client(door=Door.SOCKETIO, rules={"limit": 60}) for _ in range(2))
    slots = [
        each.session.files.select_related("essay").earliest("position") for each in (waits, calm)
    ]
    newcomer = team()
    moment = moment_now()

    async def work(ours, holder):
        late = asyncio.ensure_future(
            ours.write(waits.send, slots[0], 1, data=answer(slots[0].essay))
        )
        await asyncio.sleep(0)
        others = [
            await ours.write(calm.send, slots[1], 1),
            await ours.write(
                open_session, participant=newcomer, wish=wish(), door=Door.SOCKETIO, moment=moment
            ),
        ]
        is_waiting = not late.done()
        holder.goes.set()
        return others[0].reason, is_waiting, (await late).reason

    with Holder(waits.session) as holder:
        found = held_here(lambda ours: work(ours, holder))

    assert found == (None, True, None)


@pytest.mark.full
@pytest.mark.usefixtures("server")
def test_what_is_held_for_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(threads, "HELD", 0.5)
    client = Client(door=Door.SOCKETIO)

    async def work(ours):
        with pytest.raises(OperationalError, match="lock timeout"):
            await ours.write(transaction.atomic(hold), client.session.pk)
        return await ours.write(is_connected)

    with Holder(client.session):
        assert held_here(work) is True


def test_an_error_that_is_no_lock_is_not_tried_again():
    calls = []

    def fail():
        calls.append(1)
        raise OperationalError("the database has gone away")

    async def work(ours):
        with pytest.raises(OperationalError, match="gone away"):
            await ours.write(fail)

    held_here(work)
    assert calls == [1]


def test_at_the_end_what_waits_is_done_or_dropped_and_nothing_more_is_taken():
    async def ended(*, drops):
        crew, free, done = Crew("ended"), threading.Event(), []
        first = asyncio.ensure_future(crew.do(free.wait))
        later = asyncio.ensure_future(crew.do(lambda: done.append("later")))
        await asyncio.sleep(0.05)
        closing = asyncio.ensure_future(asyncio.to_thread(crew.close, drops=drops))
        await asyncio.sleep(0.05)
        free.set()
        await asyncio.gather(closing, first)
        await asyncio.wait([later])
        with pytest.raises(RuntimeError):
            await crew.do(is_connected)
        return done, later.cancelled()

    assert asyncio.run(ended(drops=False)) == (["later"], False)
    assert asyncio.run(ended(drops=True)) == ([], True)
