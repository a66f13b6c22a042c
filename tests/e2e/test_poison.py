"""R8: a job that kills its worker is given up, and the others are done."""

from __future__ import annotations

import pytest

from jobs.models import Job
from jobs.services.work import MAX_ATTEMPTS, order
from tests.e2e.brakes import brake
from tests.e2e.essays import people, submit_unheard, two_checks
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.stack import WorkerProcess
from tests.e2e.visitor import Visitor, went_well

pytestmark = pytest.mark.full


@pytest.fixture
def strange(stack, worker):
    """A worker like ours that knows strange tasks too, in the place of ours."""
    ours = stack.children.pop("worker")
    stack.halt(ours)
    assert worker.child is ours
    hired = stack.hire("strange", like=ours, app="tests.e2e.misbehaving")
    yield WorkerProcess(stack, hired).ready()
    stack.dismiss("strange")
    stack.children["worker"] = ours


@pytest.mark.usefixtures("strange")
def test_poison_is_given_up_with_its_reason_and_the_others_finish(stack):
    one, other, *_ = people(2 + 3)
    poison = order(kind="tests.swallow_poison", key=f"poison:{one.pk}", args={})
    checks = two_checks(one, other)
    for record in (checks.first, checks.second):
        assert went_well(Visitor(stack, record.author).submit(record))

    stack.until(all_ended, "every job ends")

    poison.refresh_from_db()
    assert (poison.state, poison.attempts, poison.error) == (
        Job.State.FAILED,
        MAX_ATTEMPTS,
        "The worker died on every attempt.",
    )
    assert checks.thirds().count() == 1
    assert broken_promises() == []
    assert (stack.health()["status"], stack.health()["failed_jobs"]) == ("ok", 1)
    poison.delete()


# A broker of files loses the message together with its worker, often before the third try.
@pytest.mark.parametrize("whole_stack", ["postgres"], indirect=True)
@pytest.mark.usefixtures("strange")
def test_poison_without_a_row_has_no_end(stack, tmp_path):
    journals = [tmp_path / f"tries{number}" for number in range(3)]

    with stack.broker() as app:
        for journal in journals:
            journal.touch()
            app.send_task("tests.swallow_again", args=[str(journal)], ignore_result=True)

    stack.until(
        lambda: any(len(journal.read_text().split()) > MAX_ATTEMPTS for journal in journals),
        "the naive twin tries too often",
    )


def test_a_killed_job_without_a_row_is_lost(stack, strange):
    one, other, *_ = people(2 + 3)
    checks = two_checks(one, other)
    assert went_well(Visitor(stack, one).submit(checks.first))
    stack.until(all_ended, "every job ends")
    submit_unheard(checks.second)

    with brake(stack, "graded", checks) as stands, stack.broker() as app:
        app.send_task("tests.grade_without_job", args=[checks.second.pk], ignore_result=True)
        stack.until(stands, "the worker stands between grading and assignment")
        strange.kill("group")
    strange.ready()
    later = two_checks(one, other)
    assert went_well(Visitor(stack, one).submit(later.first))
    stack.until(all_ended, "every job ends")

    assert f"essay {checks.essay} has 0 third experts" in broken_promises()
    checks.second.delete()
