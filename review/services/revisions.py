"""By what it is known that nothing has changed since something was computed or written.

A revision is a digest of counts, sums and newest moments: one small query a table, whatever the
size of the set. Every write that tells leaves a trace in one of them.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from accounts.models import AuditEntry, User
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.work import OVERDUE
from review.models import FinalGrade, ThirdCheck
from review.models.deadlines import SetTerms
from scoring.models import CriteriaRecord, PairScore


def revision_of_checks(essay_set: EssaySet) -> str:
    """Of the experts' submitted checks of a set, their points and the decisions about them; and of
    which versions its essays have.
    """
    checks = MarkupRecord.objects.filter(
        essay__essay_set=essay_set,
        state=MarkupRecord.State.SUBMITTED,
        source=MarkupRecord.Source.EXPERT,
    )
    return _digest(
        checks.aggregate(Count("pk"), Sum("pk"), Max("submitted_at")),
        essay_set.essays.aggregate(Max("closed_at")),
        *_computed(essay_set),
    )


def revision_of_set(essay_set: EssaySet) -> str:
    """Of all that is written out of a set: essays and what was corrected of them, checks, markups,
    points, scores, decisions, final grades, and the time zone moments are told in.
    """
    markups = MarkupRecord.objects.filter(essay__essay_set=essay_set)
    scores = PairScore.objects.filter(assessed__essay__essay_set=essay_set)
    return _digest(
        EssaySet.objects.filter(pk=essay_set.pk).values().get(),
        *_checked(essay_set, markups, Max("deadline_at")),
        scores.aggregate(Count("pk"), Max("scored_at"), Sum("accuracy")),
        SetTerms.objects.filter(essay_set=essay_set).aggregate(Max("zone")),
        *_computed(essay_set),
        _graded(essay_set),
    )


def revision_of_results(essay_set: EssaySet) -> str:
    """Of what a protocol of a set holds: its rules, essays, checks, points and final grades.

    What algorithms send, and what is computed from that, changes nothing in it.
    """
    markups = MarkupRecord.objects.filter(
        essay__essay_set=essay_set, source=MarkupRecord.Source.EXPERT
    )
    return _digest(
        {"rules": essay_set.rules_id},
        *_checked(essay_set, markups),
        *_computed(essay_set),
        _graded(essay_set),
    )


def revision_of_people() -> str:
    """Of accounts and their work: every change of an account is in the audit trail. That a file of
    them was ordered stands there too, and changes nothing in it.
    """
    late = Count("pk", filter=OVERDUE)
    checks = Assignment.objects.aggregate(Count("pk"), Sum("pk"), Max("submitted_at"), late=late)
    people = User.objects.aggregate(Count("pk"), Sum("pk"), Max("last_login"))
    seen = MarkupRecord.objects.aggregate(Max("active_at"))
    changes = AuditEntry.objects.exclude(action="export.ordered").aggregate(Max("pk"))
    return _digest(people, checks, seen, changes)


def _checked(
    essay_set: EssaySet, markups: QuerySet[MarkupRecord], *more: Max
) -> list[dict[str, Any]]:
    essays = Essay.objects.filter(essay_set=essay_set)
    checks = Assignment.objects.filter(essay__essay_set=essay_set)
    moments = [Max(name) for name in ("submitted_at", "superseded_at", "reopened_at")]
    states = {state: Count("pk", filter=Q(state=state)) for state in Assignment.State.values}
    return [
        essays.aggregate(Count("pk"), Sum("pk"), Sum("round"), Sum("revision")),
        markups.aggregate(Count("pk"), Sum("pk"), *moments),
        checks.aggregate(Sum("pk"), Max("submitted_at"), *more, **states),
    ]


def _graded(essay_set: EssaySet) -> dict[str, Any]:
    grades = FinalGrade.objects.filter(essay__essay_set=essay_set)
    return grades.aggregate(Count("pk"), Sum("pk"), Max("settled_at"), Max("voided_at"))


def _computed(essay_set: EssaySet) -> list[dict[str, Any]]:
    points = CriteriaRecord.objects.filter(
        markup__essay__essay_set=essay_set, markup__source=MarkupRecord.Source.EXPERT
    )
    decisions = ThirdCheck.objects.filter(essay__essay_set=essay_set)
    needed = Count("pk", filter=Q(needed=True))
    regraded = AuditEntry.objects.filter(
        object_type=MarkupRecord._meta.label_lower, action="markup.regraded"
    )
    return [
        regraded.aggregate(regraded=Max("pk")),  # points may change and their sum stay
        points.aggregate(Count("pk"), Sum("pk"), Sum("total"), Sum("nomination"), Max("graded_at")),
        decisions.aggregate(Count("pk"), Max("decided_at"), needed=needed),
    ]


def _digest(*found: dict[str, Any]) -> str:
    return sha256(repr(found).encode()).hexdigest()
