"""R2, R10: a worker killed at any moment of a job loses nothing and does nothing twice."""

from __future__ import annotations

import random
import time

import pytest

from jobs.models import Job
from scoring.models import CriteriaRecord
from tests.e2e.brakes import POINTS, brake
from tests.e2e.essays import people, two_checks
from tests.e2e.promises import ENDED, all_ended, broken_promises
from tests.e2e.visitor import Visitor, went_well

pytestmark = pytest.mark.full

KILLED = pytest.mark.parametrize("who", ["hand", "main", "group"])
LIFE = 0.4
"""Seconds within which both jobs of a submission have usually begun."""
SOAK, BATCH = 50, 5
"""Kills of a soak, and how many before everything must have healed."""


@pytest.fixture
def pair(worker):  # noqa: ARG001 - the people need the database
    """Two who mark; there is more than one who could be the third."""
    one, other, *_ = people(2 + 3)
    return one, other


@KILLED
def test_killed_anywhere_in_its_job_a_worker_leaves_one_third_expert(stack, worker, pair, who):
    points = points_of(who, stack.vendor)
    killed = {point: two_checks(*pair) for point in points}
    for point, checks in killed.items():
        wait_for_what_died(stack, attempts=1)
        submit_first(stack, checks)
        with brake(stack, point, checks) as stands:
            submit(stack, checks.second)
            stack.until(stands, f"the worker stands at “{point}”")
            worker.kill(who)
        worker.ready()
    at_random = two_checks(*pair)
    kill_at_random(stack, worker, at_random, who, random.Random(who))

    stack.until(all_ended, "every job ends")
    assert thirds(*killed.values(), at_random) == [1] * (len(points) + 1)
    assert states(*killed.values(), at_random) == {Job.State.DONE}
    assert all(attempts(checks) > 1 for checks in killed.values())
    assert broken_promises() == []


def points_of(who, vendor):
    """Where the worker is killed: each start of a new one takes a while, so that the main process
    and the group die at half of the points on SQLite, and at the other half on PostgreSQL.
    """
    points = list(POINTS)
    if who == "hand":
        return points
    return points[(who == "main") == (vendor == "sqlite") :: 2]


@pytest.mark.long
@KILLED
def test_killed_fifty_times_a_worker_leaves_one_third_expert_each(stack, worker, pair, who):
    dice = random.Random(who)
    for _ in range(SOAK // BATCH):
        killed = [two_checks(*pair) for _ in range(BATCH)]
        for checks in killed:
            kill_at_random(stack, worker, checks, who, dice)
        stack.until(all_ended, "every job ends")
        assert thirds(*killed) == [1] * BATCH
        assert states(*killed) == {Job.State.DONE}
        assert broken_promises() == []


def kill_at_random(stack, worker, checks, who, dice):
    wait_for_what_died(stack, attempts=2)
    submit(stack, checks.first)
    submit(stack, checks.second)
    time.sleep(dice.uniform(0, LIFE))
    worker.kill(who)
    worker.ready()


def wait_for_what_died(stack, attempts):
    """Killed a third time a job is given up: on a slow machine one kill may meet it twice."""
    tried = Job.objects.exclude(state__in=ENDED).filter(attempts__gte=attempts)
    stack.until(lambda: not tried.exists(), "what has died before is done")


def submit_first(stack, checks):
    """Submit the first check and wait for its points: the second one's job will decide."""
    submit(stack, checks.first)
    graded = CriteriaRecord.objects.filter(markup=checks.first)
    stack.until(graded.exists, "the first check is graded")


def submit(stack, record):
    assert went_well(Visitor(stack, record.author).submit(record))


def thirds(*essays):
    return [checks.thirds().count() for checks in essays]


def states(*essays):
    ids = [record.pk for checks in essays for record in (checks.first, checks.second)]
    keys = [f"{kind}:{pk}" for kind in ("grade", "score") for pk in ids]
    return set(Job.objects.filter(key__in=keys).values_list("state", flat=True))


def attempts(checks):
    return Job.objects.get(key=f"grade:{checks.second.pk}").attempts
