from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from annotator.schema import ERRORS
from tests.factories import PersonFactory

ADDRESSES = {
    "/api/keys/",
    "/api/essays/",
    "/api/essays/{id}/",
    "/api/essays/{id}/markups/",
    "/api/markups/{id}/",
    "/api/markups/{id}/scores/",
    "/api/comparisons/{left}/{right}/",
    "/api/scores/",
    "/api/schemes/",
    "/api/schemes/{slug}/runs/",
    "/api/schemes/runs/{uuid}/",
    "/api/schemes/runs/{uuid}/items/",
    "/api/schemes/keys/",
    "/api/schemes/keys/{uuid}/",
}


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
    assert "Idempotency-Key" in [each["name"] for each in sending["parameters"]]


@pytest.mark.django_db
def test_a_stranger_may_read_how_the_api_works(client):
    assert client.get("/api/schema/").status_code == 200
