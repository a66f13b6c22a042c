"""Connections are leased: only who holds a participant's lease writes that it broke.

A socket whose place was taken ends nobody's session, and a gateway that was killed writes nothing:
its leases run out, and the connection broke at the moment that is found. REST has no connections.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Final

from django.db import transaction

from accounts.models import User
from contest.core.moments import at
from contest.core.session_rules import Event, What
from contest.models import ConnectionLease, ExchangeSession, SessionEvent
from contest.services.rounds import AT_ONCE, each_alone
from contest.services.sessions.clock import moment_now
from contest.services.sessions.holding import Told, hold, in_order, is_full

LEASE: Final = 30_000_000
"""Microseconds a lease is good for; its gateway renews it while the connection stands."""


@transaction.atomic
def connect(*, participant: User, holder: uuid.UUID, moment: int) -> ExchangeSession | None:
    """A participant's newest connection takes the lease; returns the open session, if one is.

    One that has ended and is not settled yet is open still: its client hears that it closes.
    """
    ConnectionLease.objects.bulk_create(
        [ConnectionLease(participant=participant, holder=holder, until=at(moment + LEASE))],
        update_conflicts=True,
        unique_fields=["participant"],
        update_fields=["holder", "until"],
    )
    return _log(participant.pk, What.CONNECT, moment)


def renew(*, holders: Iterable[uuid.UUID], moment: int) -> set[uuid.UUID]:
    """Prolong these leases; returns those that stand. Others were displaced, or ran out."""
    wanted = list(holders)
    found = ConnectionLease.objects.filter(holder__in=wanted)
    found.update(until=at(moment + LEASE))
    return set(found.values_list("holder", flat=True))


def with_leases(participants: Iterable[int | None]) -> set[int]:
    """Those of these participants of whom somebody has the lease."""
    found = ConnectionLease.objects.filter(participant__in=set(participants))
    return set(found.values_list("participant_id", flat=True))


@transaction.atomic
def disconnect(*, holder: uuid.UUID, moment: int) -> bool:
    """A connection broke; false, and nothing is written, when another one has the lease."""
    lease = ConnectionLease.objects.select_for_update().filter(holder=holder).first()
    if lease is None:
        return False
    lease.delete()
    _log(lease.participant_id, What.DISCONNECT, moment)
    return True


def expire_leases(*, moment: int | None = None) -> int:
    """Write a disconnect for leases that ran out, at this moment; returns for how many.

    What is being written to is left for the next round of tick, and so is one that fails.
    """
    now = moment_now() if moment is None else moment
    expired = ConnectionLease.objects.filter(until__lt=at(now)).order_by("until")

    def expire(holder: uuid.UUID) -> bool:
        return _expire(holder, now)

    holders = list(expired.values_list("holder", flat=True)[:AT_ONCE])
    return each_alone(expire, holders, "the lease of connection %s cannot be ended")


@transaction.atomic
def _expire(holder: uuid.UUID, moment: int) -> bool:
    expired = ConnectionLease.objects.filter(holder=holder, until__lt=at(moment))
    lease = expired.select_for_update(skip_locked=True).first()
    if lease is None:
        return False  # renewed meanwhile
    try:
        _log(lease.participant_id, What.DISCONNECT, moment, wait=False)
    except ExchangeSession.DoesNotExist:  # somebody holds it
        return False
    lease.delete()
    return True


def _log(
    participant_id: int, what: What, moment: int, *, wait: bool = True
) -> ExchangeSession | None:
    """Write a change of the connection into the session it belongs to, where it is one.

    Into a full log no connection is written: what reconnects without end is lost at last.
    """
    session = ExchangeSession.objects.filter(participant=participant_id, closed_at=None).first()
    if session is None or session.door != ExchangeSession.Door.SOCKETIO:
        return session
    session = hold(session.pk, wait=wait)
    if not session.is_open or _is_so_already(session, what):
        return session if session.is_open else None
    if what is What.CONNECT and is_full(session):
        return session
    told = Told.of(session)
    event = Event(in_order(session, moment), what)
    if told.timeline.has_ended(event.moment):
        return session  # settled by tick: an answer that came before the end may still wait
    told.write(event)
    told.save()
    return session


def _is_so_already(session: ExchangeSession, what: What) -> bool:
    changes = SessionEvent.objects.filter(
        session=session, what__in=[What.CONNECT.value, What.DISCONNECT.value]
    )
    last = changes.order_by("-number").values_list("what", flat=True).first()
    return (last or What.CONNECT.value) == what.value
