"""Score runs for tests: ordered, and done by their real tasks one after another."""

from __future__ import annotations

from django.db.models.signals import post_init

from jobs.models import Job
from scoring import tasks
from scoring.models import ScoreRun
from scoring.services.run_ordering import order_run
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.strategies import fragment

TASKS = {
    "scoring.prepare_run": tasks.prepare_run,
    "scoring.score_part": tasks.score_part,
    "scoring.finish_run": tasks.finish_run,
    "scoring.resample_run": tasks.resample_run,
    "scoring.close_run": tasks.close_run,
}

HIT, OTHER_CODE, MISS = fragment(0, 4), fragment(0, 4, "А.лекс"), fragment(43, 48)
MARKS = [[HIT], [OTHER_CODE, MISS], [MISS, HIT]]


def marked_set():
    """A set of three essays, marked by two experts and the programs of four people."""
    essay_set = EssaySetFactory(rules__hardness=0.25, rules__w1=1)
    people = [PersonFactory(role="participant", full_name=name) for name in "БАГВ"]
    for number, marks in enumerate(MARKS):
        essay = EssayFactory(essay_set=essay_set, number=f"{number:04}")
        submitted(essay, HIT)
        submitted(essay, *marks)
        for place, person in enumerate(people[:3]):
            answer = [[HIT], [HIT], marks[::-1]][place]
            submitted(essay, *answer, author=person, source="algorithm")
    submitted(essay, HIT, author=people[3], source="algorithm")
    return essay_set


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


def rows_read(model, call):
    """How many rows of a model a call reads as such."""
    read = []

    def count(instance, **_):
        read.append(instance.pk)

    post_init.connect(count, sender=model)
    try:
        call()
    finally:
        post_init.disconnect(count, sender=model)
    return len(read)
