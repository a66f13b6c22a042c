from __future__ import annotations

import pytest

from annotator.models import FragmentRecord
from tests.annotator.drafts import draft_of
from tests.pages import page_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

TEXT = "Some people\nthink <b>so</b>."
WORDS = {
    "subcode": "множ",
    "correction": 'a "man" & <i>',
    "comment": "мало «слов»",
    "explanation": "раз\n\n  два\tтри",
    "tag": "множ1",
}


@pytest.fixture
def post(log_in):
    def send(record, path, fields):
        return log_in(record.author).post(f"/markups/{record.pk}/fragments/{path}", fields)

    return send


def toast(response):
    """What the toast sends to bring the mark back, as its script reads it."""
    return {each["name"]: each["value"] for each in page_of(response).find("#toast [name]")}


def quoted(record, fields):
    """The place goes along with its words, which the script reads from the essay."""
    if "start" not in fields:
        return fields
    return {**fields, "quote": record.essay.text[int(fields["start"]) : int(fields["end"])]}


def stored():
    return [row.to_core() for row in FragmentRecord.objects.all()]


@pytest.mark.parametrize(
    "marked",
    [
        fragment(0, 4),
        fragment(5, 20, **WORDS),
        fragment(0, 28, "ПРОБЛЕМА", comment="введение"),
        fragment(12, 17, "ИСП"),
        whole_text(**WORDS),
    ],
)
def test_a_deleted_mark_is_brought_back_with_every_field(post, marked):
    record = draft_of(TEXT, marked)
    dropped = post(record, f"{FragmentRecord.objects.get().pk}/drop/", {"version": 0})
    assert stored() == []

    response = post(record, "", {"version": 1, **quoted(record, toast(dropped))})

    assert (response.status_code, stored()) == (200, [marked])


def test_a_mark_is_brought_back_once(post):
    record = draft_of(TEXT, fragment(0, 4))
    dropped = post(record, f"{FragmentRecord.objects.get().pk}/drop/", {"version": 0})
    form = {"version": 1, **quoted(record, toast(dropped))}

    answers = [post(record, "", form) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert stored() == [fragment(0, 4)]


def test_the_same_mark_deleted_twice_is_brought_back_twice(post):
    record = draft_of(TEXT, fragment(0, 4, **WORDS))

    for version in (0, 2):
        row = FragmentRecord.objects.get()
        dropped = post(record, f"{row.pk}/drop/", {"version": version})
        post(record, "", {"version": version + 1, **quoted(record, toast(dropped))})

    assert stored() == [fragment(0, 4, **WORDS)]


def test_other_changes_offer_nothing_to_bring_back(post):
    record = draft_of(TEXT, fragment(0, 4))

    response = post(record, f"{FragmentRecord.objects.get().pk}/", {"version": 0, "comment": "а"})

    assert page_of(response).find("#toast") == []
