"""Reminders of deadlines: made by tick, one a check and step, gathered into a letter a person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Final

from django.db import transaction
from django.db.models import Count, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from annotator.models import Assignment
from review.core.reminding import AT, BEFORE, windows
from review.models.deadlines import Letter, Reminder, SetTerms
from review.queries.deadlines import (
    checks_to_remind_of,
    letters_to_try_again,
    reminders_without_letter,
    terms_that_remind,
)
from review.signals import letters_ordered

PEOPLE_AT_ONCE: Final = 100
"""So many people are reminded in one round of tick; the others in the next."""

CHECKS_AT_ONCE: Final = 2000
"""With so many checks that are due a round is full; of one person it takes all there are."""

AHEAD: Final = timedelta(minutes=15)
"""What is due so soon goes along: checks given one after another make one letter."""


def remind() -> int:
    """Make the reminders that are due, and a letter for each person; returns how many letters.

    However many checks are late, a round has a constant number of statements. Two at once make
    each reminder once, and one letter a person.
    """
    make_reminders()
    loose = reminders_without_letter()
    written = write_letters(loose) if loose.exists() else 0
    again = try_again() if letters_to_try_again().exists() else 0
    return written + again


def make_reminders() -> int:
    """Write down the reminders that are due, of whole people: all of somebody's at once."""
    terms = terms_that_remind()
    if not terms:
        return 0
    due = checks_to_remind_of(terms, terms[0].now).order_by()
    counted = due.values_list("expert").annotate(n=Count("pk")).order_by("expert")
    people = _first_of(counted[:PEOPLE_AT_ONCE])
    if not people:
        return 0
    soon = terms[0].now + AHEAD
    checks = checks_to_remind_of(terms, soon).filter(expert__in=people).select_related("essay")
    rows = _rows(terms, checks.order_by("expert", "pk"))
    Reminder.objects.bulk_create(rows, ignore_conflicts=True)  # another tick may just make them
    return len(rows)


def _first_of(counted: Iterable[tuple[int, int]]) -> list[int]:
    """Of people with how many checks of each are due, as many as a round takes: one at least."""
    found: list[int] = []
    checks = 0
    for person, count in counted:
        checks += count
        if found and checks > CHECKS_AT_ONCE:
            break
        found.append(person)
    return found


def _rows(terms: Sequence[SetTerms], checks: Iterable[Assignment]) -> list[Reminder]:
    by_set = {each.essay_set_id: each for each in terms}
    return [_row(by_set[check.essay.essay_set_id], check, terms[0]) for check in checks]


def _row(terms: SetTerms, check: Assignment, first: SetTerms) -> Reminder:
    deadline = check.deadline_at
    schedule = terms.schedule()
    (step,) = (
        window.step
        for window in windows(schedule, first.now + AHEAD)
        if deadline <= window.until and (window.after is None or deadline > window.after)
    )
    offset = timedelta(0)
    if step == BEFORE:
        offset = -schedule.before
    elif step > AT:
        offset = (step - AT) * schedule.every
    return Reminder(assignment=check, step=step, deadline_at=deadline, due_at=deadline + offset)


@transaction.atomic
def write_letters(loose: QuerySet[Reminder]) -> int:
    """Gather reminders that stand in no letter yet into one for each person.

    The people are held meanwhile, and passed over where another tick holds them.
    """
    wanted = loose.order_by().values("assignment__expert")
    held = User.objects.select_for_update(skip_locked=True, no_key=True).filter(pk__in=wanted)
    people = list(held.order_by("pk")[:PEOPLE_AT_ONCE])
    if not people:
        return 0
    rows = loose.filter(assignment__expert__in=people).select_related("assignment")
    reminders = list(rows.order_by("assignment__expert", "pk"))
    grouped = {
        expert: list(own)
        for expert, own in groupby(reminders, lambda row: row.assignment.expert_id)
    }
    letters = Letter.objects.bulk_create(Letter(person_id=expert) for expert in grouped)
    for letter in letters:
        for reminder in grouped[letter.person_id]:
            reminder.letter = letter
    Reminder.objects.bulk_update(reminders, ["letter"])
    order(letters)
    return len(letters)


def tell(*, checks: Sequence[Assignment], step: int) -> None:
    """Order a letter to each expert about checks that have another deadline (``MOVED``) or are open
    again (``REOPENED``), in the caller's transaction. What was told before is told anew.
    """
    people = User.objects.filter(
        pk__in={check.expert_id for check in checks}, is_active=True, role=User.Role.EXPERT
    ).order_by("pk")
    made = Letter.objects.bulk_create(Letter(person=person) for person in people)
    fill_letters(made, checks, step)


def fill_letters(letters: Sequence[Letter], checks: Iterable[Assignment], step: int) -> None:
    """Put each check into its expert's letter, if there is one, and order the letters. A reminder
    of the same deadline and step stands in the new letter only.
    """
    by_person = {letter.person_id: letter for letter in letters}
    Reminder.objects.bulk_create(
        [
            Reminder(
                assignment=check,
                step=step,
                deadline_at=check.deadline_at,
                due_at=Now(),
                letter=by_person[check.expert_id],
            )
            for check in checks
            if check.expert_id in by_person
        ],
        update_conflicts=True,
        unique_fields=["assignment", "deadline_at", "step"],
        update_fields=["due_at", "letter", "voided_at"],
    )
    order(letters)


def order(letters: Sequence[Letter]) -> None:
    """Let these letters be sent, for the first time."""
    if letters:
        letters_ordered.send(sender=Letter, letters=[(letter.pk, 0) for letter in letters])


@transaction.atomic
def try_again() -> int:
    """Order the letters anew that the mail server did not take, once their time has come."""
    held = letters_to_try_again().select_for_update(skip_locked=True)[:PEOPLE_AT_ONCE]
    again = list(held)
    if again:
        Letter.objects.filter(pk__in=[letter.pk for letter in again]).update(
            state=Letter.State.ORDERED
        )
        turns = [(letter.pk, letter.tries) for letter in again]
        letters_ordered.send(sender=Letter, letters=turns)
    return len(again)
