"""Reports of solutions, computed by jobs and kept."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet


class SolutionReport(models.Model):
    """The analytic report of what an author sent for a set in one session, or freely (R 2.23).

    ``figures`` and ``change`` are those of ``scoring.core.report``, as ``report_json`` writes
    them, computed from the scores that ``revision`` names.
    """

    essay_set = models.ForeignKey(
        EssaySet, models.CASCADE, related_name="reports", verbose_name=_("essay set")
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="reports", verbose_name=_("author")
    )
    origin = models.CharField(_("origin"), max_length=40, blank=True)
    revision = models.CharField(max_length=80)
    figures = models.JSONField()
    change = models.JSONField(null=True)
    computed_at = models.DateTimeField(_("computed at"), db_default=Now())

    class Meta:
        verbose_name = _("report of a solution")
        verbose_name_plural = _("reports of solutions")
        constraints = [
            models.UniqueConstraint(
                fields=["essay_set", "author", "origin"], name="one_report_per_solution"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_set_id}: {self.author_id} {self.origin}"
