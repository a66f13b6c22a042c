"""An essay whose markups came in together, by an import, is assessed as a whole, by one job."""

from __future__ import annotations

from django.db.models import Max

from annotator.models import Essay, MarkupRecord
from annotator.queries import submitted_markups
from annotator.services.assignment import hold
from jobs.models import Job
from jobs.services.work import fenced, order
from scoring.services.grading import announce, keep_points
from scoring.services.pairs import keep_scores, scores_between, sheets_of


def order_assessment(*, essay_id: int) -> None:
    """Promise it in bulk. The key bears the essay's revision: its newest markup.

    So what comes in later is ordered anew, also when the earlier promise is kept already.
    """
    revision = MarkupRecord.objects.filter(essay=essay_id).aggregate(newest=Max("pk"))["newest"]
    order(
        kind="scoring.assess_essay",
        key=f"essay:{essay_id}:{revision}",
        args={"essay_id": essay_id},
        priority=Job.Priority.BULK,
    )


def assess(*, essay_id: int) -> None:
    """Grade each markup once, match each pair once, announce it. Safe to repeat.

    What is reopened or withdrawn meanwhile gets nothing: its rows are looked at once more, and
    held, when the results are written.
    """
    essay = Essay.objects.select_related("essay_set__rules").get(pk=essay_id)
    values = {record: record.to_core() for record in submitted_markups(essay)}
    sheets = sheets_of(essay, values)
    scores = list(scores_between(essay, values, sheets))
    with fenced():
        hold(essay_id)
        counting = set(
            MarkupRecord.objects.select_for_update(no_key=True)
            .filter(essay=essay_id, state=MarkupRecord.State.SUBMITTED)
            .order_by("pk")
        )
        keep_points({record: sheet for record, sheet in sheets.items() if record in counting})
        keep_scores(each for each in scores if {each.assessed, each.reference} <= counting)
        announce(essay_id=essay_id)
