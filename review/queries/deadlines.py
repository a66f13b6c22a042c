"""Which checks are due when, and what of that nobody has been told yet."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Final

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from accounts.models import User
from annotator.models import Assignment, EssaySet, MarkupRecord
from annotator.queries.work import HANDED_IN, OPEN, OVERDUE, UNFINISHED
from review.core.reminding import TAKEN, TOLD, windows
from review.models.deadlines import (
    CalendarDay,
    Letter,
    LetterTerms,
    Overdue,
    Reminder,
    SetTerms,
    TimeLimit,
)
from web.prepared import Given, Prepared

MARKS: Final = Q(expert__is_active=True, expert__role=User.Role.EXPERT)
"""Checks whose experts may still do them."""


def entered_days(first: int, last: int) -> dict[date, bool]:
    """The days coordinators have entered for these years: working or off."""
    rows = CalendarDay.objects.filter(day__gte=date(first, 1, 1), day__lte=date(last, 12, 31))
    return dict(rows.values_list("day", "works"))


def terms_now(essay_set_id: int) -> SetTerms | None:
    """The terms of a set, with ``now``, the database's clock."""
    return SetTerms.objects.filter(essay_set=essay_set_id).annotate(now=Now()).first()


def zones_of(sets: Iterable[int]) -> dict[int, str]:
    """The time zones of those of these sets that have terms."""
    return dict(SetTerms.objects.filter(essay_set__in=sets).values_list("essay_set", "zone"))


def open_checks(
    essay_set: EssaySet | None, *, expert: User | None = None, only_late: bool = False
) -> QuerySet[Assignment]:
    """Checks that wait for their experts, most urgent first; ``zone``: their set's, if it has
    terms; ``is_overdue`` by the database's clock.
    """
    found = Assignment.objects.filter(OPEN).select_related("essay__essay_set", "expert")
    found = found.defer("essay__text", "essay__task_text")
    if essay_set is not None:
        found = found.filter(essay__essay_set=essay_set)
    if expert is not None:
        found = found.filter(expert=expert)
    if only_late:
        found = found.filter(OVERDUE)
    found = found.annotate(now=Now(), is_overdue=OVERDUE, zone=F("essay__essay_set__terms__zone"))
    return found.order_by(F("deadline_at").asc(nulls_last=True), "pk")


def experts_with_open_checks() -> QuerySet[User]:
    """Experts whom checks wait for, by their names."""
    held = Assignment.objects.filter(OPEN, expert=OuterRef("pk"))
    return User.objects.filter(Exists(held)).order_by("full_name", "username")


def pressing_checks(expert: User, within: timedelta) -> QuerySet[Assignment]:
    """An expert's open checks that are late or due within this time."""
    return open_checks(None, expert=expert).filter(deadline_at__lt=Now() + within)


def terms_that_remind() -> list[SetTerms]:
    """The terms of sets whose experts are reminded at all, with ``now``."""
    is_any = Q(before_hours__gt=0) | Q(at_deadline=True) | Q(every_days__gt=0, times__gt=0)
    return list(SetTerms.objects.filter(is_any).annotate(now=Now()))


def checks_to_remind_of(terms: Iterable[SetTerms], at: datetime) -> QuerySet[Assignment]:
    """Open checks of which the latest reminder due at that moment was not made.

    Nobody is reminded of what is to go to somebody else before that was tried.
    """
    made = (
        Reminder.objects.filter(assignment=OuterRef("pk"), deadline_at=OuterRef("deadline_at"))
        .exclude(step__in=TOLD)
        .order_by()
        .values("assignment")
        .annotate(last=Max("step"))
        .values("last")
    )
    due = Q(pk__in=[])
    for each in terms:
        for window in windows(each.schedule(), at):
            within = Q(essay__essay_set=each.essay_set_id, deadline_at__lte=window.until)
            if window.after is not None:
                within &= Q(deadline_at__gt=window.after)
            due |= within & (Q(last_step=None) | Q(last_step__lt=window.step))
    found = Assignment.objects.filter(OPEN, MARKS).alias(last_step=Subquery(made)).filter(due)
    return found.exclude(pk__in=_untried().values("pk"))


def reminders_without_letter() -> QuerySet[Reminder]:
    """Reminders that stand in no letter yet.

    What was taken from somebody is told once all that is overdue there was tried: in one letter.
    """
    whose = OuterRef("assignment__expert")
    loose = Reminder.objects.filter(letter=None, voided_at=None)
    return loose.exclude(Q(step=TAKEN) & Exists(_untried().filter(expert=whose)))


def standing_reminders(letter: Letter) -> QuerySet[Reminder]:
    """Of the reminders in a letter those that still hold: the check is open, its expert the same
    and its deadline too; or it was taken away. ``reopened_because``: why the check is open again.
    """
    drafts = MarkupRecord.objects.filter(
        assignment=OuterRef("assignment"), state=MarkupRecord.State.DRAFT
    )
    is_open = Exists(Assignment.objects.filter(OPEN, pk=OuterRef("assignment")))
    return (
        letter.reminders.filter(
            (Q(is_open) & Q(deadline_at=F("assignment__deadline_at"))) | Q(step=TAKEN),
            voided_at=None,
            assignment__expert__is_active=True,
            assignment__expert__role=User.Role.EXPERT,
        )
        .select_related("assignment__essay__essay_set__terms")
        .annotate(now=Now(), reopened_because=Subquery(drafts.values("reopened_because")[:1]))
        .order_by("deadline_at", "pk")
    )


def letters_to_try_again() -> QuerySet[Letter]:
    """Letters the mail server did not take, whose time has come."""
    return Letter.objects.filter(state=Letter.State.WAITING, try_at__lte=Now()).order_by("pk")


def refused_addresses() -> QuerySet[LetterTerms]:
    """People whose present address takes no letters."""
    found = LetterTerms.objects.filter(refused_at__isnull=False, person__is_active=True)
    return (
        found.filter(refused_address=F("person__email"))
        .select_related("person")
        .order_by("-refused_at", "-pk")
    )


def _untried() -> QuerySet[Assignment]:
    """Checks late enough to be given to somebody else, for whom nobody was looked for yet."""
    return overdue_checks(terms_that_reassign()).filter(overdue=None).order_by()


def overdue_checks(terms: Iterable[SetTerms]) -> QuerySet[Assignment]:
    """Checks late enough to be given to somebody else, of open sets; the longest untried first."""
    due = Q(pk__in=[])
    for each in terms:
        begun = UNFINISHED if each.reassign_begun else [Assignment.State.WAITING]
        before = each.now - timedelta(hours=each.reassign_hours or 0)
        due |= Q(essay__essay_set=each.essay_set_id, state__in=begun, deadline_at__lt=before)
    open_sets = EssaySet.objects.filter(state=EssaySet.State.OPEN)
    found = Assignment.objects.filter(
        ~HANDED_IN, due, round=F("essay__round"), essay__essay_set__in=open_sets
    )
    return found.order_by(F("overdue__tried_at").asc(nulls_first=True), "pk")


def terms_that_reassign() -> list[SetTerms]:
    """The terms of sets whose overdue checks are given to others, with ``now``."""
    return list(SetTerms.objects.filter(reassign_hours__isnull=False).annotate(now=Now()))


def lost_to_others(expert: User, within: timedelta) -> QuerySet[Overdue]:
    """An expert's overdue checks that were given to somebody else lately."""
    found = Overdue.objects.filter(assignment__expert=expert, given_at__gt=Now() - within)
    return found.select_related("assignment__essay").order_by("-given_at", "-pk")


def limit_for(essay_set_id: int, subject: str) -> int | None:
    """How many seconds a check of a subject may take in a set."""
    minutes = next(iter(_LIMITS(essay_set=essay_set_id, subject=subject)), None)
    return minutes * 60 if minutes else None


_LIMITS: Final = Prepared(
    lambda: (
        TimeLimit.objects.filter(essay_set=Given("essay_set"), subject=Given("subject"))
        .order_by("pk")
        .values_list("minutes", flat=True)[:1]
    )
)


def limits_of(essay_set: EssaySet) -> dict[str, int]:
    """The minutes a check may take, by subject."""
    return dict(essay_set.time_limits.values_list("subject", "minutes"))


def days_entered_in(year: int) -> QuerySet[CalendarDay]:
    """What coordinators entered for a year."""
    return CalendarDay.objects.filter(day__year=year)


def letters_given_up() -> QuerySet[Letter]:
    """Letters of the last week that no mail server took in all their tries, latest first."""
    lately = Letter.objects.filter(made_at__gt=Now() - timedelta(days=7), tries__gt=0)
    return lately.filter(state=Letter.State.REFUSED).order_by("-pk")
