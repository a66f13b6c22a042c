"""A letter goes out once; killed between sending and writing, again under the same Message-ID."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.management.commands.tick import Command
from review.models.deadlines import Letter, Reminder, SetTerms
from tests.e2e.brakes import brake_before
from tests.e2e.database import together
from tests.factories import AssignmentFactory, EssaySetFactory, PersonFactory

pytestmark = pytest.mark.full

PEOPLE, TICKS = 12, 3


@pytest.fixture
def essay_set(worker):  # noqa: ARG001 - the rows need the database
    made = EssaySetFactory()
    SetTerms.objects.create(essay_set=made, at_deadline=True)
    return made


def late_check(essay_set, number=0):
    person = PersonFactory()
    person.email = f"{person.username}-{number}@school.example"
    person.save()
    late = timezone.now() - timedelta(hours=1)
    return AssignmentFactory(essay__essay_set=essay_set, expert=person, deadline_at=late)


def message_ids(stack, person):
    """Of the letters to somebody, as the mail server has them."""
    found = []
    for written in sorted((stack.folder / "mail").glob("*.log")):
        for letter in written.read_text("utf-8").split("-" * 79):
            lines = letter.splitlines()
            if f"To: {person.email}" in lines:
                found += [line for line in lines if line.startswith("Message-ID: ")]
    return found


def test_killed_between_sending_and_writing_a_worker_sends_under_the_same_id(
    stack, worker, essay_set
):
    with brake_before(stack, "UPDATE ON review_letter", "NEW.state = 'sent'") as stands:
        person = late_check(essay_set).expert
        stack.until(lambda: message_ids(stack, person) and stands(), "the letter went out")
        worker.kill("hand")
    worker.ready()

    sent = Letter.objects.filter(person=person, state=Letter.State.SENT)
    stack.until(sent.exists, "the letter is written down")
    first, second = message_ids(stack, person)
    assert first == second
    assert sent.get().reminders.count() == 1


def test_several_ticks_at_once_send_everybody_one_letter(stack, essay_set):
    people = [late_check(essay_set, number).expert for number in range(PEOPLE)]
    assert together(*[Command().round] * TICKS) == [None] * TICKS

    sent = Letter.objects.filter(person__in=people, state=Letter.State.SENT)
    stack.until(lambda: sent.count() == PEOPLE, "everybody has a letter")
    letters = Counter(len(message_ids(stack, person)) for person in people)
    assert letters == {1: PEOPLE}
    assert Reminder.objects.filter(assignment__expert__in=people).count() == PEOPLE
