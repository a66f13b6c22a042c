"""The board of an essay set: which run counts, which one everybody sees, who vouched for it."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotator.models import EssaySet
from scoring.models.runs import ScoreRun


class StandingBoard(models.Model):
    """An essay set's board for two audiences (R 8.1, 8.2).

    ``applied``: the run staff see as what counts. ``public``: the run everybody sees, once
    organisers have published one. While ``frozen_at`` is empty, the public board of a set that is
    no final follows every run that is applied; of a final each run is published anew.
    """

    essay_set = models.OneToOneField(
        EssaySet, models.PROTECT, related_name="board", verbose_name=_("essay set")
    )
    applied = models.ForeignKey(
        ScoreRun, models.PROTECT, null=True, related_name="+", verbose_name=_("applied run")
    )
    public = models.ForeignKey(
        ScoreRun, models.PROTECT, null=True, related_name="+", verbose_name=_("published run")
    )
    frozen_at = models.DateTimeField(_("frozen at"), null=True)
    published_at = models.DateTimeField(_("published at"), null=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("published by"),
    )

    class Meta:
        verbose_name = _("board")
        verbose_name_plural = _("boards")
        ordering = ["essay_set"]
        constraints = [
            models.CheckConstraint(
                condition=Q(public=None, published_at=None)
                | Q(public__isnull=False, published_at__isnull=False),
                name="published_board_has_its_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.essay_set_id}: {self.applied_id} / {self.public_id}"

    @property
    def follows(self) -> bool:
        """True while the public board is whichever run is applied."""
        return self.follows_unless_frozen and self.frozen_at is None

    @property
    def follows_unless_frozen(self) -> bool:
        """True once it is published, but for a final, each run of which is published anew."""
        return self.published_at is not None and self.essay_set.access != EssaySet.Access.FINAL

    @property
    def falls_back(self) -> bool:
        """True while everybody sees an earlier run because the one that counts was returned."""
        if self.public_id is None or self.public_id == self.applied_id:
            return False
        kind = RunVerdict.Kind.RETURNED
        return RunVerdict.objects.filter(run=self.applied_id, kind=kind).exists()

    @property
    def still_since(self) -> datetime | None:
        """Since when it stands still at the run everybody sees; ``None`` while it does not.

        A board that is published anew while it is frozen stands still from then on.
        """
        if self.frozen_at is None or self.published_at is None:
            return self.frozen_at
        return max(self.frozen_at, self.published_at)

    @property
    def shows_by_going_on(self) -> bool:
        """True while the board is frozen and everybody would see another run if it were not."""
        is_behind = self.frozen_at is not None and self.public_id != self.applied_id
        return is_behind and self.follows_unless_frozen


class PublishedRun(models.Model):
    """A run that everybody saw as a set's board from ``at`` on; a row never changes.

    Also the runs that a public board has followed by itself stand here.
    """

    run = models.OneToOneField(
        ScoreRun, models.PROTECT, related_name="published", verbose_name=_("score run")
    )
    at = models.DateTimeField(_("published at"), db_default=Now())

    class Meta:
        verbose_name = _("published score run")
        verbose_name_plural = _("published score runs")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return str(self.run_id)


class RunVerdict(models.Model):
    """Who said what of an applied run and why; a row never changes and is never deleted.

    Judges check the reports, then the commission verifies the results, then organisers publish
    (R 8.1.1 to 8.1.3, 8.2.3 to 8.2.5); a run that is returned is not published.
    """

    class Kind(models.TextChoices):
        CHECKED = "checked", pgettext_lazy("verdict of a run", "checked")
        VERIFIED = "verified", pgettext_lazy("verdict of a run", "verified")
        RETURNED = "returned", pgettext_lazy("verdict of a run", "returned")

    run = models.ForeignKey(
        ScoreRun, models.PROTECT, related_name="verdicts", verbose_name=_("score run")
    )
    kind = models.CharField(_("verdict"), max_length=8, choices=Kind)
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("who")
    )
    at = models.DateTimeField(_("time"), db_default=Now())
    reason = models.TextField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("verdict of a score run")
        verbose_name_plural = _("verdicts of score runs")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "kind"], name="one_verdict_of_a_kind_per_run"),
            models.UniqueConstraint(fields=["run", "who"], name="one_verdict_of_a_person_per_run"),
            models.CheckConstraint(
                condition=~Q(kind="returned") | ~Q(reason=""), name="returned_run_says_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.kind}"
