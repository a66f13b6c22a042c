"""Jobs stay once they are done: who looks for those that are not does not look through them."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs.models import Job
from jobs.queries import stuck_jobs, waiting_long
from jobs.services.sweep import sweep
from review.queries.problems import matters_to_solve
from tests.e2e.database import connected
from tests.services import copy_of
from tests.steps import counted_by_sqlite, steps_of

ASKED = {
    "sweep": sweep,
    "stuck": lambda: stuck_jobs().count(),
    "waiting long": lambda: waiting_long().count(),
    "problems": matters_to_solve,
}


def done(count):
    Job.objects.bulk_create(Job(key=f"{n}", kind="x", state="done") for n in range(count))


@pytest.mark.django_db
@counted_by_sqlite
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_jobs_that_are_done_cost_nothing(ask):
    ask()  # what is made once
    before = steps_of(ask)
    done(2000)

    assert steps_of(ask) <= before + 5


@pytest.mark.full
def test_nor_do_they_on_postgresql(postgres_tables, django_db_blocker):
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        done(5000)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE jobs_job")
        with CaptureQueriesContext(connection) as asked:
            for ask in ASKED.values():
                ask()
        plans = [plan_of(each["sql"]) for each in asked if each["sql"].startswith("SELECT")]

    assert len(plans) > len(ASKED)
    assert [each for each in plans if "Seq Scan on jobs_job" in each] == []


def plan_of(sql):
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + sql)
        return "\n".join(line for (line,) in cursor.fetchall())
