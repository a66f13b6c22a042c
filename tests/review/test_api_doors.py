"""Whoever asks an address of the API for its head or its methods needs what a reader needs."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.services.tokens import issue_token
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

FOR_ALL = ("contests/", "essays/", "scores/", "schemes/")
OF_SESSIONS = ("exchange/", "exchange/sessions/", "exchange/parcels/")
OF_THE_DESK = ("sets/", "assignments/")


def asked(role, method, address):
    key = issue_token(user=PersonFactory(role=role), name="run")
    client = Client(headers={"authorization": f"Token {key}"})
    return client.generic(method, f"/api/{address}").status_code


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
@pytest.mark.parametrize(
    ("role", "open_ones", "closed_ones"),
    [
        ("participant", (*FOR_ALL, *OF_SESSIONS, "submissions/"), OF_THE_DESK),
        ("judge", (*FOR_ALL, "exchange/sessions/", "exchange/parcels/"), ("submissions/",)),
        ("coordinator", (*FOR_ALL, *OF_THE_DESK), ("submissions/",)),
    ],
)
def test_it_is_answered_as_a_reader_is(method, role, open_ones, closed_ones):
    assert [asked(role, method, address) for address in open_ones] == [200] * len(open_ones)
    assert [asked(role, method, address) for address in closed_ones] == [403] * len(closed_ones)


@pytest.mark.parametrize(
    "address", ["assignments/1/withdraw/", "imports/1/confirm/", "imports/1/left-out/"]
)
def test_the_methods_of_what_is_written_to_alone_are_for_those_who_write(address):
    assert asked("coordinator", "OPTIONS", address) == 200
    assert asked("participant", "OPTIONS", address) == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("more", ["", "1/", "1/entries/", "1/results/"])
def test_of_score_runs_a_participant_learns_not_even_whether_there_are_any(method, more):
    assert asked("participant", method, f"scores/runs/{more}") == 403


def test_the_head_of_a_list_is_asked_for_with_the_names_its_body_has():
    assert asked("participant", "HEAD", "essays/?subject=eng") == 200
    assert asked("participant", "HEAD", "essays/?subjekt=eng") == 400


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_what_an_address_does_not_do_is_said(method):
    assert asked("participant", method, "contests/") == 405
