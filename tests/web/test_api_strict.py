"""The API refuses by name unknown query parameters and fields, and booleans that are none."""

from __future__ import annotations

import json
from uuid import UUID

import pytest
from django.urls import get_resolver, reverse

from schemes.models import SchemeRun, StoredKey
from tests.factories import PersonFactory
from tests.schemes.inputs import INPUTS

pytestmark = pytest.mark.django_db

_, PATTERNS = next(
    (each.namespace, each.url_patterns)
    for each in get_resolver().url_patterns
    if getattr(each, "namespace", "") == "api"
)
PLACES = {
    "pk": 1,
    "left": 1,
    "right": 2,
    "slug": "use",
    "uuid": UUID(int=1),
    "file": "0001",
}


@pytest.fixture
def client(log_in):
    return log_in(PersonFactory(role="participant"))


def refused(response):
    return (response.status_code, response.json().get("fields"))


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda each: each.name)
def test_an_unknown_query_parameter_is_refused_by_name(client, pattern):
    names = pattern.pattern.regex.groupindex or pattern.pattern.converters
    path = reverse(f"api:{pattern.name}", kwargs={name: PLACES[name] for name in names})
    method = client.post if pattern.name == "api_keys" else client.get

    response = method(f"{path}?nobody=1&limitt=2")

    told = ["There is no such query parameter."]
    assert refused(response) == (400, {"limitt": told, "nobody": told})


def post(client, path, body):
    return client.post(path, json.dumps(body), content_type="application/json")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/keys/", {"username": "a", "password": "b"}),
        ("/api/schemes/keys/", {"scheme": "use", "name": "a", "content": "b"}),
        ("/api/schemes/use/runs/", {"inputs": {}}),
    ],
)
def test_an_unknown_field_is_refused_by_name(client, path, body):
    response = post(client, path, {**body, "ofered": True})

    assert refused(response) == (400, {"ofered": ["There is no such field."]})


@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        ("keys/", [], "non_field_errors"),
        ("schemes/keys/", "a", "non_field_errors"),
        ("schemes/use/runs/", [], "non_field_errors"),
        ("schemes/use/runs/", {"inputs": []}, "inputs"),
        ("schemes/use/runs/", {"options": "yo"}, "options"),
    ],
)
def test_what_is_no_object_is_refused_in_words_of_json(client, path, body, fields):
    told = ["Send an object: names and values in braces."]

    assert refused(post(client, f"/api/{path}", body)) == (400, {fields: told})


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"options": {"task": "4"}}, {"task": ["Give one of these: 1, 2, 3."]}),
        ({"stored_key": str(UUID(int=1))}, {"stored_key": ["There is no such stored key."]}),
    ],
)
def test_of_a_value_there_is_not_it_is_said_which_there_are(client, body, fields):
    response = post(client, "/api/schemes/qac/runs/", {"inputs": texts("qac"), **body})

    assert refused(response) == (400, fields)


@pytest.mark.parametrize("value", ["true", "no", 1, 0, None, []])
def test_a_boolean_is_true_or_false_and_nothing_else(client, value):
    response = post(
        client,
        "/api/schemes/keys/",
        {"scheme": "use", "name": "a", "content": "b", "offered": value},
    )

    assert (response.status_code, set(response.json()["fields"])) == (400, {"offered"})
    assert list(StoredKey.objects.all()) == []


@pytest.mark.parametrize("value", ["true", "no", 1, 0, None])
def test_an_option_that_is_a_tick_takes_booleans_only(client, value):
    response = post(
        client, "/api/schemes/qac/runs/", {"inputs": texts("qac"), "options": {"nfkc": value}}
    )

    assert refused(response) == (400, {"nfkc": ["Give true or false."]})
    assert list(SchemeRun.objects.all()) == []


def texts(slug):
    return INPUTS[slug]()


def test_a_forms_ticks_and_fields_are_checked_as_well(client):
    no_boolean = client.post("/api/schemes/qac/runs/", {**texts("qac"), "nfkc": "no"})
    no_field = client.post("/api/schemes/qac/runs/", {**texts("qac"), "nkfc": "true"})

    assert refused(no_boolean) == (400, {"nfkc": ["Give true or false."]})
    assert refused(no_field) == (400, {"nkfc": ["There is no such field."]})
    assert list(SchemeRun.objects.all()) == []


def test_a_runs_key_with_another_body_is_a_conflict(client):
    def order(body, path="/api/schemes/qac/runs/"):
        headers = {"Idempotency-Key": "run-1"}
        return client.post(path, json.dumps(body), "application/json", headers=headers)

    first, same = (order({"inputs": texts("qac"), "name": "a"}) for _ in range(2))

    other = order({"inputs": texts("qac"), "name": "b"})
    elsewhere = order({"inputs": texts("qac"), "name": "a"}, "/api/schemes/use/runs/")

    assert [each.status_code for each in (first, same, other, elsewhere)] == [201, 200, 409, 409]
    assert other.json() == {
        "code": "conflict",
        "message": "This key was used for another body. Use a new one.",
    }
    assert SchemeRun.objects.count() == 1


def test_a_limit_is_told_in_our_words_with_the_seconds_to_wait(client):
    def log_in():
        body = {"username": "nobody", "password": "wrong"}
        return post(client, "/api/keys/", body)

    refusal = [log_in() for _time in range(6)][-1]

    wait = refusal.headers["Retry-After"]
    told = f"Too many tries. Try again in {wait} s."
    assert (refusal.status_code, refusal.json()) == (429, {"code": "throttled", "message": told})


def test_a_runs_key_with_other_files_is_a_conflict(client):
    def order(**changed):
        fields = {**texts("qac"), **changed}
        return client.post(
            "/api/schemes/qac/runs/", fields, headers={"Idempotency-Key": "run-1"}
        ).status_code

    assert [order(), order(), order(name="b")] == [201, 200, 409]
