"""Score runs for tests: ordered, and done by their real tasks one after another."""

from __future__ import annotations

from jobs.models import Job
from scoring import tasks
from scoring.models import ScoreRun
from scoring.services.run_ordering import order_run

TASKS = {
    "scoring.prepare_run": tasks.prepare_run,
    "scoring.score_part": tasks.score_part,
    "scoring.finish_run": tasks.finish_run,
    "scoring.resample_run": tasks.resample_run,
}


def work_off(*, last_first=False):
    """Do every job of runs that waits, also those that come of it; each must end well."""
    while job := waiting().order_by("-pk" if last_first else "pk").first():
        TASKS[job.kind](job.pk)
        job.refresh_from_db()
        assert (job.state, job.error) == (Job.State.DONE, "")


def waiting():
    return Job.objects.filter(state=Job.State.QUEUED, kind__in=TASKS)


def done_run(essay_set, **fields):
    """A run over a set, as far as its jobs bring it."""
    run = order_run(essay_set=essay_set, actor=None, **fields)
    work_off()
    return ScoreRun.objects.get(pk=run.pk)
