from __future__ import annotations

from annotator.models import MarkupRecord
from jobs.services.work import fenced
from scoring.core.criteria import grade as grade_by_rules
from scoring.models import CriteriaRecord


def grade(*, markup_id: int) -> int:
    """Compute and store the points of a submitted markup; returns its essay's id.

    Safe to repeat: the same markup always gives the same points.
    """
    record = (
        MarkupRecord.objects.select_related("essay").prefetch_related("fragments").get(pk=markup_id)
    )
    sheet = grade_by_rules(record.essay.core_subject, record.to_core())
    with fenced():
        CriteriaRecord.objects.update_or_create(
            markup=record,
            defaults={
                "points": dict(sheet.points),
                "total": sheet.total,
                "nomination": sheet.nomination,
            },
        )
    return record.essay_id
