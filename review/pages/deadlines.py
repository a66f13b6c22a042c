"""What the pages about deadlines show, put together from queries and the core."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from review.core.russia import named_days, russian_calendar
from review.deadline_models import DEFAULT_ZONE, CalendarDay, LetterTerms, Overdue
from review.deadline_queries import limit_for, lost_to_others, pressing_checks

SOON: Final = timedelta(days=3)
LATELY: Final = timedelta(days=7)
SHOWN: Final = 5
NEAR: Final = 0.8
"""From this share of the limit on a check is near it."""


@dataclass(frozen=True, slots=True)
class Pressing:
    """What presses in an expert's queue: late, due today, due soon, and what others have now."""

    late: list[Assignment]
    today: list[Assignment]
    soon: list[Assignment]
    taken: list[Overdue]

    def __bool__(self) -> bool:
        return bool(self.late or self.today or self.soon or self.taken)


def pressing_for(expert: User) -> Pressing:
    """The same of one expert, in two queries; ``due``: the deadline in its set's time zone."""
    late, today, soon = [], [], []
    for check in pressing_checks(expert, SOON):
        check.due = local_deadline(check)
        if check.deadline_at < check.now:
            late.append(check)
        elif check.due.date() == check.now.astimezone(check.due.tzinfo).date():
            today.append(check)
        else:
            soon.append(check)
    return Pressing(late, today, soon, list(lost_to_others(expert, LATELY)[:SHOWN]))


def local_deadline(check: Assignment) -> datetime | None:
    """The deadline of ``review.deadline_queries.open_checks`` in the time zone of its set."""
    zone = ZoneInfo(check.zone or DEFAULT_ZONE)
    return check.deadline_at.astimezone(zone) if check.deadline_at else None


def with_local_deadlines(checks: Iterable[Assignment]) -> list[Assignment]:
    """The checks, each with ``due``."""
    found = list(checks)
    for check in found:
        check.due = local_deadline(check)
    return found


@dataclass(frozen=True, slots=True)
class Limit:
    """How far a check is with its limit, in whole minutes."""

    spent: int
    most: int

    @property
    def is_past(self) -> bool:
        return self.spent >= self.most

    @property
    def is_near(self) -> bool:
        return self.spent >= self.most * NEAR


def limit_of(record: MarkupRecord) -> Limit | None:
    """The limit of a check's subject; ``None`` where its set has none."""
    seconds = limit_for(record.essay.essay_set_id, record.essay.subject)
    return Limit(record.active_seconds // 60, seconds // 60) if seconds else None


@dataclass(frozen=True, slots=True)
class YearDay:
    """A day of a year that is not as its weekday is."""

    day: date
    name: str
    works: bool
    entered: CalendarDay | None


@dataclass(frozen=True, slots=True)
class Year:
    """A year of the calendar; ``is_known``: the days moved in it are."""

    number: int
    days: list[YearDay]
    is_known: bool
    working: int


def year_of(number: int, entered: Iterable[CalendarDay], language: str) -> Year:
    """A year as the library and the coordinators have it."""
    own = {each.day: each for each in entered}
    days = {
        each.day: YearDay(each.day, each.name, each.works, None)
        for each in named_days(number, language)
    }
    for day, each in own.items():
        was = days.get(day)
        days[day] = YearDay(day, each.note or (was.name if was else ""), each.works, each)
    calendar = russian_calendar([number])
    counted = calendar.overridden({day: each.works for day, each in own.items()})
    first, last = date(number, 1, 1), date(number, 12, 31)
    every = (first + timedelta(days=at) for at in range((last - first).days + 1))
    return Year(
        number,
        [days[day] for day in sorted(days)],
        number in calendar.known,
        sum(counted.works(day) for day in every),
    )


def letters_of(person: User, default: str) -> dict[str, Any]:
    """How letters reach somebody: the address, the language, and whether it was refused."""
    terms = LetterTerms.objects.filter(person=person).first()
    refused = terms is not None and terms.refused_at and terms.refused_address == person.email
    return {
        "address": person.email,
        "language": (terms.language if terms else "") or default,
        "is_refused": bool(refused and person.email),
    }
