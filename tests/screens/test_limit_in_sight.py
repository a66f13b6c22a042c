"""That a check takes longer than it may is told in sight, on a phone too, and covers no words."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotator.models import MarkupRecord
from review.models.deadlines import TimeLimit
from tests.annotator.drafts import draft_of

pytestmark = pytest.mark.full

TEXT = "Some people, who think that sport unite people, does not agree." + " And so on." * 60
WINDOWS = [
    {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True},
    {"viewport": {"width": 1440, "height": 900}},
]


@pytest.mark.parametrize("window", WINDOWS, ids=["phone", "desk"])
def test_a_limit_that_is_past_is_told_in_sight_and_covers_no_words(desk, window):
    record = draft_of(TEXT)
    TimeLimit.objects.create(
        essay_set=record.essay.essay_set, subject=record.essay.subject, minutes=1
    )
    MarkupRecord.objects.filter(pk=record.pk).update(active_seconds=130)

    screen = desk(record=record, **window)

    told = screen.page.locator("[data-limit=past]")
    expect(told).to_be_in_viewport(ratio=1)
    box, words = told.bounding_box(), screen.page.locator("#essay").bounding_box()
    is_above, is_beside = box["y"] + box["height"] <= words["y"], box["x"] >= words["width"]
    assert is_above or is_beside
    assert screen.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
