"""What the pages about deadlines show, put together from queries and the core."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from annotator.models import Assignment, MarkupRecord
from annotator.pages.queue import QueuePage
from review.core.russia import NamedDay, named_days, russian_calendar
from review.models.deadlines import DEFAULT_ZONE, CalendarDay, LetterTerms, Overdue
from review.queries.deadlines import limit_for, lost_to_others, pressing_checks, zones_of
from web.zones import zone_words

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
        check.due = local_deadline(check, check.zone)
        if check.is_overdue:
            late.append(check)
        elif check.due.date() == check.now.astimezone(check.due.tzinfo).date():
            today.append(check)
        else:
            soon.append(check)
    return Pressing(late, today, soon, list(lost_to_others(expert, LATELY)[: SHOWN + 1]))


def local_deadline(check: Assignment, zone: str | None) -> datetime | None:
    """The deadline of a check in the time zone of its set; without terms that is the default."""
    local = ZoneInfo(zone or DEFAULT_ZONE)
    return check.deadline_at.astimezone(local) if check.deadline_at else None


def told_of_reopened(check: Assignment) -> str:
    """What whoever reopened a check is told: by when it is due now."""
    zone = zones_of([check.essay.essay_set_id]).get(check.essay.essay_set_id, DEFAULT_ZONE)
    due = date_format(local_deadline(check, zone), "SHORT_DATETIME_FORMAT")
    words = gettext(
        "The check is open again until %(due)s (%(zone)s); its expert reads the reason."
    )
    return words % {"due": due, "zone": zone_words(zone)}


def zones_on(queue: QueuePage) -> dict[int, str]:
    """The time zones of the sets with terms that checks of a queue are of; one query."""
    return zones_of({check.essay.essay_set_id for check in queue.work})


def zone_on(queue: QueuePage) -> str:
    """The time zone all deadlines of a queue's page are in; nothing where they differ."""
    known = queue.once(zones_on)
    sets = {check.essay.essay_set_id for check in queue.work if check.deadline_at}
    zones = {known.get(each, DEFAULT_ZONE) for each in sets}
    return zones.pop() if len(zones) == 1 else ""


def with_local_deadlines(checks: Iterable[Assignment]) -> list[Assignment]:
    """The checks, each with ``due``, and its role and state in words, which are asked of the
    catalogue once.
    """
    found = list(checks)
    roles = {role.value: str(role.label) for role in Assignment.Role}
    states = {state.value: str(state.label) for state in Assignment.State}
    for check in found:
        check.due = local_deadline(check, check.zone)
        check.role_words, check.state_words = roles[check.role], states[check.state]
    return found


def only_zone(checks: Iterable[Assignment]) -> str:
    """The time zone all deadlines of a page are in, to be said once; nothing where they differ."""
    zones = {check.zone or DEFAULT_ZONE for check in checks if check.deadline_at}
    return zones.pop() if len(zones) == 1 else ""


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
        each.day: YearDay(each.day, _name_of(each), each.works, None)
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


def _name_of(day: NamedDay) -> str:
    """What a day is called; of a day off that was moved, from when."""
    if day.moved_from is None:
        return day.name
    return gettext("moved from %s") % date_format(day.moved_from, "SHORT_DATE_FORMAT")


def letters_of(person: User, default: str) -> dict[str, Any]:
    """How letters reach somebody: the address, the language, and whether it was refused."""
    terms = LetterTerms.objects.filter(person=person).first()
    refused = terms is not None and terms.refused_at and terms.refused_address == person.email
    return {
        "address": person.email,
        "language": (terms.language if terms else "") or default,
        "is_refused": bool(refused and person.email),
    }
