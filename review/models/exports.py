"""What is taken out in bulk, and what programs asked for."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet
from jobs.models import Job
from web.files import named


class Export(models.Model):
    """A file somebody ordered: made by a job, kept for some days.

    ``digest`` names what is in it: the kind, the set at its revision, the form. ``done`` of
    ``total`` essays or people are written. ``language`` is that of its headings.
    """

    class Kind(models.TextChoices):
        RESULTS = "results", _("results")
        MARKUPS = "markups", _("all markups")
        AGREEMENT = "agreement", _("where experts differ")
        PEOPLE = "people", _("people")
        TRAINING = "training", _("training set")

    class Form(models.TextChoices):
        CSV = "csv", _("CSV, commas")
        RUSSIAN_CSV = "csv-ru", _("CSV for Russian Excel: semicolons, decimal commas")
        XLSX = "xlsx", _("Excel workbook")
        ZIP = "zip", _("archive of .json and .txt")
        JSONL = "jsonl", _("JSON, a markup a line")

    class State(models.TextChoices):
        WAITING = "waiting", _("waits")
        RUNNING = "running", _("being made")
        DONE = "done", _("ready")
        FAILED = "failed", _("failed")
        EXPIRED = "expired", _("deleted")

    LIVE = (State.WAITING, State.RUNNING, State.DONE)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="exports", verbose_name=_("who")
    )
    kind = models.CharField(_("contents"), max_length=9, choices=Kind)
    form = models.CharField(_("form"), max_length=6, choices=Form)
    essay_set = models.ForeignKey(
        EssaySet,
        models.CASCADE,
        null=True,
        related_name="exports",
        verbose_name=_("essay set"),
    )
    language = models.CharField(_("language"), max_length=8)
    digest = models.CharField(max_length=64)
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.WAITING)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    done = models.PositiveIntegerField(_("written"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    size = models.PositiveBigIntegerField(_("size in bytes"), null=True)
    ordered_at = models.DateTimeField(_("ordered at"), db_default=Now())
    finished_at = models.DateTimeField(_("finished at"), null=True)
    expires_at = models.DateTimeField(_("kept until"), null=True)

    class Meta:
        verbose_name = _("export")
        verbose_name_plural = _("exports")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "expires_at"], name="exports_by_end")]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "digest"],
                condition=Q(state__in=["waiting", "running", "done"]),
                name="one_export_while_nothing_changed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"

    @property
    def job_key(self) -> str:
        """The key of the job that makes the file."""
        return f"export:{self.uuid}"

    @property
    def is_lost(self) -> bool:
        """True when its job was given up."""
        is_open = self.state in (self.State.WAITING, self.State.RUNNING)
        return is_open and self.job is not None and self.job.state == Job.State.FAILED

    @property
    def is_under_way(self) -> bool:
        """True while something more will happen."""
        is_open = self.state in (self.State.WAITING, self.State.RUNNING)
        return is_open and not self.is_lost

    @property
    def ending(self) -> str:
        """The ending of the file's name."""
        return "csv" if self.form == self.Form.RUSSIAN_CSV else str(self.form)

    @property
    def file_name(self) -> str:
        """The name the file is kept by, in the language of whoever takes it."""
        about = [self.essay_set.name] if self.essay_set else []
        return named(*about, self.get_kind_display(), ending=self.ending)


class ClientCall(models.Model):
    """Something a program asked for under a name of its own, or a page under that of its question:
    asked again it is answered the same.

    ``made`` is the number of the row that came of it; of deadlines, how many were moved.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    made = models.PositiveBigIntegerField()
    called_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("call of a program")
        verbose_name_plural = _("calls of programs")
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="one_call_of_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.name}"
