"""The sessions of now: who is connected, who is late, how punctually files were had lately."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from statistics import median
from typing import Final

from django.db.models import Min, QuerySet

from contest.models import ConnectionLease, ExchangeSession, Outage, SessionFile
from contest.queries.outages import outages_in
from contest.queries.sessions import open_or_ended_since
from contest.services.sessions.beating import files_hit

RECENT: Final = timedelta(minutes=10)
"""Punctuality is told of the files that opened so lately."""
OUTAGES_OF: Final = timedelta(days=1)
SHOWN: Final = 50
"""So many of the sessions that ended lately are listed."""
PUNCTUAL: Final = 1.0
"""Seconds after its opening in which a file is to be handed out."""

Door, Verdict = ExchangeSession.Door, SessionFile.Verdict


@dataclass(frozen=True, slots=True)
class Opened:
    """A file that opened lately, and when it was handed out first."""

    opens_at: datetime
    due_at: datetime
    verdict: str
    handed_at: datetime | None

    @property
    def delay(self) -> float | None:
        """Seconds from its opening to the hand-out."""
        if self.handed_at is None:
            return None
        return max(0.0, (self.handed_at - self.opens_at).total_seconds())


@dataclass(frozen=True)
class Row:
    """A session. ``connected``: ``None`` where it has no connection: ended, or by the REST door."""

    session: ExchangeSession
    now: datetime
    connected: bool | None
    opened: list[Opened] = field(default_factory=list)

    @cached_property
    def delays(self) -> list[float]:
        return [each.delay for each in self.opened if each.delay is not None]

    @property
    def delay(self) -> float | None:
        return median(self.delays) if self.delays else None

    @property
    def longest(self) -> float | None:
        return max(self.delays, default=None)

    @property
    def annulled(self) -> int:
        """Of the files that opened lately: answered too late or not at all."""
        return sum(each.verdict == Verdict.ANNULLED for each in self.opened)

    @property
    def current(self) -> Opened | None:
        """The file whose answer is awaited."""
        if not self.session.is_open:
            return None
        found = [each for each in self.opened if each.opens_at <= self.now <= each.due_at]
        awaited = [each for each in found if each.verdict in (Verdict.WAITING, Verdict.OPEN)]
        return max(awaited, key=lambda each: each.opens_at, default=None)

    @property
    def seconds_left(self) -> float | None:
        current = self.current
        return (current.due_at - self.now).total_seconds() if current else None

    @property
    def is_late(self) -> bool:
        """True for a program that lost a file lately, or is not there while one is open."""
        return bool(self.annulled) or (self.connected is False and self.current is not None)


@dataclass(frozen=True)
class SessionsNow:
    """All open sessions at a moment, those that are late first; those that ``ended`` lately, the
    latest first. Punctuality and lost files are of all of them.
    """

    rows: list[Row]
    ended: list[Row]
    outages: list[tuple[Outage, int]]

    @classmethod
    def of(cls, seen: QuerySet[ExchangeSession], now: datetime) -> SessionsNow:
        sessions = list(open_or_ended_since(seen, now - RECENT))
        leased = ConnectionLease.objects.filter(until__gte=now)
        people = set(leased.values_list("participant_id", flat=True))
        opened = _opened(sessions, now)
        every = [
            Row(each, now, _is_connected(each, people), opened.get(each.pk, []))
            for each in sessions
        ]
        rows = [row for row in every if row.session.is_open]
        rows.sort(key=lambda row: (not row.is_late, -row.annulled, row.session.pk))
        ended = [row for row in every if not row.session.is_open]
        outages = outages_in(now - OUTAGES_OF, now, now)[:5]
        return cls(rows, ended, [(each, files_hit(each)) for each in outages])

    @property
    def listed(self) -> list[Row]:
        """The sessions that ended lately, as far as they are shown."""
        return self.ended[:SHOWN]

    @property
    def connected(self) -> int:
        return sum(row.connected is True for row in self.rows)

    @property
    def cut_off(self) -> int:
        return sum(row.connected is False for row in self.rows)

    @property
    def late(self) -> int:
        return sum(row.is_late for row in self.rows)

    @cached_property
    def delays(self) -> list[float]:
        return [delay for row in [*self.rows, *self.ended] for delay in row.delays]

    @property
    def punctual(self) -> float | None:
        """How many of the hand-outs came within a second, in percent."""
        if not self.delays:
            return None
        return 100 * sum(delay <= PUNCTUAL for delay in self.delays) / len(self.delays)

    @property
    def longest(self) -> float | None:
        return max(self.delays, default=None)

    @property
    def annulled(self) -> int:
        return sum(row.annulled for row in [*self.rows, *self.ended])


def _is_connected(session: ExchangeSession, people: set[int]) -> bool | None:
    if session.door != Door.SOCKETIO or not session.is_open:
        return None
    return session.participant_id in people


def _opened(sessions: Sequence[ExchangeSession], now: datetime) -> dict[int, list[Opened]]:
    """Files that opened lately, by session."""
    found: dict[int, list[Opened]] = defaultdict(list)
    lately = SessionFile.objects.filter(session__in=sessions, opens_at__range=(now - RECENT, now))
    for session_id, *values in lately.annotate(handed_at=Min("deliveries__at")).values_list(
        "session_id", "opens_at", "due_at", "verdict", "handed_at"
    ):
        found[session_id].append(Opened(*values))
    return found
