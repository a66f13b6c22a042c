"""Reports of solutions are promised: when somebody looks, or once all answers are read."""

from __future__ import annotations

from typing import Final

from annotator.models import EssaySet
from jobs.models import Job
from jobs.services.work import order
from scoring.models import ScoreRun
from scoring.queries.reports import is_kept, revision_of

KIND: Final = "scoring.compute_report"


def order_report(
    *, essay_set: EssaySet, author_id: int, origin: str, run: ScoreRun | None
) -> Job | None:
    """Promise a report, unless it is kept for the present scores. Safe to repeat.

    One that waits in line is of the scores of the moment it is begun: there is no second one.
    """
    revision = revision_of(essay_set, author_id, run)
    if is_kept(essay_set, author_id, origin, revision):
        return None
    solution = f"report:{essay_set.pk}:{author_id}:{origin}:"
    waiting = Job.objects.filter(state=Job.State.QUEUED, kind=KIND, key__startswith=solution)
    return waiting.first() or order(
        kind=KIND,
        key=f"{solution}{revision}",
        args={"set_id": essay_set.pk, "author_id": author_id, "origin": origin},
        priority=Job.Priority.RUNS,
    )


def order_report_of_answers(*, set_id: int, author_id: int, origin: str) -> None:
    """Promise the report of answers that are all read, before anybody asks for it.

    Of finals there is none until two people have applied a run (R 8.2).
    """
    essay_set = EssaySet.objects.select_related("rules").get(pk=set_id)
    if essay_set.access != EssaySet.Access.FINAL:
        order_report(essay_set=essay_set, author_id=author_id, origin=origin, run=None)
