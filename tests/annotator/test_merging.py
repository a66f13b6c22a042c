"""Changes of two pages of one draft: what they both touch is a conflict, the rest is merged."""

from __future__ import annotations

import uuid

import pytest

from annotator.core.steps import Step
from annotator.models import FragmentRecord, MarkupRecord
from annotator.services.drafts import state_criteria
from annotator.services.markup import reopen
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory, marking_form
from tests.pages import texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

TEXT = "Some people think that sport unite people."
HERE, THERE = "aaaa:1", "bbbb:1"


@pytest.fixture
def post(log_in):
    """Send a step of a draft from a page: ``post(record, "5/drop/", version=3, page=HERE)``."""

    def sent(record, where="", **fields):
        words = {**fields, "uid": fields.get("uid") or str(uuid.uuid4())}
        address = f"/markups/{record.pk}/fragments/{where}"
        return log_in(record.author).post(address, words, headers={"HX-Request": "true"})

    return sent


def mark(record, start, end, **fields):
    return marking_form(record, start=start, end=end, code="А.лекс", **fields)


def stored(*names):
    return list(FragmentRecord.objects.order_by("pk").values_list(*names))


def test_marks_of_two_pages_are_both_made_and_the_late_page_shows_both(post):
    record = draft_of(TEXT)

    first = post(record, **mark(record, 0, 4, version=0, page=HERE))
    second = post(record, **mark(record, 5, 11, version=0, page=THERE))

    assert (first.status_code, second.status_code) == (200, 200)
    assert stored("start", "end") == [(0, 4), (5, 11)]
    assert texts_of(second, "#marks li") == ["А.лекс Vocabulary Some", "А.лекс Vocabulary people"]
    assert MarkupRecord.objects.get().version == 2


def test_changes_of_two_marks_are_merged_and_those_of_one_are_not(post):
    record = draft_of(TEXT, fragment(0, 4), fragment(5, 11))
    first, second = (row.pk for row in record.fragments.all())

    answers = [
        post(record, f"{first}/", version=0, comment="here", page=HERE),
        post(record, f"{second}/", version=0, comment="there", page=THERE),
        post(record, f"{first}/", version=0, comment="too late", page=THERE),
        post(record, f"{second}/drop/", version=0, page=HERE),
    ]

    assert [each.status_code for each in answers] == [200, 200, 409, 409]
    assert stored("comment") == [("here",), ("there",)]


def test_a_page_that_sends_quicker_than_it_is_answered_meets_no_conflict_with_itself(post):
    record = draft_of(TEXT)
    uid = str(uuid.uuid4())

    answers = [
        post(record, **mark(record, 0, 4, version=0, page=HERE, uid=uid)),
        post(record, f"{uid}/", version=0, comment="here", page=HERE),
        post(record, f"{uid}/drop/", version=0, page=HERE),
    ]

    assert [each.status_code for each in answers] == [200, 200, 200]
    assert stored("start") == []


def test_two_pages_without_a_name_are_two(post):
    record = draft_of(TEXT, fragment(0, 4))
    (number,) = (row.pk for row in record.fragments.all())

    answers = [post(record, f"{number}/", version=0, comment=words) for words in ("a", "b")]

    assert [each.status_code for each in answers] == [200, 409]
    assert stored("comment") == [("a",)]


def test_points_of_two_criteria_are_merged_whatever_either_page_knew():
    record = draft_of(TEXT)
    here, there = (MarkupRecord.objects.get(pk=record.pk) for _ in range(2))

    state_criteria(record=here, version=0, stated={"K1": 1})
    state_criteria(record=there, version=0, stated={"K3": 2})

    assert MarkupRecord.objects.get().stated == {"K1": 1, "K3": 2}
    (last,) = record.changes.filter(version=2)
    assert last.to_core().restated.before == {"K1": 1}


def test_a_change_the_log_does_not_tell_of_is_a_conflict(post):
    record = draft_of(TEXT)
    MarkupRecord.objects.update(version=1)

    response = post(record, **mark(record, 0, 4, version=0))

    assert (response.status_code, stored("start")) == (409, [])


def test_a_change_made_before_a_check_was_submitted_and_reopened_is_made_after(post):
    record = draft_of(TEXT)
    reopen(record, reason="Look at K4")

    response = post(record, **mark(record, 0, 4, version=0))

    assert response.status_code == 200
    assert list(record.changes.values_list("version", "step")) == [
        (1, Step.ASIDE),
        (2, Step.MADE),
    ]


def test_a_stranger_merges_nothing(log_in):
    record = draft_of(TEXT)
    address = f"/markups/{record.pk}/fragments/"

    response = log_in(PersonFactory(role="expert")).post(address, mark(record, 0, 4, version=0))

    assert (response.status_code, stored("start")) == (404, [])
