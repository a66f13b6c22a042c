from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """A promise that a piece of work is done exactly once, however often the bell rings.

    Ordered in the transaction of the change that needs it; the broker only rings. ``key`` names
    the work, so that ordering it twice orders it once. ``token`` and ``lease_until`` belong to
    the worker that has it; a worker whose lease ran out loses it to the next.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    key = models.CharField(_("key"), max_length=120, unique=True)
    kind = models.CharField(_("kind"), max_length=80)
    args = models.JSONField(_("arguments"), default=dict)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.QUEUED)
    token = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(_("leased until"), null=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_ring_at = models.DateTimeField(_("next ring at"), db_default=Now())
    error = models.TextField(_("error"), blank=True)
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    started_at = models.DateTimeField(_("begun at"), null=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["next_ring_at"], condition=Q(state="queued"), name="jobs_waiting"),
            models.Index(fields=["lease_until"], condition=Q(state="running"), name="jobs_running"),
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
