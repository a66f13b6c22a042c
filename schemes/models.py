from __future__ import annotations

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from jobs.models import Job


class StoredKey(models.Model):
    """A key (rule, reference) of a scheme that may stand in for an uploaded one.

    Its contents never change. Its owner and the coordinators read it; once ``offered``, everybody
    may have runs scored by it without seeing a word of it. ``source``: the input it stands in for,
    where a contest keeps another one than people store; only the contest’s runs go by it.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        User, models.CASCADE, related_name="scheme_keys", verbose_name=_("owner")
    )
    scheme = models.CharField(_("scheme"), max_length=40)
    source = models.CharField(_("input"), max_length=40, blank=True, editable=False)
    name = models.CharField(_("name"), max_length=80)
    offered = models.BooleanField(_("offered to everybody"), default=False)
    content = models.BinaryField(_("contents"))
    size = models.PositiveIntegerField(_("size in bytes"))
    made_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        db_table = "scoring_storedkey"
        verbose_name = _("stored key")
        verbose_name_plural = _("stored keys")
        ordering = ["scheme", "name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "scheme", "name"], name="one_key_of_a_name_and_scheme"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SchemeRun(models.Model):
    """A scheme applied to somebody's inputs, once: what was asked, how far it is, what came out.

    ``figures``, ``problems`` and ``readings`` are those of ``schemes.adapters.scheme.Scored``.
    ``veiled``: the key is somebody else's, so nothing of it may be told.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    FINISHED = (State.DONE, State.FAILED)

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    owner = models.ForeignKey(
        User, models.CASCADE, related_name="scheme_runs", verbose_name=_("owner")
    )
    scheme = models.CharField(_("scheme"), max_length=40)
    version = models.CharField(_("version of the scheme"), max_length=20)
    name = models.CharField(_("name"), max_length=80, blank=True)
    options = models.JSONField(_("options"), default=dict)
    key = models.ForeignKey(
        StoredKey,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="runs",
        verbose_name=_("stored key"),
    )
    veiled = models.BooleanField(_("of somebody else’s key"), default=False)
    job = models.OneToOneField(
        Job, models.SET_NULL, null=True, related_name="+", verbose_name=_("job")
    )
    client_key = models.CharField(_("key of the sender"), max_length=80, null=True, blank=True)  # noqa: DJ001 - null is no key
    client_digest = models.CharField(_("digest of what was sent"), max_length=64, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.QUEUED)
    done = models.PositiveIntegerField(_("items done"), default=0)
    total = models.PositiveIntegerField(_("items in all"), default=0)
    figures = models.JSONField(_("figures"), default=dict)
    problems = models.JSONField(_("problems"), default=list)
    readings = models.JSONField(_("readings"), default=list)
    created_at = models.DateTimeField(_("ordered at"), db_default=Now())
    started_at = models.DateTimeField(_("begun at"), null=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        db_table = "scoring_schemerun"
        verbose_name = _("run of a scheme")
        verbose_name_plural = _("runs of schemes")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["owner", "scheme", "-id"], name="runs_of_an_owner")]
        constraints = [
            models.UniqueConstraint(fields=["owner", "client_key"], name="one_run_per_client_key"),
        ]

    def __str__(self) -> str:
        return f"{self.scheme} {self.uuid}"

    @property
    def job_key(self) -> str:
        """The key of the job that scores the run."""
        return f"scheme:{self.uuid}"

    @property
    def is_lost(self) -> bool:
        """True when its job was given up: it killed its worker, or met a fault of the program."""
        job = self.job
        return self.state not in self.FINISHED and job is not None and job.state == Job.State.FAILED

    @property
    def is_finished(self) -> bool:
        """True when nothing more will happen."""
        return self.state in self.FINISHED or self.is_lost


class SchemeInput(models.Model):
    """An input of a run as it came in."""

    run = models.ForeignKey(SchemeRun, models.CASCADE, related_name="inputs", verbose_name=_("run"))
    source = models.CharField(_("input"), max_length=40)
    name = models.CharField(_("name of the file"), max_length=200, blank=True)
    content = models.BinaryField(_("contents"))
    size = models.PositiveIntegerField(_("size in bytes"))

    class Meta:
        db_table = "scoring_schemeinput"
        verbose_name = _("input of a run")
        verbose_name_plural = _("inputs of runs")
        constraints = [
            models.UniqueConstraint(fields=["run", "source"], name="one_input_of_each_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.source}"


class SchemeItem(models.Model):
    """One line of a run's table; its fields are those of ``schemes.adapters.scheme.Item``."""

    run = models.ForeignKey(SchemeRun, models.CASCADE, related_name="items", verbose_name=_("run"))
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=200)
    group = models.CharField(_("group"), max_length=200, blank=True)
    verdict = models.CharField(_("verdict"), max_length=20)
    points = models.FloatField(_("points"), null=True)
    maximum = models.FloatField(_("of"), null=True)
    reason = models.JSONField(_("reason"), default=dict)
    cells = models.JSONField(_("cells"), default=dict)

    class Meta:
        db_table = "scoring_schemeitem"
        verbose_name = _("item of a run")
        verbose_name_plural = _("items of runs")
        ordering = ["run", "number"]
        indexes = [
            models.Index(fields=["run", "verdict", "number"], name="items_by_verdict"),
            models.Index(fields=["run", "group", "number"], name="items_by_group"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="one_item_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.name}"
