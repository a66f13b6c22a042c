"""Acts on many checks: what would happen is told first, then it is done once, and may be undone.

Only checks that are not submitted are touched. A plan is made anew within the transaction that
carries it out; where it is not the one that was looked at, nothing happens.
"""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now
from django.utils.encoding import uri_to_iri
from django.utils.translation import gettext as _

from accounts.models import AuditEntry, User
from accounts.services.audit import audit_all, entry
from annotator.models import Assignment, Essay, EssaySet
from annotator.queries.work import OPEN, is_open
from annotator.services.assignment import keep_states
from review.models.acts import BulkAct
from review.queries.desk import checks_chosen
from review.queries.experts import (
    LOST_UNOPENED,
    checks_of_its_rivals,
    others_had_by_its_expert,
    rivals_by_place,
    shares_of,
)
from review.queries.plans import not_begun
from review.services.due import deadline_for
from web.refusals import Conflict, Refused

BATCH: Final = 500
"""So many rows go into a statement."""

State = Assignment.State
Kind = BulkAct.Kind


class Stays(StrEnum):
    """Why a check an act took is not given back."""

    CLOSED = "closed"
    REPLACED = "replaced"
    BEGUN = "begun"
    TAKEN = "taken"
    HAD = "had"
    APART = "apart"


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
    left_alone: Mapping[str, int] = field(default_factory=dict)

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
        return shares_of(self.checks)

    @property
    def digest(self) -> str:
        """Tells this plan from any other one."""
        told = [(check.pk, check.state, check.has_draft) for check in self.checks]  # type: ignore[attr-defined]
        return hashlib.sha256(repr((self.kind.value, told)).encode()).hexdigest()[:32]


def plan_of(wish: Wish) -> Plan:
    """What the act would do at this moment; nothing is written."""
    found = checks_chosen(wish.essays, expert=wish.holder, late_only=wish.late_only)
    if wish.expert is None:
        return _taking_away(found, wish.kind)
    return _handing_over(found, wish.expert)


def _taking_away(found: Iterable[Assignment], kind: BulkAct.Kind) -> Plan:
    kept: list[Assignment] = []
    left: Counter[str] = Counter()
    for check in found:
        if _is_handed_in(check):
            left[_just_submitted()] += 1
        else:
            kept.append(check)
    return Plan(kind, None, kept, dict(left))


def _is_handed_in(check: Assignment) -> bool:
    """Its expert has submitted it, and may recall it for a minute: nobody else touches it."""
    return not is_open(check)


def _just_submitted() -> str:
    return _("submitted within the last minute")


def _handing_over(found: Iterable[Assignment], expert: User) -> Plan:
    subjects = set(expert.specialisms.values_list("subject", flat=True))
    had = Assignment.objects.filter(expert=expert).exclude(LOST_UNOPENED)
    seen = set(had.values_list("essay_id", "round"))
    barred = rivals_by_place(expert)
    kept: list[Assignment] = []
    left: Counter[str] = Counter()
    for check in found:
        place = (check.essay_id, check.round)
        if _is_handed_in(check):
            left[_just_submitted()] += 1
        elif check.expert_id == expert.pk:
            left[_("theirs already")] += 1
        elif check.essay.essay_set.state != EssaySet.State.OPEN:
            left[_("of a set that is not open")] += 1
        elif check.essay.subject not in subjects:
            left[_("of a subject they do not mark")] += 1
        elif place in seen:
            left[_("of an essay they have had")] += 1
        elif rivals := [name for role, name in barred.get(place, []) if role != check.role]:
            left[_("of an essay of %s, whom they are kept apart from") % rivals[0]] += 1
        else:
            seen.add(place)
            kept.append(check)
    return Plan(Kind.HAND_OVER, expert, kept, dict(left))  # templates ask a Counter for any name


@transaction.atomic
def carry_out(*, key: uuid.UUID, wish: Wish, actor: User, digest: str) -> BulkAct:
    """Do what was looked at; with a ``key`` that was used before, give back what that one did.

    Raises ``Conflict`` when it would be something else by now, ``Refused`` for an unfit expert.
    """
    keep_states(wish.essays)
    essays = _held(wish.essays)
    people = _people_held(actor, wish.expert)  # of two presses one
    known = BulkAct.objects.filter(key=key, actor=actor).first()
    if known:
        return known
    _refuse_unfit(wish, people)
    _hold_checks(essays)
    plan = plan_of(wish)
    if plan.digest != digest:
        raise Conflict(_changed())
    if not plan.checks:
        raise Refused(_("There is nothing to do: no check is touched."))
    checks = list(_done(plan, actor))
    return BulkAct.objects.create(
        key=key,
        kind=wish.kind,
        actor=actor,
        expert=wish.expert,
        checks=checks,
        query=uri_to_iri(wish.query)[:500],  # letters as they are: a whole filter fits
    )


def _changed() -> str:
    return _("Something has changed since you looked. Nothing was done: look again.")


def _refuse_unfit(wish: Wish, people: Mapping[int, User]) -> None:
    """Raise ``Refused`` unless checks can be handed over to this account, which is held."""
    if wish.kind is Kind.WITHDRAW:
        return
    if wish.expert is None:
        raise Refused(_("Choose an expert."))
    held = people[wish.expert.pk]
    if not held.is_active or held.role != User.Role.EXPERT:
        raise Refused(_("%s is not an active expert.") % held)


def _held(essays: QuerySet[Essay]) -> list[int]:
    """Lock the essays, each by number and all before people and checks: as whoever plans does, or
    gives one check. Nobody assigns meanwhile.
    """
    numbers = list(essays.order_by("pk").values_list("pk", flat=True).distinct())
    for some in batches(numbers):
        held = Essay.objects.filter(pk__in=some).order_by("pk")
        list(held.select_for_update(of=("self",)).values("pk"))
    return numbers


def _people_held(*people: User | None) -> dict[int, User]:
    found = User.objects.filter(pk__in=[each.pk for each in people if each]).order_by("pk")
    return {each.pk: each for each in found.select_for_update(no_key=True)}


def _hold_checks(essays: Sequence[int]) -> None:
    """Lock the checks of essays that are held, by number: nobody begins or submits meanwhile."""
    for some in batches(essays):
        checks = Assignment.objects.filter(essay__in=some).order_by("pk")
        list(checks.select_for_update(of=("self",)).values("pk"))


def _done(plan: Plan, actor: User) -> Iterator[dict[str, object]]:
    for some in batches(plan.checks):
        taken = Assignment.objects.filter(OPEN, pk__in=[check.pk for check in some])
        if taken.update(state=State.WITHDRAWN) < len(some):  # one was handed in at this moment
            raise Conflict(_changed())
        audit_all(entry(actor=actor, action="assignment.withdrawn", target=each) for each in some)
        given = _given(some, plan.expert, actor) if plan.expert else [None] * len(some)
        for check, new in zip(some, given, strict=True):
            yield {"check": check.pk, "was": check.state, "given": new}


def _given(checks: Sequence[Assignment], expert: User, actor: User) -> list[int]:
    """The numbers of the checks that stand in the place of these."""
    sets = {check.essay.essay_set for check in checks}
    due = {each.pk: deadline_for(each) for each in sets}
    made = Assignment.objects.bulk_create(
        Assignment(
            essay_id=check.essay_id,
            round=check.round,
            role=check.role,
            expert=expert,
            deadline_at=due[check.essay.essay_set_id],
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
    """Give back what an act took, as far as nobody has gone on with it. Safe to repeat.

    Raises ``Refused`` while a set of it is in the archive: it can be undone once, for all of it.
    """
    essays = Essay.objects.filter(assignments__in=[line["check"] for line in act.checks])
    keep_states(essays)
    _hold_checks(_held(essays))
    act = BulkAct.objects.select_for_update(of=("self",)).get(pk=act.pk)
    if act.undone_at is not None:
        return act
    archived = essays.filter(essay_set__state=EssaySet.State.ARCHIVED)
    for name in archived.values_list("essay_set__name", flat=True)[:1]:
        message = _("The set “%s” is in the archive: take it out before this is undone.")
        raise Refused(message % name)
    act.restored = sum(_restored(some, actor) for some in by_essays(act.checks))
    act.undone_at = Now()
    act.save(update_fields=["checks", "restored", "undone_at"])
    act.refresh_from_db()
    return act


def _restored(lines: Sequence[dict[str, Any]], actor: User) -> int:
    """Put checks back where they were, and note why others stay; returns how many are back."""
    reasons = reasons_to_stay(lines)
    back = [line for line in lines if line["check"] not in reasons]
    given = Assignment.objects.filter(pk__in=[line["given"] for line in back if line["given"]])
    given.update(state=State.WITHDRAWN)
    fit = Assignment.objects.filter(pk__in=[line["check"] for line in back])
    for state in {line["was"] for line in back}:
        these = [line["check"] for line in back if line["was"] == state]
        fit.filter(pk__in=these).update(state=state)
    audit_all(entry(actor=actor, action="assignment.restored", target=each) for each in fit)
    for line in lines:
        if line["check"] in reasons:
            line["stays"] = reasons[line["check"]]
    return len(back)


def reasons_to_stay(lines: Sequence[dict[str, Any]]) -> dict[int, Stays]:
    """Of the checks an act took those that cannot be given back now, with the reason."""
    given = {line["check"]: line["given"] for line in lines if line["given"]}
    free = set(not_begun().filter(pk__in=given.values()).values_list("pk", flat=True))
    holder = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=OuterRef("role"),
        state__in=Assignment.ACTIVE,
    ).exclude(pk__in=free)
    found = Assignment.objects.filter(pk__in=[line["check"] for line in lines]).annotate(
        is_held=Exists(holder),
        is_had=Exists(others_had_by_its_expert()),
    )
    reasons = {}
    for check in found.select_related("expert", "essay").defer("essay__text", "essay__task_text"):
        is_free = given.get(check.pk, check.pk) in {check.pk, *free}
        reason = _reason_to_stay(check, is_free=is_free)
        if reason:
            reasons[check.pk] = reason
    fit = [line["check"] for line in lines if line["check"] not in reasons]
    rivals = Exists(checks_of_its_rivals(fit).exclude(pk__in=free))
    apart = Assignment.objects.filter(rivals, pk__in=fit).values_list("pk", flat=True)
    return reasons | dict.fromkeys(apart, Stays.APART)


def _reason_to_stay(check: Any, *, is_free: bool) -> Stays | None:
    """Why a check is not given back; ``is_free``: what came in its place was not begun."""
    is_fit = check.expert.is_active and check.expert.role == User.Role.EXPERT
    is_gone = check.is_held or check.state != State.WITHDRAWN
    reasons = {
        Stays.CLOSED: not is_fit,
        Stays.REPLACED: check.essay.closed_at is not None,
        Stays.BEGUN: not is_free,
        Stays.TAKEN: is_gone,
        Stays.HAD: check.is_had,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def by_essays(lines: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    """The lines of an act in batches, those of an essay together: of one check of it others say
    whether it is given back.
    """
    essays: dict[int, int] = {}
    for some in batches(lines):
        checks = Assignment.objects.filter(pk__in=[line["check"] for line in some])
        essays |= dict(checks.values_list("pk", "essay"))
    told = sorted(lines, key=lambda line: essays.get(line["check"], 0))
    batch: list[dict[str, Any]] = []
    for _essay, own in groupby(told, key=lambda line: essays.get(line["check"], 0)):
        batch += own
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def batches(rows: Sequence[object]) -> Iterator[Sequence]:  # type: ignore[type-arg]
    """The same rows, ``BATCH`` at a time."""
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]
