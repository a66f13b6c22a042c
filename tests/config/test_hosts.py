"""A request for a name that is not ours: anybody may send it, as often as they like."""

from __future__ import annotations

import io
import logging

import pytest
from django.test import Client

from tests.pages import texts_of

pytestmark = pytest.mark.django_db

REASON = "The site is not known by this name. Whoever runs it adds it to ALLOWED_HOSTS."


@pytest.fixture
def ask():
    client = Client(raise_request_exception=False, headers={"host": "elsewhere.example"})
    return client.get


@pytest.fixture
def told(monkeypatch):
    """What the log of the web says."""
    told = io.StringIO()
    for name in ("", "django", "django.security"):
        for handler in logging.getLogger(name).handlers:
            if type(handler) is logging.StreamHandler:
                monkeypatch.setattr(handler, "stream", told)
    return told


def test_a_foreign_host_is_told_why_it_is_refused(ask):
    page = ask("/login/")

    assert (page.status_code, texts_of(page, "p")[0]) == (400, REASON)


@pytest.mark.parametrize("address", ["/api/essays/", "/healthz"])
def test_a_program_is_told_so_in_json(ask, address):
    answer = ask(address)

    told = {"code": "unknown-host", "message": REASON, "header": "Host"}
    assert (answer.status_code, answer.json()) == (400, told)


def test_the_log_has_a_line_of_it(ask, told):
    ask("/login/")

    (line,) = told.getvalue().splitlines()
    assert line.endswith(
        " ERROR django.security.DisallowedHost Invalid HTTP_HOST header: 'elsewhere.example'. "
        "You may need to add 'elsewhere.example' to ALLOWED_HOSTS."
    )
