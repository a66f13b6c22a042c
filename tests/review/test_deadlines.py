"""By when a check is due, how that is moved, what becomes of late checks."""

from __future__ import annotations

from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import AuditEntry, User
from annotator.models import Assignment, EssaySet
from annotator.services.markup import submit_markup
from review.core.calendar import moment, working_day
from review.core.reminding import AT, TAKEN
from review.core.russia import russian_calendar
from review.models.deadlines import CalendarDay, Overdue, Reminder
from review.services.assigning import assign_expert
from review.services.extending import Extension, extend_deadlines
from review.services.overdue import reassign, reassign_overdue
from review.services.reminding import remind
from review.services.reopening import reopen_check
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
)
from tests.pages import texts_of
from tests.review.deadlines import (
    DAY,
    HOUR,
    check,
    draft_in,
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


def reopened(essay_set, coordinator, **fields):
    record = draft_in(essay_set, **fields)
    submit_markup(record=record, version=record.version)
    check = Assignment.objects.get(pk=record.assignment_id)
    reopen_check(assignment=check, actor=coordinator, reason="look again")
    return check


def test_a_reopened_check_is_due_by_the_terms_of_its_set(coordinator):
    today = now().astimezone(MOSCOW).date()
    essay_set = set_with_terms(due_by="date", due_on=today + 25 * DAY)

    check = reopened(essay_set, coordinator)

    assert check.deadline_at == moment(today + 25 * DAY, None, MOSCOW)
    assert Assignment.objects.get().deadline_at == check.deadline_at


def day_of_work(days):
    """So many working days from today, none of them a holiday."""
    today = now().astimezone(MOSCOW).date()
    for ahead in range(60):
        CalendarDay.objects.create(day=today + ahead * DAY, works=True)
    return today + days * DAY


@pytest.mark.parametrize("ahead", [-3, 0])
@pytest.mark.parametrize(("named", "days"), [(4, 4), (None, 7)])
def test_a_reopened_check_is_never_due_at_once(coordinator, ahead, named, days):
    last = day_of_work(days)
    passed = last + (ahead - days) * DAY
    essay_set = set_with_terms(due_by="date", due_on=passed, working_days=named)

    assert reopened(essay_set, coordinator).deadline_at == moment(last, None, MOSCOW)


def test_rules_without_days_give_a_reopened_check_one(coordinator):
    essay_set = EssaySetFactory(rules__days_to_mark=0)

    left = reopened(essay_set, coordinator).deadline_at - now()

    assert DAY - timedelta(minutes=1) < left <= DAY


def test_whoever_reopens_a_check_reads_by_when_it_is_due_and_its_expert_gets_a_letter(
    log_in, coordinator
):
    essay_set = set_with_terms(zone="Asia/Kamchatka", due_by="date", due_on=date(2099, 3, 2))
    record = draft_in(essay_set)
    User.objects.filter(pk=record.author_id).update(email="anna@school.example")
    submit_markup(record=record, version=record.version)

    page = log_in(coordinator).post(
        f"/desk/assignments/{record.assignment_id}/reopen/", {"reason": "Look at K4"}, follow=True
    )
    work_off()

    said = "The check is open again until 2 Mar 2099, 23:59 (UTC+12)"
    assert texts_of(page, ".messages li") == [f"{said}; its expert reads the reason."]
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (
        ["anna@school.example"],
        "Разбор: 1 проверка снова открыта",
    )
    assert "02.03.2099 23:59 (UTC+12)" in letter.body
    assert "Look at K4" in letter.body
    assert remind() == 0


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


def test_however_many_rounds_it_takes_who_had_them_gets_one_letter(monkeypatch):
    monkeypatch.setattr("review.services.overdue.AT_ONCE", 2)
    former, _other = expert(username="former", email="former@school.example"), expert()
    essay_set = set_with_terms(reassign_hours=1)
    for number in range(5):
        check(essay_set, former, left=-DAY, essay={"number": f"{number}"})

    for _round in range(4):
        reassign_overdue()
        remind()
        work_off()

    assert letters() == [(("former@school.example",), ["0", "1", "2", "3", "4"])]


def test_nobody_is_reminded_of_a_check_that_goes_to_somebody_else_at_that_moment():
    former, _other = expert(username="former", email="former@school.example"), expert()
    essay_set = set_with_terms(reassign_hours=1, at_deadline=True)
    check(essay_set, former, left=-2 * HOUR, essay={"number": "0007"})

    remind()  # by a tick that is before the one that gives it to somebody else
    work_off()
    reassign_overdue()
    remind()
    work_off()

    assert letters() == [(("former@school.example",), ["0007"])]
    assert list(Reminder.objects.values_list("step", flat=True)) == [TAKEN]


def test_who_keeps_an_overdue_check_for_nobody_is_free_is_reminded_of_it():
    former = expert(username="former", email="former@school.example")
    essay_set = set_with_terms(reassign_hours=1, at_deadline=True)
    check(essay_set, former, left=-2 * HOUR, essay={"number": "0007"})

    reassign_overdue()
    remind()
    work_off()

    assert letters() == [(("former@school.example",), ["0007"])]
    assert list(Reminder.objects.values_list("step", flat=True)) == [AT]


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


@pytest.mark.parametrize("state", ["closed", "preparing"])
def test_overdue_work_of_a_set_that_is_not_open_stays(state):
    former = expert(username="former")
    expert(username="other")
    made = check(set_with_terms(reassign_hours=1), former, left=-DAY)
    EssaySet.objects.filter(pk=made.essay.essay_set_id).update(state=state)

    assert (reassign_overdue(), reassign(check=made)) == (0, None)

    held = Assignment.objects.get()
    assert (held.expert, held.state) == (former, "waiting")


def test_of_many_checks_that_went_to_others_it_is_said_that_there_are_more(log_in):
    former = expert(username="former")
    for number in range(6):
        check = AssignmentFactory(essay__number=f"{number}", expert=former, state="withdrawn")
        Overdue.objects.create(assignment=check, given_at=timezone.now())

    (told,) = texts_of(log_in(former).get("/queue/"), "[data-pressing]")

    assert told.removeprefix("Overdue, and given to somebody else: ").count(",") == 4
    assert told.endswith("…")
