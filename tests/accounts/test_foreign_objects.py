from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from annotator.models import EssaySet
from tests.accounts.world import SECRET, make_world, routes, snapshot
from tests.examples import share
from tests.factories import PersonFactory
from tests.test_access import ROWS, VISITORS, cookie_of

pytestmark = pytest.mark.django_db

PUBLIC = {
    *("accounts:invitation", "annotator:classifier", "schemes:scheme", "schemes:tool"),
    *("schemes:keep_key", "schemes:former_admin", "review:former_admin", "api:api_scheme_runs"),
    *("scoring:board", "scoring:board_json", "scoring:board_csv"),
    *(
        "contest:contest",
        "api:api_contest",
        "contest:feed",
        "contest:contest_board",
        "contest:announcement",
    ),
    *("contest:document", "contest:apply", "contest:confirm_application", "contest:invitation"),
    *("contest:publication", "contest:upload_board"),
    *("contest:upload_board_json", "contest:upload_board_csv"),
}
"""Routes whose argument is the secret itself, or names what everybody may read."""

PRACTICE = {"annotator:practice", "annotator:try"}
"""Routes to what every expert of the subject may practise on."""

OBJECT_ROUTES = sorted(name for name, arguments in routes().items() if arguments)
LISTS = sorted(name for name, arguments in routes().items() if not arguments)
NOWHERE = {"pk": 10**9, "number": 10**9, "left": 10**9, "right": 10**9, "uuid": uuid4()}
NOWHERE |= {"name": "res.dat", "key": uuid4(), "file": "none"}
NOWHERE |= {"author": 10**9, "origin": "free"}
NOWHERE |= {"slug": "nowhere", "version": 10**9, "kind": "none", "token": "nowhere"}


@pytest.fixture(scope="module")
def owners(module_rows):  # noqa: ARG001 - two of the rows of the module
    expert = PersonFactory(username=f"{SECRET}-expert")
    return expert, PersonFactory(username=f"{SECRET}-participant", role="participant")


@pytest.fixture(scope="module")
def world(owners):
    return make_world(*owners, training_is=EssaySet.Access.CLOSED)


@pytest.fixture(scope="module")
def sessions(module_rows):  # noqa: ARG001 - rows of the module
    """The cookies of strangers, by the column of the table their role stands in."""
    roles = {"expe": "expert", "part": "participant", "coor": "coordinator"}
    return {column: cookie_of(PersonFactory(role=role)) for column, role in roles.items()}


@pytest.fixture
def strangers(sessions):
    """Browsers of strangers, each test's own."""
    browsers = {column: Client() for column in sessions}
    for column, browser in browsers.items():
        browser.cookies[settings.SESSION_COOKIE_NAME] = sessions[column]
    return browsers


def send(browser, route, method, arguments, body):
    options = {"content_type": "application/json"} if route.startswith("api:") else {}
    return getattr(browser, method.lower())(reverse(route, kwargs=arguments), body, **options)


def answer(response):
    words = re.sub(rb'value="[^"]*"', b"", response.content)
    return response.status_code, words


@pytest.mark.parametrize("route", [name for name in OBJECT_ROUTES if name not in PUBLIC])
def test_a_foreign_object_looks_as_if_there_were_none(route, world, strangers):
    """In the fast tier one of the two strangers asks for each object."""
    rows = [row for row in ROWS if row[0] == route]
    assert rows, "the table of tests/test_access.py names no object for this route"

    for row in rows:
        _, method, thing, *cells = row
        arguments, body = world.objects[thing], world.bodies.get(route, {})
        nowhere = {name: NOWHERE[name] for name in arguments}
        asking = ("part",) if route in PRACTICE else share(("expe", "part"), 2, ROWS.index(row))
        for column in asking:
            its_door = "403" if cells[VISITORS.index(column)] == "403" else "404"
            browser = strangers[column]
            foreign = answer(send(browser, route, method, arguments, body))
            missing = answer(send(browser, route, method, nowhere, body))
            assert (foreign[0], foreign) == (int(its_door), missing), (method, thing, column)


@pytest.mark.parametrize("route", ["accounts:person", "accounts:invite", "accounts:activity"])
def test_the_account_of_an_administrator_is_not_there_for_a_coordinator(route, world, strangers):
    chief = world.objects["administrator"]

    foreign = answer(send(strangers["coor"], route, "POST", chief, {}))

    assert foreign == answer(send(strangers["coor"], route, "POST", {"pk": 10**9}, {}))
    assert foreign[0] == 404


def test_strangers_change_nothing_whatever_they_post(world, strangers):
    before = snapshot()

    for route, method, thing, *_ in ROWS:
        if method == "POST" and world.objects[thing] and route not in PUBLIC | PRACTICE:
            for column in ("expe", "part"):
                body = world.bodies.get(route, {})
                send(strangers[column], route, "POST", world.objects[thing], body)

    assert snapshot() == before


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("column", ["expe", "part"])
def test_no_list_shows_a_stranger_what_is_not_his(column, strangers):
    shown = {}
    for route in {*LISTS} - PRACTICE:
        response = send(strangers[column], route, "GET", {}, {})
        if SECRET.encode() in response.content:
            shown[route] = response.status_code

    assert shown == {}


@pytest.mark.usefixtures("world")
def test_lists_show_owners_and_coordinators_what_is_theirs(owners, log_in, strangers):
    browsers = {"expert": log_in(owners[0]), "coordinator": strangers["coor"]}
    essay = f"{SECRET}-1".encode()

    shown = {
        name: {route for route in LISTS if essay in send(browser, route, "GET", {}, {}).content}
        for name, browser in browsers.items()
    }

    assert shown == {
        "expert": {"annotator:queue", "api:api_essays"},
        "coordinator": {
            "review:desk",
            "review:deadlines",
            "review:problems",
            "api:api_essays",
            "api:api_assignments",
        },
    }


OTHERS_WORDS = {
    "id": "1",
    "pk": "1",
    "is_superuser": "on",
    "is_staff": "on",
    "is_active": "",
    "password": "ten-ten-ten",
    "groups": "1",
    "user_permissions": "1",
    "date_joined": "1999-01-01",
    "user": "1",
    "user_id": "1",
    "author": "1",
    "author_id": "1",
    "actor": "1",
    "essay": "1",
    "essay_id": "1",
    "assignment": "1",
    "markup": "1",
    "round": "7",
    "source": "expert",
    "state": "submitted",
    "third": "on",
    "taken_from": "1",
    "reopened_at": "1999-01-01",
    "reopened_because": "mine",
    "kind": "block",
    "stated": "{}",
    "client_key": "mine",
    "digest": "0" * 64,
    "hint": "mine",
    "revoked_at": "1999-01-01",
    "submitted_at": "1999-01-01",
    "deadline_at": "2099-01-01",
}
"""Columns no form and no address of the API takes from the request."""

KEYS = {"id", "digest", "hint", "password"}
TIMES = {"active_at", "created_at", "date_joined", "deadline_at", "last_login"}
DRAWN_ANEW = (
    KEYS
    | TIMES
    | {"saved_at", "submitted_at", "superseded_at", "reopened_at", "revoked_at", "expires_at"}
    | {"closed_at", "imported_at", "uuid"}
)
MADE_WITH = {
    "accounts:new_person": {"username": "made", "full_name": "Made", "role": "expert"},
    "accounts:person": {"username": "changed", "full_name": "Changed", "role": "expert"},
    "accounts:account": {"name": "a program"},
    "review:assign": {"role": "second"},
    "review:ask_act": {"state": "late"},
}
DRAWN_BY = {"contest:confirm_application": {"username"}}
"""What some routes draw besides: the login of a team's account, to which nobody signs in."""
CLOSED = {"login", "401", "403", "404"}
WRITES = [row for row in ROWS if row[1] == "POST" and not CLOSED.issuperset(row[3:])]


@pytest.fixture(scope="module")
def people_of_columns(owners):
    """Owners and staff, by the column of the table their role stands in."""
    roles = {"coor": "coordinator", "admi": "administrator", "judg": "judge"}
    staff = {column: PersonFactory(role=role) for column, role in roles.items()}
    return {"expe": owners[0], "part": owners[1], **staff}


@pytest.mark.parametrize("row", WRITES, ids=lambda row: " ".join(row[:3]))
def test_only_the_fields_of_a_form_are_read(row, people_of_columns, world, log_in):
    route, method, thing, *cells = row
    allowed = [name for name in people_of_columns if cells[VISITORS.index(name)] not in CLOSED]
    browser = log_in(people_of_columns[allowed[0]])
    body = {**world.bodies.get(route, {}), **MADE_WITH.get(route, {})}
    body |= {"expert": PersonFactory().pk} if route == "review:assign" else {}

    def after(body):
        with transaction.atomic():
            status = send(browser, route, method, world.objects[thing], body).status_code
            rows = snapshot(without=DRAWN_ANEW | DRAWN_BY.get(route, set()))
            transaction.set_rollback(True)
        return status, rows

    if route == "api:api_send_answer":  # whatever is sent is judged and logged as it is
        assert after({**OTHERS_WORDS, **body})[0] == 200
    elif route.startswith("api:"):  # a program is told of what nobody reads
        status, rows = after({**OTHERS_WORDS, **body})
        assert (status in (400, 404), rows) == (True, snapshot(without=DRAWN_ANEW))
    else:
        assert after({**OTHERS_WORDS, **body}) == after(body)
