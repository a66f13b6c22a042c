"""Overdue checks go to somebody else, where the terms of the set say so."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from accounts.services.audit import audit
from annotator.models import Assignment
from annotator.queries.work import HANDED_IN
from annotator.services.assignment import hold_in_state
from annotator.services.gates import takes_checks
from review.core.reminding import TAKEN
from review.models.deadlines import Overdue, Reminder
from review.queries.deadlines import overdue_checks, terms_that_reassign
from review.queries.experts import experts_at_hand
from review.services.assigning import give
from web.refusals import Refused

State = Assignment.State

AT_ONCE: Final = 20
"""So many overdue checks are looked at in one round of tick, in turn."""


def reassign_overdue() -> int:
    """Give overdue checks to the least loaded experts; returns how many.

    Where nobody else is free a check stays where it is, and is tried again in its turn.
    """
    terms = terms_that_reassign()
    due = list(overdue_checks(terms)[:AT_ONCE]) if terms else []
    if due:
        Overdue.objects.bulk_create(
            [Overdue(assignment=check, tried_at=Now()) for check in due],
            update_conflicts=True,
            unique_fields=["assignment"],
            update_fields=["tried_at"],
        )
    return sum(_is_reassigned(check) for check in due)


def _is_reassigned(check: Assignment) -> bool:
    try:
        return reassign(check=check) is not None
    except Refused:  # the essay was taken back at this moment
        return False


@transaction.atomic
def reassign(*, check: Assignment) -> Assignment | None:
    """Give an overdue check to somebody else and tell who had it; ``None`` when nobody is free, or
    its set is not open any more.

    A check that was submitted, taken away or extended meanwhile stays as it is. What was begun is
    kept as a draft. Safe to run twice at once: the essay's row is locked.
    """
    held = hold_in_state(check.essay_id)
    if not takes_checks(held):
        return None
    expert = experts_at_hand(held, leaving=check).exclude(pk=check.expert_id).first()
    if expert is None:
        return None
    is_begun = check.state == State.WORKING
    taken = Assignment.objects.filter(
        ~HANDED_IN, pk=check.pk, state=check.state, deadline_at=check.deadline_at
    ).update(state=State.RETURNED if is_begun else State.WITHDRAWN)
    if not taken:
        return None
    successor = give(held, expert, Assignment.Role(check.role), None)
    audit(
        actor=None,
        action="assignment.overdue",
        target=check,
        expert=check.expert_id,
        deadline=check.deadline_at.isoformat() if check.deadline_at else None,
        successor=successor.pk,
    )
    Overdue.objects.filter(assignment=check).update(successor=successor, given_at=Now())
    Reminder.objects.create(
        assignment=check, step=TAKEN, deadline_at=check.deadline_at, due_at=Now()
    )
    return successor
