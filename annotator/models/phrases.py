"""What an expert has written before."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


def folded(words: str) -> str:
    """What words have in common that read alike: case, blanks and a full stop do not count."""
    return " ".join(words.split()).rstrip(" .").casefold()


class Phrase(models.Model):
    """Words an expert has used in a field of a code, to be offered again.

    ``subcode`` and ``correction`` are those of the marks they were used in, where these had the
    same every time.
    """

    class Field(models.TextChoices):
        COMMENT = "comment", _("comment")
        EXPLANATION = "explanation", _("explanation")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="phrases", verbose_name=_("expert")
    )
    code = models.CharField(_("code"), max_length=60)
    field = models.CharField(_("field"), max_length=11, choices=Field)
    text = models.CharField(_("text"), max_length=200)
    subcode = models.CharField(_("subcode"), max_length=60, blank=True)
    correction = models.CharField(_("correction"), max_length=200, blank=True)
    uses = models.PositiveIntegerField(_("uses"), default=1)

    class Meta:
        verbose_name = _("phrase")
        verbose_name_plural = _("phrases")
        ordering = ["-uses", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "code", "field", "text"], name="one_phrase_per_text"
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def folded(self) -> str:
        """What two phrases that read alike have in common."""
        return folded(self.text)
