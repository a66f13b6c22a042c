"""When a final may be: ten days ahead, not in the past, no two at once (R 7.5, 7.15.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

NOTICE: Final = timedelta(days=10)
"""So long before the finals their schedule is announced (R 7.5), and nothing changes any more."""


class RunFault(StrEnum):
    """Why a run cannot be planned."""

    PAST = "past"
    NOTICE = "notice"
    OVERLAP = "overlap"


@dataclass(frozen=True, slots=True)
class RunSpan:
    """From the opening of the first file of a run to the last moment of an answer, half-open."""

    start: datetime
    end: datetime

    def holds(self, other: RunSpan) -> bool:
        """True where no moment of the other is outside."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: RunSpan) -> bool:
        """True where both run at one moment."""
        return self.start < other.end and other.start < self.end


def span_of_run(start: datetime, *, files: int, interval: float, limit: float) -> RunSpan:
    """The span of a run with at least one file; ``interval`` and ``limit`` are seconds."""
    length = timedelta(seconds=max(0, files - 1) * interval + limit)
    return RunSpan(start, start + length)


def is_within_notice(start: datetime, now: datetime) -> bool:
    """True from ten days before the finals on; exactly ten days before nothing is late yet."""
    return start - now < NOTICE


def run_fault(
    span: RunSpan, others: Iterable[RunSpan], now: datetime, *, is_exempt: bool
) -> RunFault | None:
    """What is wrong with a run beside the others of its contest.

    ``is_exempt``: rehearsals and restarts need no ten days (R 7.15.2).
    """
    if span.start <= now:
        return RunFault.PAST
    if not is_exempt and is_within_notice(span.start, now):
        return RunFault.NOTICE
    return RunFault.OVERLAP if any(span.overlaps(each) for each in others) else None
