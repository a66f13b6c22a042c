"""The log of a session for download: ``razbor session`` judges it to the same verdicts."""

from __future__ import annotations

from typing import Any

from contest.core.moments import moment_of
from contest.core.names_told import name_told
from contest.core.session_json import iso
from contest.models import Delivery, ExchangeSession, SessionEvent
from contest.queries.judging import GRACE
from contest.queries.run_moments import opens_files_until


def log_of(session: ExchangeSession, moment: int) -> dict[str, Any]:
    """One JSON object with the keys of ``razbor session``, and the hand-outs.

    ``until`` is ``moment`` for a session that has ended, else as far as is settled by then. Files
    that are to open by the clock have their number for a name.
    """
    last = moment_of(session.last_event_at)
    settled = moment if session.closed_at else moment - GRACE
    files, opened = session.files.order_by("position"), opens_files_until(session, moment)
    deliveries = Delivery.objects.filter(slot__session=session).order_by("at", "pk")
    return {
        "id": session.pk,
        "mode": session.mode,
        "rehearsal": session.is_rehearsal,
        "door": session.door,
        "rules": session.rules,
        "files": [
            name_told(name, number, None if opens_at is None else moment_of(opens_at), opened)
            for name, number, opens_at in files.values_list("name", "position", "opens_at")
        ],
        "events": [event_json(event) for event in session.log.order_by("number").defer("body")],
        "until": iso(max(last, settled)),
        "deliveries": [
            {"t": iso(moment_of(at)), "file": name}
            for at, name in deliveries.values_list("at", "slot__name")
        ],
    }


def event_json(event: SessionEvent) -> dict[str, Any]:
    """An event as ``razbor session`` reads it."""
    told = {"t": iso(moment_of(event.at)), "type": event.what}
    if event.what != SessionEvent.What.SEND:
        return told
    told |= {"file": event.named, "content": event.content}
    return told if event.key is None else {**told, "key": event.key}
