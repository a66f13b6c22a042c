"""What experts were given and did, as figures beside their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import median
from typing import Any

from django.db.models import (
    Avg,
    Case,
    Count,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from annotator.models import Assignment, MarkupRecord
from annotator.queries.work import OVERDUE
from scoring.models import PairScore

State = Assignment.State
M2 = Case(When(n=0, m=0, then=100.0), default=200.0 * F("found") / (F("n") + F("m")))
"""That of ``scoring.core.metrics``: the F1 of a stored pair's marks."""


def figures_of_work() -> dict[str, Any]:
    """Expressions for a list of people.

    ``given``: checks that were not taken away; ``done``, ``late`` (open after the deadline) and
    ``returned`` of them; ``seen_at``: last at work, else last logged in; ``agreement``: mean M2,
    the F1 of marks, of the person's submitted markups against those of other experts.
    """
    own = Assignment.objects.filter(expert=OuterRef("pk")).order_by()
    return {
        "given": _count(own.exclude(state=State.WITHDRAWN)),
        "done": _count(own.filter(state=State.SUBMITTED)),
        "late": _count(own.filter(OVERDUE)),
        "returned": _count(own.filter(state=State.RETURNED)),
        "seen_at": Coalesce(_last_at_work(), F("last_login")),
        "agreement": _agreement(),
    }


def _count(rows: QuerySet[Assignment]) -> Coalesce:
    counted = rows.values("expert").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _last_at_work() -> Subquery:
    """An import leaves no sign of life: only what was worked on for some time counts."""
    marked = MarkupRecord.objects.filter(
        author=OuterRef("pk"), source=MarkupRecord.Source.EXPERT, active_seconds__gt=0
    ).order_by()
    return Subquery(marked.values("author").annotate(at=Max("active_at")).values("at"))


def _agreement() -> Subquery:
    expert, submitted = MarkupRecord.Source.EXPERT, MarkupRecord.State.SUBMITTED
    pairs = PairScore.objects.filter(
        Q(assessed__source=expert, assessed__state=submitted),
        Q(reference__source=expert, reference__state=submitted),
        assessed__author=OuterRef("pk"),
        rules=F("assessed__essay__essay_set__rules"),
    ).exclude(reference__author=F("assessed__author"))
    return Subquery(pairs.order_by().values("assessed__author").annotate(f=Avg(M2)).values("f"))


def median_seconds(people: Iterable[int]) -> dict[int, float]:
    """How long a submitted check took each of these people; one query."""
    found = defaultdict(list)
    timed = MarkupRecord.objects.filter(
        author__in=list(people),
        source=MarkupRecord.Source.EXPERT,
        state=MarkupRecord.State.SUBMITTED,
        active_seconds__gt=0,
    )
    for author, seconds in timed.order_by().values_list("author", "active_seconds"):
        found[author].append(seconds)
    return {author: median(seconds) for author, seconds in found.items()}
