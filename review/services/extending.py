"""A deadline moves: of one check or of several, by a date or by working days, written down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_all, entry
from annotator.models import Assignment
from annotator.queries.work import UNFINISHED
from review.core.calendar import WorkCalendar, due_after, moment
from review.core.reminding import MOVED
from review.models.deadlines import SetTerms
from review.services.due import work_calendar
from review.services.reminding import tell
from web.core.batches import batched
from web.refusals import Conflict, Refused

AT_ONCE: Final = 20_000
"""So many checks one request may extend."""

BATCH: Final = 500
"""So many rows go into a statement."""


@dataclass(frozen=True, slots=True)
class Extension:
    """What the new deadline is: a day with or without its time, or so many working days more."""

    day: date | None = None
    at: time | None = None
    working_days: int | None = None


@transaction.atomic
def extend_deadlines(
    *,
    checks: Sequence[int],
    extension: Extension,
    actor: User,
    reason: str,
    foretold: Mapping[int, datetime] | None = None,
) -> list[Assignment]:
    """Give open checks another deadline; all of them or none. Returns them with it.

    Working days count from the present deadline, or from now where that has passed. A moved
    deadline voids the reminders of the former one, and its expert gets a letter, one for all that
    is moved at once. However many checks, there are as many statements as deadlines and batches
    of rows. ``foretold``: the new deadlines that somebody looked at. Raises ``Refused``, and
    ``Conflict`` where they would be others by now.
    """
    if len(checks) > AT_ONCE:
        raise Refused(_("At most %d checks get a new deadline at once.") % AT_ONCE)
    held = _hold(checks)
    found = new_deadlines(held, extension)
    if foretold is not None and foretold != {
        each.pk: at for each, at in zip(held, found, strict=True)
    }:
        raise Conflict(_("Something has changed since you looked. Nothing was done: look again."))
    entries, told = [], []
    for each, deadline in zip(held, found, strict=True):
        before, each.deadline_at = each.deadline_at, deadline
        if deadline != before:
            told.append(each)
        entries.append(
            entry(
                actor=actor,
                action="deadline.moved",
                target=each,
                before=before.isoformat() if before else None,
                after=deadline.isoformat(),
                reason=reason,
            )
        )
    _write(told)
    audit_all(entries)
    tell(checks=told, step=MOVED)
    return held


def new_deadlines(checks: Sequence[Assignment], extension: Extension) -> list[datetime]:
    """What an extension makes of these checks' deadlines, in their order.

    Each bears ``now``, the database's clock. Raises ``Refused`` for a deadline that has passed.
    """
    moving = _Moving(extension, _terms_by_set(checks))
    found = [moving.deadline_of(each) for each in checks]
    for each, deadline in zip(checks, found, strict=True):
        if deadline <= each.now:  # type: ignore[attr-defined]
            raise Refused(_("Essay %s: the new deadline has passed already.") % each.essay.number)
    return found


def _hold(checks: Sequence[int]) -> list[Assignment]:
    """Lock the checks. Raises ``Refused`` where one is not open any more."""
    numbers = sorted(set(checks))
    held: list[Assignment] = []
    for some in batched(numbers, BATCH):
        found = Assignment.objects.select_for_update(of=("self",)).filter(pk__in=some)
        found = found.select_related("essay").defer("essay__text", "essay__task_text")
        held += found.annotate(now=Now()).order_by("pk")
    if not held or len(held) < len(numbers):
        raise Refused(_("Choose the checks that get a new deadline."))
    closed = [each.essay.number for each in held if each.state not in UNFINISHED]
    if closed:
        message = _("These checks are closed already: essays %s.")
        raise Refused(message % ", ".join(closed[:10]))
    return held


def _write(moved: Iterable[Assignment]) -> None:
    by_deadline: dict[datetime, list[int]] = defaultdict(list)
    for each in moved:
        by_deadline[each.deadline_at].append(each.pk)
    for deadline, numbers in by_deadline.items():
        for some in batched(numbers, BATCH):
            Assignment.objects.filter(pk__in=some).update(deadline_at=deadline)


def _terms_by_set(held: Sequence[Assignment]) -> dict[int, SetTerms]:
    sets = {each.essay.essay_set_id for each in held}
    known = {each.essay_set_id: each for each in SetTerms.objects.filter(essay_set__in=sets)}
    return {pk: known.get(pk) or SetTerms(essay_set_id=pk) for pk in sets}


class _Moving:
    """The new deadlines; the working days of a year are read once."""

    def __init__(self, extension: Extension, terms: dict[int, SetTerms]) -> None:
        self._extension = extension
        self._terms = terms
        self._calendar = cache(_calendar_from)

    def deadline_of(self, check: Assignment) -> datetime:
        terms = self._terms[check.essay.essay_set_id]
        wished = self._extension
        if wished.day is not None:
            return moment(wished.day, wished.at or terms.due_time, terms.zone_info)
        start = max(check.deadline_at or check.now, check.now)
        calendar = self._calendar(start.year)
        days = wished.working_days or 1
        return due_after(calendar, start, days, terms.due_time, terms.zone_info).at


def _calendar_from(year: int) -> WorkCalendar:
    return work_calendar(year - 1, year + 2)
