"""What meets at one moment on PostgreSQL: locks, answers, ends."""

from __future__ import annotations

import threading
import time
import uuid

import pytest
from django.db import connection, transaction

from contest.models import ExchangeSession, Outage, SessionFile
from contest.services.sessions.asking import next_file
from contest.services.sessions.beating import beat
from contest.services.sessions.clock import moment_now
from contest.services.sessions.connecting import connect, expire_leases
from contest.services.sessions.finals import cancel_final
from contest.services.sessions.opening import open_session
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.sending import digest_key, send
from contest.services.sessions.sending_together import Sending, send_together
from contest.services.sessions.settling import settle_due
from tests.contest.world import (
    Client,
    Door,
    Holder,
    Mode,
    answer,
    final_at,
    marked_set,
    team,
    wish,
)
from tests.e2e.database import connected, together
from tests.services import copy_of

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def server(postgres_tables, django_db_blocker):
    """A PostgreSQL with our tables: there a row is really held."""
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        marked_set(4)
        yield


@pytest.mark.usefixtures("server")
def test_a_lock_held_across_the_last_moment_annuls_nobody():
    client = Client(rules={"limit": 1, "interval": 1})
    slot = client.next(0).slot
    other = Client(rules={"limit": 1})
    with Holder(client.session) as holder:
        moment = client.moment(0.9)  # the message is complete, before its last moment
        settle_due()
        assert other.send(other.next(0).slot, 0.5).reason is None  # nobody else waits
        holder.let_go_in(3)
        receipt = send(
            session=client.session, file=slot.name, data=answer(slot.essay), key="a", moment=moment
        )
        assert holder.goes.is_set()

    assert receipt.reason is None
    settle_due(moment=client.moment(60))
    assert client.verdicts()[0] == "counted"


@pytest.mark.usefixtures("server")
def test_of_sends_at_one_moment_each_has_its_number_and_a_key_counts_once():
    client = Client()
    slot = client.next(0).slot
    body = answer(slot.essay)

    def one(key):
        return lambda: send(
            session=client.session, file=slot.name, data=body, key=key, moment=moment_now()
        )

    found = together(*(one(key) for key in ("a", "a", "a", "b", None, None)))

    assert sorted(each.repeated for each in found) == [False] * 4 + [True] * 2
    assert {each.reason for each in found} == {None}
    numbers = list(client.session.log.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(6))
    assert client.session.files.get(pk=slot.pk).sends == 4


@pytest.mark.usefixtures("server")
def test_of_fifty_answers_at_one_moment_each_is_taken_once():
    clients = [Client() for _ in range(25)]
    slots = [client.next(0).slot for client in clients]

    def one(client, slot):
        body = answer(slot.essay)
        return lambda: send(
            session=client.session,
            file=slot.name,
            data=body,
            key=digest_key(slot.name, body),
            moment=moment_now(),
        )

    twice = 2 * list(zip(clients, slots, strict=True))
    found = together(*(one(client, slot) for client, slot in twice))

    assert [each.accepted for each in found] == [True] * 50
    assert sum(each.repeated for each in found) == 25
    assert [client.session.log.filter(what="send").count() for client in clients] == [1] * 25
    assert [SessionFile.objects.get(pk=slot.pk).sends for slot in slots] == [1] * 25


@pytest.mark.usefixtures("server")
def test_of_those_that_wait_together_one_that_is_held_keeps_nobody():
    clients = [Client(door=Door.SOCKETIO) for _ in range(3)]
    slots = [each.session.files.select_related("essay").earliest("position") for each in clients]
    with Holder(clients[1].session):
        found = send_together(
            [
                Sending(client.session, slot.name, answer(slot.essay), client.moment(1))
                for client, slot in zip(clients, slots, strict=True)
            ]
        )

    assert [each and each.accepted for each in found] == [True, None, True]
    assert [client.session.log.filter(what="send").count() for client in clients] == [1, 0, 1]
    assert clients[1].send(slots[1], 1).accepted


@pytest.mark.usefixtures("server")
def test_a_lease_whose_session_is_held_waits_for_the_next_round_and_the_others_do_not():
    clients = [Client(door=Door.SOCKETIO) for _ in range(2)]
    for each in clients:
        connect(participant=each.person, holder=uuid.uuid4(), moment=each.start)
    later = clients[1].moment(40)
    with Holder(clients[0].session):
        first = expire_leases(moment=later)

    assert (first, expire_leases(moment=later)) == (1, 1)


@pytest.mark.usefixtures("server")
def test_two_gateways_that_come_back_at_one_moment_end_one_outage():
    client = Client(moment=moment_now())
    for name in ("a", "b"):
        beat(name=name, moment=client.moment(0))
    has_written, may_commit = threading.Event(), threading.Event()
    found = []

    def come_back():
        with transaction.atomic():
            found.append(beat(name="a", moment=client.moment(4000)))
            has_written.set()
            may_commit.wait(60)
        connection.close()

    def follow():
        found.append(beat(name="b", moment=client.moment(4000)))
        connection.close()

    first, second = threading.Thread(target=come_back), threading.Thread(target=follow)
    first.start()
    has_written.wait(60)
    second.start()
    second.join(0.5)  # it waits for the first, or is over
    may_commit.set()
    for thread in (first, second):
        thread.join(60)

    assert [outage is not None for outage in found] == [True, False]
    assert Outage.objects.count() == 1


@pytest.mark.usefixtures("server")
def test_of_openings_at_one_moment_one_opens():
    person = team()

    def opening():
        return open_session(participant=person, wish=wish(), door="rest", moment=moment_now())

    found = together(*[opening] * 5)

    refused = [each.code for each in found if isinstance(each, SessionRefused)]
    assert refused == ["already-open"] * 4
    assert ExchangeSession.objects.filter(participant=person).count() == 1


@pytest.mark.usefixtures("server")
def test_of_openings_beside_the_tick_one_opens_after_a_session_that_is_over():
    person, start = team(), moment_now() - 200_000_000
    final_at(start, person)
    over = Client(person, mode=Mode.FINAL, moment=start)

    def opening():
        return open_session(participant=person, wish=wish(), door="rest", moment=moment_now())

    found = together(*[opening] * 4, settle_due)

    codes = [each.code for each in found if isinstance(each, SessionRefused)]
    assert codes == ["already-open"] * 3
    assert (over.row.state, over.verdicts()) == ("finished", ["missing"] * 3)
    assert ExchangeSession.objects.filter(participant=person, closed_at=None).count() == 1


@pytest.mark.usefixtures("server")
def test_of_a_final_that_is_cancelled_meanwhile_no_session_opens():
    person = team()
    final = final_at(moment_now(), person)
    has_cancelled, may_commit = threading.Event(), threading.Event()

    def cancel():
        with transaction.atomic():
            cancel_final(final=final, reason="a power cut", actor=None, moment=moment_now())
            has_cancelled.set()
            may_commit.wait(60)
        connection.close()

    def let_it():
        time.sleep(0.5)
        may_commit.set()

    threads = [threading.Thread(target=each) for each in (cancel, let_it)]
    threads[0].start()
    assert has_cancelled.wait(60)
    threads[1].start()
    with pytest.raises(SessionRefused) as refused:
        Client(person, mode=Mode.FINAL)
    for thread in threads:
        thread.join(60)

    assert refused.value.code == "no-final"
    assert not ExchangeSession.objects.filter(participant=person).exists()


@pytest.mark.usefixtures("server")
def test_of_askings_at_one_moment_one_opens_a_file_and_all_get_it():
    client = Client()

    found = together(*[lambda: next_file(session_id=client.session.pk, moment=moment_now())] * 4)

    assert {each.slot.position for each in found} == {1}
    assert client.session.log.filter(what="ask").count() == 1
