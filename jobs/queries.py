from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from jobs.models import Job


def stuck_jobs() -> QuerySet[Job]:
    """Jobs that should have ended by now: none may ever be here (reliability.md R10)."""
    longest = timedelta(seconds=settings.JOB_LIMIT_SECONDS + 60)
    ended = [Job.State.DONE, Job.State.FAILED]
    return Job.objects.exclude(state__in=ended).filter(created_at__lt=Now() - longest)


def failed_jobs() -> QuerySet[Job]:
    """Jobs that were given up, latest first."""
    return Job.objects.filter(state=Job.State.FAILED).order_by("-finished_at")
