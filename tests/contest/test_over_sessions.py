"""A session whose time is over, and that is not settled yet, keeps nobody from the next one."""

from __future__ import annotations

import asyncio

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from contest.gateway.links import Link
from contest.gateway.replies import answer
from contest.models import ExchangeSession, SessionEvent
from contest.queries.judging import GRACE
from contest.services.sessions.clock import moment_now
from contest.services.sessions.opening import open_session
from contest.services.sessions.refusals import SessionRefused
from tests.contest.test_hall import Silent
from tests.contest.test_rest_door import Program
from tests.contest.world import (
    SECOND,
    Client,
    Door,
    Mode,
    final_at,
    marked_set,
    played,
    team,
    wish,
)
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db

START = 1_800_000_000 * SECOND
OVER = 180
"""The seconds after its start at which a final of three files is over."""


@pytest.fixture
def client():
    """A final of three files in which the last one is answered at 170 seconds."""
    marked_set(2)
    person = team()
    final_at(START, person)
    client = Client(person, mode=Mode.FINAL, moment=START)
    for second in (50, 110):
        client.send(client.next(second).slot, second)
    return client


def refusal(call, *args, **fields):
    with pytest.raises(SessionRefused) as caught:
        call(*args, **fields)
    return caught.value


def technical(person, after):
    return Client(person, mode=Mode.TECHNICAL, moment=START + round(after * SECOND))


def test_a_session_that_is_over_with_all_verdicts_is_settled_by_the_next_opening(client):
    client.send(client.next(170).slot, 170)

    assert refusal(technical, client.person, OVER).code == "already-open"
    assert technical(client.person, OVER + 0.1).is_new

    assert (client.row.state, client.verdicts()) == ("finished", ["counted"] * 3)
    assert client.row.closed_at.timestamp() == START / SECOND + OVER


def test_a_file_an_answer_on_its_way_may_save_is_waited_for(client):
    slot = client.next(170).slot

    early = refusal(technical, client.person, OVER + 1)

    assert (early.code, early.status, early.seconds) == ("settling", 409, 4.0)
    assert client.send(slot, OVER - 1).accepted
    assert technical(client.person, OVER + 1.1).is_new
    assert client.verdicts() == ["counted"] * 3


def test_a_refusal_while_nothing_fell_due_reads_no_log(client):
    with CaptureQueriesContext(connection) as asked:
        assert refusal(technical, client.person, 111).code == "already-open"

    assert not [each for each in asked if SessionEvent._meta.db_table in each["sql"]]


def test_after_five_seconds_it_is_settled_without_the_answer(client):
    assert technical(client.person, OVER + GRACE / SECOND).is_new
    assert (client.row.state, client.verdicts()[-1]) == ("finished", "missing")


def test_a_key_of_a_run_that_is_over_and_not_settled_is_refused_for_the_next(client):
    final_at(START + 300 * SECOND, client.person)
    ExchangeSession.objects.update(key="mine")
    args = {"participant": client.person, "wish": wish(Mode.FINAL), "door": Door.REST}

    assert open_session(**args, moment=client.moment(OVER), key="mine") == (client.session, False)
    again = refusal(open_session, **args, moment=client.moment(OVER + 1), key="mine")

    assert again.code == "used-otherwise"


def test_the_api_says_when_to_ask_again(monkeypatch):
    monkeypatch.setattr("contest.services.sessions.settling.GRACE", 3600 * SECOND)
    marked_set(2)
    person, moment = team(), moment_now() - (OVER + 60) * SECOND
    final_at(moment, person)
    Client(person, mode=Mode.FINAL, moment=moment)

    early = Program(person).post("sessions/", {"mode": "technical"})

    assert (early.status_code, early.json()["code"]) == (409, "settling")
    assert 0 < int(early["Retry-After"]) < 3600


def test_a_client_of_the_original_hears_nothing_until_it_can_be_opened(client):
    said = {"type": "technical", "params": {}}

    early = answer(client.person, "session-start", said, client.moment(OVER + 2))
    later = answer(client.person, "session-start", said, client.moment(OVER + 2 + early.pause))

    assert (early.says, early.pause) == ((), 3.0)
    assert [name for name, _data in later.says] == ["session-start-success"]


BEGINS = '42/pku,["session-start",{"type":"technical","params":{}}]'


@pytest.fixture
def silent():
    """A client of the original whose session has been over for twenty seconds, unanswered."""
    marked_set(10)
    return Silent(interval=0.5, limit=304.5, moment=moment_now() - 325 * SECOND)


def settled_after(seconds, monkeypatch):
    monkeypatch.setattr("contest.services.sessions.settling.GRACE", seconds * SECOND)


def test_it_is_answered_once_the_next_one_can_be_opened(silent, monkeypatch):
    settled_after(21, monkeypatch)

    async def story(hall):
        async with silent.connected(hall):
            silent.say(BEGINS)
            await silent.until(lambda: "session-start-success" in silent.events())

    played(story)

    assert (silent.client.row.state, ExchangeSession.objects.count()) == ("timeout", 2)


async def leaves(silent, *_):
    silent.said.put_nowait({"type": "websocket.disconnect"})


async def is_displaced(silent, hall, link):
    await hall.enter(Link(silent.take, "en", participant=link.participant))


@pytest.mark.parametrize("goes", [leaves, is_displaced])
def test_who_goes_before_the_next_one_can_be_opened_opens_none(goes, silent, monkeypatch):
    settled_after(3600, monkeypatch)

    async def story(hall):
        async with silent.connected(hall) as link:
            await silent.until(link.idle.is_set)
            silent.say(BEGINS)
            await silent.until(lambda: not link.idle.is_set())
            await asyncio.wait_for(goes(silent, hall, link), PATIENCE)
            await silent.until(link.idle.is_set)

    played(story)

    assert ExchangeSession.objects.get() == silent.client.session
