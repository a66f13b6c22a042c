"""Essays and who checks them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.core.values import Meta, Subject
from annotator.models.sets import EssaySet


class Essay(models.Model):
    """A version of a pupil's essay (2.30). Its text never changes: the database refuses (see the
    migration). Another text is another version, which closes this one.

    ``revision`` counts the corrections of what is said about it.
    """

    essay_set = models.ForeignKey(
        EssaySet, models.PROTECT, related_name="essays", verbose_name=_("essay set")
    )
    number = models.CharField(_("number"), max_length=60)
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    subject = models.CharField(_("subject"), max_length=16, choices=settings.SUBJECTS)
    text = models.TextField(_("text"))
    theme = models.TextField(_("theme"), blank=True)
    task_text = models.TextField(_("source text"), blank=True)
    class_name = models.CharField(_("class"), max_length=60, blank=True)
    year = models.PositiveSmallIntegerField(_("year"), null=True, blank=True)
    category = models.CharField(_("line"), max_length=120, blank=True)
    test = models.CharField(_("test"), max_length=120, blank=True)
    round = models.PositiveSmallIntegerField(_("round of checks"), default=1)
    imported_at = models.DateTimeField(_("imported at"), db_default=Now())
    version = models.PositiveSmallIntegerField(_("version"), default=1, editable=False)
    revision = models.PositiveIntegerField(default=0, editable=False)
    closed_at = models.DateTimeField(_("replaced at"), null=True, blank=True, editable=False)
    replaced_because = models.TextField(_("why it was replaced"), blank=True, editable=False)

    class Meta:
        verbose_name = _("essay")
        verbose_name_plural = _("essays")
        ordering = ["essay_set", "number"]
        indexes = [  # what lists count and sort by, beside the long rows of the texts
            models.Index(
                fields=["closed_at", "essay_set", "number", "round", "subject"],
                name="essays_of_lists",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["essay_set", "number", "version"], name="one_essay_per_version"
            ),
            models.UniqueConstraint(
                fields=["essay_set", "number"],
                condition=Q(closed_at=None),
                name="one_latest_version_per_number",
            ),
            models.CheckConstraint(condition=~Q(text=""), name="essay_has_a_text"),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def core_subject(self) -> Subject:
        return Subject(self.subject)

    def meta(self) -> Meta:
        """The meta fields of the exchange format that belong to the essay."""
        return Meta(
            id=self.number,
            uuid=str(self.uuid),
            theme=self.theme,
            class_name=self.class_name,
            year=self.year,
            subject=self.core_subject,
            task_text=self.task_text,
            category=self.category,
            test=self.test,
        )


class Assignment(models.Model):
    """A promise that an expert will mark an essay."""

    class Role(models.TextChoices):
        FIRST = "first", _("first check")
        SECOND = "second", _("second check")
        THIRD = "third", _("third check")

    class State(models.TextChoices):
        WAITING = "waiting", _("not begun")
        WORKING = "working", _("in work")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("handed back")
        WITHDRAWN = "withdrawn", _("withdrawn")

    ACTIVE = (State.WAITING, State.WORKING, State.SUBMITTED)

    essay = models.ForeignKey(
        Essay, models.PROTECT, related_name="assignments", verbose_name=_("essay")
    )
    round = models.PositiveSmallIntegerField(_("round of checks"), default=1)
    role = models.CharField(_("check"), max_length=6, choices=Role)
    expert = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="assignments",
        db_index=False,  # "checks_of_an_expert" begins with it
        verbose_name=_("expert"),
    )
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    deadline_at = models.DateTimeField(_("deadline"), null=True, blank=True)
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    submitted_at = models.DateTimeField(_("submitted at"), null=True, blank=True)

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        ordering = ["essay", "round", "pk"]
        indexes = [
            models.Index(
                fields=["deadline_at"],
                condition=Q(state__in=["waiting", "working"]),
                name="open_checks_by_deadline",
            ),
            models.Index(
                fields=["essay", "round", "deadline_at"],
                condition=Q(state__in=["waiting", "working"]),
                name="open_checks_of_an_essay",
            ),
            models.Index(
                fields=["essay", "round", "role", "state"],
                condition=Q(state__in=["waiting", "working", "submitted"]),
                name="active_checks",
            ),
            models.Index(fields=["essay"], condition=Q(state="returned"), name="returned_checks"),
            models.Index(fields=["expert", "state", "deadline_at"], name="checks_of_an_expert"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["essay", "round", "role"],
                condition=Q(state__in=["waiting", "working", "submitted"]),
                name="one_active_expert_per_role",
            ),
            # who lost it unopened may have it again; who had begun, ``review`` passes over
            models.UniqueConstraint(
                fields=["essay", "round", "expert"],
                condition=~Q(state="withdrawn"),
                name="one_assignment_per_expert",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_id} {self.role}: {self.expert_id}"

    @property
    def is_active(self) -> bool:
        return self.state in self.ACTIVE

    @property
    def is_late(self) -> bool:
        """Submitted after its deadline: accepted, and marked so."""
        return bool(self.submitted_at and self.deadline_at and self.submitted_at > self.deadline_at)
