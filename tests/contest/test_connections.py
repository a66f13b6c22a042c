"""Leased connections, and gateways that were silent."""

from __future__ import annotations

import uuid

import pytest

from contest.core.moments import at
from contest.models import ConnectionLease, Outage
from contest.services.sessions.beating import beat, files_hit
from contest.services.sessions.connecting import LEASE, connect, disconnect, expire_leases, renew
from contest.services.sessions.ending import abort
from contest.services.sessions.settling import settle_due
from tests.contest.world import SECOND, Client, Door, Mode, final_at, marked_set, spoilt, team

pytestmark = pytest.mark.django_db


@pytest.fixture
def client():
    marked_set(200)
    return Client(door=Door.SOCKETIO, count=200, moment=1_800_000_000 * SECOND)


def holder():
    return uuid.uuid4()


def log(client):
    found = client.session.log.order_by("number").values_list("what", "at")
    return [(what, (at - client.row.opened_at).total_seconds()) for what, at in found][1:]


def test_a_broken_connection_is_written_once_and_its_session_is_lost_after_fifteen_minutes(client):
    first, again = holder(), holder()
    args = {"participant": client.person}
    assert connect(**args, holder=first, moment=client.moment(1)) == client.session
    assert disconnect(holder=first, moment=client.moment(10))
    assert not disconnect(holder=first, moment=client.moment(11))
    connect(**args, holder=again, moment=client.moment(500))
    connect(**args, holder=again, moment=client.moment(501))
    disconnect(holder=again, moment=client.moment(600))

    assert log(client) == [("disconnect", 10), ("connect", 500), ("disconnect", 600)]
    settle_due(moment=client.moment(1504))
    assert client.row.state == "open"
    settle_due(moment=client.moment(1506))
    assert (client.row.state, client.row.closed_at) == ("lost", at(client.moment(1500)))
    assert connect(**args, holder=holder(), moment=client.moment(1600)) is None


def test_a_socket_whose_place_was_taken_ends_nothing_and_is_told(client):
    old, new = holder(), holder()
    connect(participant=client.person, holder=old, moment=client.moment(1))
    connect(participant=client.person, holder=new, moment=client.moment(2))

    assert renew(holders=[old, new], moment=client.moment(3)) == {new}
    assert disconnect(holder=old, moment=client.moment(4)) is False
    assert log(client) == []


def test_of_a_gateway_that_was_killed_the_leases_run_out(client):
    killed, alive = holder(), holder()
    rival = Client(door=Door.SOCKETIO, moment=client.start)
    connect(participant=client.person, holder=killed, moment=client.moment(1))
    connect(participant=rival.person, holder=alive, moment=client.moment(1))
    renew(holders=[alive], moment=client.moment(20))

    assert expire_leases(moment=client.moment(1) + LEASE) == 0
    assert expire_leases(moment=client.moment(32)) == 1
    assert (log(client), log(rival)) == ([("disconnect", 32)], [])
    assert list(ConnectionLease.objects.values_list("holder", flat=True)) == [alive]


def test_a_lease_that_cannot_be_ended_holds_up_no_other(client, caplog):
    session, broken = spoilt(door=Door.SOCKETIO), holder()
    connect(participant=client.person, holder=holder(), moment=client.moment(2))
    ConnectionLease.objects.create(
        participant=session.participant, holder=broken, until=at(client.moment(1))
    )

    assert expire_leases(moment=client.moment(40)) == 1

    assert (log(client), session.log.count()) == ([("disconnect", 40)], 0)
    assert f"the lease of connection {broken} cannot be ended" in caplog.text


def test_a_round_of_tick_ends_so_many_leases_and_the_next_the_rest(client, monkeypatch):
    rivals = [Client(door=Door.SOCKETIO, moment=client.start) for _ in range(2)]
    for each in (client, *rivals):
        connect(participant=each.person, holder=holder(), moment=each.moment(1))
    monkeypatch.setattr("contest.services.sessions.connecting.AT_ONCE", 2)

    assert [expire_leases(moment=client.moment(after)) for after in (40, 41, 42)] == [2, 1, 0]


def test_a_full_log_keeps_no_lease_from_running_out_and_no_session_from_its_end(
    client, monkeypatch
):
    rival = Client(door=Door.SOCKETIO, moment=client.start)
    for each in (client, rival):
        connect(participant=each.person, holder=holder(), moment=each.moment(1))
    monkeypatch.setattr("contest.services.sessions.holding.MOST_EVENTS", 0)
    monkeypatch.setattr("contest.services.sessions.holding.EVENTS_OF_A_FILE", 0)

    assert expire_leases(moment=client.moment(40)) == 2
    back = connect(participant=client.person, holder=holder(), moment=client.moment(41))
    abort(session_id=client.session.pk, moment=client.moment(42))

    assert back == client.session
    assert log(client) == [("disconnect", 40), ("abort", 42)]
    assert log(rival) == [("disconnect", 40)]


@pytest.mark.parametrize("change", ["connect", "disconnect"])
def test_a_connection_that_changes_after_the_end_leaves_its_settling_to_tick(change):
    client, own = finished_soon(), holder()
    if change == "disconnect":
        connect(participant=client.person, holder=own, moment=client.moment(1))
    (slot,) = client.session.files.all()

    if change == "connect":
        assert (
            connect(participant=client.person, holder=own, moment=client.moment(60.5))
            == client.session
        )
    else:
        assert disconnect(holder=own, moment=client.moment(60.5))
    receipt = client.send(slot, 59.9)  # it waited while the other one was written

    assert receipt.accepted
    settle_due(moment=client.moment(65))
    assert (client.row.state, client.row.counted, client.row.closed_at) == (
        "finished",
        1,
        at(client.moment(60)),
    )
    assert log(client) == [("send", 59.9)]


def finished_soon():
    """A client of the original in a final of one file, whose last moment ends the session."""
    person, start = team(), 1_800_000_000 * SECOND
    final_at(start, person, essays=1)
    return Client(person, door=Door.SOCKETIO, mode=Mode.FINAL, moment=start)


def test_a_rest_session_knows_no_connections():
    marked_set(2)
    client = Client()
    own = holder()

    assert connect(participant=client.person, holder=own, moment=client.moment(1)) == client.session
    disconnect(holder=own, moment=client.moment(2))

    assert log(client) == []


def test_a_connection_without_a_session_belongs_to_the_one_opened_over_it():
    marked_set(2)
    person, own = team(), holder()
    assert connect(participant=person, holder=own, moment=1_800_000_000 * SECOND) is None
    client = Client(person, door=Door.SOCKETIO, moment=1_800_000_001 * SECOND)

    disconnect(holder=own, moment=client.moment(5))

    assert log(client) == [("disconnect", 5)]
    abort(session_id=client.session.pk, moment=client.moment(6))
    assert client.row.state == "aborted"


def test_silence_of_all_gateways_is_an_outage_if_sessions_met_it(client):
    def told(name, after):
        return beat(name=name, moment=client.moment(after))

    assert [told("a", 1), told("b", 3), told("a", 6), told("b", 7)] == [None] * 4
    outage = told("a", 25)

    assert (outage.ended_at - outage.began_at).total_seconds() == 18
    assert files_hit(outage) == 3
    assert told("b", 26) is None
    abort(session_id=client.session.pk, moment=client.moment(27))
    assert told("a", 90) is not None
    assert told("a", 200) is None
    assert Outage.objects.count() == 2
