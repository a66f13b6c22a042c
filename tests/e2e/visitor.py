"""Somebody who is logged in and sends requests without a browser, from any thread."""

from __future__ import annotations

import contextlib
import http.client
import json
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlencode

from django.conf import settings
from django.test import Client

CSRF = "a" * 32


def session_of(person, url):
    """The cookie by which a browser is somebody who has logged in."""
    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value, "url": url}


@dataclass(frozen=True)
class Answer:
    status: int
    text: str
    location: str

    def json(self):
        return json.loads(self.text)


class Visitor:
    """A person at the door of a stack: made in the test's own thread, used in all."""

    def __init__(self, stack, person):
        session = session_of(person, stack.url)
        self.port = stack.port
        self.headers = {
            "Cookie": f"{session['name']}={session['value']}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, **fields):
        return self.ask("POST", path, urlencode(fields))

    def submit(self, record):
        return self.post(f"/markups/{record.pk}/submit/", version=record.version)

    def ask(self, verb, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        with contextlib.closing(connection):
            connection.request(verb, path, body, self.headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            return Answer(answer.status, text, answer.getheader("Location", ""))


class Program(Visitor):
    """A participant's program: it has a key instead of a session."""

    def __init__(self, stack, key):
        self.port = stack.port
        self.headers = {"Authorization": f"Token {key}", "Content-Type": "application/json"}

    def send(self, essay_id, markup, *, client_key=""):
        self.headers["Idempotency-Key"] = client_key
        return self.ask("POST", f"/api/essays/{essay_id}/markups/", json.dumps(markup))


def went_well(answer):
    return answer.status in (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.FOUND)
