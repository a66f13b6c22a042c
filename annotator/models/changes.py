"""The log of a draft's changes: its own, whoever decides about the check keeps the audit trail.

And what a new version of its essay has no place for.
"""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.core.changes import Change, from_json
from annotator.core.steps import Step


class MarkupChange(models.Model):
    """One step of an expert's work on a draft (``annotator.core.changes``).

    ``uid`` is given by the client, so that a repeated request makes the step once; ``version`` is
    the draft's after it. That of the submission is empty. ``page``
    names the browser and its tab that sent it, where one did.
    """

    class Step(models.TextChoices):
        MADE = Step.MADE.value, _("made")
        UNDONE = Step.UNDONE.value, _("undone")
        REDONE = Step.REDONE.value, _("made again")
        ASIDE = Step.ASIDE.value, _("no change of marks")
        FIXED = Step.FIXED.value, _("not to be undone")

    markup = models.ForeignKey(
        "annotator.MarkupRecord", models.CASCADE, related_name="changes", verbose_name=_("markup")
    )
    uid = models.UUIDField()
    version = models.PositiveIntegerField(_("version"))
    change = models.JSONField(_("change"))
    step = models.CharField(_("step"), max_length=6, choices=Step, default=Step.MADE)
    page = models.CharField(_("page"), max_length=80, blank=True)
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


class NotCarried(models.Model):
    """A fragment of a draft whose words the essay's new version does not have, or not at one place.

    It stands beside the draft until its expert has seen it.
    """

    markup = models.ForeignKey(
        "annotator.MarkupRecord",
        models.CASCADE,
        related_name="not_carried",
        verbose_name=_("markup"),
    )
    code = models.CharField(_("code"), max_length=60, blank=True)
    subcode = models.CharField(_("subcode"), max_length=60, blank=True)
    words = models.TextField(_("words"), blank=True)
    comment = models.TextField(_("comment"), blank=True)
    explanation = models.TextField(_("explanation"), blank=True)
    correction = models.TextField(_("correction"), blank=True)
    tag = models.CharField(_("tag"), max_length=60, blank=True)
    dismissed_at = models.DateTimeField(_("seen at"), null=True, blank=True)

    class Meta:
        verbose_name = _("fragment that was not carried")
        verbose_name_plural = _("fragments that were not carried")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.markup_id}: {self.code} {self.words}"
