"""Who was given which essays of a set, where experts met who should not, and what came of it."""

from __future__ import annotations

from typing import Any

from django.db.models import Avg, CharField, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from accounts.models import AuditEntry
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from review.models import ExpertConflict, FinalGrade, Plan, SetProtocol, ThirdCheck
from review.queries.essays import TOLD
from review.queries.grades import standing_grades
from review.queries.schools import school_at

Role, State = Assignment.Role, Assignment.State
TOLD_OF_SETS = (
    "set.state",
    "set.changed",
    "set.verified",
    "set.approved",
    "set.returned",
    "set.sent",
)
TOLD_OF_PLANS = ("plan.confirmed", "plan.withdrawn")


def checks_of_set(essay_set: EssaySet) -> QuerySet[Assignment]:
    """The checks that count: of the latest versions, in their present rounds."""
    return Assignment.objects.filter(
        essay__essay_set=essay_set,
        essay__closed_at=None,
        round=F("essay__round"),
        state__in=Assignment.ACTIVE,
    )


def checks_by_expert(essay_set: EssaySet) -> QuerySet[Assignment, dict[str, Any]]:
    """How many checks of a set each expert has, by name; a row an expert."""
    roles = {role.value: Count("pk", filter=Q(role=role)) for role in Role}
    return (
        checks_of_set(essay_set)
        .order_by()
        .values("expert", "expert__full_name", "expert__username", "expert__school")
        .annotate(
            checks=Count("pk"), submitted=Count("pk", filter=Q(state=State.SUBMITTED)), **roles
        )
        .order_by("expert__full_name", "expert__username")
    )


def essays_distributed(essay_set: EssaySet, *, expert: int | None, thirds: bool) -> QuerySet[Essay]:
    """The essays of a set, bare; ``in_conflict``: experts met who should not have.

    Of one expert alone, or those alone whose first two checks called a third one.
    """
    found = Essay.objects.filter(LATEST, essay_set=essay_set).order_by("number", "pk").only("pk")
    if expert:
        found = found.filter(Exists(_held(essay=OuterRef("pk")).filter(expert=expert)))
    if thirds:
        decided = ThirdCheck.objects.filter(essay=OuterRef("pk"), round=OuterRef("round"))
        found = found.filter(Exists(decided.filter(needed=True)))
    return found.annotate(in_conflict=_experts_met())


def essays_in_conflict(essay_set: EssaySet) -> int:
    """How many essays are checked by two experts whom the rules keep apart."""
    return Essay.objects.filter(_experts_met(), LATEST, essay_set=essay_set).count()


def _held(**of: Any) -> QuerySet[Assignment]:
    held = Assignment.objects.filter(**of, round=F("essay__round"))
    return held.filter(state__in=Assignment.ACTIVE).order_by()


def _experts_met() -> Q:
    """Essays with checks of a named pair, or of two experts of one school."""
    of_essay = OuterRef(OuterRef("pk"))
    named = ExpertConflict.objects.filter(
        Exists(_held(essay=of_essay, expert=OuterRef("one"))),
        Exists(_held(essay=of_essay, expert=OuterRef("other"))),
    )
    school = school_at("expert__school")
    of_school = _held(essay=OuterRef("pk")).annotate(place=school).exclude(place="")
    beside = _held(essay=OuterRef("essay")).annotate(place=school).filter(place=OuterRef("place"))
    return Q(Exists(named.order_by())) | Q(
        Exists(of_school.filter(Exists(beside.filter(pk__gt=OuterRef("pk")))))
    )


def grades_by_subject(essay_set: EssaySet) -> QuerySet[FinalGrade, dict[str, Any]]:
    """The final grades of a set that count: how many, their mean and bounds; a row a subject."""
    of_set = standing_grades().filter(essay__essay_set=essay_set, essay__closed_at=None)
    return (
        of_set.order_by()
        .values("essay__subject")
        .annotate(n=Count("pk"), mean=Avg("total"), least=Min("total"), most=Max("total"))
        .order_by("essay__subject")
    )


def decisions_of_set(essay_set: EssaySet) -> dict[str, int]:
    """How many decisions on third checks there are, and how many called one."""
    decided = ThirdCheck.objects.filter(
        essay__essay_set=essay_set, essay__closed_at=None, round=F("essay__round")
    )
    return decided.aggregate(n=Count("pk"), needed=Count("pk", filter=Q(needed=True)))


def history_of_set(essay_set: EssaySet) -> QuerySet[AuditEntry]:
    """What was written down of a set, latest first: plans, who had its checks, verdicts."""
    checks = Assignment.objects.filter(essay__essay_set=essay_set)
    markups = MarkupRecord.objects.filter(assignment__in=checks)
    plans = Plan.objects.filter(checks__assignment__in=checks)
    protocols = SetProtocol.objects.filter(essay_set=essay_set)
    told = (
        _about(checks, TOLD)
        | _about(markups, TOLD)
        | _about(plans, TOLD_OF_PLANS)
        | _about(protocols, ("protocol.voided",))
        | _about(EssaySet.objects.filter(pk=essay_set.pk), TOLD_OF_SETS)
    )
    return AuditEntry.objects.filter(told).select_related("actor").order_by("-pk")


def _about(rows: QuerySet[Any], actions: tuple[str, ...]) -> Q:
    numbers = rows.order_by().annotate(number=Cast("pk", CharField())).values("number")
    name = rows.model._meta.label_lower
    return Q(object_type=name, action__in=actions, object_id__in=numbers)
