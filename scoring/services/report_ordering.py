"""Reports of solutions are promised: when somebody looks, or before that.

That is once all answers are read, and of finals once a run counts.
"""

from __future__ import annotations

from typing import Final

from annotator.models import EssaySet
from jobs.models import Job
from jobs.services.work import fenced, order
from scoring.models import RunEntry, ScoreRun
from scoring.queries.reports import former_solution, is_kept, revision_of, run_reported

KIND: Final = "scoring.compute_report"
OF_RUN: Final = "scoring.order_reports_of_run"


def order_report(
    *, essay_set: EssaySet, author_id: int, origin: str, run: ScoreRun | None
) -> Job | None:
    """Promise a report, unless it is kept for the present scores. Safe to repeat.

    One that waits in line is of the scores of the moment it is begun: there is no second one.
    """
    former = former_solution(essay_set, author_id, origin)
    revision = revision_of(essay_set, author_id, origin, former, run)
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


def promise_reports_of_run(*, run_id: int) -> None:
    """Of finals every report waits for a run that counts: then all are made, and nobody asks."""
    run = ScoreRun.objects.select_related("essay_set").get(pk=run_id)
    if run.essay_set.access == EssaySet.Access.FINAL:
        order(
            kind=OF_RUN,
            key=f"run:{run_id}:reports",
            args={"run_id": run_id},
            priority=Job.Priority.RUNS,
        )


def order_reports_of_run(*, run_id: int) -> None:
    """Promise the report of every solution on the board of a run, while it counts.

    Safe to repeat.
    """
    run = ScoreRun.objects.select_related("essay_set__rules").get(pk=run_id)
    if run_reported(run.essay_set) != run:
        return
    counted = RunEntry.objects.filter(run=run, counted__gt=0).exclude(state=RunEntry.State.FORMER)
    for author, origin in counted.order_by("pk").values_list("participant_id", "origin"):
        with fenced():
            order_report(essay_set=run.essay_set, author_id=author, origin=origin, run=run)
