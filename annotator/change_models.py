"""The log of a draft's changes: its own, whoever decides about the check keeps the audit trail."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.core.changes import Change, from_json


class MarkupChange(models.Model):
    """One step of an expert's work on a draft (``annotator.core.changes``).

    ``uid`` is given by the client, so that a repeated request makes the step once; ``version`` is
    the draft's after it. That of a third expert's ruling, and of the submission, is empty.
    """

    markup = models.ForeignKey(
        "annotator.MarkupRecord", models.CASCADE, related_name="changes", verbose_name=_("markup")
    )
    uid = models.UUIDField()
    version = models.PositiveIntegerField(_("version"))
    change = models.JSONField(_("change"))
    made_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("change of a markup")
        verbose_name_plural = _("changes of markups")
        ordering = ["markup", "version"]
        constraints = [
            models.UniqueConstraint(fields=["markup", "uid"], name="one_change_per_uid"),
            models.UniqueConstraint(fields=["markup", "version"], name="one_change_per_version"),
        ]

    def __str__(self) -> str:
        return f"{self.markup_id}: {self.version}"

    def to_core(self) -> Change:
        """The value."""
        return from_json(self.change)
