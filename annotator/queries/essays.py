"""Which essays count, and which are listed."""

from __future__ import annotations

from django.db.models import Case, Count, Q, QuerySet, When

from accounts.models import User
from annotator.models import Essay, EssaySet, MarkupRecord

LATEST = Q(closed_at=None)
"""Essays no other version has taken the place of."""
LISTED = LATEST & ~Q(essay_set__state=EssaySet.State.ARCHIVED)
"""The essays of lists: latest versions, and none from the archive."""
CHECKED = ~Q(essay_set__access=EssaySet.Access.PRACTICE)
"""Those of sets whose essays are checked: all but those for practice."""
TAKES_CHECKS = LATEST & CHECKED & Q(essay_set__state=EssaySet.State.OPEN)
"""The essays checks may be given of."""


def latest_of(essay: Essay) -> Essay:
    """The version of an essay that counts."""
    return Essay.objects.get(LATEST, essay_set=essay.essay_set_id, number=essay.number)


def versions_of_essay(essays: QuerySet[Essay], essay: Essay) -> QuerySet[Essay]:
    """Those of these essays that are versions of one, first to last."""
    same = essays.filter(essay_set=essay.essay_set_id, number=essay.number)
    return same.order_by("version")


def essays_with_markups(
    essays: QuerySet[Essay], participant: User, *, checks_shown: Q
) -> QuerySet[Essay]:
    """Essays with the numbers of their markups by experts and of the participant's own.

    The former of essays that are ``checks_shown`` alone, of others ``None``: a third one tells that
    the first two differ.
    """
    submitted = Q(markups__state=MarkupRecord.State.SUBMITTED)
    by_experts = Q(markups__source=MarkupRecord.Source.EXPERT)
    own = Q(markups__author=participant, markups__source=MarkupRecord.Source.ALGORITHM)
    return (
        essays.select_related("essay_set")
        .annotate(
            expert_markups=Case(
                When(checks_shown, then=Count("markups", filter=submitted & by_experts)),
                default=None,
            ),
            own_markups=Count("markups", filter=submitted & own),
        )
        .order_by("essay_set__name", "number")
    )
