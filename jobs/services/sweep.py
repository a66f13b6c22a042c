"""What tick does every second or two: no job is ever forgotten (reliability.md R2-R4, R10)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.db.models.functions import Now

from jobs.models import Job
from jobs.services.work import MAX_ATTEMPTS
from jobs.signals import job_failed, job_ordered

BATCH: Final = 200
FIRST_RING: Final = timedelta(seconds=3)
"""The ring after the commit gets this much time before it is repeated."""

PAUSE: Final = timedelta(seconds=10)
"""A bell is not rung again sooner: the workers may be busy with other jobs."""


def sweep() -> int:
    """Give up or free the jobs of lost workers, ring for what waits; returns the rings.

    Safe to run from several processes at once: every step is a compare-and-swap.
    """
    give_up_exhausted()
    free_expired()
    return ring_due()


def free_expired() -> int:
    """Put jobs whose worker's lease ran out back into the queue."""
    return Job.objects.filter(state=Job.State.RUNNING, lease_until__lt=Now()).update(
        state=Job.State.QUEUED, token=None, lease_until=None, next_ring_at=Now()
    )


def give_up_exhausted() -> int:
    """Mark jobs as failed that killed their worker on every try."""
    lost = Q(state=Job.State.RUNNING, lease_until__lt=Now()) | Q(state=Job.State.QUEUED)
    ids = list(Job.objects.filter(lost, attempts__gte=MAX_ATTEMPTS).values_list("pk", flat=True))
    for job_id in ids:
        given_up = Job.objects.filter(lost, pk=job_id, attempts__gte=MAX_ATTEMPTS).update(
            state=Job.State.FAILED,
            token=None,
            finished_at=Now(),
            error="The worker died on every attempt.",
        )
        if given_up:
            job_failed.send(sender=Job, job_id=job_id)
    return len(ids)


def ring_due() -> int:
    """Ring once more for every job that waits and whose time has come."""
    due = Job.objects.filter(
        state=Job.State.QUEUED, next_ring_at__lte=Now(), created_at__lte=Now() - FIRST_RING
    )
    rung = 0
    for job_id, kind in list(due.values_list("pk", "kind")[:BATCH]):
        mine = due.filter(pk=job_id).update(next_ring_at=Now() + PAUSE)
        if mine:
            job_ordered.send_robust(sender=Job, job_id=job_id, kind=kind)
            rung += 1
    return rung
