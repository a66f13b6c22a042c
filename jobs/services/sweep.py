"""What tick does every second or two: no job is ever forgotten (reliability.md R2-R4, R10)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.db.models.functions import Now

from jobs.models import Job
from jobs.queries import jobs_of_any, waiting_jobs
from jobs.services.beating import forget_the_dead
from jobs.services.work import MAX_ATTEMPTS
from jobs.signals import job_failed, work_waits

FIRST_RING: Final = timedelta(seconds=3)
"""The ring after the commit gets this much time before it is repeated."""


def sweep() -> bool:
    """Give up or free the jobs of lost workers, ring for what waits; was there a reason to ring?

    Safe to run from several processes at once: every step is a compare-and-swap.
    """
    give_up_exhausted()
    free_expired()
    forget_the_dead()
    return ring_if_work_waits()


def free_expired() -> int:
    """Put jobs whose worker's lease ran out back into the queue."""
    expired = Job.objects.filter(state=Job.State.RUNNING, lease_until__lt=Now())
    return expired.update(state=Job.State.QUEUED, token=None, lease_until=None, next_try_at=Now())


def give_up_exhausted() -> int:
    """Mark jobs as failed that killed their worker on every try."""
    lost = Q(state=Job.State.RUNNING, lease_until__lt=Now()) | Q(state=Job.State.QUEUED)
    left = jobs_of_any([Q(state=Job.State.RUNNING), Q(state=Job.State.QUEUED)])
    ids = list(left.filter(lost, attempts__gte=MAX_ATTEMPTS).values_list("pk", flat=True))
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


def ring_if_work_waits() -> bool:
    """Announce that something waits for longer than the first ring should have taken."""
    waits = waiting_jobs().filter(created_at__lte=Now() - FIRST_RING).exists()
    if waits:
        work_waits.send_robust(sender=Job)
    return waits
