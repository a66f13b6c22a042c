from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """A promise that a piece of work is done exactly once, however often the bell rings.

    Ordered in the transaction of the change that needs it; the broker only rings. ``key`` names
    the work, so that ordering it twice orders it once. ``token`` and ``lease_until`` belong to
    the worker that has it; a worker whose lease ran out loses it to the next. ``attempts`` counts
    how often it was begun, not how often it was taken.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    class Priority(models.IntegerChoices):
        """Who waits for it; of one priority the oldest comes first."""

        PEOPLE = 0, _("people’s work")
        RUNS = 1, _("programs’ work")
        BULK = 2, _("in bulk")

    key = models.CharField(_("key"), max_length=120, unique=True)
    kind = models.CharField(_("kind"), max_length=80)
    args = models.JSONField(_("arguments"), default=dict)
    priority = models.PositiveSmallIntegerField(
        _("priority"), choices=Priority, default=Priority.PEOPLE, db_default=Priority.PEOPLE
    )
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.QUEUED)
    token = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(_("leased until"), null=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("not tried before"), db_default=Now())
    error = models.TextField(_("error"), blank=True)
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    started_at = models.DateTimeField(_("begun at"), null=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["priority", "id"], condition=Q(state="queued"), name="jobs_waiting"
            ),
            models.Index(fields=["lease_until"], condition=Q(state="running"), name="jobs_running"),
            models.Index(fields=["id"], condition=Q(state="failed"), name="jobs_failed"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="running", token__isnull=False, lease_until__isnull=False)
                | ~Q(state="running"),
                name="running_job_has_an_owner",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} ({self.state})"


class Bell(models.Model):
    """How many messages are on their way to the workers: one row, counted by the database.

    ``turns``: how many messages were heard so far.
    """

    rung = models.PositiveIntegerField(default=0)
    turns = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("bell")
        verbose_name_plural = _("bells")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="there_is_one_bell")]

    def __str__(self) -> str:
        return f"{self.rung} / {self.turns}"


class Worker(models.Model):
    """A worker that is alive: it says so every few seconds, also during a job.

    ``hands``: how many jobs it does at once.
    """

    name = models.CharField(_("name"), max_length=200, unique=True)
    hands = models.PositiveSmallIntegerField(_("jobs at once"), default=1)
    started_at = models.DateTimeField(_("begun at"), db_default=Now())
    beat_at = models.DateTimeField(_("last sign of life"), db_default=Now())

    class Meta:
        verbose_name = _("worker")
        verbose_name_plural = _("workers")

    def __str__(self) -> str:
        return self.name
