"""Markups sent past sessions: of test essays not so many that the key is found by trying."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO

import pytest
from django.db.models import F
from django.utils import timezone

from annotator.models import EssaySet, MarkupRecord
from contest.services.uploads.parcels import send_parcel
from tests.contest.data_world import contest_of, data_set_of, phase_of
from tests.contest.markup_world import archive_of, work_off
from tests.contest.world import answer, handed, marked_set, unmarked_set

pytestmark = pytest.mark.django_db

TOLD = "Markups of this test essay of the last 24 hours: 5, no more are taken."


@pytest.fixture
def sending(log_in):
    """Sends the first letters of an essay as a mark of each length from 1 to ``times``."""

    def sent(person, essay, times):
        browser, address = log_in(person), f"/api/essays/{essay.pk}/markups/"
        bodies = [answer(essay, spans=((0, end),)) for end in range(1, times + 1)]
        return [
            browser.post(address, each, content_type="application/json").status_code
            for each in bodies
        ]

    return sent


def test_of_a_test_essay_as_many_are_taken_a_day_as_of_its_sessions(sending):
    one, other = marked_set(2, access="closed").essays.order_by("number")
    person = handed(one)
    handed(other, person)

    assert sending(person, one, 6) == [*[201] * 5, 422]
    assert sending(person, other, 1) == [201]
    assert sending(handed(one), one, 1) == [201]
    MarkupRecord.objects.update(submitted_at=F("submitted_at") - timedelta(days=1))
    assert sending(person, one, 1) == [201]


def test_of_a_training_essay_any_number(sending):
    essay = marked_set(1).essays.get()

    assert sending(handed(essay), essay, 7) == [201] * 7


@pytest.mark.parametrize("published", [None, -1])
def test_of_an_essay_of_finals_none_be_it_before_or_after_they_are_published(
    sending, log_in, published
):
    essay = unmarked_set(1).essays.get()
    at = published and timezone.now() + timedelta(days=published)
    EssaySet.objects.update(state="open", published_at=at)
    person = handed(essay)

    assert sending(person, essay, 1) == [422]
    told = log_in(person).post(
        f"/api/essays/{essay.pk}/markups/", answer(essay), content_type="application/json"
    )
    assert "is for finals" in told.json()["message"]
    assert not MarkupRecord.objects.filter(author=person).exists()


def test_why_is_told_and_an_archive_is_no_way_past_it(sending, log_in):
    essay = marked_set(1, access="closed", takes_parcels=True).essays.get()
    person = handed(essay)
    sending(person, essay, 5)

    told = log_in(person).post(
        f"/api/essays/{essay.pk}/markups/", answer(essay), content_type="application/json"
    )
    content = archive_of({f"{essay.number}.json": {"text": essay.text, "selections": []}})
    parcel, _is_new = send_parcel(
        participant=person,
        essay_set=EssaySet.objects.get(),
        name="a.zip",
        stream=BytesIO(content),
    )
    work_off()

    assert told.json()["message"] == TOLD
    (file,) = parcel.files.all()
    assert (file.outcome, file.refused_for[0]["fields"]) == ("refused", {"words": TOLD})


@pytest.mark.parametrize(("starts", "ends", "status"), [(-9, -1, 422), (1, 9, 422), (-1, 1, 201)])
def test_of_a_contest_they_are_taken_while_its_qualification_is_on(sending, starts, ends, status):
    contest = contest_of()
    phase_of(contest, "qualification", starts, ends)
    essay = data_set_of(contest, "test").essay_set.essays.first()

    assert sending(handed(essay), essay, 1) == [status]
