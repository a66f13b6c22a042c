"""The REST door of sessions: what a participant's program and what strangers are answered."""

from __future__ import annotations

import json
import time
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from accounts.services.tokens import issue_token
from contest.core.moments import moment_of
from contest.gateway.polling import ask
from contest.models import ExchangeSession, SessionEvent
from contest.services.sessions.clock import moment_now
from contest.services.sessions.connecting import connect, disconnect
from contest.services.sessions.refusals import STATUSES
from razbor.commands.session import judged_log
from tests.contest.world import Client, Door, Mode, answer, final_at, marked_set, team
from tests.factories import PersonFactory
from tests.test_api_described import check
from web.arrival import ARRIVED

pytestmark = pytest.mark.django_db

HOME = "/api/exchange/"
TEN = {"mode": "algorithmic", "files": 10, "time": 10}


class Program:
    """A program with a key, as it talks to the door."""

    def __init__(self, person):
        self.person = person
        key = {"Authorization": f"Token {issue_token(user=person, name='program')}"}
        self.http = Browser(raise_request_exception=False, headers=key)

    def get(self, address=""):
        return self.http.get(HOME + address)

    def post(self, address, body=None, **headers):
        told = {name: headers.pop(name) for name in (ARRIVED,) if name in headers}
        data = body if isinstance(body, bytes) else json.dumps({} if body is None else body)
        return self.http.post(
            HOME + address, data, content_type="application/json", headers=headers, **told
        )

    def open(self, **fields):
        return self.post("sessions/", {**TEN, **fields})


@pytest.fixture
def program():
    marked_set(3)
    return Program(team())


@pytest.fixture
def described(log_in):
    return log_in(PersonFactory(role="judge")).get("/api/schema/?format=json").json()


def essay_of(session, name):
    return ExchangeSession.objects.get(pk=session).files.get(name=name).essay


def test_every_way_a_session_is_refused_is_described(described):
    statuses = {"409", *map(str, STATUSES.values())}
    posts = [
        operations["post"]["responses"].keys()
        for address, operations in described["paths"].items()
        if address.startswith(f"{HOME}sessions/") and "post" in operations
    ]

    assert [statuses - each for each in posts] == [set()] * 5


def test_a_session_from_its_opening_to_its_log(program, described, tmp_path):
    opened = program.open()
    assert (opened.status_code, opened.json()["state"]) == (201, "open")
    check(described, "/api/exchange/sessions/", "post", opened)
    number = opened.json()["id"]
    path = f"sessions/{number}/"
    for _ in range(3):
        handed = program.post(f"{path}next/")
        check(described, "/api/exchange/sessions/{id}/next/", "post", handed)
        file = handed.json()
        essay = essay_of(number, file["file"])
        assert (file["essay"]["text"], file["essay"]["meta"]["id"]) == (essay.text, essay.number)
        again = program.post(f"{path}repeat/")
        assert again.json()["file"] == file["file"]
        sent = program.post(f"{path}files/{file['file']}/", answer(essay))
        check(described, "/api/exchange/sessions/{id}/files/{file}/", "post", sent)
        assert sent.json()["accepted"] is True

    state = program.get(path)
    check(described, "/api/exchange/sessions/{id}/", "get", state)
    told = {name: state.json()[name] for name in ("state", "counted", "annulled", "solution")}
    assert told == {"state": "finished", "counted": 3, "annulled": 0, "solution": ""}
    gone = program.post(f"{path}next/")
    assert (gone.status_code, gone.json()["code"]) == (410, "ended")
    check(described, "/api/exchange/sessions/{id}/next/", "post", gone)
    log = program.get(f"{path}log/")
    check(described, "/api/exchange/sessions/{id}/log/", "get", log)
    (tmp_path / "log.json").write_bytes(log.content)
    judged = judged_log(str(tmp_path / "log.json"))
    verdicts = [each["verdict"] for each in judged["files"]]
    assert verdicts == [each["verdict"] for each in state.json()["verdicts"]]


def test_what_is_sent_twice_counts_once_with_a_key_or_without(program):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]
    address, body = f"sessions/{number}/files/{file}/", answer(essay_of(number, file))

    answers = [
        program.post(address, body),
        program.post(address, body),
        program.post(address, body, **{"Idempotency-Key": "mine"}),
        program.post(address, b"{}", **{"Idempotency-Key": "mine"}),
    ]

    told = [
        tuple(each.json()[name] for name in ("accepted", "repeated", "differed", "sends_left"))
        for each in answers
    ]
    assert told == [
        (True, False, False, 9),
        (True, True, False, 9),
        (True, False, False, 8),
        (True, True, True, 8),
    ]
    assert SessionEvent.objects.filter(what="send").count() == 2
    assert [each.json()["message"] for each in answers] == [
        *["Accepted."] * 3,
        "This differs from what came first under its key. Only the first is judged: Accepted.",
    ]


def test_an_answer_that_had_to_wait_for_the_server_counts_from_when_it_was_complete(program):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]
    time.sleep(0.5)
    arrived, complete = time.monotonic(), moment_now()
    time.sleep(1)

    program.post(
        f"sessions/{number}/files/{file}/", answer(essay_of(number, file)), **{ARRIVED: arrived}
    )

    sent = moment_of(SessionEvent.objects.get(what="send").at)
    assert abs(sent - complete) < 500_000


def test_no_answer_is_earlier_than_what_happened_before_it(program):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]
    asked = SessionEvent.objects.get(what="ask").at

    program.post(
        f"sessions/{number}/files/{file}/",
        answer(essay_of(number, file)),
        **{ARRIVED: time.monotonic() - 60},
    )

    assert SessionEvent.objects.get(what="send").at == asked


def test_an_answer_to_a_session_of_the_other_door_counts_and_is_no_connection(program):
    session = Client(program.person, door=Door.SOCKETIO, mode=Mode.TECHNICAL).session
    holder, now = uuid4(), moment_now()
    connect(participant=program.person, holder=holder, moment=now)
    disconnect(holder=holder, moment=now + 1)
    path = f"sessions/{session.pk}/"

    file = program.post(f"{path}next/").json()["file"]
    sent = program.post(f"{path}files/{file}/", answer(essay_of(session.pk, file)))

    assert sent.json()["accepted"] is True
    events = list(session.log.order_by("number").values_list("what", flat=True))
    assert events == ["open", "disconnect", "send"]


def test_a_name_that_no_file_has_and_an_empty_answer_are_told_so(program):
    opened = program.open().json()["id"]
    file = program.post(f"sessions/{opened}/next/").json()["file"]

    unknown = program.post(f"sessions/{opened}/files/nobody/", b"{}").json()
    empty = program.post(f"sessions/{opened}/files/{file}/", b"").json()

    told = [(each["reason"], each["message"]) for each in (unknown, empty)]
    assert told == [
        ("not-open", "no file of this name has opened in the session"),
        ("broken", "not readable as a markup"),
    ]
    said = ["The file is empty. Send a markup, be it one without fragments."]
    assert [each["message"] for each in empty["problems"]] == said


def test_an_answer_costs_the_same_few_statements_however_many_came_before(
    program, django_capture_on_commit_callbacks
):
    number = program.open().json()["id"]
    name = program.post(f"sessions/{number}/next/").json()["file"]
    essay, costs = essay_of(number, name), []

    for end in range(1, 7):
        body = answer(essay, spans=((0, end),))
        with (
            django_capture_on_commit_callbacks(execute=True),
            CaptureQueriesContext(connection) as asked,
        ):
            sent = program.post(f"sessions/{number}/files/{name}/", body)
        assert sent.json()["accepted"] is True
        costs.append(len(asked))

    assert costs[1:] == [costs[1]] * 5
    assert costs[1] <= 10


def test_what_is_wrong_with_an_answer_is_told_with_its_place(program):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]
    address = f"sessions/{number}/files/{file}/"

    broken = program.post(address, b'{"text": ').json()
    outside = program.post(address, answer(essay_of(number, file), spans=[(0, 9999)])).json()
    many = program.post(address, answer(essay_of(number, file), spans=[(0, 4)] * 1001)).json()
    foreign = program.post(address, answer(essay_of(number, file), text="Another")).json()

    reasons = [each["reason"] for each in (broken, outside, many, foreign)]
    assert reasons == ["broken", "broken", "broken", "foreign"]
    assert [each["problems"][0]["path"] for each in (outside, foreign)] == ["selections[0]", "text"]
    assert many["problems"][0]["message"] == "A markup holds at most 1000 fragments."
    assert broken["message"] == "not readable as a markup"


def test_each_refusal_has_its_word(program):
    opened = program.open()
    again = program.open()
    assert (again.status_code, again.json()["code"]) == (409, "already-open")
    aborted = program.post(f"sessions/{opened.json()['id']}/abort/")
    assert aborted.json()["state"] == "aborted"
    nothing = program.open(language="rus")
    assert (nothing.status_code, nothing.json()["code"]) == (409, "no-essays")
    assert program.open(mode="final").json()["code"] == "no-final"
    for wrong in ({"files": 9}, {"time": 61}, {"mode": "x"}, {"files": "many"}, {"more": 1}):
        assert program.open(**wrong).status_code == 400
    digits = program.open(time="10", files=10.0)
    words = ["A valid integer is required."]
    assert digits.json()["fields"] == {"files": words, "time": words}
    assert Program(PersonFactory()).open().status_code == 403


def test_a_final_is_waited_for(program):
    final_at(moment_now() + 90_000_000, program.person)
    number = program.open(mode="final").json()["id"]

    waits = program.post(f"sessions/{number}/next/")

    assert (waits.status_code, waits.content) == (204, b"")
    assert 80 <= int(waits.headers["Retry-After"]) <= 90
    state = program.get(f"sessions/{number}/").json()
    assert (state["state"], {each["verdict"] for each in state["verdicts"]}) == (
        "waiting",
        {"waiting"},
    )


def test_nobody_reads_or_touches_the_session_of_somebody_else(program):
    number = program.open().json()["id"]
    stranger, judge = Program(team()), Program(PersonFactory(role="judge"))
    reads = ["", "log/"]
    writes = ["next/", "repeat/", "abort/", "files/1/"]

    def statuses(who):
        read = [who.get(f"sessions/{number}/{each}").status_code for each in reads]
        return read, [who.post(f"sessions/{number}/{each}").status_code for each in writes]

    assert statuses(stranger) == ([404] * 2, [404] * 4)
    assert statuses(judge) == ([200] * 2, [403] * 4)
    assert statuses(Program(PersonFactory())) == ([403] * 2, [403] * 4)
    assert Browser().get(f"{HOME}sessions/{number}/").status_code == 401
    assert [len(each.get("sessions/").json()["results"]) for each in (stranger, judge)] == [0, 1]


def test_the_list_of_sessions_tells_moments_to_the_microsecond_as_each_session_does(program):
    session = program.open().json()
    program.post(f"sessions/{session['id']}/abort/")

    (listed,) = program.get("sessions/").json()["results"]

    told = program.get(f"sessions/{session['id']}/").json()
    moments = ("opened_at", "closed_at")
    assert [listed[each] for each in moments] == [told[each] for each in moments]
    assert listed["opened_at"].endswith("Z")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00" * 100,
        b"\xff\xfe",
        b"null",
        b"[" * 100_000,
        b'{"text": "\\ud800"}',
        b'{"text": 1, "selections": 5, "meta": [], "criteria": "x"}',
        b'{"meta": {"id": {"a": []}}, "text": "", "selections": [null, 1, "x", {}]}',
        b"9" * 10_000,
        b'{"selections": [' + b"{}," * 5000 + b"{}]}",
    ],
)
def test_whatever_bytes_come_are_answered_and_logged(program, body):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]

    found = program.post(f"sessions/{number}/files/{file}/", body)

    assert (found.status_code, found.json()["accepted"]) == (200, False)
    assert found.json()["reason"] in ("broken", "foreign")
    assert bytes(SessionEvent.objects.get(what="send").body) == body


@pytest.mark.parametrize("length", [2_621_441, 3_000_000])
def test_what_is_too_large_is_refused_and_told_in_the_log_of_the_platform(program, caplog, length):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]

    found = program.post(f"sessions/{number}/files/{file}/", b" " * length)

    address = f"{HOME}sessions/{number}/files/{file}/"
    assert (found.status_code, found.json()["code"]) == (413, "too-large")
    assert caplog.messages == [f"POST '{address}': a body of {length} bytes was refused"]
    assert not SessionEvent.objects.filter(what="send").exists()


def test_an_answer_that_comes_as_a_form_in_a_session_of_a_browser_needs_its_token(program):
    number = program.open().json()["id"]
    browser = Browser(enforce_csrf_checks=True, raise_request_exception=False)
    browser.force_login(program.person)
    browser.cookies["csrftoken"] = "c" * 32
    kinds = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x")

    for token, told in (("", 403), ("c" * 32, 200)):
        answers = [
            browser.post(
                f"{HOME}sessions/{number}/files/x/",
                b"a=b",
                content_type=kind,
                HTTP_X_CSRFTOKEN=token,
            )
            for kind in kinds
        ]
        assert [each.status_code for each in answers] == [told] * 2


def test_the_doors_tell_their_addresses(program, described):
    found = program.get()

    check(described, "/api/exchange/", "get", found)
    assert found.json()["doors"] == [{"door": "rest", "address": f"http://testserver{HOME}"}]


def test_where_a_gateway_runs_the_doors_tell_its_port(program, described, settings):
    settings.GATEWAY_URL = "http://127.0.0.1:8200/"

    found = program.get()

    check(described, "/api/exchange/", "get", found)
    gateway = "http://127.0.0.1:8200"
    waits = f"{gateway}/api/exchange/sessions/{{id}}/next/"
    assert found.json()["doors"] == [
        {"door": "rest", "address": f"http://testserver{HOME}", "next": waits},
        {"door": "socketio", "address": f"{gateway}/pku"},
    ]


def test_a_stranger_is_told_no_door():
    assert Browser().get(HOME).status_code == 401


def test_the_gateway_hands_a_file_out_in_the_very_words_of_the_web(program):
    number = program.open().json()["id"]
    told = program.post(f"sessions/{number}/next/").json()
    key = issue_token(user=program.person, name="another program")

    polled = ask(number, key, moment_now(), "en").body

    assert {**polled, "seconds_left": 0} == {**told, "seconds_left": 0}
