"""Active time: how long somebody was at work on a markup."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from annotator.models import MarkupRecord

SLACK: Final = 5
"""Seconds a report may claim beyond what has passed on the server's clock since the last one."""


@transaction.atomic
def count_activity(*, record: MarkupRecord, seconds: int) -> int:
    """Add the seconds a page reports, at most what has passed; returns the markup's total."""
    locked = MarkupRecord.objects.select_for_update().annotate(now=Now()).get(pk=record.pk)
    passed = int((locked.now - locked.active_at).total_seconds())
    total = locked.active_seconds + min(seconds, passed + SLACK)
    MarkupRecord.objects.filter(pk=record.pk).update(active_seconds=total, active_at=Now())
    return total
