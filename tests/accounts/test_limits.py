from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.db.utils import ConnectionHandler

from accounts.models import RateBucket
from accounts.services.limits import LOGIN, Limit, give_back, take
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
def test_every_window_has_tries_of_its_own(clock):
    takes(4)
    clock.move(THREE.seconds)

    assert takes(4) == [True, True, True, False]


@pytest.mark.django_db
def test_a_window_is_not_prolonged_by_trying(clock):
    takes(4)
    clock.move(THREE.seconds - 1)
    refused = takes(1)
    clock.move(1)

    assert (refused, takes(1)) == ([False], [True])


@pytest.mark.django_db
def test_what_was_given_back_can_be_taken_anew():
    takes(4)
    takes(4, "anna")
    give_back(key="ivan", limit=THREE)

    assert (takes(1, "ivan"), takes(1, "anna")) == ([True], [False])


@pytest.mark.django_db
def test_a_key_of_any_length_is_counted():
    assert takes(4, "k" * 1000) == [True, True, True, False]


@pytest.mark.django_db
def test_a_try_costs_one_query(django_assert_num_queries):
    with django_assert_num_queries(1):
        take(key="ivan", limit=THREE)


@pytest.mark.django_db
def test_a_success_forgets_the_windows_nobody_counts_in_any_more(clock):
    for limit in (LOGIN, THREE):
        take(key=f"old {limit.tries}", limit=limit)
    clock.move(25 * 60 * 60)
    for limit in (LOGIN, THREE):
        take(key=f"fresh {limit.tries}", limit=limit)
    takes(1, "mine")

    give_back(key="mine", limit=THREE)

    kept = RateBucket.objects.order_by("pk").values_list("key", flat=True)
    assert list(kept) == ["fresh 5", "fresh 3"]


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


def read_then_write(count, limit):
    """The naive twin: looks how many tries there were, then counts its own."""
    passed = []
    for _ in range(count):
        bucket, _ = RateBucket.objects.get_or_create(key="ivan", window=0, defaults={"tries": 0})
        passed.append(bucket.tries < limit.tries)
        RateBucket.objects.filter(pk=bucket.pk).update(tries=bucket.tries + 1)
    return passed


@pytest.mark.full
@pytest.mark.usefixtures("_real_connections")
def test_a_naive_limit_would_let_more_through(postgres_url, monkeypatch):
    assert allowed_in_threads(postgres_url, monkeypatch, read_then_write) > ALLOWED
