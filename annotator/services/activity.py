"""Active time: how long somebody was at work on a markup."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from annotator.models import MarkupRecord

SLACK: Final = 5
"""Seconds a report may claim beyond what has passed on the server's clock since the last one."""


@transaction.atomic
def count_activity(*, record: MarkupRecord, seconds: int) -> int:
    """Add the seconds a page reports, at most what has passed; returns the markup's total.

    What was counted ahead of the clock has to pass first: reports of two tabs are not added up.
    """
    locked = MarkupRecord.objects.select_for_update().annotate(now=Now()).get(pk=record.pk)
    passed = max((locked.now - locked.active_at) // timedelta(seconds=1), -SLACK)
    counted = min(seconds, passed + SLACK)
    total = locked.active_seconds + counted
    until = locked.now + timedelta(seconds=max(0, counted - passed))
    MarkupRecord.objects.filter(pk=record.pk).update(active_seconds=total, active_at=until)
    return total
