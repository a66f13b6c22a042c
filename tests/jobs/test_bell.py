from __future__ import annotations

import pytest

from jobs.models import Bell, Worker
from jobs.services.bell import FEWEST, count_anew, hear, may_ring, not_rung
from jobs.services.work import order
from jobs.tasks import messages_waiting, ring, ring_again

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def silence():
    """No messages of other tests."""
    from celery import current_app  # noqa: PLC0415 - the app comes with the settings

    with current_app.connection_for_write() as connection:
        connection.default_channel.queue_declare("celery")
        connection.default_channel.queue_purge("celery")


def rung():
    return Bell.objects.get().rung


def test_a_thousand_orders_send_a_few_messages(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        for number in range(1000):
            order(kind="tests.noop", key=f"noop:{number}", args={})

    assert (messages_waiting(), rung()) == (FEWEST, FEWEST)


def test_a_message_that_was_heard_makes_room_for_another():
    for _ in range(FEWEST):
        ring()

    turns = [hear(), hear()]
    for _ in range(5):
        ring()

    assert (turns, messages_waiting(), rung()) == ([1, 2], FEWEST + 2, FEWEST)


def test_many_hands_may_have_more_messages():
    Worker.objects.create(name="one", hands=3)
    Worker.objects.create(name="two", hands=5)

    for _ in range(100):
        ring()

    assert messages_waiting() == 2 * (3 + 5)


def test_a_message_that_could_not_be_sent_is_not_counted():
    assert may_ring()
    not_rung()
    not_rung()

    assert rung() == 0


def test_lost_messages_are_counted_anew_and_sent_again():
    count_anew(rung=FEWEST)  # so it was written down; the broker lost them all
    Worker.objects.create(name="one", hands=2)

    ring_again()
    ring_again()

    assert (messages_waiting(), rung()) == (2, 2)
