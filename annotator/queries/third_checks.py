"""Third checks, and the earlier ones they decide about."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from annotator.models import Assignment, FragmentRecord, MarkupRecord

FIRST_TWO = [Assignment.Role.FIRST, Assignment.Role.SECOND]


def third_markups() -> QuerySet[MarkupRecord]:
    """Submitted markups of third checks."""
    return MarkupRecord.objects.filter(
        state=MarkupRecord.State.SUBMITTED, assignment__role=Assignment.Role.THIRD
    )


def third_markup_beside(record: MarkupRecord) -> MarkupRecord | None:
    """The submitted third check of the round in which a first or second check was made."""
    if record.assignment is None or record.assignment.role not in FIRST_TWO:
        return None
    found = third_markups().filter(essay=record.essay_id)
    return found.filter(assignment__round=record.assignment.round).first()


def reopened_since(moment: Any) -> QuerySet[MarkupRecord]:
    """First and second checks that are open again, or were submitted again after a moment."""
    is_open = Q(state=MarkupRecord.State.DRAFT)
    is_back = Q(state=MarkupRecord.State.SUBMITTED, submitted_at__gt=moment)
    return MarkupRecord.objects.filter(
        is_open | is_back, assignment__role__in=FIRST_TWO, reopened_at__isnull=False
    )


def reopened_beside(record: MarkupRecord) -> list[MarkupRecord]:
    """Earlier checks that were reopened while a third expert has had the essay."""
    assignment = record.assignment
    if assignment is None or assignment.role != Assignment.Role.THIRD:
        return []
    found = reopened_since(assignment.created_at).filter(
        essay=record.essay_id, assignment__round=assignment.round
    )
    return list(found.select_related("assignment").order_by("assignment__role"))


def earlier_checks(record: MarkupRecord) -> QuerySet[MarkupRecord]:
    """The first and the second check of an essay, for the markup of its third expert (R 7.9)."""
    is_draft = record.state == MarkupRecord.State.DRAFT
    is_given = record.assignment is not None and record.assignment.is_active
    is_blind = record.essay.essay_set.rules.blind_first
    if not record.third or (is_draft and (is_blind or not is_given)):
        return MarkupRecord.objects.none()
    found = record.essay.markups.filter(
        state=MarkupRecord.State.SUBMITTED,
        assignment__role__in=FIRST_TWO,
        assignment__round=record.essay.round,
    )
    return found.select_related("assignment").order_by("assignment__role")


def takeable(record: MarkupRecord) -> QuerySet[FragmentRecord]:
    """The fragments a third expert may take into this draft."""
    return FragmentRecord.objects.filter(markup__in=earlier_checks(record))
