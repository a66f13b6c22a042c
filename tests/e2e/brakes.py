"""Hold a worker at one statement of its job: a trigger in the test's own database, no product code.

PostgreSQL: the trigger waits for an advisory lock this process holds. SQLite: it counts without
end, holding the only write lock, until its process is killed.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time

import psycopg
from django.db import connection

from jobs.models import Job
from scoring.models import CriteriaRecord

POINTS = {
    "claimed": ("INSERT ON scoring_criteriarecord", "NEW.markup_id = {markup}"),
    "graded": ("INSERT ON scoring_thirdcheck", "NEW.essay_id = {essay}"),
    "deciding": ("INSERT ON annotator_assignment", "NEW.essay_id = {essay} AND NEW.role = 'third'"),
    "assigned": ("UPDATE ON jobs_job", "NEW.key = 'grade:{markup}' AND NEW.state = 'done'"),
}
"""Point of the life of a job -> the statement that would lead beyond it.

Nothing is graded; graded, but no decision begun; decided and about to assign, in the middle of
the transaction; the third expert is assigned, but the job is not closed.
"""
KEY = 4711
SECOND_LOOK = 0.3
COUNT_FOREVER = "SELECT count(*) FROM forever"


class PostgresBrake:
    def __init__(self, url, event, condition):
        self.execute = psycopg.connect(url, autocommit=True).execute
        self.event, self.condition = event, condition

    def put_on(self):
        self.execute("SELECT pg_advisory_lock(%s)", [KEY])
        self.execute(
            "CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN PERFORM pg_advisory_xact_lock({KEY}); RETURN NEW; END $$"
        )
        table = self.event.rpartition(" ")[2]
        self.execute(
            f"CREATE TRIGGER brake BEFORE {self.event} FOR EACH ROW "
            f"WHEN ({self.condition}) EXECUTE FUNCTION hold()"
        )
        self.table = table

    def holds(self):
        return bool(self.held())

    def held(self):
        waiting = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        return [pid for (pid,) in self.execute(waiting).fetchall()]

    def let_go(self):
        # A server learns of the death of a client only when it next writes to it.
        for pid in self.held():
            self.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])
        self.execute("SELECT pg_advisory_unlock(%s)", [KEY])
        self.execute(f"DROP TRIGGER brake ON {self.table}")
        self.execute.__self__.close()


class SqliteBrake:
    def __init__(self, path, event, condition):
        self.path, self.event, self.condition = path, event, condition
        self.since = None

    def put_on(self):
        self.write(
            "CREATE VIEW IF NOT EXISTS forever AS WITH RECURSIVE "
            "count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count) SELECT n FROM count"
        )
        self.write(
            f"CREATE TRIGGER brake BEFORE {self.event} WHEN {self.condition} "
            f"BEGIN {COUNT_FOREVER}; END"
        )

    def holds(self):
        """Others hold the write lock for an instant only."""
        if not self.is_locked():
            self.since = None
        elif self.since is None:
            self.since = time.monotonic()
        return self.since is not None and time.monotonic() - self.since > SECOND_LOOK

    def is_locked(self):
        try:
            self.write("BEGIN IMMEDIATE", timeout=0)
        except sqlite3.OperationalError:
            return True
        return False

    def let_go(self):
        self.write("DROP TRIGGER brake")

    def write(self, statement, timeout=60):
        with contextlib.closing(
            sqlite3.connect(self.path, timeout, isolation_level=None)
        ) as opened:
            opened.execute(statement)


@contextlib.contextmanager
def brake(stack, point, checks):
    """Within this block the job that grades the second check stands at this point.

    Gives a question: does it stand there by now? Who leaves the block has killed it.
    """
    event, condition = POINTS[point]
    condition = condition.format(essay=checks.essay.pk, markup=checks.second.pk)
    with brake_before(stack, event, condition) as holds:
        yield lambda: REACHED[point](checks) and holds()


@contextlib.contextmanager
def brake_before(stack, event, condition):
    """The same for any statement: a worker stands before it while the block lasts."""
    if connection.vendor == "sqlite":
        held = SqliteBrake(stack.folder / "razbor.sqlite3", event, condition)
    else:
        held = PostgresBrake(stack.database_url, event, condition)
    held.put_on()
    try:
        yield held.holds
    finally:
        held.let_go()


REACHED = {
    "claimed": lambda checks: Job.objects.filter(
        key=f"grade:{checks.second.pk}", state=Job.State.RUNNING
    ).exists(),
    "graded": lambda checks: CriteriaRecord.objects.filter(markup=checks.second).exists(),
    "deciding": lambda checks: CriteriaRecord.objects.filter(markup=checks.second).exists(),
    "assigned": lambda checks: checks.thirds().exists(),
}
"""What everybody can see once the point is near: what is committed."""
