"""Answers that wait at the same time are taken in one transaction, as they would be alone."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest.gateway.replies import Sent, take_together
from contest.gateway.sends import alone
from contest.models import ExchangeSession, SessionEvent, SessionFile
from contest.services.sessions.asking import essay_json
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.sending import send
from contest.services.sessions.sending_together import Sending, send_together
from tests.contest.world import Client, Door, Mode, answer, marked_set, played, spoilt

pytestmark = pytest.mark.django_db

START = 1_800_000_000_000_000


def opened():
    """A program with a first file; the next opens after ten seconds. All have the same files."""
    rules = {"limit": 10}
    client = Client(mode=Mode.TECHNICAL, door=Door.SOCKETIO, moment=START, rules=rules)
    return client, client.session.files.select_related("essay").earliest("position")


def sending(client, slot, after, data=None, file=None):
    data = answer(slot.essay) if data is None else data
    return Sending(client.session, file or slot.name, data, client.moment(after))


WAYS = {
    "accepted": (1, 2, None),
    "late": (1, 11, None),
    "broken": (1, 2, b'{"text": '),
    "foreign": (1, 2, b'{"text": "Another essay.", "selections": []}'),
    "not a file": (None, 2, None),
    "not open": (2, 2, None),
    "the last": (2, 15, None),
    "ended": (2, 4000, None),
}
"""(The file's place, seconds after the opening, what is sent in place of a markup.)"""


def kept(client):
    """All that is written of a session, but for numbers of rows."""
    odd = {"id", "session_id", "slot_id", "participant_id", "seed", "created_at", "answer_id"}

    def values(rows):
        return [{name: each[name] for name in each if name not in odd} for each in rows]

    files = client.session.files.order_by("position")
    return (
        values(ExchangeSession.objects.filter(pk=client.session.pk).values()),
        values(SessionEvent.objects.filter(session=client.session).order_by("number").values()),
        [values(SessionFile.objects.filter(pk=each.pk).values()) for each in files.only("pk")],
        list(files.values_list("answer__number", flat=True)),
    )


def test_each_is_taken_as_it_would_be_alone():
    marked_set(2)
    worlds = [{name: opened() for name in WAYS} for _ in range(2)]

    def sent(world):
        world["the last"][0].send(world["the last"][1], 1)
        for (client, _first), (place, after, data) in zip(
            world.values(), WAYS.values(), strict=True
        ):
            slot = client.session.files.get(position=place or 1)
            yield sending(client, slot, after, data, file=None if place else "nobody")

    found = send_together(list(sent(worlds[0])))
    alone = [
        send(session=each.session, file=each.file, data=each.data, key=None, moment=each.moment)
        for each in sent(worlds[1])
    ]

    assert [told(each) for each in found] == [told(each) for each in alone]
    reasons = {name: told(each)[0] for name, each in zip(WAYS, found, strict=True)}
    assert reasons == {
        "accepted": None,
        "late": "late",
        "broken": "broken",
        "foreign": "foreign",
        "not a file": "not-open",
        "not open": "not-open",
        "the last": None,
        "ended": "closed",
    }
    for name in WAYS:
        first, second = (kept(world[name][0]) for world in worlds)
        assert first == second, name
    assert worlds[0]["the last"][0].row.state == "finished"


def told(receipt):
    reason = receipt.reason.value if receipt.reason else None
    return reason, receipt.sends_left, receipt.next_at, receipt.moment, receipt.state


def test_many_cost_as_many_statements_as_a_few(django_capture_on_commit_callbacks):
    marked_set(2)
    few = [opened() for _ in range(2)]
    many = [opened() for _ in range(9)]
    costs = []
    for group in (few, many):
        with django_capture_on_commit_callbacks(execute=True):  # they are remembered
            send_together([sending(client, slot, 1) for client, slot in group])
        with CaptureQueriesContext(
            connection,
        ) as asked:
            found = send_together([sending(client, slot, 2) for client, slot in group])
        costs.append(len(asked))
        assert [each.sends_left for each in found] == [8] * len(group)

    assert costs[0] == costs[1] <= 9


def test_what_is_wrong_with_one_is_its_own(settings):
    marked_set(2)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 5000
    good, large, full = (opened() for _ in range(3))
    ExchangeSession.objects.filter(pk=full[0].session.pk).update(events=10**6)

    found = send_together(
        [sending(*large, 1, data=b" " * 5001), sending(*full, 1), sending(*good, 1)]
    )

    assert [each.code for each in found[:2]] == ["too-large", "log-full"]
    assert all(isinstance(each, SessionRefused) for each in found[:2])
    assert found[2].accepted
    assert SessionEvent.objects.filter(what="send").count() == 1


def said(client, slot, after=1):
    content = json.dumps(essay_json(slot.essay) | {"selections": []})
    data = {"sessionId": client.session.pk, "fileId": slot.name, "content": content}
    return Sent(client.person, data, client.moment(after), "en")


def test_those_who_wait_share_a_transaction_and_one_that_fails_takes_nobody_with_it():
    marked_set(2)
    programs = [opened() for _ in range(4)]
    nobody = spoilt(Door.SOCKETIO)
    lost = Sent(nobody.participant, {"fileId": "1", "content": "{}"}, START, "en")

    async def story(hall):
        sizes, take = [], hall.threads.write_once

        async def counted(call, sent):
            sizes.append(len(sent))
            return await take(call, sent)

        hall.threads.write_once = counted
        calm = [hall.sends.take(said(*each)) for each in [*programs, programs[0]]]
        first = await asyncio.gather(*calm)
        again = [hall.sends.take(said(*each, after=2)) for each in programs]
        return (
            sizes,
            first,
            await asyncio.gather(*again, hall.sends.take(lost), return_exceptions=True),
        )

    sizes, first, (*others, fault) = played(story)

    assert sizes == [4, 1, 5]
    names = {name for reply in [*first, *others] for name, _data in reply.says}
    assert names == {"session-file-send-success"}
    assert isinstance(fault, Exception)
    found = SessionFile.objects.filter(sends__gt=0).order_by("session_id")
    assert list(found.values_list("sends", flat=True)) == [3, 2, 2, 2]


def test_of_an_answer_whose_commit_was_not_acknowledged_no_second_send_is_used_up():
    marked_set(2)
    client, slot = opened()
    message = said(client, slot)
    (first,) = take_together([message])

    again = alone(message)
    later = alone(replace(message, moment=client.moment(2)))

    assert first == again == later
    assert [event.what for event in client.row.log.order_by("number")] == ["open", "send", "send"]
