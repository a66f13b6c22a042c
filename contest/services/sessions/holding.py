"""A session is held while something is written down of it; nobody else's session is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import DateTimeField, F, QuerySet

from contest.core.moments import at, at_if_known, moment_of
from contest.core.session_rules import Event, FileVerdict, Ineffective, Judgement, Verdict, What
from contest.core.timeline import Timeline
from contest.models import ExchangeSession, SessionEvent, SessionFile
from contest.queries.logs import Reasons
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.remembering import earliest, recall, remember
from contest.signals import session_closed
from web.prepared import Given, Prepared, PreparedUpdate

MOST_EVENTS: Final = 2000
EVENTS_OF_A_FILE: Final = 40
"""A log holds so many events, and so many more for each file."""
ALWAYS: Final = frozenset({What.DISCONNECT, What.ABORT, What.STOP})
"""What is written into a full log too: a connection breaks once, a session ends once."""
COUNTS: Final = ("events", "counted", "last_event_at", "falls_due_at")
_COUNTED: Final = PreparedUpdate(
    lambda: ExchangeSession.objects.filter(pk=Given("pk")),
    events=Given("events"),
    counted=Given("counted"),
    last_event_at=Given("last_event_at", DateTimeField()),
    falls_due_at=Given("falls_due_at", DateTimeField()),
)
COLUMNS: Final = ("opens_at", "due_at", "verdict", "reason", "answer", "sends")


def hold(session_id: int, *, wait: bool = True) -> ExchangeSession:
    """Lock a session's row to the end of the transaction, and see it as it is by now.

    Who does not ``wait`` finds none that somebody else holds: ``ExchangeSession.DoesNotExist``.
    """
    for session in (_WAITED_FOR if wait else _FREE)(pk=session_id):
        return session
    raise ExchangeSession.DoesNotExist


def _held(*, wait: bool) -> QuerySet[ExchangeSession]:
    return ExchangeSession.objects.select_for_update(
        of=("self",), no_key=True, skip_locked=not wait
    )


_WAITED_FOR: Final = Prepared(lambda: _held(wait=True).filter(pk=Given("pk")).order_by())
_FREE: Final = Prepared(lambda: _held(wait=False).filter(pk=Given("pk")).order_by())


def hold_free(numbers: Collection[int]) -> dict[int, ExchangeSession]:
    """Lock those of these sessions that nobody else holds, and see them as they are by now."""
    free = _held(wait=False).filter(pk__in=numbers).order_by("pk")
    return {session.pk: session for session in free}


def in_order(session: ExchangeSession, moment: int) -> int:
    """The moment an event bears: its own, and never earlier than what is settled or logged."""
    return max(moment, earliest(session))


def is_full(session: ExchangeSession) -> bool:
    """True when a session's log takes no more than what ends it."""
    return session.events >= MOST_EVENTS + EVENTS_OF_A_FILE * session.size


@dataclass(slots=True)
class Told:
    """A session that is held, told to its last event; ``take`` the next one, then ``store`` it.

    Whoever stores an event calls ``save``, or lets ``keep`` do it. Made within a transaction.
    """

    session: ExchangeSession
    timeline: Timeline
    reasons: Reasons
    taken: Event | None = None
    is_as_logged: bool = True
    """Whether the log tells just what the timeline was told."""

    @classmethod
    def of(cls, session: ExchangeSession) -> Told:
        return cls(session, *recall(session))

    def __post_init__(self) -> None:
        transaction.on_commit(self._remember)

    def take(self, event: Event) -> Ineffective | None:
        """Why an event has no effect, if it has none. Its moment is one of ``in_order``."""
        self.taken, reason = event, self.timeline.take(event)
        self.reasons.append(reason)
        return reason

    def log_as(self, event: Event) -> None:
        """The event that was taken last is written down so: told anew it says the same."""
        self.taken = event

    def write(self, event: Event) -> SessionEvent:
        """Take an event and write it down."""
        return self.store(event, self.take(event))

    def store(self, event: Event, reason: Ineffective | None, **fields: object) -> SessionEvent:
        """Write an event down that was taken, with whatever else is kept of it.

        Raises ``SessionRefused`` as ``row_of`` does.
        """
        row = self.row_of(event, reason, **fields)
        row.save(force_insert=True)
        return row

    def row_of(self, event: Event, reason: Ineffective | None, **fields: object) -> SessionEvent:
        """The row of an event that was taken, for whoever writes several at once.

        Raises ``SessionRefused`` where the log is full, of all but what is written ``ALWAYS``.
        """
        session = self.session
        self.is_as_logged &= event == self.taken
        if is_full(session) and event.what not in ALWAYS:
            raise SessionRefused("log-full", session_id=session.pk)
        row = SessionEvent(
            session=session,
            number=session.events,
            at=at(event.moment),
            what=event.what.value,
            named=event.file,
            content=event.content.value if event.what is What.SEND else "",
            key=None if event.key is None else str(event.key),
            reason=reason.value if reason else "",
            **fields,
        )
        session.events += 1
        is_accepted = event.what is What.SEND and reason is None
        if is_accepted and self.timeline.accepted(event.file) == 1:
            session.counted += 1
        session.last_event_at = row.at
        self._note_what_is_due(event.moment)
        return row

    def save(self) -> None:
        """Write what the events that were stored changed in the row of the session."""
        session = self.session
        _COUNTED(pk=session.pk, **{name: getattr(session, name) for name in COUNTS})

    def keep(self, until: int) -> Judgement:
        """Write what is judged as of ``until`` into the columns of lists; announce the end.

        All that happened up to then is logged: later events bear later moments.
        """
        judged = self.timeline.judgement(until, self.reasons)
        keep_verdicts(self.session, judged)
        session = self.session
        session.state = judged.state.value
        session.closed_at = at_if_known(judged.closed_at)
        session.counted = sum(each.verdict is Verdict.COUNTED for each in judged.files)
        session.annulled = judged.annulled
        session.solution = judged.solution.value if judged.solution else ""
        session.judged_until = max(session.judged_until, at(until))
        session.falls_due_at = at_if_known(self.timeline.falls_due(until))
        session.save()
        if session.closed_at is not None:
            session_closed.send(sender=ExchangeSession, session_id=session.pk)
        return judged

    def _remember(self) -> None:
        if self.is_as_logged:
            remember(self.session, self.timeline, self.reasons)

    def _note_what_is_due(self, moment: int) -> None:
        """What fell due before the event and is not settled yet stays the next to be settled."""
        session = self.session
        if session.falls_due_at is not None and moment_of(session.falls_due_at) <= moment:
            return
        session.falls_due_at = at_if_known(self.timeline.falls_due(moment))


def keep_verdicts(session: ExchangeSession, judged: Judgement) -> None:
    """Write the verdicts of files that differ from what is kept."""
    slots = list(session.files.order_by("position").annotate(kept=F("answer__number")))
    changed = [
        (slot, each)
        for slot, each in zip(slots, judged.files, strict=True)
        if _is_otherwise(slot, slot.kept, each)
    ]
    if not changed:
        return
    numbers = [each.answer for _slot, each in changed if each.answer is not None]
    answers = {}
    for start in range(0, len(numbers), 500):
        found = session.log.filter(number__in=numbers[start : start + 500]).only(
            "session", "number"
        )
        answers.update({event.number: event for event in found})
    for slot, each in changed:
        slot.opens_at = at_if_known(each.opens_at)
        slot.due_at = at_if_known(each.due_at)
        slot.verdict, slot.reason = each.verdict.value, each.reason.value if each.reason else ""
        slot.answer = None if each.answer is None else answers[each.answer]
        slot.sends = each.sends
    SessionFile.objects.bulk_update([slot for slot, _each in changed], COLUMNS, batch_size=100)


def _is_otherwise(slot: SessionFile, answer: int | None, each: FileVerdict) -> bool:
    kept = (slot.verdict, slot.reason, answer, slot.sends, slot.opens_at)
    told = (
        each.verdict.value,
        each.reason.value if each.reason else "",
        each.answer,
        each.sends,
        at_if_known(each.opens_at),
    )
    return kept != told
