"""What the description of the API says of an answer is what is answered."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.annotator.files import selection
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.schemes.inputs import INPUTS, do_all
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

FREE = {"options", "figures", "cells"}
"""What a scheme knows, each another thing."""
SENT = {"Submission", "AnswerToFile", "RunOrder"}


@pytest.fixture
def described(log_in):
    return log_in(PersonFactory(role="judge")).get("/api/schema/?format=json").json()


def closed(schema, components):
    """A schema of OpenAPI as one of JSON Schema that knows every key there may be."""
    if "$ref" in schema:
        return closed(components[schema["$ref"].rsplit("/", 1)[1]], components)
    found = {**schema}
    for name in ("oneOf", "allOf", "anyOf"):
        if name in found:
            found[name] = [closed(each, components) for each in found[name]]
    if "items" in found:
        found["items"] = closed(found["items"], components)
    if isinstance(found.get("additionalProperties"), dict):
        found["additionalProperties"] = closed(found["additionalProperties"], components)
    if "properties" in found:
        properties = found["properties"].items()
        found["properties"] = {name: closed(each, components) for name, each in properties}
        found["additionalProperties"] = False
    return {"anyOf": [found, {"type": "null"}]} if found.pop("nullable", False) else found


def bare(schema, name=""):
    """The names of what is only said to be an object."""
    if isinstance(schema, dict):
        is_object = schema.get("type") == "object"
        says_more = schema.get("properties") or schema.get("additionalProperties")
        if is_object and not says_more and name not in FREE:
            yield name
        for key, each in schema.items():
            yield from bare(each, key)
    if isinstance(schema, list):
        for each in schema:
            yield from bare(each, name)


@pytest.fixture
def world():
    essay_set = EssaySetFactory(access="open")
    essay = EssayFactory(essay_set=essay_set)
    ant = PersonFactory(role="participant", username="ant")
    one, other = (submitted(essay, fragment(12, 17)), submitted(essay, fragment(12, 20)))
    sent = submitted(essay, fragment(12, 17), fragment(0, 4), author=ant, source="algorithm")
    score(one, other, sent)
    return essay, ant, one, other, sent


def test_every_answer_to_a_get_is_as_it_is_described(log_in, described, world):
    essay, ant, one, _other, sent = world
    client = log_in(ant)
    staff = log_in(PersonFactory(role="judge"))
    addresses = {
        "/api/essays/": "/api/essays/",
        "/api/essays/{id}/": f"/api/essays/{essay.pk}/",
        "/api/essays/{id}/markups/": f"/api/essays/{essay.pk}/markups/",
        "/api/essays/{id}/points/": f"/api/essays/{essay.pk}/points/",
        "/api/markups/{id}/": f"/api/markups/{sent.pk}/",
        "/api/markups/{id}/points/": f"/api/markups/{sent.pk}/points/",
        "/api/markups/{id}/scores/": f"/api/markups/{sent.pk}/scores/",
        "/api/comparisons/{left}/{right}/": f"/api/comparisons/{sent.pk}/{one.pk}/",
        "/api/scores/": "/api/scores/",
        "/api/sets/": "/api/sets/",
        "/api/sets/{id}/": f"/api/sets/{essay.essay_set_id}/",
        "/api/sets/{id}/states/": f"/api/sets/{essay.essay_set_id}/states/",
        "/api/sets/{id}/results/": f"/api/sets/{essay.essay_set_id}/results/",
        "/api/assignments/": "/api/assignments/",
        "/api/schemes/": "/api/schemes/",
        "/api/schemes/keys/": "/api/schemes/keys/",
    }
    for address, asked in addresses.items():
        answer = staff.get(asked)
        assert answer.status_code == 200, address
        check(described, address, "get", answer)
        assert answer.json() not in ([], {}), address
    assert client.get("/api/scores/").json() != []
    for address in ("/api/submissions/", f"/api/submissions/{sent.pk}/"):
        path = address.replace(str(sent.pk), "{id}")
        check(described, path, "get", client.get(address))


def test_every_answer_to_a_run_is_as_it_is_described(log_in, described):
    client = log_in(PersonFactory(role="participant"))
    body = json.dumps({"inputs": INPUTS["qac"]()})

    ordered = client.post("/api/schemes/qac/runs/", body, content_type="application/json")

    check(described, "/api/schemes/{slug}/runs/", "post", ordered)
    check(described, "/api/schemes/{slug}/runs/", "get", client.get("/api/schemes/qac/runs/"))
    do_all()
    address = f"/api/schemes/runs/{ordered.json()['id']}/"
    check(described, "/api/schemes/runs/{uuid}/", "get", client.get(address))
    check(described, "/api/schemes/runs/{uuid}/items/", "get", client.get(f"{address}items/"))


def test_what_is_accepted_and_what_is_refused_is_as_it_is_described(log_in, described, world):
    essay, ant, *_markups = world
    client = log_in(ant)

    def post(body):
        address = f"/api/essays/{essay.pk}/markups/"
        return client.post(address, body, content_type="application/json")

    accepted = post(json.dumps({"selections": [selection(0, 4, color="red")]}))
    refused = [
        post(json.dumps({"selections": [selection(0, 4, "Я.нет")]})),
        post(json.dumps({"selektions": []})),
        post('{"selections": [}'),
        client.get("/api/essays/987654/"),
    ]

    assert [each.status_code for each in (accepted, *refused)] == [201, 422, 400, 400, 404]
    for each in (accepted, *refused):
        check(described, "/api/essays/{id}/markups/", "post", each)


def test_no_answer_is_described_as_an_object_and_no_more(described):
    answers = {
        (address, method, status): schema
        for address, operations in described["paths"].items()
        for method, operation in operations.items()
        for status, response in operation["responses"].items()
        for schema in response.get("content", {}).values()
    }

    parts = described["components"]["schemas"].items()
    answers |= {name: schema for name, schema in parts if name not in SENT}
    told = {place: list(bare(schema)) for place, schema in answers.items()}

    assert {place: names for place, names in told.items() if names} == {}


def check(described, address, method, answer):
    responses = described["paths"][address][method]["responses"]
    (content,) = responses[str(answer.status_code)]["content"].values()
    schema = closed(content["schema"], described["components"]["schemas"])
    jsonschema.validate(answer.json(), schema)
