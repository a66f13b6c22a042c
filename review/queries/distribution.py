"""Who was given which essays of a set, where experts met who should not, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Avg, CharField, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from accounts.models import AuditEntry, User
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


@dataclass(slots=True)
class ExpertChecks:
    """How many checks of a set an expert has."""

    expert: User
    submitted: int = 0
    by_role: Counter[str] = field(default_factory=Counter)

    @property
    def checks(self) -> int:
        """All of them, whatever their role."""
        return self.by_role.total()


def checks_by_expert(essay_set: EssaySet) -> list[ExpertChecks]:
    """How many checks of a set each expert has, by name. Two queries: grouped by what indexes hold,
    the first is five times as fast as with the names.
    """
    counted = checks_of_set(essay_set).order_by().values_list("expert", "role", "state")
    rows = list(counted.annotate(n=Count("pk")))
    people = User.objects.filter(pk__in={expert for expert, *_of in rows})
    found = {each.pk: ExpertChecks(each) for each in people.order_by("full_name", "username")}
    for expert, role, state, count in rows:
        found[expert].by_role[role] += count
        found[expert].submitted += count * (state == State.SUBMITTED)
    return list(found.values())


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


def essays_in_conflict(essay_set: EssaySet, experts: Iterable[int]) -> int:
    """How many essays are checked by two experts whom the rules keep apart; ``experts`` have all
    checks of the set. Of most sets nobody is to be kept from anybody, and no essay is looked at.
    """
    apart = _kept_apart(experts)
    if not apart:
        return 0
    of_them = Q(pk__in=_held(expert__in=apart).values("essay"))
    return Essay.objects.filter(of_them, _experts_met(), LATEST, essay_set=essay_set).count()


def _kept_apart(experts: Iterable[int]) -> set[int]:
    """Those of these experts whom the rules keep apart from another of them."""
    known = list(experts)
    pairs = ExpertConflict.objects.filter(one__in=known, other__in=known)
    named = {each for pair in pairs.values_list("one", "other") for each in pair}
    placed = User.objects.filter(pk__in=known).annotate(place=school_at("school"))
    people = list(placed.exclude(place="").values_list("pk", "place"))
    schools = Counter(place for _expert, place in people)
    return named | {expert for expert, place in people if schools[place] > 1}


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
