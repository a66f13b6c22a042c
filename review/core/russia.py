"""The days off of Russia, as the library ``holidays`` has them (Labour Code, articles 111–112).

Which days are moved, the government says every autumn for the next year: a year comes in with a
new version of the library, or by the days coordinators enter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from review.core.calendar import WorkCalendar

if TYPE_CHECKING:
    from holidays.countries.russia import Russia


MOVED: Final = re.compile(r"\D*(\d\d\.\d\d\.\d{4})\)|\D*(\d\d/\d\d/\d{4})\)")
"""How the library names a day off that was moved: a date in the form of Russia or of America."""


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day off with its name, or a day at a weekend that is worked; that one has no name.

    ``moved_from``: the day this day off was moved from; then it has no name of its own.
    """

    day: date
    name: str
    works: bool
    moved_from: date | None = None


def russian_calendar(years: Iterable[int]) -> WorkCalendar:
    """The working days of Russia in these years."""
    return _calendar(tuple(sorted(set(years))))


@lru_cache(maxsize=32)
def _calendar(years: tuple[int, ...]) -> WorkCalendar:
    from holidays.countries.russia import RussiaStaticHolidays  # noqa: PLC0415 - see _days

    found = _days(years, "ru")
    return WorkCalendar(
        off=frozenset(day for day in found if day not in found.weekend_workdays),
        on=frozenset(found.weekend_workdays),
        known=frozenset(RussiaStaticHolidays.special_public_holidays) & frozenset(years),
    )


def named_days(year: int, language: str) -> tuple[NamedDay, ...]:
    """The days of a year that are not as their weekday is, in order; ``language``: ru or en."""
    found = _days((year,), "ru" if language == "ru" else "en_US")
    off = [_day_off(day, name) for day, name in found.items() if day.year == year]
    on = [NamedDay(day, "", works=True) for day in found.weekend_workdays if day.year == year]
    return tuple(sorted(off + on, key=lambda each: each.day))


def _day_off(day: date, name: str) -> NamedDay:
    told = MOVED.fullmatch(name)
    if told is None:
        return NamedDay(day, name, works=False)
    russian, american = told.groups()
    written, form = (russian, "%d.%m.%Y") if russian else (american, "%m/%d/%Y")
    moved = datetime.strptime(written, form).date()  # noqa: DTZ007 - a day, not a moment
    return NamedDay(day, "", works=False, moved_from=moved)


def _days(years: tuple[int, ...], language: str) -> Russia:
    # The library reads the calendars of all countries: not before somebody asks for a day.
    from holidays.countries.russia import Russia  # noqa: PLC0415

    return Russia(years=years, language=language)  # type: ignore[no-untyped-call]
