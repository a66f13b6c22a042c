"""Background work under a backlog: the very processes of `manage.py run`, on both brokers.

Speeds are those of the database's own clock; each is shown beside the same speed without a backlog.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit, urlunsplit

from jobs.models import Job
from tests.bench.timing import percentile
from tests.e2e.backlog import MARKUPS, Peak, authors, fill, write_import
from tests.e2e.database import connected
from tests.e2e.essays import people, two_checks
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.stack import Stack
from tests.e2e.visitor import Visitor
from tests.factories import EssaySetFactory
from tests.services import (
    MissingServiceError,
    database_beside,
    postgres_database,
    redis_address,
)

FEW, MANY = 100, 10_000
SUBMISSIONS = 40
IMPORTED = 1000
REDIS_DATABASE = "/7"


def figures() -> Iterator[str]:
    """Lines for each backend that is to be had here."""
    for name, addresses in backends():
        with (
            addresses as given,
            tempfile.TemporaryDirectory() as folder,
            Stack(Path(folder), worker_processes="", **given) as stack,
            connected(stack.database_url),
        ):
            yield f"\n{name}, one worker"
            stack.until(lambda: stack.health()["workers"], "the worker beats")
            yield from behind_a_backlog(stack)
            yield from an_import(stack, Path(folder) / "essays")


def backends() -> Iterator[tuple[str, contextlib.AbstractContextManager[dict[str, str]]]]:
    yield "SQLite and a broker of files", contextlib.nullcontext({})
    yield "PostgreSQL and Redis", services()


@contextlib.contextmanager
def services() -> Iterator[dict[str, str]]:
    try:
        with (
            postgres_database() as server,
            redis_address() as redis,
            database_beside(server) as url,
        ):
            broker = urlunsplit(urlsplit(redis)._replace(path=REDIS_DATABASE))
            yield {"database_url": url, "broker_url": broker}
    except MissingServiceError as reason:
        raise SystemExit(f"not measured: {reason}") from None


def behind_a_backlog(stack: Stack) -> Iterator[str]:
    speeds = [speed_of(stack, fill(FEW)) for _ in range(5)]
    yield f"  jobs in bulk a second, {FEW} waiting: {median(speeds):.0f}"
    peak = Peak(stack)
    backlog = fill(MANY)
    alone = done_in(backlog, 5)
    yield (
        f"  jobs in bulk a second, {MANY} waiting: {alone:.0f}"
        f" ({alone / median(speeds):.2f} of the speed with {FEW})"
    )
    graded, called = [], []
    one, other, *_ = people(2 + 3)
    for _ in range(SUBMISSIONS // 2):
        checks = two_checks(one, other)
        for record in (checks.first, checks.second):
            Visitor(stack, record.author).submit(record)
        began = time.monotonic()
        stack.until(peak.while_not(checks.thirds().exists), "the third expert is called")
        called.append(time.monotonic() - began)
        keys = [f"grade:{record.pk}" for record in (checks.first, checks.second)]
        graded += [waited(job) for job in Job.objects.filter(key__in=keys, state="done")]
    left = backlog.filter(state=Job.State.QUEUED).count()
    yield (
        f"  a submission behind {left} to {MANY} jobs: graded within {percentile(graded, 50):.2f} s"
        f" (p50), {percentile(graded, 95):.2f} s (p95); its third assigned {max(called):.2f} s"
        f" after the answer at most; messages waiting: {peak.most} at most"
    )
    backlog.filter(state=Job.State.QUEUED).delete()
    stack.until(all_ended, "every job ends")


def speed_of(stack: Stack, jobs) -> float:
    stack.until(lambda: not jobs.exclude(state="done").exists(), "all are done")
    first = jobs.order_by("started_at").values_list("started_at", flat=True).first()
    last = jobs.order_by("-finished_at").values_list("finished_at", flat=True).first()
    return jobs.count() / (last - first).total_seconds()


def done_in(jobs, seconds: float) -> float:
    """Jobs a second within so many seconds of real work."""
    time.sleep(2)
    before = jobs.filter(state="done").count()
    began = time.monotonic()
    time.sleep(seconds)
    return (jobs.filter(state="done").count() - before) / (time.monotonic() - began)


def waited(job: Job) -> float:
    return (job.finished_at - job.created_at).total_seconds()


def an_import(stack: Stack, folder: Path) -> Iterator[str]:
    authors()
    people(3)
    essay_set, peak = EssaySetFactory(), Peak(stack)
    write_import(folder, IMPORTED)
    began = time.monotonic()
    stack.python("manage.py", "import_essays", folder, "--set", essay_set.name)
    read = time.monotonic() - began
    stack.until(peak.while_not(all_ended), "every job ends")
    whole = time.monotonic() - began
    yield (
        f"  an import of {IMPORTED} essays with {len(MARKUPS)} markups each: read after {read:.1f}"
        f" s, graded, paired and thirds assigned after {whole:.1f} s; messages waiting:"
        f" {peak.most} at most; broken promises: {len(broken_promises())}"
    )
