"""Who answers a file that was not handed out yet learns nothing of its essay by that."""

from __future__ import annotations

import json
import sys

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest.pages.logs import log_of
from contest.services.sessions.asking import note_deliveries
from contest.services.sessions.ending import abort
from contest.services.sessions.sending import arrived_at, send
from contest.services.sessions.sending_together import Sending, send_together
from tests.contest.world import SECOND, Client, Door, Mode, final_at, marked_set, team

pytestmark = pytest.mark.django_db

START = 1_800_000_000 * SECOND
GUESS = json.dumps({"text": "A guess.", "selections": []}).encode()
BEYOND = [{"startSelection": 0, "endSelection": 900_000, "type": "А.грамм"}]


def waiting_final():
    person = team()
    final_at(START, person)
    return Client(person, mode=Mode.FINAL, moment=START - 60 * SECOND)


def asked_for():
    marked_set(3)
    return Client(mode=Mode.TECHNICAL)


def by_the_clock():
    marked_set(3)
    return Client(mode=Mode.TECHNICAL, door=Door.SOCKETIO)


def last_of(client):
    return client.session.files.select_related("essay").latest("position")


def told(receipt):
    return receipt.reason.value, [each.code for each in receipt.event.found()]


@pytest.mark.parametrize("open_one", [waiting_final, asked_for, by_the_clock])
@pytest.mark.parametrize("data", [GUESS, json.dumps({"text": "", "selections": BEYOND}).encode()])
def test_an_answer_to_a_file_that_has_not_opened_is_not_compared_with_its_essay(open_one, data):
    client = open_one()
    last = last_of(client)

    assert told(client.send(last, 1, data=data)) == ("not-open", [])
    (together,) = send_together([Sending(client.session, last.name, data, client.moment(2))])
    assert told(together) == ("not-open", [])


@pytest.mark.parametrize("open_one", [waiting_final, asked_for, by_the_clock])
def test_no_number_of_sends_says_whether_a_name_is_one_of_a_file_to_come(open_one):
    client = open_one()
    session, last = client.session, last_of(client)

    def left(name, at):
        receipt = send(
            session=session, file=name, data=GUESS, key="a key" + name, moment=client.moment(at)
        )
        return receipt.reason.value, receipt.sends_left

    assert [left(last.name, 1), left("0999", 2)] == [("not-open", 0)] * 2
    again = [left(last.name, 3), left("0999", 3)]
    assert again == [("not-open", 0)] * 2
    (together,) = send_together([Sending(session, last.name, GUESS, client.moment(4))])
    assert together.sends_left == 0


def calls_of(run):
    """How many functions are called: the work of it, on a machine of any pace."""
    calls = 0

    def count(_frame, event, _told):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


def test_nor_does_the_work_that_reading_it_takes():
    last = last_of(waiting_final())
    marks = [{"startSelection": 0, "endSelection": 1, "type": "А.грамм", "comment": "c" * 100}]
    data = json.dumps({"text": "A guess.", "selections": marks * 10_000}).encode()
    slots = (last, None)

    assert {arrived_at(slot, "0999", data).judged.content.value for slot in slots} == {"foreign"}
    of_one, of_none = (calls_of(lambda slot=slot: arrived_at(slot, "0999", data)) for slot in slots)

    assert of_one > 10_000
    assert 0.9 < of_none / of_one < 1.1


@pytest.mark.parametrize("open_one", [waiting_final, asked_for, by_the_clock])
def test_nor_does_what_is_written_of_it(open_one):
    client = open_one()
    session, last = client.session, last_of(client)

    def written(name, at):
        with CaptureQueriesContext(connection) as alone:
            send(session=session, file=name, data=GUESS, key=None, moment=client.moment(at))
        with CaptureQueriesContext(connection) as together:
            send_together([Sending(session, name, GUESS, client.moment(at + 1))])
        kept = session.log.filter(named=name, what="send").values_list("body", "length")
        return len(alone), len(together), list(kept)

    assert written(last.name, 1) == written("0999", 3)
    assert not client.session.files.filter(refused__gt=0).exists()


def test_what_came_before_a_file_opened_uses_up_none_of_the_ten_that_are_kept():
    client = by_the_clock()
    last = last_of(client)
    for number in range(11):
        client.send(last, 1, data=b"?%d" % number)

    client.send(last, 25, data=b"?")

    sends = client.session.log.filter(what="send").order_by("number")
    assert [bool(each.body) for each in sends] == [False] * 11 + [True]


@pytest.mark.parametrize("end", [None, 2])
@pytest.mark.parametrize("open_one", [waiting_final, asked_for, by_the_clock])
def test_nor_does_the_log_say_whether_its_text_was_the_essays(open_one, end):
    client = open_one()
    last = last_of(client)
    if end is not None:
        abort(session_id=client.session.pk, moment=client.moment(end))
    for number, data in enumerate([None, GUESS, b"{"]):
        client.send(last, 3 + number, data=data, key=f"key {number}")
    client.send(last, 7)

    sends = [each for each in log_of(client.row, client.moment(9))["events"] if "file" in each]

    assert [(each["content"], each.get("key")) for each in sends] == [
        *(("foreign", f"key {number}") for number in range(3)),
        ("foreign", None),
    ]


@pytest.mark.parametrize("after", [4, 4000])
@pytest.mark.parametrize("open_one", [waiting_final, asked_for, by_the_clock])
def test_nor_is_it_once_the_session_has_ended_before_the_file_opened(open_one, after):
    client = open_one()
    last = last_of(client)
    abort(session_id=client.session.pk, moment=client.moment(3))

    assert told(client.send(last, after, data=GUESS)) == ("closed", [])


@pytest.mark.parametrize(("is_given", "said"), [(True, ["err-text-handler-callback"]), (False, [])])
@pytest.mark.parametrize(("end", "after", "reason"), [(3, 4, "closed"), (None, 69, "foreign")])
def test_once_its_time_is_over_it_is_told_of_a_file_that_was_handed_out_alone(
    is_given, said, end, after, reason
):
    client = by_the_clock()
    first = client.session.files.select_related("essay").earliest("position")
    if is_given:
        note_deliveries(pushed=[(first.pk, client.moment(0))])
    if end is not None:
        abort(session_id=client.session.pk, moment=client.moment(end))

    assert told(client.send(first, after, data=GUESS)) == (reason, said)
