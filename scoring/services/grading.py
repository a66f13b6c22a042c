from __future__ import annotations

from collections.abc import Mapping

from annotator.models import MarkupRecord
from jobs.services.work import fenced
from scoring.core import criteria
from scoring.core.criteria.sheet import CriteriaSheet
from scoring.models import CriteriaRecord
from scoring.signals import essay_graded


def grade(*, markup_id: int) -> int:
    """Compute and store the points of a submitted markup; returns its essay's id.

    Safe to repeat: the same markup always gives the same points.
    """
    record = (
        MarkupRecord.objects.select_related("essay").prefetch_related("fragments").get(pk=markup_id)
    )
    sheet = criteria.grade(record.essay.core_subject, record.to_core())
    with fenced():
        keep_points({record: sheet})
    return record.essay_id


def keep_points(sheets: Mapping[MarkupRecord, CriteriaSheet]) -> None:
    """Write the points of markups in place of earlier ones."""
    CriteriaRecord.objects.bulk_create(
        (
            CriteriaRecord(
                markup=record,
                points=dict(sheet.points),
                total=sheet.total,
                nomination=sheet.nomination,
            )
            for record, sheet in sheets.items()
        ),
        update_conflicts=True,
        unique_fields=["markup"],
        update_fields=["points", "total", "nomination"],
    )


def announce(*, essay_id: int) -> None:
    """Tell whoever waits for the points of an essay's checks that they are there."""
    with fenced():
        essay_graded.send(sender=CriteriaRecord, essay_id=essay_id)
