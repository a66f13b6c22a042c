from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Now

from jobs.models import Job, Worker

SILENCE: Final = timedelta(seconds=15)
"""A worker that gave no sign of life for so long does not count any more."""

GRACE: Final = timedelta(seconds=5)
"""Tick finds what a lost worker had within this time after the lease."""

STANDSTILL: Final = timedelta(minutes=1)
"""Work that has waited for so long with nobody at it is worth a word to people."""


@dataclass(frozen=True, slots=True)
class Standstill:
    """Due jobs nobody is at. ``worker_lives``: then it is tick that does not run."""

    jobs: int
    worker_lives: bool


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
    lost = [Q(state=Job.State.RUNNING, lease_until__lt=Now() - GRACE)]
    if not live_workers().exists():
        lost.append(Q(state=Job.State.QUEUED, next_try_at__lt=Now() - SILENCE))
    return jobs_of_any(lost)


def waiting_long() -> QuerySet[Job]:
    """Jobs that nobody is at since ``STANDSTILL``."""
    since = Now() - STANDSTILL
    lost = Q(state=Job.State.RUNNING, lease_until__lt=since)
    return jobs_of_any([Q(state=Job.State.QUEUED, next_try_at__lt=since), lost])


def jobs_of_any(conditions: Iterable[Q]) -> QuerySet[Job]:
    """Jobs that meet one of these conditions, each of which has an index: for a choice between them
    SQLite looks through all jobs there ever were, and PostgreSQL for one between lists of numbers.
    """
    first, *others = (Job.objects.filter(each).order_by().values("pk") for each in conditions)
    return Job.objects.filter(pk__in=first.union(*others) if others else first)


def standstill(count: int | None = None) -> Standstill | None:
    """What waits since ``STANDSTILL`` although nothing is done; nothing is asked where none waits.

    No worker gave a sign of life since then; or one did, and still no job was begun or ended.
    ``count``: that of ``waiting_long``, where it is known.
    """
    count = waiting_long().count() if count is None else count
    if not count:
        return None
    since = Now() - STANDSTILL
    if not Worker.objects.filter(beat_at__gt=since).exists():
        return Standstill(count, worker_lives=False)
    at_work = Q(state=Job.State.RUNNING, lease_until__gt=Now()) | Q(finished_at__gt=since)
    return None if Job.objects.filter(at_work).exists() else Standstill(count, worker_lives=True)


def failed_jobs() -> QuerySet[Job]:
    """Jobs that were given up, latest first."""
    return Job.objects.filter(state=Job.State.FAILED).order_by("-finished_at")


def place_in_line(job: Job) -> int:
    """How many jobs come before this one is begun, itself included; 0 when it does not wait."""
    if job.state != Job.State.QUEUED:
        return 0
    before = Q(priority__lt=job.priority) | Q(priority=job.priority, pk__lt=job.pk)
    return Job.objects.filter(before, state=Job.State.QUEUED).count() + 1
