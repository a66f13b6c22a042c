from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Now

from jobs.models import Job, Worker

SILENCE: Final = timedelta(seconds=15)
"""A worker that gave no sign of life for so long does not count any more."""

GRACE: Final = timedelta(seconds=5)
"""Tick finds what a lost worker had within this time after the lease."""


def waiting_jobs() -> QuerySet[Job]:
    """Jobs a worker may begin at this moment, the next one first."""
    due = Job.objects.filter(state=Job.State.QUEUED, next_try_at__lte=Now())
    return due.order_by("priority", "pk")


def live_workers() -> QuerySet[Worker]:
    """Workers that gave a sign of life a moment ago."""
    return Worker.objects.filter(beat_at__gt=Now() - SILENCE)


def nobody_works() -> bool:
    """True when there are workers that did not stop of their own will, and none gives a sign."""
    return Worker.objects.exists() and not live_workers().exists()


def live_hands() -> int:
    """How many jobs can be done at once at this moment."""
    return live_workers().aggregate(hands=Sum("hands"))["hands"] or 0


def stuck_jobs() -> QuerySet[Job]:
    """Jobs nobody is at although somebody should be: none may ever be here (reliability.md R10).

    A lease ran out, or a job waits and no worker lives. What waits its turn is not stuck.
    """
    lost = Q(state=Job.State.RUNNING, lease_until__lt=Now() - GRACE)
    if not live_workers().exists():
        lost |= Q(state=Job.State.QUEUED, next_try_at__lt=Now() - SILENCE)
    return Job.objects.filter(lost)


def failed_jobs() -> QuerySet[Job]:
    """Jobs that were given up, latest first."""
    return Job.objects.filter(state=Job.State.FAILED).order_by("-finished_at")


def place_in_line(job: Job) -> int:
    """How many jobs come before this one is begun, itself included; 0 when it does not wait."""
    if job.state != Job.State.QUEUED:
        return 0
    before = Q(priority__lt=job.priority) | Q(priority=job.priority, pk__lt=job.pk)
    return Job.objects.filter(before, state=Job.State.QUEUED).count() + 1
