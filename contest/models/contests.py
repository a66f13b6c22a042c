"""Contests, their phases, and the essay sets that belong to them (R 2.10, 4, 7.3)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet
from contest.core.contest_names import Scheme
from web.validators import clean_name


def language_told(russian: str, english: str) -> str:
    """The reader's language, or the other one where the text stands in that one only."""
    if get_language() == "en":
        return "en" if english else "ru"
    return "ru" if russian else "en"


def in_readers_language(russian: str, english: str) -> str:
    """The text in the reader's language, or in the other one where that is all there is."""
    return english if language_told(russian, english) == "en" else russian


class Contest(models.Model):
    """A contest: one cycle of qualification, finals and results (R 2.27, 4.1).

    ``scheme``: a contest of another scoring system takes predictions as files; empty is the markup
    of essays. ``announced_at``: from then on everybody reads its page. ``final_at``: its results
    are final, no annulment is taken back any more. ``zone``: in which its dates are said.
    """

    Scheme = Scheme

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name_ru = models.CharField(_("name in Russian"), max_length=120, validators=[clean_name])
    name_en = models.CharField(
        _("name in English"), max_length=120, blank=True, validators=[clean_name]
    )
    summary_ru = models.TextField(_("summary in Russian"), blank=True)
    summary_en = models.TextField(_("summary in English"), blank=True)
    task_ru = models.TextField(_("task in Russian"), blank=True)
    task_en = models.TextField(_("task in English"), blank=True)
    subject = models.CharField(_("subject"), max_length=16, choices=settings.SUBJECTS, blank=True)
    scheme = models.CharField(
        _("scoring system"),
        max_length=9,
        choices=[(each.value, each.value) for each in Scheme],
        blank=True,
    )
    zone = models.CharField(_("time zone"), max_length=40, default="Europe/Moscow")
    contact = models.EmailField(_("organisers’ e-mail"), blank=True)
    licence = models.CharField(_("licence"), max_length=40, default="CC BY 4.0")
    applications_from = models.DateTimeField(_("applications from"), null=True, blank=True)
    applications_until = models.DateTimeField(_("applications until"), null=True, blank=True)
    shows_test_board = models.BooleanField(
        _("participants see the board of the qualification"), default=False
    )
    live = models.BooleanField(_("finals with live sessions"), default=True)
    announced_at = models.DateTimeField(_("announced at"), null=True, editable=False)
    final_at = models.DateTimeField(_("results final since"), null=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("made by"),
    )
    created_at = models.DateTimeField(_("made at"), db_default=Now())

    class Meta:
        verbose_name = _("contest")
        verbose_name_plural = _("contests")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(applications_from=None)
                | Q(applications_until=None)
                | Q(applications_until__gt=F("applications_from")),
                name="applications_end_after_they_begin",
            ),
            models.CheckConstraint(
                condition=~Q(scheme="", subject=""), name="contest_of_essays_has_a_subject"
            ),
        ]

    def __str__(self) -> str:
        return in_readers_language(self.name_ru, self.name_en)

    @property
    def summary(self) -> str:
        return in_readers_language(self.summary_ru, self.summary_en)

    @property
    def summary_language(self) -> str:
        return language_told(self.summary_ru, self.summary_en)

    @property
    def task(self) -> str:
        return in_readers_language(self.task_ru, self.task_en)

    @property
    def task_language(self) -> str:
        return language_told(self.task_ru, self.task_en)

    @property
    def takes_uploads(self) -> bool:
        """True where teams send files with quotas, be it predictions or markups of essays."""
        return bool(self.scheme) or not self.live

    @property
    def is_announced(self) -> bool:
        return self.announced_at is not None

    @property
    def is_final(self) -> bool:
        return self.final_at is not None


class Phase(models.Model):
    """The qualification or the finals of a contest (R 6, 7); of each kind a contest has one."""

    class Kind(models.TextChoices):
        QUALIFICATION = "qualification", pgettext_lazy("phase", "qualification")
        FINALS = "finals", pgettext_lazy("phase", "finals")

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="phases", verbose_name=_("contest")
    )
    kind = models.CharField(_("phase"), max_length=13, choices=Kind)
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(_("end"))
    closed_at = models.DateTimeField(_("closed at"), null=True, editable=False)

    class Meta:
        verbose_name = _("phase")
        verbose_name_plural = _("phases")
        ordering = ["contest", "starts_at"]
        constraints = [
            models.UniqueConstraint(fields=["contest", "kind"], name="one_phase_of_a_kind"),
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="phase_ends_after_it_starts"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.contest}: {self.get_kind_display()}"


class DataSet(models.Model):
    """An essay set of a contest (R 2.6 to 2.8); a set belongs to one contest."""

    class Role(models.TextChoices):
        TRAINING = "training", pgettext_lazy("data set", "training")
        TEST = "test", pgettext_lazy("data set", "test")
        FINAL = "final", pgettext_lazy("data set", "final")

    contest = models.ForeignKey(
        Contest, models.PROTECT, related_name="data_sets", verbose_name=_("contest")
    )
    role = models.CharField(_("kind"), max_length=8, choices=Role)
    essay_set = models.OneToOneField(
        EssaySet, models.PROTECT, related_name="data_set", verbose_name=_("essay set")
    )
    added_at = models.DateTimeField(_("added at"), db_default=Now())

    class Meta:
        verbose_name = _("data set")
        verbose_name_plural = _("data sets")
        ordering = ["contest", "role", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["contest"], condition=Q(role="final"), name="one_final_set_per_contest"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.contest_id}: {self.essay_set_id} ({self.role})"
