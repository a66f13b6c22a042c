"""Under what rules a session is judged, and what happened in it.

Moments and spans are whole numbers of one unit, whichever the caller chose: the platform takes
microseconds, ``session_json`` the finest decimal of a case. No clock is read here.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Pace(StrEnum):
    """When files open: by the clock, or when they are asked for."""

    SCHEDULE = "schedule"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a session; spans in the unit of the moments.

    ``start``: the first opening by the clock, ``None``: the moment the session was opened.
    ``interval`` lies between two openings, ``limit`` between an opening and the last moment of an
    answer. ``window``: how long after ``start`` a session may be opened. ``sends``: answers to a
    file that are looked at. ``share``: of annulled files above which the solution is annulled.
    ``linger``: how long a session stays open after its last file opened. ``lost``: how long after
    its connection broke (sessions.md).
    """

    pace: Pace
    start: int | None
    interval: int
    limit: int
    window: int | None
    sends: int
    share: Fraction | None
    linger: int | None
    lost: int

    @property
    def latest_opening(self) -> int | None:
        """The last moment a session may be opened at; ``None``: any."""
        if self.pace is Pace.ASKED or self.start is None or self.window is None:
            return None
        return self.start + self.window

    def answered_until(self, files: int) -> int | None:
        """The last moment of an answer to the last of so many files; ``None``: known to nobody
        before the session.
        """
        if self.start is None or self.pace is Pace.ASKED:
            return None
        return self.start + self.interval * (files - 1) + self.limit

    def worth_opening_until(self, files: int) -> int | None:
        """The last moment at which a session of so many files is opened and can be given one: where
        it may be opened at any time, the last moment of its last file. ``None``: no such moment.
        """
        latest = self.latest_opening
        return self.answered_until(files) if latest is None else latest


class What(StrEnum):
    """What a participant's program, its connection or the organisers do."""

    OPEN = "open"
    ASK = "ask"
    CONNECT = "connect"
    DISCONNECT = "disconnect"
    SEND = "send"
    ABORT = "abort"
    STOP = "stop"


class Content(StrEnum):
    """What was sent: a markup of this essay, no markup at all, or something else."""

    VALID = "valid"
    BROKEN = "broken"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at ``moment``; ``file``, ``content`` and ``key`` belong to a send."""

    moment: int
    what: What
    file: str = ""
    content: Content = Content.VALID
    key: Hashable = None


class Ineffective(StrEnum):
    """Why an event had no effect."""

    TOO_LATE = "too-late"
    ALREADY_OPEN = "already-open"
    ENDED = "ended"
    NO_SESSION = "no-session"
    NOTHING_LEFT = "nothing-left"
    REPEATED = "repeated"
    CLOSED = "closed"
    NOT_OPEN = "not-open"
    FOREIGN = "foreign"
    BROKEN = "broken"
    LATE = "late"
    OVER_LIMIT = "over-limit"


class Verdict(StrEnum):
    """What is known of a file."""

    WAITING = "waiting"
    OPEN = "open"
    COUNTED = "counted"
    ANNULLED = "annulled"


class Annulled(StrEnum):
    """Why a file is annulled; of several reasons the first of this list."""

    NOT_REQUESTED = "not-requested"
    LATE = "late"
    REJECTED = "rejected"
    MISSING = "missing"


class State(StrEnum):
    """How a session stands: nobody tried, tried too late, opened early, open, or how it ended."""

    NONE = "none"
    REFUSED = "refused"
    WAITING = "waiting"
    OPEN = "open"
    FINISHED = "finished"
    TIMEOUT = "timeout"
    LOST = "lost"
    ABORTED = "aborted"
    STOPPED = "stopped"


class Solution(StrEnum):
    """What becomes of all answers together."""

    STANDS = "stands"
    ANNULLED = "annulled"


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """What became of a file. ``answer``: index of the event that counts; ``sends``: accepted ones;
    ``response``: from its opening to the answer; ``refused``: what else was sent to it in vain.
    """

    file: str
    opens_at: int | None
    due_at: int | None
    verdict: Verdict
    reason: Annulled | None
    answer: int | None
    sends: int
    response: int | None
    refused: frozenset[Content] = frozenset()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A session as of a moment; ``reasons``: of each event, ``None`` where it took effect."""

    state: State
    opened_at: int | None
    closed_at: int | None
    files: tuple[FileVerdict, ...]
    reasons: tuple[Ineffective | None, ...]
    annulled: int
    solution: Solution | None

    @property
    def share(self) -> float:
        """Annulled files of all, not rounded."""
        return self.annulled / len(self.files)
