"""Answers that bear no key: the same content is taken once, and what was refused is judged anew."""

from __future__ import annotations

import pytest

from contest.core.session_rules import Ineffective
from contest.pages.logs import log_of
from contest.services.sessions.sending import digest_key
from tests.contest.world import SECOND, Client, Mode, answer, final_at, marked_set, team

pytestmark = pytest.mark.django_db


def sent(client, slot, after, data=None, key=None):
    data = answer(slot.essay) if data is None else data
    return client.send(slot, after, data, key=key or digest_key(slot.name, data))


def words(*receipts):
    return [(each.reason, each.repeated) for each in receipts]


def test_an_answer_that_came_before_its_file_is_taken_once_the_file_is_open():
    start, person = 1_800_000_000 * SECOND, team()
    final_at(start, person)
    client = Client(person, mode=Mode.FINAL, moment=start - SECOND)
    slot = client.session.files.get(position=1)

    found = [sent(client, slot, after) for after in (0.2, 0.4, 2, 3)]

    assert words(*found) == [
        (Ineffective.NOT_OPEN, False),
        (Ineffective.NOT_OPEN, False),
        (None, False),
        (None, True),
    ]
    reasons = client.session.log.filter(what="send").order_by("number")
    assert list(reasons.values_list("reason", flat=True)) == ["not-open", "not-open", ""]
    keys = [each.get("key") for each in log_of(client.row, client.moment(4))["events"]]
    assert keys == [None, None, None, digest_key(slot.name, answer(slot.essay))]


def test_a_key_of_ones_own_repeats_also_what_was_refused():
    marked_set(1)
    client = Client()
    slot = client.next(0).slot
    digest = str(digest_key(slot.name, b"?"))

    found = [
        sent(client, slot, 1, b"?"),
        sent(client, slot, 2, b"?", key=digest),
        sent(client, slot, 3, b"?", key=digest),
        sent(client, slot, 4, b"?"),
    ]

    broken = Ineffective.BROKEN
    assert words(*found) == [(broken, False), (broken, False), (broken, True), (broken, True)]
