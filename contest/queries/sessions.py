"""Sessions and finals in lists."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Case, Count, F, Q, QuerySet, Value, When
from django.db.models.functions import Now

from accounts.models import User
from annotator.models import Essay
from annotator.queries.essays import LATEST
from contest.models import ExchangeSession, Final
from contest.queries.run_moments import counted


def latest_first(sessions: QuerySet[ExchangeSession]) -> QuerySet[ExchangeSession]:
    """Open sessions, then those that ended, the latest first."""
    return sessions.order_by(F("closed_at").desc(nulls_first=True), "-pk")


def open_or_ended_since(
    sessions: QuerySet[ExchangeSession], moment: datetime
) -> QuerySet[ExchangeSession]:
    """Open sessions, then those that ended at a moment or later, the latest first."""
    return latest_first(sessions.filter(Q(closed_at=None) | Q(closed_at__gte=moment)))


def finals_planned() -> QuerySet[Final]:
    """All finals and rehearsals with their numbers, the latest start first; ``is_to_come``: it has
    not begun, and is no restart.
    """
    return (
        counted(Final.objects.select_related("essay_set__data_set__contest", "former", "basis"))
        .annotate(
            people=Count("admissions", distinct=True),
            opened=Count("sessions", filter=Q(sessions__withdrawn=False), distinct=True),
            is_to_come=Case(
                When(starts_at__gt=Now(), former=None, then=Value(True)), default=Value(False)
            ),
        )
        .order_by("-starts_at", "-pk")
    )


def sessions_in(finals: Iterable[Final], participant: User) -> dict[int, ExchangeSession]:
    """A participant's sessions of finals, by the final; not those that were withdrawn."""
    found = ExchangeSession.objects.filter(
        participant=participant, final__in=finals, withdrawn=False
    )
    return {session.final_id: session for session in found if session.final_id is not None}


def essays_of_run(final: Final) -> list[Essay]:
    """The essays a final gives out, in their order, each in its latest version: none has another
    one once sessions may be open.
    """
    places = dict(final.files.order_by().values_list("essay__number", "position"))
    found = Essay.objects.filter(LATEST, essay_set=final.essay_set_id, number__in=places)
    return sorted(found, key=lambda essay: places[essay.number])
