"""When an expert is reminded of a deadline: before it, at it, and every few days after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

BEFORE: Final = 0
AT: Final = 1
TAKEN: Final = 1000
MOVED: Final = 1001
ASKED: Final = 1002
REOPENED: Final = 1003
TOLD: Final = (MOVED, ASKED, REOPENED)
"""Steps of a check: before its deadline, at it, then 2, 3, … after it; taken away at last.

Told beside these (``TOLD``), which keeps no reminder of that deadline from being due: ``MOVED``, a
new deadline; ``ASKED``, a coordinator reminds of an open check by hand; ``REOPENED``, a submitted
check is open again.
"""


@dataclass(frozen=True, slots=True)
class Schedule:
    """``before``: how long before the deadline; ``every`` so long after it, ``times`` at most.

    ``None`` and 0 stand for no such reminder.
    """

    before: timedelta | None = None
    at: bool = False
    every: timedelta | None = None
    times: int = 0


@dataclass(frozen=True, slots=True)
class Window:
    """The deadlines of which ``step`` is the latest reminder due: ``after < deadline <= until``.

    Without ``after`` all earlier ones.
    """

    step: int
    after: datetime | None
    until: datetime


def windows(schedule: Schedule, now: datetime) -> tuple[Window, ...]:
    """Which deadlines have which reminder due at ``now``; no deadline is in two of them.

    Only the latest reminder of a check is ever due: whoever missed one is not told twice.
    """
    marks = [(AT, now)] if schedule.at else []
    if schedule.every:
        turns = range(1, schedule.times + 1)
        marks += [(AT + turn, now - turn * schedule.every) for turn in turns]
    starts = [until for _step, until in marks[1:]]
    late = [
        Window(step, after, until)
        for (step, until), after in zip(marks, [*starts, None], strict=False)
    ]
    early = [Window(BEFORE, now, now + schedule.before)] if schedule.before else []
    return (*early, *late)
