"""By which name participants know an expert in an essay set."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ExpertAlias(models.Model):
    """An expert's number in an essay set: drawn with the first submission, it never changes."""

    essay_set = models.ForeignKey(
        "annotator.EssaySet", models.CASCADE, related_name="aliases", verbose_name=_("essay set")
    )
    expert = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("expert")
    )
    number = models.PositiveSmallIntegerField(_("number"))

    class Meta:
        verbose_name = _("alias of an expert")
        verbose_name_plural = _("aliases of experts")
        constraints = [
            models.UniqueConstraint(
                fields=["essay_set", "expert"], name="one_alias_per_expert_and_set"
            ),
            models.UniqueConstraint(
                fields=["essay_set", "number"], name="one_expert_per_alias_and_set"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_set_id}: {self.number}"
