"""Who marks what: two experts an essay, a third on divergence (regulation, 8.2.2)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import AuditEntry, User
from accounts.services.audit import record as audit
from annotator.models import Assignment, Essay
from annotator.queries import UNFINISHED, experts_free_for
from annotator.services.refusals import Refused, RoleTaken


@transaction.atomic
def assign_expert(
    *,
    essay: Essay,
    expert: User,
    role: Assignment.Role,
    actor: User | None,
    deadline_at: datetime | None = None,
) -> Assignment:
    """Give a check of an essay to an expert. Raises ``RoleTaken``, ``Refused``.

    The essay's row is locked, so two coordinators cannot give the same check away twice.
    """
    essay = Essay.objects.select_for_update().select_related("essay_set__rules").get(pk=essay.pk)
    # whose account is being closed gets nothing any more
    expert = User.objects.select_for_update(no_key=True).get(pk=expert.pk)
    refuse_taken_role(essay, role)
    refuse_unfit_expert(essay, expert)
    assignment = Assignment.objects.create(
        essay=essay,
        round=essay.round,
        role=role,
        expert=expert,
        deadline_at=deadline_at,
    )
    if deadline_at is None:
        days = timedelta(days=essay.essay_set.rules.days_to_mark)
        Assignment.objects.filter(pk=assignment.pk).update(deadline_at=Now() + days)
        assignment.refresh_from_db()
    audit(actor=actor, action="expert.assigned", target=assignment, role=role, expert=expert.pk)
    return assignment


@transaction.atomic
def assign_two_experts(*, essay: Essay, actor: User | None) -> list[Assignment]:
    """Fill the first and the second check with the least loaded experts of the subject."""
    essay = Essay.objects.select_for_update().get(pk=essay.pk)
    made = []
    for role in (Assignment.Role.FIRST, Assignment.Role.SECOND):
        if holder(essay, role) is None:
            expert = experts_free_for(essay).first()
            if expert is None:
                raise Refused(_("No expert of this subject is free for the essay."))
            made.append(assign_expert(essay=essay, expert=expert, role=role, actor=actor))
    return made


@transaction.atomic
def assign_third_expert(*, essay: Essay) -> Assignment | None:
    """The essay's third check, given to the least loaded expert who has not seen it.

    Safe to repeat and to run twice at once. ``None`` when nobody is free: it is tried again
    later (``scoring.services.arbitration``).
    """
    essay = Essay.objects.select_for_update().get(pk=essay.pk)
    present = holder(essay, Assignment.Role.THIRD)
    if present is not None:
        return present
    expert = experts_free_for(essay).first()
    if expert is None:
        return None
    return assign_expert(essay=essay, expert=expert, role=Assignment.Role.THIRD, actor=None)


@transaction.atomic
def hand_back(*, assignment: Assignment, actor: User, reason: str) -> None:
    """Return work that was not submitted to the pool; the draft is kept."""
    given = Assignment.objects.filter(
        pk=assignment.pk, state__in=[Assignment.State.WAITING, Assignment.State.WORKING]
    ).update(state=Assignment.State.RETURNED)
    if not given:
        raise Refused(_("This check is closed already."))
    audit(actor=actor, action="assignment.returned", target=assignment, reason=reason)


@transaction.atomic
def withdraw(*, assignment: Assignment, actor: User) -> None:
    """Take work that was not submitted away from an expert; the draft is kept."""
    taken = Assignment.objects.filter(
        pk=assignment.pk, state__in=[Assignment.State.WAITING, Assignment.State.WORKING]
    ).update(state=Assignment.State.WITHDRAWN)
    if not taken:
        raise Refused(_("This check is closed already."))
    audit(actor=actor, action="assignment.withdrawn", target=assignment)


@transaction.atomic
def return_work_of(*, expert_id: int, actor_id: int | None) -> int:
    """Put the unsubmitted work of somebody who marks no more back; drafts are kept.

    Returns how many checks wait for another expert now. Safe to repeat.
    """
    held = Assignment.objects.select_for_update().filter(expert_id=expert_id, state__in=UNFINISHED)
    returned = list(held.order_by("pk"))
    for assignment in returned:
        assignment.state = Assignment.State.RETURNED
        assignment.save(update_fields=["state"])
        actor = User.objects.filter(pk=actor_id).first()
        audit(actor=actor, action="assignment.returned", target=assignment, reason="expert left")
    return len(returned)


def holder(essay: Essay, role: Assignment.Role) -> Assignment | None:
    """Who holds a check of the essay's present round."""
    return (
        essay.assignments.filter(round=essay.round, role=role, state__in=Assignment.ACTIVE)
        .select_related("expert")
        .first()
    )


def refuse_taken_role(essay: Essay, role: Assignment.Role) -> None:
    present = holder(essay, role)
    if present is not None:
        giver = _giver(present)
        message = _("Essay %(essay)s: %(role)s is given to %(expert)s already.")
        if giver is not None:
            message = _("Essay %(essay)s: %(role)s is given to %(expert)s already, by %(giver)s.")
        fields = {
            "essay": essay.number,
            "role": present.get_role_display(),
            "expert": present.expert,
            "giver": giver,
        }
        raise RoleTaken(message % fields)


def _giver(assignment: Assignment) -> User | None:
    """Who gave the check away; nobody where the rules did."""
    entry = AuditEntry.objects.filter(
        action="expert.assigned",
        object_type=Assignment._meta.label_lower,
        object_id=str(assignment.pk),
    ).first()
    return entry.actor if entry else None


def refuse_unfit_expert(essay: Essay, expert: User) -> None:
    if not expert.is_active or expert.role != User.Role.EXPERT:
        raise Refused(_("%s is not an active expert.") % expert)
    if essay.assignments.filter(round=essay.round, expert=expert).exists():
        raise Refused(_("%s has had this essay already.") % expert)
