"""Who marks what: two experts an essay, a third on divergence (regulation, 8.2.2)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import trail_of
from accounts.services.audit import audit
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.queries.sets import idle_essays
from annotator.queries.work import OPEN, UNFINISHED
from annotator.services.assignment import hold_in_state
from annotator.services.gates import refuse_new_checks, takes_checks
from annotator.services.recalling import settle_all_of
from annotator.services.refusals import RoleTaken
from review.queries.experts import LOST_UNOPENED, experts_at_hand, experts_free_for, rival_at
from review.queries.plans import LEFT
from review.services.due import deadline_for
from web.refusals import Refused

State = Assignment.State


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

    The essay's row is locked, so two coordinators cannot give the same check away twice. A person
    gives a third check only where the rule has called for it.
    """
    held = hold_in_state(essay.pk)
    refuse_new_checks(held)
    refuse_taken_role(held, role)
    if role == Assignment.Role.THIRD and actor is not None:
        refuse_uncalled_third(held)
    return give(held, expert, role, actor, deadline_at)


def give(
    held: Essay,
    expert: User,
    role: Assignment.Role,
    actor: User | None,
    deadline_at: datetime | None = None,
) -> Assignment:
    """Give a check of an essay whose row the caller's transaction holds. Raises ``Refused``."""
    # whose account is being closed gets nothing any more
    expert = User.objects.select_for_update(no_key=True).get(pk=expert.pk)
    refuse_unfit_expert(held, expert)
    assignment = Assignment.objects.create(
        essay=held,
        round=held.round,
        role=role,
        expert=expert,
        deadline_at=deadline_at or deadline_for(held.essay_set),
    )
    assignment.refresh_from_db()
    audit(actor=actor, action="expert.assigned", target=assignment, role=role, expert=expert.pk)
    return assignment


@transaction.atomic
def assign_two_experts(*, essay: Essay, actor: User | None) -> list[Assignment]:
    """Fill the first and the second check with the least loaded experts of the subject."""
    held = hold_in_state(essay.pk)
    refuse_new_checks(held)
    made = []
    for role in (Assignment.Role.FIRST, Assignment.Role.SECOND):
        if holder(held, role) is None:
            expert = experts_at_hand(held).first()
            if expert is None:
                raise Refused(nobody_at_hand(held))
            made.append(give(held, expert, role, actor))
    return made


def nobody_at_hand(essay: Essay) -> str:
    """Why the checks of an essay cannot be filled by themselves."""
    waiting = experts_free_for(essay).filter(is_absent=True).first()
    if waiting is None:
        return _("No expert of this subject is free for the essay.")
    message = _(
        "Nobody who is free has chosen a password yet, %s for one. "
        "Send a link on the page “People”, or choose an expert."
    )
    return message % waiting


@transaction.atomic
def assign_third_expert(*, essay: Essay) -> Assignment | None:
    """The essay's third check, given to the least loaded expert who has not seen it and has a
    password: nobody would notice that an account nobody ever opened keeps the essay waiting.

    Safe to repeat and to run twice at once. ``None`` when nobody is free: it is tried again
    later (``review.services.arbitration``).
    """
    return give_third(hold_in_state(essay.pk))


def give_third(held: Essay) -> Assignment | None:
    """The same for an essay whose row the caller's transaction holds.

    ``None`` also where its set is not open, it has another version by now, or no check of it is
    wanted any more.
    """
    present = holder(held, Assignment.Role.THIRD)
    if present is not None:
        return present
    if not takes_checks(held) or Essay.objects.filter(idle_essays(), pk=held.pk).exists():
        return None
    expert = experts_at_hand(held).first()
    return give(held, expert, Assignment.Role.THIRD, None) if expert else None


@transaction.atomic
def withdraw(*, assignment: Assignment, actor: User) -> None:
    """Take work that was not submitted away from an expert; the draft is kept.

    What was handed in is submitted, though its expert may recall it for a minute.
    """
    taken = Assignment.objects.filter(OPEN, pk=assignment.pk).update(state=State.WITHDRAWN)
    if not taken:
        raise Refused(_("This check is closed already."))
    audit(actor=actor, action="assignment.withdrawn", target=assignment)


@transaction.atomic
def return_work_of(*, expert_id: int, actor_id: int | None) -> int:
    """Put the unsubmitted work of somebody who marks no more back; drafts are kept.

    What was never opened counts as withdrawn: it may be offered to the same person again.

    Returns how many checks wait for another expert now. Safe to repeat.
    """
    settle_all_of(expert_id=expert_id)
    held = Assignment.objects.select_for_update().filter(expert_id=expert_id, state__in=UNFINISHED)
    returned = list(held.order_by("pk"))
    actor = User.objects.filter(pk=actor_id).first() if returned else None
    begun = set(MarkupRecord.objects.filter(assignment__in=returned).values_list("assignment"))
    for assignment in returned:
        is_begun = (assignment.pk,) in begun
        assignment.state = State.RETURNED if is_begun else State.WITHDRAWN
        assignment.save(update_fields=["state"])
        audit(actor=actor, action="assignment.returned", target=assignment, reason=LEFT)
    return len(returned)


def holder(essay: Essay, role: Assignment.Role) -> Assignment | None:
    """Who holds a check of the essay's present round."""
    return (
        essay.assignments.filter(round=essay.round, role=role, state__in=Assignment.ACTIVE)
        .select_related("expert")
        .first()
    )


def refuse_uncalled_third(essay: Essay) -> None:
    """Raise ``Refused`` unless the essay's present round is decided to need a third check."""
    if not essay.third_checks.filter(round=essay.round, needed=True).exists():
        message = _("Essay %s: the rule has not called for a third check.")
        raise Refused(message % essay.number)


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
    entry = trail_of(assignment).filter(action="expert.assigned").first()
    return entry.actor if entry else None


def refuse_unfit_expert(essay: Essay, expert: User) -> None:
    if not expert.is_active or expert.role != User.Role.EXPERT:
        raise Refused(_("%s is not an active expert.") % expert)
    if not expert.specialisms.filter(subject=essay.subject).exists():
        fields = {"expert": expert, "subject": essay.get_subject_display()}
        raise Refused(_("%(expert)s does not mark %(subject)s.") % fields)
    if essay.assignments.filter(round=essay.round, expert=expert).exclude(LOST_UNOPENED).exists():
        raise Refused(_("%s has had this essay already.") % expert)
    other = rival_at(essay, expert)
    if other is not None:
        fields = {"expert": expert, "other": other}
        raise Refused(_("%(expert)s and %(other)s are not to check one essay.") % fields)
