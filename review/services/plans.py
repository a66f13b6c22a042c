"""Checks in bulk: a plan is previewed, confirmed once, and withdrawn as far as nobody began."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import AuditEntry, User
from accounts.services.audit import audit, audit_all, entry
from annotator.models import Assignment, EssaySet
from annotator.services.assignment import keep_states
from annotator.services.gates import refuse_sealed
from review.core.plan_options import (
    Options,
    changes_between,
    digest_of,
    outcome_from_json,
    outcome_to_json,
)
from review.core.plan_values import Given, Proposal
from review.core.planning import plan as propose
from review.models.plans import Plan, PlannedCheck
from review.queries.plans import essays_to_plan, not_begun
from review.services.due import deadline_for
from review.services.plan_reading import World, holders_now, read_world
from web.refusals import Refused

State = Assignment.State
AT_ONCE: Final = 500
"""Rows named one by one in a statement."""


@transaction.atomic
def preview_plan(*, options: Options, actor: User) -> Plan:
    """Work out a plan and keep it for its author's word; a former preview of the same goes.

    Raises ``Refused`` for a set that is sealed; without a set sealed ones are left out.
    """
    for essay_set in EssaySet.objects.filter(pk=options.essay_set):
        refuse_sealed(essay_set)
    list(User.objects.select_for_update(no_key=True).filter(pk=actor.pk).values("pk"))
    Plan.objects.filter(actor=actor, state=Plan.State.PREVIEW).delete()
    world = read_world(options)
    made = propose(world.works, world.people, world.rules)
    return Plan.objects.create(actor=actor, options=options.to_json(), **_kept(made, world))


@transaction.atomic
def drop_preview(*, plan: Plan) -> None:
    """Forget a plan that was not carried out. Safe to repeat."""
    Plan.objects.filter(pk=plan.pk, state=Plan.State.PREVIEW).delete()


def confirm_plan(*, plan: Plan, seen: str, actor: User, options: Options | None = None) -> Plan:
    """Carry out a plan as it was ``seen`` (its digest), worked out anew.

    Where it would do anything else by now, nothing is done: the plan is kept as it is now, with
    what changed, and waits for another word; so it is where other ``options`` stood in the form
    than it was made from. Safe to repeat. Raises ``Refused``.
    """
    try:
        with transaction.atomic():
            return _confirm(plan.pk, seen, actor, options)
    except IntegrityError:  # a way to give checks that holds no essay
        message = _("A check was given to somebody at this very moment. Look at the plan again.")
        raise Refused(message) from None


def _confirm(pk: int, seen: str, actor: User, asked: Options | None) -> Plan:
    plan = _held(pk)
    if plan.state == Plan.State.DONE and seen == plan.digest:  # by the first of two presses
        return plan
    if plan.state != Plan.State.PREVIEW:
        raise Refused(_("This plan is carried out already."))
    kept, former = Options.from_json(plan.options), outcome_from_json(plan.outcome)
    options = asked or kept
    world = _world_held(options)
    made = propose(world.works, world.people, world.rules)
    if digest_of(made) != plan.digest:  # something changed since: as little as may be follows it
        made = propose(world.works, world.people, world.rules, former)
    is_other = options != kept
    if not is_other and seen != plan.digest == digest_of(
        made
    ):  # pressed twice: what changed is not looked at yet
        return plan
    if is_other or digest_of(made) != seen:
        changes = changes_between(former, made, holders_now(options))
        fields = _kept(made, world) | {"changes": [_change(each) for each in changes]}
        _write(plan, options=options.to_json(), **fields)
        return plan
    if not made.given and not made.taken:
        raise Refused(_("This plan gives nothing to anybody."))
    _carry_out(plan, made, world, actor)
    _write(plan, state=Plan.State.DONE, done_at=Now(), changes=[], **_kept(made, world))
    counts = {"given": plan.given, "taken": plan.taken, "unfilled": plan.unfilled}
    audit(actor=actor, action="plan.confirmed", target=plan, **counts)
    return plan


def _held(pk: int) -> Plan:
    found = Plan.objects.select_for_update(of=("self",), no_key=True).filter(pk=pk).first()
    if found is None:
        raise Refused(_("This preview was replaced by another one. Look at that."))
    return found


def _world_held(options: Options) -> World:
    """What a plan is made from, and nobody else changes until the transaction ends.

    Sets first, then essays, people and checks, each by number: as whoever gives one check does.
    """
    sets = keep_states(essays_to_plan(options))
    essays = essays_to_plan(options).filter(essay_set__in=sets)
    held = set(essays.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))
    experts = User.objects.filter(role=User.Role.EXPERT).order_by("pk")
    list(experts.select_for_update(no_key=True).values("pk"))
    if options.adjusts:
        waiting = Assignment.objects.filter(essay__in=essays_to_plan(options).values("pk"))
        waiting = waiting.filter(state=State.WAITING).order_by("pk")
        list(waiting.select_for_update(of=("self",)).values("pk"))
    return read_world(options, only=held)


def _carry_out(plan: Plan, made: Proposal, world: World, actor: User) -> None:
    entries = _take(plan, made, world, actor)
    sets = EssaySet.objects.select_related("rules").in_bulk(set(world.sets.values()))
    due = {pk: deadline_for(each) for pk, each in sets.items()}
    assignments = Assignment.objects.bulk_create(
        Assignment(
            essay_id=each.work,
            round=world.rounds[each.work],
            role=each.role,
            expert_id=each.person,
            deadline_at=due[world.sets[each.work]],
        )
        for each in made.given
    )
    PlannedCheck.objects.bulk_create(
        PlannedCheck(plan=plan, assignment=row, is_pinned=each.is_pinned)
        for row, each in zip(assignments, made.given, strict=True)
    )
    pairs = zip(assignments, made.given, strict=True)
    audit_all([*entries, *(_given_entry(plan, row, each, actor) for row, each in pairs)])


def _given_entry(plan: Plan, row: Assignment, each: Given, actor: User) -> AuditEntry:
    details = {"role": each.role, "expert": each.person, "plan": plan.pk}
    return entry(actor=actor, action="expert.assigned", target=row, **details)


def _take(plan: Plan, made: Proposal, world: World, actor: User) -> list[AuditEntry]:
    rows = [world.checks[each.work, each.role] for each in made.taken]
    return _withdraw(rows, actor, plan=plan.pk)


def _withdraw(rows: Sequence[int], actor: User, **details: object) -> list[AuditEntry]:
    """Take checks away whose rows are held; what is written down of it is not saved yet."""
    for at in range(0, len(rows), AT_ONCE):
        found = Assignment.objects.filter(pk__in=rows[at : at + AT_ONCE])
        found.update(state=State.WITHDRAWN)
    targets = [Assignment(pk=pk) for pk in rows]
    action = "assignment.withdrawn"
    return [entry(actor=actor, action=action, target=each, **details) for each in targets]


@transaction.atomic
def withdraw_plan(*, plan: Plan, actor: User) -> int:
    """Take back what a plan gave and nobody began; returns how many checks that are.

    What was begun stays with who began it; of a plan that is withdrawn already that is none. Raises
    ``Refused`` where nothing is left to take back.
    """
    held = _held(plan.pk)
    if held.state == Plan.State.WITHDRAWN:
        return 0
    waiting = not_begun().filter(planned__plan=held).order_by("pk")
    rows = list(waiting.select_for_update(of=("self",)).values_list("pk", flat=True))
    if not rows:
        raise Refused(_("Nothing of this plan can be withdrawn: every check of it was begun."))
    audit_all(_withdraw(rows, actor, plan=held.pk))
    _write(held, state=Plan.State.WITHDRAWN, withdrawn_at=Now())
    audit(actor=actor, action="plan.withdrawn", target=held, withdrawn=len(rows))
    return len(rows)


def _kept(made: Proposal, world: World) -> dict[str, Any]:
    """The fields of a row that say what a plan does."""
    return {
        "outcome": outcome_to_json(made, _asked(world)),
        "digest": digest_of(made),
        "given": len(made.given),
        "taken": len(made.taken),
        "unfilled": len(made.unfilled),
    }


def _asked(world: World) -> Iterable[int]:
    """Whoever is able to check one of the essays, or has one that may be moved."""
    subjects = {work.subject for work in world.works}
    moved = {held.person for work in world.works for held in work.movable}
    return [each.id for each in world.people if each.subjects & subjects or each.id in moved]


def _change(each: Any) -> list[Any]:
    return [each.work, each.role, each.before, each.after, each.is_gone, each.is_new]


def _write(plan: Plan, **fields: Any) -> None:
    Plan.objects.filter(pk=plan.pk).update(**fields)
    plan.refresh_from_db()
