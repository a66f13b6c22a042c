"""The web as it is served: slow senders, large bodies, a reload under load."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import threading

import pytest

from accounts.models import User
from accounts.services.tokens import issue_token
from annotator.models import EssaySet
from tests.e2e.database import connected
from tests.e2e.essays import people
from tests.e2e.senders import HALF_A_HEAD, WAYS, Slow, announce, get, pause
from tests.e2e.stack import Stack
from tests.e2e.visitor import Program, Visitor
from tests.factories import EssayFactory, EssaySetFactory

pytestmark = pytest.mark.full

SLOW = 50
ASKED = 20
MB = 2**20
HEAD = "POST {path} HTTP/1.1\nHost: localhost\nConnection: close\n{more}\n\n"


def stack_of(folder, **environment):
    stack = Stack(folder, crew=("web",))
    stack.environment |= {"WEB_REQUEST_SECONDS": "3", **environment}
    return stack


@pytest.fixture(scope="module")
def web(tmp_path_factory, django_db_blocker):
    """Web alone, with little patience; its database is the one of this process."""
    with (
        django_db_blocker.unblock(),
        stack_of(tmp_path_factory.mktemp("web")) as stack,
        connected(stack.database_url),
    ):
        yield stack


def test_fifty_slow_senders_keep_nobody_waiting_and_are_sent_away(web):
    ways = [WAYS[number % len(WAYS)] for number in range(SLOW)]
    with Slow(web.port, ways) as slow:
        slow.drip()
        answers = [get(web.port, "/login/", timeout=60) for _ in range(ASKED)]
        assert answers == [200] * ASKED

        def sent_away():
            slow.drip()
            pause()
            return not slow.open()

        web.until(sent_away, "a byte now and then keeps no connection")
    assert get(web.port, "/login/", timeout=60) == 200


def test_half_heads_stop_the_naive_twin(tmp_path):
    stack = stack_of(tmp_path, WEB_PROCESSES="1")
    with stack:
        child = stack.children["web"]
        stack.halt(child)
        child.command = [
            {"config.web.WebWorker": "gthread"}.get(word, word) for word in child.command
        ]
        stack.begin(child)
        stack.until(stack.answers, "the twin answers")
        with Slow(stack.port, [HALF_A_HEAD] * SLOW):
            answers = [get(stack.port, "/login/", timeout=3) for _ in range(2)]

    assert answers == [None, None]


@pytest.mark.parametrize("path", ["/import/", "/api/keys/", "/schemes/use/", "/nowhere/"])
@pytest.mark.parametrize("expects", ["", "Expect: 100-continue\n"])
def test_a_large_body_of_nobody_is_answered_before_it_is_sent(web, path, expects):
    head = HEAD.format(path=path, more=f"{expects}Content-Length: {400 * MB}")

    status, rest = announce(web.port, head)

    wanted = "404 Not Found" if path == "/nowhere/" else "413 Request Entity Too Large"
    assert status == f"HTTP/1.1 {wanted}"
    assert "100 Continue" not in rest


def test_chunks_are_counted(web):
    head = HEAD.format(path="/api/keys/", more="Transfer-Encoding: chunked")
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"

    status, rest = announce(web.port, head, *[chunk] * 8)

    assert status == "HTTP/1.1 413 Request Entity Too Large"
    assert "at most 64 KB" in rest


def test_who_sends_all_of_a_large_body_reads_why_it_was_refused(web):
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
    with contextlib.closing(connection):
        connection.request("POST", "/api/keys/", b" " * 20 * MB)
        answer = connection.getresponse()
        told = json.loads(answer.read())

    assert (answer.status, told["code"]) == (413, "too-large")


@pytest.mark.parametrize("in_chunks", [False, True])
def test_a_body_that_is_admitted_arrives_whole(web, in_chunks):
    essay = EssayFactory(essay_set=EssaySetFactory(access=EssaySet.Access.OPEN))
    (participant,) = people(1, User.Role.PARTICIPANT)
    program = Program(web, issue_token(user=participant, name="e2e"))
    marks = [
        {"startSelection": 0, "endSelection": 4, "type": "А.грамм", "comment": "ы" * 900}
        for _ in range(200)
    ]
    body = json.dumps({"text": essay.text, "selections": marks}, ensure_ascii=False).encode()
    assert len(body) > 300_000

    pieces = (body[at : at + 7000] for at in range(0, len(body), 7000))
    answer = program.ask("POST", f"/api/essays/{essay.pk}/markups/", pieces if in_chunks else body)

    assert (answer.status, answer.json()["fragments"]) == (201, 200)


def test_a_reload_under_load_fails_nobody(web):
    (expert,) = people(1)
    visitor, stop, statuses = Visitor(web, expert), threading.Event(), []

    def visit():
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
        with contextlib.closing(connection):
            while not stop.is_set():
                connection.request("GET", "/queue/", headers=visitor.headers)
                answer = connection.getresponse()
                answer.read()
                statuses.append(answer.status)

    threads = [threading.Thread(target=visit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(2):
        count = len(statuses)
        os.kill(web.children["web"].process.pid, signal.SIGHUP)
        web.until(lambda: len(statuses) > count + 40, "the new processes answer")  # noqa: B023
    stop.set()
    for thread in threads:
        thread.join(60)

    assert set(statuses) == {200}
    assert (web.folder / "log" / "web.log").read_text().count("Hang up") == 2
