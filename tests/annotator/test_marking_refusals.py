from __future__ import annotations

import pytest

from annotator.core.values import Subject
from annotator.forms.fragments import FragmentForm
from annotator.models import FragmentRecord, MarkupRecord
from tests.annotator.drafts import MISSING, draft_of
from tests.factories import marking_form
from tests.pages import page_of, texts_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

OUTSIDE = "The place lies outside the essay. Select it again."
OTHER_WORDS = "The selected words are not those of the essay. Select again."
SURROGATE = "A field holds half of a surrogate pair. Remove it."
NO_PLACE = "%s is a semantic block and needs a place: it is not counted. Mark its words instead."
NUL = "Null characters are not allowed."

REFUSED = [
    ({"code": "вывод", "start": "", "end": "", "quote": ""}, NO_PLACE % "ВЫВОД"),
    (
        {"code": "Я.нет"},
        "The code “Я.нет” is not in the classifier of this subject. Check its spelling.",
    ),
    (
        {"code": "П.логика"},
        "The code “П.логика” is not in the classifier of this subject. Check its spelling.",
    ),
    ({"code": ""}, "code: This field is required."),
    ({"code": "  "}, "code: This field is required."),
    ({"subcode": "син"}, "The code А.грамм has no subcode “син”. Choose one of its own."),
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
    ({"start": -1}, "start: Ensure this value is greater than or equal to 0."),
    ({"end": "9" * 30}, OUTSIDE),
    ({"start": "five"}, "start: Enter a whole number."),
    ({"uid": "1"}, "uid: Enter a valid UUID."),
    ({"tag": "т" * 61}, "tag: Ensure this value has at most 60 characters (it has 61)."),
    ({"code": "А" * 61}, "code: Ensure this value has at most 60 characters (it has 61)."),
    ({"subcode": "с" * 61}, "subcode: Ensure this value has at most 60 characters (it has 61)."),
    (
        {"comment": "к" * 2001},
        "comment: Ensure this value has at most 2000 characters (it has 2001).",
    ),
    (
        {"correction": "к" * 2001},
        "correction: Ensure this value has at most 2000 characters (it has 2001).",
    ),
    (
        {"explanation": "к" * 4001},
        "explanation: Ensure this value has at most 4000 characters (it has 4001).",
    ),
    ({"comment": "a\0b"}, f"comment: {NUL}"),
    ({"explanation": "a\0b"}, f"explanation: {NUL}"),
    ({"code": "А\0"}, f"code: {NUL}"),
    ({"version": "x"}, "version: Enter a whole number."),
    ({"version": "-1"}, "version: Ensure this value is greater than or equal to 0."),
    ({"version": ""}, "version: This field is required."),
    ({"version": "9" * 5000}, "version: Enter a whole number."),
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

    assert (response.status_code, texts_of(response, "#notice")) == (422, [reason])
    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#notice", "outerHTML")
    assert b"<html" not in response.content
    assert list(FragmentRecord.objects.all()) == []
    assert MarkupRecord.objects.get().version == 0


@pytest.mark.parametrize(("wrong", "reason"), REFUSED[1:])
def test_a_change_that_cannot_be_is_refused_in_its_card(post, wrong, reason):
    record = draft_of("Some people think.", fragment(0, 4, "А.орф"))
    row = FragmentRecord.objects.get()

    response = post(record, form_of(record, **wrong), row)

    assert (response.status_code, texts_of(response, "#cards [role=alert]")) == (422, [reason])
    assert [each["id"] for each in page_of(response).find("[hx-swap-oob]")] == ["cards"]
    assert [each.to_core() for each in FragmentRecord.objects.all()] == [fragment(0, 4, "А.орф")]
    assert MarkupRecord.objects.get().version == 0


def test_half_of_a_surrogate_pair_is_refused():
    record = draft_of()
    essay = record.essay

    form = FragmentForm(form_of(record, comment="\ud800"), text=essay.text, subject=Subject.ENGLISH)

    assert form.errors == {"__all__": [SURROGATE]}
    assert form.fragment is None


@pytest.mark.parametrize("words", [{}, {"correction": " \t"}])
def test_a_correction_is_written_after_its_mark_is_made(post, words):
    record = draft_of()

    response = post(record, form_of(record, code="ИСП", **words))

    card = page_of(response).one("#cards form")
    assert response.status_code == 200
    assert [each.to_core() for each in FragmentRecord.objects.all()] == [fragment(5, 11, "ИСП")]
    assert card.one("#card-correction")["aria-invalid"] == "true"
    assert card.one("#card-needs").text == "This code needs a correction."


def test_the_missing_correction_is_asked_for_until_it_is_written(post):
    record = draft_of("Some people think.", fragment(5, 11, "ИСП"))
    row = FragmentRecord.objects.get()

    kept = post(record, {"version": 0, "comment": "слово"}, row)
    filled = post(record, {"version": 1, "correction": "men"}, row)

    asked = [len(page_of(response).find("#card-needs")) for response in (kept, filled)]
    assert asked == [1, 0]
    assert texts_of(kept, "#checklist li") == [
        "ИСП Correction only people ИСП needs a correction. Write what should stand here.",
        MISSING,
    ]
    assert texts_of(filled, "#checklist li") == [MISSING]


def test_the_same_mark_made_twice_is_remarked_on_and_keeps_nothing_back(post):
    record = draft_of("Some people think.", fragment(5, 11), fragment(5, 11, "А.орф"))
    second = FragmentRecord.objects.last()

    response = post(record, {"version": 0, "code": "А.грамм"}, second)

    assert texts_of(response, "#checklist li") == [
        (
            "А.грамм Grammar people The same mark as fragment А.грамм (people). "
            "Delete one of the two, unless both are meant."
        ),
        MISSING,
    ]
    assert page_of(response).find("#checklist .blocks") == []


@pytest.mark.parametrize("path", ["fragments/", "links/", "activity/"])
def test_without_htmx_a_page_says_why(log_in, path):
    record = draft_of()

    response = log_in(record.author).post(f"/markups/{record.pk}/{path}", {"version": 0})

    (reason,) = texts_of(response, "#notice")
    assert response.status_code == 422
    assert reason.endswith(": This field is required.")
    assert texts_of(response, "h1") == ["Not done"]


def test_what_was_typed_into_a_card_is_still_there(post):
    record = draft_of("Some people think.", fragment(5, 11, "А.лекс"))
    typed = {
        "code": "А.грамм",
        "subcode": "множ",
        "correction": 'a "man"',
        "comment": "с" * 2001,
        "explanation": "\nдолго\nписал <b>",
        "tag": "т1",
    }

    page = page_of(post(record, form_of(record, **typed), FragmentRecord.objects.get()))

    card = page.one("#cards form")
    shown = {
        "code": card.one("#card-code")["value"],
        "subcode": card.one("#card-subcode option[selected]")["value"],
        "correction": card.one("#card-correction")["value"],
        "comment": card.one("#card-comment")["value"],
        "explanation": card.one("#card-explanation").raw.removeprefix("\n"),  # as a browser does
        "tag": card.one("#card-tag")["value"],
    }
    assert shown == typed
    assert page.find("b") == card.find("h2 b")


def test_a_refused_code_is_pointed_at(post):
    record = draft_of("Some people think.", fragment(5, 11))

    page = page_of(post(record, {"version": 0, "code": ""}, FragmentRecord.objects.get()))

    assert page.one("#card-code")["aria-invalid"] == "true"


def test_more_marks_than_words_are_refused(post, monkeypatch):
    monkeypatch.setattr("annotator.services.drafts.MAX_FRAGMENTS", 1)
    record = draft_of("Some people think.", fragment(0, 4))

    response = post(record, form_of(record))

    assert (response.status_code, texts_of(response, "#notice")) == (
        422,
        ["A markup holds at most 1 fragments."],
    )
    assert FragmentRecord.objects.count() == 1


def test_a_mistake_of_the_whole_text_does_not_become_a_block(post):
    record = draft_of("Some people think.", whole_text("А.логика"))

    response = post(record, {"version": 0, "code": "ПРОБЛЕМА"}, FragmentRecord.objects.get())

    assert (response.status_code, texts_of(response, "#cards [role=alert]")) == (
        422,
        [NO_PLACE % "ПРОБЛЕМА"],
    )
    assert FragmentRecord.objects.get().code == "А.логика"
