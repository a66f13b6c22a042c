"""When no gateway gave a sign of life while sessions were open: outages that ended, and one that
lasts.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max, Q

from contest.models import ExchangeSession, GatewayBeat, Outage

OUTAGE: Final = timedelta(seconds=5)
"""A time in which no gateway gives a sign of life: so long a silence is an outage."""
GONE: Final = timedelta(days=1)
"""After so long a silence the platform has no gateway any more, and is none that lasts."""


def last_beat() -> datetime | None:
    """When a gateway gave its latest sign of life."""
    last: datetime | None = GatewayBeat.objects.aggregate(last=Max("beat_at"))["last"]
    return last


def is_met(began_at: datetime, ended_at: datetime) -> bool:
    """Whether a session was open in a silence."""
    during = Q(closed_at=None) | Q(closed_at__gt=began_at)
    return ExchangeSession.objects.filter(during, opened_at__lt=ended_at).exists()


def lasting(now: datetime) -> Outage | None:
    """The outage that lasts at a moment, up to it: no row yet, which its end makes."""
    last = last_beat()
    if last is None or not OUTAGE <= now - last < GONE or not is_met(last, now):
        return None
    return Outage(began_at=last, ended_at=now)


def outages_in(since: datetime, until: datetime, now: datetime) -> list[Outage]:
    """Those that touch a time, the latest first; the first one may last still."""
    present = lasting(now)
    ended = list(Outage.objects.filter(ended_at__gt=since, began_at__lt=until))
    if present is None or present.began_at >= until:
        return ended
    return [present, *ended]
