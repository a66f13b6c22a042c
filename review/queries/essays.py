"""Essays with their checks, and what was written down of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import AuditEntry
from accounts.queries import trail_of
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.queries.work import OPEN, OVERDUE
from review.models.plans import Plan

TOLD: Final = (
    *("expert.assigned", "assignment.withdrawn", "assignment.returned"),
    *("assignment.overdue", "assignment.restored", "deadline.moved"),
    *("markup.submitted", "markup.reopened"),
)
"""What histories tell of checks."""


def entries_about(assignments: Iterable[str], markups: Iterable[str]) -> QuerySet[AuditEntry]:
    """What was written down about these checks and their markups, latest first."""
    of_checks = Q(object_type=Assignment._meta.label_lower, object_id__in=list(assignments))
    of_markups = Q(object_type=MarkupRecord._meta.label_lower, object_id__in=list(markups))
    found = AuditEntry.objects.filter(of_checks | of_markups, action__in=TOLD)
    return found.select_related("actor").order_by("-pk")


def replacement_by(essay: Essay) -> AuditEntry | None:
    """What was written down when this version took the place of the former one."""
    return _entry_of(essay, "essay.replaced")


def import_entry_of(essay: Essay) -> AuditEntry | None:
    """What was written down when an import brought the essay."""
    return _entry_of(essay, "essay.imported")


def _entry_of(essay: Essay, action: str) -> AuditEntry | None:
    return trail_of(essay).filter(action=action).select_related("actor").first()


def plans_named(entries: Iterable[AuditEntry]) -> dict[int, Plan]:
    """The plans that gave or took checks, as what was written down names them."""
    return Plan.objects.in_bulk(
        {each.details["plan"] for each in entries if "plan" in each.details}
    )


def essays_of_set(essay_set: EssaySet) -> QuerySet[Essay]:
    """The latest versions of the essays of a set, with their checks."""
    found = essays_with_checks().filter(LATEST, essay_set=essay_set)
    return found.order_by("number", "pk")


def with_verdicts_of_clock(checks: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Checks with ``now``, the database's clock, and by it ``is_open`` and ``is_overdue``."""
    return checks.annotate(now=Now(), is_open=OPEN, is_overdue=OVERDUE)


def essays_with_checks() -> QuerySet[Essay]:
    """Essays with their checks, points and decisions, in a constant number of queries."""
    checks = with_verdicts_of_clock(Assignment.objects.select_related("expert"))
    submitted = MarkupRecord.objects.filter(state=MarkupRecord.State.SUBMITTED)
    return Essay.objects.select_related("essay_set__rules").prefetch_related(
        Prefetch("assignments", checks),
        Prefetch(
            "markups", submitted.select_related("criteria", "author", "assignment", "work_time")
        ),
        "third_checks",
    )
