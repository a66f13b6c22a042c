"""A worker whose clock is wrong reminds and moves late work when the database's clock says so."""

from __future__ import annotations

import pytest
from django.core import mail

from annotator.models import Assignment
from review.core.reminding import AT, BEFORE, TAKEN
from review.models.deadlines import Reminder
from review.services.overdue import reassign_overdue
from review.services.reminding import remind
from tests.review.deadlines import (
    DAY,
    HOUR,
    REMINDING,
    check,
    expert,
    letters,
    move,
    now,
    set_with_terms,
    work_off,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.parametrize("ahead", [400 * DAY, -400 * DAY], ids=["fast", "slow"]),
]


def steps():
    return list(Reminder.objects.order_by("pk").values_list("step", flat=True))


def test_reminders_are_of_the_deadline_as_the_database_sees_it(web_clock, ahead):
    anna = expert(username="anna")
    made = check(set_with_terms(**REMINDING), anna, left=30 * HOUR, essay={"number": "0001"})
    web_clock(ahead.total_seconds())
    sent = []
    for hours in (30, 20, -1, -49):
        former = made.deadline_at
        move(made, hours * HOUR)
        Reminder.objects.filter(deadline_at=former).update(deadline_at=made.deadline_at)
        remind()
        work_off()
        sent.append(len(mail.outbox))

    assert sent == [0, 1, 2, 3]
    assert steps() == [BEFORE, AT, AT + 1]
    assert letters() == 3 * [(("anna@school.example",), ["0001"])]


@pytest.mark.parametrize(("left", "is_moved"), [(-25, True), (-23, False)])
def test_late_work_moves_by_the_database(web_clock, ahead, left, is_moved):
    former, other = expert(username="former"), expert(username="other")
    made = check(set_with_terms(reassign_hours=24), former, left=left * HOUR)
    web_clock(ahead.total_seconds())

    assert reassign_overdue() == is_moved
    assert reassign_overdue() == 0

    held = Assignment.objects.filter(essay=made.essay, state__in=Assignment.ACTIVE).get()
    assert held.expert == (other if is_moved else former)
    assert steps() == ([TAKEN] if is_moved else [])


def test_what_moved_is_due_by_the_rules_from_the_database_on_and_who_had_it_is_told(
    web_clock, ahead
):
    former, other = expert(username="former"), expert(username="other")
    essay_set = set_with_terms(reassign_hours=1)
    days = essay_set.rules.days_to_mark * DAY
    check(essay_set, former, left=-DAY, essay={"number": "0007"})
    web_clock(ahead.total_seconds())

    reassign_overdue()
    remind()
    work_off()

    left = Assignment.objects.get(expert=other).deadline_at - now()
    assert days - HOUR < left <= days
    assert letters() == [(("former@school.example",), ["0007"])]
