"""Gateways say that they live; a time in which none did is an outage the commission sees."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from contest.core.moments import at
from contest.models import GatewayBeat, Outage, SessionFile
from contest.queries.logs import accepted_sends
from contest.queries.outages import OUTAGE, is_met, last_beat

FORGOTTEN: Final = timedelta(hours=1)
LONGEST_OPEN: Final = timedelta(days=1)
"""No file is open for longer, so that outages of long ago cost no more than late ones."""


@transaction.atomic
def beat(*, name: str, moment: int) -> Outage | None:
    """Note that a gateway lives; returns the outage that ended with it, if sessions met one."""
    last, now = last_beat(), at(moment)
    if last is not None and last <= now - OUTAGE:
        # one gateway after the other: the first to come ends the outage
        list(GatewayBeat.objects.select_for_update().order_by("pk"))
        last = last_beat()
    GatewayBeat.objects.bulk_create(
        [GatewayBeat(name=name, beat_at=now)],
        update_conflicts=True,
        unique_fields=["name"],
        update_fields=["beat_at"],
    )
    GatewayBeat.objects.filter(beat_at__lt=now - FORGOTTEN).delete()
    if last is None or last > now - OUTAGE:
        return None
    if not is_met(last, now):
        return None
    return Outage.objects.create(began_at=last, ended_at=now)


def files_hit(outage: Outage) -> int:
    """How many files were open and without an answer at any moment of an outage."""
    began, ended = outage.began_at, outage.ended_at
    hit = SessionFile.objects.filter(opens_at__gt=began - LONGEST_OPEN, opens_at__lt=ended)
    last = F("session__closed_at")
    living = Q(session__closed_at=None) | Q(session__closed_at__gt=began, opens_at__lt=last)
    answered = accepted_sends().filter(slot=OuterRef("pk"), at__lte=began)
    return hit.filter(living, ~Exists(answered), due_at__gt=began).count()
