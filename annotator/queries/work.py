"""Checks that are given, and those that wait for their expert."""

from __future__ import annotations

from typing import Final

from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Now

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from annotator.queries.third_checks import reopened_since
from web.prepared import Given, Prepared

UNFINISHED = [Assignment.State.WAITING, Assignment.State.WORKING]

_WAITING_TO_BE_FINAL = MarkupRecord.objects.filter(
    assignment=OuterRef("pk"), state=MarkupRecord.State.DRAFT, final_at__isnull=False
)
HANDED_IN = Q(Exists(_WAITING_TO_BE_FINAL))
"""Checks whose expert has handed in a markup that can be recalled yet."""
OPEN = Q(state__in=UNFINISHED) & ~HANDED_IN
"""Checks that wait for their expert: what was handed in does not, though it is not final yet."""
OVERDUE = Q(deadline_at__lt=Now()) & OPEN
"""Those of them whose deadline is over by the database's clock: the one answer to what is late."""


def handed_in_by(expert_id: int) -> list[MarkupRecord]:
    """What an expert has handed in and can recall yet, latest first; ``now``: to tell how long."""
    return _HANDED_IN_BY(expert=expert_id)


_HANDED_IN_BY: Final = Prepared(
    lambda: (
        MarkupRecord.objects.filter(
            author=Given("expert"), state=MarkupRecord.State.DRAFT, final_at__isnull=False
        )
        .select_related("essay__essay_set")
        .annotate(now=Now())
        .order_by("-final_at", "-pk")
    )
)


def given_to(expert: User) -> QuerySet[Assignment]:
    """All checks an expert was ever given; ``is_open``: does it wait for the expert yet?"""
    given = Assignment.objects.filter(expert=expert).select_related("essay__essay_set")
    return given.annotate(is_open=OPEN)


def is_open(check: Assignment) -> bool:
    """Does a check whose query asked for it (``OPEN``) wait for its expert yet?"""
    found: bool = check.is_open  # type: ignore[attr-defined] - of the query
    return found


def work_of(expert: User) -> QuerySet[Assignment]:
    """An expert's checks that are not submitted in the order they are to be done.

    Late ones first, then those that were begun, then the others; each by deadline.
    """
    own = MarkupRecord.objects.filter(assignment=OuterRef("pk"), state=MarkupRecord.State.DRAFT)
    return (
        Assignment.objects.filter(OPEN, expert=expert)
        .select_related("essay__essay_set")
        .annotate(
            now=Now(),
            reopened_because=Subquery(own.values("reopened_because")[:1]),
            is_earlier_reopened=Exists(
                reopened_since(OuterRef("created_at")).filter(
                    essay=OuterRef("essay"), assignment__round=OuterRef("round")
                )
            ),
        )
        .order_by(
            Case(
                When(deadline_at__lt=Now(), then=Value(0)),
                When(state=Assignment.State.WORKING, then=Value(1)),
                default=Value(2),
            ),
            F("deadline_at").asc(nulls_last=True),
            "pk",
        )
    )
