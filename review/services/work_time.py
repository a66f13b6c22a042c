"""How long a check took, beside how long it might have taken: kept as it is submitted."""

from __future__ import annotations

from annotator.models import MarkupRecord
from review.models.deadlines import WorkTime
from review.queries.deadlines import limit_for


def record_work_time(*, markup_id: int) -> None:
    """Keep the time of a check where its subject has a limit, in the caller's transaction.

    Submitted again after a reopening it is kept anew. What has no limit leaves nothing.
    """
    record = MarkupRecord.objects.select_related("essay").get(pk=markup_id)
    if record.assignment_id is None:
        return
    limit = limit_for(record.essay.essay_set_id, record.essay.subject)
    if limit is None:
        WorkTime.objects.filter(markup=record).delete()
        return
    WorkTime.objects.update_or_create(
        markup=record,
        defaults={
            "seconds": record.active_seconds,
            "limit_seconds": limit,
            "is_past": record.active_seconds > limit,
        },
    )
