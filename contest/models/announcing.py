"""What a contest tells everybody: announcements and versions of common modules (R 4.7, 12.3)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.models.contests import Contest, in_readers_language, language_told
from review.models import Letter
from web.validators import clean_name


class Announcement(models.Model):
    """A dated public text in both languages; it never changes: another one mends a mistake."""

    class Kind(models.TextChoices):
        NEWS = "news", pgettext_lazy("announcement", "news")
        SCHEDULE = "schedule", pgettext_lazy("announcement", "schedule")
        PARAMETERS = "parameters", pgettext_lazy("announcement", "parameters")
        DATA = "data", pgettext_lazy("announcement", "data")
        MODULES = "modules", pgettext_lazy("announcement", "modules")
        RESULTS = "results", pgettext_lazy("announcement", "results")

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="announcements", verbose_name=_("contest")
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.NEWS)
    title_ru = models.CharField(_("title in Russian"), max_length=160, validators=[clean_name])
    title_en = models.CharField(_("title in English"), max_length=160, validators=[clean_name])
    body_ru = models.TextField(_("text in Russian"), blank=True)
    body_en = models.TextField(_("text in English"), blank=True)
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
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-published_at", "-pk"]
        indexes = [
            models.Index(fields=["contest", "-published_at"], name="announcements_by_contest"),
        ]

    def __str__(self) -> str:
        return in_readers_language(self.title_ru, self.title_en)

    @property
    def body(self) -> str:
        return in_readers_language(self.body_ru, self.body_en)

    @property
    def body_language(self) -> str:
        return language_told(self.body_ru, self.body_en)


class AnnouncementLetter(models.Model):
    """Which announcement a letter tells of, and to whom: one letter a person."""

    announcement = models.ForeignKey(
        Announcement, models.PROTECT, related_name="letters", verbose_name=_("announcement")
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("person")
    )
    letter = models.OneToOneField(
        Letter, models.PROTECT, related_name="of_announcement", verbose_name=_("letter")
    )

    class Meta:
        verbose_name = _("letter about an announcement")
        verbose_name_plural = _("letters about announcements")
        constraints = [
            models.UniqueConstraint(
                fields=["announcement", "person"], name="one_letter_of_an_announcement"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.announcement_id} {self.person_id}"


class ModuleRelease(models.Model):
    """A version of a common module, as everybody of the contest uses it (R 4.2, 4.7)."""

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="releases", verbose_name=_("contest")
    )
    name = models.CharField(_("module"), max_length=40, validators=[clean_name])
    version = models.CharField(_("version"), max_length=40, validators=[clean_name])
    checksum = models.CharField("SHA-256", max_length=64)
    address = models.URLField(_("address"), blank=True)
    announcement = models.OneToOneField(
        Announcement, models.PROTECT, related_name="release", verbose_name=_("announcement")
    )

    class Meta:
        verbose_name = _("version of a common module")
        verbose_name_plural = _("versions of common modules")
        ordering = ["contest", "name", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["contest", "name", "version"], name="one_release_per_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"
