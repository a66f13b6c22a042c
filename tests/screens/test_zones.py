"""A moment of a contest is told in its zone, and beside that by the clock of whoever reads it."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from contest.models import Phase
from tests.contest.contests import contest_of

pytestmark = pytest.mark.full


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        ("Asia/Tokyo", "by your clock: 03:30 – 03:30"),
        ("Europe/Moscow", "by your clock: 9 Jan 2030, 21:30 – 20 Jan 2030, 21:30"),
        ("Asia/Dhaka", None),  # the hours of Omsk
    ],
)
def test_who_lives_by_another_clock_reads_the_moment_by_it_too(visit, clock, told):
    contest = contest_of(uuid.uuid4().hex[:12], zone="Asia/Omsk")
    start = datetime(2030, 1, 9, 18, 30, tzinfo=UTC)
    ends = start.replace(day=20)
    Phase.objects.create(contest=contest, kind="qualification", starts_at=start, ends_at=ends)

    page = visit(None, f"/contests/{contest.slug}/", timezone_id=clock)

    step = page.locator("#schedule li", has=page.locator("time[datetime^='2030-01-10T00:30']"))
    expect(step.locator(".when")).to_have_text("10 Jan 2030, 00:30 – 21 Jan 2030, 00:30")
    if told:
        expect(step.locator(".about").last).to_have_text(told)
    else:
        expect(step).not_to_contain_text("by your clock")


def test_who_reads_russian_reads_both_moments_in_one_form_of_dates(visit):
    contest = contest_of(uuid.uuid4().hex[:12], zone="Asia/Omsk")
    start = datetime(2030, 1, 9, 18, 30, tzinfo=UTC)
    ends = start.replace(day=20)
    Phase.objects.create(contest=contest, kind="qualification", starts_at=start, ends_at=ends)
    clock = {"language": "ru", "timezone_id": "Europe/Moscow"}

    page = visit(None, f"/contests/{contest.slug}/", **clock)

    step = page.locator("#schedule li", has=page.locator("time[datetime^='2030-01-10T00:30']"))
    expect(step.locator(".when")).to_have_text("10.01.2030 00:30 – 21.01.2030 00:30")
    told = "по вашим часам: 09.01.2030 21:30 – 20.01.2030 21:30"
    expect(step.locator(".about").last).to_have_text(told)


def test_the_dates_of_a_step_by_a_foreign_clock_stand_in_one_line(visit):
    contest = contest_of(uuid.uuid4().hex[:12], zone="Asia/Omsk")
    start = datetime(2030, 1, 9, 18, 30, tzinfo=UTC)
    ends = start.replace(day=20)
    Phase.objects.create(contest=contest, kind="qualification", starts_at=start, ends_at=ends)

    page = visit(None, f"/contests/{contest.slug}/", timezone_id="America/New_York")

    step = page.locator("#schedule li", has=page.locator("time[datetime^='2030-01-10T00:30']"))
    told = step.locator(".about").last
    expect(told).to_contain_text("by your clock")
    line = told.evaluate("each => parseFloat(getComputedStyle(each).lineHeight)")
    assert told.bounding_box()["height"] < 1.5 * line
