"""However much waits in bulk, people are served at once, and the broker stays nearly empty."""

from __future__ import annotations

import pytest

from annotator.models import Assignment
from jobs.models import Job, Worker
from jobs.queries import stuck_jobs
from scoring.models import CriteriaRecord, PairScore
from tests.e2e.backlog import Peak, authors, fill, imported, write_import
from tests.e2e.conftest import BACKENDS, opened_stack
from tests.e2e.database import connected
from tests.e2e.essays import people, two_checks
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.stack import PATIENCE, WorkerProcess
from tests.e2e.visitor import Visitor, went_well
from tests.factories import EssaySetFactory

pytestmark = pytest.mark.full

REDIS_DATABASE = "/8"
"""Not the one of the other stack: its worker would take our messages."""
JOB_SECONDS = 48
"""As the product has it: nobody is killed here, and a job may wait long for its turn to write."""
BACKLOG = 10_000
IMPORTED = 120
"""More than two of the hands full a worker takes in bulk; a thousand in the long form."""
SUBMITTED = 4
MOST_MESSAGES = 20 + 4
"""For the one worker of a stack."""
OVERTAKEN = 3
"""Jobs in bulk that may be finished while somebody waits: one that was being done, for each of
the two jobs of a submission, and one more."""


@pytest.fixture(scope="module", params=BACKENDS)
def whole_stack(request, tmp_path_factory):
    """A stack of our own: thousands of rows would only slow the other tests down."""
    with opened_stack(request, tmp_path_factory, REDIS_DATABASE, job_seconds=JOB_SECONDS) as stack:
        yield stack


@pytest.fixture
def stack(whole_stack, django_db_blocker):
    with django_db_blocker.unblock(), connected(whole_stack.database_url):
        yield whole_stack


@pytest.fixture
def backlog(stack):  # noqa: ARG001 - the rows need the database
    """Ten thousand jobs in bulk; what is left of them at the end is taken away."""
    jobs = fill(BACKLOG)
    yield jobs
    jobs.filter(state=Job.State.QUEUED).delete()


def test_behind_ten_thousand_jobs_a_submission_overtakes_all_but_the_one_in_hand(stack, backlog):
    one, other, *_ = people(2 + 3)
    peak = Peak(stack)
    stack.until(peak.while_not(backlog.filter(state="done").exists), "the backlog shrinks")

    for checks in [two_checks(one, other) for _ in range(SUBMITTED)]:
        for record in (checks.first, checks.second):
            assert went_well(Visitor(stack, record.author).submit(record))
        stack.until(peak.while_not(checks.thirds().exists), "the third expert is called")
        for job in Job.objects.filter(key__in=_keys(checks)):
            meanwhile = backlog.filter(finished_at__range=(job.created_at, job.finished_at))
            assert meanwhile.count() <= OVERTAKEN * 2

    assert backlog.filter(state=Job.State.QUEUED).count() > BACKLOG / 2, "it is still a backlog"
    assert peak.most <= MOST_MESSAGES
    assert stack.health()["status"] == "ok", "a backlog that shrinks is not stuck"


@pytest.mark.parametrize("essays", [IMPORTED, pytest.param(1000, marks=pytest.mark.long)])
def test_imported_essays_are_assessed_once_each_and_call_their_thirds(stack, tmp_path, essays):
    authors()
    people(3)
    essay_set, peak = EssaySetFactory(), Peak(stack)
    write_import(tmp_path / "essays", essays)

    stack.python("manage.py", "import_essays", tmp_path / "essays", "--set", essay_set.name)
    stack.until(peak.while_not(all_ended), "every job ends", patience=5 * PATIENCE)

    jobs = Job.objects.filter(kind="scoring.assess_essay", key__in=_bulk_keys(essay_set))
    assert (jobs.count(), jobs.exclude(state="done", attempts=1).count()) == (essays, 0)
    assert _made(essay_set) == {"points": 3 * essays, "pairs": 4 * essays, "thirds": essays}
    assert peak.most <= MOST_MESSAGES
    assert broken_promises() == []


def test_a_stopped_worker_is_told_of_and_the_work_is_kept(stack):
    worker = WorkerProcess(stack, stack.children["worker"]).ready()
    stack.until(lambda: stack.health()["workers"] == 1, "the worker beats")
    (one, other, *_) = people(2 + 3)
    checks = two_checks(one, other)

    with worker.paused():
        assert went_well(Visitor(stack, one).submit(checks.first))
        stack.until(lambda: stuck_jobs().count() == 2, "its jobs count as stuck")
        waiting = stack.health()

    stack.until(all_ended, "the work is done after all")
    assert [waiting[name] for name in ("status", "workers", "stuck_jobs")] == ["stuck", 0, 2]
    stack.until(lambda: stack.health()["status"] == "ok", "all is well again")


def test_a_worker_says_it_lives_while_its_hand_is_held(stack):
    WorkerProcess(stack, stack.children["worker"]).ready()
    stack.until(Worker.objects.exists, "the worker has said so once")
    worker = Worker.objects.get()
    fill(200)

    stack.until(
        Worker.objects.filter(beat_at__gt=worker.beat_at, name=worker.name).exists,
        "it says so again during its jobs",
    )
    stack.until(all_ended, "every job ends")


def _keys(checks):
    return [
        f"{kind}:{each.pk}" for kind in ("grade", "score") for each in (checks.first, checks.second)
    ]


def _bulk_keys(essay_set):
    essays = imported(essay_set).prefetch_related("markups")
    return [f"essay:{essay.pk}:{max(each.pk for each in essay.markups.all())}" for essay in essays]


def _made(essay_set):
    essays = imported(essay_set)
    return {
        "points": CriteriaRecord.objects.filter(markup__essay__in=essays).count(),
        "pairs": PairScore.objects.filter(assessed__essay__in=essays).count(),
        "thirds": Assignment.objects.filter(essay__in=essays, role=Assignment.Role.THIRD).count(),
    }
