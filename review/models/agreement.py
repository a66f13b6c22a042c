"""Where experts differ, computed and kept."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet


class AgreementReport(models.Model):
    """Where the experts of an essay set differ: computed by a job, kept for one ``revision``.

    ``figures`` are those of ``review.core.agreement.Agreement``, ``pairs`` the ``Compared`` they
    are counted from, both as ``review.core.agreement_json`` writes them: numbers, no words.
    """

    essay_set = models.OneToOneField(
        EssaySet,
        models.CASCADE,
        primary_key=True,
        related_name="agreement",
        verbose_name=_("essay set"),
    )
    revision = models.CharField(max_length=64)
    figures = models.JSONField(default=list)
    pairs = models.JSONField(default=list)
    computed_at = models.DateTimeField(_("computed at"), db_default=Now())

    class Meta:
        verbose_name = _("agreement of experts")
        verbose_name_plural = _("agreement of experts")

    def __str__(self) -> str:
        return f"{self.essay_set_id}: {self.revision}"
