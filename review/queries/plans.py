"""What a plan of checks asks the database, and what its pages show."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Func,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Length, Replace

from accounts.models import AuditEntry, User
from accounts.queries import WITHOUT_PASSWORD, trail_of
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import TAKES_CHECKS
from annotator.queries.sets import CHECKED_SETS, idle_essays, sealed_sets
from annotator.queries.third_checks import FIRST_TWO
from annotator.queries.work import UNFINISHED
from review.core.plan_options import Options, Picked, Wanted
from review.models.acts import BulkAct
from review.models.plans import ExpertConflict, Plan
from review.queries.desk import essays_asked
from review.queries.schools import colleagues_of

State = Assignment.State
LEFT: Final = "expert left"
"""Why a check went back that nobody has handed back or taken away."""


def words_of(text: str) -> Func:
    """About how many words a text has: its blanks and line ends, and one."""
    bare = Replace(Replace(F(text), Value(" ")), Value("\n"))
    return Length(text) - Length(bare) + Value(1, IntegerField())  # type: ignore[no-any-return]


def opened() -> QuerySet[MarkupRecord]:
    """Markups of an outer query's check: somebody has opened it."""
    return MarkupRecord.objects.filter(assignment=OuterRef("pk"))


def not_begun() -> QuerySet[Assignment]:
    """Checks that were given and not opened."""
    return Assignment.objects.filter(~Exists(opened()), state=State.WAITING)


def sets_left_out(asked: int | None) -> QuerySet[EssaySet]:
    """Sets no plan gives checks of, by name: the set asked for, if it is not open; where all are
    asked for, those with essays that are being prepared yet, and open ones that are sealed.
    """
    if asked is not None:
        return EssaySet.objects.filter(pk=asked).exclude(state=EssaySet.State.OPEN)
    is_sealed = Q(state=EssaySet.State.OPEN, pk__in=sealed_sets())
    waiting = EssaySet.objects.filter(CHECKED_SETS, Q(state=EssaySet.State.PREPARING) | is_sealed)
    return waiting.filter(Exists(Essay.objects.filter(essay_set=OuterRef("pk")))).order_by("name")


def essays_to_plan(options: Options) -> QuerySet[Essay]:
    """The essays a plan looks at, in a fixed order: those with a check nobody has; where the plan
    adjusts, also those with one that was not begun. Idle ones only where they were ticked.
    """
    essays = _essays_asked_for(options)
    return essays if options.picked.ticked else essays.exclude(idle_essays())


def idle_essays_left_out(options: Options) -> int:
    """How many essays a plan passes over because no check of them is wanted."""
    return 0 if options.picked.ticked else _essays_asked_for(options).filter(idle_essays()).count()


def _essays_asked_for(options: Options) -> QuerySet[Essay]:
    """The same with the idle ones."""
    of_round = Assignment.objects.filter(essay=OuterRef("pk"), round=OuterRef("round"))
    active = of_round.filter(state__in=Assignment.ACTIVE)
    first, second = (~Exists(active.filter(role=role)) for role in FIRST_TWO)
    wanted = {
        Wanted.BOTH: first & second,
        Wanted.ONE: (first & ~second) | (~first & second),
        Wanted.RETURNED: (first | second) & Exists(of_round.filter(state=State.RETURNED)),
    }.get(Wanted(options.wanted), first | second)
    if options.adjusts:
        waits = not_begun().filter(
            essay=OuterRef("pk"), round=OuterRef("round"), role__in=FIRST_TWO
        )
        wanted |= Q(Exists(waits))
    essays = Essay.objects.filter(TAKES_CHECKS, wanted).exclude(essay_set__in=sealed_sets())
    if options.essay_set is not None:
        essays = essays.filter(essay_set=options.essay_set)
    if options.subject:
        essays = essays.filter(subject=options.subject)
    return _picked(essays, options.picked).order_by("pk")


def _picked(essays: QuerySet[Essay], picked: Picked) -> QuerySet[Essay]:
    """Of these essays those the desk lists under a filter, or that were ticked there."""
    if picked.filter is not None:
        essays = essays.filter(pk__in=essays_asked(picked.filter).values("pk"))
    return essays.filter(pk__in=picked.ticked) if picked.ticked else essays


def essays_left_alone(options: Options) -> int:
    """How many of the ticked essays a plan has nothing to give of."""
    ticked = len(options.picked.ticked)
    return ticked - essays_to_plan(options).count() if ticked else 0


def essays_of_act(act: BulkAct) -> tuple[int, ...]:
    """The numbers of the essays whose checks an act took, in order."""
    checks = Assignment.objects.filter(pk__in=[line["check"] for line in act.checks])
    return tuple(checks.order_by("essay").values_list("essay", flat=True).distinct())


def essays_left_by(expert: int, set_name: str) -> tuple[int, ...]:
    """The numbers of the essays of a set whose first two checks came back when the expert's account
    was closed last, in order.
    """
    closed = trail_of(User(pk=expert)).filter(action="person.closed").order_by("-pk").first()
    lost = Assignment.objects.filter(
        expert=expert,
        role__in=FIRST_TWO,
        state__in=[State.WITHDRAWN, State.RETURNED],
        essay__essay_set__name=set_name,
    )
    essays = {str(check): essay for check, essay in lost.values_list("pk", "essay")}
    back = AuditEntry.objects.filter(
        pk__gt=closed.pk if closed else 0,
        action="assignment.returned",
        object_type=Assignment._meta.label_lower,
        object_id__in=list(essays),
        details__reason=LEFT,
    )
    return tuple(sorted({essays[each] for each in back.values_list("object_id", flat=True)}))


def plans_seen_by(user: User) -> QuerySet[Plan]:
    """Plans that were carried out, and somebody's own preview."""
    of_others = Q(state=Plan.State.PREVIEW) & ~Q(actor=user)
    return Plan.objects.exclude(of_others).select_related("actor")


def plan_made_instead_of(pk: int, user: User) -> Plan | None:
    """The plan somebody made after one that is gone by now; a preview gives way to the next."""
    if Plan.objects.filter(pk=pk).exists():
        return None
    return Plan.objects.filter(actor=user, pk__gt=pk).order_by("-pk").first()


def is_dropped(pk: int, user: User) -> bool:
    """True where a preview is gone, and somebody has made no plan after it."""
    return not Plan.objects.filter(Q(pk=pk) | Q(pk__gt=pk, actor=user)).exists()


def plans_made() -> QuerySet[Plan]:
    """Plans that were carried out, the latest first, with how many checks were not begun."""
    waits = Q(checks__assignment__in=not_begun())
    found = Plan.objects.exclude(state=Plan.State.PREVIEW).defer("outcome", "changes")
    counted = found.annotate(not_begun=Count("checks", filter=waits))
    return counted.select_related("actor").order_by("-pk")


def experts_with_limits(wanted: str = "") -> QuerySet[User]:
    """Active experts with their limits, open checks and subjects, by name; ``wanted``: a part of
    their names, logins or schools.
    """
    unfinished = Q(assignments__state__in=UNFINISHED)
    named = Q(full_name__icontains=wanted) | Q(username__icontains=wanted)
    return (
        User.objects.filter(role=User.Role.EXPERT, is_active=True)
        .filter(named | Q(school__icontains=wanted))
        .select_related("check_limit")
        .prefetch_related("specialisms")
        .annotate(load=Count("assignments", filter=unfinished), is_absent=WITHOUT_PASSWORD)
        .order_by("full_name", "username")
    )


def conflicts_of_experts() -> QuerySet[ExpertConflict]:
    """Named pairs who never check one essay."""
    return ExpertConflict.objects.select_related("one", "other").order_by(
        "one__full_name", "other__full_name", "pk"
    )


def checks_planned_by(plan: Plan) -> QuerySet[Essay]:
    """The essays a plan gave checks of, with these in order."""
    mine = Assignment.objects.filter(planned__plan=plan).select_related("expert").order_by("role")
    return (
        Essay.objects.filter(pk__in=mine.order_by().values("essay"))
        .prefetch_related(Prefetch("assignments", mine, to_attr="planned"))
        .order_by("essay_set__name", "number", "pk")
    )


def people_in_conflict_with(holders: QuerySet[Any, Any], school: Case | None = None) -> Q:
    """Users who may not check an essay beside these, by their numbers: a named pair, one school."""
    return Q(Exists(conflicts_with(holders))) | colleagues_of(holders, school)


def conflicts_with(holders: QuerySet[Any, Any]) -> QuerySet[ExpertConflict]:
    """Conflicts of an outer query's user with these."""
    return ExpertConflict.objects.filter(
        Q(one__in=holders, other=OuterRef("pk")) | Q(other__in=holders, one=OuterRef("pk"))
    )
