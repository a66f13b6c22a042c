"""What comes along with a change: the card that is open, or all parts of a page that is stale."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from tests.annotator.conftest import HTMX
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

TEXT = "Some people think so."


@pytest.fixture
def ask(log_in):
    def send(record, part, user=None, **fields):
        client = log_in(user or record.author)
        verb = client.get if part == "parts" else client.post
        return verb(f"/markups/{record.pk}/{part}/", fields, headers=HTMX)

    return send


def linked(ask, record, *, card):
    first, second = (row.pk for row in record.fragments.order_by("pk")[:2])
    return ask(record, "links", version=0, first=first, second=second, card=card)


def test_the_open_card_comes_with_the_tag_its_mark_was_given(ask):
    record = draft_of(TEXT, fragment(0, 4, comment="слово"), fragment(5, 11))
    number = record.fragments.first().pk

    page = page_of(linked(ask, record, card=number))

    card = page.one("#cards form")
    shown = (
        card["data-number"],
        card.one("#card-tag")["value"],
        card.one("#card-comment")["value"],
    )
    assert shown == (str(number), "грамм1", "слово")


@pytest.mark.parametrize("card", ["", "0", "x", "9" * 30, "-1"])
def test_where_no_card_is_open_none_comes(ask, card):
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11))

    response = linked(ask, record, card=card)

    assert response.status_code == 200
    assert page_of(response).find("#cards") == []


def test_the_card_of_a_mark_that_is_gone_is_closed(ask):
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11))

    page = page_of(linked(ask, record, card=10**8))

    assert (page.one("#cards").text, page.find("#cards form")) == ("", [])


def test_a_stale_page_gets_everything_as_it_is_by_now(ask):
    record = draft_of(TEXT, fragment(0, 4), whole_text("А.аспект"))
    MarkupRecord.objects.update(version=7)

    response = ask(record, "parts", card=record.fragments.first().pk)

    page = page_of(response)
    assert texts_of(response, "#marks b") == ["А.грамм"]
    assert texts_of(response, "#whole b") == ["А.аспект"]
    assert page.one("#essay").raw == TEXT
    assert page.one("#saved")["data-version"] == "7"
    assert page.one("#cards form").one("#card-code")["value"] == "А.грамм"


@pytest.mark.parametrize(
    ("role", "status"), [("expert", 404), ("judge", 403), ("participant", 403)]
)
def test_a_stranger_gets_no_part_of_a_draft(ask, role, status):
    record = draft_of(TEXT, fragment(0, 4))

    assert ask(record, "parts", user=PersonFactory(role=role)).status_code == status
