"""Exact limits of how often something may be tried, in windows that slide (reliability.md 5).

A bucket keeps the moments of its tries by the database's clock, under a lock of its row: at most
so many in any span of the window's length, whatever comes at once and whatever a web server's
clock says. What is refused is not counted: nobody prolongs a window by trying.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import RateBucket


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``tries`` in any ``seconds``."""

    tries: int
    seconds: int


class TooMany(Exception):
    """The tries are used up; there is one again in so many ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


KEPT: Final = timedelta(days=1)
"""How long a bucket is kept that nobody counts in; no window is as long."""
SWEPT: Final = 500


def take(*, key: str, limit: Limit) -> bool:
    """Count one try; false when they are used up."""
    try:
        take_each({key: limit})
    except TooMany:
        return False
    return True


@transaction.atomic
def take_each(limits: Mapping[str, Limit]) -> float:
    """Count one try in every bucket, or in none: then ``TooMany`` is raised.

    Returns the moment it was counted at, by which it can be given back.
    """
    limits = {key[:200]: limit for key, limit in limits.items()}
    buckets = _hold(limits)
    now = max(bucket.now.timestamp() for bucket in buckets)
    waits = [_count(bucket, limits[bucket.key], now) for bucket in buckets]
    if any(waits):
        raise TooMany(max(waits))
    RateBucket.objects.bulk_update(buckets, ["moments"])
    return now


@transaction.atomic
def give_back(*, keys: Iterable[str], moment: float) -> None:
    """Take back one try that was counted at this moment, and forget buckets long unused."""
    buckets = _hold(key[:200] for key in keys)
    for bucket in buckets:
        if moment in bucket.moments:
            bucket.moments.remove(moment)
    RateBucket.objects.bulk_update(buckets, ["moments"])
    unused = RateBucket.objects.filter(at__lt=Now() - KEPT).order_by("pk")
    swept = list(unused.select_for_update(skip_locked=True).values_list("pk", flat=True)[:SWEPT])
    RateBucket.objects.filter(pk__in=swept).delete()


def forget(*, key: str) -> None:
    """Give all tries of a bucket back."""
    RateBucket.objects.filter(key=key[:200]).delete()


def _hold(keys: Iterable[str]) -> list[RateBucket]:
    """The buckets, made where missing, locked to the end of the transaction, in one order."""
    wanted = sorted(set(keys))
    RateBucket.objects.bulk_create(
        [RateBucket(key=key) for key in wanted],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["at"],
    )
    return list(RateBucket.objects.filter(key__in=wanted).annotate(now=Now()))


def _count(bucket: RateBucket, limit: Limit, now: float) -> int:
    """Add a try to a bucket; how many seconds to wait when it is full."""
    bucket.moments = [moment for moment in bucket.moments if moment > now - limit.seconds]
    if len(bucket.moments) < limit.tries:
        bucket.moments.append(now)
        return 0
    return max(1, math.ceil(sorted(bucket.moments)[-limit.tries] + limit.seconds - now))
