"""Who says what of the results of a phase, one after another (R 8.1, 8.2)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from review.core.calendar import Due, WorkCalendar, due_after

DAYS_FOR_RESULTS: Final = 5
"""Working days from the last check of the experts to the results of the finals (R 7.10)."""


class Step(StrEnum):
    """The verdicts of a phase in their order."""

    CHECKED = "checked"
    VERIFIED = "verified"
    APPROVED = "approved"


def next_step(said: Collection[str]) -> Step | None:
    """The verdict that comes next; ``None`` once all of them are given."""
    return next((each for each in Step if each not in said), None)


def results_due(calendar: WorkCalendar, last_check: datetime, zone: ZoneInfo) -> Due:
    """By when the results of the finals are told: the end of that day in the contest's zone."""
    return due_after(calendar, last_check, DAYS_FOR_RESULTS, None, zone)
