"""R3, R7: a bell that never rings loses nothing; one that rings five times does nothing twice."""

from __future__ import annotations

import signal

import pytest

from annotator.models import MarkupRecord
from jobs.models import Job
from scoring.models import CriteriaRecord
from tests.e2e.essays import people, two_checks
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.visitor import Visitor, went_well

pytestmark = pytest.mark.full

TIMES = 5
ESSAYS = 3


@pytest.fixture
def checks(worker):  # noqa: ARG001 - the rows need the database
    one, other, *_ = people(2 + 3)
    return [two_checks(one, other) for _ in range(ESSAYS)]


def jobs_of(record):
    keys = [f"{kind}:{record.pk}" for kind in ("grade", "score")]
    return Job.objects.filter(key__in=keys)


def test_a_submission_whose_process_died_before_the_bell_is_worked_on(stack, worker, checks):
    record = checks[0].first
    with worker.paused():
        died = stack.python("-m", "tests.e2e.dying", record.pk, check=False)

        assert died.returncode == -signal.SIGKILL, died.stderr
        assert MarkupRecord.objects.get(pk=record.pk).state == MarkupRecord.State.SUBMITTED
        assert [job.state for job in jobs_of(record)] == [Job.State.QUEUED] * 2

    stack.until(lambda: jobs_of(record).filter(state=Job.State.DONE).count() == 2, "tick rings")
    assert CriteriaRecord.objects.filter(markup=record).count() == 1


def test_every_message_delivered_five_times_works_once(stack, worker, rival, checks):
    with worker.paused(), rival.paused():
        for each in checks:
            for record in (each.first, each.second):
                assert went_well(Visitor(stack, record.author).submit(record))
        waiting = list(Job.objects.filter(state=Job.State.QUEUED).values_list("kind", "pk"))
        deliver_again(stack, waiting, TIMES - 1)

    stack.until(lambda: stack.messages() == 0, "every message is taken")
    stack.until(all_ended, "every job ends")
    ours = Job.objects.filter(pk__in=[pk for _kind, pk in waiting])
    assert len(waiting) == ESSAYS * 2 * 2
    assert list(ours.exclude(state=Job.State.DONE, attempts=1)) == []
    assert [each.thirds().count() for each in checks] == [1] * ESSAYS
    assert broken_promises() == []


def deliver_again(stack, messages, times):
    with stack.broker() as app:
        for kind, job_id in messages:
            for _ in range(times):
                app.send_task(kind, args=[job_id], ignore_result=True)
