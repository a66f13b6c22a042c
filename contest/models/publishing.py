"""Archives that organisers ordered: made by a job, published when they are whole."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from contest.models.contests import Contest
from contest.models.protocols import Publication
from jobs.models import Job


class PublicationOrder(models.Model):
    """An archive that is to be published; of a kind one is made at a time.

    ``done`` of ``total`` files are written. ``refused``: why nothing came of it.
    """

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="orders", verbose_name=_("contest")
    )
    kind = models.CharField(_("archive"), max_length=8, choices=Publication.Kind)
    ordered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    done = models.PositiveIntegerField(_("written"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    publication = models.ForeignKey(Publication, models.PROTECT, null=True, related_name="+")
    refused = models.TextField(_("why not"), blank=True)
    ordered_at = models.DateTimeField(_("ordered at"), db_default=Now())
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        verbose_name = _("ordered archive")
        verbose_name_plural = _("ordered archives")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["contest", "kind"],
                condition=Q(finished_at=None),
                name="one_archive_of_a_kind_is_made",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.contest_id}: {self.kind}"

    @property
    def job_key(self) -> str:
        """The key of the job that makes the archive."""
        return f"publication:{self.pk}"

    @property
    def is_lost(self) -> bool:
        """True when its job was given up."""
        is_open = self.finished_at is None
        return is_open and self.job is not None and self.job.state == Job.State.FAILED

    @property
    def is_under_way(self) -> bool:
        """True while something more will happen."""
        return self.finished_at is None and not self.is_lost
