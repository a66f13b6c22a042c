"""What is no address of the API is answered in JSON, and a page that is none in a page."""

from __future__ import annotations

import pytest

from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db


def test_what_is_answered_is_json_whatever_was_asked_for(log_in):
    response = log_in(PersonFactory(role="participant")).put("/api/schema/")

    assert (response.status_code, response["Content-Type"]) == (405, "application/json")
    assert response.json()["code"] == "method_not_allowed"


@pytest.mark.parametrize("path", ["nowhere/", "essays/x/", "essays/1/markup/", ""])
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_address_nobody_has_is_answered_in_json(client, path, method):
    response = getattr(client, method)(f"/api/{path}")

    assert (response.status_code, response["Content-Type"]) == (404, "application/json")
    assert response.json() == {"code": "not_found", "message": "There is no such address."}


def test_a_page_that_is_none_is_told_in_a_page(client):
    response = client.get("/apish/")

    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")
