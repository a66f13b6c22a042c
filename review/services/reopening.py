"""A submitted check becomes a draft again: only by a coordinator, with a reason, written down."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import Assignment, MarkupRecord
from annotator.services.assignment import hold_in_state
from annotator.services.gates import refuse_reopening
from annotator.services.markup import lock, reopen
from review.core.reminding import REOPENED
from review.services.due import deadline_of_reopened
from review.services.reminding import tell
from web.refusals import Refused


@transaction.atomic
def reopen_check(*, assignment: Assignment, actor: User, reason: str) -> MarkupRecord:
    """Give a submitted check back to its expert, with a new deadline and a letter that says why,
    and announce it. ``assignment`` is then as it is stored.

    Until it is submitted again nothing counts that was computed from it. A third expert who is
    at work goes on, and is told (``annotator.queries.third_checks.reopened_beside``). Raises
    ``Refused``.
    """
    essay = hold_in_state(assignment.essay_id)
    refuse_reopening(essay)
    record = assignment.markups.filter(state=MarkupRecord.State.SUBMITTED).first()
    if record is not None:
        lock(record)  # it may have been reopened at this very moment
    if record is None or record.state != MarkupRecord.State.SUBMITTED:
        raise Refused(_("This check is not submitted: there is nothing to reopen."))
    refuse_where_nobody_can_go_on(assignment)
    replaced = times_of(assignment)
    Assignment.objects.filter(pk=assignment.pk).update(
        state=Assignment.State.WORKING,
        submitted_at=None,
        deadline_at=deadline_of_reopened(essay.essay_set),
    )
    assignment.refresh_from_db(fields=["state", "submitted_at", "deadline_at"])
    reopen(record, reason=reason)
    tell(checks=[assignment], step=REOPENED)
    audit(
        actor=actor,
        action="markup.reopened",
        target=record,
        essay=essay.pk,
        reason=reason,
        **replaced,
    )
    return record


def times_of(assignment: Assignment) -> dict[str, str | None]:
    """When a check was submitted and by when it was due; new times take the place of these."""
    found = Assignment.objects.filter(pk=assignment.pk).values("submitted_at", "deadline_at").get()
    return {name: at.isoformat() if at else None for name, at in found.items()}


def refuse_where_nobody_can_go_on(assignment: Assignment) -> None:
    expert = User.objects.select_for_update(no_key=True).get(pk=assignment.expert_id)
    _refuse_for(assignment, expert)


def why_not_reopened(assignment: Assignment) -> str:
    """Why a submitted check would not be reopened now; nothing where it would."""
    try:
        refuse_reopening(assignment.essay)
        _refuse_for(assignment, assignment.expert)
    except Refused as refusal:
        return str(refusal)
    return ""


def _refuse_for(assignment: Assignment, expert: User) -> None:
    if not expert.is_active or expert.role != User.Role.EXPERT:
        message = _("%s is not an active expert. Open the account first.")
        raise Refused(message % expert)
    if assignment.round != assignment.essay.round:
        raise Refused(_("This check belongs to an earlier round and stays as it is."))
