from __future__ import annotations

import pytest

from annotator.core.values import Subject
from annotator.forms import FragmentForm
from annotator.models import FragmentRecord, MarkupRecord
from tests.annotator.drafts import draft_of
from tests.factories import marking_form
from tests.pages import page_of, texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

OUTSIDE = "The place lies outside the essay. Select it again."
OTHER_WORDS = "The selected words are not those of the essay. Select again."
SURROGATE = "A field holds half of a surrogate pair. Remove it."
NUL = "Null characters are not allowed."

REFUSED = [
    ({"code": "Я.нет"}, "The code “Я.нет” is not in the classifier of this subject."),
    ({"code": "П.логика"}, "The code “П.логика” is not in the classifier of this subject."),
    ({"code": ""}, "This field is required."),
    ({"code": "  "}, "This field is required."),
    ({"subcode": "син"}, "The code А.грамм has no subcode “син”. Choose one of its own."),
    ({"code": "ИСП"}, "ИСП needs a correction. Write what should stand here."),
    (
        {"code": "ИСП", "correction": " \t"},
        "ИСП needs a correction. Write what should stand here.",
    ),
    (
        {"code": "А.объем"},
        "А.объем is a mistake of the whole text. Mark it without a place.",
    ),
    ({"quote": "People"}, OTHER_WORDS),
    ({"quote": ""}, OTHER_WORDS),
    ({"quote": "people "}, OTHER_WORDS),
    ({"start": 11}, OUTSIDE),
    ({"start": 12}, OUTSIDE),
    ({"end": 19, "quote": "people think."}, OUTSIDE),
    ({"end": ""}, OUTSIDE),
    ({"start": ""}, OUTSIDE),
    ({"start": -1}, "Ensure this value is greater than or equal to 0."),
    ({"end": "9" * 30}, OUTSIDE),
    ({"start": "five"}, "Enter a whole number."),
    ({"uid": "1"}, "Enter a valid UUID."),
    ({"tag": "т" * 61}, "Ensure this value has at most 60 characters (it has 61)."),
    ({"code": "А" * 61}, "Ensure this value has at most 60 characters (it has 61)."),
    ({"subcode": "с" * 61}, "Ensure this value has at most 60 characters (it has 61)."),
    ({"comment": "к" * 2001}, "Ensure this value has at most 2000 characters (it has 2001)."),
    ({"correction": "к" * 2001}, "Ensure this value has at most 2000 characters (it has 2001)."),
    ({"explanation": "к" * 4001}, "Ensure this value has at most 4000 characters (it has 4001)."),
    ({"comment": "a\0b"}, NUL),
    ({"explanation": "a\0b"}, NUL),
]


@pytest.fixture
def post(log_in):
    def send(record, fields, row=None, htmx=True):
        address = f"/markups/{record.pk}/fragments/" + (f"{row.pk}/" if row else "")
        headers = {"HX-Request": "true"} if htmx else {}
        return log_in(record.author).post(address, fields, headers=headers)

    return send


def form_of(record, **wrong):
    return {**marking_form(record, start=5, end=11), **wrong}


@pytest.mark.parametrize(("wrong", "reason"), REFUSED)
def test_a_mark_that_cannot_be_is_refused_with_its_reason(post, wrong, reason):
    record = draft_of()

    response = post(record, form_of(record, **wrong))

    assert (response.status_code, texts_of(response, ".notice.bad")) == (422, [reason])
    assert list(FragmentRecord.objects.all()) == []
    assert MarkupRecord.objects.get().version == 0


@pytest.mark.parametrize(("wrong", "reason"), REFUSED[::4])
def test_a_change_that_cannot_be_is_refused_as_well(post, wrong, reason):
    record = draft_of("Some people think.", fragment(0, 4))
    row = FragmentRecord.objects.get()

    response = post(record, form_of(record, **wrong), row)

    assert (response.status_code, texts_of(response, ".notice.bad")) == (422, [reason])
    assert [each.to_core() for each in FragmentRecord.objects.all()] == [fragment(0, 4)]


def test_half_of_a_surrogate_pair_is_refused():
    record = draft_of()
    essay = record.essay

    form = FragmentForm(form_of(record, comment="\ud800"), text=essay.text, subject=Subject.ENGLISH)

    assert form.errors == {"__all__": [SURROGATE]}
    assert form.fragment is None


def test_without_htmx_the_whole_page_says_why(post):
    record = draft_of()

    response = post(record, form_of(record, code="ИСП"), htmx=False)

    page = page_of(response)
    assert response.status_code == 422
    assert page.one("#essay").raw == record.essay.text
    assert page.one(".notice.bad").text == "ИСП needs a correction. Write what should stand here."


def test_what_was_typed_into_a_card_is_still_there(post):
    record = draft_of("Some people think.", fragment(5, 11))
    typed = {
        "code": "ИСП",
        "comment": "слово",
        "explanation": "долго\nписал <b>",
        "tag": "т1",
    }

    page = page_of(post(record, form_of(record, **typed), FragmentRecord.objects.get()))

    card = page.one("#card")
    shown = {
        "code": card.one("#card-code option[selected]").text,
        "comment": card.one("#card-comment")["value"],
        "explanation": card.one("#card-explanation").raw,
        "tag": card.one("#card-tag")["value"],
    }
    assert shown == typed
    assert texts_of(post(record, form_of(record), None), ".marks li") == [
        "А.грамм people",
        "А.грамм people",
    ]


def test_more_marks_than_words_are_refused(post, monkeypatch):
    monkeypatch.setattr("annotator.services.markup.MAX_FRAGMENTS", 1)
    record = draft_of("Some people think.", fragment(0, 4))

    response = post(record, form_of(record))

    assert (response.status_code, texts_of(response, "#notice")) == (
        422,
        ["A markup holds at most 1 fragments."],
    )
    assert FragmentRecord.objects.count() == 1
