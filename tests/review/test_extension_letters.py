"""A moved deadline is told to its expert by letter: one a person and act."""

from __future__ import annotations

import pytest
from django.core import mail

from review.models.deadlines import Letter, Reminder
from review.services.extending import Extension, extend_deadlines
from review.services.reminding import remind
from review.services.terms import choose_language
from tests.factories import PersonFactory
from tests.review.deadlines import (
    DAY,
    REMINDING,
    check,
    expert,
    letters,
    move,
    now,
    set_with_terms,
    work_off,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return set_with_terms(**REMINDING, zone="Asia/Kamchatka")


@pytest.fixture
def anna():
    return expert(username="anna")


def extend(*checks, days):
    return extend_deadlines(
        checks=[each.pk for each in checks],
        extension=Extension(now().date() + days * DAY),
        actor=PersonFactory(role="coordinator"),
        reason="illness",
    )


def test_all_checks_moved_at_once_are_one_letter_a_person(essay_set, anna):
    boris = expert(username="boris")
    own = [check(essay_set, anna, left=3 * DAY, essay={"number": f"a{at}"}) for at in range(3)]
    other = check(essay_set, boris, left=3 * DAY, essay={"number": "b"})

    extend(*own, other, days=9)
    work_off()
    remind()
    work_off()

    assert sorted(letters()) == [
        (("anna@school.example",), ["a0", "a1", "a2"]),
        (("boris@school.example",), ["b"]),
    ]
    assert {each.subject for each in mail.outbox} == {
        "Разбор: новый срок у 3 проверок",
        "Разбор: новый срок у 1 проверки",
    }


def test_the_letter_tells_the_new_deadline_in_the_zone_of_the_set(essay_set, anna):
    choose_language(person=anna, language="en")
    made = check(essay_set, anna, left=3 * DAY, essay={"number": "0001"})

    extend(made, days=9)
    work_off()

    (letter,) = mail.outbox
    assert letter.subject == "Razbor: 1 check has another deadline"
    assert f"– essay 0001, first check, set “{essay_set}”: by " in letter.body
    assert ", 23:59 (UTC+12)" in letter.body


def test_a_deadline_that_stays_is_not_told(essay_set, anna):
    made = check(essay_set, anna, left=3 * DAY)
    extend(made, days=9)
    work_off()

    extend(made, days=9)
    work_off()

    assert len(mail.outbox) == 1


def test_what_was_moved_again_before_the_letter_went_out_is_told_once(essay_set, anna):
    made = check(essay_set, anna, left=3 * DAY)

    extend(made, days=9)
    extend(made, days=10)
    extend(made, days=9)
    work_off()

    assert len(mail.outbox) == 1
    assert sorted(Letter.objects.values_list("state", flat=True)) == ["sent", "void", "void"]


def test_a_deadline_that_was_told_is_reminded_of_all_the_same(essay_set, anna):
    made = check(essay_set, anna, left=3 * DAY)
    extend(made, days=9)
    work_off()
    former = made.deadline_at
    made.refresh_from_db()
    assert made.deadline_at > former
    told = made.deadline_at
    move(made, -DAY / 24)
    Reminder.objects.filter(deadline_at=told).update(deadline_at=made.deadline_at)

    remind()
    work_off()

    assert len(mail.outbox) == 2


def test_who_marks_no_more_gets_no_letter(essay_set, anna):
    made = check(essay_set, anna, left=3 * DAY)
    anna.is_active = False
    anna.save()

    extend(made, days=9)
    work_off()

    assert mail.outbox == []
    assert not Letter.objects.exists()
