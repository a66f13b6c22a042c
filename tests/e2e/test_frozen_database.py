"""A PostgreSQL that neither answers nor hangs up: pages say so soon, and go on when it thaws."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

import psycopg
import pytest
from django.db import connection

from tests.e2e.database import connected
from tests.e2e.essays import people
from tests.e2e.stack import Stack, parent, processes
from tests.e2e.visitor import CSRF, Visitor
from tests.services import answers, until

pytestmark = pytest.mark.full

ASKING = 24
SOON = 10
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"
OK, UNAVAILABLE = HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE


@pytest.fixture(scope="module")
def web(tmp_path_factory, django_db_blocker, mortal_postgres):
    folder = tmp_path_factory.mktemp("web")
    stack = Stack(folder, database_url=mortal_postgres.url, crew=("web",), web_processes=1)
    with django_db_blocker.unblock(), stack, connected(mortal_postgres.url):
        yield stack


def stop(pid):
    """The process that stands still now, if it lived until then."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        return [pid]
    return []


@contextlib.contextmanager
def frozen(server):
    """Nothing of the server runs within this block; its kernel goes on."""
    main = server.process.pid
    stopped = []
    try:
        # The main one first: from then on none is born, and who dies can be listed still.
        stopped += stop(main)
        for pid in processes():
            if parent(pid) == main:
                stopped += stop(pid)
        yield
    finally:
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        until(lambda: answers(server.url), "PostgreSQL", server.process)


def connect(server, **options):
    return psycopg.connect(server.url, connect_timeout=SOON, **options)


def timed(call, *arguments, **options):
    began = time.monotonic()
    answer = call(*arguments, **options)
    return answer.status, time.monotonic() - began


def test_pages_on_open_connections_say_soon_that_the_database_is_frozen(web, mortal_postgres):
    (person,) = people(1)
    visitor = Visitor(web, person)
    paths = ["/queue/", "/account/", "/healthz", "/login/"] * (ASKING // 4)
    with ThreadPoolExecutor(ASKING) as pool:
        before = {answer.status for answer in pool.map(visitor.get, ["/queue/"] * ASKING)}
        with frozen(mortal_postgres):
            told = list(pool.map(lambda path: timed(visitor.get, path), paths))

    web.until(lambda: visitor.get("/queue/").status == OK, "it thaws")
    statuses = {status for path, (status, _) in zip(paths, told, strict=True) if path != "/login/"}
    assert before == {OK}
    assert statuses == {UNAVAILABLE}
    assert [seconds for _, seconds in told if seconds > SOON] == []


def test_a_page_in_the_middle_of_a_statement_hears_of_it_too(web, mortal_postgres):
    with ThreadPoolExecutor(1) as pool, connect(mortal_postgres) as other:
        stranger = Visitor(web, *people(1))
        stranger.headers["Cookie"] = f"csrftoken={CSRF}"
        other.execute("LOCK TABLE accounts_ratebucket")
        login = pool.submit(timed, stranger.post, "/login/", username="anna", password="quiet")
        with connect(mortal_postgres, autocommit=True) as looker:
            web.until(lambda: looker.execute(WAITING).fetchone() == (1,), "it waits", 5)
        with frozen(mortal_postgres):
            status, seconds = login.result()

    assert (status, seconds < SOON) == (UNAVAILABLE, True)


def test_a_long_text_is_given_back_by_a_page_that_cannot_keep_it(web, mortal_postgres):
    visitor = Visitor(web, *people(1))
    text = "Ёж пишет. " * 5600
    with frozen(mortal_postgres):
        answer = visitor.post("/schemes/use/tools/try/", answer=text)

    web.until(lambda: visitor.get("/queue/").status == OK, "it thaws")
    assert len(text.encode()) > 90_000
    assert (answer.status, text in answer.text) == (UNAVAILABLE, True)


def test_a_slow_statement_of_a_living_server_goes_on(web):  # noqa: ARG001 - its server
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(5), 7")
        assert cursor.fetchone()[1] == 7
