from __future__ import annotations

import io

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services.tokens import issue_token
from config.admission import ADMISSION, Admission
from tests.accounts.world import make_world, routes
from tests.e2e.database import connected
from tests.factories import PersonFactory
from tests.test_access import ROWS

pytestmark = pytest.mark.django_db

KB, MB = 2**10, 2**20
ENVELOPE = 64 * KB
ROLES = [None, "participant", "expert", "judge", "coordinator"]
EVERYBODY = set(User.Role.values)
MANAGERS = {"coordinator", "organiser", "administrator"}
LARGE = {
    "accounts:people_file": (5 * MB, MANAGERS),
    "annotator:import": (100 * MB, MANAGERS),
    "annotator:key": (5 * MB, MANAGERS),
    "annotator:keys": (100 * MB, MANAGERS),
    "annotator:fragments": (2.5 * MB, {"expert"}),
    "annotator:same": (2.5 * MB, {"expert"}),
    "annotator:fragment": (2.5 * MB, {"expert"}),
    "annotator:source": (2.5 * MB, {"expert"}),
    "schemes:scheme": (50 * MB, EVERYBODY),
    "schemes:tool": (2.5 * MB, EVERYBODY),
    "schemes:keep_key": (50 * MB, EVERYBODY),
    "api:api_imports": (100 * MB, MANAGERS),
    "api:api_markups": (2.5 * MB, {"participant"}),
    "contest:send_upload": (20 * MB, {"participant"}),
    "contest:upload_terms": (20 * MB, {"organiser", "administrator"}),
    "api:api_uploads": (20 * MB, {"participant"}),
    "contest:send_parcel": (100 * MB, {"participant"}),
    "api:api_parcels": (100 * MB, {"participant"}),
    "api:api_send_answer": (2.5 * MB, {"participant"}),
    "api:api_scheme_runs": (50 * MB, EVERYBODY),
    "api:api_scheme_keys": (2.5 * MB, EVERYBODY),
}
"""What takes more than a form of 256 KB, and from whom."""


class Unread(io.BytesIO):
    """A body nobody may touch."""

    def read(self, *_):
        raise AssertionError("the body was read")

    readline = read


@pytest.fixture(scope="module")
def objects(module_rows):  # noqa: ARG001 - rows of the module
    """What each route opens, by the first row of the table of access."""
    world = make_world(PersonFactory(), PersonFactory(role="participant"))
    first = {row[0]: row[2] for row in reversed(ROWS)}
    return {route: world.objects[first[route]] for route in routes()}


@pytest.fixture(scope="module")
def clients(module_rows):  # noqa: ARG001 - rows of the module
    """A browser of every role that is asked for, and one of nobody in particular."""
    browsers = {role: Client(raise_request_exception=False) for role in ROLES}
    for role in filter(None, ROLES):
        browsers[role].force_login(PersonFactory(role=role))
    return browsers


@pytest.fixture
def ask(objects, clients):
    """Announce a body to a route."""

    def announced(role, route, length, *, admission=None, **headers):
        extra = {"headers": headers, "CONTENT_LENGTH": str(int(length)), "wsgi.input": Unread()}
        extra |= {ADMISSION: admission} if admission else {}
        return clients[role].generic("POST", reverse(route, kwargs=objects[route]), **extra)

    return announced


def limit_of(role, route):
    if role is None:
        return 64 * KB
    size, roles = LARGE.get(route, (0, ()))
    return size if role in roles else 256 * KB


@pytest.mark.parametrize("role", ROLES)
def test_every_door_has_the_limit_of_the_table(role, ask):
    found = {}
    for route in routes():
        admission = Admission()
        answer = ask(role, route, 1, admission=admission)
        found[route] = (answer.status_code, admission.limit)

    assert found == {route: (204, limit_of(role, route) + ENVELOPE) for route in routes()}


@pytest.mark.parametrize("role", [None, "coordinator"])
def test_a_larger_body_is_refused_unread(role, ask):
    found = {
        route: ask(role, route, limit_of(role, route) + ENVELOPE + 1).status_code
        for route in routes()
    }

    assert found == dict.fromkeys(routes(), 413)


def test_the_table_names_doors_that_are_there():
    assert LARGE.keys() <= routes().keys()


def test_a_refusal_says_the_limit(ask):
    page = ask("participant", "schemes:scheme", 51 * MB).content.decode()
    part = ask("expert", "annotator:fragments", 3 * MB, hx_request="true").content.decode()
    of_nobody = ask(None, "api:api_keys", MB).json()

    assert "This is larger than 50 MB, the most that is taken here." in page
    assert "larger than 2.5 MB" in part
    assert "<html" not in part
    assert of_nobody == {
        "code": "too-large",
        "message": "Without an account at most 64 KB are taken. Log in first.",
    }


def test_a_program_is_known_by_its_key(ask):
    participant = PersonFactory(role="participant")
    key = issue_token(user=participant, name="program")
    admissions = {"good": Admission(), "bad": Admission()}

    ask(None, "api:api_markups", 2 * MB, admission=admissions["good"], authorization=f"Token {key}")
    refused = ask(None, "api:api_markups", 2 * MB, authorization="Token nobody")

    assert (admissions["good"].limit, refused.status_code) == (2.5 * MB + ENVELOPE, 413)


@pytest.mark.parametrize(
    ("cookie", "content_type", "limit"),
    [
        ("sessionid=abcdefghijklmnop", "application/x-www-form-urlencoded", MB + ENVELOPE),
        ("sessionid=abcdefghijklmnop", "multipart/form-data; boundary=b", MB + ENVELOPE),
        ("sessionid=abcdefghijklmnop", "application/json", None),
        ("sessionid=?", "application/x-www-form-urlencoded", 64 * KB + ENVELOPE),
        ("", "application/x-www-form-urlencoded", 64 * KB + ENVELOPE),
    ],
)
def test_in_an_outage_a_form_with_a_session_is_read_for_its_words(cookie, content_type, limit):
    admission = Admission()
    extra = {ADMISSION: admission, "CONTENT_LENGTH": str(limit or MB), "wsgi.input": Unread()}
    client = Client(raise_request_exception=False, headers={"Cookie": cookie})
    address = reverse("schemes:tool", kwargs={"slug": "use", "name": "try"})
    with connected("sqlite:////nowhere/at/all.sqlite3"):
        answer = client.generic("POST", address, CONTENT_TYPE=content_type, **extra)

    assert (answer.status_code, admission.limit) == (204 if limit else 503, limit)


@pytest.mark.parametrize("length", ["-1", "1e9", "9" * 40, "²"])
def test_a_length_that_is_none_is_too_large(length, people):
    client = Client(raise_request_exception=False)
    client.force_login(people["coordinator"])

    answer = client.generic("POST", "/import/", CONTENT_LENGTH=length)

    assert answer.status_code == 413
