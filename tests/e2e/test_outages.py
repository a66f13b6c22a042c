"""The database is stopped and started, locked, cut off: nobody meets a fault, nothing is lost."""

from __future__ import annotations

import http.client
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus

import psycopg
import pytest
from django.db import connection

from annotator.models import Assignment, FragmentRecord
from tests.e2e.database import connected
from tests.e2e.essays import draft, people
from tests.e2e.senders import get
from tests.e2e.stack import Stack
from tests.e2e.visitor import CSRF, Visitor
from tests.factories import EssayFactory, marking_form
from tests.services import execute

pytestmark = pytest.mark.full

WRITERS = 4
KNOCKING, PATIENT = 12, 3
OK, UNAVAILABLE = HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE


@pytest.fixture(scope="module")
def web(tmp_path_factory, django_db_blocker, mortal_postgres):
    """Web over a PostgreSQL of our own."""
    folder = tmp_path_factory.mktemp("web")
    stack = Stack(folder, database_url=mortal_postgres.url, crew=("web",))
    with django_db_blocker.unblock(), stack, connected(mortal_postgres.url):
        yield stack


@pytest.fixture(scope="module")
def web_on_sqlite(tmp_path_factory, django_db_blocker):
    stack = Stack(tmp_path_factory.mktemp("web"), crew=("web",), web_processes=1)
    with django_db_blocker.unblock(), stack, connected(stack.database_url):
        yield stack


class Writer(threading.Thread):
    """An expert who marks one word after another; whatever was acknowledged is written down."""

    def __init__(self, stack, record, stop):
        super().__init__()
        self.visitor, self.record, self.stop = Visitor(stack, record.author), record, stop
        self.form = marking_form(record, start=0, end=4)
        self.statuses, self.uids = [], []

    def run(self):
        version = self.record.version
        while not self.stop.is_set():
            uid = f"00000000-0000-4000-8000-{self.record.pk:06}{len(self.statuses):06}"
            form = {**self.form, "version": version, "uid": uid}
            answer = self.visitor.post(f"/markups/{self.record.pk}/fragments/", **form)
            self.statuses.append(answer.status)
            if answer.status == OK:
                self.uids.append(uid)
                version += 1
            elif answer.status == HTTPStatus.CONFLICT:  # one was stored, and its answer lost
                version += 1
            elif answer.status == UNAVAILABLE:
                self.stop.wait(0.05)


def drafts(count):
    return [draft(EssayFactory(), Assignment.Role.FIRST, expert) for expert in people(count)]


def test_a_stopped_postgresql_is_503_and_what_was_acknowledged_stays(web, mortal_postgres):
    stop = threading.Event()
    writers = [Writer(web, record, stop) for record in drafts(WRITERS)]
    login = Visitor(web, writers[0].record.author)
    for writer in writers:
        writer.start()

    def all_have(status, times):
        return lambda: all(writer.statuses.count(status) >= times for writer in writers)

    web.until(all_have(OK, 3), "they write")
    mortal_postgres.stop()
    web.until(all_have(UNAVAILABLE, 3), "all of them hear of it")
    pages = ("/queue/", "/people/", "/nowhere/", "/healthz", "/login/")
    told = {login.get(path).status for path in pages}
    mortal_postgres.start()
    times = {writer: writer.statuses.count(OK) + 5 for writer in writers}
    web.until(lambda: all(each.statuses.count(OK) >= times[each] for each in writers), "they go on")
    stop.set()
    for writer in writers:
        writer.join()

    connection.close()  # ours was cut off too
    stored = {str(uid) for uid in FragmentRecord.objects.values_list("uid", flat=True)}
    statuses = {status for writer in writers for status in writer.statuses}
    assert told == {UNAVAILABLE}
    assert statuses <= {OK, UNAVAILABLE, HTTPStatus.CONFLICT}
    assert [uid for writer in writers for uid in writer.uids if uid not in stored] == []


def test_a_database_another_process_holds_is_503_after_its_patience(web_on_sqlite):
    (record,) = drafts(1)
    visitor = Visitor(web_on_sqlite, record.author)
    path = f"/markups/{record.pk}/fragments/"
    with closing(sqlite3.connect(web_on_sqlite.folder / "razbor.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        refused = visitor.post(path, **marking_form(record, start=0, end=4))
        login = ask(web_on_sqlite, "/login/", b"username=anna&password=quiet")
        read = visitor.get(f"/markups/{record.pk}/")
        other.rollback()
    accepted = visitor.post(path, **marking_form(record, start=0, end=4))

    assert (refused.status, read.status, accepted.status) == (UNAVAILABLE, OK, OK)
    assert (login[0], login[1], "quiet" in login[2]) == (UNAVAILABLE, "5", False)
    assert record.fragments.count() == 1


def test_a_locked_database_leaves_threads_for_everybody_else(web_on_sqlite):
    with closing(sqlite3.connect(web_on_sqlite.folder / "razbor.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(KNOCKING) as pool:
            logins = [pool.submit(ask, web_on_sqlite, "/login/", form(n)) for n in range(KNOCKING)]

            def refused():
                return [each.result()[0] for each in logins if each.done()]

            web_on_sqlite.until(lambda: len(refused()) >= KNOCKING - PATIENT, "they are told", 10)
            held = refused()
            health = web_on_sqlite.health()
            still = sum(not each.done() for each in logins)
            late = ask(web_on_sqlite, "/login/", form(KNOCKING))[0]
            other.rollback()
            answers = [each.result()[0] for each in logins]

    assert held == [UNAVAILABLE] * (KNOCKING - PATIENT)
    assert (health["workers"], still, late) == (0, PATIENT, UNAVAILABLE)
    assert sorted(answers) == [OK] * PATIENT + held


def test_a_table_another_holds_in_postgresql_is_503_after_a_while(web, mortal_postgres):
    with psycopg.connect(mortal_postgres.url) as other:
        other.execute("LOCK TABLE accounts_ratebucket")
        refused = ask(web, "/login/", form(0))
        page = get(web.port, "/login/", timeout=20)
        other.rollback()

    assert (refused[:2], page) == ((UNAVAILABLE, "5"), OK)
    assert ask(web, "/login/", form(0))[0] == OK


TRIGGER = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body}; RETURN NEW; END $$;
CREATE TRIGGER {name} BEFORE INSERT ON accounts_ratebucket
FOR EACH ROW EXECUTE FUNCTION {name}();
"""
BODIES = {
    "slow": "PERFORM pg_sleep(60)",
    "no_room": "RAISE EXCEPTION USING ERRCODE = 'disk_full'",
    "poor": "RAISE EXCEPTION USING ERRCODE = 'insufficient_resources'",
    "broken": "RAISE EXCEPTION USING ERRCODE = 'io_error'",
}


@pytest.mark.parametrize("name", BODIES)
def test_a_postgresql_that_cannot_go_on_is_503(web, mortal_postgres, name):
    execute(mortal_postgres.url, TRIGGER.format(name=name, body=BODIES[name]))
    refused = ask(web, "/login/", form(1))
    execute(mortal_postgres.url, f"DROP FUNCTION {name} CASCADE")

    assert refused[:2] == (UNAVAILABLE, "5")
    assert ask(web, "/login/", form(1))[0] == OK


def form(number):
    return f"username=anna{number}&password=quiet".encode()


def ask(stack, path, body):
    headers = {
        "Cookie": f"csrftoken={CSRF}",
        "X-CSRFToken": CSRF,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    with closing(http.client.HTTPConnection("127.0.0.1", stack.port, timeout=120)) as opened:
        opened.request("POST", path, body, headers)
        answer = opened.getresponse()
        return answer.status, answer.getheader("Retry-After"), answer.read().decode()
