"""Sessions as the solutions that boards are made of (R 7.6, 7.7, 7.15)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import QuerySet

from contest.models import ExchangeSession, Final, SessionFile
from contest.queries.exchanged import unread_of
from contest.queries.sessions import essays_of_run
from scoring.core.entries import Field, Solution

FILES_AT_ONCE = 5000


def field_of_set(set_id: int) -> Field:
    """The sessions of an essay set that have ended; of a final only those of its present run.

    A restart drops the answers of the runs before it (7.15).
    """
    final = last_final_of(set_id)
    if final is None:
        files = SessionFile.objects.filter(essay__essay_set=set_id, session__final=None)
        return Field(None, tuple(_solutions(files)), _unread(files))
    essays = frozenset(essay.pk for essay in essays_of_run(final))
    files = SessionFile.objects.filter(session__final=final)
    return Field(essays, tuple(_solutions(files)), _unread(files))


def is_marked(session: ExchangeSession) -> bool:
    """True for a session whose answers become markups."""
    if session.final is not None:
        return not session.withdrawn and not session.final.is_rehearsal
    is_aborted = session.state == ExchangeSession.State.ABORTED
    return session.mode == ExchangeSession.Mode.ALGORITHMIC and not is_aborted


def last_final_of(set_id: int) -> Final | None:
    """The final of a set that counts: the one that starts last, cancelled ones left out."""
    finals = Final.objects.filter(essay_set=set_id, kind=Final.Kind.FINAL, cancelled_at=None)
    return finals.order_by("-starts_at", "-pk").first()


def _solutions(files: QuerySet[SessionFile]) -> Iterable[Solution]:
    essays: dict[int, set[int]] = defaultdict(set)
    rows = files.order_by("session_id").values_list("session_id", "essay_id")
    for session, essay in rows.iterator(FILES_AT_ONCE):
        essays[session].add(essay)
    sessions = ExchangeSession.objects.filter(pk__in=essays, closed_at__isnull=False)
    for session in sessions.select_related("final").order_by("pk"):
        if is_marked(session) and session.closed_at is not None:
            yield Solution(
                session.participant_id,
                session.origin,
                session.closed_at,
                frozenset(essays[session.pk]),
            )


def _unread(files: QuerySet[SessionFile]) -> tuple[str, ...]:
    """The sessions that have ended and of whose answers some have no markup yet."""
    waiting = unread_of(files).order_by()
    sessions = ExchangeSession.objects.filter(
        pk__in=waiting.values("session"), closed_at__isnull=False
    )
    found = sessions.select_related("final").order_by("pk")
    return tuple(session.origin for session in found if is_marked(session))
