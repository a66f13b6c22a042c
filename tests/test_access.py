from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.messages import get_messages
from django.db import transaction
from django.test import Client
from django.test.client import ClientHandler
from django.urls import reverse

from accounts.middleware import LOGGED_OUT
from accounts.models import User
from accounts.services.tokens import issue_token, revoke_token
from tests.access_contest import CONTEST
from tests.access_table import TABLE
from tests.accounts.world import make_world, routes
from tests.examples import share
from tests.factories import PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db

VISITORS = ["anon", "part", "expe", "coor", "orga", "judg", "comm", "admi", "part2", "expe2"]

ROWS = [
    tuple(line.split())
    for line in (TABLE + CONTEST).splitlines()
    if line.strip() and line[0] != "#"
]
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
ANY_METHOD = {"accounts:login", "accounts:password", "accounts:invitation", "set_language"}
"""Django's own views, which read another method as GET or POST."""

PUBLIC_API = {"api:api_keys", "api:api_schema"}
API_ROUTES = sorted({name for name in routes() if name.startswith("api:")} - PUBLIC_API)


@pytest.fixture(scope="module")
def visitors(module_rows):  # noqa: ARG001 - the people are rows of the module
    """Who stands in the columns; None stands for nobody."""
    columns = {role[:4]: PersonFactory(role=role) for role in User.Role.values}
    columns |= {"anon": None, "part2": PersonFactory(role="participant"), "expe2": PersonFactory()}
    return {column: columns[column] for column in VISITORS}


@pytest.fixture(scope="module")
def world(visitors):
    return make_world(visitors["expe"], visitors["part"])


@pytest.fixture(scope="module")
def logins(visitors):
    """The cookie of everybody who is logged in."""
    return {person: cookie_of(person) for person in visitors.values() if person is not None}


def cookie_of(person):
    client = Client()
    client.force_login(person)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


@pytest.fixture(scope="module")
def handler():
    """One for all who ask, as a web process has one: each client would load all middleware anew."""
    return ClientHandler(enforce_csrf_checks=False)


@pytest.fixture
def ask(world, logins, handler):
    """What a visitor gets; what the question changed is undone for the next one."""

    def answer(visitor, route, method, thing, **headers):
        client = Client(raise_request_exception=False, headers=headers)
        client.handler = handler
        if visitor is not None:
            client.cookies[settings.SESSION_COOKIE_NAME] = logins[visitor]
        body = world.bodies.get(route, {}) if method == "POST" else {}
        is_api = route.startswith("api:")
        options = {"content_type": "application/json"} if is_api and method != "GET" else {}
        with transaction.atomic():
            address = reverse(route, kwargs=world.objects[thing])
            response = getattr(client, method.lower())(address, body, **options)
            transaction.set_rollback(True)
        return response

    return answer


def outcome(response, visitor):
    to_login = response.headers.get("Location", "").partition("?")[0] == reverse("accounts:login")
    return "login" if visitor is None and to_login else str(response.status_code)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:3]))
def test_everybody_gets_what_the_table_says(row, visitors, ask):
    """In the fast tier two of them ask for a row; strangers still ask for every object
    (tests/accounts/test_foreign_objects.py).
    """
    asking = share(VISITORS, 5, ROWS.index(row))

    found = {name: outcome(ask(visitors[name], *row[:3]), visitors[name]) for name in asking}

    said = dict(zip(VISITORS, row[3:], strict=True))
    assert found == {name: said[name] for name in asking}


def test_every_route_stands_in_the_table():
    declared = {row[0] for row in ROWS if not row[0].startswith("admin:")}

    assert (sorted(routes().keys() - declared), sorted(declared - routes().keys())) == ([], [])


@pytest.mark.parametrize("route", sorted(set(routes()) - ANY_METHOD))
def test_methods_outside_the_table_are_not_allowed(route, visitors, ask):
    rows = [row for row in ROWS if row[0] == route]
    missing = sorted(METHODS - {row[1] for row in rows})
    tries = [(method, name) for name in VISITORS if name != "anon" for method in missing]

    found = {
        (method, name): ask(visitors[name], route, method, rows[0][2]).status_code
        for method, name in share(tries, 8, ROWS.index(rows[0]))
    }

    assert found == dict.fromkeys(found, 405)


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row[3] == "login"], ids=lambda row: " ".join(row[:3])
)
def test_htmx_takes_an_anonymous_visitor_to_the_login_page(row, ask):
    response = ask(None, *row[:3], hx_request="true")

    shown = (response.status_code, response["HX-Redirect"], response.content)
    assert shown == (286, reverse("accounts:login"), b"")


def test_a_page_of_one_person_is_not_answered_to_another(visitors, ask):
    expert = visitors["expe"]
    asked = ("annotator:markup", "GET", "draft")

    own, anothers = (
        ask(expert, *asked, hx_request="true", x_person=str(person))
        for person in (expert.pk, expert.pk + 1)
    )

    assert own.status_code == 200
    shown = (anothers.status_code, anothers["HX-Redirect"], anothers.content)
    assert shown == (286, reverse("accounts:login"), b"")


@pytest.mark.parametrize(
    ("page", "after"),
    [
        ("http://testserver/queue/?page=2", "?next=%2Fqueue%2F%3Fpage%3D2"),
        ("http://evil.example/queue/", ""),
        ("//", ""),
    ],
)
def test_the_login_leads_back_to_the_page_htmx_was_on(ask, page, after):
    response = ask(None, "annotator:markup", "GET", "draft", hx_request="true", hx_current_url=page)

    assert response["HX-Redirect"] == reverse("accounts:login") + after


def test_after_the_login_a_page_is_shown_and_nothing_is_done(ask):
    page = ask(None, "annotator:queue", "GET", "-")
    deed = ask(None, "accounts:activity", "POST", "colleague")

    assert (page["Location"], deed["Location"]) == ("/login/?next=/queue/", "/login/")


@pytest.mark.parametrize(
    ("page", "after", "told"),
    [
        ("http://testserver/people/?q=ann", "?next=%2Fpeople%2F%3Fq%3Dann", [str(LOGGED_OUT)]),
        ("http://evil.example/people/", "", []),
    ],
)
def test_a_form_sent_logged_out_says_so_and_leads_back_to_its_page(ask, page, after, told):
    response = ask(None, "accounts:activity", "POST", "colleague", referer=page)

    assert response["Location"] == reverse("accounts:login") + after
    assert [str(each) for each in get_messages(response.wsgi_request)] == told


def test_what_was_typed_logged_out_is_given_back_without_secrets():
    browser = Client(enforce_csrf_checks=True)
    browser.get("/login/")
    typed = {
        "csrfmiddlewaretoken": browser.cookies["csrftoken"].value,
        "new_password1": "a secret of mine",
        "token": "abc",
        "key": "5d7c2a52-8f4f-4b7c-9a1e-0d9d1a1f6c11",
        "seen": "12",
        "role": "expert",
        "active": "on",
        "day": "2026-12-31",
        "days": "40",
        "full_name": "Ann",
        "note": "a day of ours",
        "empty": " ",
    }

    answer = browser.post("/deadlines/calendar/", typed)

    assert (answer.status_code, texts_of(answer, "#notice")) == (403, [str(LOGGED_OUT)])
    assert texts_of(answer, "details .essay") == ["2026-12-31", "40", "Ann", "a day of ours"]
    assert texts_of(answer, "details .sub") == ["Day", "Days", "Name", "Note"]


@pytest.fixture
def keys():
    """Headers that let nobody in."""
    person, closed = PersonFactory(), PersonFactory()
    good, revoked = issue_token(user=person, name="good"), issue_token(user=person, name="revoked")
    revoke_token(token=person.api_tokens.get(name="revoked"), actor=person)
    of_closed = issue_token(user=closed, name="closed")
    User.objects.filter(pk=closed.pk).update(is_active=False)
    return {
        "no key": {},
        "no word": {"authorization": "Token"},
        "an unknown key": {"authorization": f"Token {good[::-1]}"},
        "two keys": {"authorization": f"Token {good} {good}"},
        "another scheme": {"authorization": f"Bearer {good}"},
        "letters of no key": {"authorization": "Token \xff\xfe"},
        "a revoked key": {"authorization": f"Token {revoked}"},
        "the key of a closed account": {"authorization": f"Token {of_closed}"},
    }


@pytest.mark.parametrize("route", API_ROUTES)
def test_the_api_wants_a_valid_key(route, keys, ask):
    rows = [row for row in ROWS if row[0] == route]

    found = {
        (method, name): (response.status_code, response["WWW-Authenticate"])
        for _, method, thing, *_ in rows
        for name, headers in keys.items()
        for response in [ask(None, route, method, thing, **headers)]
    }

    assert found == dict.fromkeys(found, (401, "Token"))


def test_a_valid_key_opens_the_api_to_its_owner_only(world, visitors, ask):
    def asked_by(person):
        key = issue_token(user=person, name="program")
        header = f"Token {key}"
        return ask(None, "api:api_markup", "GET", "draft", authorization=header).status_code

    assert (asked_by(world.expert), asked_by(visitors["expe2"])) == (200, 404)
