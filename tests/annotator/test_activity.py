from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client

from annotator.models import MarkupRecord
from annotator.services.activity import SLACK, count_activity
from tests.annotator.drafts import draft_of
from tests.factories import PersonFactory, submitted
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def report(log_in):
    def send(record, seconds, user=None):
        client = log_in(user or record.author)
        return client.post(f"/markups/{record.pk}/activity/", {"seconds": seconds})

    return send


def pass_by(**time):
    """As if this much time had passed since the last report."""
    MarkupRecord.objects.update(active_at=F("active_at") - timedelta(**time))


def counted():
    return MarkupRecord.objects.get().active_seconds


def test_reported_seconds_are_added_up(report):
    record = draft_of()
    statuses = []
    for seconds in (30, 12):
        pass_by(minutes=10)
        statuses.append(report(record, seconds).status_code)

    assert (statuses, counted()) == ([204, 204], 42)


def test_the_page_shows_what_was_counted(report, log_in):
    record = draft_of()
    pass_by(minutes=10)
    report(record, 95)

    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/"))

    assert page.one("#time")["data-seconds"] == "95"


@pytest.mark.parametrize("passed", [0, 20, 60])
def test_no_more_is_added_than_has_passed_here(report, passed):
    record = draft_of()
    pass_by(seconds=passed)

    report(record, 600)

    assert passed <= counted() <= passed + SLACK + 1  # the test itself may take a second


def test_reports_of_several_tabs_are_not_added_up():
    record = draft_of()
    pass_by(seconds=30)

    for _tab in range(20):
        count_activity(record=record, seconds=30)

    assert 30 <= counted() <= 30 + SLACK + 2


def test_reports_that_come_late_by_turns_lose_nothing():
    record = draft_of()

    for passed in (32, 28, 33, 27):
        pass_by(seconds=passed)
        count_activity(record=record, seconds=30)

    assert counted() == 120


def test_a_clock_that_was_put_back_takes_nothing_away():
    record = draft_of()
    pass_by(seconds=60)
    count_activity(record=record, seconds=60)
    pass_by(hours=-1)

    assert count_activity(record=record, seconds=30) == 60
    pass_by(minutes=1)
    assert count_activity(record=record, seconds=30) == 90


def test_activity_is_no_change_of_the_markup(report):
    record = draft_of()
    before = MarkupRecord.objects.get()
    pass_by(minutes=1)

    report(record, 30)

    after = MarkupRecord.objects.get()
    assert after.active_seconds == 30
    assert (after.version, after.saved_at) == (before.version, before.saved_at)


@pytest.mark.parametrize(
    ("seconds", "reason"),
    [
        ("", "This field is required."),
        ("x", "Enter a whole number."),
        ("1.5", "Enter a whole number."),
        ("0", "Ensure this value is greater than or equal to 1."),
        ("-30", "Ensure this value is greater than or equal to 1."),
        ("7201", "Ensure this value is less than or equal to 7200."),
        ("9" * 30, "Ensure this value is less than or equal to 7200."),
    ],
)
def test_seconds_that_cannot_be_are_refused(report, seconds, reason):
    record = draft_of()
    pass_by(hours=1)

    response = report(record, seconds)

    assert (response.status_code, counted()) == (422, 0)
    assert texts_of(response, "#notice") == [f"seconds: {reason}"]


def test_nothing_is_counted_after_the_submission(report):
    draft = draft_of()
    MarkupRecord.objects.all().delete()
    record = submitted(draft.essay, assignment=draft.assignment)
    pass_by(hours=1)

    assert (report(record, 30).status_code, counted()) == (409, 0)


@pytest.mark.parametrize(
    ("role", "status"), [("expert", 404), ("coordinator", 403), ("participant", 403)]
)
def test_a_stranger_counts_nothing(report, role, status):
    record = draft_of()
    pass_by(hours=1)

    response = report(record, 30, user=PersonFactory(role=role))

    assert (response.status_code, counted()) == (status, 0)


def test_whoever_is_not_logged_in_counts_nothing():
    record = draft_of()
    pass_by(hours=1)

    response = Client().post(f"/markups/{record.pk}/activity/", {"seconds": 30})

    assert (response.status_code, counted()) == (302, 0)
