"""Sessions and finals in lists."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Count, F, Q, QuerySet

from accounts.models import User
from contest.models import ExchangeSession, Final


def latest_first(sessions: QuerySet[ExchangeSession]) -> QuerySet[ExchangeSession]:
    """Open sessions, then those that ended, the latest first."""
    return sessions.order_by(F("closed_at").desc(nulls_first=True), "-pk")


def open_or_ended_since(
    sessions: QuerySet[ExchangeSession], moment: datetime
) -> QuerySet[ExchangeSession]:
    """Open sessions, then those that ended at a moment or later, the latest first."""
    return latest_first(sessions.filter(Q(closed_at=None) | Q(closed_at__gte=moment)))


def finals_planned() -> QuerySet[Final]:
    """All finals and rehearsals with their numbers, the latest start first."""
    return (
        Final.objects.select_related("essay_set__data_set__contest", "former", "basis")
        .annotate(
            people=Count("admissions", distinct=True),
            size=Count("files", distinct=True),
            opened=Count("sessions", filter=Q(sessions__withdrawn=False), distinct=True),
        )
        .order_by("-starts_at", "-pk")
    )


def sessions_in(finals: Iterable[Final], participant: User) -> dict[int, ExchangeSession]:
    """A participant's sessions of finals, by the final; not those that were withdrawn."""
    found = ExchangeSession.objects.filter(
        participant=participant, final__in=finals, withdrawn=False
    )
    return {session.final_id: session for session in found if session.final_id is not None}
