"""By when checks are due: the terms of a set, the calendar, reminders and their letters."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from annotator.models import Assignment, EssaySet, MarkupRecord
from review.core.reminding import Schedule
from review.models.notes import Note

DEFAULT_ZONE: Final = "Europe/Moscow"


class CalendarDay(models.Model):
    """A day that is not as the calendar of the country has it."""

    day = models.DateField(_("day"), unique=True)
    works = models.BooleanField(_("a working day"), default=False)
    note = models.CharField(_("note"), max_length=120, blank=True)

    class Meta:
        verbose_name = _("day of the calendar")
        verbose_name_plural = _("days of the calendar")
        ordering = ["day"]

    def __str__(self) -> str:
        return f"{self.day}: {'+' if self.works else '-'}"


class SetTerms(models.Model):
    """By when the checks of a set are due, who is reminded when, and what becomes of late ones.

    Without a row a check is due so many days after it was given as the rules say, and nobody is
    reminded.
    """

    class DueBy(models.TextChoices):
        DAYS = "days", _("calendar days, as the rules of the set say")
        WORKING = "working", _("working days")
        DATE = "date", _("a date")

    essay_set = models.OneToOneField(
        EssaySet, models.CASCADE, related_name="terms", verbose_name=_("essay set")
    )
    zone = models.CharField(_("time zone"), max_length=64, default=DEFAULT_ZONE)
    due_by = models.CharField(_("due by"), max_length=7, choices=DueBy, default=DueBy.DAYS)
    working_days = models.PositiveSmallIntegerField(_("working days"), null=True, blank=True)
    due_on = models.DateField(_("date"), null=True, blank=True)
    due_time = models.TimeField(_("time of the day"), null=True, blank=True)
    before_hours = models.PositiveSmallIntegerField(_("hours before"), null=True, blank=True)
    at_deadline = models.BooleanField(_("at the deadline"), default=False)
    every_days = models.PositiveSmallIntegerField(_("days between"), null=True, blank=True)
    times = models.PositiveSmallIntegerField(_("letters after it"), default=0)
    reassign_hours = models.PositiveSmallIntegerField(_("hours overdue"), null=True, blank=True)
    reassign_begun = models.BooleanField(_("begun work too"), default=False)

    class Meta:
        verbose_name = _("deadlines of a set")
        verbose_name_plural = _("deadlines of sets")
        constraints = [
            models.CheckConstraint(
                condition=~Q(due_by="working") | Q(working_days__gte=1),
                name="working_days_are_counted",
            ),
            models.CheckConstraint(
                condition=~Q(due_by="date") | Q(due_on__isnull=False),
                name="date_of_the_deadline_is_there",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_set_id} {self.due_by}"

    @property
    def zone_info(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def schedule(self) -> Schedule:
        """When an expert is reminded, as the core reads it."""
        return Schedule(
            before=timedelta(hours=self.before_hours) if self.before_hours else None,
            at=self.at_deadline,
            every=timedelta(days=self.every_days) if self.every_days else None,
            times=self.times,
        )


class TimeLimit(models.Model):
    """How many minutes a check of a subject may take in a set: said and kept, never enforced."""

    essay_set = models.ForeignKey(
        EssaySet, models.CASCADE, related_name="time_limits", verbose_name=_("essay set")
    )
    subject = models.CharField(_("subject"), max_length=16, choices=settings.SUBJECTS)
    minutes = models.PositiveSmallIntegerField(_("minutes"))

    class Meta:
        verbose_name = _("limit in minutes")
        verbose_name_plural = _("limits in minutes")
        constraints = [
            models.UniqueConstraint(fields=["essay_set", "subject"], name="one_limit_per_subject"),
            models.CheckConstraint(condition=Q(minutes__gte=1), name="limit_is_not_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.essay_set_id} {self.subject}: {self.minutes}"


class WorkTime(models.Model):
    """How long a submitted check took, and how long it might have: as it was when it came."""

    markup = models.OneToOneField(
        MarkupRecord, models.CASCADE, related_name="work_time", verbose_name=_("markup")
    )
    seconds = models.PositiveIntegerField(_("seconds at work"))
    limit_seconds = models.PositiveIntegerField(_("limit in seconds"))
    is_past = models.BooleanField(_("past the limit"))

    class Meta:
        verbose_name = _("time at work")
        verbose_name_plural = _("times at work")

    def __str__(self) -> str:
        return f"{self.markup_id}: {self.seconds}/{self.limit_seconds}"

    @property
    def minutes(self) -> int:
        return self.seconds // 60

    @property
    def limit_minutes(self) -> int:
        return self.limit_seconds // 60


NO_ADDRESS: Final = "no-address"
"""Why no letter reaches somebody who has no address; anything else is what a mail server said."""


def told(reason: str) -> str:
    """Why no letter reached somebody, in the reader's language where it is ours to say."""
    return gettext("There is no e-mail address.") if reason == NO_ADDRESS else reason


class LetterTerms(models.Model):
    """In which language somebody reads letters, and which address took none and why.

    ``refused_because``: ``NO_ADDRESS``, or the words of a mail server.
    """

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="letter_terms",
        verbose_name=_("person"),
    )
    language = models.CharField(_("language"), max_length=7, choices=settings.LANGUAGES, blank=True)
    refused_address = models.CharField(_("refused address"), max_length=254, blank=True)
    refused_because = models.CharField(_("why it was refused"), max_length=300, blank=True)
    refused_at = models.DateTimeField(_("refused at"), null=True, blank=True)

    class Meta:
        verbose_name = _("letters of a person")
        verbose_name_plural = _("letters of people")

    def __str__(self) -> str:
        return f"{self.person_id} {self.language}"

    @property
    def because(self) -> str:
        """Why letters do not arrive, for whoever reads it now."""
        return told(self.refused_because)


class Letter(models.Model):
    """A letter to one person: about deadlines, of all checks that are due for it at once; about a
    ``verdict``: a set that was returned; or about a ``note``: to coordinators that it came, to its
    expert that it was answered.

    ``key`` makes its Message-ID: a worker that is lost between sending and writing so down leaves
    a letter that goes out again under the same one.
    """

    class State(models.TextChoices):
        ORDERED = "ordered", _("ordered")
        WAITING = "waiting", _("put off")
        SENT = "sent", _("sent")
        REFUSED = "refused", _("refused")
        VOID = "void", _("not needed any more")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="letters", verbose_name=_("person")
    )
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    verdict = models.ForeignKey(
        "review.Verdict",
        models.PROTECT,
        null=True,
        related_name="letters",
        verbose_name=_("verdict"),
    )
    note = models.ForeignKey(
        Note, models.CASCADE, null=True, related_name="letters", verbose_name=_("message")
    )
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.ORDERED)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    try_at = models.DateTimeField(_("next try"), db_default=Now())
    made_at = models.DateTimeField(_("made at"), db_default=Now())
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    error = models.CharField(_("error"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        indexes = [
            models.Index(fields=["try_at"], condition=Q(state="waiting"), name="letters_that_wait"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~Q(state="sent") | Q(sent_at__isnull=False), name="sent_letter_has_a_time"
            ),
            models.UniqueConstraint(fields=["person", "verdict"], name="one_letter_of_a_verdict"),
            models.UniqueConstraint(fields=["person", "note"], name="one_letter_a_person_and_note"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} {self.state}"

    @property
    def because(self) -> str:
        """Why it did not arrive, for whoever reads it now."""
        return told(self.error)


class Reminder(models.Model):
    """One reminder of one check's deadline; ``step`` says which (``review.core.reminding``).

    ``due_at``: the moment it was due. It goes out in a letter, together with what else its expert
    is reminded of, or is voided before.
    """

    assignment = models.ForeignKey(
        Assignment, models.CASCADE, related_name="reminders", verbose_name=_("assignment")
    )
    step = models.PositiveSmallIntegerField(_("step"))
    deadline_at = models.DateTimeField(_("deadline"))
    due_at = models.DateTimeField(_("due at"))
    letter = models.ForeignKey(
        Letter, models.CASCADE, null=True, related_name="reminders", verbose_name=_("letter")
    )
    voided_at = models.DateTimeField(_("voided at"), null=True, blank=True)

    class Meta:
        verbose_name = _("reminder")
        verbose_name_plural = _("reminders")
        indexes = [
            models.Index(
                fields=["id"],
                condition=Q(letter__isnull=True, voided_at__isnull=True),
                name="reminders_without_a_letter",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "deadline_at", "step"], name="one_reminder_per_step"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id} {self.step}"


class Overdue(models.Model):
    """A check late enough to be given to somebody else; when it was tried, and who has it."""

    assignment = models.OneToOneField(
        Assignment, models.CASCADE, related_name="overdue", verbose_name=_("assignment")
    )
    tried_at = models.DateTimeField(_("last tried to assign at"), null=True)
    successor = models.OneToOneField(
        Assignment,
        models.SET_NULL,
        null=True,
        related_name="taken_over_from",
        verbose_name=_("given on as"),
    )
    given_at = models.DateTimeField(_("given on at"), null=True)

    class Meta:
        verbose_name = _("overdue check")
        verbose_name_plural = _("overdue checks")

    def __str__(self) -> str:
        return f"{self.assignment_id} -> {self.successor_id}"
