"""A deadline moves: of one check or of several, by a date or by working days, written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_all, entry
from annotator.models import Assignment
from annotator.queries import UNFINISHED
from review.core.calendar import moment
from review.deadline_models import SetTerms
from review.services.due import working_days_after
from web.refusals import Refused

AT_ONCE: Final = 200
"""So many checks one request may extend."""


@dataclass(frozen=True, slots=True)
class Extension:
    """What the new deadline is: a day with or without its time, or so many working days more."""

    day: date | None = None
    at: time | None = None
    working_days: int | None = None


@transaction.atomic
def extend_deadlines(
    *, checks: Sequence[int], extension: Extension, actor: User, reason: str
) -> list[Assignment]:
    """Give open checks another deadline; all of them or none. Returns them with it.

    Working days count from the present deadline, or from now where that has passed. A moved
    deadline voids the reminders of the former one. Raises ``Refused``.
    """
    if len(checks) > AT_ONCE:
        raise Refused(_("At most %d checks get a new deadline at once.") % AT_ONCE)
    held = _hold(checks)
    terms = _terms_by_set(held)
    entries = []
    for each in held:
        before = each.deadline_at
        each.deadline_at = _moved(each, extension, terms[each.essay.essay_set_id])
        if each.deadline_at <= each.now:
            raise Refused(_("Essay %s: the new deadline has passed already.") % each.essay.number)
        entries.append(
            entry(
                actor=actor,
                action="deadline.moved",
                target=each,
                before=before.isoformat() if before else None,
                after=each.deadline_at.isoformat(),
                reason=reason,
            )
        )
    Assignment.objects.bulk_update(held, ["deadline_at"])
    audit_all(entries)
    return held


def _hold(checks: Sequence[int]) -> list[Assignment]:
    """Lock the checks. Raises ``Refused`` where one is not open any more."""
    found = Assignment.objects.select_for_update(of=("self",)).filter(pk__in=checks)
    held = list(found.select_related("essay").annotate(now=Now()).order_by("pk"))
    if not held or len(held) < len(set(checks)):
        raise Refused(_("Choose the checks that get a new deadline."))
    closed = [each.essay.number for each in held if each.state not in UNFINISHED]
    if closed:
        message = _("These checks are closed already: essays %s.")
        raise Refused(message % ", ".join(closed[:10]))
    return held


def _terms_by_set(held: Sequence[Assignment]) -> dict[int, SetTerms]:
    sets = {each.essay.essay_set_id for each in held}
    known = {each.essay_set_id: each for each in SetTerms.objects.filter(essay_set__in=sets)}
    return {pk: known.get(pk) or SetTerms(essay_set_id=pk) for pk in sets}


def _moved(check: Assignment, extension: Extension, terms: SetTerms) -> datetime:
    if extension.day is not None:
        return moment(extension.day, extension.at or terms.due_time, terms.zone_info)
    start = max(check.deadline_at or check.now, check.now)
    return working_days_after(start, extension.working_days or 1, terms=terms).at
