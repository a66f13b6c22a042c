"""Order, take, begin, fence, finish: how a job is done exactly once (reliability.md 5).

All times are the database's: workers' clocks may differ.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from jobs.models import Job
from jobs.queries import waiting_jobs
from jobs.signals import job_failed, job_ordered

MAX_ATTEMPTS: Final = 3
LEASE: Final = timedelta(seconds=settings.JOB_LIMIT_SECONDS + settings.JOB_LEASE_MARGIN_SECONDS)
BATCH: Final = 50
"""So many jobs in bulk are taken at once."""


class LeaseLost(Exception):
    """Another worker has taken the job over: the result must not be written."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's right to a job: valid as long as the job bears its token."""

    job_id: int
    kind: str
    token: uuid.UUID
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Promise:
    """A piece of work to be ordered: its kind, what names it, and what it is about."""

    kind: str
    key: str
    args: Mapping[str, Any]


_held: ContextVar[Claim | None] = ContextVar("held_claim", default=None)
_is_fenced: ContextVar[bool] = ContextVar("is_fenced", default=False)


def order(
    *,
    kind: str,
    key: str,
    args: Mapping[str, Any],
    priority: Job.Priority = Job.Priority.PEOPLE,
    after: timedelta | None = None,
) -> Job:
    """Promise the work ``key`` in the caller's transaction; ordered twice it is done once.

    ``after``: not before so much time has gone by the database's clock; tick rings for it then.
    """
    known = Job.objects.filter(key=key).first()
    if known:
        return known
    promise = Job(key=key, kind=kind, args=dict(args), priority=priority)
    if after is not None:
        promise.next_try_at = Now() + after
    Job.objects.bulk_create([promise], ignore_conflicts=True)  # another one may just promise it
    job = Job.objects.get(key=key)
    if after is None:
        _announce(job.pk)
    return job


def order_all(promises: Iterable[Promise], *, priority: Job.Priority = Job.Priority.PEOPLE) -> None:
    """The same for many pieces of work, in as many statements as for one; the bell rings once."""
    rows = [
        Job(key=each.key, kind=each.kind, args=dict(each.args), priority=priority)
        for each in promises
    ]
    if not rows:
        return
    Job.objects.bulk_create(rows, ignore_conflicts=True)
    first = Job.objects.filter(key__in=[row.key for row in rows]).order_by("pk").first()
    if first is not None:
        _announce(first.pk)


def take_back(*, key: str) -> None:
    """Void the promise of the work ``key``, done or not, so that it may be ordered anew.

    A worker that is at it does not find its job any more: ``fenced`` keeps its result out.
    """
    Job.objects.filter(key=key).delete()


def take_back_waiting(*, key: str) -> None:
    """Void a promise that nobody has begun to keep: what it was for counts no more."""
    Job.objects.filter(key=key, state=Job.State.QUEUED).delete()


def claim(*, job_id: int) -> Claim | None:
    """Take a certain job and begin it; ``None`` when it is not to be had."""
    free = Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_until__lt=Now())
    taken = _take(Job.objects.filter(free, pk=job_id, attempts__lt=MAX_ATTEMPTS))
    return taken[0] if taken and begin(taken[0]) else None


def take_next(*, bulk_first: bool = False) -> list[Claim]:
    """Take what comes next: people's work, then runs, then up to ``BATCH`` jobs in bulk at once.

    What was begun before and did not end is taken alone: nobody is to suffer for it. Two workers
    never take the same (PostgreSQL passes over what another one is just taking, on SQLite one
    writes at a time). Taken is not begun: see ``begin``.
    """
    waiting = waiting_jobs()
    bulk = waiting.filter(priority=Job.Priority.BULK)
    first = (bulk_first and bulk.first()) or waiting.first()
    if not first:
        return []
    alike = waiting.filter(priority=first.priority)
    if first.priority == Job.Priority.BULK and not first.attempts:
        return _take(alike.filter(attempts=0), most=BATCH)
    return _take(alike)


def take_from_people() -> list[Claim]:
    """Take the oldest piece of people's work; nothing when they wait for nothing."""
    people = waiting_jobs().filter(priority=Job.Priority.PEOPLE)
    return _take(people) if people.exists() else []


def begin(claim: Claim) -> bool:
    """Start the work: only now it counts as tried; false when another worker has it by now."""
    begun = _mine(claim).update(
        lease_until=Now() + LEASE, attempts=F("attempts") + 1, started_at=Now()
    )
    return bool(begun)


def put_back(claims: Iterable[Claim]) -> None:
    """Let others have what was taken and not begun."""
    for claim in claims:
        _mine(claim).update(state=Job.State.QUEUED, token=None, lease_until=None)


@contextmanager
def holding(claim: Claim) -> Iterator[None]:
    """Within this block ``fenced`` transactions commit only while the claim is valid."""
    reset = _held.set(claim)
    try:
        yield
    finally:
        _held.reset(reset)


@contextmanager
def fenced() -> Iterator[None]:
    """A transaction that writes a result. In a worker it commits only while the job is still its.

    Outside a worker (a view, a command, a test) it is a plain transaction; within another fence it
    is a part of it.
    """
    within = _is_fenced.get()
    with transaction.atomic(savepoint=not within):
        held = _held.get()
        if held is not None and not within and not _lock(held):
            raise LeaseLost
        reset = _is_fenced.set(True)
        try:
            yield
        finally:
            _is_fenced.reset(reset)


def finish(claim: Claim) -> bool:
    """Close a job that is done; false when another worker has it by now."""
    return bool(_mine(claim).update(state=Job.State.DONE, finished_at=Now(), token=None, error=""))


def fail(claim: Claim, *, reason: str) -> bool:
    """Give a job back after an error, to be tried again later, or for good after three tries."""
    with transaction.atomic():
        if not _lock(claim):
            return False
        job = Job.objects.get(pk=claim.job_id)
        give_up = job.attempts >= MAX_ATTEMPTS
        job.state = Job.State.FAILED if give_up else Job.State.QUEUED
        job.error = reason[:4000]
        job.token = None
        job.save(update_fields=["state", "error", "token"])
        times = {"finished_at": Now()} if give_up else {"next_try_at": Now() + pause(job)}
        Job.objects.filter(pk=job.pk).update(**times)
        if give_up:
            job_failed.send(sender=Job, job_id=job.pk)
    return True


def retry(*, job_id: int) -> bool:
    """Begin a failed job anew, by hand; false when it had not failed."""
    with transaction.atomic():
        again = Job.objects.filter(pk=job_id, state=Job.State.FAILED).update(
            state=Job.State.QUEUED, attempts=0, error="", next_try_at=Now(), finished_at=None
        )
        if again:
            _announce(job_id)
    return bool(again)


def pause(job: Job) -> timedelta:
    """How long a job that did not end waits for its next try."""
    return timedelta(seconds=2**job.attempts)


def _announce(job_id: int) -> None:
    transaction.on_commit(lambda: job_ordered.send(sender=Job, job_id=job_id), robust=True)


@transaction.atomic
def _take(free: QuerySet[Job], *, most: int = 1) -> list[Claim]:
    """Compare and swap: the first of these rows, with a token that nobody else knows."""
    token = uuid.uuid4()
    rows = list(free.select_for_update(skip_locked=True)[:most])
    Job.objects.filter(pk__in=[job.pk for job in rows]).update(
        state=Job.State.RUNNING, token=token, lease_until=Now() + LEASE
    )
    return [Claim(job.pk, job.kind, token, job.args) for job in rows]


def _mine(claim: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=claim.job_id, token=claim.token, state=Job.State.RUNNING)


def _lock(claim: Claim) -> bool:
    """Hold the job's row to the end of the transaction, if it still bears our token."""
    return _mine(claim).select_for_update().exists()
