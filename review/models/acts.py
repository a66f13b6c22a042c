"""What coordinators did to many checks at once, so that it can be looked at and taken back."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class BulkAct(models.Model):
    """An act on many checks. ``key`` is the question's: answered twice it is done once.

    ``checks``: of each check its number, ``was`` its state before, and ``given`` the number of the
    check that came in its place, if one did; ``stays``: why undoing left it where it was.
    """

    class Kind(models.TextChoices):
        WITHDRAW = "withdraw", _("take away")
        HAND_OVER = "hand_over", _("hand over")

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(_("what was done"), max_length=9, choices=Kind)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    expert = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("handed over to"),
    )
    checks = models.JSONField(_("checks"), default=list)
    query = models.CharField(_("filter"), max_length=500, blank=True)
    made_at = models.DateTimeField(_("made at"), db_default=Now())
    undone_at = models.DateTimeField(_("undone at"), null=True)
    restored = models.PositiveIntegerField(_("given back"), default=0)

    class Meta:
        verbose_name = _("act on many checks")
        verbose_name_plural = _("acts on many checks")

    def __str__(self) -> str:
        return f"{self.kind}: {len(self.checks)}"
