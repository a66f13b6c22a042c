from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from jobs.models import Job, Worker
from jobs.queries import live_hands, live_workers, place_in_line, stuck_jobs
from jobs.services.beating import beat, forget_the_dead, leave
from jobs.services.work import order, take_next

pytestmark = pytest.mark.django_db


def promise(name, priority=Job.Priority.PEOPLE):
    job = order(kind="tests.noop", key=name, args={}, priority=priority)
    job.refresh_from_db()
    return job


def age(seconds, **field):
    (name,) = field.values()
    past = Now() - timedelta(seconds=seconds)
    Job.objects.filter(key=name).update(created_at=past, next_try_at=past)


def silent_for(seconds):
    Worker.objects.update(beat_at=Now() - timedelta(seconds=seconds))


def test_a_worker_that_beats_again_is_the_same_worker():
    beat(name="worker@host:1", hands=1)
    silent_for(60)

    beat(name="worker@host:1", hands=4)

    assert (list(Worker.objects.values_list("name", "hands")), live_hands()) == (
        [("worker@host:1", 4)],
        4,
    )


def test_a_worker_that_leaves_or_died_long_ago_is_forgotten():
    beat(name="gone", hands=1)
    beat(name="dead", hands=1)
    leave(name="gone")
    silent_for(2 * 60 * 60)

    forget_the_dead()

    assert not Worker.objects.exists()


def test_a_silent_worker_does_not_count():
    beat(name="one", hands=1)
    silent_for(16)

    assert not live_workers().exists()


def test_a_backlog_is_not_stuck_while_a_worker_lives():
    promise("old")
    age(3600, key="old")
    beat(name="one", hands=1)

    assert list(stuck_jobs()) == []


def test_what_waits_without_a_living_worker_is_stuck():
    job = promise("old")
    promise("fresh")
    age(16, key="old")
    beat(name="one", hands=1)
    silent_for(16)

    assert list(stuck_jobs()) == [job]


def test_a_lease_that_ran_out_is_stuck_also_beside_a_living_worker():
    job = promise("lost")
    take_next()
    beat(name="one", hands=1)
    Job.objects.update(lease_until=Now() - timedelta(seconds=6))

    assert list(stuck_jobs()) == [job]


def test_health_says_that_no_worker_answers(client):
    promise("old")
    age(16, key="old")

    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (
        503,
        {"status": "stuck", "stuck_jobs": 1, "failed_jobs": 0, "waiting_jobs": 1, "workers": 0},
    )


def test_a_job_knows_its_place_in_line():
    bulk = promise("bulk", Job.Priority.BULK)
    run = promise("run", Job.Priority.RUNS)
    first, second = promise("first"), promise("second")

    places = [place_in_line(job) for job in (first, second, run, bulk)]
    take_next()
    first.refresh_from_db()

    assert (places, place_in_line(first), place_in_line(second)) == ([1, 2, 3, 4], 0, 1)


def test_health_says_so_when_the_only_worker_fell_silent_though_nothing_waits(client):
    beat(name="one", hands=1)
    well = client.get("/healthz")
    silent_for(16)
    silent = client.get("/healthz")
    leave(name="one")

    answers = [(each.status_code, each.json()["status"]) for each in (well, silent)]
    assert [*answers, client.get("/healthz").status_code] == [(200, "ok"), (503, "stuck"), 200]
