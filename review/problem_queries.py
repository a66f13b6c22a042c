"""What needs a coordinator's eye: work that stands still, points that contradict each other."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from accounts.models import User
from accounts.queries import WITHOUT_PASSWORD
from annotator.core.problems import Problem
from annotator.core.stated import frozen
from annotator.core.validation import compare_criteria
from annotator.models import Assignment, MarkupRecord
from annotator.queries import UNFINISHED
from scoring.models import CriteriaRecord

MOST_READ: Final = 2000
"""Of so many markups with stated points, the latest ones, those are told that differ."""


def silent_checks(days: int) -> QuerySet[Assignment]:
    """Checks that were begun and not touched for so many days, the longest untouched first."""
    drafts = MarkupRecord.objects.filter(assignment=OuterRef("pk"), state=MarkupRecord.State.DRAFT)
    return (
        Assignment.objects.filter(state=Assignment.State.WORKING, round=F("essay__round"))
        .annotate(
            seen_at=Coalesce(Subquery(drafts.values("active_at")[:1]), F("created_at")), now=Now()
        )
        .filter(seen_at__lt=Now() - timedelta(days=days))
        .select_related("expert", "essay__essay_set")
        .defer("essay__text", "essay__task_text")
        .order_by("seen_at", "pk")
    )


def unused_accounts() -> QuerySet[User]:
    """Experts who hold open checks and never were here, those with the most checks first."""
    held = Count("assignments", filter=Q(assignments__state__in=UNFINISHED))
    never = WITHOUT_PASSWORD | Q(last_login=None)
    found = User.objects.filter(never, role=User.Role.EXPERT).annotate(held=held, now=Now())
    return found.filter(held__gt=0).order_by("-held", "full_name", "username")


def stated_otherwise() -> list[tuple[int, tuple[Problem, ...]]]:
    """The submitted markups whose stated points are not the computed ones, latest first.

    The numbers of the markups, and what differs; two columns of each are read, no fragment.
    """
    graded = CriteriaRecord.objects.filter(
        markup__state=MarkupRecord.State.SUBMITTED, markup__source=MarkupRecord.Source.EXPERT
    ).exclude(markup__stated={})
    lines = graded.order_by("-markup__submitted_at", "-pk").values_list(
        "markup", "markup__stated", "points"
    )
    compared = (
        (markup, compare_criteria(frozen(stated), points, {}))
        for markup, stated, points in lines[:MOST_READ]
    )
    return [(markup, problems) for markup, problems in compared if problems]


def markups_told(numbers: list[int]) -> dict[int, MarkupRecord]:
    """These markups with their essays and authors."""
    found = MarkupRecord.objects.select_related("author", "essay__essay_set", "assignment")
    return found.defer("essay__text", "essay__task_text").in_bulk(numbers)
