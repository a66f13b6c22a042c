"""What judges and the commission said of a set, and what they said it of."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet


class SetProtocol(models.Model):
    """The checks and final grades of a set as they were when a verdict was given of them.

    ``content``: canonical JSON (``review.core.canonical``), ``digest`` its SHA-256. Neither ever
    changes (a trigger watches): where something of the set does, or it is returned, the protocol
    is void, with the time and the reason, and stays. ``about``: the essay it became void by.
    """

    class Void(models.TextChoices):
        REOPENED = "reopened", _("a check was reopened")
        REGRADED = "regraded", _("points were graded anew")
        CHANGED = "changed", _("other checks or points count")
        VERSION = "version", _("an essay has a new version")
        ESSAYS = "essays", _("essays came in or were taken out")
        RULES = "rules", _("the set has other rules")
        RETURNED = "returned", _("the set was returned")

    essay_set = models.ForeignKey(
        EssaySet, models.PROTECT, related_name="protocols", verbose_name=_("essay set")
    )
    content = models.TextField(_("content"))
    digest = models.CharField(_("digest"), max_length=64)
    essays = models.PositiveIntegerField(_("essays"))
    made_at = models.DateTimeField(_("made at"), db_default=Now())
    voided_at = models.DateTimeField(_("void since"), null=True)
    voided_because = models.CharField(_("void because"), max_length=8, choices=Void, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    about = models.CharField(_("essay"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("protocol of a set")
        verbose_name_plural = _("protocols of sets")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["essay_set"],
                condition=Q(voided_at=None),
                name="one_protocol_stands_per_set",
            ),
            models.CheckConstraint(
                condition=Q(voided_at=None, voided_because="")
                | (Q(voided_at__isnull=False) & ~Q(voided_because="")),
                name="void_protocol_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_set_id}: {self.digest[:12]}"


class Verdict(models.Model):
    """Who said what of a protocol and why; a row never changes and is never deleted.

    ``seen``: what the page said by which it was given, so that a form sent twice counts once.
    """

    class Kind(models.TextChoices):
        VERIFIED = "verified", _("verified")
        APPROVED = "approved", _("approved")
        RETURNED = "returned", _("returned")
        SENT = "sent", _("sent again")

    protocol = models.ForeignKey(
        SetProtocol, models.PROTECT, related_name="verdicts", verbose_name=_("protocol of a set")
    )
    kind = models.CharField(_("verdict"), max_length=8, choices=Kind)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("time"), db_default=Now())
    reason = models.TextField(_("reason"), blank=True)
    seen = models.CharField(max_length=64, editable=False)

    class Meta:
        verbose_name = _("verdict")
        verbose_name_plural = _("verdicts")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["protocol", "kind"], name="one_verdict_of_a_kind_per_protocol"
            ),
            models.UniqueConstraint(
                fields=["protocol", "who"], name="one_verdict_of_a_person_per_protocol"
            ),
            models.CheckConstraint(
                condition=~Q(kind="returned") | ~Q(reason=""), name="returned_set_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.protocol_id}: {self.kind}"
