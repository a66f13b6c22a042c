"""What is shown to somebody is kept for nobody else on its way."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.services.tokens import issue_token
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db
OWN = "no-cache, private"


@pytest.fixture
def person():
    return PersonFactory(role="participant")


def kept_by(answer):
    said = answer.headers.get("Cache-Control", "")
    return ", ".join(sorted(each.strip() for each in said.split(",")))


@pytest.mark.parametrize("path", ["/account/", "/exchange/", "/api/essays/", "/nothing/"])
def test_pages_and_answers_to_who_is_known_are_kept_for_nobody_else(path, person, log_in):
    assert kept_by(log_in(person).get(path)) == OWN


def test_so_are_answers_to_a_key(person):
    key = issue_token(user=person, name="program")

    answer = Client().get("/api/essays/", headers={"authorization": f"Token {key}"})

    assert (answer.status_code, kept_by(answer)) == (200, OWN)


@pytest.mark.parametrize("path", ["/", "/contests/", "/healthz"])
def test_what_strangers_read_is_not_theirs_alone(path):
    assert kept_by(Client().get(path)) != OWN
