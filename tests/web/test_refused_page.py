"""What somebody reads whose form was refused leads back to where the form stands."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from annotator.models.imports import EssayImport
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def address():
    """Of an import that cannot be undone yet."""
    batch = EssayImport.objects.create(
        essay_set=EssaySetFactory(),
        set_name="A",
        state="running",
        lease_until=Now() + timedelta(hours=1),
    )
    return f"/imports/{batch.pk}/undo/"


def links(response):
    return [(link.text, link["href"]) for link in page_of(response).find("main a")]


def test_a_refusal_leads_back_to_the_page_of_its_form_in_either_language(client, address):
    refused = client.post(address, HTTP_REFERER="http://testserver/imports/?page=2")

    assert (refused.status_code, links(refused)) == (
        422,
        [("Back to the page", "/imports/?page=2"), ("To the start page", "/")],
    )
    assert page_of(refused).one("form.language input[name=next]")["value"] == "/imports/?page=2"


@pytest.mark.parametrize("origin", ["", "https://elsewhere.example/imports/"])
def test_a_refusal_leads_to_no_page_of_others(client, address, origin):
    refused = client.post(address, HTTP_REFERER=origin)

    assert links(refused) == [("To the start page", "/")]


def test_an_address_for_forms_alone_says_so_to_who_opens_it(client, address):
    opened = client.get(address.replace("undo", "confirm"))

    assert (opened.status_code, opened["Allow"]) == (405, "POST")
    assert texts_of(opened, "#notice") == [
        "This address only takes what a form sends; it shows nothing."
    ]
