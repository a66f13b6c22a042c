"""Finals and rehearsals, as organisers plan them (R 7.3 to 7.5, 7.15)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.models import Essay, EssaySet
from web.validators import clean_name


class Final(models.Model):
    """A run of the finals or a rehearsal: its files open at the same moments for everybody.

    ``rules``: what differs from those of a final, as ``contest.core.session_json`` names it.
    ``seed``: its files were drawn and put in their order by it. A restart is another run with files
    that were not given out before (R 7.15); ``former`` is the one it takes the place of.
    """

    class Kind(models.TextChoices):
        FINAL = "final", pgettext_lazy("exchange session", "final")
        REHEARSAL = "rehearsal", pgettext_lazy("exchange session", "rehearsal")

    name = models.CharField(_("name"), max_length=80, validators=[clean_name])
    kind = models.CharField(_("kind"), max_length=9, choices=Kind, default=Kind.FINAL)
    essay_set = models.ForeignKey(
        EssaySet, models.PROTECT, related_name="planned_finals", verbose_name=_("essay set")
    )
    rules = models.JSONField(_("rules"), default=dict, blank=True)
    starts_at = models.DateTimeField(_("start"))
    run = models.PositiveSmallIntegerField(_("run"), default=1, editable=False)
    former = models.OneToOneField(
        "self",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="restart",
        verbose_name=_("former run"),
    )
    seed = models.BigIntegerField(editable=False)
    planned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("planned by"),
    )
    created_at = models.DateTimeField(_("made at"), db_default=Now())
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, editable=False)
    cancelled_because = models.TextField(_("reason"), blank=True, editable=False)

    class Meta:
        verbose_name = _("final")
        verbose_name_plural = _("finals")
        ordering = ["-starts_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["name", "run"], name="one_final_per_name_and_run"),
            models.CheckConstraint(
                condition=Q(cancelled_at=None) | ~Q(cancelled_because=""),
                name="cancelled_final_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.run}" if self.run > 1 else self.name

    @property
    def is_rehearsal(self) -> bool:
        return self.kind == self.Kind.REHEARSAL


class FinalFile(models.Model):
    """The k-th file of a final; the order is the same for everybody."""

    final = models.ForeignKey(Final, models.CASCADE, related_name="files")
    position = models.PositiveSmallIntegerField()
    essay = models.ForeignKey(Essay, models.PROTECT, related_name="+")

    class Meta:
        ordering = ["final", "position"]
        constraints = [
            models.UniqueConstraint(fields=["final", "position"], name="one_file_per_position"),
            models.UniqueConstraint(fields=["final", "essay"], name="one_file_per_essay"),
        ]

    def __str__(self) -> str:
        return f"{self.final_id} {self.position}"


class Admission(models.Model):
    """A participant who may open a session of a final."""

    final = models.ForeignKey(Final, models.CASCADE, related_name="admissions")
    participant = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="admissions"
    )

    class Meta:
        ordering = ["final", "participant"]
        constraints = [
            models.UniqueConstraint(
                fields=["final", "participant"], name="one_admission_per_participant"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.final_id} {self.participant_id}"


class RestartBasis(models.Model):
    """By which protocols a run was started anew (R 7.15.1); a row never changes."""

    final = models.OneToOneField(Final, models.CASCADE, related_name="basis")
    judges = models.CharField(_("protocol of the judges"), max_length=200)
    commission = models.CharField(_("protocol of the commission"), max_length=200)

    class Meta:
        verbose_name = _("basis of a restart")
        verbose_name_plural = _("bases of restarts")
        constraints = [
            models.CheckConstraint(
                condition=~Q(judges="") & ~Q(commission=""), name="restart_names_both_protocols"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.final_id}: {self.judges}, {self.commission}"
