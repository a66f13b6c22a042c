"""Of a log that only grows no event is read twice: timelines that were told here lately are kept.

The rows are the truth. A session that is held says how many events it has, and those that were not
told yet, be they of another process, are read; what a transaction took back is forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime
from threading import Lock
from typing import Final

from contest.core.moments import moment_of
from contest.core.timeline import Timeline
from contest.models import ExchangeSession
from contest.queries.logs import Reasons, events_of, timeline_of

MOST: Final = 300
"""Sessions that are remembered in a process; of 300 files each they need 30 MB."""

_known: OrderedDict[tuple[int, datetime], tuple[Timeline, Reasons]] = OrderedDict()
_lock: Final = Lock()


def recall(session: ExchangeSession) -> tuple[Timeline, Reasons]:
    """A session that is held, told to its last event; whoever has it is the only one who does."""
    with _lock:
        known = _known.pop(_name(session), None)
    if known is None or not known[0].may_go_on(session.events, earliest(session)):
        return timeline_of(session)
    timeline, reasons = known
    if len(reasons) < session.events:
        reasons += [timeline.take(event) for event in events_of(session, len(reasons))]
    return timeline, reasons


def remember(session: ExchangeSession, timeline: Timeline, reasons: Reasons) -> None:
    """Keep what was told, once all of it is committed; of a session that has ended nothing."""
    if len(reasons) != session.events or not session.is_open:
        return
    with _lock:
        _known[_name(session)] = timeline, reasons
        if len(_known) > MOST:
            _known.popitem(last=False)


def earliest(session: ExchangeSession) -> int:
    """The first moment an event to come can bear, after all that is logged and settled."""
    return max(moment_of(session.last_event_at), moment_of(session.judged_until) + 1)


def _name(session: ExchangeSession) -> tuple[int, datetime]:
    return session.pk, session.opened_at
