"""Working days: which days people work, and which day is so many of them away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

MAX_DAYS: Final = 250
"""Working days ahead a deadline may lie: a year of them."""

END_OF_DAY: Final = time(23, 59)
SATURDAY: Final = 5
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WorkCalendar:
    """Monday to Friday without the days ``off``, and with the days ``on``, whatever they are.

    ``known``: the years of which it is known which days were moved. Of others the weekends and the
    holidays of the law are all there is to go by.
    """

    off: frozenset[date] = frozenset()
    on: frozenset[date] = frozenset()
    known: frozenset[int] = frozenset()

    def works(self, day: date) -> bool:
        """True for a working day."""
        return day in self.on or (day.weekday() < SATURDAY and day not in self.off)

    def overridden(self, days: Mapping[date, bool]) -> WorkCalendar:
        """The calendar with these days working (true) or off (false), whatever was said of them."""
        working = {day for day, works in days.items() if works}
        free = set(days) - working
        return replace(
            self,
            off=frozenset((self.off - working) | free),
            on=frozenset((self.on - free) | working),
        )


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline; ``guessed``: the years counted through without knowing their moved days."""

    at: datetime
    guessed: tuple[int, ...] = ()


def working_day(calendar: WorkCalendar, start: date, days: int) -> date:
    """The last of so many working days after ``start``, which itself does not count.

    Raises ``ValueError`` for less than one day or more than ``MAX_DAYS``.
    """
    if not 1 <= days <= MAX_DAYS:
        raise ValueError(f"Not 1 to {MAX_DAYS} working days: {days}.")
    day = start
    for _ in range(days):
        day += DAY
        while not calendar.works(day):
            day += DAY
    return day


def moment(day: date, at: time | None, zone: ZoneInfo) -> datetime:
    """The time of a day in a time zone, in UTC; its last minute without a time.

    Where clocks are put back and the time comes twice, the later one; where they are put forward
    and it does not come at all, as long after the change as it would have been.
    """
    local = datetime.combine(day, at or END_OF_DAY, zone)
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def due_after(
    calendar: WorkCalendar, start: datetime, days: int, at: time | None, zone: ZoneInfo
) -> Due:
    """The deadline so many working days after a moment, by the days of a time zone.

    ``start`` bears its own zone. Raises ``ValueError`` as ``working_day`` does.
    """
    first = start.astimezone(zone).date()
    last = working_day(calendar, first, days)
    passed = range(first.year, last.year + 1)
    guessed = tuple(year for year in passed if year not in calendar.known)
    return Due(moment(last, at, zone), guessed)
