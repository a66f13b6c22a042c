"""Places of the same words are marked all at once: one step, what is marked already stays."""

from __future__ import annotations

import uuid

import pytest

from annotator.core.steps import Step
from annotator.models import FragmentRecord
from annotator.services.markup import close
from annotator.services.stepping import step
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory, marking_form
from tests.pages import texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

TEXT = "People think. Some people run; people rest, and Peoples too."
AT = [(0, 6), (19, 25), (31, 37)]
MODEL = fragment(19, 25, "А.лекс", subcode="слово", comment="own", correction="men", tag="т1")


@pytest.fixture
def send(log_in):
    def posted(record, *places, user=None, **fields):
        named = " ".join(f"{start}-{end}:{uuid.uuid4()}" for start, end in places)
        sent = {"places": named, "quote": "people", "version": record.version, **fields}
        return log_in(user or record.author).post(f"/markups/{record.pk}/same/", sent)

    return posted


def marks_of(record):
    rows = FragmentRecord.objects.filter(markup=record).order_by("start", "code")
    fields = ("start", "end", "code", "subcode", "comment", "correction", "tag")
    return list(rows.values_list(*fields))


def said(response):
    return texts_of(response, "#said")


def test_the_other_places_get_what_the_mark_has_but_its_tag(send):
    record = draft_of(TEXT, MODEL)
    like = record.fragments.get()

    response = send(record, *AT, like=like.pk)

    words = ("А.лекс", "слово", "own", "men")
    assert response.status_code == 200
    assert marks_of(record) == [(0, 6, *words, ""), (19, 25, *words, "т1"), (31, 37, *words, "")]
    assert said(response) == ["Marked: А.лекс слово, 2 places. 1 was marked already"]


def test_a_mark_that_has_no_number_yet_is_named_by_its_uid(send):
    record = draft_of(TEXT, MODEL)

    send(record, AT[0], like=str(record.fragments.get().uid))

    assert [mark[2] for mark in marks_of(record)] == ["А.лекс", "А.лекс"]


def test_words_of_a_quick_mark_come_along(send):
    record = draft_of(TEXT)

    send(record, *AT, code="А.грамм", subcode="множ", comment="Number", correction="person")

    words = ("А.грамм", "множ", "Number", "person", "")
    assert marks_of(record) == [(*place, *words) for place in AT]


def test_it_is_one_step_that_is_undone_and_made_again(send):
    record = draft_of(TEXT)
    send(record, *AT, code="А.грамм")
    record.refresh_from_db()
    assert (record.version, record.changes.count()) == (1, 1)

    step(record=record, way=Step.UNDONE, uid=uuid.uuid4())
    assert marks_of(record) == []
    record.refresh_from_db()
    step(record=record, way=Step.REDONE, uid=uuid.uuid4())
    assert [mark[:3] for mark in marks_of(record)] == [(*place, "А.грамм") for place in AT]


def test_sent_again_it_is_made_once(send):
    record = draft_of(TEXT)
    sent = {"uid": str(uuid.uuid4()), "code": "А.грамм"}

    first, again = (send(record, *AT, **sent) for _time in range(2))

    assert said(first) == said(again) == ["Marked: А.грамм, 3 places"]
    assert len(marks_of(record)) == 3
    assert record.changes.count() == 1


def test_a_place_under_the_same_code_is_left_and_one_under_another_is_marked(send):
    record = draft_of(TEXT, fragment(14, 25, "а.ГРАММ"), fragment(31, 37, "А.орф"))

    response = send(record, *AT, code="А.грамм")

    assert [mark[:3] for mark in marks_of(record)] == [
        (0, 6, "А.грамм"),
        (14, 25, "а.ГРАММ"),
        (31, 37, "А.грамм"),
        (31, 37, "А.орф"),
    ]
    assert said(response) == ["Marked: А.грамм, 2 places. 1 was marked already"]


def test_where_all_is_marked_nothing_is_made(send):
    record = draft_of(TEXT, fragment(0, 6))

    response = send(record, AT[0], code="А.грамм")

    assert said(response) == ["Marked: А.грамм, 0 places. 1 was marked already"]
    assert record.changes.count() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"quote": "person"},
        {"quote": ""},
        {"places": ""},
        {"places": "0-6"},
        {"places": f"6-0:{uuid.UUID(int=1)}"},
        {"places": f"0-9999999:{uuid.UUID(int=1)}"},
        {"places": f"56-9999999:{uuid.UUID(int=1)}", "quote": "too."},
        {"places": f"0-6:{uuid.UUID(int=1)}\n" + "x"},
        {"code": "no such code"},
        {"code": ""},
        {"version": "x"},
    ],
)
def test_what_is_not_of_the_text_or_no_code_is_refused_and_marks_nothing(send, wrong):
    record = draft_of(TEXT)

    response = send(record, AT[0], **{"code": "А.грамм", **wrong})

    assert response.status_code == 422
    assert marks_of(record) == []


@pytest.mark.parametrize("door", ["same", "fragments"])
def test_a_new_mark_by_the_uid_of_another_one_is_a_conflict_and_marks_nothing(send, log_in, door):
    record = draft_of(TEXT, MODEL)
    uid, step = record.fragments.get().uid, uuid.uuid4()

    if door == "same":
        response = send(record, places=f"0-6:{uid}", uid=step, code="А.грамм")
    else:
        sent = marking_form(record, start=0, end=6, uid=uid)
        response = log_in(record.author).post(f"/markups/{record.pk}/fragments/", sent)

    assert response.status_code == 409
    assert [mark[:3] for mark in marks_of(record)] == [(19, 25, "А.лекс")]
    record.refresh_from_db()
    assert (record.version, record.changes.count()) == (0, 0)


def test_a_model_that_is_gone_is_a_conflict(send):
    record = draft_of(TEXT)

    assert send(record, AT[0], like="9999").status_code == 409


def test_nobody_else_marks_anything_and_a_closed_check_is_a_conflict(send):
    record = draft_of(TEXT)
    assert send(record, AT[0], code="А.грамм", user=PersonFactory()).status_code == 404

    close(record=record)
    assert send(record, AT[0], code="А.грамм").status_code == 409
    assert marks_of(record) == []
