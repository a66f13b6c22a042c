"""The bell of the workers: how many messages may be on their way is counted here, atomically.

A message names no job; whoever hears it takes what comes next. So no more messages than a few for
each hand are needed, however much waits. After a crash the count may be wrong: tick corrects it.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest

from jobs.models import Bell
from jobs.queries import live_hands

FEWEST: Final = 4
"""So many messages may be on their way even if nobody lives to hear them."""
FOR_EACH_HAND: Final = 2


def may_ring() -> bool:
    """Count one message more; false, and nothing is to be sent, when there are enough."""
    most = max(FEWEST, FOR_EACH_HAND * live_hands())
    if _bell().rung >= most:
        return False  # the usual answer while many are waiting: it takes no lock
    return bool(Bell.objects.filter(rung__lt=most).update(rung=F("rung") + 1))


def not_rung() -> None:
    """The message that was counted could not be sent."""
    Bell.objects.update(rung=Greatest(F("rung") - 1, 0))


@transaction.atomic
def hear() -> int:
    """A message has arrived; returns how many did so far."""
    _bell()
    Bell.objects.update(rung=Greatest(F("rung") - 1, 0), turns=F("turns") + 1)
    return _bell().turns


def count_anew(*, rung: int) -> None:
    """Take the broker's word for how many messages there are."""
    if _bell().rung != rung:
        Bell.objects.update(rung=rung)


def _bell() -> Bell:
    return Bell.objects.first() or Bell.objects.get_or_create(pk=1)[0]
