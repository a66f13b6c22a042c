"""Acts on many checks: what would happen is told first, then it is done once, and may be undone.

Only checks that are not submitted are touched. A plan is made anew within the transaction that
carries it out; where it is not the one that was looked at, nothing happens.
"""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import AuditEntry, User
from accounts.services.audit import audit_all, entry
from annotator.models import Assignment, Essay, MarkupRecord
from review.act_models import BulkAct
from review.desk_queries import checks_chosen
from review.queries import LOST_UNOPENED
from web.refusals import Conflict, Refused

BATCH: Final = 500
"""So many rows go into a statement."""

State = Assignment.State
Kind = BulkAct.Kind


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants done: with the open checks of these essays, or with those of a
    ``holder`` or the overdue ones alone; ``query``: the filter of the desk they were found by.
    """

    kind: BulkAct.Kind
    essays: QuerySet[Essay]
    holder: int | None = None
    late_only: bool = False
    expert: User | None = None
    query: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an act would do: the checks it touches, and how many it leaves alone, by the reason."""

    kind: BulkAct.Kind
    expert: User | None
    checks: Sequence[Assignment]
    left_alone: Counter[str] = field(default_factory=Counter)

    @property
    def begun(self) -> int:
        """How many of the checks have a draft."""
        return sum(check.has_draft for check in self.checks)  # type: ignore[attr-defined]

    @property
    def essays(self) -> int:
        """How many essays these checks are of."""
        return len({check.essay_id for check in self.checks})

    @property
    def experts(self) -> list[tuple[str, int]]:
        """Who loses how many, those with the most first."""
        counted = Counter(str(check.expert) for check in self.checks)
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))

    @property
    def digest(self) -> str:
        """Tells this plan from any other one."""
        told = [(check.pk, check.state, check.has_draft) for check in self.checks]  # type: ignore[attr-defined]
        return hashlib.sha256(repr((self.kind.value, told)).encode()).hexdigest()[:32]


def plan_of(wish: Wish) -> Plan:
    """What the act would do at this moment; nothing is written."""
    found = checks_chosen(wish.essays, expert=wish.holder, late_only=wish.late_only)
    if wish.expert is None:
        return Plan(wish.kind, None, list(found))
    return _handing_over(found, wish.expert)


def _handing_over(found: Iterable[Assignment], expert: User) -> Plan:
    subjects = set(expert.specialisms.values_list("subject", flat=True))
    had = Assignment.objects.filter(expert=expert).exclude(LOST_UNOPENED)
    seen = set(had.values_list("essay_id", "round"))
    plan = Plan(Kind.HAND_OVER, expert, kept := [])
    for check in found:
        place = (check.essay_id, check.round)
        if check.expert_id == expert.pk:
            plan.left_alone[_("is theirs already")] += 1
        elif check.essay.subject not in subjects:
            plan.left_alone[_("is of a subject they do not mark")] += 1
        elif place in seen:
            plan.left_alone[_("is of an essay they have had")] += 1
        else:
            seen.add(place)
            kept.append(check)
    return plan


@transaction.atomic
def carry_out(*, key: uuid.UUID, wish: Wish, actor: User, digest: str) -> BulkAct:
    """Do what was looked at; with a ``key`` that was used before, give back what that one did.

    Raises ``Conflict`` when it would be something else by now, ``Refused`` for an unfit expert.
    """
    actor = User.objects.select_for_update(no_key=True).get(pk=actor.pk)  # of two presses one
    known = BulkAct.objects.filter(key=key, actor=actor).first()
    if known:
        return known
    _refuse_unfit(wish)
    _hold(wish.essays)
    plan = plan_of(wish)
    if plan.digest != digest:
        raise Conflict(_("Something has changed since you looked. Nothing was done: look again."))
    if not plan.checks:
        raise Refused(_("There is nothing to do: no check is touched."))
    checks = list(_done(plan, actor))
    return BulkAct.objects.create(
        key=key,
        kind=wish.kind,
        actor=actor,
        expert=wish.expert,
        checks=checks,
        query=wish.query[:500],
    )


def _refuse_unfit(wish: Wish) -> None:
    """Raise ``Refused`` unless checks can be handed over to this account, and hold it."""
    if wish.kind is Kind.WITHDRAW:
        return
    if wish.expert is None:
        raise Refused(_("Choose an expert."))
    held = User.objects.select_for_update(no_key=True).get(pk=wish.expert.pk)
    if not held.is_active or held.role != User.Role.EXPERT:
        raise Refused(_("%s is not an active expert.") % held)


def _hold(essays: QuerySet[Essay]) -> None:
    """Lock the essays and their open checks: nobody begins, submits or assigns meanwhile."""
    numbers = list(essays.order_by("pk").values_list("pk", flat=True))
    for some in batches(numbers):
        held = Essay.objects.filter(pk__in=some).order_by("pk")
        list(held.select_for_update(of=("self",)).values("pk"))
        checks = Assignment.objects.filter(essay__in=some).order_by("pk")
        list(checks.select_for_update(of=("self",)).values("pk"))


def _done(plan: Plan, actor: User) -> Iterator[dict[str, object]]:
    for some in batches(plan.checks):
        taken = Assignment.objects.filter(pk__in=[check.pk for check in some])
        taken.update(state=State.WITHDRAWN)
        audit_all(entry(actor=actor, action="assignment.withdrawn", target=each) for each in some)
        given = _given(some, plan.expert, actor) if plan.expert else [None] * len(some)
        for check, new in zip(some, given, strict=True):
            yield {"check": check.pk, "was": check.state, "given": new}


def _given(checks: Sequence[Assignment], expert: User, actor: User) -> list[int]:
    """The numbers of the checks that stand in the place of these."""
    essays = [check.essay_id for check in checks]
    lost = Assignment.objects.filter(LOST_UNOPENED, expert=expert, essay__in=essays)
    lost.filter(round=F("essay__round")).delete()
    made = Assignment.objects.bulk_create(
        Assignment(
            essay_id=check.essay_id,
            round=check.round,
            role=check.role,
            expert=expert,
            deadline_at=Now() + timedelta(days=check.essay.essay_set.rules.days_to_mark),
        )
        for check in checks
    )
    audit_all(_entries_of_given(made, actor))
    return [each.pk for each in made]


def _entries_of_given(made: Iterable[Assignment], actor: User) -> Iterator[AuditEntry]:
    for each in made:
        details = {"role": each.role, "expert": each.expert_id}
        yield entry(actor=actor, action="expert.assigned", target=each, **details)


@transaction.atomic
def undo(*, act: BulkAct, actor: User) -> BulkAct:
    """Give back what an act took, as far as nobody has gone on with it. Safe to repeat."""
    act = BulkAct.objects.select_for_update(of=("self",)).get(pk=act.pk)
    if act.undone_at is not None:
        return act
    act.restored = sum(_restored(some, actor) for some in batches(act.checks))
    act.undone_at = Now()
    act.save(update_fields=["restored", "undone_at"])
    act.refresh_from_db()
    return act


def _restored(lines: Sequence[dict[str, object]], actor: User) -> int:
    """Put checks back where they were; returns how many."""
    _hold(Essay.objects.filter(assignments__in=[line["check"] for line in lines]).distinct())
    given = [line["given"] for line in lines if line["given"]]
    begun = MarkupRecord.objects.filter(assignment=OuterRef("pk"))
    unbegun = Assignment.objects.filter(~Exists(begun), pk__in=given, state=State.WAITING)
    free = set(unbegun.values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=free).update(state=State.WITHDRAWN)
    back = [line for line in lines if not line["given"] or line["given"] in free]
    states = {line["check"]: line["was"] for line in back}
    fit = list(_restorable([line["check"] for line in back]))
    for state in {states[check.pk] for check in fit}:
        these = [check.pk for check in fit if states[check.pk] == state]
        Assignment.objects.filter(pk__in=these).update(state=state)
    audit_all(entry(actor=actor, action="assignment.restored", target=each) for each in fit)
    return len(fit)


def _restorable(checks: Sequence[object]) -> QuerySet[Assignment]:
    """Of these checks those that are still nobody's, whose experts are still here."""
    holder = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=OuterRef("role"),
        state__in=Assignment.ACTIVE,
    )
    return Assignment.objects.filter(
        ~Exists(holder),
        pk__in=checks,
        state=State.WITHDRAWN,
        expert__is_active=True,
        expert__role=User.Role.EXPERT,
    )


def batches(rows: Sequence[object]) -> Iterator[Sequence]:  # type: ignore[type-arg]
    """The same rows, ``BATCH`` at a time."""
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]
