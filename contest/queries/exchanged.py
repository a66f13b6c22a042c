"""What a session says of its files in the report of its answers."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from django.db.models import Q, QuerySet

from annotator.models import MarkupRecord
from contest.models import ExchangeSession, SessionFile
from contest.models.sessions import number_of
from contest.queries.annulled import why_annulled
from scoring.core.exchange import AnnulledFile, Exchange


def session_named(origin: str, author_id: int) -> ExchangeSession | None:
    """The session of an author that answers come from."""
    number = number_of(origin)
    if number is None:
        return None
    return ExchangeSession.objects.filter(pk=number, participant=author_id).first()


def exchange_of(*, set_id: int, author_id: int, origin: str) -> Exchange | None:
    """The files of one essay set in a session that has ended, or ``None``.

    How many may be annulled is told of a session that is over this set alone.
    """
    session = session_named(origin, author_id)
    if session is None or session.is_open:
        return None
    files = session.files.filter(essay__essay_set=set_id).order_by("position")
    listed = list(files.values_list("name", "opens_at", "answer__at", "verdict", "reason"))
    share = session.rules.get("share")
    is_whole = share is not None and len(listed) == session.size
    return Exchange(
        len(listed),
        float(session.rules["limit"]),
        floor(Fraction(str(share)) * session.size) if is_whole else None,
        {
            name: (answered - opened).total_seconds()
            for name, opened, answered, _verdict, _reason in listed
            if opened and answered
        },
        tuple(
            AnnulledFile(
                name,
                reason,
                why_annulled(
                    reason,
                    opens_at=opened,
                    closed_at=session.closed_at,
                    state=session.state,
                ),
            )
            for name, opened, _answered, verdict, reason in listed
            if verdict == SessionFile.Verdict.ANNULLED and reason
        ),
        unread_of(files).count(),
    )


def unread_of(files: QuerySet[SessionFile]) -> QuerySet[SessionFile]:
    """Those whose answers count and are no markups yet."""
    return files.filter(verdict=SessionFile.Verdict.COUNTED, markup=None)


def unassessed_of(files: QuerySet[SessionFile]) -> QuerySet[SessionFile]:
    """The unread ones, and those whose markups count and have no points yet."""
    counts = Q(markup__state=MarkupRecord.State.SUBMITTED, markup__criteria=None)
    answered = files.filter(verdict=SessionFile.Verdict.COUNTED)
    return answered.filter(Q(markup=None) | counts)


def sets_of(session: ExchangeSession) -> list[tuple[int, str]]:
    """The essay sets the answers of a session became markups of: numbers and names."""
    kept = session.files.filter(markup__isnull=False).order_by()
    fields = ("essay__essay_set_id", "essay__essay_set__name")
    return sorted(kept.values_list(*fields).distinct(), key=lambda each: each[1])
