"""By when a check is due: by the terms of its set and the database's clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models.expressions import Combinable
from django.db.models.functions import Now

from annotator.models import EssaySet
from review.core.calendar import Due, WorkCalendar, due_after, moment
from review.core.russia import russian_calendar
from review.deadline_models import SetTerms
from review.deadline_queries import entered_days, terms_now


def deadline_for(essay_set: EssaySet) -> datetime | Combinable:
    """The deadline of a check of the set that is given, or given back, at this moment.

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


def working_days_after(start: datetime, days: int, *, terms: SetTerms) -> Due:
    """So many working days after a moment, at the time and in the time zone of the terms."""
    first = start.year
    calendar = work_calendar(first - 1, first + 2)
    return due_after(calendar, start, days, terms.due_time, ZoneInfo(terms.zone))


def work_calendar(first: int, last: int) -> WorkCalendar:
    """The working days of these years: the country's, changed by what coordinators entered."""
    return russian_calendar(range(first, last + 1)).overridden(entered_days(first, last))
