"""The log of a session as the core reads it."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet

from contest.core.moments import moment_of
from contest.core.session_json import rules_from_log
from contest.core.session_rules import Content, Event, Ineffective, What
from contest.core.timeline import Timeline
from contest.models import ExchangeSession, SessionEvent
from web.prepared import Given, Prepared

Reasons = list[Ineffective | None]


def accepted_sends() -> QuerySet[SessionEvent]:
    """The sends of all sessions that were accepted, each an answer when it came."""
    return SessionEvent.objects.filter(what=SessionEvent.What.SEND, reason="")


def events_of(session: ExchangeSession, first: int = 0) -> list[Event]:
    """All that happened, in its order; from the event of number ``first`` on."""
    return [
        Event(
            moment_of(at),
            What(what),
            named,
            Content(content) if content else Content.VALID,
            key,
        )
        for at, what, named, content, key in _EVENTS(session=session.pk, first=first)
    ]


_EVENTS: Final = Prepared(
    lambda: (
        SessionEvent.objects.filter(session=Given("session"), number__gte=Given("first"))
        .order_by("number")
        .values_list("at", "what", "named", "content", "key")
    )
)


def timeline_of(session: ExchangeSession) -> tuple[Timeline, Reasons]:
    """A session told to its last event, and why events had no effect."""
    names = list(session.files.order_by("position").values_list("name", flat=True))
    timeline = Timeline(rules_from_log(session.rules), names)
    return timeline, [timeline.take(event) for event in events_of(session)]
