"""Protocols of phases, annulments by organisers, and what was published (R 7.13, 8, 9.5)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models.contests import Contest, Phase
from contest.models.sessions import ExchangeSession
from contest.models.uploads import Upload


class PhaseProtocol(models.Model):
    """The results of a phase as they were when judges checked them: canonical JSON, its SHA-256.

    Neither ever changes: what is returned is void, and stays.
    """

    phase = models.ForeignKey(
        Phase, models.PROTECT, related_name="protocols", verbose_name=_("phase")
    )
    content = models.TextField(_("content"))
    digest = models.CharField(_("digest"), max_length=64)
    made_at = models.DateTimeField(_("made at"), db_default=Now())
    voided_at = models.DateTimeField(_("void since"), null=True)

    class Meta:
        verbose_name = _("protocol of a phase")
        verbose_name_plural = _("protocols of phases")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["phase"],
                condition=Q(voided_at=None),
                name="one_protocol_stands_per_phase",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.phase_id}: {self.digest[:12]}"


class PhaseVerdict(models.Model):
    """Who said what of a protocol: judges, then the commission, then organisers (R 8.1, 8.2)."""

    class Kind(models.TextChoices):
        CHECKED = "checked", pgettext_lazy("verdict of a phase", "checked")
        VERIFIED = "verified", pgettext_lazy("verdict of a phase", "verified")
        APPROVED = "approved", pgettext_lazy("verdict of a phase", "approved")
        RETURNED = "returned", pgettext_lazy("verdict of a phase", "returned")

    protocol = models.ForeignKey(
        PhaseProtocol, models.PROTECT, related_name="verdicts", verbose_name=_("protocol")
    )
    kind = models.CharField(_("verdict"), max_length=8, choices=Kind)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("time"), db_default=Now())
    reason = models.TextField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("verdict of a phase")
        verbose_name_plural = _("verdicts of phases")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["protocol", "kind"], name="one_verdict_of_a_kind_per_phase_protocol"
            ),
            models.UniqueConstraint(
                fields=["protocol", "who"], name="one_verdict_of_a_person_per_phase_protocol"
            ),
            models.CheckConstraint(
                condition=~Q(kind="returned") | ~Q(reason=""), name="returned_phase_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.protocol_id}: {self.kind}"


class Annulment(models.Model):
    """A solution annulled by organisers (R 9.5), with reason and protocol; the 5 % rule needs none.

    It is a session or an upload: predictions, or markups, which annul all that the team uploaded
    for the phase, since the latest of each essay counts. ``lifted_at``: it was taken back, before
    the results were final.
    """

    session = models.ForeignKey(
        ExchangeSession,
        models.PROTECT,
        null=True,
        related_name="annulments",
        verbose_name=_("session"),
    )
    upload = models.ForeignKey(
        Upload, models.PROTECT, null=True, related_name="annulments", verbose_name=_("upload")
    )
    reason = models.TextField(_("reason"))
    protocol = models.CharField(_("protocol"), max_length=200)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("time"), db_default=Now())
    lifted_at = models.DateTimeField(_("taken back at"), null=True)
    lifted_because = models.TextField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("annulment")
        verbose_name_plural = _("annulments")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(lifted_at=None),
                name="one_annulment_stands_per_session",
            ),
            models.UniqueConstraint(
                fields=["upload"],
                condition=Q(lifted_at=None),
                name="one_annulment_stands_per_upload",
            ),
            models.CheckConstraint(
                condition=Q(session=None, upload__isnull=False)
                | Q(session__isnull=False, upload=None),
                name="annulled_is_a_session_or_an_upload",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(protocol=""), name="annulment_says_why"
            ),
            models.CheckConstraint(
                condition=Q(lifted_at=None) | ~Q(lifted_because=""),
                name="lifted_annulment_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id or self.upload_id}: {self.reason[:40]}"


class Publication(models.Model):
    """An archive everybody may take (R 7.13): what it holds, where its bytes are, their SHA-256."""

    class Kind(models.TextChoices):
        TRAINING = "training", pgettext_lazy("publication", "training set")
        TEST = "test", pgettext_lazy("publication", "test set")
        FINALS = "finals", pgettext_lazy("publication", "markups of the finals")

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="publications", verbose_name=_("contest")
    )
    kind = models.CharField(_("archive"), max_length=8, choices=Kind)
    file = models.CharField(max_length=200, editable=False)
    size = models.PositiveBigIntegerField(_("bytes"))
    essays = models.PositiveIntegerField(_("essays"))
    checksum = models.CharField("SHA-256", max_length=64)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("made by"),
    )
    published_at = models.DateTimeField(_("published at"), db_default=Now())

    class Meta:
        verbose_name = _("publication")
        verbose_name_plural = _("publications")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.contest_id}: {self.kind}"
