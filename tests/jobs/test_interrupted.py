"""A worker whose time is over while it waits for others holds nothing afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import threading
from contextlib import closing

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from jobs.models import Job
from jobs.services.work import fenced, order
from jobs.tasks import take_turn, work
from tests.e2e.database import connected
from tests.migrated import kept

SOON, LATER = 0.2, 0.6


@pytest.fixture
def database(tmp_path, django_db_blocker):
    """A file with our tables, which this process and others write to."""
    path = tmp_path / "razbor.sqlite3"
    shutil.copyfile(kept(), path)
    with django_db_blocker.unblock(), connected(f"sqlite:///{path}"):
        yield path


@pytest.fixture
def interrupted():
    """``interrupted()``: soon the time of whatever is done here is over."""

    def strike(*_):
        raise SoftTimeLimitExceeded

    before = signal.signal(signal.SIGUSR1, strike)
    clock = threading.Timer(SOON, os.kill, [os.getpid(), signal.SIGUSR1])
    yield clock.start
    clock.join()
    signal.signal(signal.SIGUSR1, before)


def hold(database):
    """Another process writes, and is done a moment later: the thread that ends it."""
    other = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    end = threading.Timer(LATER, other.close)
    end.start()
    return end


def is_free(database):
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
    return True


def test_a_turn_interrupted_while_it_waits_to_take_a_job_holds_no_lock(database, interrupted):
    order(kind="tests.nothing", key="waits", args={})
    held = hold(database)
    interrupted()

    with pytest.raises(SoftTimeLimitExceeded):
        take_turn()
    held.join()

    assert is_free(database)
    assert Job.objects.get().state == Job.State.QUEUED


def test_a_job_interrupted_while_it_waits_to_write_is_tried_again(database, interrupted):
    @work
    def write():
        hold(database)
        interrupted()
        with fenced():
            pass

    order(kind=write.name, key="writes", args={})

    take_turn()

    assert is_free(database)
    job = Job.objects.get()
    assert (job.state, job.error) == (Job.State.QUEUED, "The time limit was reached.")
