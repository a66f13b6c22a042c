from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.db.utils import ConnectionHandler

from accounts.models import RateBucket
from accounts.services.limits import Limit, TooMany, forget, give_back, take, take_each
from config.env import env_database

THREE = Limit(tries=3, seconds=60)
THREADS, EACH, ALLOWED = 8, 25, 20


def takes(count, key="ivan", limit=THREE):
    return [take(key=key, limit=limit) for _ in range(count)]


@pytest.mark.django_db
def test_as_many_tries_are_allowed_as_the_limit_says():
    assert takes(5) == [True, True, True, False, False]


@pytest.mark.django_db
def test_every_key_has_tries_of_its_own():
    takes(3)

    assert (takes(1, "anna"), takes(1, "ivan")) == ([True], [False])


@pytest.mark.django_db
def test_a_try_counts_as_long_as_the_window_is(clock):
    takes(4)
    clock.move(THREE.seconds)

    assert takes(4) == [True, True, True, False]


@pytest.mark.django_db
def test_the_window_slides(clock):
    takes(2)
    clock.move(THREE.seconds - 1)
    before = takes(2)
    clock.move(1)

    assert (before, takes(4)) == ([True, False], [True, True, False, False])


@pytest.mark.django_db
def test_a_window_is_not_prolonged_by_trying(clock):
    takes(4)
    clock.move(THREE.seconds - 1)
    refused = takes(1)
    clock.move(1)

    assert (refused, takes(1)) == ([False], [True])


@pytest.mark.django_db
@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_the_clock_of_the_web_server_decides_nothing(web_clock, seconds):
    takes(3)
    web_clock(seconds)

    assert takes(1) == [False]


@pytest.mark.django_db
def test_a_refusal_tells_when_there_is_a_try_again(clock):
    takes(1)
    clock.move(20)
    takes(2)

    with pytest.raises(TooMany) as refusal:
        take_each({"ivan": THREE})

    assert refusal.value.seconds in (39, 40)


@pytest.mark.django_db
def test_a_try_counts_in_all_buckets_or_in_none():
    takes(2, "ivan")
    limits = {"ivan": THREE, "anna": THREE}

    take_each(limits)
    with pytest.raises(TooMany):
        take_each(limits)

    kept = {bucket.key: len(bucket.moments) for bucket in RateBucket.objects.all()}
    assert kept == {"anna": 1, "ivan": 3}


@pytest.mark.django_db
def test_one_try_can_be_given_back_and_all_forgotten():
    takes(2)
    moment = take_each({"ivan": THREE})
    give_back(keys=["ivan"], moment=moment)
    one = takes(2)
    forget(key="ivan")

    assert (one, takes(4)) == ([True, False], [True, True, True, False])


@pytest.mark.django_db
def test_a_key_of_any_length_is_counted():
    assert takes(4, "k" * 1000) == [True, True, True, False]


@pytest.mark.django_db
def test_a_try_costs_the_same_few_queries_in_any_number_of_buckets(django_assert_num_queries):
    savepoints, queries = 2, 3
    for limits in ({"ivan": THREE}, {"ivan": THREE, "anna": THREE, "oleg": THREE}):
        with django_assert_num_queries(queries + savepoints):
            take_each(limits)


@pytest.mark.django_db
def test_a_success_forgets_the_buckets_nobody_counts_in_any_more(clock):
    takes(1, "old")
    clock.move(25 * 60 * 60)
    takes(1, "fresh")
    moment = take_each({"mine": THREE})

    give_back(keys=["mine"], moment=moment)

    kept = RateBucket.objects.order_by("key").values_list("key", "moments")
    assert [(key, len(moments)) for key, moments in kept] == [("fresh", 1), ("mine", 0)]


def allowed_in_threads(address, monkeypatch, work=takes):
    """How many of the tries of many threads at once pass, each on a connection of its own."""
    monkeypatch.setenv("BUCKETS", address)
    database = env_database("BUCKETS", "")
    start = Barrier(THREADS)

    def connected(act):
        # A thread has no connection yet: this one becomes its default.
        connections["default"] = ConnectionHandler({"default": database})["default"]
        try:
            return act()
        finally:
            connections["default"].close()

    def schema(what):
        with connections["default"].schema_editor() as editor:
            getattr(editor, what)(RateBucket)

    def together():
        start.wait()
        return work(EACH, limit=Limit(tries=ALLOWED, seconds=60))

    with ThreadPoolExecutor(THREADS) as threads:
        threads.submit(connected, lambda: schema("create_model")).result()
        running = [threads.submit(connected, together) for _ in range(THREADS)]
        passed = [allowed for thread in running for allowed in thread.result()]
        threads.submit(connected, lambda: schema("delete_model")).result()
    assert len(passed) == THREADS * EACH
    return sum(passed)


@pytest.fixture
def _real_connections(django_db_blocker):
    with django_db_blocker.unblock():
        yield


@pytest.mark.usefixtures("_real_connections")
def test_the_limit_is_exact_under_parallel_threads_on_sqlite(tmp_path, monkeypatch):
    address = f"sqlite:///{tmp_path / 'buckets.sqlite3'}"

    assert allowed_in_threads(address, monkeypatch) == ALLOWED


@pytest.mark.full
@pytest.mark.usefixtures("_real_connections")
def test_the_limit_is_exact_under_parallel_threads_on_postgresql(postgres_url, monkeypatch):
    assert allowed_in_threads(postgres_url, monkeypatch) == ALLOWED


def several_buckets(count, limit):
    """Half of the threads name the buckets in the other order: nobody waits for ever."""
    names = ["ivan", "anna", "oleg"]
    passed = []
    for number in range(count):
        ordered = names if number % 2 else names[::-1]
        try:
            take_each(dict.fromkeys(ordered, limit))
        except TooMany:
            passed.append(False)
        else:
            passed.append(True)
    return passed


@pytest.mark.usefixtures("_real_connections")
def test_the_limit_of_several_buckets_is_exact_on_sqlite(tmp_path, monkeypatch):
    address = f"sqlite:///{tmp_path / 'buckets.sqlite3'}"

    assert allowed_in_threads(address, monkeypatch, several_buckets) == ALLOWED


@pytest.mark.full
@pytest.mark.usefixtures("_real_connections")
def test_the_limit_of_several_buckets_is_exact_on_postgresql(postgres_url, monkeypatch):
    assert allowed_in_threads(postgres_url, monkeypatch, several_buckets) == ALLOWED


def read_then_write(count, limit):
    """The naive twin: looks how many tries there were, then counts its own."""
    passed = []
    for _ in range(count):
        bucket, _ = RateBucket.objects.get_or_create(key="ivan")
        passed.append(len(bucket.moments) < limit.tries)
        RateBucket.objects.filter(pk=bucket.pk).update(moments=[*bucket.moments, 0])
    return passed


@pytest.mark.full
@pytest.mark.usefixtures("_real_connections")
def test_a_naive_limit_would_let_more_through(postgres_url, monkeypatch):
    assert allowed_in_threads(postgres_url, monkeypatch, read_then_write) > ALLOWED
