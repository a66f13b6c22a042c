"""Answers that wait at the same time are taken together: one transaction, few statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, OuterRef, Subquery

from annotator.models import Essay
from contest.core.moments import moment_of
from contest.core.session_rules import Event, What
from contest.models import ExchangeSession, SessionEvent, SessionFile
from contest.services.sessions.holding import COUNTS, Told, hold_free, in_order
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.sending import (
    Arrived,
    Receipt,
    arrived_at,
    count_refused,
    is_to_end,
    is_too_large,
    named_as,
    receipt_of,
    row_of,
)


@dataclass(frozen=True, slots=True)
class Sending:
    """What is sent to a file of a session; its message was complete at ``moment``."""

    session: ExchangeSession
    file: str
    data: bytes
    moment: int


Outcome = Receipt | SessionRefused | None
"""``None``: somebody else holds the session just now; it is to be sent alone, and waits there."""


@dataclass(frozen=True, slots=True)
class _Taken:
    told: Told
    row: SessionEvent


def send_together(sendings: Sequence[Sending]) -> list[Outcome]:
    """Take answers to different sessions, each as ``send`` takes one that bears no key.

    All are read before anything is locked. Nobody waits here for a session that is held, so that
    one keeps none of the others; and what is wrong with one is its own outcome.
    """
    fit = [each for each in sendings if not is_too_large(each.data)]
    slots = _slots(fit)
    arrived = {
        each.session.pk: arrived_at(
            slots.get((each.session.pk, named_as(each.file))), each.file, each.data
        )
        for each in fit
    }
    with transaction.atomic():
        held = hold_free(arrived.keys())
        return _written([_taken(each, held, arrived) for each in sendings])


def _slots(sendings: Sequence[Sending]) -> dict[tuple[int, str], SessionFile]:
    """The files that are named, by session and name; each essay is read once, and they are asked
    for where there is none, too: how long that takes would tell names to come.
    """
    wanted = {(each.session.pk, named_as(each.file)) for each in sendings}
    found = SessionFile.objects.filter(
        session__in={session for session, _name in wanted}, name__in={name for _, name in wanted}
    )
    slots = {(slot.session_id, slot.name): slot for slot in found.order_by("-pk")}
    slots = {name: slot for name, slot in slots.items() if name in wanted}
    essays = Essay.objects.in_bulk({0, *(slot.essay_id for slot in slots.values())})
    for slot in slots.values():
        slot.essay = essays[slot.essay_id]
    return slots


def _taken(
    sending: Sending, held: dict[int, ExchangeSession], arrived: dict[int, Arrived]
) -> _Taken | SessionRefused | None:
    number = sending.session.pk
    if number not in arrived:
        return SessionRefused("too-large", session_id=number)
    if number not in held:
        return None
    told, what = Told.of(held[number]), arrived[number]
    moment = in_order(told.session, sending.moment)
    try:
        row, _reason = row_of(told, Event(moment, What.SEND, what.named, what.judged.content), what)
    except SessionRefused as full:
        return full
    return _Taken(told, row)


def _written(found: Sequence[_Taken | SessionRefused | None]) -> list[Outcome]:
    taken = [each for each in found if isinstance(each, _Taken)]
    SessionEvent.objects.bulk_create(each.row for each in taken)
    _keep_slots([each.row for each in taken])
    going_on = [each.told.session for each in taken if not is_to_end(each.told)]
    ExchangeSession.objects.bulk_update(going_on, COUNTS)
    for each in taken:
        if is_to_end(each.told):
            each.told.keep(moment_of(each.row.at))
    return [_told(each) if isinstance(each, _Taken) else each for each in found]


def _told(taken: _Taken) -> Receipt:
    return receipt_of(taken.told, taken.row, moment_of(taken.row.at))


def _keep_slots(rows: Sequence[SessionEvent]) -> None:
    """What these sends change in the rows of their files."""
    refused = [row for row in rows if row.reason and row.body is not None]
    count_refused([row.slot_id for row in refused if row.slot_id is not None])
    accepted = [row for row in rows if not row.reason]
    answer = SessionEvent.objects.filter(
        pk__in=[row.pk for row in accepted], slot=OuterRef("pk")
    ).values("pk")
    SessionFile.objects.filter(pk__in=[row.slot_id for row in accepted]).update(
        verdict=SessionFile.Verdict.COUNTED,
        reason="",
        answer=Subquery(answer),
        sends=F("sends") + 1,
    )
