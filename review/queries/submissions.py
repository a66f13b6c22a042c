"""What participants sent, and how far the work on it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from annotator.models import MarkupRecord
from jobs.models import Job


def own_submissions(participant: User) -> QuerySet[MarkupRecord]:
    """What a participant's algorithm has sent, latest first; no checks made as an expert before."""
    sent = MarkupRecord.objects.filter(
        author=participant, source=MarkupRecord.Source.ALGORITHM, submitted_at__isnull=False
    )
    return sent.select_related("essay", "criteria").order_by("-submitted_at", "-pk")


def progress_of(records: Sequence[MarkupRecord]) -> list[dict[str, Any]]:
    """How far the work on submissions is, and at which place it waits, in one query."""
    keys = {f"{kind}:{each.pk}": each.pk for each in records for kind in ("grade", "score")}
    before = Job.objects.filter(
        Q(priority__lt=OuterRef("priority"))
        | Q(priority=OuterRef("priority"), pk__lt=OuterRef("pk")),
        state=Job.State.QUEUED,
    )
    counted = before.order_by().values("state").annotate(n=Count("pk")).values("n")
    jobs = Job.objects.filter(key__in=keys).annotate(before=Coalesce(Subquery(counted), 0))
    found: dict[int, list[Job]] = defaultdict(list)
    for job in jobs:
        found[keys[job.key]].append(job)
    return [_progress(record, found[record.pk]) for record in records]


def _progress(record: MarkupRecord, jobs: Sequence[Job]) -> dict[str, Any]:
    states = {job.state for job in jobs}
    queued = [job.before + 1 for job in jobs if job.state == Job.State.QUEUED]  # type: ignore[attr-defined]
    if record.state == MarkupRecord.State.SUPERSEDED:
        state = "superseded"
    elif Job.State.FAILED in states:
        state = "failed"
    elif Job.State.RUNNING in states:
        state = "running"
    else:
        state = "queued" if queued or not hasattr(record, "criteria") else "scored"
    return {
        "markup": record.pk,
        "essay": record.essay_id,
        "number": record.essay.number,
        "submitted_at": record.submitted_at,
        "state": state,
        "position": max(queued, default=None) if state == "queued" else None,
    }
