from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from jobs.models import Bell, Job
from jobs.services.sweep import sweep
from jobs.services.work import BATCH, begin, order, put_back, take_next
from jobs.tasks import BULK_FIRST, take_turn, work

pytestmark = pytest.mark.django_db

PEOPLE, RUNS, BULK = Job.Priority.PEOPLE, Job.Priority.RUNS, Job.Priority.BULK
TURN = 16
"""Queries of a turn that does one job and rings for the next."""
done = []


@work
def note(*, name):
    done.append(name)


@work
def note_and_let_somebody_submit(*, name):
    done.append(name)
    order(kind="tests.note", key=f"from {name}", args={"name": f"submitted during {name}"})


@work
def fall(*, name):
    raise ValueError(name)


@pytest.fixture(autouse=True)
def nothing_done_yet():
    done.clear()


def promise(name, priority=PEOPLE, kind="tests.note"):
    return order(kind=kind, key=name, args={"name": name}, priority=priority)


def states():
    return dict(Job.objects.values_list("key", "state"))


def expire(*claims):
    ids = [each.job_id for each in claims]
    Job.objects.filter(pk__in=ids).update(lease_until=Now() - timedelta(seconds=1))


def test_people_come_before_runs_and_runs_before_bulk_and_older_before_newer():
    for name, priority in [
        ("b1", BULK),
        ("r1", RUNS),
        ("p1", PEOPLE),
        ("r2", RUNS),
        ("p2", PEOPLE),
    ]:
        promise(name, priority)

    for _ in range(5):
        take_turn()

    assert done == ["p1", "p2", "r1", "r2", "b1"]


def test_a_turn_makes_one_claim():
    promise("one")
    promise("other")

    take_turn()

    assert states() == {"one": "done", "other": "queued"}


def test_every_tenth_turn_belongs_to_the_bulk():
    for number in range(BULK_FIRST + 2):
        promise(f"p{number}")
    promise("bulk", BULK)

    for _ in range(BULK_FIRST):
        take_turn()

    assert done.index("bulk") == BULK_FIRST - 1


def test_bulk_is_taken_fifty_at_once():
    for number in range(BATCH + 10):
        promise(f"b{number}", BULK)

    take_turn()

    assert done == [f"b{number}" for number in range(BATCH)]


def test_between_two_jobs_in_bulk_people_are_served():
    promise("b1", BULK, "tests.note_and_let_somebody_submit")
    promise("b2", BULK)

    take_turn()

    assert done == ["b1", "submitted during b1", "b2"]


def test_one_bad_job_in_bulk_fails_alone():
    promise("b1", BULK)
    promise("bad", BULK, "tests.fall")
    promise("b2", BULK)

    take_turn()

    assert done == ["b1", "b2"]
    assert states() == {"b1": "done", "bad": "queued", "b2": "done"}
    assert Job.objects.get(key="bad").error == "ValueError: bad"


def test_a_job_in_bulk_that_kills_its_worker_counts_no_try_of_the_others_and_is_then_alone():
    poison, *others = [promise(f"b{number}", BULK) for number in range(4)]
    taken = take_next()
    begin(taken[0])  # and the worker dies at it
    expire(*taken)

    sweep()

    assert dict(Job.objects.values_list("key", "attempts")) == {"b0": 1, "b1": 0, "b2": 0, "b3": 0}
    assert [each.job_id for each in take_next()] == [poison.pk]
    assert [each.job_id for each in take_next()] == [job.pk for job in others]


def test_what_was_taken_and_not_begun_can_be_put_back():
    promise("b1", BULK)
    promise("b2", BULK)

    put_back(take_next())

    assert list(Job.objects.values_list("state", "attempts", "token")) == [("queued", 0, None)] * 2


def test_a_job_that_stumbled_waits_its_pause():
    promise("bad", PEOPLE, "tests.fall")

    take_turn()
    take_turn()

    assert Job.objects.get().attempts == 1


def test_work_of_an_unknown_kind_fails_with_its_name():
    promise("odd", PEOPLE, "tests.unheard_of")

    take_turn()

    assert Job.objects.get().error == "KeyError: 'tests.unheard_of'"


def test_a_turn_rings_for_the_next_one_only_while_something_waits():
    promise("one")
    promise("other")

    take_turn()
    after_the_first = Bell.objects.get().rung
    take_turn()

    assert (after_the_first, Bell.objects.get().rung) == (1, 0)


@pytest.mark.parametrize("waiting", [3, 400])
def test_a_turn_asks_the_database_as_often_however_much_waits(waiting, django_assert_num_queries):
    Job.objects.bulk_create(
        Job(key=f"p{number}", kind="tests.note", args={"name": "p"}) for number in range(waiting)
    )
    take_turn()

    with django_assert_num_queries(TURN):
        take_turn()
