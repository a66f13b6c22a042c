"""By when a check is due, how that is moved, what becomes of late checks, how long one took."""

from __future__ import annotations

from datetime import time, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import AuditEntry
from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import submit_markup
from review.core.calendar import moment, working_day
from review.core.russia import russian_calendar
from review.deadline_models import CalendarDay, TimeLimit, WorkTime
from review.services.assigning import assign_expert
from review.services.extending import Extension, extend_deadlines
from review.services.overdue import reassign, reassign_overdue
from review.services.reminding import remind
from review.services.reopening import reopen_check
from tests.factories import DraftFactory, EssayFactory, PersonFactory
from tests.pages import texts_of
from tests.review.deadlines import (
    DAY,
    HOUR,
    check,
    expert,
    letters,
    move,
    now,
    set_with_terms,
    work_off,
)
from web.refusals import Refused

pytestmark = pytest.mark.django_db

MOSCOW = ZoneInfo("Europe/Moscow")
PAST = (
    "31 min at work: past the 30 min a check of this subject may take. "
    "Finish in peace: this is only written down."
)


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


def given_in(essay_set, coordinator):
    essay = EssayFactory(essay_set=essay_set)
    return assign_expert(
        essay=essay, expert=PersonFactory(), role=Assignment.Role.FIRST, actor=coordinator
    )


# -- by when -------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [None, time(18)])
def test_working_days_count_by_the_calendar_and_the_day_of_the_set(coordinator, at):
    essay_set = set_with_terms(
        due_by="working", working_days=3, due_time=at, zone="Pacific/Kiritimati"
    )
    zone = ZoneInfo("Pacific/Kiritimati")
    today = now().astimezone(zone).date()
    calendar = russian_calendar(range(today.year, today.year + 2))

    assignment = given_in(essay_set, coordinator)

    expected = moment(working_day(calendar, today, 3), at, zone)
    assert assignment.deadline_at == expected


def test_a_day_that_was_entered_goes_before_the_calendar(coordinator):
    essay_set = set_with_terms(due_by="working", working_days=1)
    today = now().astimezone(MOSCOW).date()
    for ahead in range(1, 20):
        CalendarDay.objects.create(day=today + ahead * DAY, works=ahead == 19)

    assignment = given_in(essay_set, coordinator)

    assert assignment.deadline_at == moment(today + 19 * DAY, None, MOSCOW)


def test_a_date_binds_until_it_has_passed(coordinator):
    today = now().astimezone(MOSCOW).date()
    coming = set_with_terms(due_by="date", due_on=today + 5 * DAY, due_time=time(12))
    past = set_with_terms(due_by="date", due_on=today - DAY)

    assert given_in(coming, coordinator).deadline_at == moment(today + 5 * DAY, time(12), MOSCOW)
    left = given_in(past, coordinator).deadline_at - now()
    assert 7 * DAY - timedelta(minutes=1) < left <= 7 * DAY


def test_the_clock_of_the_web_server_does_not_matter(coordinator, web_clock):
    essay_set = set_with_terms(due_by="working", working_days=2)
    right = given_in(essay_set, coordinator).deadline_at
    web_clock(400 * 86400)
    assert given_in(essay_set, coordinator).deadline_at == right


def test_a_reopened_check_is_due_by_the_terms_of_its_set(coordinator):
    today = now().astimezone(MOSCOW).date()
    essay_set = set_with_terms(due_by="date", due_on=today + 5 * DAY)
    record = draft_in(essay_set)
    submit_markup(record=record, version=record.version)

    reopen_check(assignment=record.assignment, actor=coordinator, reason="look again")

    record.assignment.refresh_from_db()
    assert record.assignment.deadline_at == moment(today + 5 * DAY, None, MOSCOW)


def draft_in(essay_set, **fields):
    made = check(essay_set, PersonFactory(), left=DAY, state="working")
    return DraftFactory(assignment=made, **fields)


# -- another deadline ----------------------------------------------------------------------------


def test_a_deadline_is_moved_for_several_checks_and_written_down(coordinator):
    essay_set = set_with_terms(zone="Asia/Kamchatka")
    checks = [check(essay_set, PersonFactory(), left=left) for left in (-DAY, DAY)]
    before = [each.deadline_at.isoformat() for each in checks]
    day = now().date() + 9 * DAY

    extend_deadlines(
        checks=[each.pk for each in checks],
        extension=Extension(day, time(9)),
        actor=coordinator,
        reason="illness",
    )

    expected = moment(day, time(9), ZoneInfo("Asia/Kamchatka"))
    assert [Assignment.objects.get(pk=each.pk).deadline_at for each in checks] == [expected] * 2
    entries = AuditEntry.objects.filter(action="deadline.moved").order_by("pk")
    assert [(entry.actor, entry.details) for entry in entries] == [
        (
            coordinator,
            {"before": former, "after": expected.isoformat(), "reason": "illness"},
        )
        for former in before
    ]


def test_working_days_more_count_from_the_deadline_or_from_now(coordinator):
    essay_set = set_with_terms()
    late = check(essay_set, PersonFactory(), left=-20 * DAY)
    coming = check(essay_set, PersonFactory(), left=20 * DAY)

    moved = extend_deadlines(
        checks=[late.pk, coming.pk],
        extension=Extension(working_days=2),
        actor=coordinator,
        reason="more time",
    )

    today = now().astimezone(MOSCOW).date()
    calendar = russian_calendar(range(today.year, today.year + 2))
    starts = [today, coming.deadline_at.astimezone(MOSCOW).date()]
    assert [each.deadline_at for each in moved] == [
        moment(working_day(calendar, start, 2), None, MOSCOW) for start in starts
    ]


@pytest.mark.parametrize(
    ("state", "ahead", "message"),
    [
        ("submitted", 5, "These checks are closed already: essays 0002."),
        ("waiting", -5, "Essay 0001: the new deadline has passed already."),
    ],
)
def test_all_deadlines_move_or_none(coordinator, state, ahead, message):
    essay_set = set_with_terms()
    checks = [
        check(essay_set, PersonFactory(), left=DAY, essay={"number": "0001"}),
        check(essay_set, PersonFactory(), left=DAY, essay={"number": "0002"}, state=state),
    ]
    before = list(Assignment.objects.order_by("pk").values_list("deadline_at", flat=True))

    with pytest.raises(Refused, match=message):
        extend_deadlines(
            checks=[each.pk for each in checks],
            extension=Extension(now().date() + ahead * DAY),
            actor=coordinator,
            reason="why not",
        )

    assert list(Assignment.objects.order_by("pk").values_list("deadline_at", flat=True)) == before
    assert not AuditEntry.objects.filter(action="deadline.moved").exists()


# -- overdue -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "state", "left", "is_moved"),
    [
        ({"reassign_hours": 24}, "waiting", -25, True),
        ({"reassign_hours": 24}, "waiting", -23, False),
        ({"reassign_hours": 24}, "working", -25, False),
        ({"reassign_hours": 24, "reassign_begun": True}, "working", -25, True),
        ({"reassign_hours": 24, "reassign_begun": True}, "submitted", -25, False),
        ({}, "waiting", -2500, False),
    ],
)
def test_overdue_work_goes_to_somebody_else_where_the_set_says_so(terms, state, left, is_moved):
    former, other = expert(username="former"), expert(username="other")
    made = check(set_with_terms(**terms), former, left=left * HOUR, state=state)

    assert reassign_overdue() == is_moved
    assert reassign_overdue() == 0

    held = Assignment.objects.filter(essay=made.essay, state__in=Assignment.ACTIVE).get()
    assert held.expert == (other if is_moved else former)


def test_who_had_it_is_told_and_it_is_written_down(log_in):
    former, other = expert(username="former", email="former@school.example"), expert()
    essay_set = set_with_terms(reassign_hours=1)
    made = check(essay_set, former, left=-DAY, essay={"number": "0007"})

    reassign_overdue()
    remind()
    work_off()

    (successor,) = Assignment.objects.filter(expert=other)
    assert (successor.role, successor.state) == ("first", "waiting")
    (entry,) = AuditEntry.objects.filter(action="assignment.overdue")
    assert (entry.actor, entry.object_id, entry.details["successor"]) == (
        None,
        str(made.pk),
        successor.pk,
    )
    assert letters() == [(("former@school.example",), ["0007"])]
    response = log_in(former).get("/queue/")
    assert texts_of(response, "[data-pressing]") == ["Overdue, and given to somebody else: 0007"]


def test_where_nobody_else_is_free_a_check_stays_and_others_have_their_turn(monkeypatch):
    monkeypatch.setattr("review.services.overdue.AT_ONCE", 1)
    former, other = expert(username="former"), expert(username="other")
    essay_set = set_with_terms(reassign_hours=1)
    alone = check(essay_set, former, left=-9 * DAY)
    Assignment.objects.create(essay=alone.essay, expert=other, role="second", state="submitted")
    free = check(essay_set, former, left=-DAY)

    assert [reassign_overdue() for _ in range(3)] == [0, 1, 0]

    alone.refresh_from_db()
    free.refresh_from_db()
    assert (alone.state, free.state) == ("waiting", "withdrawn")


def test_what_was_extended_at_that_moment_stays():
    former = expert(username="former")
    expert(username="other")
    made = check(set_with_terms(reassign_hours=1), former, left=-DAY)
    stale = Assignment.objects.get(pk=made.pk)
    move(made, DAY)

    assert reassign(check=stale) is None


# -- minutes -------------------------------------------------------------------------------------


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
