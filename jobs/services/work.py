"""Order, claim, fence, finish: how a job is done exactly once (reliability.md 5).

All times are the database's: workers' clocks may differ.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
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
from jobs.signals import job_ordered

MAX_ATTEMPTS: Final = 3
LEASE: Final = timedelta(seconds=settings.JOB_LIMIT_SECONDS + settings.JOB_LEASE_MARGIN_SECONDS)


class LeaseLost(Exception):  # noqa: N818 - what happened, not what went wrong
    """Another worker has taken the job over: the result must not be written."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's right to a job: valid as long as the job bears its token."""

    job_id: int
    token: uuid.UUID
    args: Mapping[str, Any]


_held: ContextVar[Claim | None] = ContextVar("held_claim", default=None)


def order(*, kind: str, key: str, args: Mapping[str, Any]) -> Job:
    """Promise the work ``key`` in the caller's transaction; ordered twice it is done once."""
    job, created = Job.objects.get_or_create(key=key, defaults={"kind": kind, "args": dict(args)})
    if created:
        transaction.on_commit(
            lambda: job_ordered.send(sender=Job, job_id=job.pk, kind=kind), robust=True
        )
    return job


def take_back(*, key: str) -> None:
    """Void the promise of the work ``key``, done or not, so that it may be ordered anew.

    A worker that is at it does not find its job any more: ``fenced`` keeps its result out.
    """
    Job.objects.filter(key=key).delete()


def claim(*, job_id: int) -> Claim | None:
    """Take a job that waits, or whose worker's lease ran out; ``None`` when it is not to be had."""
    token = uuid.uuid4()
    free = Q(state=Job.State.QUEUED) | Q(state=Job.State.RUNNING, lease_until__lt=Now())
    taken = Job.objects.filter(free, pk=job_id, attempts__lt=MAX_ATTEMPTS).update(
        state=Job.State.RUNNING,
        token=token,
        lease_until=Now() + LEASE,
        attempts=F("attempts") + 1,
        started_at=Now(),
    )
    if not taken:
        return None
    return Claim(job_id, token, Job.objects.values_list("args", flat=True).get(pk=job_id))


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

    Outside a worker (a view, a command, a test) it is a plain transaction.
    """
    with transaction.atomic():
        held = _held.get()
        if held is not None and not _lock(held):
            raise LeaseLost
        yield


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
        times = {"finished_at": Now()} if give_up else {"next_ring_at": Now() + _pause(job)}
        Job.objects.filter(pk=job.pk).update(**times)
    return True


def retry(*, job_id: int) -> bool:
    """Begin a failed job anew, by hand; false when it had not failed."""
    with transaction.atomic():
        again = Job.objects.filter(pk=job_id, state=Job.State.FAILED).update(
            state=Job.State.QUEUED, attempts=0, error="", next_ring_at=Now(), finished_at=None
        )
        if again:
            kind = Job.objects.values_list("kind", flat=True).get(pk=job_id)
            transaction.on_commit(
                lambda: job_ordered.send(sender=Job, job_id=job_id, kind=kind), robust=True
            )
    return bool(again)


def _mine(claim: Claim) -> QuerySet[Job]:
    return Job.objects.filter(pk=claim.job_id, token=claim.token, state=Job.State.RUNNING)


def _lock(claim: Claim) -> bool:
    """Hold the job's row to the end of the transaction, if it still bears our token."""
    return _mine(claim).select_for_update().exists()


def _pause(job: Job) -> timedelta:
    return timedelta(seconds=2**job.attempts)
