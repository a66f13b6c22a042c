from __future__ import annotations

import json

import pytest
from django.test import RequestFactory
from django_htmx.middleware import HtmxDetails

from tests.pages import page_of
from web.declining import decline


def declined(path="/", **headers):
    request = RequestFactory().get(path, headers=headers)
    request.htmx = HtmxDetails(request)
    return decline(request, "It is taken.", code="taken", status=409)


@pytest.mark.parametrize("path", ["/api/", "/api", "/api/essays/1/"])
def test_a_program_gets_json_whatever_it_says_of_itself(path):
    response = declined(path, hx_request="true")

    assert (response.status_code, response["Content-Type"]) == (409, "application/json")
    assert json.loads(response.content) == {"code": "taken", "message": "It is taken."}


def test_a_part_of_a_page_gets_a_notice_where_notices_stand():
    response = declined("/apiary/", hx_request="true")

    placed = (response["HX-Retarget"], response["HX-Reswap"])
    assert (response.status_code, placed) == (409, ("#notice", "outerHTML"))
    assert response.content.decode().startswith('<div id="notice"')
    assert "It is taken." in response.content.decode()


def test_anybody_else_gets_a_page():
    response = declined()

    page = page_of(response)
    assert (response.status_code, page.one("h1").text) == (409, "Not done")
    assert page.one("#notice").text.strip() == "It is taken."
