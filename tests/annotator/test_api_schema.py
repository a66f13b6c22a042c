from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command

from annotator.core.codec import FILE_KEYS
from annotator.core.fragment_json import FRAGMENT_KEYS
from annotator.schema import ProblemAwareSchema
from annotator.serializers import Submission
from tests.factories import PersonFactory
from web.schema import ERRORS

ADDRESSES = {
    "/api/keys/",
    "/api/essays/",
    "/api/essays/{id}/",
    "/api/essays/{id}/markups/",
    "/api/markups/{id}/",
    "/api/markups/{id}/points/",
    "/api/markups/{id}/scores/",
    "/api/essays/{id}/points/",
    "/api/comparisons/{left}/{right}/",
    "/api/scores/",
    "/api/scores/runs/",
    "/api/scores/runs/{id}/",
    "/api/scores/runs/{id}/entries/",
    "/api/scores/runs/{id}/results/",
    "/api/schemes/",
    "/api/schemes/{slug}/runs/",
    "/api/schemes/runs/{uuid}/",
    "/api/schemes/runs/{uuid}/items/",
    "/api/schemes/keys/",
    "/api/schemes/keys/{uuid}/",
    "/api/sets/",
    "/api/sets/{id}/",
    "/api/sets/{id}/states/",
    "/api/sets/{id}/results/",
    "/api/sets/{id}/verdicts/",
    "/api/imports/",
    "/api/imports/{id}/",
    "/api/imports/{id}/files/",
    "/api/imports/{id}/left-out/",
    "/api/imports/{id}/confirm/",
    "/api/assignments/",
    "/api/assignments/{id}/withdraw/",
    "/api/submissions/",
    "/api/submissions/{id}/",
    "/api/exchange/",
    "/api/contests/",
    "/api/contests/{slug}/",
    "/api/contests/{slug}/uploads/",
    "/api/exchange/parcels/",
    "/api/exchange/parcels/{id}/",
    "/api/exchange/parcels/{id}/files/",
    "/api/exchange/sessions/",
    "/api/exchange/sessions/{id}/",
    "/api/exchange/sessions/{id}/log/",
    "/api/exchange/sessions/{id}/abort/",
    "/api/exchange/sessions/{id}/next/",
    "/api/exchange/sessions/{id}/repeat/",
    "/api/exchange/sessions/{id}/files/{file}/",
}
PARTS = {"id", "slug", "uuid", "left", "right", "file"}
"""Parameters that stand in the addresses."""


def test_the_schema_is_valid_and_without_warnings():
    out = StringIO()

    call_command("spectacular", validate=True, fail_on_warn=True, stdout=out)

    assert out.getvalue().startswith("openapi: 3")


@pytest.mark.django_db
def test_the_schema_describes_every_address_and_what_each_may_refuse(log_in):
    client = log_in(PersonFactory(role="participant"))

    schema = client.get("/api/schema/?format=json").json()

    assert set(schema["paths"]) == ADDRESSES
    for address in ADDRESSES - {"/api/keys/"}:
        for operation in schema["paths"][address].values():
            assert set(ERRORS) <= set(operation["responses"])
    sending = schema["paths"]["/api/essays/{id}/markups/"]["post"]
    assert list(sending["requestBody"]["content"]) == ["application/json"]
    assert {"200", "201"} <= set(sending["responses"])
    assert "conflict (409)" in key_of(sending)
    answering = schema["paths"]["/api/exchange/sessions/{id}/files/{file}/"]["post"]
    assert "answered as the first was" in key_of(answering)
    opening = schema["paths"]["/api/exchange/sessions/"]["post"]
    assert "the same session (200)" in key_of(opening)


def key_of(operation):
    """What is said of the key in the head."""
    (found,) = [each for each in operation["parameters"] if each["name"] == "Idempotency-Key"]
    return found["description"]


@pytest.mark.django_db
def test_what_a_refusal_holds_is_described_once(log_in):
    schema = log_in(PersonFactory(role="participant")).get("/api/schema/?format=json").json()

    bodies = {
        json.dumps(operation["responses"][status]["content"])
        for operations in schema["paths"].values()
        for operation in operations.values()
        for status in ERRORS
    }

    part = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    assert bodies == {json.dumps(part)}
    assert schema["components"]["schemas"]["Refusal"] == ProblemAwareSchema.refusal


def test_what_is_sent_is_described_with_every_field_that_is_read():
    assert set(Submission().fields) == FILE_KEYS
    fragment = Submission().fields["selections"].child
    assert set(fragment.fields) == FRAGMENT_KEYS
    needed = {name for name, each in fragment.fields.items() if each.required}
    assert needed == {"startSelection", "endSelection", "type"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "needed"),
    [
        ("/api/essays/{id}/markups/", {"selections"}),
        ("/api/exchange/sessions/{id}/files/{file}/", {"selections", "text"}),
    ],
)
def test_a_markup_is_described_fragment_by_fragment_wherever_it_is_sent(log_in, address, needed):
    schema = log_in(PersonFactory(role="participant")).get("/api/schema/?format=json").json()

    parts = schema["components"]["schemas"]
    body = schema["paths"][address]["post"]["requestBody"]["content"]["application/json"]
    sent = parts[body["schema"]["$ref"].rsplit("/", 1)[1]]
    assert set(sent["required"]) == needed
    fragment = sent["properties"]["selections"]["items"]["$ref"].rsplit("/", 1)[1]
    assert set(parts[fragment]["properties"]) == FRAGMENT_KEYS


@pytest.mark.django_db
def test_files_are_sent_as_bytes(log_in):
    schema = log_in(PersonFactory(role="participant")).get("/api/schema/?format=json").json()

    parts = schema["components"]["schemas"]
    for order in ("ParcelOrder", "UploadOrder"):
        assert parts[order]["properties"]["file"] == {"type": "string", "format": "binary"}
    files = parts["ImportOrder"]["properties"]["files"]
    assert files["items"] == {"type": "string", "format": "binary"}


@pytest.mark.django_db
def test_every_query_parameter_an_address_takes_is_described(log_in):
    client = log_in(PersonFactory(role="participant"))
    paths = client.get("/api/schema/?format=json").json()["paths"]

    described = {
        address: {each["name"] for each in operations["get"].get("parameters", ())}
        for address, operations in paths.items()
        if "get" in operations
    }

    taken = {address: names for address, names in described.items() if names - PARTS}
    assert {address: names - PARTS for address, names in taken.items()} == {
        "/api/essays/": {"set", "subject", "number", "limit", "offset"},
        "/api/essays/{id}/markups/": {"limit", "offset"},
        "/api/scores/runs/": {"limit", "offset"},
        "/api/scores/runs/{id}/entries/": {"limit", "offset"},
        "/api/scores/runs/{id}/results/": {"as"},
        "/api/sets/": {"limit", "offset"},
        "/api/sets/{id}/states/": {"limit", "offset"},
        "/api/sets/{id}/results/": {"limit", "offset"},
        "/api/sets/{id}/verdicts/": {"limit", "offset"},
        "/api/imports/": {"limit", "offset"},
        "/api/imports/{id}/files/": {"limit", "offset"},
        "/api/assignments/": {"set", "expert", "essay", "state", "role", "limit", "offset"},
        "/api/submissions/": {"limit", "offset"},
        "/api/contests/": {"limit", "offset"},
        "/api/contests/{slug}/uploads/": {"limit", "offset"},
        "/api/exchange/parcels/": {"limit", "offset"},
        "/api/exchange/parcels/{id}/files/": {"limit", "offset"},
        "/api/exchange/sessions/": {"limit", "offset"},
        "/api/schemes/keys/": {"limit", "offset"},
        "/api/schemes/{slug}/runs/": {"limit", "offset"},
        "/api/schemes/runs/{uuid}/items/": {"verdict", "group", "q", "limit", "offset"},
    }


@pytest.mark.django_db
def test_a_stranger_may_read_how_the_api_works(client):
    assert client.get("/api/schema/").status_code == 200
