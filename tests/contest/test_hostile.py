"""Whatever programs write is answered as the corpus says; somebody else goes on calmly."""

from __future__ import annotations

import pytest
from django.test import Client as Browser

from accounts.services.tokens import issue_token
from contest.core.packets import Join, Leave, Ping, Quiet, Said, Unreadable, read_packet
from contest.gateway.replies import answer
from contest.models import ExchangeSession, SessionEvent
from contest.services.sessions.clock import moment_now
from tests.contest.hostile import BROKEN_FRAMES, FILE, FRAMES, GATEWAY, REQUESTS, SENDS
from tests.contest.world import Client, marked_set, team
from tests.examples import share

pytestmark = pytest.mark.django_db


def test_the_corpus_is_as_large_as_it_is_said_to_be():
    frames = {text for _name, text, _expected in FRAMES}

    assert (len(frames), len(BROKEN_FRAMES)) == (171, 19)
    assert (len(SENDS), len(REQUESTS), len(GATEWAY)) == (23, 51, 17)


@pytest.fixture
def calm():
    """Somebody with an open session, whom all this does not concern."""
    marked_set(2)
    client = Client()
    client.next(0)
    before = standing(client)
    yield client
    assert standing(client) == before


def standing(client):
    row = ExchangeSession.objects.values().get(pk=client.session.pk)
    return row, list(SessionEvent.objects.filter(session=client.session).values())


@pytest.mark.usefixtures("calm")
def test_a_frame_is_answered_as_the_corpus_says():
    person, rows = team(), share(FRAMES, of=4)

    told = {name: answered(person, read_packet(text)) for name, text, _expected in rows}

    assert told == {name: in_process(expected) for name, _text, expected in rows}


def answered(person, packet):
    if isinstance(packet, Said):
        says = answer(person, packet.name, packet.data, moment_now()).says
        return "".join(name for name, _ in says)
    if isinstance(packet, Ping):
        return "3" + packet.data
    if isinstance(packet, Join):
        return "" if packet.namespace in ("/", "/pku") else "44"
    assert isinstance(packet, Unreadable | Quiet | Leave)
    return "44" if isinstance(packet, Unreadable) else ""


def in_process(expected):
    return "44" if expected.startswith("44") else expected


@pytest.fixture
def attacker(calm):
    """Somebody else with an open session and a file; ``ask(verb, address, body)``."""
    client = Client()
    assert client.person != calm.person
    file = client.next(0).slot.name
    key = {"Authorization": f"Token {issue_token(user=client.person, name='program')}"}
    http = Browser(raise_request_exception=False, headers=key)

    def ask(verb, address, body):
        path = address.format(session=client.session.pk, file=file)
        return http.generic(verb, path, body, content_type="application/json")

    return ask


def test_a_body_is_answered_and_logged_as_the_corpus_says(attacker):
    rows = share(SENDS.items(), of=4)

    answers = {name: attacker("POST", FILE, body) for name, (body, _reason) in rows}

    told = {name: found.json().get("reason", found) for name, found in answers.items()}
    assert told == {name: reason for name, (_body, reason) in rows}
    assert SessionEvent.objects.filter(what="send").count() == len(rows)


def test_a_request_is_answered_as_the_corpus_says(attacker):
    rows = share(REQUESTS, of=4)
    before = ExchangeSession.objects.count(), SessionEvent.objects.count()

    told = [(*row[:3], attacker(*row[:3]).status_code) for row in rows]

    assert told == rows
    assert (ExchangeSession.objects.count(), SessionEvent.objects.count()) == before
