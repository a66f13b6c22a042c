"""Archives of markups that participants hand in for a set, and what became of their files."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.core.messages import sentence_of
from annotator.core.problems import from_json
from annotator.models import Essay, EssaySet, MarkupRecord
from jobs.models import Job


class Parcel(models.Model):
    """An archive as it was sent, of ``size`` files; its content is forgotten once it is taken.

    ``digest`` is of the content: while a parcel waits, the same one sent again is this one. The
    counts are of the files taken so far, by their outcome.
    """

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("parcel", "being taken in")
        DONE = "done", pgettext_lazy("parcel", "taken in")

    participant = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="parcels",
        verbose_name=_("participant"),
    )
    essay_set = models.ForeignKey(
        EssaySet, models.PROTECT, related_name="parcels", verbose_name=_("essay set")
    )
    name = models.CharField(_("file"), max_length=255)
    content = models.BinaryField()
    digest = models.CharField(max_length=64)
    state = models.CharField(_("state"), max_length=7, choices=State, default=State.WAITING)
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    size = models.PositiveIntegerField(_("files"))
    taken = models.PositiveIntegerField(_("taken"), default=0)
    known = models.PositiveIntegerField(_("known already"), default=0)
    refused = models.PositiveIntegerField(_("refused"), default=0)
    sent_at = models.DateTimeField(_("sent at"), db_default=Now())
    done_at = models.DateTimeField(_("taken in at"), null=True)

    class Meta:
        verbose_name = _("archive of markups")
        verbose_name_plural = _("archives of markups")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["participant", "essay_set", "digest"],
                condition=Q(state="waiting"),
                name="one_parcel_while_it_waits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.participant_id} ({self.state})"

    @property
    def is_lost(self) -> bool:
        """True when its job was given up; what was taken by then stays."""
        is_waiting = self.state == self.State.WAITING
        return is_waiting and (self.job is None or self.job.state == Job.State.FAILED)

    @property
    def is_under_way(self) -> bool:
        return self.state == self.State.WAITING and not self.is_lost

    @property
    def come(self) -> int:
        """How many of its files it is known of what became of them."""
        return self.accepted + self.refused

    @property
    def accepted(self) -> int:
        """How many of its files hold markups that stand now."""
        return self.taken + self.known


class ParcelFile(models.Model):
    """A file of a parcel: what became of it and why; written together with its markup.

    ``refused_for`` and ``remarked`` are problems as ``core.problems.to_json`` writes them.
    """

    class Outcome(models.TextChoices):
        TAKEN = "taken", pgettext_lazy("file of a parcel", "taken")
        KNOWN = "known", pgettext_lazy("file of a parcel", "known already")
        REFUSED = "refused", pgettext_lazy("file of a parcel", "refused")

    parcel = models.ForeignKey(Parcel, models.CASCADE, related_name="files")
    position = models.PositiveIntegerField()
    name = models.CharField(_("file"), max_length=255)
    outcome = models.CharField(_("outcome"), max_length=7, choices=Outcome)
    refused_for = models.JSONField(default=list)
    remarked = models.JSONField(default=list)
    essay = models.ForeignKey(Essay, models.SET_NULL, null=True, related_name="+")
    markup = models.ForeignKey(MarkupRecord, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("file of an archive")
        verbose_name_plural = _("files of archives")
        ordering = ["parcel", "position"]
        constraints = [
            models.UniqueConstraint(fields=["parcel", "position"], name="one_outcome_a_file"),
        ]

    def __str__(self) -> str:
        return f"{self.parcel_id} {self.name}"

    @property
    def reason(self) -> str:
        """Why it was refused, in the reader's language."""
        return " ".join(self.reasons)

    @property
    def reasons(self) -> list[str]:
        """The same, a sentence for each problem."""
        return _sentences(self.refused_for)

    @property
    def remarks(self) -> list[str]:
        """What was odd in it, in the reader's language."""
        return _sentences(self.remarked)


def _sentences(problems: list[dict[str, Any]]) -> list[str]:
    return [sentence_of(from_json(each), gettext) for each in problems]
