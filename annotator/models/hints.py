"""The hints of the marking screen that an expert has put away."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SeenHint(models.Model):
    """A hint an expert needs no more: it belongs to the account, whatever the browser."""

    class Hint(models.TextChoices):
        SELECT = "select", _("select, then choose a code")
        KEYS = "keys", _("keys")
        SUBMIT = "submit", _("submit the check")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="seen_hints",
        verbose_name=_("expert"),
    )
    hint = models.CharField(_("hint"), max_length=8, choices=Hint)

    class Meta:
        verbose_name = _("hint that was put away")
        verbose_name_plural = _("hints that were put away")
        constraints = [models.UniqueConstraint(fields=["user", "hint"], name="one_hint_seen_once")]

    def __str__(self) -> str:
        return self.hint
