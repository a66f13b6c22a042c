"""The days off of Russia, as the library ``holidays`` has them (Labour Code, articles 111–112).

Which days are moved, the government says every autumn for the next year: a year comes in with a
new version of the library, or by the days coordinators enter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from holidays.countries.russia import Russia, RussiaStaticHolidays

from review.core.calendar import WorkCalendar


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day off with its name, or a day at a weekend that is worked; that one has no name."""

    day: date
    name: str
    works: bool


def russian_calendar(years: Iterable[int]) -> WorkCalendar:
    """The working days of Russia in these years."""
    return _calendar(tuple(sorted(set(years))))


@lru_cache(maxsize=32)
def _calendar(years: tuple[int, ...]) -> WorkCalendar:
    found = _days(years, "ru")
    return WorkCalendar(
        off=frozenset(day for day in found if day not in found.weekend_workdays),
        on=frozenset(found.weekend_workdays),
        known=frozenset(RussiaStaticHolidays.special_public_holidays) & frozenset(years),
    )


def named_days(year: int, language: str) -> tuple[NamedDay, ...]:
    """The days of a year that are not as their weekday is, in order; ``language``: ru or en."""
    found = _days((year,), "ru" if language == "ru" else "en_US")
    off = [NamedDay(day, name, works=False) for day, name in found.items() if day.year == year]
    on = [NamedDay(day, "", works=True) for day in found.weekend_workdays if day.year == year]
    return tuple(sorted(off + on, key=lambda each: each.day))


def _days(years: tuple[int, ...], language: str) -> Russia:
    return Russia(years=years, language=language)  # type: ignore[no-untyped-call]
