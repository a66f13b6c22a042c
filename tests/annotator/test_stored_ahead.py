"""A page that asks for it hears that its change is stored before the parts of the page are made."""

from __future__ import annotations

import re
import zlib

import pytest
from django.db import connection
from django.test.signals import template_rendered
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import localtime

from annotator.models import Assignment, MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory, marking_form
from tests.pages import page_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

TEXT = "Some people think that sport unite people."
HTMX = {"HX-Request": "true"}
AHEAD = {**HTMX, "X-Stored": "?"}
PACKED = 16 + zlib.MAX_WBITS
CHANGES = ["mark", "words", "code", "deletion", "link", "alike", "undo"]


@pytest.fixture
def rendered():
    """The templates that were rendered, as they are."""
    found = []

    def note(template, **_told):
        found.append(template.name)

    template_rendered.connect(note)
    yield found
    template_rendered.disconnect(note)


def posted(name):
    """A draft with two marks, and what is posted of it."""
    record = draft_of(TEXT, fragment(5, 11), fragment(23, 28))
    first, second = (row.pk for row in record.fragments.order_by("pk"))
    base = f"/markups/{record.pk}/"
    mark = f"{base}fragments/{first}/"
    form = marking_form(record, start=0, end=4)
    links = {"version": 0, "first": first, "second": second, "uid": form["uid"]}
    places = f"0-4:{form['uid']}"
    asked = {
        "mark": (f"{base}fragments/", form),
        "words": (mark, {"version": 0, "comment": "why", "quiet": 1}),
        "code": (mark, {"version": 0, "code": "А.лекс"}),
        "deletion": (f"{mark}drop/", {"version": 0}),
        "link": (f"{base}links/", links),
        "alike": (f"{base}same/", {**form, "places": places}),
        "undo": (f"{base}undo/", {"version": 0, "uid": form["uid"]}),
    }
    return record, *asked[name]


def body_of(response):
    return b"".join(response.streaming_content).decode()


def shape(html):
    """What each part of an answer renews, and how; numbers of rows aside."""
    parts = (each for each in page_of(html).children if not isinstance(each, str))
    told = ((each.attributes.get("id", ""), each["hx-swap-oob"]) for each in parts)
    return [(name, re.sub(r"'\d+'", "'…'", how)) for name, how in told]


@pytest.mark.parametrize("name", CHANGES)
def test_the_head_says_what_is_stored_before_a_part_is_made(log_in, rendered, name):
    record, path, fields = posted(name)

    response = log_in(record.author).post(path, fields, headers=AHEAD)

    stored = MarkupRecord.objects.get(pk=record.pk)
    assert (response.status_code, response["X-Stored"]) == (200, str(stored.version))
    assert response["X-Saved-At"] == f"{localtime(stored.saved_at):%H:%M}"
    assert stored.version == (0 if name == "undo" else 1)
    assert rendered == []
    parts = response.streaming_content
    assert (next(parts), rendered) == (b"\n", [])
    saved = page_of(b"".join(parts).decode()).one("#saved")
    assert saved["data-version"] == str(stored.version)
    assert "annotator/marking/answer.html" in rendered


@pytest.mark.parametrize("name", CHANGES)
def test_the_answer_is_the_same_and_costs_as_many_statements(log_in, name):
    found = []
    for headers in (HTMX, AHEAD):
        record, path, fields = posted(name)
        client = log_in(record.author)
        client.get("/account/")
        with CaptureQueriesContext(connection) as queries:
            response = client.post(path, fields, headers=headers)
            html = body_of(response) if response.streaming else response.content.decode()
        found.append((shape(html), len(queries)))

    assert found[0] == found[1]
    assert found[0][0][-1] == ("saved", "true")  # that it came says that all of it came


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_something_can_be_read_before_a_part_is_made_compressed_or_not(log_in, rendered, encoding):
    record, path, fields = posted("mark")
    headers = {**AHEAD, "Accept-Encoding": encoding}

    response = log_in(record.author).post(path, fields, headers=headers)

    first = next(response.streaming_content)
    assert rendered == []
    assert (zlib.decompressobj(PACKED).decompress(first) if encoding == "gzip" else first) == b"\n"
    assert response.get("X-Accel-Buffering") == "no"


def test_the_same_change_sent_again_is_told_the_version_there_is(log_in):
    record, path, fields = posted("mark")
    client = log_in(record.author)
    body_of(client.post(path, fields, headers=AHEAD))

    again = client.post(path, fields, headers=AHEAD)

    assert again["X-Stored"] == "1"
    assert "А.грамм" in body_of(again)
    assert record.fragments.count() == 3


def test_what_is_not_stored_is_refused_in_one_piece(log_in):
    record, path, fields = posted("code")
    client = log_in(record.author)

    refused = client.post(path, {**fields, "code": "Я.нет"}, headers=AHEAD)
    MarkupRecord.objects.filter(pk=record.pk).update(version=3)
    meets = client.post(path, fields, headers=AHEAD)
    Assignment.objects.filter(pk=record.assignment_id).update(state="withdrawn")
    closed = client.post(path, fields, headers=AHEAD)
    strange = log_in(PersonFactory(role="expert")).post(path, fields, headers=AHEAD)

    answers = (refused, meets, closed, strange)
    assert [each.status_code for each in answers] == [422, 409, 409, 404]
    assert [each.streaming or "X-Stored" in each for each in answers] == [False] * 4
