from __future__ import annotations

from datetime import timedelta

import pytest
from celery import current_app
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now

from accounts.models import User
from jobs.models import Job
from jobs.services.sweep import sweep
from jobs.services.work import (
    LeaseLost,
    claim,
    fail,
    fenced,
    finish,
    holding,
    order,
    retry,
    take_next,
)
from jobs.signals import job_failed, job_ordered, work_waits
from jobs.tasks import kind_of, work, work_formerly
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db


def ordered(key="grade:1", kind="tests.noop", **fields):
    Job.objects.create(key=key, kind=kind, **fields)
    return Job.objects.get(key=key)


def expire(job):
    Job.objects.filter(pk=job.pk).update(lease_until=Now() - timedelta(seconds=1))


def make_due(job):
    past = Now() - timedelta(minutes=5)
    Job.objects.filter(pk=job.pk).update(created_at=past, next_try_at=past)


@pytest.fixture
def bells():
    rung = []

    def listen(job_id=None, **_):
        rung.append(job_id)

    for signal in (job_ordered, work_waits):
        signal.connect(listen)
    yield rung
    for signal in (job_ordered, work_waits):
        signal.disconnect(listen)


def test_a_job_ordered_twice_is_one_job(django_capture_on_commit_callbacks, bells):
    with django_capture_on_commit_callbacks(execute=True):
        first = order(kind="tests.noop", key="grade:7", args={"markup_id": 7})
        second = order(kind="tests.noop", key="grade:7", args={"markup_id": 7})

    assert first == second
    assert [(job.key, job.args, job.state) for job in Job.objects.all()] == [
        ("grade:7", {"markup_id": 7}, "queued")
    ]
    assert bells == [first.pk]


def test_a_bell_rings_only_after_the_commit(django_capture_on_commit_callbacks, bells):
    with django_capture_on_commit_callbacks() as waiting:
        order(kind="tests.noop", key="grade:8", args={})

    assert bells == []
    assert len(waiting) == 1


def test_a_job_is_claimed_once():
    job = ordered(args={"markup_id": 3})

    taken, again = claim(job_id=job.pk), claim(job_id=job.pk)

    assert (taken.job_id, taken.args, again) == (job.pk, {"markup_id": 3}, None)


def test_a_job_whose_lease_ran_out_goes_to_the_next_worker():
    job = ordered()
    first = claim(job_id=job.pk)
    expire(job)

    second = claim(job_id=job.pk)

    assert second.token != first.token
    assert Job.objects.get().attempts == 2


def test_a_finished_job_cannot_be_claimed():
    job = ordered()
    finish(claim(job_id=job.pk))

    assert claim(job_id=job.pk) is None
    assert Job.objects.get().state == Job.State.DONE


def test_a_worker_that_lost_its_lease_writes_nothing():
    job = ordered()
    stale = claim(job_id=job.pk)
    expire(job)
    fresh = claim(job_id=job.pk)

    with holding(stale), pytest.raises(LeaseLost), fenced():
        PersonFactory(username="written by a stale worker")
    with holding(fresh), fenced():
        PersonFactory(username="written by the owner")

    assert list(User.objects.values_list("username", flat=True)) == ["written by the owner"]
    assert (finish(stale), finish(fresh)) == (False, True)


def test_outside_a_worker_a_fence_is_a_plain_transaction():
    with fenced():
        PersonFactory(username="written by a view")

    assert User.objects.get().username == "written by a view"


def test_a_job_is_tried_three_times_then_fails_with_its_reason():
    job = ordered()
    for _ in range(3):
        fail(claim(job_id=job.pk), reason="ValueError: no such markup")

    failed = Job.objects.get()
    assert (failed.state, failed.attempts, failed.error) == (
        "failed",
        3,
        "ValueError: no such markup",
    )
    assert claim(job_id=job.pk) is None


def test_a_job_that_is_given_up_announces_it_once():
    heard = []

    def hear(job_id, **_):
        heard.append(job_id)

    job = ordered()
    job_failed.connect(hear)
    for _ in range(3):
        fail(claim(job_id=job.pk), reason="ValueError: no such markup")
    job_failed.disconnect(hear)

    assert heard == [job.pk]


def test_a_failed_job_can_be_begun_anew_by_hand():
    job = ordered(state=Job.State.FAILED, attempts=3, error="it broke")

    assert retry(job_id=job.pk)

    again = Job.objects.get()
    assert (again.state, again.attempts, again.error) == ("queued", 0, "")
    assert not retry(job_id=job.pk)


def test_sweep_rings_for_a_job_whose_bell_was_lost(bells):
    job = ordered()
    make_due(job)

    assert sweep()
    assert bells == [None], "a message names no job"


def test_sweep_leaves_the_bell_of_a_fresh_job_alone(bells):
    ordered()

    assert not sweep()
    assert bells == []


def test_sweep_frees_the_job_of_a_killed_worker(bells):
    job = ordered()
    claim(job_id=job.pk)
    make_due(job)
    expire(job)

    sweep()

    assert Job.objects.get().state == Job.State.QUEUED
    assert bells == [None]


def test_a_job_that_kills_every_worker_fails_and_the_others_go_on(bells):
    poison, other = ordered("poison"), ordered("other")
    for _ in range(3):
        claim(job_id=poison.pk)
        expire(poison)
    make_due(other)

    sweep()

    poison.refresh_from_db()
    assert (poison.state, poison.error) == ("failed", "The worker died on every attempt.")
    assert [claim.job_id for claim in take_next()] == [other.pk]
    assert bells == [None]


def test_a_running_job_without_an_owner_is_refused_by_the_database():
    job = ordered()

    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING)


@work
def add_person(*, name):
    with fenced():
        PersonFactory(username=name)


@work
def stumble():
    raise ValueError("the third mark is missing")


@work_formerly("tests.enter_person")
def admit_person(*, name):
    with fenced():
        PersonFactory(username=name)


@pytest.mark.parametrize("kind", ["tests.enter_person", "tests.admit_person"])
@pytest.mark.parametrize("name", ["tests.enter_person", "tests.admit_person"])
def test_jobs_and_messages_may_bear_a_former_name(kind, name):
    job = ordered(kind=kind, args={"name": "ann"})

    current_app.tasks[name](job.pk)

    assert [user.username for user in User.objects.all()] == ["ann"]
    assert Job.objects.get().state == "done"


def test_a_task_bears_the_name_of_its_app_and_function():
    assert add_person.name == "tests.add_person"
    assert kind_of(ordered) == "tests.ordered"


def test_a_task_does_its_work_once_however_often_it_is_called():
    job = ordered(kind="tests.add_person", args={"name": "only one"})

    for _ in range(5):
        add_person(job.pk)

    assert [user.username for user in User.objects.all()] == ["only one"]
    assert (Job.objects.get().state, Job.objects.get().attempts) == ("done", 1)


def test_a_task_that_stumbles_gives_its_job_back_with_the_reason():
    job = ordered(kind="tests.stumble")

    stumble(job.pk)

    given_back = Job.objects.get()
    assert (given_back.state, given_back.error) == (
        "queued",
        "ValueError: the third mark is missing",
    )


def test_due_jobs_are_found_by_an_index():
    with connection.cursor() as cursor:
        names = connection.introspection.get_constraints(cursor, Job._meta.db_table)

    assert {"jobs_waiting", "jobs_running"} <= set(names)
