"""A session whose time is over, and that is not settled yet, keeps nobody from the next one."""

from __future__ import annotations

import pytest

from contest.gateway.replies import answer
from contest.models import ExchangeSession
from contest.queries.judging import GRACE
from contest.services.sessions.clock import moment_now
from contest.services.sessions.opening import open_session
from contest.services.sessions.refusals import SessionRefused
from tests.contest.test_rest_door import Program
from tests.contest.world import SECOND, Client, Door, Mode, final_at, marked_set, team, wish

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


def over_since(seconds):
    """A participant whose final ended so long ago, its last file without an answer."""
    marked_set(2)
    person, moment = team(), moment_now() - round((OVER + seconds) * SECOND)
    final_at(moment, person)
    Client(person, mode=Mode.FINAL, moment=moment)
    return person


def test_the_api_says_when_to_ask_again():
    program = Program(over_since(2))

    early = program.post("sessions/", {"mode": "technical"})

    assert (early.status_code, early.json()["code"], early["Retry-After"]) == (409, "settling", "3")


def test_a_client_of_the_original_hears_nothing_until_it_can_be_opened():
    person = over_since(2)
    said = {"type": "technical", "params": {}}

    early = answer(person, "session-start", said, moment_now())
    later = answer(person, "session-start", said, moment_now() + round(early.pause * SECOND))

    assert (early.says, 2 < early.pause < 3) == ((), True)
    assert [name for name, _data in later.says] == ["session-start-success"]
