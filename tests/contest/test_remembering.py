"""What a process was told of a session lately is no other truth than the rows."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from contest.queries.logs import timeline_of
from contest.services.sessions.remembering import recall, remember
from contest.services.sessions.sending import digest_key
from tests.contest.world import Client, answer, marked_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(django_capture_on_commit_callbacks):
    """A program; ``committed(call, ...)`` does something in a transaction that comes to its end."""
    marked_set(3)
    client = Client()

    def committed(call, *args, **kwargs):
        with django_capture_on_commit_callbacks(execute=True):
            return call(*args, **kwargs)

    client.committed = committed
    return client


def statements(call, *args):
    with CaptureQueriesContext(connection) as asked:
        call(*args)
    return len(asked)


def told_anew(client):
    """Whether what is recalled of the session is what its rows tell."""
    timeline, reasons = recall(client.row)
    fresh, expected = timeline_of(client.row)
    last = client.moment(60)
    return (timeline.judgement(last), reasons) == (fresh.judgement(last), expected)


def test_a_log_is_not_read_again_for_each_of_its_events(client):
    slot = client.next(0).slot
    first = statements(client.committed, client.send, slot, 1)
    second = statements(client.committed, client.send, slot, 2)
    tenth = [statements(client.committed, client.send, slot, after) for after in range(3, 10)][-1]

    assert second == tenth < first
    assert told_anew(client)


def test_sends_without_a_key_of_their_own_cost_the_same_however_long_the_log_is(client):
    slot = client.next(0).slot
    bodies = [answer(slot.essay, spans=((0, end),)) for end in range(1, 8)]

    def sent(after):
        data = bodies[after - 1]
        return statements(
            client.committed, client.send, slot, after, data, digest_key(slot.name, data)
        )

    costs = [sent(after) for after in range(1, 7)]

    assert costs[1:] == [costs[1]] * 5
    assert costs[1] < costs[0]
    assert told_anew(client)
    assert client.send(slot, 7, bodies[0], digest_key(slot.name, bodies[0])).repeated
    assert client.row.events == 8


def test_what_another_process_wrote_meanwhile_is_read(client):
    slot = client.next(0).slot
    earlier, known = client.row, timeline_of(client.row)
    client.send(slot, 1, key="a")
    client.send(slot, 2, key="b")
    remember(earlier, *known)

    receipt = client.committed(client.send, slot, 3)

    assert receipt.sends_left == 7
    assert told_anew(client)


def test_what_was_taken_back_is_forgotten(client):
    slot = client.committed(client.next, 0).slot
    client.committed(client.send, slot, 1)

    def fail():
        with transaction.atomic():
            client.send(slot, 2)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    assert client.send(slot, 3).sends_left == 8
    assert told_anew(client)


def test_what_fell_due_under_a_later_question_does_not_outrun_an_answer_on_its_way(client):
    slot = client.committed(client.next, 0).slot
    timeline, reasons = timeline_of(client.row)
    timeline.judgement(client.moment(25))
    remember(client.row, timeline, reasons)

    assert client.send(slot, 9).accepted
    assert client.next(9.5).slot.position == 2
    assert told_anew(client)
