"""Background work for tests: what is ordered is done at once, by the real tasks."""

from __future__ import annotations

from annotator.models import MarkupRecord
from jobs.models import Job
from review.tasks import send_letter, settle_final_grade, void_set_protocol
from scoring import tasks

TASKS = {
    "scoring.grade_markup": tasks.grade_markup,
    "scoring.score_pairs": tasks.score_pairs,
    "scoring.assess_essay": tasks.assess_essay,
    "scoring.assess_answers": tasks.assess_answers,
    "review.settle_final_grade": settle_final_grade,
    "review.send_letter": send_letter,
    "review.void_set_protocol": void_set_protocol,
}


def order(record: MarkupRecord) -> None:
    """Order both jobs of a submitted markup, as its announcement would."""
    for name in ("grade_markup", "score_pairs"):
        key = f"{name}:{record.pk}"
        Job.objects.create(key=key, kind=f"scoring.{name}", args={"markup_id": record.pk})


def run_all() -> None:
    """Do every job of these kinds that waits. Each must end well."""
    for job in Job.objects.filter(state=Job.State.QUEUED, kind__in=TASKS).order_by("pk"):
        TASKS[job.kind](job.pk)
    assert (
        list(
            Job.objects.filter(kind__in=TASKS)
            .exclude(state=Job.State.DONE)
            .values_list("key", "error")
        )
        == []
    )


def score(*records: MarkupRecord) -> None:
    """Grade and score submitted markups."""
    for record in records:
        order(record)
    run_all()
