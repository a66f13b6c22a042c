from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from accounts.models import AuditEntry, Specialism, User
from accounts.queries import WITHOUT_PASSWORD
from annotator.core.values import Markup
from annotator.models import Assignment, Essay, EssaySet, FragmentRecord, MarkupRecord
from annotator.queries import FIRST_TWO, LATEST, UNFINISHED, earlier_checks
from jobs.models import Job
from review.core.settling import Decisions, pairs
from review.models import FinalGrade, Ruling, ThirdCheck
from review.plan_models import ExpertConflict
from review.plan_queries import people_in_conflict_with
from scoring.models import CriteriaRecord
from scoring.queries import points_of_checks

LOST_UNOPENED = Q(state=Assignment.State.WITHDRAWN, markups=None)
"""Checks that were taken away before their experts opened them."""


def experts_free_for(essay: Essay) -> QuerySet[User]:
    """Active experts of the essay's subject who have not seen it in this round, least loaded first.

    Who lost a check of it unopened may have it again. Those who have no password yet come last.
    """
    had_it = _checks_of(essay).exclude(LOST_UNOPENED)
    able = Specialism.objects.filter(user=OuterRef("pk"), subject=essay.subject)
    load = Count("assignments", filter=Q(assignments__state__in=UNFINISHED))
    return (
        User.objects.filter(Exists(able), ~Exists(had_it), role=User.Role.EXPERT, is_active=True)
        .annotate(load=load, is_absent=WITHOUT_PASSWORD)
        .order_by("is_absent", "load", "pk")
    )


def experts_at_hand(essay: Essay) -> QuerySet[User]:
    """Of the free experts those who could begin and may: they have a password and room for one more
    check, and are in no conflict with whoever has one of the essay.
    """
    active = Assignment.objects.filter(essay=essay, round=essay.round, state__in=Assignment.ACTIVE)
    at_odds = people_in_conflict_with(active.values("expert"))
    is_full = Q(load__gte=F("check_limit__checks"))
    free = experts_free_for(essay).filter(is_absent=False)
    return free.exclude(at_odds).filter(Q(check_limit=None) | ~is_full)


def rival_at(essay: Essay, expert: User) -> User | None:
    """Who has a check of the essay and is not to check one with the expert, by name."""
    pairs = Q(one=expert, other=OuterRef("pk")) | Q(other=expert, one=OuterRef("pk"))
    active = Assignment.objects.filter(
        essay=essay, round=essay.round, state__in=Assignment.ACTIVE, expert=OuterRef("pk")
    )
    named = ExpertConflict.objects.filter(pairs)
    return User.objects.filter(Exists(active), Exists(named)).order_by("pk").first()


def _checks_of(essay: Essay) -> QuerySet[Assignment]:
    """What an expert of an outer query has had of an essay."""
    return Assignment.objects.filter(essay=essay, round=essay.round, expert=OuterRef("pk"))


def work_by_set(expert_id: int) -> list[dict[str, Any]]:
    """An expert's checks that are not submitted, counted by essay set."""
    held = Assignment.objects.filter(expert=expert_id, state__in=UNFINISHED)
    is_begun = Q(state=Assignment.State.WORKING)
    counted = held.values(place=F("essay__essay_set__name")).annotate(
        unopened=Count("pk", filter=~is_begun),
        begun=Count("pk", filter=is_begun),
        thirds=Count("pk", filter=Q(role=Assignment.Role.THIRD)),
    )
    return list(counted.order_by("place"))


def sheets_of_first_two(essay: Essay) -> tuple[CriteriaRecord, CriteriaRecord] | None:
    """The graded markups of the first and the second check; ``None`` until both are there."""
    sheets = points_of_checks(essay)
    first, second = sheets.get(Assignment.Role.FIRST), sheets.get(Assignment.Role.SECOND)
    return (first, second) if first and second else None


def earlier_reopened(essay: Essay) -> bool:
    """Was the first or the second check of the present round ever reopened?"""
    ever = MarkupRecord.objects.filter(essay=essay, reopened_at__isnull=False)
    return ever.filter(assignment__role__in=FIRST_TWO, assignment__round=essay.round).exists()


def standing_decisions(
    *, essay_set: EssaySet | None = None, subject: str | None = None
) -> QuerySet[ThirdCheck]:
    """The decisions of the present rounds whose two checks are both submitted."""
    found = ThirdCheck.objects.filter(
        round=F("essay__round"),
        essay__closed_at=None,
        first__state=MarkupRecord.State.SUBMITTED,
        second__state=MarkupRecord.State.SUBMITTED,
    )
    if essay_set:
        found = found.filter(essay__essay_set=essay_set)
    if subject:
        found = found.filter(essay__subject=subject)
    return (
        found.select_related("essay__essay_set__rules", "first__essay", "second__essay")
        .prefetch_related("first__fragments", "second__fragments")
        .order_by("essay__essay_set__name", "essay__number", "pk")
    )


def unvoided_grades() -> QuerySet[FinalGrade]:
    """Final grades that nothing has voided."""
    return FinalGrade.objects.filter(voided_at=None)


def standing_grades() -> QuerySet[FinalGrade]:
    """The final grades of the present rounds whose checks are all submitted: those that count."""
    counts = MarkupRecord.State.SUBMITTED
    return unvoided_grades().filter(
        Q(third=None) | Q(third__state=counts),
        round=F("essay__round"),
        first__state=counts,
        second__state=counts,
    )


TOLD: Final = (
    *("expert.assigned", "assignment.withdrawn", "assignment.returned"),
    *("markup.submitted", "markup.reopened"),
)
"""What the history of an essay tells of its checks."""


def entries_about(assignments: Iterable[str], markups: Iterable[str]) -> QuerySet[AuditEntry]:
    """What was written down about these checks and their markups, latest first."""
    of_checks = Q(object_type=Assignment._meta.label_lower, object_id__in=list(assignments))
    of_markups = Q(object_type=MarkupRecord._meta.label_lower, object_id__in=list(markups))
    found = AuditEntry.objects.filter(of_checks | of_markups, action__in=TOLD)
    return found.select_related("actor").order_by("-pk")


def voided_grades(essay: Essay) -> QuerySet[FinalGrade]:
    """The final grades of an essay's present round that count no more, in their order."""
    return essay.final_grades.filter(round=essay.round, voided_at__isnull=False).order_by("pk")


def grades_for_pupils() -> QuerySet[FinalGrade]:
    """The grades that count, with all that stands on a pupil's page."""
    return (
        standing_grades()
        .filter(essay__closed_at=None)
        .select_related("essay", "first", "second", "third")
        .prefetch_related("first__fragments", "second__fragments", "third__fragments")
        .order_by("pk")
    )


def thirds_nobody_has() -> QuerySet[ThirdCheck]:
    """Decisions for a third expert while nobody has been free, the longest untried first."""
    held = Assignment.objects.filter(
        essay=OuterRef("essay"),
        round=OuterRef("round"),
        role=Assignment.Role.THIRD,
        state__in=Assignment.ACTIVE,
    )
    return ThirdCheck.objects.filter(
        ~Exists(held),
        needed=True,
        round=F("essay__round"),
        essay__closed_at=None,
        essay__essay_set__state=EssaySet.State.OPEN,
        first__state=MarkupRecord.State.SUBMITTED,  # not reopened: else it is decided again
        second__state=MarkupRecord.State.SUBMITTED,
    ).order_by(F("tried_at").asc(nulls_first=True), "pk")


def essays_of_set(essay_set: EssaySet) -> QuerySet[Essay]:
    """The latest versions of the essays of a set, with their checks."""
    found = essays_with_checks().filter(LATEST, essay_set=essay_set)
    return found.order_by("number", "pk")


def essays_with_checks() -> QuerySet[Essay]:
    """Essays with their checks, points and decisions, in a constant number of queries."""
    submitted = MarkupRecord.objects.filter(state=MarkupRecord.State.SUBMITTED)
    return Essay.objects.select_related("essay_set__rules").prefetch_related(
        Prefetch("assignments", Assignment.objects.select_related("expert").annotate(now=Now())),
        Prefetch(
            "markups", submitted.select_related("criteria", "author", "assignment", "work_time")
        ),
        "third_checks",
    )


def sides_beside(third: MarkupRecord) -> tuple[Markup, Markup]:
    """The first and the second check for their third expert; empty where one may not be seen."""
    earlier = earlier_checks(third).prefetch_related("fragments")
    found = {each.assignment.role: each.to_core() for each in earlier if each.assignment}
    empty = Markup(third.essay.text)
    return found.get(Assignment.Role.FIRST, empty), found.get(Assignment.Role.SECOND, empty)


def taken_in(third: MarkupRecord) -> dict[int, int]:
    """The fragments of the earlier checks that a markup has taken, with the numbers of its own."""
    rows = FragmentRecord.objects.filter(markup=third, taken_from__isnull=False)
    return dict(rows.values_list("taken_from_id", "pk"))


def reasons_of(third: MarkupRecord) -> dict[int, str]:
    """What a third expert has written about fragments of the earlier checks."""
    rows = Ruling.objects.filter(markup=third).exclude(reason="")
    return dict(rows.values_list("fragment_id", "reason"))


def neither_of(third: MarkupRecord) -> list[int]:
    """The fragments of the earlier checks a third expert said to take neither of."""
    rows = Ruling.objects.filter(markup=third, neither=True).order_by("pk")
    return list(rows.values_list("fragment_id", flat=True))


def decisions_of(third: MarkupRecord) -> Decisions:
    """What a third expert has decided about the pairs of the earlier checks."""
    taken, neither = taken_in(third), set(neither_of(third))
    found = pairs(*sides_beside(third))
    decided = {each for pair in found if pair & {*taken, *neither} for each in pair}
    dropped = {each for pair in found if pair & neither and not pair & {*taken} for each in pair}
    return Decisions(taken, frozenset(dropped), frozenset(decided))


def undecided_pairs(third: MarkupRecord) -> list[frozenset[int]]:
    """The pairs of the earlier checks the third expert has decided nothing about."""
    touched = {*taken_in(third), *neither_of(third)}
    return [pair for pair in pairs(*sides_beside(third)) if not pair & touched]


def own_submissions(participant: User) -> QuerySet[MarkupRecord]:
    """What a participant's algorithm has sent, latest first."""
    sent = MarkupRecord.objects.filter(author=participant, submitted_at__isnull=False)
    return sent.select_related("essay", "criteria").order_by("-submitted_at", "-pk")


def progress_of(records: Sequence[MarkupRecord]) -> list[dict[str, Any]]:
    """How far the work on submissions is, and at which place it waits, in one query."""
    keys = {f"{kind}:{each.pk}": each.pk for each in records for kind in ("grade", "score")}
    before = Job.objects.filter(
        Q(priority__lt=OuterRef("priority"))
        | Q(priority=OuterRef("priority"), pk__lt=OuterRef("pk")),
        state=Job.State.QUEUED,
    )
    counted = before.order_by().values("state").annotate(n=Count("pk")).values("n")
    jobs = Job.objects.filter(key__in=keys).annotate(before=Coalesce(Subquery(counted), 0))
    found: dict[int, list[Job]] = defaultdict(list)
    for job in jobs:
        found[keys[job.key]].append(job)
    return [_progress(record, found[record.pk]) for record in records]


def _progress(record: MarkupRecord, jobs: Sequence[Job]) -> dict[str, Any]:
    states = {job.state for job in jobs}
    queued = [job.before + 1 for job in jobs if job.state == Job.State.QUEUED]  # type: ignore[attr-defined]
    if record.state == MarkupRecord.State.SUPERSEDED:
        state = "superseded"
    elif Job.State.FAILED in states:
        state = "failed"
    elif Job.State.RUNNING in states:
        state = "running"
    else:
        state = "queued" if queued or not hasattr(record, "criteria") else "scored"
    return {
        "markup": record.pk,
        "essay": record.essay_id,
        "number": record.essay.number,
        "submitted_at": record.submitted_at,
        "state": state,
        "position": max(queued, default=None) if state == "queued" else None,
    }
