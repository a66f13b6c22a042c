"""Several processes answer the web: nobody notices which one it was."""

from __future__ import annotations

import contextlib
import os
import signal
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from urllib.parse import urlencode

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher

from accounts.models import User
from tests.e2e.database import connected
from tests.e2e.stack import Stack, parent, processes
from tests.factories import PersonFactory

pytestmark = pytest.mark.full

PASSWORD = "a quiet word 7"


@pytest.fixture(scope="module")
def web(tmp_path_factory, django_db_blocker):
    """Web in two processes; its database is the one of this process."""
    stack = Stack(tmp_path_factory.mktemp("web"), crew=("web",), web_processes=2)
    with django_db_blocker.unblock(), stack, connected(stack.database_url):
        stack.until(lambda: len(hands(stack)) == 2, "both processes are there")
        yield stack


@pytest.fixture
def alone(web):
    """Within ``alone(0)`` only the first of the processes does anything."""

    @contextlib.contextmanager
    def only(number):
        others = [pid for pid in hands(web) if pid != hands(web)[number]]
        for pid in others:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in others:
                os.kill(pid, signal.SIGCONT)

    return only


def hands(stack):
    return sorted(pid for pid in processes() if parent(pid) == stack.children["web"].process.pid)


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """Keeps its cookies and follows nobody; every request is a new connection."""

    def __init__(self, url):
        self.url, self.jar = url, CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.jar), NoRedirects
        )

    def get(self, path):
        return self.ask(path)

    def post(self, path, **fields):
        token = {cookie.name: cookie.value for cookie in self.jar}["csrftoken"]
        return self.ask(path, urlencode({**fields, "csrfmiddlewaretoken": token}).encode())

    def ask(self, path, body=None):
        try:
            with self.opener.open(self.url + path, body, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.read().decode()


@pytest.fixture
def coordinator(web):  # noqa: ARG001 - the rows need the database
    person = PersonFactory(role=User.Role.COORDINATOR)
    hasher = Argon2PasswordHasher()  # the product's; ours is a quick one
    person.password = hasher.encode(PASSWORD, hasher.salt())
    person.save()
    return person


def test_sessions_and_messages_are_shared(web, alone, coordinator):
    browser = Browser(web.url)
    with alone(0):
        browser.get("/login/")
        browser.post("/login/", username=coordinator.username, password=PASSWORD)
    with alone(1):
        status, page = browser.get("/people/")
    assert (status, "/people/new/" in page) == (200, True)

    person = PersonFactory(email="somebody@example.org")
    with alone(0):
        status, _page = browser.post(f"/people/{person.pk}/invite/")
    with alone(1):
        _status, page = browser.get("/people/")

    assert (status, "A letter was sent to somebody@example.org." in page) == (302, True)


def test_the_tries_to_log_in_are_counted_together(web, alone, coordinator):
    browser = Browser(web.url)
    statuses = []
    for number in (0, 1, 0, 1, 0, 1, 0):
        with alone(number):
            browser.get("/login/")
            status, _page = browser.post("/login/", username=coordinator.username, password="no")
            statuses.append(status)

    assert statuses == [200] * 5 + [429] * 2
