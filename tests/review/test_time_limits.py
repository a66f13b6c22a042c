"""How long a check took, beside the minutes its set gives for it."""

from __future__ import annotations

import pytest

from annotator.models import MarkupRecord
from annotator.services.markup import submit_markup
from review.models.deadlines import TimeLimit, WorkTime
from tests.pages import texts_of
from tests.review.deadlines import draft_in, set_with_terms

pytestmark = pytest.mark.django_db

PAST = (
    "31 min at work: past the 30 min a check of this subject may take. "
    "Finish in peace: this is only written down."
)


@pytest.mark.parametrize(("seconds", "is_past"), [(1799, False), (1800, False), (1801, True)])
def test_how_long_a_check_took_is_kept_beside_its_limit(seconds, is_past):
    essay_set = set_with_terms()
    TimeLimit.objects.create(essay_set=essay_set, subject="eng", minutes=30)
    record = draft_in(essay_set, active_seconds=seconds)

    submit_markup(record=record, version=record.version)

    kept = WorkTime.objects.values_list("seconds", "limit_seconds", "is_past").get()
    assert kept == (seconds, 1800, is_past)
    assert MarkupRecord.objects.get().state == "submitted"


def test_without_a_limit_nothing_is_kept():
    essay_set = set_with_terms()
    TimeLimit.objects.create(essay_set=essay_set, subject="rus", minutes=30)
    record = draft_in(essay_set, active_seconds=9999)

    submit_markup(record=record, version=record.version)

    assert not WorkTime.objects.exists()


@pytest.mark.parametrize(
    ("seconds", "said"), [(60 * 23, []), (60 * 24, ["24 of 30 min at work."]), (60 * 31, [PAST])]
)
def test_the_marking_page_warns_quietly(log_in, seconds, said):
    essay_set = set_with_terms()
    TimeLimit.objects.create(essay_set=essay_set, subject="eng", minutes=30)
    record = draft_in(essay_set, active_seconds=seconds)
    client = log_in(record.author)

    page = client.get(f"/markups/{record.pk}/")
    renewed = client.get(f"/markups/{record.pk}/parts/")

    assert texts_of(page, "[data-limit]") == said
    assert texts_of(renewed, "#time-limit[hx-swap-oob] [data-limit]") == said
