"""By when a check is due: by the terms of its set and the database's clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models.expressions import Combinable
from django.db.models.functions import Now

from annotator.models import EssaySet
from review.core.calendar import MAX_DAYS, Due, WorkCalendar, due_after, moment
from review.core.russia import russian_calendar
from review.models.deadlines import SetTerms
from review.queries.deadlines import entered_days, terms_now


def deadline_for(essay_set: EssaySet) -> datetime | Combinable:
    """The deadline of a check of the set that is given at this moment.

    A date that has passed binds nobody: then the days of the rules count, as without any terms.
    """
    terms = terms_now(essay_set.pk)
    if terms is not None and terms.due_by == SetTerms.DueBy.WORKING and terms.working_days:
        return working_days_after(terms.now, terms.working_days, terms=terms).at
    if terms is not None and terms.due_by == SetTerms.DueBy.DATE and terms.due_on:
        until = moment(terms.due_on, terms.due_time, terms.zone_info)
        if until > terms.now:
            return until
    return Now() + timedelta(days=essay_set.rules.days_to_mark)


def deadline_of_reopened(essay_set: EssaySet) -> datetime | Combinable:
    """The deadline of a submitted check of the set that is given back at this moment.

    As of one that is given, but nobody is given back a check that is due at once: a date less than
    a working day ahead does not bind, and working days stand in for it, as many as the terms name,
    else as the rules have days.
    """
    terms = terms_now(essay_set.pk)
    days = max(1, essay_set.rules.days_to_mark)
    if terms is None or terms.due_by == SetTerms.DueBy.DAYS:
        return Now() + timedelta(days=days)
    if terms.due_by == SetTerms.DueBy.DATE and terms.due_on:
        until = moment(terms.due_on, terms.due_time, terms.zone_info)
        if until >= working_days_after(terms.now, 1, terms=terms).at:
            return until
    return working_days_after(terms.now, terms.working_days or min(days, MAX_DAYS), terms=terms).at


def working_days_after(start: datetime, days: int, *, terms: SetTerms) -> Due:
    """So many working days after a moment, at the time and in the time zone of the terms."""
    first = start.year
    calendar = work_calendar(first - 1, first + 2)
    return due_after(calendar, start, days, terms.due_time, ZoneInfo(terms.zone))


def work_calendar(first: int, last: int) -> WorkCalendar:
    """The working days of these years: the country's, changed by what coordinators entered."""
    return russian_calendar(range(first, last + 1)).overridden(entered_days(first, last))
