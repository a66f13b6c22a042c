"""What a session says of its files in the report of its answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import Final

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat, Now
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotator.core.origins import session_number
from annotator.models import MarkupRecord
from contest.core.names_told import number_told
from contest.models import ExchangeSession, SessionEvent, SessionFile
from contest.queries.annulled import why_annulled
from jobs.models import Job
from scoring.core.exchange import AnnulledFile, Exchange
from scoring.queries.waiting import given_up

LEFT_OUT: Final[Mapping[str, Promise]] = {
    "unread": _("the platform could not read the answer"),
    "unscored": _("the platform could not score the answer"),
}
"""Of answers that count, why nothing is told of them."""


def session_named(origin: str, author_id: int) -> ExchangeSession | None:
    """The session of an author that answers come from."""
    number = session_number(origin)
    if number is None:
        return None
    return ExchangeSession.objects.filter(pk=number, participant=author_id).first()


def exchange_of(*, set_id: int, author_id: int, origin: str) -> Exchange | None:
    """The files of one essay set in a session that has ended, or ``None``; also of one that its
    program withdrew before the start.

    How many may be annulled is told of a session that is over this set alone.
    """
    session = session_named(origin, author_id)
    if session is None or session.is_open or session.withdrawn:
        return None
    files = session.files.filter(essay__essay_set=set_id).order_by("position")
    listed = list(files.values_list("name", "opens_at", "answer__at", "verdict", "reason"))
    hidden = _names_of_those_ahead(files)
    refused = _refused_of(files)
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
                hidden.get(name, name),
                reason,
                why_annulled(
                    reason,
                    opens_at=opened,
                    closed_at=session.closed_at,
                    state=session.state,
                    refused=refused[name],
                ),
            )
            for name, opened, _answered, verdict, reason in listed
            if verdict == SessionFile.Verdict.ANNULLED and reason
        ),
        unread_of(files).exclude(_reading_given_up()).count(),
        tuple(left_out_of(files)),
    )


def _names_of_those_ahead(files: QuerySet[SessionFile]) -> Mapping[str, str]:
    """What the files are called that had not opened when the session ended and are to open by the
    clock in others still, or were when their run was cancelled, by their names.
    """
    unopened = files.filter(opens_at__gt=F("session__closed_at"))
    is_ahead = Q(opens_at__gt=Now()) | Q(opens_at__gt=F("session__final__cancelled_at"))
    ahead = unopened.filter(is_ahead).values_list("name", "position")
    return {name: number_told(position) for name, position in ahead}


def _refused_of(files: QuerySet[SessionFile]) -> Mapping[str, set[str]]:
    """What was sent in vain to those that were annulled for it, by their names."""
    found: dict[str, set[str]] = defaultdict(set)
    lost = files.filter(reason=SessionFile.Reason.REJECTED).order_by()
    in_vain = [SessionEvent.Reason.BROKEN, SessionEvent.Reason.FOREIGN]
    sent = lost.filter(log__reason__in=in_vain)
    for name, content in sent.values_list("name", "log__content").distinct():
        found[name].add(content)
    return found


def left_out_of(files: QuerySet[SessionFile]) -> Iterator[AnnulledFile]:
    """The files that count and whose answers were not read, or not scored: a job was given up.

    Scores of finals are those of runs, which fail as a whole.
    """
    counted = files.filter(verdict=SessionFile.Verdict.COUNTED)
    unscored = Q(given_up("score", "markup_id"), markup__state=MarkupRecord.State.SUBMITTED)
    unscored &= Q(markup__scores=None) & ~Q(essay__essay_set__access="final")
    left = counted.filter(Q(_reading_given_up(), markup=None) | unscored).distinct()
    for name, markup in left.values_list("name", "markup"):
        reason = "unread" if markup is None else "unscored"
        yield AnnulledFile(name, reason, str(LEFT_OUT[reason]))


def unread_of(files: QuerySet[SessionFile]) -> QuerySet[SessionFile]:
    """Those whose answers count and are no markups yet."""
    return files.filter(verdict=SessionFile.Verdict.COUNTED, markup=None)


def unassessed_of(files: QuerySet[SessionFile]) -> QuerySet[SessionFile]:
    """The unread ones, and those whose markups count and have no points yet.

    But for those whose job was given up: of them nothing comes by itself.
    """
    unread = Q(markup=None) & ~Q(_reading_given_up())
    counts = Q(markup__state=MarkupRecord.State.SUBMITTED, markup__criteria=None)
    waiting = unread | counts & ~Q(given_up("grade", "markup_id"))
    return files.filter(waiting, verdict=SessionFile.Verdict.COUNTED)


def key_of_answers(session_id: int, first: int, last: int) -> str:
    """Names the job that makes markups of the answers from one position to another."""
    return f"answers:{session_id}:{first}:{last}"


def _reading_given_up() -> Exists:
    """Was the job of this very answer given up, which none but itself was in?"""
    session, position = (
        Cast(OuterRef(column), CharField()) for column in ("session_id", "position")
    )
    key = Concat(Value("answers:"), session, Value(":"), position, Value(":"), position)
    return Exists(Job.objects.filter(key=key, state=Job.State.FAILED))


def sets_of(session: ExchangeSession) -> list[tuple[int, str]]:
    """The essay sets the answers of a session became markups of: numbers and names."""
    kept = session.files.filter(markup__isnull=False).order_by()
    fields = ("essay__essay_set_id", "essay__essay_set__name")
    return sorted(kept.values_list(*fields).distinct(), key=lambda each: each[1])
